// Block values that transactions can read.

import type { Address, Hash } from '../../primitives/hex.ts'

/** The part of a header that is fixed before its first transaction runs. */
export interface BlockEnvironment {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly parentHash: Hash
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly baseFeePerGas: bigint
  /** The mix hash before the merge. */
  readonly prevRandao: Hash
  readonly extraData: Uint8Array
  readonly parentBeaconBlockRoot: Hash
  readonly excessBlobGas: bigint
  /** Wei per blob gas. */
  readonly blobBaseFee: bigint
  /** Zero since the merge, and on every block that is built here. */
  readonly difficulty: bigint
}

/**
 * A block's values with others in their place. Not a spread: those of a block that is not built yet are inherited getters.
 */
export function environmentWith<Changes extends object>(
  environment: BlockEnvironment,
  changes: Changes,
): BlockEnvironment & Changes {
  const { number, timestamp, parentHash, coinbase, gasLimit, baseFeePerGas, prevRandao } = environment
  const { extraData, parentBeaconBlockRoot, excessBlobGas, blobBaseFee, difficulty } = environment
  return {
    ...{ number, timestamp, parentHash, coinbase, gasLimit, baseFeePerGas, prevRandao },
    ...{ extraData, parentBeaconBlockRoot, excessBlobGas, blobBaseFee, difficulty },
    ...changes,
  }
}

/** Getters where a value may need the hashes of a run of empty blocks, which are computed on demand. */
class FreeEnvironment implements BlockEnvironment {
  readonly number: number
  readonly timestamp: number
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly baseFeePerGas = 0n
  readonly extraData: Uint8Array
  readonly excessBlobGas: bigint
  readonly blobBaseFee: bigint
  readonly difficulty: bigint
  private readonly paid: BlockEnvironment

  constructor(paid: BlockEnvironment) {
    this.number = paid.number
    this.timestamp = paid.timestamp
    this.coinbase = paid.coinbase
    this.gasLimit = paid.gasLimit
    this.extraData = paid.extraData
    this.excessBlobGas = paid.excessBlobGas
    this.blobBaseFee = paid.blobBaseFee
    this.difficulty = paid.difficulty
    this.paid = paid
  }

  get parentHash(): Hash {
    return this.paid.parentHash
  }

  get prevRandao(): Hash {
    return this.paid.prevRandao
  }

  get parentBeaconBlockRoot(): Hash {
    return this.paid.parentBeaconBlockRoot
  }
}

const free = new WeakMap<BlockEnvironment, BlockEnvironment>()

/** The environment with a base fee of zero; cached, because many calls use the same few blocks. */
export function withoutBaseFee(environment: BlockEnvironment): BlockEnvironment {
  let made = free.get(environment)
  if (made === undefined) {
    made = new FreeEnvironment(environment)
    free.set(environment, made)
  }
  return made
}

/** The hash of an earlier block; `undefined` if it does not exist. The EVM limits BLOCKHASH to 256 blocks. */
export type BlockHashOf = (blockNumber: number) => Hash | undefined
