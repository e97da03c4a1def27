// A run: some calls in a row from a state of the corpus, or variants of a call that has reached something new. What it does
// follows from its number and what the runs before it have found.

import type { Comparison } from '../../../core/execution/evm/covered-evm.ts'
import { bytesToBigInt } from '../../../core/primitives/hex.ts'
import { andThen, isPromise, type Later } from '../../../core/primitives/loading.ts'
import { createRandom } from '../random.ts'
import { type Call, callsOf, type Path, type Position, withCall } from './call.ts'
import type { BrokenCheck, Checks } from './checks.ts'
import { addTo, type Corpus, type CorpusEntry, changedValues, type Seed } from './corpus.ts'
import { type CallSource, changeCall, drawCall, noteBounds } from './draw.ts'
import type { FunctionCount } from './function-tally.ts'
import type { CallOutcome, Machine } from './machine.ts'
import { callsThatMeet, inputsOf, isOpen } from './meet.ts'
import type { Watch } from './play.ts'

/** A search: what it explores, and what it has come to. */
export interface ContractExplorer {
  readonly machine: Machine
  readonly checks: Checks
  readonly watch: Watch
  readonly corpus: Corpus
  /** The source of calls, but for chance. */
  readonly source: Omit<CallSource, 'random'>
  readonly seed: number
  readonly depth: number
  /** Keys of failures that are known. */
  readonly known: Set<string>
  /** Called with each failure that is new. */
  readonly find: (broken: BrokenCheck, path: Path) => void
  /** Called with branches that are new, and the calls that have reached them. */
  readonly reach: (slots: readonly number[], path: Path) => void
  /** Resolves to true if a number is larger than ever in this search; absent if none is asked for. */
  readonly maximize: ((position: Position, path: Path) => Promise<boolean>) | undefined
  /** Counts of the calls of each function, by its index. */
  readonly functions: readonly FunctionCount[]
  /** The number of the present run. */
  run: number
  calls: number
  failed: number
}

interface Run {
  readonly explorer: ContractExplorer
  readonly source: CallSource
  /** Seeds whose comparisons have not been met. */
  readonly work: Seed[]
  /** Variants of calls that may still be tried. */
  variants: number
}

/** Variants of calls for each call of a run, at most. */
const VARIANTS = 20
const MOST_COMPARISONS = 48
const MOST_WORDS = 8
/** Calls that are made again and again: what adds up shows after several. */
const REPEATED_PERCENT = 4
const MOST_REPEATED = 16

/** Words that a call has returned and logged. */
function wordsOf({ result }: CallOutcome): bigint[] {
  const words: bigint[] = []
  const { returnData, logs } = result
  for (const data of [returnData, ...logs.map(([, , data]) => data)]) {
    const end = Math.min(data.length, 32 * MOST_WORDS)
    for (let at = 0; at + 32 <= end; at += 32) words.push(bytesToBigInt(data.subarray(at, at + 32)))
  }
  return words
}

export function noteFailure(
  { known, find }: Pick<ContractExplorer, 'known' | 'find'>,
  broken: BrokenCheck | undefined,
  path: Path,
): void {
  if (broken === undefined || known.has(broken.key)) return
  known.add(broken.key)
  find(broken, path)
}

/** Keeps a call that has reached something new. */
function keep(
  { explorer, work }: Run,
  node: CorpusEntry,
  path: Path,
  outcome: CallOutcome,
  after: CorpusEntry | undefined,
  isLarger: boolean,
): void {
  const { machine, corpus, source } = explorer
  const slots = machine.coverage.take()
  if (slots.length === 0 && !isLarger) return
  const call = path.call as Call
  explorer.reach(slots, path)
  explorer.functions[call.action.index]?.reach(slots)
  const seed: Seed = { node, call, tries: 0 }
  addTo(corpus, seed, slots, explorer.run, after)
  for (const value of changedValues(node.position.state, outcome.position.state)) source.dictionary.add(value)
  for (const value of wordsOf(outcome)) source.dictionary.add(value)
  work.push(seed)
}

/** Checks what came of a call; the state after it, if it is another one. */
function check(run: Run, node: CorpusEntry, path: Path, outcome: CallOutcome) {
  const { explorer } = run
  const { checks, known } = explorer
  const call = path.call as Call
  const { position, result, hasMoved } = outcome
  explorer.calls++
  noteFailure(explorer, checks.ofCall(call, outcome), path)
  if (result.outcome !== 'success') explorer.failed++
  explorer.functions[call.action.index]?.count(result)
  const isSame = position.state === node.position.state && !hasMoved
  const after: CorpusEntry | undefined = isSame ? undefined : { path, position }
  const ended = (broken: BrokenCheck | undefined, isLarger = false): CorpusEntry | undefined => {
    noteFailure(explorer, broken, path)
    keep(run, node, path, outcome, after, isLarger)
    return after
  }
  if (isSame) return ended(undefined)
  const { maximize } = explorer
  return andThen(checks.ofPosition(position, known, node.position), (broken) =>
    maximize === undefined
      ? ended(broken)
      : maximize(position, path).then((isLarger) => ended(broken, isLarger)),
  )
}

/**
 * Makes a call; the state after it, if it is another one. Mostly nothing has to be waited for, and waiting would take as long
 * as a short call.
 */
function attempt(run: Run, node: CorpusEntry, call: Call): Later<CorpusEntry | undefined> {
  const { machine, watch } = run.explorer
  const path = withCall(node.path, call)
  watch.begin(path)
  return andThen(machine.perform(node.position, call), (outcome) =>
    outcome === undefined ? undefined : check(run, node, path, outcome),
  )
}

/** The comparisons of a call that decide a branch which is open: each pair of words once. */
async function openComparisons(run: Run, { node, call }: Seed): Promise<Comparison[]> {
  const { coverage, perform } = run.explorer.machine
  coverage.watchComparisons()
  const performed = perform(node.position, call)
  if (isPromise(performed)) await performed
  run.explorer.calls++
  const met = new Set<string>()
  const compared = coverage.takeComparisons()
  noteBounds(run.source.bounds, call, compared)
  return compared
    .filter((comparison) => {
      if (!isOpen(comparison, coverage.isKnown)) return false
      const name = `${comparison.branches?.[0]} ${comparison.left} ${comparison.right}`
      return !met.has(name) && met.add(name)
    })
    .slice(0, MOST_COMPARISONS)
}

/** Tries variants of a call that meet its open comparisons. */
async function meet(run: Run, seed: Seed): Promise<void> {
  if (run.variants <= 0) return
  const { machine, source } = run.explorer
  const open = await openComparisons(run, seed)
  const inputs = inputsOf(seed.call, seed.node.position, source.senders, source.longestWait)
  for (const comparison of open) {
    source.dictionary.add(comparison.left)
    source.dictionary.add(comparison.right)
    for (const call of callsThatMeet(comparison, inputs)) {
      if (!isOpen(comparison, machine.coverage.isKnown)) break
      if (run.variants-- <= 0) return
      const made = attempt(run, seed.node, call)
      if (isPromise(made)) await made
    }
  }
}

/** Meets the comparisons of what was found, and of what is found on the way. */
async function work(run: Run): Promise<void> {
  for (let seed = run.work.pop(); seed !== undefined; seed = run.work.pop()) await meet(run, seed)
}

function chooseCall({ source, explorer }: Run, node: CorpusEntry, queue: Call[]): Call {
  const { random, actions } = source
  const { corpus } = explorer
  const action = random.pick(actions)
  const stored = corpus.calls.get(action.index) ?? []
  const kind = random.below(100)
  if (kind >= 90) {
    const calls = callsOf(random.pick(corpus.nodes).path)
    queue.push(...calls.slice(random.below(calls.length + 1)))
    const first = queue.shift()
    if (first !== undefined) return first
  }
  if (kind < 40 || stored.length === 0) return drawCall(source, node.position, action)
  const known = random.pick(stored)
  return kind < 80 ? changeCall(source, node.position, known) : known
}

/** A state to begin with: any, or one of the last, or the first. */
function chooseNode({ source, explorer }: Run): CorpusEntry {
  const { random } = source
  const { nodes } = explorer.corpus
  const kind = random.below(100)
  if (kind < 20) return nodes[0] as CorpusEntry
  const from = kind < 60 ? Math.floor(nodes.length * 0.75) : 0
  const node = nodes[from + random.below(nodes.length - from)] as CorpusEntry
  return node.path.length < explorer.depth ? node : (nodes[0] as CorpusEntry)
}

/** Makes calls in a row: some, or those of a sequence that was kept. */
async function runSequence(run: Run, kept?: readonly Call[]): Promise<void> {
  const { explorer } = run
  const { checks, known, corpus } = explorer
  const depth = kept?.length ?? explorer.depth
  const { random } = run.source
  const queue: Call[] = [...(kept ?? [])]
  let node = kept === undefined ? chooseNode(run) : (corpus.nodes[0] as CorpusEntry)
  for (let made = 0; made < depth; made++) {
    if (node.path.length >= depth) node = chooseNode(run)
    const call = queue.shift() ?? chooseCall(run, node, queue)
    if (queue.length === 0 && random.chance(REPEATED_PERCENT))
      for (let left = random.below(MOST_REPEATED); left > 0; left--) queue.push(call)
    const made = attempt(run, node, call)
    const after = isPromise(made) ? await made : made
    if (run.work.length > 0) await work(run)
    node = after ?? node
  }
  noteFailure(explorer, await checks.ofEnd(node.position, known), node.path)
}

/** Variants of a call that has reached something new, in the state in which it was made. */
async function runVariants(run: Run): Promise<void> {
  const { source, explorer } = run
  const { random } = source
  const { seeds } = explorer.corpus
  const drawn = [random.pick(seeds), random.pick(seeds), random.pick(seeds)]
  const seed = drawn.reduce((a, b) => (b.tries < a.tries ? b : a))
  seed.tries++
  const { node } = seed
  // Its comparisons have been met when it was found.
  if ((await openComparisons(run, seed)).length === 0) return runSequence(run)
  let call = seed.call
  for (let made = 0; made < explorer.depth; made++) {
    call = changeCall(source, node.position, random.chance(50) ? seed.call : call)
    const found = seeds.length
    const made = attempt(run, node, call)
    if (isPromise(made)) await made
    if (seeds.length === found && random.chance(30)) await meet(run, { node, call, tries: 0 })
    if (run.work.length > 0) await work(run)
  }
}

const VARIANT_PERCENT = 50

/** Performs a run: the next, or a sequence that was kept. */
export async function performRun(explorer: ContractExplorer, kept?: readonly Call[]): Promise<void> {
  const { corpus, machine, seed, depth, source } = explorer
  const random = createRandom(seed, explorer.run)
  const { actions, senders, longestWait, addresses, dictionary, bounds } = source
  const run: Run = {
    explorer,
    source: { random, actions, senders, longestWait, addresses, dictionary, bounds },
    ...{ work: [], variants: kept === undefined ? depth * VARIANTS : 0 },
  }
  if (kept !== undefined) await runSequence(run, kept)
  else if (corpus.seeds.length > 0 && random.chance(VARIANT_PERCENT)) await runVariants(run)
  else await runSequence(run)
  machine.coverage.forget(machine.coverage.take())
}
