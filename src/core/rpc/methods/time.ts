// Controls of the clock and of block timestamps, under their names in anvil, Hardhat and ganache.

import { setClock, setNextTimestamp, setTimestampInterval, shiftClock } from '../../node/clock/clock.ts'
import { requireBlock } from '../../node/lookup.ts'
import { NO_TIMESTAMP, type NodeState } from '../../node/node-state.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import { type Codec, refuse, required } from '../codecs/codec.ts'
import { integer, timestamp } from '../codecs/numbers.ts'
import { checkAskedTimestamp, leastAskedTimestamp } from '../flavor/chain.ts'
import type { Flavor } from '../flavor/flavor.ts'
import { defineCommand, defineControl, defineRead } from '../method.ts'

/** A higher time is in milliseconds: in seconds it would be the year 33658. */
const MOST_SECONDS = 1e12

/** The total shift of the clock in seconds, in the type of the flavor. */
function showShift(flavor: Flavor, { shiftedMs }: NodeState): number | string {
  const seconds = Math.floor(shiftedMs / 1000)
  return flavor === 'hardhat' ? String(seconds) : seconds
}

const increaseTime = defineCommand({
  summary: 'Moves the clock forward by seconds. Nothing is sealed; due times move along with the clock.',
  params: [required('seconds', integer)],
  hardhat: { params: ['timestamp'] },
  result: 'total shift of the clock in seconds, as a number; in hardhat as a decimal string',
  example: { params: [3600] },
  handle: ({ node, options }, seconds) =>
    node.execute((state) => {
      const shifted = shiftClock(state, seconds * 1000)
      return { ...shifted, result: showShift(options.flavor, shifted.state) }
    }),
})

export { increaseTime as anvil_increaseTime, increaseTime as evm_increaseTime }

const setTime = defineCommand({
  summary:
    'Sets the clock, in seconds, or milliseconds above 10^12, but not before the latest block. Nothing is sealed.',
  params: [required('time', integer)],
  result: 'in anvil the seconds by which the clock moved forward; in others the total shift in seconds',
  example: { params: [1_704_070_800] },
  handle: ({ node, options }, time) =>
    node.execute((state) => {
      const set = setClock(state, time > MOST_SECONDS ? time : time * 1000)
      const forwardMs = Math.max(0, set.state.nowMs - state.nowMs)
      const isAnvil = options.flavor === 'anvil'
      return { ...set, result: isAnvil ? Math.floor(forwardMs / 1000) : showShift(options.flavor, set.state) }
    }),
})

export { setTime as anvil_setTime, setTime as evm_setTime }

const setNextBlockTimestamp = defineCommand({
  summary: 'Sets the timestamp of the next block, in seconds. The clock follows when the block is sealed.',
  params: [required('timestamp', timestamp)],
  hardhat: { params: ['timestamp'] },
  result: 'null; in hardhat the timestamp as a decimal string',
  example: { params: [1_704_070_800] },
  async handle({ node, options: { flavor } }, asked) {
    await node.execute((state) => {
      checkAskedTimestamp(flavor, state, Number(asked))
      return flavor === 'hardhat' && asked > LATEST_TIMESTAMP
        ? setNextTimestamp(state, NO_TIMESTAMP, undefined, NO_TIMESTAMP)
        : setNextTimestamp(state, Number(asked), leastAskedTimestamp(flavor, state))
    })
    return flavor === 'hardhat' ? String(asked) : null
  },
})

export {
  setNextBlockTimestamp as anvil_setNextBlockTimestamp,
  setNextBlockTimestamp as evm_setNextBlockTimestamp,
}

const setBlockTimestampInterval = defineControl({
  summary: 'Sets the seconds between the timestamps of a block and its parent, independently of the clock.',
  params: [required('seconds', integer)],
  example: { params: [12] },
  answer: 'done',
  apply: ({ state }, seconds) => setTimestampInterval(state, seconds),
})

export {
  setBlockTimestampInterval as anvil_setBlockTimestampInterval,
  setBlockTimestampInterval as evm_setBlockTimestampInterval,
  setBlockTimestampInterval as ganache_setBlockTimestampInterval,
}

/** Timestamps are whole seconds, so the interval is a multiple of 1000 ms. */
const wholeSecondsMs: Codec<number, number | string> = {
  name: 'milliseconds, a multiple of 1000',
  decode(value, path) {
    const ms = integer.decode(value, path)
    if (ms % 1000 !== 0) refuse(path, `expected milliseconds that make whole seconds, got ${ms}`)
    return ms
  },
}

/** Hardhat has no such method. viem's test client calls it, with milliseconds. */
export const hardhat_setBlockTimestampInterval = defineControl({
  summary: 'Sets the milliseconds between the timestamps of a block and its parent: a multiple of 1000.',
  params: [required('milliseconds', wholeSecondsMs)],
  example: { params: [12_000] },
  answer: 'done',
  apply: ({ state }, ms) => setTimestampInterval(state, ms / 1000),
})

const removeBlockTimestampInterval = defineCommand({
  summary: 'Removes the timestamp interval: block timestamps follow the clock again.',
  result: 'whether an interval was set',
  handle: ({ node }) =>
    node.execute((state) => ({
      ...setTimestampInterval(state, undefined),
      result: state.controls.timestampIntervalS !== undefined,
    })),
})

export {
  removeBlockTimestampInterval as anvil_removeBlockTimestampInterval,
  removeBlockTimestampInterval as evm_removeBlockTimestampInterval,
  removeBlockTimestampInterval as ganache_removeBlockTimestampInterval,
  removeBlockTimestampInterval as hardhat_removeBlockTimestampInterval,
}

export const anvil_getGenesisTime = defineRead({
  summary: 'The timestamp of the genesis block.',
  result: 'seconds, as a number',
  handle: ({ config, state }) => requireBlock(config, state, 'earliest').environment.timestamp,
})
