// Controls over the clock and the timestamps of blocks, under every name that they have.

import { setClock, setNextTimestamp, setTimestampInterval, shiftClock } from '../../node/clock/clock.ts'
import { requireBlock } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { type Codec, refuse, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { acknowledge, type Flavor } from '../flavor/flavor.ts'
import { checkAskedTimestamp, leastAskedTimestamp } from '../flavor/mining.ts'
import { defineCommand, defineRead } from '../method.ts'

/** Above this a time is meant in milliseconds: in seconds it would be the year 33658. */
const MOST_SECONDS = 1e12

/** All seconds by which the clock was shifted, as the flavor shows them. */
function showShift(flavor: Flavor, { shiftedMs }: NodeState): number | string {
  const seconds = Math.floor(shiftedMs / 1000)
  return flavor === 'hardhat' ? String(seconds) : seconds
}

const increaseTime = defineCommand({
  summary: 'Puts the clock forward by seconds; what was due is due that much later, and nothing is sealed.',
  params: [required('seconds', integer)],
  result: 'all seconds by which the clock was shifted, as a number; in hardhat as a decimal string',
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
    'Sets the clock, in seconds, or milliseconds above 10^12; not to a time before the latest block. Nothing is sealed.',
  params: [required('time', integer)],
  result: 'seconds by which the clock went forward, in anvil; all seconds by which it was shifted, in others',
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
  summary: 'Fixes the timestamp, in seconds, of the next block; the clock follows when it is sealed.',
  params: [required('timestamp', integer)],
  result: 'null; in hardhat the timestamp as a decimal string',
  example: { params: [1_704_070_800] },
  async handle({ node, options: { flavor } }, timestamp) {
    await node.execute((state) => {
      checkAskedTimestamp(flavor, state, timestamp)
      return setNextTimestamp(state, timestamp, leastAskedTimestamp(flavor, state))
    })
    return flavor === 'hardhat' ? String(timestamp) : null
  },
})

export {
  setNextBlockTimestamp as anvil_setNextBlockTimestamp,
  setNextBlockTimestamp as evm_setNextBlockTimestamp,
}

const setBlockTimestampInterval = defineCommand({
  summary: "Fixes by how many seconds a block's timestamp is above its parent's, whatever the clock says.",
  params: [required('seconds', integer)],
  result: 'null; in hardhat true',
  example: { params: [12] },
  async handle({ node, options }, seconds) {
    await node.execute((state) => setTimestampInterval(state, seconds))
    return acknowledge(options.flavor)
  },
})

export {
  setBlockTimestampInterval as anvil_setBlockTimestampInterval,
  setBlockTimestampInterval as evm_setBlockTimestampInterval,
  setBlockTimestampInterval as ganache_setBlockTimestampInterval,
}

/** Timestamps are whole seconds, so what is between them is, too. */
const wholeSecondsMs: Codec<number, number | string> = {
  name: 'milliseconds, a multiple of 1000',
  decode(value, path) {
    const ms = integer.decode(value, path)
    if (ms % 1000 !== 0) refuse(path, `expected milliseconds that make whole seconds, got ${ms}`)
    return ms
  },
}

/** Hardhat itself has no such method: viem's test client calls it, and has milliseconds in mind. */
export const hardhat_setBlockTimestampInterval = defineCommand({
  summary: "Fixes by how many milliseconds a block's timestamp is above its parent's: a multiple of 1000.",
  params: [required('milliseconds', wholeSecondsMs)],
  result: 'null; in hardhat true',
  example: { params: [12_000] },
  handle: (session, ms) => setBlockTimestampInterval.handle(session, ms / 1000),
})

const removeBlockTimestampInterval = defineCommand({
  summary: 'Leaves the timestamps of blocks to the clock again.',
  params: [],
  result: 'whether an interval was set',
  example: { params: [] },
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
  summary: 'The timestamp of the first block.',
  params: [],
  result: 'seconds, as a number',
  example: { params: [] },
  handle: ({ config, state }) => requireBlock(config, state, 'earliest').environment.timestamp,
})
