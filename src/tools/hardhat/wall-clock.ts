// The clock of a network as on Hardhat's own chain: it goes on with real time, from when the chain begins. It is moved
// with each request, so that nothing happens between requests, and no timer keeps a process alive.

import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { moveClock } from '../../core/node/clock/clock.ts'
import { unchanged } from '../../core/node/events.ts'
import { LATEST_TIME_MS } from '../../core/node/node-state.ts'

/** Milliseconds of real time since any one moment. */
export type RealTime = () => number

/**
 * A function that moves the clock by the real time since the last call. Nothing falls due by it, so that what a test is
 * about to do with the clock does not depend on the machine, and the shift that `evm_increaseTime` answers is as before.
 */
export function wallClock(chain: Emulator, realTime: RealTime): () => Promise<void> {
  const { node } = internalsOf('wallClock', chain).session
  let lastMs = Math.floor(realTime())
  return async () => {
    const ms = Math.floor(realTime()) - lastMs
    if (ms <= 0) return
    lastMs += ms
    await node.execute((state) => {
      const moved = moveClock(state, Math.min(ms, LATEST_TIME_MS - state.nowMs))
      return unchanged({ ...moved, shiftedMs: state.shiftedMs })
    })
  }
}
