// @ts-check
// Timing: medians and quartiles of several rounds, after a warm-up.

/**
 * The result of a benchmark. Times are in microseconds for one `unit`.
 * @typedef {object} Row
 * @property {string} name
 * @property {string} unit
 * @property {number} median
 * @property {number} low first quartile
 * @property {number} high third quartile
 * @property {number} rounds
 * @property {string} [compareWith] name of the row to divide this one's median by
 * @property {string} [note]
 * @property {number} [first] time of the first round, before anything was compiled
 * @property {{ panel: string, line: string, x: number }} [point] its place in the picture
 */

/**
 * @typedef {object} Suite
 * @property {string} title
 * @property {boolean} [isInOtherProcesses] whether it starts processes for the work
 * @property {(report: (row: Row) => void, progress: (text: string) => void) => Promise<void>} run
 */

/** @param {readonly number[]} values @param {number} part */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * part
  const below = Math.floor(position)
  const [low = Number.NaN, high = low] = sorted.slice(below, below + 2)
  return low + (high - low) * (position - below)
}

/**
 * A row from the rounds' times.
 * @param {string} name @param {readonly number[]} times @param {Partial<Row>} [more] @returns {Row}
 */
export function toRow(name, times, more = {}) {
  return {
    name,
    unit: '',
    median: quantile(times, 0.5),
    low: quantile(times, 0.25),
    high: quantile(times, 0.75),
    rounds: times.length,
    ...more,
  }
}

/** Duration of an action in microseconds. @param {() => unknown} action */
export async function timeOf(action) {
  const start = performance.now()
  await action()
  return (performance.now() - start) * 1000
}

/**
 * Processor time of an action in microseconds, with that of the garbage collector; for limits that hold on a machine
 * with other work. @param {() => unknown} action
 */
export async function processorTimeOf(action) {
  const start = process.cpuUsage()
  await action()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** Collects garbage (with --expose-gc), so that no round pays for another. */
export function collectGarbage() {
  const { gc } = /** @type {{ gc?: () => void }} */ (globalThis)
  gc?.()
}

/**
 * Microseconds for one call of a synchronous action that is too short to time alone: each round makes `perRound` calls.
 * @param {(index: number) => unknown} action @param {{ perRound: number, rounds?: number, warmUp?: number }} choice
 */
export function timeMany(action, { perRound, rounds = 11, warmUp = 3 }) {
  /** @type {number[]} */
  const times = []
  for (let round = -warmUp; round < rounds; round++) {
    const start = performance.now()
    for (let index = 0; index < perRound; index++) action(index)
    if (round >= 0) times.push(((performance.now() - start) * 1000) / perRound)
  }
  return times
}
