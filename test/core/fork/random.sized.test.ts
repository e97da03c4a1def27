// Random work on a chain, and random work after it on the chain and on a fork of it: all states and receipts are equal.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hash, Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { scaled } from '../../size.ts'
import { ask, wireTo } from './upstreams.ts'

const SENDERS: readonly Hex[] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
]
/** Keeps the second word of its input in the slot of the first; deletes itself if there is no input. */
const KEEPER = '0x3660065733ff5b6020355f355500'
const KEEPERS: readonly Hex[] = [
  '0x00000000000000000000000000000000000000a1',
  '0x00000000000000000000000000000000000000a2',
]
const OTHERS: readonly Hex[] = [
  '0x00000000000000000000000000000000000000b1',
  '0x00000000000000000000000000000000000000b2',
]
const SLOTS = [0, 1, 2, 3]

const word = (value: number): string => value.toString(16).padStart(64, '0')

type Step =
  | {
      readonly kind: 'store'
      readonly sender: number
      readonly at: number
      readonly slot: number
      readonly value: number
    }
  | { readonly kind: 'pay'; readonly sender: number; readonly to: number; readonly value: number }
  | { readonly kind: 'destroy'; readonly sender: number; readonly at: number }
  | { readonly kind: 'code' | 'slot' | 'balance'; readonly at: number; readonly value: number }
  | { readonly kind: 'seal' }

const two = fc.constantFrom(0, 1)
const small = fc.constantFrom(0, 1, 255)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('store' as const),
    sender: two,
    at: two,
    slot: fc.constantFrom(...SLOTS),
    value: small,
  }),
  fc.record({ kind: fc.constant('pay' as const), sender: two, to: fc.nat(3), value: small }),
  fc.record({ kind: fc.constant('destroy' as const), sender: two, at: two }),
  fc.record({
    kind: fc.constantFrom('code' as const, 'slot' as const, 'balance' as const),
    at: two,
    value: small,
  }),
  fc.constant({ kind: 'seal' as const }),
)

async function take(chain: Emulator, each: Step): Promise<Hash | undefined> {
  const send = async (request: object): Promise<Hash> =>
    (await ask(chain, 'eth_sendTransaction', { gas: '0x30000', ...request })) as Hash
  switch (each.kind) {
    case 'store':
      return send({
        from: SENDERS[each.sender],
        to: KEEPERS[each.at],
        data: `0x${word(each.slot)}${word(each.value)}`,
      })
    case 'pay':
      return send({
        from: SENDERS[each.sender],
        to: [...KEEPERS, ...OTHERS][each.to],
        value: `0x${each.value.toString(16)}`,
      })
    case 'destroy':
      return send({ from: SENDERS[each.sender], to: KEEPERS[each.at] })
    case 'code':
      await chain.setCode(KEEPERS[each.at] as Hex, each.value === 0 ? '0x' : KEEPER)
      return undefined
    case 'slot':
      await chain.setStorageAt(KEEPERS[each.at] as Hex, '0x1', `0x${each.value.toString(16)}`)
      return undefined
    case 'balance':
      await chain.setBalance(OTHERS[each.at] as Hex, BigInt(each.value))
      return undefined
    case 'seal':
      await chain.seal()
      return undefined
  }
}

async function play(chain: Emulator, steps: readonly Step[]): Promise<Hash[]> {
  const hashes: Hash[] = []
  for (const each of steps) {
    const hash = await take(chain, each)
    if (hash !== undefined) hashes.push(hash)
  }
  await chain.seal()
  return hashes
}

/** Everything that can be read of the accounts, and the receipts without the hashes of their blocks. */
async function seen(chain: Emulator, hashes: readonly Hash[]): Promise<unknown> {
  const accounts = [...SENDERS, ...KEEPERS, ...OTHERS].map(async (who) => [
    await ask(chain, 'eth_getBalance', who, 'latest'),
    await ask(chain, 'eth_getTransactionCount', who, 'latest'),
    await ask(chain, 'eth_getCode', who, 'latest'),
    ...(await Promise.all(SLOTS.map((slot) => ask(chain, 'eth_getStorageAt', who, `0x${slot}`, 'latest')))),
  ])
  const receipts = hashes.map(async (hash) => {
    const { status, gasUsed, cumulativeGasUsed, effectiveGasPrice } = (await ask(
      chain,
      'eth_getTransactionReceipt',
      hash,
    )) as Record<string, unknown>
    return { status, gasUsed, cumulativeGasUsed, effectiveGasPrice }
  })
  return { accounts: await Promise.all(accounts), receipts: await Promise.all(receipts) }
}

/** The blocks above the fork, which have the same roots only where these are proven. */
async function blocksAbove(chain: Emulator, first: number): Promise<unknown[]> {
  const last = Number(await ask(chain, 'eth_blockNumber'))
  return Promise.all(
    Array.from({ length: last - first }, (_, index) =>
      ask(chain, 'eth_getBlockByNumber', `0x${(first + 1 + index).toString(16)}`, true),
    ),
  )
}

// Until cancun, SELFDESTRUCT deletes contracts with their slots.
test.each([
  ['shanghai', 'synthetic'],
  ['prague', 'synthetic'],
  ['shanghai', 'proven'],
  ['prague', 'proven'],
] as const)('under %s, with %s roots', async (hardfork, roots) => {
  const steps = fc.array(step, { maxLength: 12 })
  const property = fc.asyncProperty(steps, steps, fc.boolean(), async (before, after, isDumped) => {
    const chain = await createEmulator({ hardfork, ordering: 'fifo', accounts: { count: 2 } })
    for (const keeper of KEEPERS) await chain.setCode(keeper, KEEPER)
    await play(chain, before)
    const first = Number(await ask(chain, 'eth_blockNumber'))
    const accounts = { count: 2, balance: 0n }
    const fork = { upstream: wireTo(chain.clone()), roots }
    const forked = await createEmulator({ ordering: 'fifo', accounts, fork })
    const hashes = await play(chain, after)
    expect(await play(forked, after)).toEqual(hashes)
    const expected = await seen(chain, hashes)
    expect(await seen(forked, hashes)).toEqual(expected)
    const blocks = await blocksAbove(chain, first)
    if (roots === 'proven') expect(await blocksAbove(forked, first)).toEqual(blocks)
    if (!isDumped) return
    const loaded = await createEmulator({ ordering: 'fifo', accounts, state: await forked.dump() })
    expect(await seen(loaded, hashes)).toEqual(expected)
    if (roots === 'proven') expect(await blocksAbove(loaded, first)).toEqual(blocks)
    for (const each of [forked, loaded]) await each.mine(1)
    expect(await blocksAbove(loaded, first)).toEqual(await blocksAbove(forked, first))
  })
  await fc.assert(property, { seed: 20261122, numRuns: scaled(60) })
})
