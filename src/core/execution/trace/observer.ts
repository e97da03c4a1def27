// Observers of executions, for the layers above.

import type { FrameStart, Observer } from '../../interpreter/observer.ts'

export { MEMORY_READ, MEMORY_WRITTEN, type MemoryUse } from '../../interpreter/memory-use.ts'
export type * from '../../interpreter/observer.ts'
export { opcodeName } from '../../interpreter/opcode-names.ts'

export function isCreation({ kind }: Pick<FrameStart, 'kind'>): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}

/** Joins functions that observe the same; `undefined` if there is none, so that nothing is paid for it. */
function joined<Observed>(
  listeners: readonly (((observed: Observed) => void) | undefined)[],
): ((observed: Observed) => void) | undefined {
  const present = listeners.filter((listener) => listener !== undefined)
  if (present.length <= 1) return present[0]
  return (observed) => {
    for (const listener of present) listener(observed)
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
