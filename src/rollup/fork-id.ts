// The fork identifier of a chain (EIP-2124, with forks by time as EIP-6122 adds them): a checksum of the genesis
// hash and of every fork that has passed.

import { bigIntToBytes, type Hash, type Hex, hexToBytes, padLeft } from '../primitives/hex.ts'

/** Every point where the rules of a chain change, in order; what holds from genesis on is not among them. */
export interface ForkPoints {
  readonly blocks: readonly number[]
  /** Seconds. */
  readonly times: readonly number[]
}

export const NO_FORKS: ForkPoints = { blocks: [], times: [] }

/** The polynomial of CRC-32 (IEEE 802.3), reflected. */
const POLYNOMIAL = 0xedb88320

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder & 1) === 1 ? POLYNOMIAL ^ (remainder >>> 1) : remainder >>> 1
  }
  return remainder
})

/** Continues a checksum with more bytes. */
function crc32(checksum: number, bytes: Uint8Array): number {
  let rest = ~checksum
  for (const byte of bytes) rest = (REMAINDERS[(rest ^ byte) & 0xff] as number) ^ (rest >>> 8)
  return ~rest >>> 0
}

export interface ForkedGenesis {
  readonly hash: Hash
  /** Seconds. */
  readonly timestamp: number
}

/** The identifier of a chain at a time after all its forks by block. */
export function forkIdAt({ blocks, times }: ForkPoints, genesis: ForkedGenesis, time: number): Hex {
  const passed = times.filter((fork) => fork > genesis.timestamp && fork <= time)
  const checksum = [...blocks, ...passed].reduce(
    (sum, fork) => crc32(sum, padLeft(bigIntToBytes(BigInt(fork)), 8)),
    crc32(0, hexToBytes(genesis.hash)),
  )
  return `0x${checksum.toString(16).padStart(8, '0')}`
}
