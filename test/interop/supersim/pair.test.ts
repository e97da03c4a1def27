// The scenario on a pair of ours, against what was recorded on supersim.

import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { type Difference, differenceRows, differencesOf, isToldBy, sideBySide } from './differences.ts'
import { startPair } from './here.ts'
import { play } from './scenario.ts'

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'))
const rows = differenceRows()
let differences: readonly Difference[]
let here: Awaited<ReturnType<typeof play>>

beforeAll(async () => {
  const side = await startPair()
  here = await play(side)
  differences = differencesOf(recorded, here)
  await side.close()
}, 120_000)

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
