// Answers delayed by a fault: they arrive on the virtual clock, in the order of their times.

import type { Effect } from '../../node/events.ts'
import { failure } from '../../primitives/errors.ts'

export interface HeldAnswer {
  /** When it arrives, in virtual milliseconds; infinity for never. */
  readonly dueAtMs: number
  readonly arrive: () => void
  readonly abandon: (error: unknown) => void
}

/** A delayed answer: `hold` starts the wait, and `arrival` resolves at its end. */
export function holdAnswer(
  held: Set<HeldAnswer>,
  dueAtMs: number,
): { readonly arrival: Promise<void>; readonly hold: Effect } {
  let hold: Effect = () => {}
  const arrival = new Promise<void>((arrive, abandon) => {
    hold = () => held.add({ dueAtMs, arrive, abandon })
  })
  // The emulator may be disposed of before this is awaited.
  arrival.catch(() => undefined)
  return { arrival, hold }
}

/** Releases the answers that are due. */
export function releaseAnswers(held: Set<HeldAnswer>, nowMs: number): void {
  if (held.size === 0) return
  // Those of the same time arrive in the order of their requests, because the sort is stable.
  const due = [...held].filter(({ dueAtMs }) => dueAtMs <= nowMs).sort((a, b) => a.dueAtMs - b.dueAtMs)
  for (const answer of due) {
    held.delete(answer)
    answer.arrive()
  }
}

/** Moves the due times along when a revert, a reset or a load moves the clock. */
export function shiftDueTimes(held: Set<HeldAnswer>, movedMs: number): void {
  const all = [...held]
  held.clear()
  for (const answer of all) held.add({ ...answer, dueAtMs: answer.dueAtMs + movedMs })
}

/** Rejects all waits, because the emulator is disposed of. */
export function abandonAnswers(held: Set<HeldAnswer>): void {
  for (const { abandon } of held) abandon(failure('disposed'))
  held.clear()
}
