// L1 attributes: what an L2 block says of its L1 origin and of the system configuration, in its first transaction.

import type { Hash } from '../../primitives/hex.ts'

/** The L1 block that an L2 block is derived from: its L1 origin. */
export interface L1Origin {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly hash: Hash
  /** Wei per gas on the layer 1. */
  readonly baseFee: bigint
  /** Wei per blob gas on the layer 1. */
  readonly blobBaseFee: bigint
}

/** What the contract SystemConfig on the layer 1 sets for the layer 2. */
export interface SystemConfig {
  /** The batcher's address, as a word. */
  readonly batcherHash: Hash
  /** Of the L1 data fee before ecotone. */
  readonly overhead: bigint
  readonly scalar: bigint
  /** Of the L1 data fee from ecotone on; 32 bits each, millionths. */
  readonly baseFeeScalar: number
  readonly blobBaseFeeScalar: number
  readonly gasLimit: bigint
  /** From holocene on; zeros stand for those of the chain. */
  readonly eip1559: { readonly denominator: number; readonly elasticity: number }
  /** From isthmus on. */
  readonly operatorFeeScalar: number
  readonly operatorFeeConstant: bigint
  /** From jovian on. */
  readonly minBaseFee: bigint
  /** From jovian on; zero stands for 400. */
  readonly daFootprintGasScalar: number
}

/** The content of a block's first transaction. */
export interface L1Attributes {
  readonly origin: L1Origin
  /** The number of L2 blocks of the same origin before this one. */
  readonly sequenceNumber: number
  readonly system: SystemConfig
}
