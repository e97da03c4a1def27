// The scenario on a pair of ours, against what was recorded on supersim.

import { readFileSync } from 'node:fs'
import { parseEther } from 'viem'
import { chainConfig } from 'viem/op-stack'
import { beforeAll, expect, test } from 'vitest'
import { type Difference, differenceRows, differencesOf, isToldBy, sideBySide } from './differences.ts'
import { startPair } from './here.ts'
import { play } from './scenario.ts'
import type { Side } from './sides.ts'

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'))
const rows = differenceRows()
let differences: readonly Difference[]
let here: Awaited<ReturnType<typeof play>>
let ether: { readonly locked: bigint; readonly above: bigint; readonly left: bigint }

/** Ether on both layers; what was withdrawn stays in the message passer on layer 2. */
async function etherOf({ l1, l2, contracts }: Side) {
  const { accounts } = (await l2.request({ method: 'debug_dumpBlock', params: ['latest'] } as never)) as {
    readonly accounts: Readonly<Record<string, { readonly balance: string }>>
  }
  const balances = Object.values(accounts).map(({ balance }) => BigInt(balance))
  return {
    locked: await l1.getBalance({ address: contracts.portal }),
    above: balances.reduce((sum, balance) => sum + balance),
    left: await l2.getBalance(chainConfig.contracts.l2ToL1MessagePasser),
  }
}

beforeAll(async () => {
  const side = await startPair()
  here = await play(side)
  differences = differencesOf(recorded, here)
  ether = await etherOf(side)
  await side.close()
})

test('has the effects that it has on supersim, but for the differences that the page explains', () => {
  const untold = differences.filter((each) => !rows.some((row) => isToldBy(row, each)))
  expect(sideBySide(untold)).toBe('')
})

test.each(rows)('differs as the page says: $facts', (row) => {
  expect(differences.some((each) => isToldBy(row, each))).toBe(true)
})

// https://specs.optimism.io/protocol/deposits.html#execution: a deposit that cannot pay its value is included, with all
// of its gas.
test('includes a deposit beyond the balance of its sender, which fails', () => {
  const of = 'deposit beyond the balance, layer 2'
  expect(here).toMatchObject({
    [`${of}: value`]: '0xd3c21bcecceda1000000',
    [`${of}: mint`]: '0x0',
    [`${of}: receipt.status`]: '0x0',
    [`${of}: receipt.gasUsed`]: '0x186a0',
    [`${of}: receipt.depositNonce`]: '0',
    [`${of}: events`]: '',
    'deposit beyond the balance: balance of the sender on layer 2': '0',
  })
})

test('leaves as much ether on layer 2 as the portal holds', () => {
  expect(ether.left).toBe(parseEther('0.24'))
  expect(ether.above - ether.left).toBe(ether.locked)
})
