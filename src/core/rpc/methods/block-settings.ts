// Settings of the next blocks and controls of the clock, under their names in anvil, Hardhat and ganache.

import { setClock, setNextTimestamp, setTimestampInterval, shiftClock } from '../../node/clock/clock.ts'
import { requireBlock } from '../../node/lookup.ts'
import { NO_TIMESTAMP, type NodeState } from '../../node/node-state.ts'
import * as settings from '../../node/production/block-settings.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import { address, data, hash } from '../codecs/basic.ts'
import * as codec from '../codecs/codec.ts'
import { checkAskedTimestamp, leastAskedTimestamp } from '../flavor/chain.ts'
import type { Flavor } from '../flavor/flavor.ts'
import { defineCommand, defineControl, defineRead } from '../method.ts'
import { SECOND_ACCOUNT, WORD_42 } from './examples.ts'

function coinbaseMethod<const Answer extends 'done' | 'true'>(answer: Answer) {
  return defineControl({
    summary: 'Sets the recipient of the tips, from the next block on that has not begun.',
    params: [codec.required('address', address)],
    hardhat: { params: ['account'] },
    example: { params: [SECOND_ACCOUNT] },
    answer,
    apply: ({ state }, coinbase) => settings.setCoinbase(state, coinbase),
  })
}

export const anvil_setCoinbase = coinbaseMethod('done')

export const miner_setEtherbase = coinbaseMethod('true')

export const anvil_setBlockGasLimit = defineControl({
  summary:
    'Sets the gas limit of blocks, from the next one on that has not begun. Pooled transactions that ask for more are dropped.',
  params: [codec.required('gasLimit', codec.blockGasLimit)],
  hardhat: { params: ['u64'] },
  example: { params: ['0x1c9c380'] },
  answer: 'true',
  apply: ({ state }, gasLimit) => settings.setBlockGasLimit(state, gasLimit),
})

/** One definition for each name, because the error before london contains the name. */
const nextBaseFeeMethod = (name: string) =>
  defineControl({
    summary:
      'Sets the base fee of the next block, in wei. Later blocks follow EIP-1559. Refused once the block has begun.',
    params: [codec.required('baseFeePerGas', codec.quantity)],
    hardhat: { params: ['u128'] },
    example: { params: ['0x77359400'] },
    answer: 'done',
    apply: ({ state }, baseFee) => settings.setNextBaseFee(state, baseFee, name),
  })
export const anvil_setNextBlockBaseFeePerGas = nextBaseFeeMethod('anvil_setNextBlockBaseFeePerGas')
export const ganache_setNextBlockBaseFeePerGas = nextBaseFeeMethod('ganache_setNextBlockBaseFeePerGas')
export const hardhat_setNextBlockBaseFeePerGas = nextBaseFeeMethod('hardhat_setNextBlockBaseFeePerGas')

const minGasPriceMethod = (name: string) =>
  defineControl({
    summary:
      'Sets the minimum gas price of the pool; in hardhat of blocks, so that cheaper transactions wait. Only before london, while blocks have no base fee.',
    params: [codec.required('gasPrice', codec.quantity)],
    hardhat: { params: ['u128'] },
    example: { params: ['0x77359400'], error: 'replacedByBaseFee' },
    answer: 'done',
    apply: ({ state, flavor }, gasPrice) =>
      settings.setMinimumGasPrice(state, gasPrice, flavor === 'hardhat' ? 'wait' : 'refused', name),
  })
export const anvil_setMinGasPrice = minGasPriceMethod('anvil_setMinGasPrice')
export const ganache_setMinGasPrice = minGasPriceMethod('ganache_setMinGasPrice')
export const hardhat_setMinGasPrice = minGasPriceMethod('hardhat_setMinGasPrice')

export const miner_setGasPrice = defineControl({
  summary: 'Sets the minimum tip per gas of the pool, in wei; before london, the minimum gas price.',
  params: [codec.required('gasPrice', codec.quantity)],
  example: { params: ['0x3b9aca00'] },
  answer: 'true',
  apply: ({ state }, tip) => settings.setMinimumTip(state, tip),
})

export const miner_setExtra = defineControl({
  summary: 'Sets the extra data of blocks, up to 32 bytes, from the next one on that has not begun.',
  params: [codec.required('extra', data)],
  example: { params: ['0x7469636b'] },
  answer: 'true',
  apply: ({ state }, extra) => settings.setExtraData(state, extra, 'miner_setExtra'),
})

export const anvil_setPrevRandao = defineControl({
  summary:
    'Sets prevRandao of the next block; later blocks continue from it. Refused once the block has begun, and before paris.',
  params: [codec.required('prevRandao', hash)],
  hardhat: { params: ['hash'] },
  example: { params: [WORD_42] },
  answer: 'done',
  apply: ({ state }, prevRandao) => settings.setNextPrevRandao(state, prevRandao, 'hardhat_setPrevRandao'),
})

export const anvil_setChainId = defineControl({
  summary:
    'Sets the chain id, also of the block being built, and emits chainChanged. Pooled transactions that are signed for another chain id wait.',
  // Zero is not a chain id: an EIP-7702 authorization with it is valid on every chain.
  params: [codec.required('chainId', { ...codec.integerFrom(1), name: 'chain id' })],
  example: { params: ['0xa'] },
  answer: 'done',
  apply: ({ state }, id) => settings.setChainId(state, id),
})

/** A higher time is in milliseconds: in seconds it would be the year 33658. */
const MOST_SECONDS = 1e12

function showShift(flavor: Flavor, { shiftedMs }: NodeState): number | string {
  const seconds = Math.floor(shiftedMs / 1000)
  return flavor === 'hardhat' ? String(seconds) : seconds
}

export const anvil_increaseTime = defineCommand({
  summary: 'Moves the clock forward by seconds. Nothing is sealed; due times move along with the clock.',
  params: [codec.required('seconds', codec.integer)],
  hardhat: { params: ['timestamp'] },
  result: 'total shift of the clock in seconds, as a number; in hardhat as a decimal string',
  example: { params: [3600] },
  handle: ({ node, options }, seconds) =>
    node.execute((state) => {
      const shifted = shiftClock(state, seconds * 1000)
      return { ...shifted, result: showShift(options.flavor, shifted.state) }
    }),
})

export const anvil_setTime = defineCommand({
  summary:
    'Sets the clock, in seconds, or milliseconds above 10^12, but not before the latest block. Nothing is sealed.',
  params: [codec.required('time', codec.integer)],
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

export const anvil_setNextBlockTimestamp = defineCommand({
  summary: 'Sets the timestamp of the next block, in seconds. The clock follows when the block is sealed.',
  params: [codec.required('timestamp', codec.timestamp)],
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

export const anvil_setBlockTimestampInterval = defineControl({
  summary: 'Sets the seconds between the timestamps of a block and its parent, independently of the clock.',
  params: [codec.required('seconds', codec.integer)],
  example: { params: [12] },
  answer: 'done',
  apply: ({ state }, seconds) => setTimestampInterval(state, seconds),
})

/** Timestamps are whole seconds, so the interval is a multiple of 1000 ms. */
const wholeSecondsMs: codec.Codec<number, number | string> = {
  name: 'milliseconds, a multiple of 1000',
  decode(value, path) {
    const ms = codec.integer.decode(value, path)
    if (ms % 1000 !== 0) codec.refuse(path, `expected milliseconds that make whole seconds, got ${ms}`)
    return ms
  },
}

/** Hardhat has no such method. viem's test client calls it, with milliseconds. */
export const hardhat_setBlockTimestampInterval = defineControl({
  summary: 'Sets the milliseconds between the timestamps of a block and its parent: a multiple of 1000.',
  params: [codec.required('milliseconds', wholeSecondsMs)],
  example: { params: [12_000] },
  answer: 'done',
  apply: ({ state }, ms) => setTimestampInterval(state, ms / 1000),
})

export const anvil_removeBlockTimestampInterval = defineCommand({
  summary: 'Removes the timestamp interval: block timestamps follow the clock again.',
  result: 'whether an interval was set',
  handle: ({ node }) =>
    node.execute((state) => ({
      ...setTimestampInterval(state, undefined),
      result: state.controls.timestampIntervalS !== undefined,
    })),
})

export const anvil_getGenesisTime = defineRead({
  summary: 'The timestamp of the genesis block.',
  result: 'seconds, as a number',
  handle: ({ state }) => requireBlock(state, 'earliest').environment.timestamp,
})

export {
  anvil_increaseTime as evm_increaseTime,
  anvil_removeBlockTimestampInterval as evm_removeBlockTimestampInterval,
  anvil_removeBlockTimestampInterval as ganache_removeBlockTimestampInterval,
  anvil_removeBlockTimestampInterval as hardhat_removeBlockTimestampInterval,
  anvil_setBlockGasLimit as evm_setBlockGasLimit,
  anvil_setBlockGasLimit as miner_setGasLimit,
  anvil_setBlockTimestampInterval as evm_setBlockTimestampInterval,
  anvil_setBlockTimestampInterval as ganache_setBlockTimestampInterval,
  anvil_setCoinbase as ganache_setCoinbase,
  anvil_setCoinbase as hardhat_setCoinbase,
  anvil_setNextBlockTimestamp as evm_setNextBlockTimestamp,
  anvil_setPrevRandao as anvil_setNextBlockPrevRandao,
  anvil_setPrevRandao as hardhat_setPrevRandao,
  anvil_setTime as evm_setTime,
}
