// The vitest entry: a chain for each test, matchers, and a timeline of the chain when a test fails. The import adds the
// matchers to `expect`. Nothing else in the package imports vitest.

import { expect, type TestAPI, test } from 'vitest'
import { refuseCall } from './emulator/checks.ts'
import { createEmulator, type Emulator } from './emulator/emulator.ts'
import type { EmulatorOptions } from './emulator/options/options.ts'
import { type ChainMatchers, chainMatchers, type MatcherContext } from './matchers.ts'
import { watchFailures } from './testing/failure-trace.ts'
import { recordTimeline } from './testing/timeline.ts'

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

declare module 'vitest' {
  // Merges with vitest's interface, so it must be an interface with the same type parameter.
  interface Matchers<T> extends ChainMatchers {}
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

/** The fields of a vitest test in use. */
interface RunningTest {
  readonly concurrent?: boolean | undefined
  /** vitest sets `_local` if the test takes `expect` from its context. */
  readonly context?: { readonly _local?: boolean }
}

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

/**
 * Extends vitest's `test` with a fixture `chain`: a clone of one chain, which is created and set up once per file. A
 * clone costs next to nothing, whatever was set up. If a test fails, the timeline of its chain is printed, and the trace
 * of the call or transaction that failed. `context` is the result of `setUp`.
 *
 * @param options Those of `createEmulator`.
 * @param setUp Prepares the chain for all tests.
 * @throws TickchainError `invalidOption`, in the tests
 * @example
 * const test = chainTest({ production: 'auto' }, async (chain) => chain.request({ method: 'eth_accounts' }))
 * test('a payment is sealed at once', async ({ chain, context: [from, to] }) => {
 *   const payment = { from, to, value: '0x1' }
 *   await expect(chain.request({ method: 'eth_sendTransaction', params: [payment] })).toBeSealed()
 * })
 */
export function chainTest<Context = undefined>(
  options: EmulatorOptions = {},
  setUp?: SetUp<Context>,
): TestAPI<ChainFixtures<Context>> {
  const extended = test.extend<ChainFixtures<unknown>>({
    warmed: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it that no fixture is needed
      async ({}, use) => {
        const chain = await createEmulator(options)
        await use({ chain, context: await setUp?.(chain) })
        chain.dispose()
      },
      { scope: 'file' },
    ],
    chain: async ({ warmed, task, onTestFailed }, use) => {
      const chain = warmed.chain.clone()
      const timeline = recordTimeline(chain)
      const failures = watchFailures(chain)
      // vitest calls this after the teardown of fixtures; the stopped timeline keeps its lines.
      onTestFailed(async () => {
        const trace = await failures.describe(task.result?.errors ?? [])
        const timelineText = `The chain of "${task.name}"\n${timeline.lines.join('\n')}`
        console.error([timelineText, ...(trace === undefined ? [] : [trace])].join('\n\n'))
      })
      chains.set(task, chain)
      await use(chain)
      chains.delete(task)
      timeline.stop()
      failures.stop()
      chain.dispose()
    },
    context: async ({ warmed }, use) => {
      await use(warmed.context)
    },
  })
  return extended as TestAPI<ChainFixtures<Context>>
}
