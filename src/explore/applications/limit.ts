// The real time that a run may take. fast-check has the timer: nothing but the cut itself depends on it.

import { asyncProperty, check, constant } from 'fast-check'
import type { Failure } from './player.ts'

/** The failure of a run that was cut. */
export function hungIn(name: string, limitMs: number): Failure {
  return { kind: 'storyHung', name, error: new Error(`it has taken more than ${limitMs} ms`) }
}

/** Runs a task; `undefined` if it takes longer. What the task throws is thrown. */
export async function within<Value>(
  limitMs: number,
  task: () => Promise<Value>,
): Promise<{ readonly value: Value } | undefined> {
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
