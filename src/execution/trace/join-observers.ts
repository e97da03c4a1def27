// Several observers of one execution.

import type { Observer } from './observer.ts'

/** Tells several observers, in their order. What none of them listens to is not observed. */
export function joinObservers(observers: readonly Observer[]): Observer {
  const tell = <Told>(listeners: readonly (((told: Told) => void) | undefined)[]) => {
    const heard = listeners.filter((listener) => listener !== undefined)
    if (heard.length === 0) return undefined
    return (told: Told): void => {
      for (const listener of heard) listener(told)
    }
  }
  return {
    enter: tell(observers.map(({ enter }) => enter)),
    exit: tell(observers.map(({ exit }) => exit)),
    log: tell(observers.map(({ log }) => log)),
    access: tell(observers.map(({ access }) => access)),
    step: tell(observers.map(({ step }) => step)),
    stepEnd: tell(observers.map(({ stepEnd }) => stepEnd)),
  }
}
