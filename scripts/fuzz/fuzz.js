// @ts-check
// Differential fuzzing of two interpreters. The cases depend only on a seed and numbers, so findings are reproducible.

import { describe, differencesOf } from './compare.js'
import { canBegin, createRunner, runCase } from './execute.js'
import { gasCuts, sample } from './gas-cuts.js'
import { createRandom } from './random.js'
import { recordingDifferences } from './recording.js'
import { reportOf } from './report.js'
import { shrink } from './shrink.js'
import { forkOf, makeCase } from './world.js'

/**
 * @typedef {import('./world.js').Case} Case
 * @typedef {import('./execute.js').Library} Library
 * @typedef {import('./execute.js').Runner} Runner
 * @typedef {import('./execute.js').Outcome} Outcome
 *
 * @typedef {object} Pair
 * @property {Runner} reference
 * @property {Runner} other
 *
 * @typedef {object} Plan
 * @property {number} seed
 * @property {number} [first] number of the first case
 * @property {number} count cases
 * @property {import('./opcodes.js').Fork | undefined} [fork] all of them under one
 * @property {(progress: Progress) => boolean} [goesOn] asked after every run of a case
 *
 * @typedef {object} Progress
 * @property {number} programs cases that were run
 * @property {number} comparisons runs of each interpreter that were compared
 * @property {Record<string, number>} outcomes of the first run of each case
 *
 * @typedef {Progress & { report: string | undefined }} Fuzzed
 */

/** One case in this many is repeated with gas limits at some of its instructions; rarer ones at all of them. */
const CUT_ONE_IN = 12
const CUT_ALL_ONE_IN = 400
const SOME_CUTS = 24
const MOST_CUTS = 3000
/** Cases that run concurrently, on separate EVMs. */
const TOGETHER = 4

/** @param {Library} library @returns {Pair} */
export function interpreterPair(library) {
  return { reference: createRunner(library, 'reference'), other: createRunner(library, 'wasm') }
}

/** One case in this many runs again under observers. */
const OBSERVED_ONE_IN = 12
/** The same for the repetitions of such a case with lower gas limits: its steps are nearly the same in all of them. */
const CUT_OBSERVED_ONE_IN = 8

/** The differences between the interpreters in a case. @param {Pair} pair @param {Case} that */
export async function differencesIn(pair, that) {
  const { reference, other } = pair
  if (!canBegin(reference, that)) return []
  const [expected, got] = [await runCase(reference, that), await runCase(other, that)]
  const differences = differencesOf(reference.library, expected, got)
  return differences.length > 0 ? differences : observedDifferences(pair, that)
}

/** The differences in what observers are told. @param {Pair} pair @param {Case} that */
async function observedDifferences({ reference, other }, that) {
  // Under deep recursion, the memory of every step would be too much text.
  if (that.isDeep || that.number % OBSERVED_ONE_IN !== 5) return []
  return recordingDifferences(reference, other, that)
}

/** @param {Outcome} outcome */
function nameOfOutcome({ told }) {
  const { outcome, failure, threw } = told
  return `${failure ?? outcome ?? threw ?? 'success'}`
}

/**
 * The cases of one number: the case, and the same with lower gas limits.
 * @param {Runner} reference
 * @param {Case} that
 * @returns {Promise<Case[]>}
 */
async function cutCases(reference, that) {
  const random = createRandom(that.seed ^ Math.imul(that.number, 0x27d4eb2f))
  if (that.isDeep || that.kind === 'transaction' || !random.oneIn(CUT_ONE_IN)) return []
  const cuts = await gasCuts(reference, that, random)
  const most = random.oneIn(CUT_ALL_ONE_IN / CUT_ONE_IN) ? MOST_CUTS : SOME_CUTS
  return sample(cuts, most, random)
    .map((gasLimit) => ({ ...that, message: { ...that.message, gasLimit } }))
    .filter((cut) => canBegin(reference, cut))
}

/**
 * Runs cases until one differs, and shrinks it.
 * @param {Pair} pair
 * @param {Plan} plan
 * @returns {Promise<Fuzzed>}
 */
export async function fuzz(pair, { seed, first = 0, count, fork, goesOn = () => true }) {
  const { reference, other } = pair
  /** @type {Progress} */
  const progress = { programs: 0, comparisons: 0, outcomes: {} }
  /** Earlier results, with their text at that time. @type {{ told: object, text: string, that: Case }[]} */
  let earlier = []

  const compare = async (/** @type {Case} */ that, /** @type {Outcome} */ got, isObserved = true) => {
    const expected = await runCase(reference, that)
    progress.comparisons += 1
    const differences = differencesOf(reference.library, expected, got)
    return {
      expected,
      differences:
        differences.length > 0 || !isObserved ? differences : await observedDifferences(pair, that),
    }
  }
  const failed = async (/** @type {Case} */ original, /** @type {Case} */ that) => {
    const least = await shrink(that, async (smaller) => (await differencesIn(pair, smaller)).length > 0)
    const differences = await differencesIn(pair, least)
    const words =
      differences.length > 0
        ? reportOf(original, least, differences)
        : `${reportOf(original, least, [])}\n  (only when it runs with others, or after them)`
    return { ...progress, report: words }
  }

  for (let number = first; number < first + count; number += TOGETHER) {
    const numbers = Array.from({ length: Math.min(TOGETHER, first + count - number) }, (_, i) => number + i)
    const cases = numbers.map((each) => makeCase(seed, each, fork ?? forkOf(each)))
    // Concurrent runs show that the EVMs of an interpreter share nothing.
    const runsAtOnce = (number / TOGETHER) % 4 === 1
    const atOnce = runsAtOnce ? await Promise.all(cases.map((that) => runCase(other, that))) : []
    for (const [index, that] of cases.entries()) {
      const got = atOnce[index] ?? (await runCase(other, that))
      const { expected, differences } = await compare(that, got)
      if (differences.length > 0) return failed(that, that)
      progress.programs += 1
      const name = nameOfOutcome(expected)
      progress.outcomes[name] = (progress.outcomes[name] ?? 0) + 1
      // Results may not change afterwards.
      const changed = earlier.find(({ told, text }) => describe(told) !== text)
      if (changed !== undefined) return failed(changed.that, changed.that)
      earlier = [...earlier.slice(-2), { told: got.told, text: describe(got.told), that }]
      for (const [index, cut] of (await cutCases(reference, that)).entries()) {
        const result = await compare(cut, await runCase(other, cut), index % CUT_OBSERVED_ONE_IN === 0)
        if (result.differences.length > 0) return failed(that, cut)
        if (!goesOn(progress)) break
      }
      if (!goesOn(progress)) return { ...progress, report: undefined }
    }
  }
  return { ...progress, report: undefined }
}
