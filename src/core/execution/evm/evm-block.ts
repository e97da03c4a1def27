// Block environments in the form that @ethereumjs expects.

import type { EvmAddress } from '../../interpreter/evm-address.ts'
import { toEvmAddress } from '../../interpreter/evm-address.ts'
import { hexToBytes } from '../../primitives/hex.ts'
import { memoizeLast } from '../../primitives/memoize-last.ts'
import type { BlockEnvironment } from './environment.ts'

/**
 * Not the class of @ethereumjs, whose construction costs more than a transaction. A class, because an object with
 * getters of its own takes several times as much memory and time.
 */
class EvmHeader {
  readonly coinbase: EvmAddress
  readonly gasLimit: bigint
  readonly gasUsed = 0n
  readonly baseFeePerGas: bigint
  readonly difficulty: bigint
  readonly slotNumber = 0n
  private readonly environment: BlockEnvironment

  constructor(environment: BlockEnvironment) {
    this.coinbase = toEvmAddress(environment.coinbase)
    this.gasLimit = environment.gasLimit
    this.baseFeePerGas = environment.baseFeePerGas
    this.difficulty = environment.difficulty
    this.environment = environment
  }

  // Read when they are needed: most calls need none, and exploring has a block for each of many calls.

  get number(): bigint {
    return BigInt(this.environment.number)
  }

  get timestamp(): bigint {
    return BigInt(this.environment.timestamp)
  }

  /** In a run of empty blocks it takes hashes that are computed on demand. */
  get prevRandao(): Uint8Array {
    return hexToBytes(this.environment.prevRandao)
  }

  getBlobGasPrice(): bigint {
    return this.environment.blobBaseFee
  }
}

/** The block being built, and those that clients call at the same time. */
const REMEMBERED_BLOCKS = 8

export interface EvmBlock {
  readonly header: EvmHeader
}

/** One per environment: the calls and transactions of a block share it. */
export const toEvmBlock = memoizeLast(
  REMEMBERED_BLOCKS,
  (environment: BlockEnvironment): EvmBlock => ({ header: new EvmHeader(environment) }),
)
