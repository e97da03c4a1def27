// Functions of the emulator for the clock and the timestamps of blocks.

import { setClock, setNextTimestamp, setTimestampInterval, shiftClock } from '../../node/clock/clock.ts'
import type { Node } from '../../node/node.ts'
import { asRecord, needed } from '../../rpc/codecs/basic.ts'
import type { Codec } from '../../rpc/codecs/codec.ts'
import { number } from '../../rpc/codecs/numbers.ts'
import { argument } from '../checks.ts'

/** Moves time and decides timestamps. Timestamps are whole seconds since the Unix epoch. */
export interface TimeControls {
  /**
   * Puts the clock forward: what was due is due that much later, and nothing is sealed. `advance` lets the same
   * time pass with all that falls due in it.
   *
   * @throws TickchainError `invalidCall` or `timeOutOfRange`
   * @example
   * await chain.increaseTime({ seconds: 86_400 })
   * await chain.seal() // a day later
   */
  increaseTime(duration: { readonly seconds: number }): Promise<void>
  /**
   * Sets the clock, forward or back, but not to a time before the latest block; what was due moves along.
   *
   * @throws TickchainError `invalidCall`, `clockBeforeHead` or `timeOutOfRange`
   * @example
   * await chain.setTime(1_735_689_600) // 2025-01-01
   */
  setTime(timestamp: number): Promise<void>
  /**
   * Fixes the timestamp of the next block alone; the clock follows when it is sealed.
   *
   * @throws TickchainError `invalidCall`, `timestampTooLow`, `timestampTooHigh`, or `blockBegun` once
   * pre-confirmed transactions have seen the time of the block
   * @example
   * await chain.setNextBlockTimestamp(1_735_689_600)
   * await chain.seal()
   */
  setNextBlockTimestamp(timestamp: number): Promise<void>
  /**
   * Gives every block from now on the timestamp of its parent and so many seconds, whatever the clock says. Zero
   * seconds give it that of its parent.
   *
   * @throws TickchainError `invalidCall` or `timestampTooHigh`
   * @example
   * await chain.setBlockTimestampInterval({ seconds: 12 })
   * await chain.mine(3) // 36 seconds
   */
  setBlockTimestampInterval(interval: { readonly seconds: number }): Promise<void>
  /**
   * Leaves the timestamps of blocks to the clock again.
   *
   * @example
   * await chain.setBlockTimestampInterval({ seconds: 12 })
   * await chain.removeBlockTimestampInterval()
   */
  removeBlockTimestampInterval(): Promise<void>
}

const seconds: Codec<number, { readonly seconds: number }> = {
  name: 'object with seconds',
  decode: (value, path) => needed(asRecord(value, path), 'seconds', number, path),
}

/** The controls of a node's time. */
export function timeControls(node: Node): TimeControls {
  return {
    async increaseTime(duration) {
      const ms = argument('increaseTime', 'duration', duration, seconds) * 1000
      await node.execute((state) => shiftClock(state, ms))
    },
    async setTime(timestamp) {
      const ms = argument('setTime', 'timestamp', timestamp, number) * 1000
      await node.execute((state) => setClock(state, ms))
    },
    async setNextBlockTimestamp(timestamp) {
      const asked = argument('setNextBlockTimestamp', 'timestamp', timestamp, number)
      await node.execute((state) => setNextTimestamp(state, asked))
    },
    async setBlockTimestampInterval(interval) {
      const asked = argument('setBlockTimestampInterval', 'interval', interval, seconds)
      await node.execute((state) => setTimestampInterval(state, asked))
    },
    removeBlockTimestampInterval: () => node.execute((state) => setTimestampInterval(state, undefined)),
  }
}
