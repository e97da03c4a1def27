// @ts-check
// npm run bench:peers [-- --rounds 9] [-- --only transfer] [-- --scenarios DIR] [-- --memory 10000] [-- --json] [-- --write]
// Comparison with other emulators: the same work on each, in separate processes, with their rounds interleaved so that
// disturbances of the machine affect all of them.

import { execFileSync, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scenarioFiles } from '../scripts/conformance/scenarios.js'
import { compileWork } from './comparison/contracts.js'
import { installPeers } from './comparison/peers.js'
import { drawComparison } from './comparison/picture.js'
import { formatComparison, formatInShort } from './comparison/table.js'
import { WORK } from './comparison/work.js'
import { toRow } from './measure.js'
import { FRONT_PAGE, writeBetween } from './readme.js'

/** @typedef {import('./measure.js').Row} Row */
/** @typedef {{ name: string, target?: number | undefined, rows: Map<string, Row> }} Comparison */
/** @typedef {ReturnType<typeof startWorker>} Worker */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    subjects: { type: 'string', default: 'tickchain,Hardhat,anvil,Ganache' },
    scenarios: { type: 'string' },
    memory: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

/** Warm-up rounds. The first of them is reported as well: a short test takes as long. */
const WARM_UP = 5
const rounds = Number(options.rounds)
const names = options.subjects.split(',')

/** @param {string} text */
function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}

/** @param {string} node @param {string} subject @param {string} code */
function startWorker(node, subject, code) {
  const script = fileURLToPath(new URL('comparison/worker.js', import.meta.url))
  const child = fork(script, [subject, code], { execPath: node, execArgv: ['--expose-gc'] })
  /** @param {object} task @returns {Promise<number>} */
  const ask = (task) =>
    new Promise((succeed, fail) => {
      /** @param {{ us?: number | null, bytes?: number | null, text?: string, refused?: string }} answer */
      const onAnswer = (answer) => {
        if (answer.text !== undefined) return showProgress(`${subject}: ${answer.text}`)
        child.off('message', onAnswer).off('exit', onExit)
        if (answer.refused !== undefined) fail(new Error(`${subject}: ${answer.refused}`))
        else succeed(answer.us ?? answer.bytes ?? Number.NaN)
      }
      const onExit = (/** @type {number | null} */ code) => fail(new Error(`${subject} ended with ${code}`))
      child.on('message', onAnswer).once('exit', onExit).send(task)
    })
  return { ask, end: () => child.connected && child.send({ do: 'end' }) }
}

/** Repeatedly takes a number from each subject in turn. @param {readonly string[]} subjects
 * @param {(subject: string) => Promise<number>} measure @param {number} warmUp */
async function inTurn(subjects, measure, warmUp) {
  /** @type {Map<string, number[]>} */
  const times = new Map(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [subject, measured] of times) {
      try {
        measured.push(await measure(subject))
      } catch (error) {
        // A subject that cannot do this work is excluded from it alone.
        process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
        times.delete(subject)
      }
    }
  }
  return times
}

/** @param {ReadonlyMap<string, readonly number[]>} times */
function toRows(times) {
  return new Map([...times].map(([subject, measured]) => [subject, toRow(subject, measured)]))
}

/** @param {(subject: string) => Worker} start @returns {Promise<Comparison[]>} */
async function compareWork(start) {
  const workers = new Map(names.map((name) => [name, start(name)]))
  const found = []
  for (const [index, { name, target, without = [] }] of WORK.entries()) {
    if (options.only !== undefined && !name.includes(options.only)) continue
    showProgress(`[${index + 1}/${WORK.length}] ${name}`)
    const subjects = names.filter((subject) => !without.includes(subject))
    const ask = (/** @type {string} */ subject) =>
      /** @type {Worker} */ (workers.get(subject)).ask({ do: 'round', work: index })
    const times = await inTurn(subjects, ask, WARM_UP)
    const rows = [...times].map(
      ([subject, [first = Number.NaN, ...others]]) =>
        /** @type {const} */ ([subject, toRow(subject, others.slice(WARM_UP - 1), { first })]),
    )
    found.push({ name, target, rows: new Map(rows) })
  }
  for (const { end } of workers.values()) end()
  return found
}

/** @param {(subject: string) => string} nodeOf @returns {Promise<Comparison[]>} */
async function compareStart(nodeOf) {
  showProgress('starting')
  const script = fileURLToPath(new URL('comparison/start.js', import.meta.url))
  const startOn = (/** @type {string} */ program, /** @type {string} */ subject) =>
    Number(execFileSync(program, [script, subject], { encoding: 'utf8' })) * 1000
  const started = await inTurn(names, async (subject) => startOn(nodeOf(subject), subject), 0)
  const name = 'start, until the first answer, in a fresh process'
  const found = [{ name, rows: toRows(started) }]
  if (node === process.execPath) return found
  const onOwn = await inTurn(['tickchain'], async (subject) => startOn(process.execPath, subject), 0)
  return [...found, { name: `the same on Node ${process.version}`, rows: toRows(onOwn) }]
}

/** @param {(subject: string) => Worker} start @param {number} blocks @returns {Promise<Comparison>} */
async function compareMemory(start, blocks) {
  /** @type {Map<string, Row>} */
  const rows = new Map()
  for (const subject of names.filter((name) => name !== 'Ganache')) {
    const { ask, end } = start(subject)
    const bytes = await ask({ do: 'memory', blocks })
    end()
    rows.set(subject, toRow(subject, [bytes / 1000], { unit: 'kB' }))
  }
  return { name: `memory that ${blocks.toLocaleString('en')} blocks of 10 transfers take`, rows }
}

/** @param {(subject: string) => Worker} start @param {string} directory @returns {Promise<Comparison[]>} */
async function compareScenarios(start, directory) {
  const found = []
  for (const file of scenarioFiles(resolve(directory))) {
    /** @type {Map<string, Row>} */
    const rows = new Map()
    for (const subject of names.filter((name) => name === 'tickchain' || name === 'Hardhat')) {
      const times = []
      for (let round = 0; round < 3; round++) {
        const { ask, end } = start(subject)
        times.push(await ask({ do: 'scenario', file }))
        end()
      }
      rows.set(subject, toRow(subject, times))
    }
    found.push({ name: `recorded: ${file.replace(/^.*\/|_.*$/g, '')}`, target: 0.8, rows })
  }
  return found
}

const node = installPeers(showProgress)
/** All run on the same Node; Ganache, which is no longer maintained, on one that it supports. */
const nodeOf = (/** @type {string} */ subject) => (subject === 'Ganache' ? process.execPath : node)
const code = JSON.stringify(compileWork())
const start = (/** @type {string} */ subject) => startWorker(nodeOf(subject), subject, code)

const load = loadavg()[0] ?? 0
if (load > 0.5) process.stderr.write(`Other work is running here (load ${load.toFixed(1)}).\n`)
const comparisons = await compareWork(start)
if (options.only === undefined) comparisons.push(...(await compareStart(nodeOf)))
if (options.scenarios !== undefined) comparisons.push(...(await compareScenarios(start, options.scenarios)))
if (options.memory !== undefined) comparisons.push(await compareMemory(start, Number(options.memory)))
showProgress('')

const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${process.platform} ${process.arch}, Node ${version}${names.includes('Ganache') ? ` (Ganache on ${process.version})` : ''}, load ${load.toFixed(1)} before`
const table = formatComparison(comparisons, names)
if (options.json) {
  const plain = comparisons.map(({ rows, ...rest }) => ({ ...rest, rows: Object.fromEntries(rows) }))
  console.log(JSON.stringify({ machine, comparisons: plain }, null, 2))
} else console.log(`${machine}\n\n${table}`)
if (options.write) {
  writeBetween('comparison', `${machine}\n\n${table}`)
  writeBetween('speed', `${formatInShort(comparisons)}\n\n${machine}`, FRONT_PAGE)
  writeFileSync(new URL('../docs/comparison.svg', import.meta.url), drawComparison(comparisons))
}
process.exit()
