// A run: calls in a row from a state of the corpus, or variants of a call that reached something new.

import type { Comparison } from '../../../core/execution/evm/covered-evm.ts'
import { isPromise } from '../../../core/primitives/loading.ts'
import { createRandom } from '../random.ts'
import { type Call, callsOf } from './call.ts'
import type { CorpusEntry, Seed } from './corpus.ts'
import { changeCall, drawCall, noteBounds } from './draw.ts'
import { attempt, type ContractExplorer, noteFailure } from './explorer.ts'
import { callsThatMeet, equalCalls, inputsOf, isOpen, MOST_MENDS } from './meet.ts'

/** Variants of calls for each call of a run, at most. */
const VARIANTS = 20
/** Comparisons of a call whose branches are known, and whose words are made equal. */
const MOST_COMPARISONS = 48
/** Calls that are made again and again: what adds up shows after several. */
const REPEATED_PERCENT = 4
const MOST_REPEATED = 16

/** The comparisons of a call that decide a branch, in their order: each pair of words once. */
async function comparisonsOf(explorer: ContractExplorer, { node, call }: Seed): Promise<Comparison[]> {
  const { machine, source } = explorer
  const { coverage } = machine
  coverage.watchComparisons()
  const performed = machine.perform(node.position, call)
  if (isPromise(performed)) await performed
  explorer.calls++
  const met = new Set<string>()
  const compared = coverage.takeComparisons()
  noteBounds(source.bounds, call, compared)
  return compared.filter((comparison) => {
    if (comparison.branches === undefined) return false
    const name = nameOf(comparison)
    return !met.has(name) && met.add(name)
  })
}

function nameOf({ branches, left, right }: Comparison): string {
  return `${branches?.[0]} ${left.toString(16)} ${right.toString(16)}`
}

/** Attempts to take a branch, and to make words equal whose branches are known, before they become rarer. */
const FIRST_MEETINGS = 4
const FIRST_EQUALS = 1

/** True for the first meetings of a comparison, and rarely afterwards: most branches that open at all open at first. */
function isWorthMeeting({ machine, met, source }: ContractExplorer, { branches }: Comparison): boolean {
  const open = branches?.find((each) => !machine.coverage.isKnown(each))
  // Where both branches are known, equal words may still be new: these are counted apart.
  const slot = open ?? -1 - (branches?.[0] ?? 0)
  const first = open === undefined ? FIRST_EQUALS : FIRST_MEETINGS
  const times = met.get(slot) ?? 0
  met.set(slot, times + 1)
  return times < first || source.random.below(times) < first
}

/** Variants for each open comparison that are repaired, and variants that repair one. */
const [MOST_REPAIRED, MOST_REPAIRS] = [3, 16]

/** Tries other numbers of a variant that has left the way to a comparison since its number is compared before. */
async function repair(explorer: ContractExplorer, seed: Seed, variant: Call, open: Open): Promise<void> {
  const { machine, source } = explorer
  const { node, call } = seed
  const [target] = open.comparison.branches ?? []
  const after = await comparisonsOf(explorer, { node, call: variant, tries: 0 })
  if (after.some(({ branches }) => branches?.[0] === target)) return
  const before = new Set(open.compared.map(nameOf))
  const turned = after.filter((each) => !before.has(nameOf(each))).at(-1)
  if (turned === undefined) return
  const inputs = (of: Call) => inputsOf(of, node.position, source)
  const was = inputs(call)
  const free = inputs(variant).filter(({ word }, index) => word === was[index]?.word)
  let left = MOST_REPAIRS
  for (const repaired of callsThatMeet(turned, free)) {
    if (!isOpen(open.comparison, machine.coverage.isKnown) || left-- <= 0 || explorer.variants-- <= 0) return
    const made = attempt(explorer, node, repaired)
    if (isPromise(made)) await made
  }
}

interface Open {
  /** The comparisons of the call, and the one that is to be met. */
  readonly compared: readonly Comparison[]
  readonly comparison: Comparison
}

const sizeOf = (number: bigint): bigint => (number < 0n ? -number : number)

/** Steps of each number that brings two computed words together. */
const MOST_STEPS = 80

/** Brings the two words of a comparison together by the secant method, one number of the call after the other. */
async function approach(explorer: ContractExplorer, { node, call }: Seed, { comparison }: Open) {
  const { machine, source, rigid } = explorer
  const { coverage } = machine
  const branch = comparison.branches?.[0] as number
  const name = `${call.action.index} ${branch}`
  if (rigid.has(name)) return
  let isRigid = true
  const differenceOf = ({ left, right }: Comparison) => BigInt.asIntN(256, left - right)
  /** The difference in another call; `undefined` if there is none, or nothing is left to do. */
  const attemptOf = async (changed: Call | undefined): Promise<bigint | undefined> => {
    if (changed === undefined || !isOpen(comparison, coverage.isKnown) || explorer.variants-- <= 0) return
    coverage.watchComparisons()
    const made = attempt(explorer, node, changed)
    if (isPromise(made)) await made
    const compared = coverage.takeComparisons()
    const same = compared.find(({ branches }) => branches?.[0] === branch)
    return same && differenceOf(same)
  }
  for (const { word, isNumber, with: change } of inputsOf(call, node.position, source)) {
    let [at, difference] = [word, differenceOf(comparison)]
    for (let step = 0, next = word + 1n; isNumber && step < MOST_STEPS; step++) {
      let now = await attemptOf(change(next))
      if (now === difference && step === 0) {
        // A division may hide a change by one.
        next += word / 2n
        now = await attemptOf(change(next))
      }
      if (now !== difference) isRigid = false
      // The first step only shows the way.
      if (now === undefined || now === difference || (step > 0 && sizeOf(now) >= sizeOf(difference))) break
      const further = (now * (at - next)) / (now - difference)
      ;[at, difference, next] = [next, now, next + further]
      if (further === 0n) break
    }
    if (at === word) continue
    await attemptOf(change(at + 1n))
    await attemptOf(change(at - 1n))
  }
  if (isRigid) rigid.add(name)
}

/** Tries variants of a call that meet a comparison whose branch is open. */
async function meetOpen(explorer: ContractExplorer, seed: Seed, open: Open, calls: Iterable<Call>) {
  const { isKnown } = explorer.machine.coverage
  let repairs = MOST_REPAIRED
  for (const call of calls) {
    if (!isOpen(open.comparison, isKnown) || explorer.variants-- <= 0) return
    const made = attempt(explorer, seed.node, call)
    if (isPromise(made)) await made
    if (isOpen(open.comparison, isKnown) && repairs-- > 0) await repair(explorer, seed, call, open)
  }
  await approach(explorer, seed, open)
}

/** Tries variants of a call that meet its comparisons, those first whose branch is open. */
async function meet(explorer: ContractExplorer, seed: Seed): Promise<void> {
  if (explorer.variants <= 0) return
  const { machine, source } = explorer
  const { isKnown } = machine.coverage
  const compared = await comparisonsOf(explorer, seed)
  const inputs = inputsOf(seed.call, seed.node.position, source)
  const open = compared.filter((each) => isOpen(each, isKnown))
  const closed = compared.filter((each) => !isOpen(each, isKnown))
  for (const comparison of open) {
    source.dictionary.add(comparison.left)
    source.dictionary.add(comparison.right)
    if (isWorthMeeting(explorer, comparison))
      await meetOpen(explorer, seed, { compared, comparison }, callsThatMeet(comparison, inputs))
  }
  for (const comparison of closed.slice(0, MOST_COMPARISONS)) {
    if (!isWorthMeeting(explorer, comparison)) continue
    for (const call of equalCalls(comparison, inputs)) {
      if (explorer.variants-- <= 0) return
      const made = attempt(explorer, seed.node, call)
      if (isPromise(made)) await made
    }
  }
}

/** Meets the comparisons of what was found, and of what is found on the way. */
async function work(explorer: ContractExplorer): Promise<void> {
  for (let seed = explorer.work.pop(); seed !== undefined; seed = explorer.work.pop())
    await meet(explorer, seed)
}

function chooseCall({ source, corpus }: ContractExplorer, node: CorpusEntry, queue: Call[]): Call {
  const { random, actions } = source
  const action = random.pick(node.made.length === 0 ? actions : [...actions, ...node.made])
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
function chooseNode({ source: { random }, corpus: { nodes }, depth }: ContractExplorer): CorpusEntry {
  const kind = random.below(100)
  if (kind < 20) return nodes[0] as CorpusEntry
  const from = kind < 60 ? Math.floor(nodes.length * 0.75) : 0
  const node = nodes[from + random.below(nodes.length - from)] as CorpusEntry
  return node.path.length < depth ? node : (nodes[0] as CorpusEntry)
}

/** Calls that failed and are mended. */
const MENDED_PERCENT = 25

/** Tries calls that meet the comparison at which one failed; the state after the first that changes it. */
async function mend(explorer: ContractExplorer, node: CorpusEntry, call: Call) {
  const last = (await comparisonsOf(explorer, { node, call, tries: 0 })).at(-1)
  let left = MOST_MENDS
  if (last === undefined) return undefined
  for (const each of callsThatMeet(last, inputsOf(call, node.position, explorer.source))) {
    if (left-- <= 0) return undefined
    const made = attempt(explorer, node, each)
    const after = isPromise(made) ? await made : made
    if (after !== undefined) return after
  }
  return undefined
}

async function runSequence(explorer: ContractExplorer, kept?: readonly Call[]): Promise<void> {
  const { checks, known, corpus, source } = explorer
  const { random } = source
  const depth = kept?.length ?? explorer.depth
  const queue: Call[] = [...(kept ?? [])]
  let node = kept === undefined ? chooseNode(explorer) : (corpus.nodes[0] as CorpusEntry)
  for (let made = 0; made < depth; made++) {
    if (node.path.length >= depth) node = chooseNode(explorer)
    const call = queue.shift() ?? chooseCall(explorer, node, queue)
    if (queue.length === 0 && random.chance(REPEATED_PERCENT))
      for (let left = random.below(MOST_REPEATED); left > 0; left--) queue.push(call)
    const { failed } = explorer
    const made = attempt(explorer, node, call)
    let after = isPromise(made) ? await made : made
    if (explorer.failed > failed && random.chance(MENDED_PERCENT)) after = await mend(explorer, node, call)
    if (explorer.work.length > 0) await work(explorer)
    node = after ?? node
  }
  noteFailure(explorer, await checks.ofEnd(node.position, known), node.path)
}

/** Variants of a call that has reached something new, in the state in which it was made. */
async function runVariants(explorer: ContractExplorer): Promise<void> {
  const { source, corpus, machine } = explorer
  const { random } = source
  const { seeds } = corpus
  const drawn = [random.pick(seeds), random.pick(seeds), random.pick(seeds)]
  const seed = drawn.reduce((a, b) => (b.tries < a.tries ? b : a))
  seed.tries++
  const { node } = seed
  // Its comparisons have been met when it was found.
  const isOpenStill = (each: Comparison) => isOpen(each, machine.coverage.isKnown)
  if (!(await comparisonsOf(explorer, seed)).some(isOpenStill)) return runSequence(explorer)
  let call = seed.call
  for (let made = 0; made < explorer.depth; made++) {
    call = changeCall(source, node.position, random.chance(50) ? seed.call : call)
    const found = seeds.length
    const made = attempt(explorer, node, call)
    if (isPromise(made)) await made
    if (seeds.length === found && random.chance(30)) await meet(explorer, { node, call, tries: 0 })
    if (explorer.work.length > 0) await work(explorer)
  }
}

const VARIANT_PERCENT = 50

export async function performRun(explorer: ContractExplorer, kept?: readonly Call[]): Promise<void> {
  const { corpus, machine, seed, depth, source } = explorer
  const random = createRandom(seed, explorer.run)
  source.random = random
  explorer.variants = kept === undefined ? depth * VARIANTS : 0
  if (kept !== undefined) await runSequence(explorer, kept)
  else if (corpus.seeds.length > 0 && random.chance(VARIANT_PERCENT)) await runVariants(explorer)
  else await runSequence(explorer)
  machine.coverage.forget(machine.coverage.take())
}
