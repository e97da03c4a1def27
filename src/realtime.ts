// A timer that moves the virtual clock in real time, for demonstrations. The only module with real time: tests move the
// clock themselves to be deterministic.

import type { Emulator } from './core/emulator/api.ts'
import { readOptions, refuseUnlessEmulator } from './core/emulator/checks.ts'
import type { Accessible } from './core/emulator/client-access.ts'
import { TickchainError } from './core/primitives/errors.ts'
import { identityCodec } from './core/rpc/codecs/basic.ts'
import { numberFrom } from './core/rpc/codecs/codec.ts'
import { or } from './core/rpc/codecs/object.ts'

/** The pace of virtual time against real time. */
export interface RealtimeOptions {
  /** Virtual milliseconds for each real one. Default 1. */
  readonly rate?: number
  /** Real milliseconds between moves of the clock. Default 50. */
  readonly everyMs?: number
}

/** A running driver. */
export interface RealtimeDriver {
  /** Stops the timer; resolves when the last move is done. */
  stop(): Promise<void>
}

interface Platform {
  readonly performance: { now(): number }
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

const platform = globalThis as unknown as Platform

const anyRate = identityCodec(
  'a number above 0',
  (value): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0,
)

/** The driver ends without an error when the emulator is disposed of. */
function ignoreDisposed(error: unknown): void {
  if (!(error instanceof TickchainError && error.kind === 'disposed')) throw error
}

/**
 * Drives the clock of a chain by a real timer until it is stopped or the chain is disposed of. Any other error of a
 * move ends it, surfaces as an unhandled rejection, and is thrown by `stop`. Not for tests that must be repeatable.
 *
 * @param chain The emulator.
 * @param options The rate, and how often the clock moves.
 * @throws TickchainError `invalidOption`, `invalidCall`
 * @example
 * const driver = startRealtime(chain, { rate: 10 })
 * // …
 * await driver.stop()
 */
export function startRealtime(chain: Emulator, options: RealtimeOptions = {}): RealtimeDriver {
  refuseUnlessEmulator('startRealtime', chain)
  const { rate, everyMs } = readOptions(options, {
    rate: or(anyRate, 1),
    everyMs: or(numberFrom(1, 2 ** 31 - 1), 50),
  })
  ;(chain as Accessible).clientAccess?.expectPolls()
  const startedAt = platform.performance.now()
  let passedMs = 0
  let isStopped = false
  let timer: unknown
  let moving: Promise<void> = Promise.resolve()
  const move = async (): Promise<void> => {
    const dueMs = Math.floor((platform.performance.now() - startedAt) * rate)
    const ms = dueMs - passedMs
    passedMs = dueMs
    if (ms > 0) await chain.advance(ms)
    if (!isStopped) schedule()
  }
  const schedule = (): void => {
    timer = platform.setTimeout(() => {
      moving = move().catch(ignoreDisposed)
    }, everyMs)
  }
  schedule()
  return {
    async stop() {
      isStopped = true
      platform.clearTimeout(timer)
      await moving
    },
  }
}
