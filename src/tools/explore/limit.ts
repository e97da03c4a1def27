// The real time that something may take. fast-check has the timer: nothing but the cut itself depends on it.

import { asyncProperty, check, constant } from 'fast-check'
import { passTurn } from './strays.ts'

/** Runs a task; `undefined` if it takes longer. What the task throws is thrown. */
export async function within<Value>(limitMs: number, task: () => Promise<Value>) {
  let ended: { readonly value: Value } | { readonly error: unknown } | undefined
  const property = asyncProperty(constant(undefined), async () => {
    try {
      ended = { value: await task() }
    } catch (error) {
      ended = { error }
    }
  })
  await check(property, { numRuns: 1, timeout: limitMs, endOnFailure: true })
  if (ended !== undefined && 'error' in ended) throw ended.error
  return ended
}

/** Runs a task while `at` changes; `undefined` if it stays the same for the limit. What the task throws is thrown. */
export async function whileMoving<Value>(limitMs: number, at: () => unknown, task: () => Promise<Value>) {
  const running = task()
  for (;;) {
    const before = at()
    const ended = await within(limitMs, () => running)
    if (ended !== undefined || at() === before) return ended
  }
}

/** Begins to wait for the end of a time in seconds, if there is one. */
export function beginBudget(seconds: number | undefined) {
  let isOver = false
  let stop = (): void => {}
  if (seconds !== undefined) {
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    void within(1000 * seconds, () => stopped).then((ended) => {
      isOver = ended === undefined
    })
  }
  return {
    /** True when the time is over. A timer is only heard of in another turn of the event loop. */
    async isOver(): Promise<boolean> {
      if (seconds !== undefined) await passTurn()
      return isOver
    },
    stop: (): void => stop(),
  }
}
