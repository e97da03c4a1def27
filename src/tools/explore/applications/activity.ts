// The application of a run is at rest when everything that it does has ended, or waits for the clock to move.

import type { Emulator } from '../../../core/emulator/api.ts'
import { sum } from '../parts.ts'
import type { Stage } from './stage.ts'

/** Microtasks in a row after which code that goes on by itself has asked the chain, or has ended. */
const QUIET_MICROTASKS = 64

/** The most rounds in which an application asks the chain while the clock stands still. */
const MOST_ROUNDS = 2000

export interface Activity {
  /** Counts something that has begun, and resolves as it does. */
  track<Value>(promise: Promise<Value>): Promise<Value>
  /** Resolves when all is at rest; to false if the application asks on and on. */
  rest(): Promise<boolean>
  /** Ends a run that does not end by itself: from now on no request is answered. */
  stop(): void
}

/** The number of requests and waits of the chain that only end when the clock moves. */
export function countWaiting({ layers }: Stage): number {
  return sum(layers, ({ session: { heldAnswers, inclusionWaits } }) => heldAnswers.size + inclusionWaits.size)
}

/** Tracks the requests of an emulator. */
function watchRequests(emulator: Emulator, track: Activity['track']): void {
  for (const name of ['request', 'handle', 'fetch'] as const) {
    const call = emulator[name] as (...args: never[]) => Promise<unknown>
    Object.assign(emulator, { [name]: (...args: never[]) => track(call(...args)) })
  }
}

async function passMicrotasks({ layers }: Stage): Promise<void> {
  for (let turn = 0; turn < QUIET_MICROTASKS; turn++) await undefined
  for (const { session } of layers) await session.node.read(() => undefined)
}

/** Watches the application of a run; before it is made, so that its clients take the watched functions. */
export function watchActivity(stage: Stage): Activity {
  let running = 0
  let changes = 0
  let isStopped = false
  let tell = (): void => {}
  const change = (by: number): void => {
    running += by
    changes++
    tell()
  }
  const track: Activity['track'] = (promise) => {
    change(1)
    const end = (): void => change(-1)
    promise.then(end, end)
    return isStopped ? new Promise(() => {}) : promise
  }
  for (const { emulator } of stage.layers) watchRequests(emulator, track)
  return {
    track,
    stop() {
      isStopped = true
    },
    async rest() {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const before = changes
        const changed = new Promise<void>((resolve) => {
          tell = resolve
        })
        await passMicrotasks(stage)
        if (changes !== before) continue
        if (running === 0 || countWaiting(stage) > 0) return true
        await changed
      }
      return false
    },
  }
}
