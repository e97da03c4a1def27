// The invariants of a test contract, explored together: every sequence of calls is checked by all of them.

import { searchAll } from '../contracts/campaign.ts'
import type { ContractsPlan, WrittenCall } from '../contracts/options.ts'
import { sceneAfterSetUp } from '../contracts/prepare.ts'
import { knownContract } from '../contracts/scene.ts'
import type { ReportedFailure } from '../parts.ts'
import { keepingStrays } from '../strays.ts'
import type { Bench } from './bench.ts'
import { type DeployedSuite, failedOutcome, type TestOutcome } from './set-up.ts'
import type { ProjectSettings } from './settings.ts'
import type { TestFunction } from './suites.ts'

/** Accounts that call, beside that of the test. */
const OTHER_SENDERS = [`0x${'10'.repeat(20)}`, `0x${'20'.repeat(20)}`] as const
const LIMIT_MS = 60_000

function planOf({ invariant }: ProjectSettings, seed: number): ContractsPlan {
  const runs = Number(invariant.runs)
  return {
    scene: {
      contracts: [],
      test: undefined,
      failOnRevert: invariant.fail_on_revert,
      invariants: {},
      senders: undefined,
    },
    ...{
      runs,
      depth: Number(invariant.depth),
      seed,
      searches: 1,
      shard: { index: 0, of: 1 },
      limitMs: LIMIT_MS,
    },
    ...{
      longestWait: Number(invariant.max_time_delay),
      until: 'end',
      shrinks: Number(invariant.shrink_run_limit),
    },
    ...{ progress: undefined, report: undefined, runner: undefined, save: undefined },
  }
}

function outcomeOf({ reason, story, told }: ReportedFailure, runs: number): TestOutcome {
  const { calls } = JSON.parse(story ?? '{"calls":[]}') as { readonly calls: readonly WrittenCall[] }
  return { ...failedOutcome(reason), runs, counterexample: calls, trace: told.trim() }
}

/** Explores a contract for the invariants that are wanted; resolves to the outcome of each, by its signature. */
export async function exploreInvariants(
  bench: Bench,
  { suite, address, root }: DeployedSuite,
  tests: readonly TestFunction[],
  settings: ProjectSettings,
  seed: number,
): Promise<ReadonlyMap<string, TestOutcome>> {
  const { name, abi } = suite.artifact
  const { sender, known, machine } = bench
  const test = knownContract({ name, option: name, address, abi })
  const plan = planOf(settings, seed)
  const made = {
    machine,
    known,
    senders: [sender, ...OTHER_SENDERS],
    before: bench.root,
    root,
    test,
    from: sender,
  }
  const scene = await sceneAfterSetUp(made, [], plan.scene)
  const names = new Map(tests.map(({ fn }) => [`${name}.${fn.name}`, fn.signature]))
  const checked = scene.checked.filter((each) => names.has(each.name))
  const stage = { ...bench, scene: { ...scene, checked }, root }
  const { counts, failures, thrown } = await keepingStrays(() => searchAll(stage, plan))
  if (thrown !== undefined) throw thrown
  const runs = counts.runs
  const outcomes = new Map<string, TestOutcome>()
  for (const [told] of failures) {
    const signature = told.name === undefined ? undefined : names.get(told.name)
    if (signature !== undefined) outcomes.set(signature, outcomeOf(told, runs))
    // `afterInvariant`, a call that has taken too long, and with `fail_on_revert` any failing call, fail them all. An
    // assertion of a handler counts for forge only then.
    else if (settings.invariant.fail_on_revert || told.kind !== 'assertionFailed') {
      for (const { fn } of tests)
        if (!outcomes.has(fn.signature)) outcomes.set(fn.signature, outcomeOf(told, runs))
    }
  }
  const passed: TestOutcome = { status: 'passed', runs, logs: [] }
  return new Map(tests.map(({ fn }) => [fn.signature, outcomes.get(fn.signature) ?? passed]))
}
