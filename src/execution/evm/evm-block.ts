// The block that a transaction runs in, in the shape that @ethereumjs asks for.

import { hexToBytes } from '../../primitives/hex.ts'
import type { BlockEnvironment } from './environment.ts'
import { toEvmAddress } from './evm-address.ts'

/** The header as @ethereumjs reads it; a plain object, because its own class costs more than a transaction. */
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
      // Only when code asks: the header may be one of a run of blocks that nobody has hashed yet.
      get prevRandao() {
        return hexToBytes(environment.prevRandao)
      },
      slotNumber: 0n,
      getBlobGasPrice: () => environment.blobBaseFee,
    },
  }
}

const evmBlocks = new WeakMap<BlockEnvironment, ReturnType<typeof makeEvmBlock>>()

/** One for each environment: the calls and transactions of a block share it. */
export function toEvmBlock(environment: BlockEnvironment) {
  let block = evmBlocks.get(environment)
  if (block === undefined) {
    block = makeEvmBlock(environment)
    evmBlocks.set(environment, block)
  }
  return block
}
