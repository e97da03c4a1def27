// @ts-check
// node benchmarks/explore/speed.js CONTRACT SECONDS SEED < compiled.json
// Calls of an exploration of a contract of Ordinary.sol for a second of processor time. A process of its own for each, in
// which nothing has run before: what the engine compiles on the way counts. The contracts come compiled on its standard
// input, since an engine goes on optimizing solc in other threads after it has ended.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exploreContracts } from 'tickchain/explore'
import { compile, deploy, processorSeconds } from './contract.js'

export const ORDINARY = new URL('Ordinary.sol', import.meta.url)
/** As many as are divided into searches of 500 runs; the time is over before they are. */
const RUNS = 16 * 500
const SCRIPT = fileURLToPath(import.meta.url)

/** @param {string} name @param {number} seconds @param {number} seed */
async function countCalls(name, seconds, seed) {
  const { chain, contract: test } = await deploy(JSON.parse(readFileSync(0, 'utf8')), name)
  const start = processorSeconds()
  const counted = { calls: 0, failed: 0, time: 0, firstSecond: 0 }
  let isOver = false
  /** @param {{ calls: number, failed: number }} report */
  function progress({ calls, failed }) {
    const time = processorSeconds() - start
    Object.assign(counted, { calls, failed, time })
    if (counted.firstSecond === 0 && time >= 1) counted.firstSecond = calls / time
    isOver = time >= seconds
    if (isOver) throw new Error('the time is over')
  }
  await exploreContracts(chain, { test, runs: RUNS, seed, progress }).catch((error) => {
    if (!isOver) throw error
  })
  const { calls, failed, time, firstSecond } = counted
  return { calls: calls / time, succeeded: (calls - failed) / time, firstSecond: Math.round(firstSecond) }
}

/**
 * Calls for a second within so many, those of them that succeeded, and calls in the first, in a process of its own.
 * @param {string} name @param {number} seconds @param {number} seed
 * @returns {{ calls: number, succeeded: number, firstSecond: number }}
 */
export function measureCalls(name, seconds, seed) {
  const args = [SCRIPT, name, `${seconds}`, `${seed}`]
  const input = JSON.stringify(compile(readFileSync(ORDINARY, 'utf8')))
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', input }))
}

const [, script, name, seconds, seed] = process.argv
if (script === SCRIPT && name !== undefined)
  console.log(JSON.stringify(await countCalls(name, Number(seconds), Number(seed))))
