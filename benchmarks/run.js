// @ts-check
// npm run bench [-- names of benchmarks] [-- --json] [-- --write]
// Benchmark runner. Each benchmark has a separate process, so that none is affected by the code and memory of another.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawPicture } from './picture.js'
import { writeBetween } from './readme.js'
import { formatTable } from './report.js'
import { SUITES } from './suites/index.js'

/** @typedef {import('./measure.js').Row} Row */

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    worker: { type: 'boolean', default: false },
  },
})

/** Runs one benchmark in this process and sends its results to the parent. @param {string} name */
async function work(name) {
  const suite = SUITES[name]
  const send = (/** @type {unknown} */ message) => process.send?.(message)
  await suite?.run(
    (row) => send({ row }),
    (text) => send({ text }),
  )
  const { user, system } = process.cpuUsage()
  if (!suite?.isInOtherProcesses) send({ share: (user + system) / 1000 / performance.now() })
  process.disconnect?.()
}

/** @param {string} text */
function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}

/** @param {string} name @param {string} prefix */
async function runApart(name, prefix) {
  const child = fork(fileURLToPath(import.meta.url), ['--worker', name], { execArgv: ['--expose-gc'] })
  /** @type {Row[]} */
  const rows = []
  let share = 1
  child.on('message', (/** @type {{ row?: Row, text?: string, share?: number }} */ message) => {
    if (message.row !== undefined) rows.push(message.row)
    if (message.text !== undefined) showProgress(`${prefix} ${name}: ${message.text}`)
    if (message.share !== undefined) share = message.share
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  return { name, title: SUITES[name]?.title ?? name, share, rows }
}

function describeMachine() {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim()}, Node ${process.version}, ${process.platform} ${process.arch}`
}

async function main() {
  const names = positionals.length > 0 ? positionals : Object.keys(SUITES)
  const unknown = names.filter((name) => SUITES[name] === undefined)
  if (unknown.length > 0)
    throw new Error(`no benchmark ${unknown}; there are ${Object.keys(SUITES).join(', ')}`)
  if (options.write && positionals.length > 0) throw new Error('--write takes all benchmarks')

  const load = loadavg()[0] ?? 0
  if (load > 0.5)
    showProgress(`Other work is running here (load ${load.toFixed(1)}): the numbers are too high.\n`)
  const results = []
  for (const [index, name] of names.entries()) {
    results.push(await runApart(name, `[${index + 1}/${names.length}]`))
  }
  showProgress('')
  const machine = describeMachine()
  const table = formatTable(results)
  console.log(options.json ? JSON.stringify({ machine, load, results }, null, 2) : `${machine}\n\n${table}`)
  if (options.write) {
    writeBetween('numbers', `${machine}\n\n${table}`)
    writeFileSync(new URL('../docs/benchmarks.svg', import.meta.url), drawPicture(results))
  }
}

if (options.worker) await work(positionals[0] ?? '')
else await main()
