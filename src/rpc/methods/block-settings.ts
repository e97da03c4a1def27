// What the blocks to come have in their headers, under every name that the settings have.

import {
  setCoinbase as setBeneficiary,
  setChainId,
  setExtraData,
  setBlockGasLimit as setGasLimit,
  setMinimumGasPrice,
  setMinimumTip,
  setNextBaseFee,
  setNextPrevRandao,
} from '../../node/production/block-settings.ts'
import { address, data, hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { integerFrom, quantity, uint64 } from '../codecs/numbers.ts'
import { acknowledged, change } from '../flavor/acknowledge.ts'
import { defineCommand } from '../method.ts'
import type { Session } from '../session.ts'

const EXAMPLE_ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const setCoinbase = defineCommand({
  summary: 'Sets who receives the tips, from the next block on that has not begun.',
  params: [required('address', address)],
  result: 'null; in hardhat true',
  example: { params: [EXAMPLE_ADDRESS] },
  handle: (session, coinbase) => acknowledged(session, (state) => setBeneficiary(state, coinbase)),
})

export {
  setCoinbase as anvil_setCoinbase,
  setCoinbase as ganache_setCoinbase,
  setCoinbase as hardhat_setCoinbase,
}

export const miner_setEtherbase = defineCommand({
  ...setCoinbase,
  result: 'true',
  async handle(session: Session, coinbase) {
    await setCoinbase.handle(session, coinbase)
    return true as const
  },
})

const setBlockGasLimit = defineCommand({
  summary:
    'Sets the gas limit of blocks, from the next one on that has not begun. Pooled transactions that ask for more are dropped.',
  params: [required('gasLimit', uint64)],
  result: 'true',
  example: { params: ['0x1c9c380'] },
  async handle(session, gasLimit) {
    await change(session, (state) => setGasLimit(state, gasLimit))
    return true as const
  },
})

export {
  setBlockGasLimit as anvil_setBlockGasLimit,
  setBlockGasLimit as evm_setBlockGasLimit,
  setBlockGasLimit as miner_setGasLimit,
}

/** The refusal before london names the method. */
const nextBaseFeeMethod = (name: string) =>
  defineCommand({
    summary:
      'Fixes the base fee of the next block, in wei; those after it follow by EIP-1559. Refused once the block has begun.',
    params: [required('baseFeePerGas', quantity)],
    result: 'null; in hardhat true',
    example: { params: ['0x77359400'] },
    handle: (session, baseFee) =>
      acknowledged(session, (state, config) => setNextBaseFee(config, state, baseFee, name)),
  })
export const anvil_setNextBlockBaseFeePerGas = nextBaseFeeMethod('anvil_setNextBlockBaseFeePerGas')
export const ganache_setNextBlockBaseFeePerGas = nextBaseFeeMethod('ganache_setNextBlockBaseFeePerGas')
export const hardhat_setNextBlockBaseFeePerGas = nextBaseFeeMethod('hardhat_setNextBlockBaseFeePerGas')

const minGasPriceMethod = (name: string) =>
  defineCommand({
    summary:
      'Sets the least gas price that the pool takes; only where blocks have no base fee, before london.',
    params: [required('gasPrice', quantity)],
    result: 'null; in hardhat true',
    example: { params: ['0x77359400'], error: 'replacedByBaseFee' },
    handle: (session, gasPrice) =>
      acknowledged(session, (state, config) => setMinimumGasPrice(config, state, gasPrice, name)),
  })
export const anvil_setMinGasPrice = minGasPriceMethod('anvil_setMinGasPrice')
export const ganache_setMinGasPrice = minGasPriceMethod('ganache_setMinGasPrice')
export const hardhat_setMinGasPrice = minGasPriceMethod('hardhat_setMinGasPrice')

export const miner_setGasPrice = defineCommand({
  summary:
    'Sets the least tip per gas that the pool takes, in wei; where there is no base fee, the least gas price.',
  params: [required('gasPrice', quantity)],
  result: 'true',
  example: { params: ['0x3b9aca00'] },
  async handle(session, tip) {
    await change(session, (state) => setMinimumTip(state, tip))
    return true as const
  },
})

export const miner_setExtra = defineCommand({
  summary: 'Sets the extra data of blocks, up to 32 bytes, from the next one on that has not begun.',
  params: [required('extra', data)],
  result: 'true',
  example: { params: ['0x7469636b'] },
  async handle(session, extraData) {
    await change(session, (state) => setExtraData(state, extraData))
    return true as const
  },
})

const setPrevRandao = defineCommand({
  summary:
    'Fixes prevRandao of the next block; those after it go on from there. Refused once the block has begun, and before paris.',
  params: [required('prevRandao', hash)],
  result: 'null; in hardhat true',
  example: { params: [`0x${'2a'.padStart(64, '0')}`] },
  handle: (session, prevRandao) =>
    acknowledged(session, (state, config) =>
      setNextPrevRandao(config, state, prevRandao, 'hardhat_setPrevRandao'),
    ),
})

export {
  setPrevRandao as anvil_setNextBlockPrevRandao,
  setPrevRandao as anvil_setPrevRandao,
  setPrevRandao as hardhat_setPrevRandao,
}

/** Zero is the chain id of signatures that hold on every chain. */
const chainId = { ...integerFrom(1), name: 'chain id' }

export const anvil_setChainId = defineCommand({
  summary:
    'Sets the chain id, at once and in the block being built too; transactions signed for another one wait in the pool. Told as chainChanged.',
  params: [required('chainId', chainId)],
  result: 'null; in hardhat true',
  example: { params: ['0xa'] },
  handle: (session, id) => acknowledged(session, (state, config) => setChainId(config, state, id)),
})
