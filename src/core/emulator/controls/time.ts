// Functions of the emulator for the clock.

import { setClock, setNextTimestamp, setTimestampInterval, shiftClock } from '../../node/clock/clock.ts'
import { number } from '../../rpc/codecs/codec.ts'
import { need, objectCodec } from '../../rpc/codecs/object.ts'
import { arg, control } from './define.ts'

/** Moves the clock and sets timestamps. Timestamps are whole seconds since the Unix epoch. */
export interface TimeControls {
  /**
   * Moves the clock forward without sealing. Due times move by the same amount; `advance` seals on the way.
   *
   * @param duration Whole seconds from 0.
   * @throws TickchainError `invalidCall` or `timeOutOfRange`
   * @see `evm_increaseTime`
   * @example
   * await chain.increaseTime({ seconds: 86_400 })
   * await chain.request({ method: 'eth_blockNumber' }) // => '0x0'
   */
  increaseTime(duration: { readonly seconds: number }): Promise<void>
  /**
   * Sets the clock, forward or back, but not to before the latest block; due times move along.
   *
   * @param timestamp Seconds since the Unix epoch.
   * @throws TickchainError `invalidCall`, `clockBeforeHead` or `timeOutOfRange`
   * @see `evm_setTime`
   * @example
   * await chain.setTime(1_735_689_600) // 2025-01-01
   * chain.now // => 1735689600000
   */
  setTime(timestamp: number): Promise<void>
  /**
   * Sets the timestamp of the next block only; the clock follows when it is sealed.
   *
   * @param timestamp Seconds since the Unix epoch.
   * @throws TickchainError `invalidCall`, `timestampTooLow`, `timestampTooHigh`, or `blockBegun` once
   *   pre-confirmed transactions have seen the time of the block
   * @see `evm_setNextBlockTimestamp`
   * @example
   * await chain.setNextBlockTimestamp(1_735_689_600)
   * await chain.seal()
   * chain.now // => 1735689600000
   */
  setNextBlockTimestamp(timestamp: number): Promise<void>
  /**
   * Gives every block from now on its parent's timestamp plus a fixed interval, whatever the clock says.
   *
   * @param interval Whole seconds; 0 repeats the parent's timestamp.
   * @throws TickchainError `invalidCall` or `timestampTooHigh`
   * @see `anvil_setBlockTimestampInterval`
   * @example
   * await chain.setBlockTimestampInterval({ seconds: 12 })
   * await chain.mine(3)
   * const { blockTimestamp } = await chain.nodeInfo()
   * blockTimestamp // => 1704067200 + 36
   */
  setBlockTimestampInterval(interval: { readonly seconds: number }): Promise<void>
  /**
   * Undoes `setBlockTimestampInterval`: timestamps follow the clock again.
   *
   * @see `anvil_removeBlockTimestampInterval`
   * @example
   * await chain.setBlockTimestampInterval({ seconds: 12 })
   * await chain.removeBlockTimestampInterval()
   */
  removeBlockTimestampInterval(): Promise<void>
}

const seconds = objectCodec({ seconds: need(number) })

export const timeControls = {
  increaseTime: control([arg('duration', seconds)], (state, duration) =>
    shiftClock(state, duration.seconds * 1000),
  ),
  setTime: control([arg('timestamp', number)], (state, timestamp) => setClock(state, timestamp * 1000)),
  setNextBlockTimestamp: control([arg('timestamp', number)], setNextTimestamp),
  setBlockTimestampInterval: control([arg('interval', seconds)], (state, interval) =>
    setTimestampInterval(state, interval.seconds),
  ),
  removeBlockTimestampInterval: control([], (state) => setTimestampInterval(state, undefined)),
}
