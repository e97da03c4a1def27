// What a transaction can see of the block it runs in.

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

/** What takes the hashes of a run of blocks is not read before it is asked for. */
function makeFree(environment: BlockEnvironment): BlockEnvironment {
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

/** The same without a base fee. Calls ask for it of the same few blocks. */
export function withoutBaseFee(environment: BlockEnvironment): BlockEnvironment {
  let made = free.get(environment)
  if (made === undefined) {
    made = makeFree(environment)
    free.set(environment, made)
  }
  return made
}

/** The hash of an earlier block, or `undefined` where there is none; the EVM bounds it to 256 blocks. */
export type BlockHashOf = (blockNumber: number) => Hash | undefined
