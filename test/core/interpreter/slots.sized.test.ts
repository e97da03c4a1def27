// Storage and transient storage of running transactions, which the module keeps, compared with the reference: messages of
// every kind in each other, some of which fail, and transactions after each other on states that agree or not.

import fc from 'fast-check'
import { concat, type Hex, numberToHex, padHex } from 'viem'
import { expect, test } from 'vitest'
import { bytesToBigInt } from '../../../src/core/primitives/hex.ts'
import { EMPTY_STORAGE, type Storage } from '../../../src/core/state/world-state.ts'
import { sampled, scaled } from '../../size.ts'
import { expectAgreement } from './agreement.ts'
import { CONTRACT, codeOf, push, RETURN_TOP, type Run, runCode } from './scene.ts'

const CONTRACTS: readonly Hex[] = [1, 2, 3].map((byte): Hex => `0x${`c${byte}`.repeat(20)}`)

/** Mixes the top of the stack into the word at memory 0. */
const MIX: Hex = '0x601f6000510201600052'

const KEYS = 3
const small = (most: number) => fc.nat(most)
const calls = ['0xf1', '0xf2', '0xf4', '0xfa'] as const

/** Calls a contract with the gas that is left, and mixes in whether it succeeded, and the first word of its output. */
function callTo(opcode: (typeof calls)[number], target: Hex): Hex {
  const value = opcode === '0xf1' || opcode === '0xf2' ? '0x6000' : '0x'
  return concat(['0x6020602060006000', value, '0x73', target, '0x5a', opcode, MIX, '0x602051', MIX])
}

/** Creates a contract, whose init code is a loop of writes, and mixes in whether there is one. */
function creationOf(init: Hex): Hex {
  const size = numberToHex((init.length - 2) / 2, { size: 1 })
  return concat([
    '0x7f',
    padHex(init, { dir: 'right', size: 32 }),
    '0x60405260',
    size,
    '0x60406000f01515',
    MIX,
  ])
}

const operation = (level: number): fc.Arbitrary<Hex> => {
  const key = small(KEYS - 1).map((value) => numberToHex(value, { size: 1 }))
  const value = small(2).map((each) => numberToHex(each, { size: 1 }))
  const store = (opcode: Hex) => fc.tuple(key, value).map(([k, v]) => concat(['0x60', v, '0x60', k, opcode]))
  const load = (opcode: Hex) => key.map((k) => concat(['0x60', k, opcode, MIX]))
  const init = fc
    .tuple(fc.constantFrom<Hex>('0x5d', '0x55'), value, fc.constantFrom<Hex>('0x00', '0x5f5ffd', '0xfe'))
    .map(([opcode, v, end]) => creationOf(concat(['0x60', v, '0x6001', opcode, '0x60015c6002', opcode, end])))
  const own = [store('0x55'), store('0x5d'), load('0x54'), load('0x5c')]
  const weighted = own.map((arbitrary) => ({ weight: 3, arbitrary }))
  const targets = CONTRACTS.slice(level)
  if (targets.length === 0) return fc.oneof(...weighted)
  const message = fc.tuple(fc.constantFrom(...calls), fc.constantFrom(...targets))
  return fc.oneof(
    ...weighted,
    { weight: 4, arbitrary: message.map(([opcode, target]) => callTo(opcode, target)) },
    { weight: 1, arbitrary: init },
  )
}

/** Code that ends with the mixed word: as output, as the reason of a revert, or fails. */
const bodyOf = (level: number): fc.Arbitrary<Hex> =>
  fc
    .tuple(
      fc.array(operation(level), { maxLength: 8 }),
      fc.constantFrom<Hex>('0x60206000f3', '0x60206000f3', '0x60206000fd', '0xfe'),
    )
    .map(([operations, end]) => concat([...operations, end]))

const storageOf = (values: readonly number[]): Storage =>
  values.reduce(
    (storage, value, key) =>
      value === 0 ? storage : storage.set(padHex(numberToHex(key), { size: 32 }), Uint8Array.of(value)),
    EMPTY_STORAGE,
  )

const scene = fc.record({
  codes: fc.tuple(bodyOf(0), bodyOf(1), bodyOf(2), bodyOf(3)),
  // Slots of an empty storage the module answers by itself.
  values: fc.oneof(fc.constant([0, 0, 0]), fc.array(fc.nat(2), { minLength: KEYS, maxLength: KEYS })),
})

test.each(sampled(['berlin', 'london', 'cancun', 'osaka'] as const))(
  'random messages with storage and transient storage agree, under %s',
  async (fork) => {
    const scenes = fc.array(fc.tuple(scene, fc.boolean()), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(scenes, async (list) => {
        // One after the other, so that the module knows slots of earlier transactions.
        const storages = list.map(([{ values }]) => storageOf(values))
        for (const [index, [{ codes }, isCall]] of list.entries()) {
          for (const storage of [storages[index], storages[0]] as Storage[]) {
            const [code, ...others] = codes
            const rest = others.map((each, i) => [CONTRACTS[i], { ...codeOf(each), storage }] as const)
            const accounts = {
              ...Object.fromEntries(rest),
              [CONTRACT]: { ...codeOf(code), storage, nonce: 1n },
            }
            await expectAgreement(code, { fork, isCall, gas: 3_000_000n, accounts }, code)
          }
        }
      }),
      { seed: 20261123, numRuns: scaled(60) },
    )
  },
)

test('a transaction with warm slots in its access list agrees, before and after one without', async () => {
  const code = concat(['0x600154', '0x6002600155', '0x600254', RETURN_TOP])
  const accessList = [{ address: CONTRACT, storageKeys: [padHex('0x01', { size: 32 })] }]
  for (const run of [{}, { accessList }, {}]) await expectAgreement(code, run, 'an access list')
})

test('what a contract wrote before it destroyed itself is not there when it is made again', async () => {
  // The init code reverts if a slot is not zero, writes it, and destroys its contract: CREATE2 has the same address each
  // time.
  const init: Hex = '0x600554600d5760076005555fff5b5f5ffd'
  const size = numberToHex((init.length - 2) / 2, { size: 1 })
  const memory = concat(['0x7f', padHex(init, { dir: 'right', size: 32 }), '0x5f52'])
  const code = concat([memory, '0x602a60', size, '0x5f5ff5', RETURN_TOP])
  for (const fork of ['shanghai', 'osaka'] as const) {
    for (let i = 0; i < 3; i++) {
      await expectAgreement(code, { fork }, `${fork}, ${i}`)
      expect(bytesToBigInt((await runCode(code, { fork })).returnData)).toBeGreaterThan(0n)
    }
  }
})

/** Writes `opcode` slot i = i + 1 for all i below a count, and then ends with `end`. */
function fill(opcode: Hex, count: number, end: Hex): Hex {
  const least = numberToHex(count, { size: 4 })
  return concat(['0x5f5b80600101', '0x81', opcode, '0x600101', '0x80', '0x63', least, '0x11600157', end])
}

test.each(
  sampled([
    ['transient slots, more than the journal holds', '0x5d', '0x5c', 16_384],
    ['transient slots, more than the table holds', '0x5d', '0x5c', 40_000],
    ['slots, more than the journal and the table hold', '0x55', '0x54', 40_000],
  ] as const),
)('%s, written and taken back', { tags: 'gate' }, async (_, write, read, count) => {
  const inner = (end: Hex) => fill(write, count, end)
  const delegate = (target: Hex): Hex => concat(['0x5f5f5f5f73', target, '0x5af4'])
  const see = (key: number, at: number): Hex =>
    concat(['0x63', numberToHex(key, { size: 4 }), read, '0x60', numberToHex(at, { size: 1 }), '0x52'])
  const [reverting, lasting] = CONTRACTS as [Hex, Hex]
  const before = concat([
    '0x6009600a',
    write,
    delegate(reverting),
    '0x606052',
    see(10, 0),
    see(count - 1, 32),
  ])
  const after = concat([delegate(lasting), '0x608052', see(10, 0xa0), see(count - 1, 0xc0), '0x60e05ff3'])
  const code = concat([before, after])
  const accounts = { [reverting]: codeOf(inner('0x5f5ffd')), [lasting]: codeOf(inner('0x00')) }
  for (let i = 0; i < 2; i++) {
    const { returnData, state } = await runCode(code, { gas: 2n ** 60n, accounts })
    const words = Array.from({ length: 7 }, (_each, at) =>
      bytesToBigInt(returnData.subarray(32 * at, 32 * at + 32)),
    )
    expect(words).toEqual([9n, 0n, 0n, 0n, 1n, 11n, BigInt(count)])
    const contract = (state as { address: Hex; storage: unknown[] }[]).find(
      ({ address }) => address === CONTRACT,
    )
    expect(contract?.storage.length).toBe(write === '0x55' ? count : 0)
  }
})

const HUGE = [2n ** 53n, 2n ** 64n - 1n]
const HUGE_OF_THE_GATE = [2n ** 53n - 1n, 2n ** 54n + 12_345n, 2n ** 60n + 1n, 2n ** 63n - 1n]

/** Saves the gas that is left to memory. */
const gasTo = (at: number): Hex => concat(['0x5a60', numberToHex(at, { size: 1 }), '0x52'])

async function expectMessagesToAgree(huge: bigint): Promise<void> {
  const gas = huge + 21_000n
  const accounts = {
    // Tells its gas; fails; reverts; has a message of its own.
    [CONTRACTS[0] as Hex]: codeOf('0x5a5f5260205ff3'),
    [CONTRACTS[1] as Hex]: codeOf('0xfe'),
    [CONTRACTS[2] as Hex]: codeOf(concat(['0x60205f5f5f73', CONTRACTS[0] as Hex, '0x5af460205ffd'])),
  }
  const run: Run = { gas, accounts, value: 1n }
  for (const opcode of calls) {
    for (const target of CONTRACTS) {
      for (const limit of [2n ** 256n - 1n, 2n ** 52n, 2n ** 53n + 7n, 2n ** 62n, 30_000n]) {
        const hasValue = opcode === '0xf1' || opcode === '0xf2'
        const call = concat([push(32, 32, 0, 0, ...(hasValue ? [1] : []), BigInt(target), limit), opcode])
        const code = concat([
          gasTo(0),
          call,
          '0x604052',
          gasTo(0x60),
          call,
          '0x608052',
          gasTo(0xa0),
          '0x60c05ff3',
        ])
        await expectAgreement(code, run, `${opcode} of ${target} with ${limit}`)
      }
    }
  }
  for (const init of ['0x5a5f5260205ff3', '0xfe', '0x5f5ffd', '0x5a5f5500'] as const) {
    const creation = concat([
      ...['0x7f', padHex(init, { dir: 'right', size: 32 }), '0x5f526007' as const],
      '0x5f6001f0602052',
    ] as Hex[])
    const code = concat([gasTo(0), creation, gasTo(0x40), creation, gasTo(0x60), '0x60805ff3'])
    await expectAgreement(code, run, `creation by ${init}`)
  }
  // All of it at once: by a failure, and by memory that no gas pays for.
  for (const code of ['0xfe', '0x5f195100', '0x60015f19525f5ff3'] as const)
    await expectAgreement(code, run, code)
}

test.each(HUGE)('messages of a frame with %d gas agree', expectMessagesToAgree)
test.each(HUGE_OF_THE_GATE)('messages of a frame with %d gas agree', { tags: 'gate' }, expectMessagesToAgree)
