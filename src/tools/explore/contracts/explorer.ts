// A search for failures: what it has come to, and its attempts, of which it keeps those that reach something new.

import { bytesToBigInt } from '../../../core/primitives/hex.ts'
import { andThen, type Later } from '../../../core/primitives/loading.ts'
import type { Failure } from '../failures.ts'
import { createRandom } from '../random.ts'
import { type Call, NO_CALLS, type Path, type Position, withCall } from './call.ts'
import type { CallOutcome } from './call-outcome.ts'
import { type Corpus, type CorpusEntry, changedValues, createDictionary, type Seed } from './corpus.ts'
import { countFunctions } from './counts.ts'
import type { CallSource } from './draw.ts'
import type { ContractsPlan } from './options.ts'
import type { Playground } from './play.ts'
import type { ContractScene } from './scene.ts'

interface SearchHooks {
  readonly find: (failure: Failure, path: Path) => void
  /** Called with branches that are new, and the calls that have reached them. */
  readonly reach: (slots: readonly number[], path: Path) => void
  /** Resolves to true if a number is larger than ever in this search; absent if none is asked for. */
  readonly maximize: ((position: Position, path: Path) => Promise<boolean>) | undefined
}

/** A search: what it explores, and what it has come to. */
export type ContractExplorer = ReturnType<typeof createExplorer>

const NONE: readonly never[] = []

/** A search that begins with the run `from`, and with a map of branches that knows only those of the beginning, `base`. */
export function createExplorer(
  { machine, checks, watch, root }: Playground,
  scene: ContractScene,
  { seed, depth, longestWait }: Pick<ContractsPlan, 'seed' | 'depth' | 'longestWait'>,
  base: readonly number[],
  from: number,
  hooks: SearchHooks,
) {
  const { actions, senders, frequent, contracts, laterActions } = scene
  const own = contracts.map(({ address }) => address)
  const dictionary = createDictionary(root.state, own)
  const addresses = [...frequent, ...own]
  const random = createRandom(seed, from)
  const source: CallSource = {
    random,
    actions,
    senders,
    frequent,
    longestWait,
    addresses,
    dictionary,
    bounds: new Map(),
  }
  const corpus: Corpus = {
    nodes: [{ path: NO_CALLS, position: root, made: NONE }],
    seeds: [],
    calls: new Map(),
    slots: new Map(base.map((slot) => [slot, from] as const)),
  }
  return {
    machine,
    checks,
    watch,
    seed,
    depth,
    source,
    corpus,
    laterActions,
    ...hooks,
    /** Keys of failures that are known. */
    known: new Set<string>(),
    functions: countFunctions(scene, root),
    /** Times that a call could have been varied for each open branch, by its slot. */
    met: new Map<number, number>(),
    /** Comparisons, by the function called and their first branch, whose words none of its numbers has changed. */
    rigid: new Set<string>(),
    run: from,
    /** Seeds of the present run whose comparisons have not been met. */
    work: [] as Seed[],
    /** Variants of calls that the present run may still try. */
    variants: 0,
    calls: 0,
    failed: 0,
  }
}

const MOST_WORDS = 8

function wordsOf({ result }: CallOutcome): bigint[] {
  const words: bigint[] = []
  const { returnData, logs } = result
  for (const data of [returnData, ...logs.map(([, , data]) => data)]) {
    const end = Math.min(data.length, 32 * MOST_WORDS)
    for (let at = 0; at + 32 <= end; at += 32) words.push(bytesToBigInt(data.subarray(at, at + 32)))
  }
  return words
}

export function noteFailure({ known, find }: ContractExplorer, broken: Failure | undefined, path: Path) {
  if (broken === undefined || known.has(broken.key)) return
  known.add(broken.key)
  find(broken, path)
}

/** Keeps a call that has reached something new. */
function keep(
  explorer: ContractExplorer,
  node: CorpusEntry,
  path: Path,
  outcome: CallOutcome,
  after: CorpusEntry | undefined,
  isLarger: boolean,
): void {
  const { machine, corpus, source, functions } = explorer
  const slots = machine.coverage.take()
  if (slots.length === 0 && !isLarger) return
  const call = path.call as Call
  const { index } = call.action
  explorer.reach(slots, path)
  functions[index]?.reach(slots)
  const seed: Seed = { node, call, tries: 0 }
  corpus.calls.set(index, [...(corpus.calls.get(index) ?? []), call])
  corpus.seeds.push(seed)
  if (after !== undefined) corpus.nodes.push(after)
  for (const slot of slots) corpus.slots.set(slot, explorer.run)
  for (const value of changedValues(node.position.state, outcome.position.state)) source.dictionary.add(value)
  for (const value of wordsOf(outcome)) source.dictionary.add(value)
  explorer.work.push(seed)
}

/** The functions of contracts that were created on the way to a position. */
function actionsMade({ laterActions }: ContractExplorer, { made, position }: CorpusEntry, after: Position) {
  const fresh = laterActions?.(position, after) ?? NONE
  return fresh.length === 0 ? made : [...made, ...fresh]
}

/** Checks what came of a call; the state after it, if it is another one. */
function check(explorer: ContractExplorer, node: CorpusEntry, path: Path, outcome: CallOutcome) {
  const { checks, known, maximize } = explorer
  const call = path.call as Call
  const { position, result, hasMoved } = outcome
  explorer.calls++
  noteFailure(explorer, checks.ofCall(call, outcome), path)
  if (result.outcome !== 'success') explorer.failed++
  explorer.functions[call.action.index]?.count(result)
  const isSame = position.state === node.position.state && !hasMoved
  const after: CorpusEntry | undefined = isSame
    ? undefined
    : { path, position, made: actionsMade(explorer, node, position) }
  const ended = (broken: Failure | undefined, isLarger = false): CorpusEntry | undefined => {
    noteFailure(explorer, broken, path)
    keep(explorer, node, path, outcome, after, isLarger)
    return after
  }
  if (isSame) return ended(undefined)
  return andThen(checks.ofPosition(position, known, node.position), (broken) =>
    maximize === undefined
      ? ended(broken)
      : maximize(position, path).then((isLarger) => ended(broken, isLarger)),
  )
}

/** Makes a call; the state after it, if it is another one. Awaits nothing where it need not: that takes as long as a call. */
export function attempt(
  explorer: ContractExplorer,
  node: CorpusEntry,
  call: Call,
): Later<CorpusEntry | undefined> {
  const path = withCall(node.path, call)
  explorer.watch.begin(path)
  return andThen(explorer.machine.perform(node.position, call), (outcome) =>
    outcome === undefined ? undefined : check(explorer, node, path, outcome),
  )
}
