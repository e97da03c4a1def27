// Coupling of fake timers and the virtual clock, so that events of clients and of the chain have one order.

import type { Emulator } from '../../core/emulator/api.ts'
import { readOptions, refuseCall, refuseUnlessEmulator } from '../../core/emulator/checks.ts'
import type { Accessible } from '../../core/emulator/client-access.ts'
import { numberFrom } from '../../core/rpc/codecs/codec.ts'
import { or } from '../../core/rpc/codecs/object.ts'

/** Lets fake time pass: vitest's `vi.advanceTimersByTimeAsync` or sinon's `clock.tickAsync`. `ms` is milliseconds. */
export type Tick = (ms: number) => Promise<unknown>

/** The clock of a chain and of fake timers. */
export interface CoupledClock {
  /**
   * Lets time pass for the chain and for the timers, a step at a time.
   *
   * @param ms Milliseconds, a whole number from 0.
   * @throws TickchainError `invalidCall`, `timeOutOfRange` or `tooManySteps`
   */
  advance(ms: number): Promise<void>
}

/** The length of a step. */
export interface CoupleTimersOptions {
  /** Milliseconds of each step: 1 is the finest, and the slowest. Default the time of a partial block, 200. */
  readonly stepMs?: number
}

/**
 * Couples fake timers to a chain: time passes for both, a step at a time, the chain first. Steps end where
 * `chain.now` is a multiple of `stepMs`, as partial blocks do unless a block was sealed early.
 *
 * @param chain The emulator.
 * @param tick Lets fake time pass.
 * @param options The length of a step.
 * @throws TickchainError `invalidOption`, `invalidCall`
 * @example
 * vi.useFakeTimers({ now: chain.now })
 * const clock = coupleTimers(chain, (ms) => vi.advanceTimersByTimeAsync(ms))
 * await clock.advance(2000)
 * Date.now() === chain.now // => true
 */
export function coupleTimers(chain: Emulator, tick: Tick, options: CoupleTimersOptions = {}): CoupledClock {
  refuseUnlessEmulator('coupleTimers', chain)
  if (typeof tick !== 'function') refuseCall('coupleTimers', 'a function that lets fake time pass', tick)
  const { partialBlockTimeMs } = chain.settings
  ;(chain as Accessible).clientAccess?.expectPolls()
  const { stepMs } = readOptions(options, { stepMs: or(numberFrom(1), partialBlockTimeMs) })
  return {
    async advance(ms) {
      // The chain throws the error for an invalid duration.
      if (!Number.isSafeInteger(ms)) return chain.advance(ms)
      let leftMs = ms
      do {
        const step = Math.min(stepMs - (chain.now % stepMs), leftMs)
        await chain.advance(step)
        await tick(step)
        leftMs -= step
      } while (leftMs > 0)
    },
  }
}
