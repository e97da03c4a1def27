// A fork: a block of an upstream, and what is known of the world there. The node asks it for what a read missed.

import type { Address, Hash } from '../primitives/hex.ts'
import { load as loadModule } from '../primitives/loading.ts'
import { mostExcessBlobGas } from '../rollup/blobs.ts'
import type { SelectableHardfork } from '../rollup/hardforks.ts'
import type { ForkCode } from '../rollup/op/schedule.ts'
import type { Rules } from '../rollup/rules.ts'
import * as schedules from '../rollup/schedule.ts'
import { type MapBase, Miss, type MissedCall, type MissingKey } from '../state/overlay-map.ts'
import type { Account } from '../state/world-state.ts'
import { answerTo, expectOwnHash, type ForkHeader } from './answers.ts'
import { createBranch, historyUpTo } from './branch.ts'
import { createProver, createStateFetcher, type StateFetcher } from './fetch-state.ts'
import { baseOver, type Keys, type Learning, type ReadCounter, withFunded } from './known.ts'
import { createLoader, type Load } from './loader.ts'
import { type ForkRules, rulesAt } from './networks.ts'
import { createProvenTries } from './proven-tries.ts'
import { expectSameBlock, learnAll, textOfRecording } from './recording.ts'
import { type RollupOverrides, rollupAt, scheduleOfRollup } from './rollup-at.ts'
import * as sources from './source.ts'
import { createStateRequests, type Roots } from './state-requests.ts'
import { revertIn, textOfRequest, type Upstream } from './upstream.ts'

/** Cost of a fork so far. */
export interface ForkStats {
  /** Requests that were sent to the upstream. */
  readonly requests: number
  /** Reads of accounts, slots and answers that the fork knew already, from a recording or from before. */
  readonly hits: number
  /** Number of times that a read or an execution waited for the upstream. */
  readonly waits: number
  /** Accounts that are known. */
  readonly accounts: number
  /** Slots that are known. */
  readonly slots: number
  /** Milliseconds in which requests were under way; `undefined` if the upstream has no clock. */
  readonly upstreamMs: number | undefined
}

/** A block of the upstream, and the world after it. */
export interface Fork {
  /** The upstream's. */
  readonly chainId: number
  readonly header: ForkHeader
  /** The place in the next block that a transaction's hash named. */
  readonly within: sources.PlaceWithin | undefined
  /** The rules of the later blocks. */
  readonly rules: ForkRules
  /** The same under a chain id. */
  readonly scheduleFor: (chainId: number) => schedules.Schedule
  /** Who is asked; `undefined` for a fork that has all from its recording. */
  readonly upstream: () => Upstream | undefined
  /** Asks another upstream from now on. */
  readonly askInstead: (upstream: Upstream) => void
  /** The roots of its states: the true ones, or ones that commit to the fork and the changes. */
  readonly roots: Roots
  /** The accounts; a read of an unknown one throws a `Miss`. */
  readonly base: MapBase<Address, Account>
  /** The hash of a block up to this one; throws a `Miss` while it is not known. */
  readonly blockHashAt: (number: number) => Hash | undefined
  /** The answer to a request about what is before the fork; throws a `Miss` while it is not known. */
  readonly answer: (method: string, params: readonly unknown[]) => unknown
  /** Blocks and transactions up to this one. */
  readonly history: ReturnType<typeof historyUpTo>
  /** The least balances of accounts that a test signs for. */
  readonly balances: ReadonlyMap<Address, bigint>
  /** The text of all that is known. */
  readonly recording: () => string
  /** Takes over what is known elsewhere. */
  readonly learn: (known: Learning) => void
  /** Learns ahead what messages would touch. */
  readonly prefetchCalls: (calls: readonly MissedCall[]) => Promise<void>
  /** Learns accounts and slots ahead. */
  readonly prefetch: (keys: Keys) => Promise<void>
  readonly stats: () => ForkStats
}

interface ForkPlan extends sources.SourcePlan {
  readonly selector: sources.ForkSelector
  /** The rules of the later blocks, as they were found before; `undefined` to find them. */
  readonly rules?: ForkRules | undefined
  /** The hardfork of later blocks, unless the chain is a rollup, whose forks decide it. Default the block's. */
  readonly hardfork?: SelectableHardfork | undefined
  /** The least balances of accounts that a test signs for; where roots are proven, these are written instead. */
  readonly balances: ReadonlyMap<Address, bigint>
  /** The parts of the option `rollup` over what the upstream says. */
  readonly rollup?: RollupOverrides | undefined
  readonly roots: Roots
  /** The time between blocks, for the proofs of what they write at their starts. */
  readonly blockTimeMs: number
  readonly transactionGasCap: schedules.TransactionGasCap
}

/** Source of the state at a block; `undefined` without an upstream. */
function openState(
  { roots, blockTimeMs }: ForkPlan,
  { ask, learning }: sources.ForkSource,
  header: ForkHeader,
  miss: (key: MissingKey) => never,
  answer: (key: MissingKey) => Promise<void>,
  waited: () => void,
): { readonly fetch: StateFetcher['fetch']; readonly load: Load } | undefined {
  if (ask === undefined) return undefined
  const requests = createStateRequests(ask, header, roots)
  // Where roots are made up, nodes of the upstream's tries are of no use.
  const prover = createProver(requests, learning, roots === 'proven')
  const fetcher = createStateFetcher(requests, prover.prove, learning, roots, miss)
  const load = createLoader(fetcher, prover, { header, blockTimeMs }, answer, waited)
  return { fetch: fetcher.fetch, load }
}

function baseOf(
  { roots, balances }: ForkPlan,
  learning: Learning,
  { stateRoot }: ForkHeader,
  counter: ReadCounter,
): Fork['base'] {
  const tries = roots === 'proven' ? createProvenTries(learning.nodes, stateRoot, counter.miss) : undefined
  return withFunded(baseOver(learning, counter, tries), balances)
}

/** Refuses excess blob gas whose price no header could have. */
function checkBlobGas({ number, excessBlobGas }: ForkHeader, { blobs }: Rules): void {
  const most = mostExcessBlobGas(blobs)
  const block = answerTo(undefined, ...sources.blockRequest(number))
  if (excessBlobGas > most) block.at('.excessBlobGas', excessBlobGas).refuse(`at most ${most}`)
}

/** The rules of the blocks above the fork. A rollup's hardfork follows from its stack, unless it has a newer one. */
async function rulesOf(
  { rules: given, hardfork, rollup: overrides }: ForkPlan,
  source: sources.ForkSource,
  ask: sources.AskUpstream,
  chainId: number,
  block: unknown,
  header: ForkHeader,
): Promise<ForkRules> {
  if (given !== undefined) return given
  const askIfAble = sources.learningAskIfAble(source, ask)
  const rollup = await rollupAt(askIfAble, chainId, block, header, overrides)
  if (rollup === undefined && hardfork !== undefined) return { hardfork, blobs: undefined }
  // A rollup's forks tell its rules. Those of other chains do not follow from a connection that was lost.
  const asking = rollup === undefined ? sources.learningAskIfAble(source, ask, true) : askIfAble
  return { ...(await rulesAt(asking, chainId, header, rollup !== undefined)), rollup }
}

function scheduleUnder({ hardfork, blobs, rollup }: ForkRules, id: number, codeOf: ForkCode | undefined) {
  if (rollup === undefined) return schedules.constantSchedule(id, hardfork, undefined, blobs)
  return scheduleOfRollup(id, rollup, hardfork, codeOf)
}

async function resolve(source: sources.ForkSource, plan: ForkPlan) {
  const { selector, transactionGasCap: cap } = plan
  const { learning, recorder } = source
  const ask = sources.learningAsk(source)
  const [chainId, { block, header, within }] = await Promise.all([
    sources.askChainId(ask),
    sources.pin(ask, selector),
  ])
  const { number, hash } = header
  if (plan.roots === 'proven') expectOwnHash(header, answerTo(block, ...sources.blockRequest(number)))
  // By its number, too, for a test that names it otherwise.
  learning.answers.set(textOfRequest(...sources.blockRequest(number)), block)
  const of = { chainId, number, hash }
  expectSameBlock(recorder?.of, of)
  const branch = createBranch(header, learning)
  source.checkBranch = branch.check
  const rules = await rulesOf(plan, source, ask, chainId, block, header)
  // The code that a fork may bring.
  const codeOf = rules.rollup && (await loadModule(import('../rollup/op/l2-contracts.ts'))).l2Code
  const scheduleFor = schedules.perChainId((id) =>
    schedules.withTransactionGasCap(scheduleUnder(rules, id, codeOf), cap),
  )
  checkBlobGas(header, scheduleFor(chainId).rulesAt(header))
  return { ask, of, branch, chainId, header, within, rules, scheduleFor }
}

export async function createFork(plan: ForkPlan): Promise<Fork> {
  const source = await sources.openSource(plan)
  const { learning, client, recorder, asked } = source
  const { ask, of, branch, ...resolved } = await resolve(source, plan)
  const { header } = resolved
  const askOrRevert = sources.learningErrors(source, ask, revertIn)
  let waits = 0
  let hits = 0
  const hit = (): number => hits++
  const waited = (): number => waits++
  const load: Load = async (key, execution) => {
    if (state === undefined) throw sources.notRecorded(key, recorder)
    waited()
    await state.load(key, execution)
    await recorder?.save(of)
  }
  const miss = (key: MissingKey): never => {
    throw new Miss(key, load)
  }
  const askFor = async (key: MissingKey): Promise<void> => {
    if (key.kind === 'answer') await askOrRevert(key.method, key.params)
    if (key.kind === 'blockHash') await branch.learnHash(key.number, ask)
  }
  const state = openState(plan, source, header, miss, askFor, waited)
  const answer: Fork['answer'] = (method, params) => {
    const request = textOfRequest(method, params)
    if (!learning.answers.has(request)) return miss({ kind: 'answer', method, params })
    hit()
    return learning.answers.get(request)
  }
  await recorder?.save(of)
  return {
    ...resolved,
    upstream: () => asked?.upstream,
    askInstead(upstream) {
      if (asked !== undefined) asked.upstream = upstream
    },
    roots: plan.roots,
    base: baseOf(plan, learning, header, { miss, hit }),
    balances: plan.balances,
    recording: () => textOfRecording(of, learning),
    learn: (known) => learnAll(known, learning),
    blockHashAt(at) {
      if (at < 0 || at > header.number) return undefined
      return branch.hashAt(at) ?? miss({ kind: 'blockHash', number: at })
    },
    answer,
    history: historyUpTo(header.number, answer),
    async prefetchCalls(calls) {
      if (state === undefined) return
      await Promise.all(calls.map((call) => state.load({ kind: 'account', address: call.from }, { call })))
      await recorder?.save(of)
    },
    async prefetch(keys) {
      if (state === undefined) return
      await state.fetch(keys)
      await recorder?.save(of)
    },
    stats: () => ({
      requests: client?.sent() ?? 0,
      hits,
      waits,
      accounts: learning.accounts.size,
      slots: [...learning.slots.values()].reduce((sum, { size }) => sum + size, 0),
      upstreamMs: client?.spentMs(),
    }),
  }
}
