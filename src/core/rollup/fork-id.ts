// Fork identifiers (EIP-2124, with timestamp forks of EIP-6122): a CRC-32 of the genesis hash and all passed forks.

import { crc32 } from '../primitives/crc32.ts'
import { bigIntToBytes, type Hash, type Hex, hexToBytes, padLeft } from '../primitives/hex.ts'

/** Blocks and times of a chain's forks, sorted; forks of genesis are not among them. */
export interface ForkPoints {
  readonly blocks: readonly number[]
  /** Seconds. */
  readonly times: readonly number[]
}

export const NO_FORKS: ForkPoints = { blocks: [], times: [] }

export interface ForkedGenesis {
  readonly hash: Hash
  /** Seconds. */
  readonly timestamp: number
}

/** The fork identifier at a time, after all forks by block number. */
export function forkIdAt({ blocks, times }: ForkPoints, genesis: ForkedGenesis, time: number): Hex {
  const passed = times.filter((fork) => fork > genesis.timestamp && fork <= time)
  const checksum = [...blocks, ...passed].reduce(
    (sum, fork) => crc32(padLeft(bigIntToBytes(BigInt(fork)), 8), sum),
    crc32(hexToBytes(genesis.hash)),
  )
  return `0x${checksum.toString(16).padStart(8, '0')}`
}
