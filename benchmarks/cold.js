// @ts-check
// npm run bench:cold [-- --rounds 5] [-- --subjects tickchain,Hardhat] [-- --scenarios PATH] [-- --node PATH] [-- --json] [-- --write]
// npm run bench:half: the third to the tenth time of each work instead.
// The first second: what other emulators and this one take in fresh processes, where nothing is compiled yet. Each number
// is the median of as many processes, and the subjects take turns.

import { execFile } from 'node:child_process'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { scenarioFiles } from '../scripts/conformance/scenarios.js'
import { compileWork } from './comparison/contracts.js'
import { installPeers } from './comparison/peers.js'
import { describeMachine, inTurn, loadBefore, showProgress, toRows } from './comparison/rounds.js'
import { formatComparison, formatInShort, IN_SHORT } from './comparison/table.js'
import { FRONT_PAGE, writeBetween } from './readme.js'

/** @typedef {import('./compare.js').Comparison} Comparison */
/** @typedef {Readonly<Record<string, number>>} Took milliseconds by name, `processor` among them; megabytes as `memory` */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    subjects: { type: 'string', default: 'tickchain,Hardhat,anvil' },
    scenarios: { type: 'string' },
    node: { type: 'string' },
    half: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const names = options.subjects.split(',')
const peersNode = installPeers(showProgress)
const node = options.node ?? peersNode
const code = JSON.stringify(compileWork())
const script = fileURLToPath(new URL('comparison/cold.js', import.meta.url))

/** @param {string} task @param {string} subject @param {string} [detail] @returns {Promise<Took>} */
async function inFreshProcess(task, subject, detail = '') {
  try {
    const { stdout, stderr } = await promisify(execFile)(node, [script, task, subject, detail, code])
    process.stderr.write(stderr)
    return JSON.parse(stdout)
  } catch (cause) {
    const { stderr } = /** @type {{ stderr?: string }} */ (cause)
    throw new Error(`${subject} failed at ${task} ${basename(detail)}: ${stderr ?? ''}`, { cause })
  }
}

/** @param {ReadonlyMap<string, readonly Took[]>} results @param {(took: Took) => number} choose @param {string} [unit] */
function rowsOf(results, choose, unit = '') {
  const amounts = [...results].map(([subject, all]) => {
    const measured = all.map((took) => choose(took) * 1000).filter((amount) => !Number.isNaN(amount))
    return /** @type {const} */ ([subject, measured])
  })
  return toRows(new Map(amounts.filter(([, measured]) => measured.length > 0)), { unit })
}

/** @param {string} task @param {string} detail @param {readonly string[]} subjects @param {number} count */
async function measure(task, detail, subjects, count) {
  return inTurn(subjects, count, (subject, round) => {
    showProgress(`${task} ${basename(detail)}: ${subject}, ${round + 1} of ${count}`)
    return inFreshProcess(task, subject, detail)
  })
}

/** @param {Took} took */
function all({ memory: _, processor: __, ...phases }) {
  return Object.values(phases).reduce((sum, ms) => sum + ms, 0)
}

/** @returns {Promise<Comparison[]>} */
async function compareFiles() {
  const short = await measure('file', '20', names, rounds)
  const long = await measure('file', '100', names, rounds)
  /** @param {string} name */
  const phase = (name) => rowsOf(short, (took) => took[name] ?? Number.NaN)
  return [
    { name: 'start, until the first answer', most: 45_000, rows: phase('start') },
    { name: 'the first deployment after it', most: 40_000, rows: phase('first deployment') },
    { name: 'the second deployment', rows: phase('second deployment') },
    { name: '20 tests after them', rows: phase('tests') },
    { name: 'a file of 20 tests, all of it', target: 0.3, rows: rowsOf(short, all) },
    { name: 'its processor time, with that of Node', rows: phase('processor') },
    { name: 'a file of 100 tests, all of it', target: 0.4, rows: rowsOf(long, all) },
    {
      name: 'memory after 100 tests',
      most: 120_000,
      rows: rowsOf(long, ({ memory = Number.NaN }) => memory, 'kB'),
    },
  ]
}

/** Goals of half-warm works, relative to Hardhat or to anvil. @type {Readonly<Record<string, Pick<Comparison, 'target' | 'targetToAnvil'>>>} */
const HALF_WARM_TARGETS = {
  'signed transfer, automined, with its receipt': { target: 0.35 },
  'ERC-20 transfer, automined, with its receipt': { target: 0.35 },
  '10,000 keccak-256, eth_call': { targetToAnvil: 1 },
  '20,000 mixed arithmetic, eth_call': { targetToAnvil: 1 },
  '100,000 Fibonacci steps, eth_call': { targetToAnvil: 1 },
  'bubble sort of 150, eth_call': { targetToAnvil: 1 },
  '500 storage writes, a transaction': { target: 0.4 },
  '500 logs, a transaction': { target: 0.4 },
  'an empty block, and its hash': { target: 1 },
  '2,000 empty blocks in one call': { target: 0.5 },
  'eth_getLogs, 1,000 logs': { target: 0.8 },
}

/** @returns {Promise<Comparison[]>} */
async function compareWorks() {
  const subjects = options.half ? [...names, 'limit'] : names
  const results = await measure('works', options.half ? 'half warm' : '', subjects, rounds)
  const done = new Set([...results.values()].flat().flatMap((took) => Object.keys(took)))
  return [...done].map((name) => ({
    name,
    ...(options.half ? HALF_WARM_TARGETS[name] : { target: 0.8 }),
    rows: rowsOf(results, (took) => took[name] ?? Number.NaN),
  }))
}

/** @param {string} path @returns {Promise<Comparison[]>} */
async function compareScenarios(path) {
  const found = []
  // anvil has other answers than the recorded ones.
  const subjects = names.filter((name) => name !== 'anvil')
  for (const file of scenarioFiles(resolve(path))) {
    const results = await measure('scenario', file, subjects, Math.min(rounds, 3))
    const name = `recorded: ${basename(file).replace(/_.*$/, '')}`
    found.push({ name, target: 0.7, rows: rowsOf(results, all) })
  }
  return found
}

const load = loadBefore()
const comparisons = [...(options.half ? [] : await compareFiles()), ...(await compareWorks())]
if (options.scenarios !== undefined) comparisons.push(...(await compareScenarios(options.scenarios)))
showProgress('')

const machine = describeMachine(node, load)
const table = formatComparison(comparisons, names)
if (options.json) {
  const plain = comparisons.map(({ rows, ...rest }) => ({ ...rest, rows: Object.fromEntries(rows) }))
  console.log(JSON.stringify({ machine, comparisons: plain }, null, 2))
} else console.log(`${machine}\n\n${table}`)
if (options.write && options.half) writeBetween('half', `${machine}\n\n${table}`)
else if (options.write) {
  writeBetween('cold', `${machine}\n\n${table}`)
  writeBetween('cold', `${formatInShort(comparisons, IN_SHORT.cold)}\n\n${machine}`, FRONT_PAGE)
}
