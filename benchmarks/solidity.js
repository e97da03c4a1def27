// @ts-check
// npm run bench:solidity -- PROJECT [--runs 256] [--rounds 3] [--match PATTERN]
// The Solidity tests of a project of Foundry, by forge and by runSolidityTests: processor time of fresh processes, which take turns,
// without that of compilers.

import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import solc from 'solc'
import { namedVersion } from '../scripts/conformance/solidity-tests.js'
import { installPeers } from './comparison/peers.js'
import { describeMachine, inTurn, loadBefore, showProgress } from './comparison/rounds.js'
import { run, writeCompiler } from './explore/forge.js'
import { quantile } from './measure.js'
import { alignTable } from './report.js'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '256' },
    rounds: { type: 'string', default: '3' },
    match: { type: 'string', default: '' },
  },
})
const [project] = positionals
if (project === undefined) throw new Error('name the folder of a project: npm run bench:solidity -- PROJECT')

/** @typedef {{ passed: number, failed: number, processor: number }} Took seconds */

const OURS = `
  import { createRequire } from 'node:module'
  import { runSolidityTests } from 'tickchain/solidity-tests'
  const require = createRequire(import.meta.url)
  const [root, version, runs, match] = process.argv.slice(1)
  const solc = { version: () => version, compile: (...given) => require('solc').compile(...given) }
  const results = await runSolidityTests(root, { solc, fuzzRuns: Number(runs), seed: 1, match: { file: new RegExp(match) } })
  const { user, system } = process.cpuUsage()
  const count = (status) => results.filter((each) => each.status === status).length
  console.log(JSON.stringify({ passed: count('passed'), failed: count('failed'), processor: (user + system) / 1e6 }))`

const folder = mkdtempSync(join(tmpdir(), 'bench-solidity-'))
const root = join(folder, 'project')
cpSync(resolve(project), root, { recursive: true })
const node = installPeers(showProgress)
const settings = {
  FOUNDRY_SOLC: writeCompiler(folder),
  FOUNDRY_OFFLINE: 'true',
  FOUNDRY_FUZZ_RUNS: options.runs,
  FOUNDRY_FUZZ_SEED: '1',
}

const toml = readFileSync(join(root, 'foundry.toml'), 'utf8')
const version = namedVersion(toml, solc.version())

/** @returns {Promise<Took>} */
async function ours() {
  const args = ['--input-type=module', '--eval', OURS, '--', root, version, options.runs, options.match]
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout) printed += chunk
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '')
}

/** @returns {Promise<Took>} */
async function forge() {
  const match = options.match === '' ? [] : ['--match-path', `*${options.match}*`]
  const { printed, seconds } = await run(root, ['test', '--threads', '1', ...match], settings)
  const [, passed, failed] = /(\d+) tests? passed, (\d+) failed[^\n]*\(\d+ total/.exec(printed) ?? []
  if (passed === undefined) throw new Error(`forge did not run:\n${printed.slice(-2000)}`)
  return { passed: Number(passed), failed: Number(failed), processor: seconds }
}

const SUBJECTS = { tickchain: ours, forge }
const names = Object.keys(SUBJECTS)
const load = loadBefore()
for (const [name, test] of Object.entries(SUBJECTS)) {
  showProgress(`${name} compiles`)
  await test()
}
const results = await inTurn(names, Number(options.rounds), async (name, round) => {
  showProgress(`${name}, round ${round + 1}`)
  return SUBJECTS[/** @type {keyof typeof SUBJECTS} */ (name)]()
})
showProgress('')
const rows = [...results].map(([name, all]) => {
  const { passed, failed } = /** @type {Took} */ (all[0])
  const seconds = all.map(({ processor }) => processor)
  return [name, `${passed}`, `${failed}`, `${quantile(seconds, 0.5).toFixed(2)} s`]
})
console.log(describeMachine(node, load))
console.log(alignTable([['', 'passed', 'failed', 'processor time'], ...rows]).join('\n'))
rmSync(folder, { recursive: true })
