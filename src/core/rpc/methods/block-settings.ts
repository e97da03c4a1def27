// Settings of the next blocks: coinbase, gas limit, base fee, prevRandao, extra data, chain id.

import * as settings from '../../node/production/block-settings.ts'
import { address, data, hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { blockGasLimit, integerFrom, quantity } from '../codecs/numbers.ts'
import { defineControl } from '../method.ts'
import { SECOND_ACCOUNT, WORD_42 } from './examples.ts'

function coinbaseMethod<const Answer extends 'done' | 'true'>(answer: Answer) {
  return defineControl({
    summary: 'Sets the recipient of the tips, from the next block on that has not begun.',
    params: [required('address', address)],
    hardhat: { params: ['account'] },
    example: { params: [SECOND_ACCOUNT] },
    answer,
    apply: ({ state }, coinbase) => settings.setCoinbase(state, coinbase),
  })
}

const setCoinbase = coinbaseMethod('done')

export {
  setCoinbase as anvil_setCoinbase,
  setCoinbase as ganache_setCoinbase,
  setCoinbase as hardhat_setCoinbase,
}

export const miner_setEtherbase = coinbaseMethod('true')

const setBlockGasLimit = defineControl({
  summary:
    'Sets the gas limit of blocks, from the next one on that has not begun. Pooled transactions that ask for more are dropped.',
  params: [required('gasLimit', blockGasLimit)],
  hardhat: { params: ['u64'] },
  example: { params: ['0x1c9c380'] },
  answer: 'true',
  apply: ({ state }, gasLimit) => settings.setBlockGasLimit(state, gasLimit),
})

export {
  setBlockGasLimit as anvil_setBlockGasLimit,
  setBlockGasLimit as evm_setBlockGasLimit,
  setBlockGasLimit as miner_setGasLimit,
}

/** One definition for each name, because the error before london contains the name. */
const nextBaseFeeMethod = (name: string) =>
  defineControl({
    summary:
      'Sets the base fee of the next block, in wei. Later blocks follow EIP-1559. Refused once the block has begun.',
    params: [required('baseFeePerGas', quantity)],
    hardhat: { params: ['u128'] },
    example: { params: ['0x77359400'] },
    answer: 'done',
    apply: ({ state, config }, baseFee) => settings.setNextBaseFee(config, state, baseFee, name),
  })
export const anvil_setNextBlockBaseFeePerGas = nextBaseFeeMethod('anvil_setNextBlockBaseFeePerGas')
export const ganache_setNextBlockBaseFeePerGas = nextBaseFeeMethod('ganache_setNextBlockBaseFeePerGas')
export const hardhat_setNextBlockBaseFeePerGas = nextBaseFeeMethod('hardhat_setNextBlockBaseFeePerGas')

const minGasPriceMethod = (name: string) =>
  defineControl({
    summary:
      'Sets the minimum gas price of the pool; in hardhat of blocks, so that cheaper transactions wait. Only before london, while blocks have no base fee.',
    params: [required('gasPrice', quantity)],
    hardhat: { params: ['u128'] },
    example: { params: ['0x77359400'], error: 'replacedByBaseFee' },
    answer: 'done',
    apply: ({ state, config, flavor }, gasPrice) =>
      settings.setMinimumGasPrice(config, state, gasPrice, flavor === 'hardhat' ? 'wait' : 'refused', name),
  })
export const anvil_setMinGasPrice = minGasPriceMethod('anvil_setMinGasPrice')
export const ganache_setMinGasPrice = minGasPriceMethod('ganache_setMinGasPrice')
export const hardhat_setMinGasPrice = minGasPriceMethod('hardhat_setMinGasPrice')

export const miner_setGasPrice = defineControl({
  summary: 'Sets the minimum tip per gas of the pool, in wei; before london, the minimum gas price.',
  params: [required('gasPrice', quantity)],
  example: { params: ['0x3b9aca00'] },
  answer: 'true',
  apply: ({ state }, tip) => settings.setMinimumTip(state, tip),
})

export const miner_setExtra = defineControl({
  summary: 'Sets the extra data of blocks, up to 32 bytes, from the next one on that has not begun.',
  params: [required('extra', data)],
  example: { params: ['0x7469636b'] },
  answer: 'true',
  apply: ({ state, config }, extra) => settings.setExtraData(config, state, extra, 'miner_setExtra'),
})

const setPrevRandao = defineControl({
  summary:
    'Sets prevRandao of the next block; later blocks continue from it. Refused once the block has begun, and before paris.',
  params: [required('prevRandao', hash)],
  hardhat: { params: ['hash'] },
  example: { params: [WORD_42] },
  answer: 'done',
  apply: ({ state, config }, prevRandao) =>
    settings.setNextPrevRandao(config, state, prevRandao, 'hardhat_setPrevRandao'),
})

export {
  setPrevRandao as anvil_setNextBlockPrevRandao,
  setPrevRandao as anvil_setPrevRandao,
  setPrevRandao as hardhat_setPrevRandao,
}

export const anvil_setChainId = defineControl({
  summary:
    'Sets the chain id, also of the block being built, and emits chainChanged. Pooled transactions that are signed for another chain id wait.',
  // Zero is not a chain id: an EIP-7702 authorization with it is valid on every chain.
  params: [required('chainId', { ...integerFrom(1), name: 'chain id' })],
  example: { params: ['0xa'] },
  answer: 'done',
  apply: ({ state, config }, id) => settings.setChainId(config, state, id),
})
