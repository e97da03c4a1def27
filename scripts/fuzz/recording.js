// @ts-check
// What an observer is told of a case, in comparable form.

import { createHash } from 'node:crypto'
import { describe } from './compare.js'
import { runCase } from './execute.js'

/**
 * @typedef {import('./execute.js').Runner} Runner
 * @typedef {import('./world.js').Case} Case
 * @typedef {import('../../src/core/interpreter/observer.ts').ObservedStep} ObservedStep
 * @typedef {import('../../src/core/interpreter/observer.ts').Observer} Observer
 * @typedef {'steps' | 'frames'} Detail what is recorded: everything, or all but the steps
 */

/** @param {ObservedStep} step */
function textOfStep(step) {
  const { depth, pc, opcode, gas, address, stackSize, memorySize, refund } = step
  return describe({
    ...{ depth, pc, opcode, gas, address, stackSize, memorySize, refund, stack: step.stack() },
    ...{ peek: [0, 1, stackSize].map(step.peek), returnData: step.returnData() },
    memory: memorySize > 4096 ? step.memory(0, 4096) : step.memory(),
    ...{ part: step.memory(31, 70), none: step.memory(5, 5) },
  })
}

const LONGEST_LINE = 2000
/** After so many lines, a step is told without its stack and memory: loops until the gas is spent have millions. */
const MOST_WHOLE = 5000

/** Deep stacks and large memory, step by step, are gigabytes. @param {string} line */
function shortened(line) {
  if (line.length <= LONGEST_LINE) return line
  // A copy: a slice keeps the whole line in memory.
  const start = Buffer.from(line.slice(0, LONGEST_LINE)).toString()
  return `${start}... with SHA-1 ${createHash('sha1').update(line).digest('hex')}`
}

/** Runs a case under an observer; returns a line for all that it is told. @param {Runner} runner @param {Case} that @param {Detail} detail */
export async function recordingOf(runner, that, detail) {
  const { observe } = runner.library
  /** @type {string[]} */
  const lines = []
  /** @type {Observer} */
  const observer = {
    enter: (frame) => lines.push(`enter ${describe(frame)}`),
    exit: (end) => lines.push(`exit ${describe(end)}`),
    log: (log) => lines.push(`log ${describe(log)}`),
    access: (access) =>
      lines.push(`access ${describe([access.opcode, access.address, ...[0, 1, 2, 7].map(access.peek)])}`),
  }
  /** @type {Observer} */
  const steps = {
    step(step) {
      const { depth, pc, opcode, gas } = step
      const isWhole = lines.length < MOST_WHOLE
      lines.push(isWhole ? shortened(`step ${textOfStep(step)}`) : `step ${depth} ${pc} ${opcode} ${gas}`)
    },
    stepEnd({ cost, error }) {
      lines.push(`end ${cost} ${error}`)
    },
  }
  const told = detail === 'steps' ? { ...observer, ...steps } : observer
  await runCase(runner, that, (instance, run) => observe(instance, told, run))
  return lines
}

/**
 * The first difference in what observers of two runners are told of a case.
 * @param {Runner} reference
 * @param {Runner} other
 * @param {Case} that
 * @returns {Promise<import('./compare.js').Difference[]>}
 */
export async function recordingDifferences(reference, other, that) {
  for (const detail of /** @type {const} */ (['steps', 'frames'])) {
    const [expected, got] = [
      await recordingOf(reference, that, detail),
      await recordingOf(other, that, detail),
    ]
    const length = Math.max(expected.length, got.length)
    for (let i = 0; i < length; i++) {
      const [one, two] = [expected[i] ?? 'nothing', got[i] ?? 'nothing']
      if (one !== two)
        return [{ path: `${detail}, line ${i} after ${expected[i - 1]}`, reference: one, other: two }]
    }
  }
  return []
}
