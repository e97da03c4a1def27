// @ts-check
// Setup file of the coverage run: notes which regions of the sources each test executes.

import { appendFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'

/**
 * @typedef {object} FileCoverage a line of the recording: a test file
 * @property {string} path absolute
 * @property {string} outside what it executes outside its tests, as a bit set in base64
 * @property {{ id: string, name: string, milliseconds: number, hits: string }[]} tests
 * @property {boolean} fails whether a test fails without a mutant
 * @property {number[]} loading regions that ran while a source was loaded, in this worker so far
 */

// What the probes in the sources write to, kept for the worker: `now` is 2 while a source is loaded, otherwise 1.
// `loading` collects the regions that ran while one was loaded, which happens once per worker.
const worker = /** @type {{ mutationProbes?: { hits: Uint8Array, now: 1 | 2, loading: Set<number> } }} */ (
  globalThis
)
worker.mutationProbes ??= {
  hits: new Uint8Array(Number(process.env['MUTATION_REGIONS'])),
  now: 1,
  loading: new Set(),
}
const { hits, loading } = worker.mutationProbes

/** Takes the regions executed since the last call. */
function takeHits() {
  const bits = Buffer.alloc(Math.ceil(hits.length / 8))
  for (const [region, hit] of hits.entries()) {
    if (hit & 2) loading.add(region)
    if (hit & 1) bits[region >> 3] = (bits[region >> 3] ?? 0) | (1 << (region & 7))
  }
  hits.fill(0)
  return bits
}

const outside = takeHits()
/** @type {FileCoverage['tests']} */
const tests = []
let start = 0
let fails = false

function addOutside() {
  for (const [index, bits] of takeHits().entries()) outside[index] = (outside[index] ?? 0) | bits
}

beforeEach(() => {
  addOutside()
  start = performance.now()
})

afterEach(({ task }) => {
  const milliseconds = Math.ceil(performance.now() - start)
  fails ||= task.result?.state === 'fail'
  tests.push({ id: task.id, name: task.name, milliseconds, hits: takeHits().toString('base64') })
})

afterAll(() => {
  addOutside()
  /** @type {FileCoverage} */
  const line = {
    path: expect.getState().testPath ?? '',
    outside: outside.toString('base64'),
    tests,
    fails,
    loading: [...loading],
  }
  appendFileSync(process.env['MUTATION_RECORDING'] ?? '', `${JSON.stringify(line)}\n`)
})
