// Fails a file that leaves a timer running: its client would poll while the next file of the worker runs.

import { setTimeout } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'

type SetTimer = (callback: (...values: unknown[]) => void, ...rest: unknown[]) => unknown
interface Timers {
  setTimeout: SetTimer
  setInterval: SetTimer
  clearTimeout: (timer: unknown) => void
  clearInterval: (timer: unknown) => void
  /** The running timers, with where they were set. Kept for the worker, so that it survives the file. */
  running?: Map<unknown, Error>
}

const timers = globalThis as unknown as Timers

function follow(): Map<unknown, Error> {
  const running = new Map<unknown, Error>()
  const { setTimeout: setOnce, setInterval, clearTimeout, clearInterval } = timers
  timers.setTimeout = (callback, ...rest) => {
    const timer = setOnce(
      (...values) => {
        running.delete(timer)
        callback(...values)
      },
      ...rest,
    )
    running.set(timer, new Error('set here'))
    return timer
  }
  timers.setInterval = (...given) => {
    const timer = setInterval(...given)
    running.set(timer, new Error('set here'))
    return timer
  }
  const clear =
    (original: (timer: unknown) => void) =>
    (timer: unknown): void => {
      running.delete(timer)
      original(timer)
    }
  timers.clearTimeout = clear(clearTimeout)
  timers.clearInterval = clear(clearInterval)
  return running
}

timers.running ??= follow()
const { running } = timers

/** Timers that are not ours: Node's fetch keeps one, and Playwright's socket waits for its end. */
const FOREIGN = /node:internal\/deps|playwright-core/

/** Where the timers that run were set. */
function left(): string[] {
  return [...running.values()].map(({ stack = '' }) => stack).filter((stack) => !FOREIGN.test(stack))
}

/** A client that has ended may wait once more before it notices. */
const GRACE_MS = 10_000

afterAll(async () => {
  const end = performance.now() + GRACE_MS
  while (left().length > 0 && performance.now() < end) await setTimeout(5)
  expect(left(), 'timers that the file leaves running').toEqual([])
})
