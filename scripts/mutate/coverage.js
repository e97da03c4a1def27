// @ts-check
// Which tests execute which regions of the sources, recorded in one run of all tests and kept until a file changes.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withProbes } from './mutants.js'
import { TestRunner } from './test-runner.js'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** Where coverage and results are kept; git ignores it. */
export const cache = join(root, 'coverage/mutation')

/** Tests of the repository itself: they read the tree, not the changed sources. */
const IGNORED_TESTS = 'test/tidy/'

/**
 * @typedef {import('./record-coverage.js').FileCoverage} FileCoverage
 * @typedef {import('./mutants.js').Source & { path: string, text: string, firstRegion: number }} NumberedSource
 */

/** @param {string} folder @returns {string[]} */
export function filesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}

/** Hash of all that coverage depends on. */
function fingerprint() {
  const hash = createHash('sha256')
  const paths = ['src', 'test', 'docs'].flatMap(filesOf)
  const scripts = ['mutants.js', 'record-coverage.js'].map((name) => `scripts/mutate/${name}`)
  for (const path of [...paths, ...scripts, 'README.md', 'package-lock.json', 'vitest.config.ts']) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** @param {NumberedSource} source */
function probed({ text, regions, firstRegion }) {
  const body = withProbes(
    text,
    regions,
    (region) => `mutationProbes.hits[${firstRegion + region}]|=mutationProbes.now`,
  )
  // On the first line, so that line numbers stay.
  return `const mutationProbes=globalThis.mutationProbes;mutationProbes.now=2;${body}\n;mutationProbes.now=1`
}

/**
 * @param {readonly NumberedSource[]} sources
 * @param {number} processes
 * @param {(text: string) => void} tell
 * @returns {Promise<FileCoverage[]>}
 */
export async function measureCoverage(sources, processes, tell) {
  mkdirSync(cache, { recursive: true })
  const kept = join(cache, `coverage-${fingerprint()}.jsonl`)
  if (!existsSync(kept)) {
    for (const old of readdirSync(cache)) if (old.startsWith('coverage-')) rmSync(join(cache, old))
    await record(sources, processes, kept, tell)
  }
  return readFileSync(kept, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** @param {readonly NumberedSource[]} sources @param {number} processes @param {string} path @param {(text: string) => void} tell */
async function record(sources, processes, path, tell) {
  const recording = `${path}.part`
  rmSync(recording, { force: true })
  writeFileSync(recording, '')
  const regions = sources.reduce((sum, source) => sum + source.regions.length, 0)
  const runners = Array.from(
    { length: processes },
    () =>
      new TestRunner({
        MUTATION_PURPOSE: 'coverage',
        MUTATION_REGIONS: `${regions}`,
        MUTATION_RECORDING: recording,
      }),
  )
  try {
    const [first] = /** @type {[TestRunner]} */ (/** @type {unknown} */ (runners))
    const files = (await first.listFiles()).filter((file) => !file.startsWith(IGNORED_TESTS))
    tell(`recording which of ${regions} regions each of ${files.length} test files executes`)
    const texts = sources.map((source) => /** @type {const} */ ([source.path, probed(source)]))
    const outcomes = await Promise.all(
      runners.map((runner, index) =>
        runner.run({
          sources: texts,
          files: files
            .filter((_, position) => position % processes === index)
            .map((file) => ({ path: file })),
          patienceMs: 300_000,
        }),
      ),
    )
    const broken = outcomes.find(({ status }) => status === 'hung' || status === 'crashed')
    if (broken !== undefined) throw new Error(`the tests do not end without a mutant: ${broken.status}`)
  } finally {
    for (const runner of runners) runner.stop()
  }
  renameSync(recording, path)
}

/** @param {string} hits a bit set in base64 */
function decode(hits) {
  return Buffer.from(hits, 'base64')
}

/** @param {Buffer} bits @param {number} region */
function has(bits, region) {
  return ((bits[region >> 3] ?? 0) & (1 << (region & 7))) !== 0
}

/**
 * @typedef {object} CoveringFile
 * @property {string} path
 * @property {readonly string[] | undefined} testIds of the tests to run; undefined for all
 * @property {number} milliseconds that they take
 * @property {number} longest of them, in milliseconds
 */

/** Index of a recording. */
export class Coverage {
  #files
  #loading

  /** @param {readonly FileCoverage[]} files */
  constructor(files) {
    this.#loading = new Set(files.flatMap(({ loading }) => loading))
    this.#files = files
      .filter(({ fails }) => !fails)
      .map((file) => ({
        path: file.path.slice(root.length),
        outside: decode(file.outside),
        tests: file.tests.map((test) => ({ ...test, hits: decode(test.hits) })),
      }))
  }

  /**
   * The tests that execute a mutant: first those that are likely to notice, and of a mirrored path, then the fastest.
   * What a source executes while it is loaded concerns all files that share a worker, so then the other files follow.
   * @param {NumberedSource} source
   * @param {import('./mutants.js').Mutant} mutant
   * @param {ReadonlySet<string>} likely paths of test files
   * @returns {readonly CoveringFile[]}
   */
  of(source, mutant, likely) {
    const region = source.firstRegion + mutant.region
    const isLoading = mutant.region < 0 || this.#loading.has(region)
    const name = mutant.path.replace(/^src\/|\.ts$/g, '')
    /** @type {(CoveringFile & { rank: number })[]} */
    const covering = []
    for (const { path, outside, tests } of this.#files) {
      const isWhole = mutant.region >= 0 && has(outside, region)
      const hit = mutant.region < 0 ? [] : isWhole ? tests : tests.filter(({ hits }) => has(hits, region))
      if (hit.length === 0 && !isLoading && !isWhole) continue
      const run = hit.length === 0 ? tests : hit
      const isNear = likely.has(path) || path.includes(name)
      covering.push({
        path,
        testIds: isWhole || hit.length === 0 ? undefined : hit.map(({ id }) => id),
        milliseconds: run.reduce((sum, test) => sum + test.milliseconds, 0),
        longest: Math.max(0, ...run.map((test) => test.milliseconds)),
        rank: isNear ? 0 : hit.length > 0 || isWhole || this.#touches(outside, tests, source) ? 1 : 2,
      })
    }
    return covering.sort((a, b) => a.rank - b.rank || a.milliseconds - b.milliseconds)
  }

  /** @param {Buffer} outside @param {readonly { hits: Buffer }[]} tests @param {NumberedSource} source */
  #touches(outside, tests, { firstRegion, regions }) {
    for (let region = firstRegion; region < firstRegion + regions.length; region++) {
      if (has(outside, region) || tests.some(({ hits }) => has(hits, region))) return true
    }
    return false
  }
}
