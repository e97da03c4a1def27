// Coverage: which branches are new, and which words were compared. covering.sized.test.ts holds the build for coverage to
// the other.

import fc from 'fast-check'
import { bytesToHex, concat, type Hex, hexToBytes } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEvmPools, evmPoolFor } from '../../../src/core/execution/evm/evm-pool.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { type Hash, toWord } from '../../../src/core/primitives/hex.ts'
import { PersistentMap } from '../../../src/core/primitives/persistent-map.ts'
import type { Hardfork } from '../../../src/core/rollup/hardforks.ts'
import { makeRules } from '../../../src/core/rollup/rules.ts'
import { Miss, OverlayMap } from '../../../src/core/state/overlay-map.ts'
import {
  EMPTY_ACCOUNT,
  makeCode,
  readAccount,
  readStorage,
  type Storage,
  type WorldState,
} from '../../../src/core/state/world-state.ts'
import { NO_CHEATS } from '../../../src/tools/cheatcodes/cheat-state.ts'
import type { Position } from '../../../src/tools/explore/contracts/call.ts'
import { createMachine, type Machine } from '../../../src/tools/explore/contracts/machine.ts'
import { blockHashOf, CALLER, CONTRACT, ENVIRONMENT, OTHER, push } from './scene.ts'

beforeAll(loadCrypto)

const positionOf = (state: WorldState): Position => ({ state, environment: ENVIRONMENT, cheats: NO_CHEATS })
const rulesOf = (fork: Hardfork) => makeRules(31_337, fork)
const rules = rulesOf('osaka')

/** Calls `code` with a word of input, and keeps the coverage of all calls. */
async function scene(code: Hex, other: Hex = '0x', fork: Hardfork = 'osaka') {
  const pools = createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'wasm' })
  const calls: Machine = await createMachine(
    { evmPool: evmPoolFor(pools, rulesOf(fork)), blockHashOf },
    false,
  )
  const accountOf = (hex: Hex) => ({ ...EMPTY_ACCOUNT, code: makeCode(hexToBytes(hex)) })
  const state = PersistentMap.from([
    [CALLER, { ...EMPTY_ACCOUNT, balance: 10n ** 18n }],
    [CONTRACT, accountOf(code)],
    [OTHER, accountOf(other)],
  ])
  const message = {
    ...{ from: CALLER, to: CONTRACT, value: 0n, gasLimit: 1_000_000n, gasPrice: 0n },
    ...{ accessList: [], authorizationList: [], blobVersionedHashes: [] },
  }
  const call = async (input: number | bigint) => {
    await calls.run(positionOf(state), { ...message, input: hexToBytes(push(input)).slice(1) })
    return calls.coverage.take()
  }
  return { call, calls, message, state, coverage: calls.coverage }
}

// PUSH0, CALLDATALOAD, PUSH1 7, EQ, PUSH2 13, JUMPI, PUSH1 1, POP, STOP, JUMPDEST (13), STOP.
const FUSED: Hex = ('0x5f35600714' + '61000c57' + '6001505b00') as Hex
// The same with PUSH1 11, which is not one step with its jump.
const PLAIN: Hex = ('0x5f35600714' + '600b57' + '6001505b00') as Hex

describe.each([
  ['a jump that is one step with its PUSH2', FUSED],
  ['a jump of its own', PLAIN],
])('branches: %s', (_, code) => {
  test('each side is new once, and again when it is forgotten', async () => {
    const { call, coverage } = await scene(code)
    const first = await call(1)
    // The entry and the side that is not taken.
    expect(first).toHaveLength(2)
    expect(await call(2)).toEqual([])
    const second = await call(7)
    expect(second).toHaveLength(1)
    // The two sides of a branch are neighbours.
    expect(second).toEqual([(first[1] as number) + 1])
    expect(coverage.last()).toBe(second[0])
    coverage.forget(second)
    expect(coverage.isKnown(second[0] as number)).toBe(false)
    expect(await call(7)).toEqual(second)
    coverage.forget(first)
    coverage.learn(first)
    expect(await call(1)).toEqual([])
  })

  test('words that differ are told, with the branch that they decide', async () => {
    const { call, coverage } = await scene(code)
    const [, side = 0] = await call(1)
    coverage.watchComparisons()
    await call(5)
    expect(coverage.takeComparisons()).toEqual([{ left: 7n, right: 5n, branches: [side, side + 1] }])
    coverage.watchComparisons()
    await call(7)
    expect(coverage.takeComparisons()).toEqual([])
    await call(5)
    expect(coverage.takeComparisons()).toEqual([])
  })
})

test('a constant that is added as its negative is told as the constant, where the sum decides', async () => {
  // PUSH0, CALLDATALOAD, PUSH1 6, NOT, ADD, PUSH1 12, JUMPI, PUSH1 1, POP, JUMPDEST, STOP: solc's form of `x == 7`.
  const { call, coverage } = await scene('0x5f3560061901600c576001505b00')
  coverage.watchComparisons()
  const [, side = 0] = await call(5)
  expect(coverage.takeComparisons()).toEqual([{ left: 7n, right: 5n, branches: [side - 1, side] }])
  coverage.watchComparisons()
  expect(await call(7)).toEqual([side - 1])
  expect(coverage.takeComparisons()).toEqual([])
  // The same sum, stored.
  const stored = await scene('0x5f35600619015f5500')
  stored.coverage.watchComparisons()
  await stored.call(5)
  expect(stored.coverage.takeComparisons()).toEqual([])
})

test('a computed jump is known by its destination', async () => {
  // PUSH0, CALLDATALOAD, JUMP, JUMPDEST (3), STOP, JUMPDEST (5), STOP.
  const { call } = await scene('0x5f35565b005b00')
  expect(await call(3)).toHaveLength(2)
  expect(await call(5)).toHaveLength(1)
  expect(await call(5)).toEqual([])
})

test('what a call reaches and compares is told if it has used much memory', async () => {
  // Writes at 20 MiB: PUSH0, PUSH4, MSTORE. Then as above, with PUSH1 18.
  const code = concat(['0x5f630140000052', '0x5f35600714', '0x601257', '0x6001505b00'])
  const { calls, coverage, message, state } = await scene(code)
  const call = async (input: number) => {
    const data = hexToBytes(push(input)).slice(1)
    await calls.run(positionOf(state), { ...message, gasLimit: 1n << 31n, input: data })
    return coverage.take()
  }
  coverage.watchComparisons()
  const [entry, side = 0, ...others] = await call(1)
  expect([typeof entry, others]).toEqual(['number', []])
  expect(coverage.last()).toBe(side)
  expect(coverage.takeComparisons()).toEqual([{ left: 7n, right: 1n, branches: [side, side + 1] }])
  expect(await call(7)).toEqual([side + 1])
  expect(await call(7)).toEqual([])
})

test('contracts that are called count for themselves, and equal code counts once', async () => {
  // Calls OTHER with the word: PUSH0, CALLDATALOAD, PUSH0, MSTORE, PUSH0 ×2, PUSH1 32, PUSH0 ×2, PUSH20, GAS, CALL.
  const forward = concat(['0x5f355f525f5f60205f5f73', OTHER, '0x5af100'])
  const { call } = await scene(forward, FUSED)
  // Two entries and a side.
  expect(await call(1)).toHaveLength(3)
  expect(await call(7)).toHaveLength(1)
})

test('a chain with the other interpreter has no coverage', async () => {
  const pools = createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'reference' })
  await expect(
    createMachine({ evmPool: evmPoolFor(pools, rules), blockHashOf }, false),
  ).rejects.toMatchObject({
    kind: 'coverageUnavailable',
  })
})

/** Stores the second word of the input at the first, and returns the slots 0 to 3. */
const STORE_AND_READ = concat([
  // PUSH1 32, CALLDATALOAD, PUSH0, CALLDATALOAD, SSTORE.
  '0x6020355f3555',
  // PUSH1 slot, SLOAD, PUSH1 32 * slot, MSTORE.
  ...[0, 1, 2, 3].map((slot): Hex => `0x60${push(slot).slice(-2)}5460${push(32 * slot).slice(-2)}52`),
  // PUSH1 128, PUSH0, RETURN.
  '0x60805ff3',
])

test('calls on states in any order read the slots of their state', { tags: 'gate' }, async () => {
  const write = fc.record({ on: fc.nat(), key: fc.nat(3), value: fc.bigInt(0n, 3n) })
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 8, maxLength: 24 }), async (writes) => {
      const { calls, message, state } = await scene(STORE_AND_READ)
      const withSlots = (words: readonly bigint[]) => {
        const storage = words.reduce<Storage>(
          (slots, word, key) =>
            word === 0n ? slots : slots.set(toWord(BigInt(key)), Uint8Array.of(Number(word))),
          PersistentMap.empty(),
        )
        return { state: state.set(CONTRACT, { ...readAccount(state, CONTRACT), storage }), words }
      }
      const reached: { readonly state: WorldState; readonly words: readonly bigint[] }[] = [
        withSlots([0n, 0n, 0n, 0n]),
        withSlots([5n, 0n, 6n, 7n]),
      ]
      for (const { on, key, value } of writes) {
        const before = reached[on % reached.length] as (typeof reached)[number]
        const input = hexToBytes(concat([toWord(BigInt(key)), toWord(value)]))
        const { result, after } = await calls.run(positionOf(before.state), { ...message, input })
        const now = before.words.with(key, value)
        expect(bytesToHex(result.returnData)).toBe(concat(now.map(toWord)))
        reached.push({ state: after.state, words: now })
      }
    }),
    { seed: 3, numRuns: 30 },
  )
})

test('an empty account that calls is gone afterwards (EIP-161), also where the code is known', async () => {
  const { calls, message, state } = await scene(STORE_AND_READ)
  const before = positionOf(state.set(CALLER, EMPTY_ACCOUNT))
  for (let time = 0; time < 3; time++) {
    const { result, after } = await calls.run(before, { ...message, input: new Uint8Array(64) })
    expect(result.outcome).toBe('success')
    expect(after.state.has(CALLER)).toBe(false)
  }
})

test.each([
  ['reverts', ''],
  // ADDRESS, EXTCODESIZE, POP: for JavaScript.
  ['needs JavaScript and reverts', '303b50'],
])('an account is cold again where the called frame that has called it %s (EIP-2929)', async (_, before) => {
  const third: Hex = `0x${'33'.repeat(20)}`
  const callOf = (address: Hex) => `5f5f5f5f5f73${address.slice(2)}61c350f150`
  const gasOf = async (end: 'f3' | 'fd') => {
    const code: Hex = `0x${callOf(OTHER)}${callOf(third)}00`
    const { calls, message, state } = await scene(code, `0x${callOf(third)}${before}5f5f${end}`)
    const position = positionOf(state.set(third, { ...EMPTY_ACCOUNT, code: makeCode(hexToBytes('0x00')) }))
    const used: bigint[] = []
    // From the second time on, the module knows the codes.
    for (let time = 0; time < 3; time++) {
      const { result } = await calls.run(position, { ...message, input: new Uint8Array() })
      used.push(result.executionGas)
    }
    expect(new Set(used).size).toBe(1)
    return used[0] as bigint
  }
  expect((await gasOf('fd')) - (await gasOf('f3'))).toBe(2600n - 100n)
})

test('the code of a created contract keeps no more memory than its own', async () => {
  // Creates a contract of three zeros, by PUSH1 3, PUSH0, RETURN, and returns its address.
  const { calls, message, state } = await scene('0x6360035ff35f526004601c5ff05f5260205ff3')
  const { result, after } = await calls.run(positionOf(state), { ...message, input: new Uint8Array() })
  const { bytes } = readAccount(after.state, bytesToHex(result.returnData.slice(12))).code
  expect(bytes).toHaveLength(3)
  expect(bytes.buffer.byteLength).toBe(3)
})

/** Storage of an unknown base, whose slot 1 is missed once. */
function missedOnce(values: ReadonlyMap<Hash, Uint8Array>): Storage {
  let isKnown = false
  const base = {
    isEmpty: false,
    get(slot: Hash) {
      if (slot === toWord(1) && !isKnown) {
        isKnown = true
        throw new Miss({ kind: 'slot', address: CONTRACT, slot }, async () => {})
      }
      return values.get(slot)
    },
    known: () => values,
  }
  return OverlayMap.over(base)
}

test('what an execution did before it missed a slot is forgotten', async () => {
  const { calls, message } = await scene('0x')
  // Slot 0 to memory, 7 into it, 9 into slot 2, slot 1 and slot 2 to memory, and all of it returned.
  const code: Hex = '0x5f545f5260075f55600960025560015460205260025460405260605ff3'
  const account = { ...EMPTY_ACCOUNT, nonce: 1n, code: makeCode(hexToBytes(code)) }
  const values = new Map([
    [toWord(0), Uint8Array.of(3)],
    [toWord(1), Uint8Array.of(5)],
  ])
  const state = PersistentMap.from([
    [CALLER, { ...EMPTY_ACCOUNT, balance: 10n ** 18n }],
    [CONTRACT, { ...account, storage: missedOnce(values) }],
  ])
  const run = (on: WorldState) => calls.run(positionOf(on), { ...message, input: new Uint8Array() })
  await expect(run(state)).rejects.toBeInstanceOf(Miss)
  const { result, after } = await run(state)
  expect(bytesToHex(result.returnData)).toBe(concat([toWord(3), toWord(5), toWord(9)]))
  expect(readStorage(after.state, CONTRACT, toWord(0))).toEqual(Uint8Array.of(7))
  expect(readStorage(after.state, CONTRACT, toWord(2))).toEqual(Uint8Array.of(9))
  // The same call on what it has left, and on what was there before.
  expect(bytesToHex((await run(after.state)).result.returnData)).toBe(
    concat([toWord(7), toWord(5), toWord(9)]),
  )
  expect(bytesToHex((await run(state)).result.returnData)).toBe(concat([toWord(3), toWord(5), toWord(9)]))
})

test.each(['shanghai', 'osaka'] as const)(
  'a contract that destroys itself is gone, under %s',
  async (fork) => {
    // Creates a contract whose init code destroys it, and returns its address: PUSH2 CALLER SELFDESTRUCT, MSTORE, CREATE.
    const { calls, message, state } = await scene('0x6133ff5f526002601e5ff05f5260205ff3', '0x', fork)
    const { result, after } = await calls.run(positionOf(state), { ...message, input: new Uint8Array() })
    const created = bytesToHex(result.returnData.slice(12))
    expect(BigInt(created)).toBeGreaterThan(0n)
    expect(after.state.has(created)).toBe(false)
  },
)
