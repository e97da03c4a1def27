// Block times that are drawn at random for each block.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes, utf8ToBytes } from '../../primitives/hex.ts'
import type { Header } from '../../rollup/header.ts'
import type { BlockTimeRange, Settings } from '../node-state.ts'

/** A block time in the range, from the number and the prevRandao of its parent. */
export function drawBlockTime({ leastMs, mostMs }: BlockTimeRange, number: number, prevRandao: Hash): number {
  const seed = concatBytes(utf8ToBytes(`block time after ${number}`), hexToBytes(prevRandao))
  return leastMs + Number(BigInt(keccak256Hex(seed)) % BigInt(mostMs - leastMs + 1))
}

/** The settings for the block on a head. */
export function settingsAfter(settings: Settings, head: Pick<Header, 'number' | 'prevRandao'>): Settings {
  const { blockTimeRange } = settings
  if (blockTimeRange === undefined) return settings
  return { ...settings, blockTimeMs: drawBlockTime(blockTimeRange, head.number, head.prevRandao) }
}
