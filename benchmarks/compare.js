// @ts-check
// npm run bench:peers [-- --rounds 9] [-- --only transfer] [-- --memory 10000] [-- --json] [-- --write]
// Comparison with other emulators, warm: the same work on each, in separate processes, whose rounds take turns. What a
// fresh process takes is measured by cold.js.

import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compileWork } from './comparison/contracts.js'
import { installPeers } from './comparison/peers.js'
import { drawComparison } from './comparison/picture.js'
import { describeMachine, inTurn, loadBefore, showProgress } from './comparison/rounds.js'
import { formatComparison, formatInShort, IN_SHORT } from './comparison/table.js'
import { WORK } from './comparison/work.js'
import { toRow } from './measure.js'
import { FRONT_PAGE, writeBetween } from './readme.js'

/** @typedef {import('./measure.js').Row} Row */
/**
 * @typedef {object} Comparison
 * @property {string} name
 * @property {number} [target] goal for our amount relative to Hardhat's
 * @property {number} [targetToAnvil] the same, relative to anvil's
 * @property {number} [most] goal for our amount
 * @property {ReadonlyMap<string, Row>} rows
 */
/** @typedef {ReturnType<typeof startWorker>} Worker */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    subjects: { type: 'string', default: 'tickchain,Hardhat,anvil,Ganache' },
    memory: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

/** Warm-up rounds. The first of them is reported as well: a short test takes as long. */
const WARM_UP = 5
const rounds = Number(options.rounds)
const names = options.subjects.split(',')

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

/** @param {(subject: string) => Worker} start @returns {Promise<Comparison[]>} */
async function compareWork(start) {
  const workers = new Map(names.map((name) => [name, start(name)]))
  const found = []
  for (const [index, { name, target, targetToAnvil, without = [] }] of WORK.entries()) {
    if (options.only !== undefined && !name.includes(options.only)) continue
    showProgress(`[${index + 1}/${WORK.length}] ${name}`)
    const subjects = names.filter((subject) => !without.includes(subject))
    const ask = (/** @type {string} */ subject) =>
      /** @type {Worker} */ (workers.get(subject)).ask({ do: 'round', work: index })
    const times = await inTurn(subjects, WARM_UP + rounds, ask)
    const rows = [...times].map(
      ([subject, [first = Number.NaN, ...others]]) =>
        /** @type {const} */ ([subject, toRow(subject, others.slice(WARM_UP - 1), { first })]),
    )
    found.push({
      name,
      ...(target === undefined ? {} : { target }),
      ...(targetToAnvil === undefined ? {} : { targetToAnvil }),
      rows: new Map(rows),
    })
  }
  for (const { end } of workers.values()) end()
  return found
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

const node = installPeers(showProgress)
/** All run on the same Node; Ganache, which is no longer maintained, on one that it supports. */
const nodeOf = (/** @type {string} */ subject) => (subject === 'Ganache' ? process.execPath : node)
const code = JSON.stringify(compileWork())
const start = (/** @type {string} */ subject) => startWorker(nodeOf(subject), subject, code)

const load = loadBefore()
const comparisons = await compareWork(start)
if (options.memory !== undefined) comparisons.push(await compareMemory(start, Number(options.memory)))
showProgress('')

const ofGanache = names.includes('Ganache') ? ` (Ganache on ${process.version})` : ''
const machine = describeMachine(node, load, ofGanache)
const table = formatComparison(comparisons, names)
if (options.json) {
  const plain = comparisons.map(({ rows, ...rest }) => ({ ...rest, rows: Object.fromEntries(rows) }))
  console.log(JSON.stringify({ machine, comparisons: plain }, null, 2))
} else console.log(`${machine}\n\n${table}`)
if (options.write) {
  writeBetween('comparison', `${machine}\n\n${table}`)
  writeBetween('speed', `${formatInShort(comparisons, IN_SHORT.warm)}\n\n${machine}`, FRONT_PAGE)
  writeFileSync(new URL('../docs/comparison.svg', import.meta.url), drawComparison(comparisons))
}
process.exit()
