// Several observers of one execution.

import type { Observer } from './observer.ts'

/** Joins functions that are told the same; `undefined` if there is none, so that nothing is paid for it. */
function joined<Told>(
  listeners: readonly (((told: Told) => void) | undefined)[],
): ((told: Told) => void) | undefined {
  const present = listeners.filter((listener) => listener !== undefined)
  if (present.length <= 1) return present[0]
  return (told) => {
    for (const listener of present) listener(told)
  }
}

/** An observer that tells all of these, in their order. */
export function combineObservers(observers: readonly Observer[]): Observer {
  return {
    enter: joined(observers.map(({ enter }) => enter)),
    exit: joined(observers.map(({ exit }) => exit)),
    log: joined(observers.map(({ log }) => log)),
    access: joined(observers.map(({ access }) => access)),
    accessFailed: joined<void>(observers.map(({ accessFailed }) => accessFailed)),
    step: joined(observers.map(({ step }) => step)),
    place: joined(observers.map(({ place }) => place)),
    stepEnd: joined(observers.map(({ stepEnd }) => stepEnd)),
  }
}
