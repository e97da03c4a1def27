// Settings of the next blocks: coinbase, gas limit, base fee, prevRandao, extra data, chain id.

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
import { blockGasLimit, integerFrom, quantity } from '../codecs/numbers.ts'
import { acknowledged, change } from '../flavor/acknowledge.ts'
import { defineCommand } from '../method.ts'
import type { Session } from '../session.ts'

const EXAMPLE_ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const setCoinbase = defineCommand({
  summary: 'Sets the recipient of the tips, from the next block on that has not begun.',
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
  params: [required('gasLimit', blockGasLimit)],
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

/** One definition for each name, because the error before london contains the name. */
const nextBaseFeeMethod = (name: string) =>
  defineCommand({
    summary:
      'Sets the base fee of the next block, in wei. Later blocks follow EIP-1559. Refused once the block has begun.',
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
      'Sets the minimum gas price of the pool; in hardhat of blocks, so that cheaper transactions wait. Only before london, while blocks have no base fee.',
    params: [required('gasPrice', quantity)],
    result: 'null; in hardhat true',
    example: { params: ['0x77359400'], error: 'replacedByBaseFee' },
    handle(session, gasPrice) {
      const cheaper = session.options.flavor === 'hardhat' ? 'wait' : 'refused'
      return acknowledged(session, (state, config) =>
        setMinimumGasPrice(config, state, gasPrice, cheaper, name),
      )
    },
  })
export const anvil_setMinGasPrice = minGasPriceMethod('anvil_setMinGasPrice')
export const ganache_setMinGasPrice = minGasPriceMethod('ganache_setMinGasPrice')
export const hardhat_setMinGasPrice = minGasPriceMethod('hardhat_setMinGasPrice')

export const miner_setGasPrice = defineCommand({
  summary: 'Sets the minimum tip per gas of the pool, in wei; before london, the minimum gas price.',
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
    await change(session, (state) => setExtraData(session.node.config, state, extraData, 'miner_setExtra'))
    return true as const
  },
})

const setPrevRandao = defineCommand({
  summary:
    'Sets prevRandao of the next block; later blocks continue from it. Refused once the block has begun, and before paris.',
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

/** Zero is not a chain id: an EIP-7702 authorization with it is valid on every chain. */
const chainId = { ...integerFrom(1), name: 'chain id' }

export const anvil_setChainId = defineCommand({
  summary:
    'Sets the chain id, also of the block being built, and emits chainChanged. Pooled transactions that are signed for another chain id wait.',
  params: [required('chainId', chainId)],
  result: 'null; in hardhat true',
  example: { params: ['0xa'] },
  handle: (session, id) => acknowledged(session, (state, config) => setChainId(config, state, id)),
})
