// Runs of messages: what the engine's stack holds at any depth, and what has to be waited for.

import type { Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { createEvmPools, evmPoolFor, withEvm } from '../../../src/core/execution/evm/evm-pool.ts'
import { type MessageResult, runMessage } from '../../../src/core/execution/evm/run-message.ts'
import type { Precompile } from '../../../src/core/interpreter/evm-interface.ts'
import type { Observer } from '../../../src/core/interpreter/observer.ts'
import { bytesToBigInt, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { isPromise, type Later } from '../../../src/core/primitives/loading.ts'
import { PersistentMap } from '../../../src/core/primitives/persistent-map.ts'
import { makeRules } from '../../../src/core/rollup/rules.ts'
import { type Account, EMPTY_ACCOUNT, type WorldState } from '../../../src/core/state/world-state.ts'
import { blockHashOf, CALLER, CONTRACT, codeOf, ENVIRONMENT, OTHER, runCode } from './scene.ts'

/** Calls itself with its input plus one, and returns the result, or its input if the call failed. */
const RECURSIVE: Hex = '0x5f356001015f526020602060205f305afa60185760205ff35b60206020f3'
const DEEP = { gas: 10n ** 13n, fork: 'prague' } as const

const { stackTraceLimit } = Error

afterEach(() => {
  Error.stackTraceLimit = stackTraceLimit
})

test.each<[told: string, more: Observer]>([
  ['frames', {}],
  ['frames and steps', { step: () => {} }],
])('the stack is the same at any depth, for an observer of %s', { tags: 'gate' }, async (_, more) => {
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  const heights: number[] = []
  const observer: Observer = {
    ...more,
    enter: ({ depth }) => {
      heights[depth] = (new Error('here').stack ?? '').split('\n').length
    },
  }
  const { returnData } = await runCode(RECURSIVE, { ...DEEP, observer })
  expect(bytesToBigInt(returnData)).toBe(1025n)
  // The last is refused: it would be the 1,025th inside of the first.
  expect(heights).toHaveLength(1026)
  expect(new Set(heights.slice(1, 1025)).size).toBe(1)
})

const PRECOMPILE: Hex = `0x${'9c'.repeat(20)}`

/** Sends its input to an address with some wei, and returns the word that it gets; reverts if the call fails. */
function forwardTo(address: Hex, wei: 0 | 1): Hex {
  const call = `5f355f5260205f60205f600${wei}73${address.slice(2)}5af1`
  const landing = (call.length / 2 + 6).toString(16)
  return `0x${call}60${landing}575f5ffd5b60205ff3`
}

const ONE_MORE: Precompile = ({ data }) => ({
  executionGasUsed: 100n,
  returnValue: hexToBytes(`0x${(bytesToBigInt(data) + 1n).toString(16).padStart(64, '0')}`),
})

/** Calls CONTRACT, which calls OTHER with a wei, which calls a precompile; `check` sees the run and the state after it. */
async function callThrough(
  precompile: Precompile,
  check: (ran: Later<MessageResult>, state: () => WorldState) => Promise<unknown>,
): Promise<void> {
  const pools = createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'wasm' })
  const state = PersistentMap.from<Hex, Account>([
    [CALLER, EMPTY_ACCOUNT],
    [CONTRACT, { ...EMPTY_ACCOUNT, balance: 1n, ...codeOf(forwardTo(OTHER, 1)) }],
    [OTHER, { ...EMPTY_ACCOUNT, ...codeOf(forwardTo(PRECOMPILE, 0)) }],
  ])
  const evmPool = evmPoolFor(pools, makeRules(31_337, 'prague'))
  await withEvm({ evmPool, blockHashOf }, state, async (instance) => {
    instance.evm.precompiles.set(PRECOMPILE.slice(2), precompile)
    const message = {
      ...{ from: CALLER, to: CONTRACT, value: 0n, gasLimit: 1_000_000n, gasPrice: 0n },
      input: hexToBytes(`0x${'7'.padStart(64, '0')}`),
      ...{ accessList: [], authorizationList: [], blobVersionedHashes: [] },
    }
    await check(
      runMessage(instance, ENVIRONMENT, message, (after) => after),
      () => instance.writer.current,
    )
  })
}

test('a run waits for a precompile that is a promise, and for nothing else', async () => {
  const results: MessageResult[] = []
  for (const precompile of [ONE_MORE, (async (input) => ONE_MORE(input)) satisfies Precompile]) {
    await callThrough(precompile, async (ran, state) => {
      expect(isPromise(ran)).toBe(precompile !== ONE_MORE)
      const result = await ran
      expect(bytesToBigInt(result.returnData)).toBe(8n)
      expect(state().get(OTHER)?.balance).toBe(1n)
      results.push(result)
    })
  }
  expect(results[1]).toEqual(results[0])
})

test('a promise that fails ends the run with its error', async () => {
  const failing: Precompile = async () => {
    throw new RangeError('not loaded')
  }
  await callThrough(failing, (ran) => expect(ran).rejects.toThrow(new RangeError('not loaded')))
})
