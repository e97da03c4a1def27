// Parts of the package that are loaded when they are first used. Loading takes turns of the event loop, and a test
// that moves the clock until something has happened leaves it none: so what moves the clock waits for them.

const waiting = new Set<Promise<unknown>>()

/** Loads a part, and lets commands wait until it is there. */
export async function load<Part>(part: Promise<Part>): Promise<Part> {
  waiting.add(part)
  try {
    return await part
  } finally {
    waiting.delete(part)
  }
}

/** The parts that are being loaded; `undefined` where there are none, so that nobody waits for nothing. */
export function beingLoaded(): Promise<unknown> | undefined {
  return waiting.size === 0 ? undefined : Promise.allSettled(waiting)
}
