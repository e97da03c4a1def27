// Executions on an upstream that does not say what they will touch: they run on without what is missing, and all of
// that is asked for together.

import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'
import { ask, rpcError, type Wire, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const account = (digits: string): Hex => `0x${digits.padStart(40, '0')}`
const word = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

const COUNT = 600
const SUM = account('aa')
const SEARCH = account('bb')
const BRANCH = account('cc')
const ALLOC: NonNullable<NonNullable<EmulatorOptions['genesis']>['alloc']> = {
  // n = slot 0; for (; n > 0; n--) sum += slot n; returns the sum
  [SUM]: {
    code: '0x5f545f5b81156015578154019060019003906003565b5f5260205ff3',
    storage: Object.fromEntries(
      Array.from({ length: COUNT + 1 }, (_, slot) => [word(slot), word(slot === 0 ? COUNT : slot)]),
    ),
  },
  // while (slot i == 0) i++; returns i
  [SEARCH]: { code: '0x5f5b8054600d576001016001565b5f5260205ff3', storage: { [word(5)]: word(1) } },
  // Reads slot 0; if (slot 1 == 0) reads slot 999; returns 7
  [BRANCH]: { code: '0x5f5450600154600d576103e7545b60075f5260205ff3', storage: { [word(1)]: word(1) } },
}

async function live(): Promise<Emulator> {
  return createEmulator({ production: 'auto', genesis: { alloc: ALLOC } })
}

const withoutLists: Wire['answer'] = ({ method }) =>
  method === 'eth_createAccessList' ? rpcError(-32601, 'no such method') : undefined

async function forked(answer: Wire['answer'], options: object = {}) {
  const wire = Object.assign(wireTo(await live()), { answer })
  const { interpreter = 'wasm', ...fork } = options as { interpreter?: 'wasm' | 'reference' }
  const chain = await createEmulator({ production: 'auto', interpreter, fork: { upstream: wire, ...fork } })
  wire.asked.length = 0
  const waits = chain.fork?.stats().waits ?? 0
  return { wire, chain, waits: () => (chain.fork?.stats().waits ?? 0) - waits }
}

const call = (on: Emulator, to: Hex) => ask(on, 'eth_call', { from: FIRST, to }, 'latest')

test.each(['wasm', 'reference'] as const)(
  'many slots take a few rounds, and at most twice the requests of an access list: %s',
  { tags: 'gate' },
  async (interpreter) => {
    const told = await forked(() => undefined, { interpreter })
    const guessing = await forked(withoutLists, { interpreter })
    const sum = word((COUNT * (COUNT + 1)) / 2)
    expect(await call(told.chain, SUM)).toBe(sum)
    expect(await call(guessing.chain, SUM)).toBe(sum)
    // The accounts, their number in slot 0, and the slots.
    expect(guessing.waits()).toBe(3)
    expect(guessing.wire.asked.length).toBeLessThanOrEqual(2 * told.wire.asked.length)
    expect(guessing.chain.fork?.stats().slots).toBe(COUNT + 1)
  },
)

test('an execution that never ends on guesses ends on what is there', { tags: 'gate' }, async () => {
  const { chain, wire } = await forked(withoutLists)
  expect(await call(chain, SEARCH)).toBe(word(5))
  expect(wire.asked.length).toBeLessThan(40)
})

test.each(['synthetic', 'proven'] as const)(
  'what only a guess would read may be refused: %s',
  async (roots) => {
    const refused = word(999)
    const { chain, wire } = await forked(
      (asked) =>
        JSON.stringify(asked.params).includes(refused)
          ? rpcError(-32000, 'missing node')
          : withoutLists(asked),
      { roots },
    )
    expect(await call(chain, BRANCH)).toBe(word(7))
    expect(JSON.stringify(wire.asked)).toContain(refused)
  },
)

test('an access list may name what is refused', async () => {
  const accessList = [{ address: BRANCH, storageKeys: [word(999), word(998)] }]
  const { chain } = await forked(({ method, params }) => {
    if (method === 'eth_createAccessList') return { accessList, gasUsed: '0x0' }
    return JSON.stringify(params).includes(word(999)) ? rpcError(-32000, 'missing node') : undefined
  })
  expect(await call(chain, BRANCH)).toBe(word(7))
})

test('transactions of a block are guessed together', async () => {
  const { chain, waits, wire } = await forked(withoutLists, {})
  await chain.setProduction('manual')
  for (const [nonce, to] of [SUM, SEARCH, BRANCH, SUM].entries())
    await ask(chain, 'eth_sendTransaction', {
      from: FIRST,
      to,
      gas: '0x200000',
      nonce: `0x${nonce.toString(16)}`,
    })
  wire.asked.length = 0
  const before = waits()
  await chain.mine(1)
  const { transactions } = (await ask(chain, 'eth_getBlockByNumber', 'latest', false)) as {
    transactions: readonly string[]
  }
  expect(transactions).toHaveLength(4)
  expect(waits() - before).toBeLessThan(10)
})

test('a node that proves few slots at once is asked for proofs in parts', async () => {
  const { wire, chain } = await forked(({ method, params }) =>
    method === 'eth_getProof' && (params[1] as unknown[]).length > 100
      ? rpcError(-32602, 'too many')
      : undefined,
  )
  expect(await call(chain, SUM)).toBe(word((COUNT * (COUNT + 1)) / 2))
  const count = (name: string) => wire.asked.filter(({ method }) => method === name).length
  expect(count('eth_getStorageAt')).toBeLessThan(2)
  // Parts of 64 or fewer, and those that were refused before.
  expect(count('eth_getProof')).toBeLessThan(40)
})
