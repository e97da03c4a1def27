// @ts-check
// Handle of a process that runs tests; starts it again after it was ended.

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('test-process.js', import.meta.url))

/** Most memory of a process: a mutant may allocate without end. */
const HEAP_MEGABYTES = 3000

/** A test that waits without using the processor ends by its own limit, long before this. */
const LONGEST_RUN_MS = 1_800_000

/** Runs after which a process starts again: Vitest keeps the results of all runs. */
const RUNS_OF_A_PROCESS = 40

/**
 * @typedef {import('./test-process.js').Run} Run
 * @typedef {import('./test-process.js').Answer} Answer
 *
 * @typedef {object} Outcome
 * @property {'passed' | 'failed' | 'hung' | 'crashed'} status
 * @property {string} [failure] the test that failed
 * @property {readonly string[]} [files]
 */

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {Run} run
 * @returns {Promise<Outcome>}
 */
function answerOf(child, run) {
  return new Promise((resolve) => {
    const onExit = () => end({ status: 'crashed' })
    const timer = setTimeout(() => end({ status: 'hung' }), LONGEST_RUN_MS)
    /** @param {unknown} message */
    const onMessage = (message) => {
      const answer = /** @type {Answer} */ (message)
      if (answer.type === 'hung') end({ status: 'hung' })
      if (answer.type === 'files') end({ status: 'passed', files: answer.files })
      if (answer.type !== 'done') return
      end(answer.failure === undefined ? { status: 'passed' } : { status: 'failed', failure: answer.failure })
    }
    /** @param {Outcome} outcome */
    const end = (outcome) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(outcome)
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
    child.send(run)
  })
}

export class TestRunner {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child
  #runs = 0
  /** @type {NodeJS.ProcessEnv} */
  #environment

  /** @param {NodeJS.ProcessEnv} environment */
  constructor(environment) {
    this.#environment = environment
  }

  async #start() {
    const child = fork(SCRIPT, {
      env: { ...process.env, ...this.#environment },
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    this.#runs = 0
    let errors = ''
    child.stderr?.on('data', (chunk) => (errors = `${errors}${chunk}`.slice(-4000)))
    await new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`the test process ended with ${code}: ${errors}`)))
    })
    return child
  }

  /** @param {Run} run @returns {Promise<Outcome>} */
  async run(run) {
    if (this.#runs >= RUNS_OF_A_PROCESS) this.stop()
    this.#runs++
    const child = this.#child ?? (await this.#start())
    const outcome = await answerOf(child, run)
    if (outcome.status === 'hung' || outcome.status === 'crashed') this.stop()
    return outcome
  }

  /** All test files of `npm test`. */
  async listFiles() {
    const child = this.#child ?? (await this.#start())
    const outcome = await answerOf(child, { sources: [], files: [], patienceMs: 0 })
    return outcome.files ?? []
  }

  stop() {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}
