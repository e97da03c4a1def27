// A rollup for tests: its blocks' first transactions, read by the offsets of the specification.

import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { type Hex, hexToBigInt, hexToNumber, slice } from 'viem'

/** 2024-01-01T00:00:00Z, where a chain starts. */
export const START_S = 1_704_067_200

export interface ShownTransaction {
  readonly hash: Hex
  readonly type: Hex
  readonly from: Hex
  readonly to?: Hex
  readonly input: Hex
  readonly nonce: Hex
  readonly sourceHash: Hex
}

export interface ShownBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly extraData: Hex
  readonly baseFeePerGas: Hex
  readonly transactions: readonly ShownTransaction[]
}

export async function startRollup(options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ rollup: { stack: 'op' }, ...options })
}

export async function blockAt(chain: Emulator, block: Hex | 'latest' | 'pending'): Promise<ShownBlock> {
  return (await chain.request('eth_getBlockByNumber', [block, true])) as unknown as ShownBlock
}

/** The L1 attributes of a block in the form of isthmus or jovian (specification, L1 attributes). */
export async function attributesAt(chain: Emulator, block: Hex | 'latest' | 'pending') {
  const { transactions } = await blockAt(chain, block)
  const input = transactions[0]!.input
  return {
    sequenceNumber: hexToNumber(slice(input, 12, 20)),
    timestamp: hexToNumber(slice(input, 20, 28)),
    number: hexToNumber(slice(input, 28, 36)),
    baseFee: hexToBigInt(slice(input, 36, 68)),
    blobBaseFee: hexToBigInt(slice(input, 68, 100)),
    hash: slice(input, 100, 132),
  }
}
