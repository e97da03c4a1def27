// @ts-check
// Process that runs tests on changed sources, with one Vitest server for all runs. Its parent sends runs, and ends it
// when a test does not return.

import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'

/**
 * @typedef {object} Run
 * @property {readonly (readonly [path: string, text: string])[]} sources that replace those of the tree
 * @property {readonly { path: string, testIds?: readonly string[] | undefined }[]} files to run, in
 *   order; none to list all
 * @property {number} patienceMs processor time until a test ends, after which it counts as hung
 *
 * @typedef {{ type: 'ready' } | { type: 'hung' } | { type: 'files', files: string[] }
 *   | { type: 'done', failure: string | undefined }} Answer
 */

const root = fileURLToPath(new URL('../../', import.meta.url))

/** @type {Map<string, string>} */
let replaced = new Map()

Object.assign(globalThis, {
  mutation: {
    purpose: process.env['MUTATION_PURPOSE'],
    textOf: (/** @type {string} */ path) => replaced.get(path),
  },
})

/** @param {Answer} answer */
function send(answer) {
  process.send?.(answer)
}

/** @type {string | undefined} */
let failure
/** Processor time of this process when a test ended last. Other processes do not count, however busy they are. */
let lastProgress = process.cpuUsage()

function noteProgress() {
  lastProgress = process.cpuUsage()
}

/** @param {number} patienceMs */
function watchForHang(patienceMs) {
  noteProgress()
  return setInterval(() => {
    const { user, system } = process.cpuUsage(lastProgress)
    if ((user + system) / 1000 > patienceMs) send({ type: 'hung' })
  }, 1000)
}

const reporter = {
  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    if (test.result().state === 'failed') failure ??= `${test.module.relativeModuleId}: ${test.fullName}`
    noteProgress()
  },
  /** @param {import('vitest/node').TestModule} file */
  onTestModuleEnd(file) {
    if (!file.ok())
      failure ??= `${file.relativeModuleId}: ${file.errors()[0]?.message ?? 'outside its tests'}`
    noteProgress()
  },
}

const vitest = await createVitest('test', {
  root,
  config: fileURLToPath(new URL('vitest.config.js', import.meta.url)),
  watch: false,
  reporters: [reporter],
})

/** The project that runs each test file. */
const projectOf = new Map(
  (await vitest.globTestSpecifications()).map(({ moduleId, project }) => [moduleId, project]),
)

/** @param {Run} run */
async function runTests({ sources, files, patienceMs }) {
  const paths = [...replaced.keys()]
  replaced = new Map(sources.map(([path, text]) => [`${root}${path}`, text]))
  for (const path of [...paths, ...replaced.keys()]) vitest.invalidateFile(path)
  failure = undefined
  const specifications = files.flatMap(({ path, testIds }) => {
    const options = testIds === undefined ? {} : { testIds: [...testIds] }
    return projectOf.get(`${root}${path}`)?.createSpecification(`${root}${path}`, options) ?? []
  })
  // A test that was recorded and is gone would pass unseen.
  if (specifications.length < files.length) throw new Error('a test file is gone')
  const watch = watchForHang(patienceMs)
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
  clearInterval(watch)
  const [error] = /** @type {{ message?: string }[]} */ (unhandledErrors)
  if (error !== undefined) failure ??= `unhandled: ${error.message}`
  send({ type: 'done', failure })
}

process.on('message', (message) => {
  const run = /** @type {Run} */ (message)
  if (run.files.length > 0) void runTests(run)
  else send({ type: 'files', files: [...projectOf.keys()].map((path) => path.slice(root.length)) })
})
process.on('disconnect', () => process.exit())
send({ type: 'ready' })
