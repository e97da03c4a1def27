// @ts-check
// Fuzzer: runs random programs on the WebAssembly interpreter and on the reference, and compares all visible effects.
// Exits with 1 after a difference, and prints the smallest case found.
//
//   npm run fuzz -- --seed 1 --minutes 1 [--fork cancun] [--case N]

import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { fuzz, interpreterPair } from './fuzz/fuzz.js'
import { library } from './fuzz/library.js'
import { FORKS } from './fuzz/opcodes.js'

const USAGE = 'usage: npm run fuzz -- [--seed 1] [--minutes 1] [--fork cancun] [--case N]'

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

/** @param {string} text */
function secondsOf(text) {
  if (!/^\d{1,4}(\.\d+)?$/.test(text)) refuse(`--minutes takes a number, not ${text}`)
  return 60 * Number(text)
}

/** Shows the progress: in place on a terminal, every half minute elsewhere. @param {string} line */
function showProgress(line) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`)
  else console.log(line)
}

function readArguments() {
  const text = { type: /** @type {const} */ ('string') }
  try {
    return parseArgs({ options: { seed: text, minutes: text, fork: text, case: text } }).values
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message)
  }
}

const given = readArguments()
const seed = wholeNumber(given.seed, 'seed', 1)
const seconds = secondsOf(given.minutes ?? '1')
const fork = FORKS.find((name) => name === given.fork)
if (given.fork !== undefined && fork === undefined) refuse(`--fork takes one of ${FORKS.join(', ')}`)
const only = given.case === undefined ? undefined : wholeNumber(given.case, 'case', 0)

await library.loadCrypto()
const start = performance.now()
const elapsed = () => (performance.now() - start) / 1000
/** Seconds between two lines of progress. */
const pause = process.stdout.isTTY ? 1 : 30
let told = 0

const { programs, comparisons, outcomes, report } = await fuzz(interpreterPair(library), {
  seed,
  first: only ?? 0,
  count: only === undefined ? Number.MAX_SAFE_INTEGER : 1,
  fork,
  goesOn(progress) {
    if (elapsed() > told + pause) {
      told = elapsed()
      const speed = (progress.programs / told).toFixed(0)
      showProgress(`${told.toFixed(0)} of ${seconds} s, ${progress.programs} programs, ${speed} programs/s`)
    }
    return elapsed() < seconds
  },
})

if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
const ends = Object.entries(outcomes).sort(([, a], [, b]) => b - a)
for (const [name, times] of ends) console.log(`  ${`${times}`.padStart(8)}  ${name}`)
const speed = (programs / elapsed()).toFixed(0)
console.log(
  `seed ${seed}: ${programs} programs and ${comparisons} comparisons ran clean in ${elapsed().toFixed(1)} s, ${speed} programs/s`,
)
if (report !== undefined) {
  console.log(`\n${report}`)
  process.exitCode = 1
}
