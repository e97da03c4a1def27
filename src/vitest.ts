// The vitest entry: a chain for each test, matchers, and a timeline of the chain when a test fails. The import adds the
// matchers to `expect`. Only its configuration and setup file import vitest, too.

import { expect, type TestAPI, test } from 'vitest'
import type { Emulator } from './core/emulator/api.ts'
import { refuseCall } from './core/emulator/checks.ts'
import { leaveUnreported } from './core/emulator/internals.ts'
import type { EmulatorOptions } from './core/emulator/options/options.ts'
import { calledFrom, callersHere } from './core/primitives/callers.ts'
import { painter, plain, type TerminalFormat } from './core/primitives/terminal.ts'
import { keepWaits } from './core/rpc/events/stalled-waits.ts'
import { type ChainMatchers, chainMatchers, type MatcherContext, type MatchOptions } from './matchers.ts'
import type { LoadedChain, SharedChain } from './shared.ts'
import { createEmulator } from './tools/solidity/create-emulator.ts'
import { watchFailures } from './tools/testing/failure-trace.ts'
import { beginMatching, gasDifference, gasUsedBy, undecided } from './tools/testing/matchers/subject.ts'
import { noteRecords } from './tools/testing/reports/running-chains.ts'
import { formatTimeline } from './tools/testing/timeline/lines.ts'
import { recordTimeline } from './tools/testing/timeline.ts'

export type {
  ChainMatchers,
  ChangeOptions,
  EventAbi,
  EventSource,
  ExpectedArgs,
  ExpectedChange,
  ExpectedEvent,
  ExpectedRevert,
  MatchOptions,
} from './matchers.ts'

declare global {
  namespace Chai {
    // Those of vitest extend it. Its own `Matchers` has other type parameters in vitest 5 than in 4, and a declaration
    // that merges must have the same.
    interface Assertion extends ChainMatchers, GasSnapshotMatchers {}
  }
}

/** Matchers that need vitest's snapshots. */
export interface GasSnapshotMatchers {
  /**
   * Expects that the transaction used the gas that the snapshot file of the test has under this name. The first run
   * writes it, and `vitest -u` accepts another.
   *
   * @param name What the transaction does. Default the name of the test.
   * @param options The chain, if it is not that of the test.
   * @throws TickchainError `invalidCall`
   * @see Foundry, `forge snapshot`; vitest, `toMatchSnapshot`
   * @example
   * await chain.advance(200)
   * await expect(hash).toMatchGasSnapshot('a payment', { chain })
   */
  toMatchGasSnapshot(name?: string, options?: MatchOptions): Promise<void>
}

/** The fixtures of a test declared with `chainTest`. */
export interface ChainFixtures<Context> {
  /** A chain for this test alone: a clone of the set-up chain. */
  readonly chain: Emulator
  /** The result of the set-up, the same for all tests of the file. */
  readonly context: Context
  /** The set-up chain, of which each test gets a clone. */
  readonly warmed: { readonly chain: Emulator; readonly context: Context }
}

/** Prepares the chain for all tests of a file: deploys contracts, funds accounts. */
export type SetUp<Context> = (chain: Emulator) => Context | Promise<Context>

/** The test runner's output. The package prints nowhere else. */
declare const console: { error(text: string): void }

/** Node's process; a test that runs in a browser has none. */
declare const process:
  | undefined
  | {
      readonly env: Readonly<Record<string, string | undefined>>
      readonly stdout?: { readonly isTTY?: boolean; readonly columns?: number }
    }

/** Abilities of the terminal: FORCE_COLOR and NO_COLOR decide, as in other tools, and then vitest's FORCE_TTY; and COLUMNS. */
function terminalFormat(): TerminalFormat {
  if (typeof process === 'undefined') return {}
  const { env, stdout } = process
  const forced = env['FORCE_COLOR']
  const isForced = forced !== undefined && forced !== '0' && forced !== 'false'
  // The output of a worker is vitest's, which says so of a terminal.
  const isTerminal = stdout?.isTTY === true || (env['FORCE_TTY'] === 'true' && env['TERM'] !== 'dumb')
  const color = isForced || (forced === undefined && !env['NO_COLOR'] && isTerminal)
  const columns = Number(env['COLUMNS'] ?? stdout?.columns)
  return Number.isInteger(columns) && columns > 0 ? { color, width: columns } : { color }
}

/** The fields of a vitest test in use. */
interface RunningTest {
  readonly concurrent?: boolean | undefined
  /** vitest sets `_local` if the test takes `expect` from its context. */
  readonly context?: { readonly _local?: boolean; readonly expect?: typeof expect }
}

const waits = keepWaits()

/** Chains of running tests. */
const chains = new Map<object, Emulator>()

/** The running test, if there is only one: vitest before 4.1 does not pass it to matchers. */
function onlyTest(): RunningTest | undefined {
  const [first, second] = chains.keys() as IterableIterator<RunningTest>
  return second === undefined && first?.concurrent !== true ? first : undefined
}

function chainOfTest(matcher: string, { task = onlyTest() }: MatcherContext): Emulator {
  const { concurrent, context } = (task ?? {}) as RunningTest
  // With concurrent tests, vitest's global `expect` belongs to the one that began last.
  if (concurrent === true && context?._local !== true) {
    const expected = "the test's own expect, as in ({ chain, expect }), in a concurrent test"
    return refuseCall(matcher, expected, 'the global one')
  }
  const expected = 'a test of chainTest that uses its chain, or { chain } as the last argument'
  return (task && chains.get(task)) ?? refuseCall(matcher, expected, 'neither')
}

expect.extend(chainMatchers(chainOfTest) as never)

/** The part of vitest's failure of a snapshot in use; `undefined` if there is no snapshot. */
interface SnapshotFailure {
  readonly expected?: unknown
}

/** Compares with the snapshot file by vitest's own matcher, whose failure is put in words of gas. */
function compareWithSnapshot(task: RunningTest | undefined, gas: number, name: string | undefined) {
  const expectHere = task?.context?._local === true ? (task.context.expect ?? expect) : expect
  const of = name === undefined ? 'gas' : `gas of ${name}`
  try {
    expectHere(gas).toMatchSnapshot(of)
    return { pass: true, message: () => `expected the ${of} to differ from its snapshot, ${gas}` }
  } catch (error) {
    const { expected, message } = error as SnapshotFailure & Error
    const before = Number(expected)
    if (Number.isNaN(before)) {
      const absent = `expected the ${of}, ${gas}, to be in the snapshot file, which vitest -u writes`
      return { pass: false, message: () => (expected === undefined ? `${absent}\n\n${message}` : message) }
    }
    const difference = gasDifference(before, gas)
    const words = `expected the ${of} to be that of its snapshot, ${before}\n\nIt is ${gas}, ${difference}.`
    return { pass: false, message: () => `${words} vitest -u accepts it.` }
  }
}

expect.extend({
  async toMatchGasSnapshot(received: unknown, name?: string, options?: MatchOptions) {
    const context = this as unknown as MatcherContext
    const matching = beginMatching('toMatchGasSnapshot', context, chainOfTest, received, options)
    if (name !== undefined && typeof name !== 'string') refuseCall('toMatchGasSnapshot', 'a name', name)
    if (context.isNot === true) refuseCall('toMatchGasSnapshot', 'no .not', '.not')
    const used = await gasUsedBy(matching, received)
    if (used.words !== undefined) {
      const expected = [`transaction ${used.hash}`, 'have used the gas of its snapshot'] as const
      return undecided(matching, expected, used.words)
    }
    return compareWithSnapshot(context.task ?? onlyTest(), used.gas, name)
  },
})

function isShared<Context>(options: EmulatorOptions | SharedChain<Context>): options is SharedChain<Context> {
  return 'load' in Object(options)
}

/**
 * Extends vitest's `test` with a fixture `chain`: a clone of one chain, which is created and set up once per file. A
 * clone costs next to nothing, whatever was set up. If a test fails, the timeline of its chain is printed, and the trace
 * of the call or transaction that failed. `context` is the result of `setUp`.
 *
 * @param shared A shared chain, whose set-up a global set-up has run for all files.
 * @param options Or options of `createEmulator`.
 * @param setUp And what prepares the chain for all tests of the file.
 * @throws TickchainError `invalidOption`, and `invalidCall` for a shared chain without its global set-up, in the tests
 * @example
 * const test = chainTest({ production: 'auto' }, async (chain) => chain.request({ method: 'eth_accounts' }))
 * test('a payment is sealed at once', async ({ chain, context: [from, to] }) => {
 *   const payment = { from, to, value: '0x1' }
 *   await expect(chain.request({ method: 'eth_sendTransaction', params: [payment] })).toBeSealed()
 * })
 */
export function chainTest<Context>(shared: SharedChain<Context>): TestAPI<ChainFixtures<Context>>
export function chainTest<Context = undefined>(
  options?: EmulatorOptions,
  setUp?: SetUp<Context>,
): TestAPI<ChainFixtures<Context>>
export function chainTest<Context>(
  options: EmulatorOptions | SharedChain<Context> = {},
  setUp?: SetUp<Context>,
): TestAPI<ChainFixtures<Context>> {
  if (setUp !== undefined && typeof setUp !== 'function')
    refuseCall('chainTest', 'a function that prepares the chain', setUp)
  const callers = callersHere()
  const warm = async (): Promise<LoadedChain<Context | undefined>> => {
    if (isShared(options)) return options.load()
    const chain = await createEmulator(options).catch((error) => {
      // The options stand where the function was called; a test only asks for the chain.
      throw calledFrom(callers, error)
    })
    // Before the set-up, whose transactions are not reported either.
    leaveUnreported(chain)
    return { chain, context: await setUp?.(chain) }
  }
  const own = new WeakMap<object, LoadedChain<unknown> | Promise<LoadedChain<unknown>>>()
  /** The chain that this function has set up: vitest before 4.1 hands out that of the first one in a file to all. */
  const ownOf = (warmed: LoadedChain<unknown>): LoadedChain<unknown> | Promise<LoadedChain<unknown>> => {
    const set = own.get(warmed) ?? warmUnreported()
    own.set(warmed, set)
    return set
  }
  const warmUnreported = async (): Promise<LoadedChain<unknown>> => {
    const warmed = await warm()
    leaveUnreported(warmed.chain)
    return warmed
  }
  const extended = test.extend<ChainFixtures<unknown>>({
    warmed: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it that no fixture is needed
      async ({}, use) => {
        const warmed = await warmUnreported()
        own.set(warmed, warmed)
        await use(warmed)
        warmed.chain.dispose()
      },
      { scope: 'file' },
    ],
    chain: async ({ warmed, task, onTestFailed }, use) => {
      const chain = (await ownOf(warmed)).chain.clone()
      const timeline = recordTimeline(chain)
      const failures = watchFailures(chain)
      noteRecords(chain, { test: task, timeline, failures })
      // vitest calls this after the teardown of fixtures; the stopped timeline keeps its lines.
      onTestFailed(async () => {
        const format = terminalFormat()
        const errors = task.result?.errors ?? []
        const trace = await failures.describe(errors, format)
        failures.shorten(errors)
        const heading = (format.color ? painter(1) : plain)(`The chain of "${task.name}"`)
        const timelineText = `${heading}\n${formatTimeline(timeline, format)}`
        console.error([timelineText, ...(trace === undefined ? [] : [trace])].join('\n\n'))
      })
      chains.set(task, chain)
      await use(chain)
      if (task.result?.errors?.some(({ message }) => message.includes('timed out'))) await waits.tell()
      waits.forget()
      chains.delete(task)
      timeline.stop()
      failures.stop()
      chain.dispose()
    },
    context: async ({ warmed }, use) => {
      await use((await ownOf(warmed)).context)
    },
  })
  return extended as TestAPI<ChainFixtures<Context>>
}
