// Block environments in the form that @ethereumjs expects.

import { hexToBytes } from '../../primitives/hex.ts'
import type { BlockEnvironment } from './environment.ts'
import { toEvmAddress } from './evm-address.ts'

/** A plain object, because constructing the class of @ethereumjs costs more than a transaction. */
function makeEvmBlock(environment: BlockEnvironment) {
  return {
    header: {
      number: BigInt(environment.number),
      timestamp: BigInt(environment.timestamp),
      coinbase: toEvmAddress(environment.coinbase),
      gasLimit: environment.gasLimit,
      gasUsed: 0n,
      baseFeePerGas: environment.baseFeePerGas,
      difficulty: environment.difficulty,
      // A getter, because in a run of empty blocks the value needs hashes that are computed on demand.
      get prevRandao() {
        return hexToBytes(environment.prevRandao)
      },
      slotNumber: 0n,
      getBlobGasPrice: () => environment.blobBaseFee,
    },
  }
}

const evmBlocks = new WeakMap<BlockEnvironment, ReturnType<typeof makeEvmBlock>>()

/** One per environment: the calls and transactions of a block share it. */
export function toEvmBlock(environment: BlockEnvironment) {
  let block = evmBlocks.get(environment)
  if (block === undefined) {
    block = makeEvmBlock(environment)
    evmBlocks.set(environment, block)
  }
  return block
}
