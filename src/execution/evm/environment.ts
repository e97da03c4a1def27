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

/** Getters where a value may need the hashes of a run of empty blocks, which are computed on demand. */
function copyWithoutBaseFee(environment: BlockEnvironment): BlockEnvironment {
  const { number, timestamp, coinbase, gasLimit, extraData, difficulty } = environment
  const { excessBlobGas, blobBaseFee } = environment
  return {
    ...{ number, timestamp, coinbase, gasLimit, extraData, difficulty },
    ...{ excessBlobGas, blobBaseFee, baseFeePerGas: 0n },
    get parentHash() {
      return environment.parentHash
    },
    get prevRandao() {
      return environment.prevRandao
    },
    get parentBeaconBlockRoot() {
      return environment.parentBeaconBlockRoot
    },
  }
}

const free = new WeakMap<BlockEnvironment, BlockEnvironment>()

/** The environment with a base fee of zero; cached, because many calls use the same few blocks. */
export function withoutBaseFee(environment: BlockEnvironment): BlockEnvironment {
  let made = free.get(environment)
  if (made === undefined) {
    made = copyWithoutBaseFee(environment)
    free.set(environment, made)
  }
  return made
}

/** The hash of an earlier block; `undefined` if it does not exist. The EVM limits BLOCKHASH to 256 blocks. */
export type BlockHashOf = (blockNumber: number) => Hash | undefined
