// Answers that are on their way: they arrive when the virtual clock gets there, in the order of their times.

import type { Effect } from '../../node/events.ts'
import { failure } from '../../primitives/errors.ts'

export interface HeldAnswer {
  /** When it arrives; infinity for never. */
  readonly dueAtMs: number
  readonly arrive: () => void
  readonly abandon: (error: unknown) => void
}

/** The arrival of an answer that waits from the moment at which `hold` is called. */
export function holdAnswer(
  held: Set<HeldAnswer>,
  dueAtMs: number,
): { readonly arrival: Promise<void>; readonly hold: Effect } {
  let hold: Effect = () => {}
  const arrival = new Promise<void>((arrive, abandon) => {
    hold = () => held.add({ dueAtMs, arrive, abandon })
  })
  // The emulator may be disposed of before anybody waits for it.
  arrival.catch(() => undefined)
  return { arrival, hold }
}

/** Lets what is due arrive. */
export function releaseAnswers(held: Set<HeldAnswer>, nowMs: number): void {
  if (held.size === 0) return
  // Of the same time, the one that was asked for first.
  const due = [...held].filter(({ dueAtMs }) => dueAtMs <= nowMs).sort((a, b) => a.dueAtMs - b.dueAtMs)
  for (const answer of due) {
    held.delete(answer)
    answer.arrive()
  }
}

/** Lets all wait as long as they would have, where the clock was moved by other means than time. */
export function keepHolding(held: Set<HeldAnswer>, movedMs: number): void {
  const all = [...held]
  held.clear()
  for (const answer of all) held.add({ ...answer, dueAtMs: answer.dueAtMs + movedMs })
}

/** Ends all waiting, because the emulator ends. */
export function abandonAnswers(held: Set<HeldAnswer>): void {
  for (const { abandon } of held) abandon(failure('disposed'))
  held.clear()
}
