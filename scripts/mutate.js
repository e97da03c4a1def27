// @ts-check
// Mutation testing: changes the sources in small ways, one at a time and in memory, and reports which changes no test
// notices. The same seed, sample and sources choose the same mutants.
//
//   npm run mutate -- [--seed 1] [--sample 200] [--only src/core/pool/pool.ts:83] [--resume] [--survivors] [--list]

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createRandom } from './fuzz/random.js'
import { Coverage, cache, filesOf, measureCoverage, root } from './mutate/coverage.js'
import { equivalenceOf } from './mutate/equivalents.js'
import { applyMutant, mutantsOf } from './mutate/mutants.js'
import { describeMutant, scoreTable } from './mutate/report.js'
import { TestRunner } from './mutate/test-runner.js'

const USAGE =
  'usage: npm run mutate -- [--seed 1] [--sample 200] [--only PATH[:LINE]] [--resume] [--survivors] [--list]'
const FOLDERS = ['core/pool', 'core/node', 'core/chain', 'core/execution', 'core/rpc']

/** Processor time in which a test without a limit of its own must end, beside a multiple of what it takes. */
const PATIENCE_MS = 20_000
const PATIENCE_FACTOR = 5

/**
 * @typedef {import('./mutate/mutants.js').Mutant} Mutant
 * @typedef {import('./mutate/coverage.js').NumberedSource} NumberedSource
 * @typedef {import('./mutate/report.js').Result} Result
 */

/** @param {string} problem @returns {never} */
function refuse(problem) {
  console.error(`${problem}\n${USAGE}`)
  process.exit(2)
}

/** @param {string | undefined} text @param {string} name @param {number} otherwise */
function wholeNumber(text, name, otherwise) {
  if (text === undefined) return otherwise
  if (!/^\d{1,9}$/.test(text)) refuse(`--${name} takes a whole number, not ${text}`)
  return Number(text)
}

function readArguments() {
  const text = { type: /** @type {const} */ ('string') }
  const flag = { type: /** @type {const} */ ('boolean'), default: false }
  try {
    const options = { seed: text, sample: text, only: text, resume: flag, survivors: flag, list: flag }
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message)
  }
}

/** @returns {NumberedSource[]} */
function readSources() {
  let firstRegion = 0
  return FOLDERS.flatMap((folder) => filesOf(`src/${folder}`)).map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const source = { path, text, firstRegion, ...mutantsOf(path, text) }
    firstRegion += source.regions.length
    return source
  })
}

/** @param {Mutant[]} mutants @param {number} seed @param {number} size */
function sampleOf(mutants, seed, size) {
  const random = createRandom(seed)
  const left = mutants.slice()
  const chosen = []
  while (chosen.length < size && left.length > 0) {
    const at = random.below(left.length)
    chosen.push(/** @type {Mutant} */ (left[at]))
    left[at] = /** @type {Mutant} */ (left.at(-1))
    left.pop()
  }
  return chosen
}

const given = readArguments()
const seed = wholeNumber(given.seed, 'seed', 1)
const size = wholeNumber(given.sample, 'sample', 200)
const sources = readSources()
const sourceOf = new Map(sources.map((source) => [source.path, source]))
const all = sources.flatMap(({ mutants }) => mutants)

/** @param {string} place */
function mutantsAt(place) {
  const [path, line] = place.split(':')
  const found = all.filter(
    (it) => it.path.startsWith(path ?? '') && (line === undefined || `${it.line}` === line),
  )
  return found.length > 0 ? found : refuse(`no mutant at ${place}`)
}

const chosen = given.only === undefined ? sampleOf(all, seed, size) : mutantsAt(given.only)

/** Names a mutant of this text of its source. @param {Mutant} mutant */
function keyOf({ path, start, end, replacement }) {
  const hash = createHash('sha256').update(sourceOf.get(path)?.text ?? '')
  return `${path}:${start}-${end}:${replacement}:${hash.digest('hex').slice(0, 8)}`
}

/** @param {Mutant} mutant */
const textBefore = ({ path }) => sourceOf.get(path)?.text ?? ''

if (given.list) {
  for (const mutant of chosen) console.log(describeMutant(mutant, textBefore(mutant)))
  process.exit()
}

const where = given.only === undefined ? `seed-${seed}-sample-${size}` : 'only'
const resultsPath = join(cache, `${where}.json`)

/** @returns {Map<string, Result>} */
function resultsSoFar() {
  if (!(given.resume || given.survivors) || !existsSync(resultsPath)) return new Map()
  /** @type {{ results: [string, Result][] }} */
  const { results } = JSON.parse(readFileSync(resultsPath, 'utf8'))
  return new Map(results.filter(([, { status }]) => !given.survivors || status !== 'survived'))
}

const results = resultsSoFar()
const commit = execFileSync('git', ['log', '-1', '--format=%h of %cs'], {
  cwd: root,
  encoding: 'utf8',
}).trim()

function saveResults() {
  const part = `${resultsPath}.part`
  writeFileSync(part, JSON.stringify({ seed, size, commit, results: [...results] }, undefined, 1))
  renameSync(part, resultsPath)
}

const processes = Math.max(1, availableParallelism())
const start = performance.now()
const minutes = () => ((performance.now() - start) / 60_000).toFixed(1)
mkdirSync(cache, { recursive: true })
console.log(`${chosen.length} of ${all.length} mutants in src/{${FOLDERS.join(',')}}, commit ${commit}`)
const recorded = await measureCoverage(sources, processes, (text) => console.log(text))
for (const { path } of recorded.filter(({ fails }) => fails)) {
  console.log(`left out, because it fails without a mutant: ${path.slice(root.length)}`)
}
const coverage = new Coverage(recorded)

/** Test files that noticed mutants of a source. @param {string} path @returns {ReadonlySet<string>} */
function killersOf(path) {
  const found = [...results.values()].filter(
    ({ mutant, status }) => mutant.path === path && status === 'killed',
  )
  return new Set(found.map(({ by }) => by.split(': ')[0] ?? ''))
}

/** @param {Mutant} mutant @param {TestRunner} runner @returns {Promise<Result>} */
async function judge(mutant, runner) {
  const source = /** @type {NumberedSource} */ (sourceOf.get(mutant.path))
  const equivalence = equivalenceOf(mutant, source.text)
  if (equivalence !== undefined) return { mutant, status: 'equivalent', by: equivalence, seconds: 0 }
  const files = coverage.of(source, mutant, killersOf(mutant.path))
  if (files.length === 0) return { mutant, status: 'survived', by: 'no test executes it', seconds: 0 }
  const began = performance.now()
  const longest = Math.max(...files.map((file) => file.longest))
  const outcome = await runner.run({
    sources: [[mutant.path, applyMutant(source.text, mutant)]],
    files,
    patienceMs: PATIENCE_MS + PATIENCE_FACTOR * longest,
  })
  const seconds = Math.round((performance.now() - began) / 100) / 10
  if (outcome.status === 'passed')
    return { mutant, status: 'survived', by: `${files.length} test files pass`, seconds }
  return { mutant, status: 'killed', by: outcome.failure ?? outcome.status, seconds }
}

const waiting = chosen.filter((mutant) => !results.has(keyOf(mutant)))
let done = chosen.length - waiting.length

/** @param {TestRunner} runner */
async function work(runner) {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const result = await judge(mutant, runner)
    results.set(keyOf(mutant), result)
    saveResults()
    done++
    if (result.status === 'survived') {
      console.log(
        `\nsurvived (${result.by}, ${result.seconds} s):\n${describeMutant(mutant, textBefore(mutant))}\n`,
      )
    }
    const place = `${mutant.path}:${mutant.line} ${mutant.mutator}`
    console.log(
      `${done} of ${chosen.length}, ${minutes()} min: ${result.status} ${place} (${result.seconds} s)`,
    )
  }
  runner.stop()
}

await Promise.all(
  Array.from({ length: processes }, () => work(new TestRunner({ MUTATION_PURPOSE: 'mutants' }))),
)

const judged = chosen.flatMap((mutant) => results.get(keyOf(mutant)) ?? [])
const survivors = judged.filter(({ status }) => status === 'survived')
if (survivors.length > 0) console.log('\nsurvivors:')
for (const { mutant, by } of survivors)
  console.log(`\n${describeMutant(mutant, textBefore(mutant))}\n  ${by}`)
console.log(`\n${scoreTable(judged)}\n\nseed ${seed}, commit ${commit}, ${minutes()} minutes`)
