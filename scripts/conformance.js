// @ts-check
// Comparison of the emulator with recordings: vectors of ethereum/execution-apis (`.io` files and their chain),
// scenarios of NomicFoundation/edr (`.jsonl`, `.jsonl.gz`), its cases of stack traces (`test.json` beside Solidity), tracer
// vectors of ethereum/go-ethereum (folders such as `call_tracer`), blocks of the OP stack (`.json.gz`), or
// projects of Solidity tests (`expected.json`), by the content of the folder. Subfolders may mix them.
//
//   npm run conformance -- [--interpreter wasm|reference|both] [--compilers DIR] DIR_OR_FILE [part of a name …]
//
// Of stack traces, the cases of the repository's solc are run, and of those in the folder of compilers:
//
//   npm install --prefix DIR solc-0.5.17@npm:solc@0.5.17 solc-0.6.3@npm:solc@0.6.3
//
// With `both`, all answers of the two interpreters must be equal as well.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createEmulator } from 'tickchain'

import { opBlockNames, readOpBlock, runOpBlock } from './conformance/op-blocks.js'
import {
  describeError,
  mismatchesOf,
  readScenario,
  replayScenario,
  scenarioFiles,
} from './conformance/scenarios.js'
import { hasSolidityTests, runSolidityProject } from './conformance/solidity-tests.js'
import {
  compilersIn,
  hasStackTraces,
  isFor,
  runStackTraceCase,
  stackTraceCases,
} from './conformance/stack-traces.js'
import { tracedChains } from './conformance/traced-chain.js'
import { hasTraceVectors, readTraceVectors, runTraceVector } from './conformance/traces.js'

import { startTwins } from './conformance/twins.js'
import { importChain, readVectors, runVector } from './conformance/vectors.js'

const LONGEST_REASON = 300
const MOST_MISMATCHES = 20

const USAGE =
  'npm run conformance -- [--interpreter wasm|reference|both] [--compilers DIR] DIR_OR_FILE [part of a name …]'
const INTERPRETERS = /** @type {const} */ ({
  wasm: ['wasm'],
  reference: ['reference'],
  both: ['wasm', 'reference'],
})

/** @param {string} problem @returns {never} */
function refuse(problem) {
  console.error(`${problem}\nusage: ${USAGE}`)
  process.exit(2)
}

function readArguments() {
  const interpreter = { type: /** @type {const} */ ('string'), default: 'wasm' }
  const compilers = { type: /** @type {const} */ ('string') }
  try {
    return parseArgs({ allowPositionals: true, options: { interpreter, compilers } })
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message)
  }
}

const { values, positionals } = readArguments()
const [path, ...wanted] = positionals
const chosen = Object.entries(INTERPRETERS).find(([name]) => name === values.interpreter)
if (chosen === undefined) refuse(`--interpreter takes wasm, reference or both, not ${values.interpreter}`)
const [, interpreters] = chosen

/** Differences between the interpreters. @type {import('./conformance/twins.js').TwinDifference[]} */
const differences = []
const startChain = startTwins(createEmulator, interpreters, (difference) => differences.push(difference))

function isWanted(/** @type {string} */ name) {
  return wanted.length === 0 || wanted.some((part) => name.includes(part))
}

/** Shows the progress on a terminal. */
function showProgress(/** @type {string} */ text) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`)
}

/** Runs a folder of vectors; true if all answers are right. @param {string} directory */
async function answerVectors(directory) {
  const vectors = readVectors(directory).filter(({ method, name }) => isWanted(`${method}/${name}`))
  if (vectors.length === 0) return true
  const methods = [...new Set(vectors.map(({ method }) => method))]
  const widest = Math.max(...methods.map((method) => method.length))
  showProgress('importing the chain …')
  const chain = await importChain(directory, startChain)
  let passed = 0
  let failed = 0
  for (const method of methods) {
    const group = vectors.filter((vector) => vector.method === method)
    const label = method.padEnd(widest)
    const reasons = []
    for (const [index, vector] of group.entries()) {
      showProgress(`… ${label}  ${index} of ${group.length}`)
      const reason = await runVector(chain, vector)
      if (reason !== undefined) reasons.push(`${vector.name}: ${reason}`)
    }
    passed += group.length - reasons.length
    failed += reasons.length
    showProgress('')
    console.log(
      `${reasons.length === 0 ? '✓' : '✗'} ${label}  ${group.length - reasons.length} of ${group.length}`,
    )
    for (const reason of reasons) console.log(`    ${reason.slice(0, LONGEST_REASON)}`)
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0
}

/** Runs tracer vectors; true if all traces are equal. @param {string} directory */
async function compareTraces(directory) {
  const vectors = readTraceVectors(directory).filter(({ folder, name }) => isWanted(`${folder}/${name}`))
  const folders = [...new Set(vectors.map(({ folder }) => folder))]
  const widest = Math.max(...folders.map((folder) => folder.length))
  let failed = 0
  for (const folder of folders) {
    const group = vectors.filter((vector) => vector.folder === folder)
    const reasons = []
    for (const vector of group) {
      const reason = await runTraceVector(startChain, vector).catch(describeError)
      if (reason !== undefined) reasons.push(`${vector.name}: ${reason}`)
    }
    failed += reasons.length
    const passed = `${group.length - reasons.length} of ${group.length}`
    console.log(`${reasons.length === 0 ? '✓' : '✗'} ${folder.padEnd(widest)}  ${passed}`)
    for (const reason of reasons) console.log(`    ${reason.slice(0, LONGEST_REASON)}`)
  }
  console.log(`\n${vectors.length - failed} passed, ${failed} failed`)
  return failed === 0
}

/** @param {import('./conformance/scenarios.js').Replay['shares']} shares */
function printShares(shares) {
  const rows = [...shares].sort(([, a], [, b]) => b.ms - a.ms)
  const widest = Math.max(...rows.map(([method]) => method.length))
  for (const [method, { count, ms }] of rows) {
    const each = `${((1000 * ms) / count).toFixed(0)} µs each`
    console.log(
      `    ${method.padEnd(widest)}  ${`${count}`.padStart(7)}  ${ms.toFixed(0).padStart(7)} ms  ${each}`,
    )
  }
}

/** Replays one scenario; true if exactly the recorded failures fail. @param {string} file */
async function replay(file) {
  const scenario = readScenario(file)
  const { name, requests, expectedFailures } = scenario
  const { failures, shares, ms } = await replayScenario(scenario, startChain, (answered) =>
    showProgress(`… ${name}  ${answered} of ${requests.length}`),
  )
  const isKnown = expectedFailures !== undefined
  const mismatches = isKnown ? mismatchesOf(scenario, failures) : []
  const speed = `${(ms / 1000).toFixed(1)} s, ${((1000 * requests.length) / ms).toFixed(0)} requests/s`
  const verdict = isKnown ? `${mismatches.length} not as expected` : 'nothing says which must'
  showProgress('')
  console.log(
    `${!isKnown ? '–' : mismatches.length === 0 ? '✓' : '✗'} ${name}  ${requests.length} requests in ${speed}: ${failures.length} failed, ${verdict}`,
  )
  printShares(shares)
  for (const { index, request, expected, got } of mismatches.slice(0, MOST_MISMATCHES)) {
    console.log(`    ${index}: expected ${expected}, got ${got}`.slice(0, LONGEST_REASON))
    console.log(`        ${JSON.stringify(request)}`.slice(0, LONGEST_REASON))
  }
  if (mismatches.length > MOST_MISMATCHES) console.log(`    … ${mismatches.length - MOST_MISMATCHES} more`)
  return mismatches.length === 0
}

/** The modules of the build, of which the public entries have only a part. */
async function builtModules() {
  const [index, internals, lookup, replaying, world, reason, contracts, known, frames, traces] =
    await Promise.all([
      import('../dist/index.js'),
      import('../dist/core/emulator/internals.js'),
      import('../dist/core/node/lookup.js'),
      import('../dist/core/node/replay.js'),
      import('../dist/core/state/world-state.js'),
      import('../dist/core/execution/result/revert-reason.js'),
      import('../dist/tools/solidity/artifacts/read-contracts.js'),
      import('../dist/tools/solidity/model/contract-index.js'),
      import('../dist/tools/solidity/failures/traced-frame.js'),
      import('../dist/tools/solidity/failures/stack-trace.js'),
    ])
  const first = { ...index, ...internals, ...lookup, ...replaying, ...world, ...reason }
  return { ...first, ...contracts, ...known, ...frames, ...traces }
}

/** Runs the cases of all compilers that are there; true if all traces are right. @param {string} directory */
async function traceStacks(directory) {
  const cases = stackTraceCases(directory).filter(({ name }) => isWanted(name))
  const modules = await builtModules()
  const compilers = compilersIn(values.compilers)
  const left = cases.filter((each) => !compilers.some(({ version }) => isFor(each, version)))
  const missing = left.filter(({ definition }) => definition.skip !== true)
  let isRight = true
  for (const compiler of compilers) {
    const own = cases.filter((each) => isFor(each, compiler.version))
    for (const interpreter of interpreters) {
      const startChain = tracedChains(modules, interpreter)
      const reasons = []
      for (const [index, each] of own.entries()) {
        showProgress(`… solc ${compiler.version}  ${index} of ${own.length}`)
        const reason = await runStackTraceCase(each, compiler, startChain)
        if (reason !== undefined) reasons.push(`${each.name}: ${reason}`)
      }
      isRight &&= reasons.length === 0
      showProgress('')
      const label = `solc ${compiler.version}, ${interpreter}`
      console.log(
        `${reasons.length === 0 ? '✓' : '✗'} ${label}  ${own.length - reasons.length} of ${own.length}`,
      )
      for (const reason of reasons) console.log(`    ${reason.slice(0, LONGEST_REASON)}`)
    }
  }
  if (missing.length > 0) console.log(`– ${missing.length} cases skipped: --compilers has no solc for them`)
  return isRight
}

/** Builds real blocks of the OP stack; true if all have their hashes. @param {string} directory */
async function buildOpBlocks(directory) {
  const names = opBlockNames(directory).filter(isWanted)
  let isRight = true
  for (const name of names) {
    showProgress(`… block ${name}`)
    const reason = await runOpBlock(startChain, readOpBlock(directory, name)).catch(describeError)
    isRight &&= reason === undefined
    showProgress('')
    console.log(`${reason === undefined ? '✓' : '✗'} block ${name}`)
    if (reason !== undefined) console.log(`    ${reason.slice(0, LONGEST_REASON)}`)
  }
  return isRight
}

/** Runs a project's Solidity tests; true if all pass that have to. @param {string} directory */
async function runSolidity(directory) {
  if (values.interpreter !== 'wasm') {
    console.log('– Solidity tests  skipped: they run on the WebAssembly interpreter alone')
    return true
  }
  const { runSolidityTests } = await import('tickchain/solidity-tests')
  const [first] = compilersIn(values.compilers).filter(({ version }) => version.startsWith('0.8.'))
  const { compile, version } = /** @type {NonNullable<typeof first>} */ (first)
  const options = { solc: { compile, version: () => version } }
  const { count, reasons } = await runSolidityProject(runSolidityTests, directory, options, isWanted)
  console.log(`${reasons.length === 0 ? '✓' : '✗'} Solidity tests  ${count - reasons.length} of ${count}`)
  for (const reason of reasons) console.log(`    ${reason.slice(0, LONGEST_REASON)}`)
  return reasons.length === 0
}

/** The runs of a path; each resolves to its success. @param {string} path @returns {(() => Promise<boolean>)[]} */
function runsOf(path) {
  const scenarios = scenarioFiles(path)
  if (scenarios.length > 0) return scenarios.filter(isWanted).map((file) => () => replay(file))
  if (!statSync(path).isDirectory()) return []
  if (opBlockNames(path).length > 0) return [() => buildOpBlocks(path)]
  if (hasSolidityTests(path)) return [() => runSolidity(path)]
  if (hasStackTraces(path)) return [() => traceStacks(path)]
  if (hasTraceVectors(path)) return [() => compareTraces(path)]
  return existsSync(join(path, 'chain.rlp')) ? [() => answerVectors(path)] : []
}

/** The same for the subfolders of a folder without recordings of its own; names those that have none either. @param {string} path */
function runsUnder(path) {
  const runs = runsOf(path)
  if (runs.length > 0 || !statSync(path).isDirectory()) return { runs, skipped: [] }
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const found = folders.map(({ name }) => ({ name, runs: runsOf(join(path, name)) }))
  return {
    runs: found.flatMap((each) => each.runs),
    skipped: found.filter((each) => each.runs.length === 0).map(({ name }) => name),
  }
}

const { runs, skipped } = path !== undefined && existsSync(path) ? runsUnder(path) : { runs: [], skipped: [] }
if (runs.length === 0) {
  refuse(path === undefined ? 'no folder or file is given' : `nothing to answer in ${path}`)
}
process.exitCode = 0
for (const run of runs) {
  if (!(await run())) process.exitCode = 1
}
for (const name of skipped) {
  console.log(
    `– ${name}  skipped: neither vectors of execution-apis, nor scenarios, nor tracer vectors, nor cases of stack traces, nor blocks of the OP stack, nor Solidity tests`,
  )
}
if (interpreters.length > 1) {
  console.log(`\n${differences.length} answers differ between ${interpreters.join(' and ')}`)
  for (const { what, found } of differences.slice(0, MOST_MISMATCHES)) {
    console.log(`    ${found}`.slice(0, LONGEST_REASON))
    console.log(`        ${what}`.slice(0, LONGEST_REASON))
  }
  if (differences.length > 0) process.exitCode = 1
}
