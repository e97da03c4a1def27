// @ts-check
// Rounds of a comparison, in which the subjects take turns, and what is told of the machine.

import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { toRow } from '../measure.js'

/** @param {string} text */
export function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}

/**
 * Repeatedly takes a result from each subject in turn, so that disturbances of the machine affect all of them.
 * @template Result
 * @param {readonly string[]} subjects @param {number} count
 * @param {(subject: string, round: number) => Promise<Result>} measure
 */
export async function inTurn(subjects, count, measure) {
  /** @type {Map<string, Result[]>} */
  const results = new Map(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < count; round++) {
    for (const [subject, measured] of results) {
      try {
        measured.push(await measure(subject, round))
      } catch (error) {
        // A subject that cannot do this work is excluded from it alone.
        process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
        results.delete(subject)
      }
    }
  }
  return results
}

/** @param {ReadonlyMap<string, readonly number[]>} times @param {Partial<import('../measure.js').Row>} [more] */
export function toRows(times, more) {
  return new Map([...times].map(([subject, measured]) => [subject, toRow(subject, measured, more)]))
}

/** The average number of running processes in the last minute; says so if there is other work. */
export function loadBefore() {
  const load = loadavg()[0] ?? 0
  if (load > 0.5) process.stderr.write(`Other work is running here (load ${load.toFixed(1)}).\n`)
  return load
}

/** The machine, its load and the Node of the processes, for a table. @param {string} node @param {number} load @param {string} [more] */
export function describeMachine(node, load, more = '') {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const processor = `${availableParallelism()} × ${cpus()[0]?.model.trim()}`
  return `${processor}, ${process.platform} ${process.arch}, Node ${version}${more}, load ${load.toFixed(1)} before`
}
