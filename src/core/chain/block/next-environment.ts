// The environment of a new block: its fees and difficulty from the parent, and the fields that depend on its prevRandao.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hash, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { memoizeLast } from '../../primitives/memoize-last.ts'
import { blobBaseFee, nextExcessBlobGas } from '../../rollup/blobs.ts'
import { nextDifficulty } from '../../rollup/difficulty.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { baseFeeAfter, type FeesParent, type SealedBlock } from './block.ts'

export type Fees = Pick<BlockEnvironment, 'baseFeePerGas' | 'excessBlobGas' | 'blobBaseFee'>

export function feesAfter(rules: Rules, parent: FeesParent): Fees {
  const excessBlobGas = isForkActive(rules, 'cancun') ? nextExcessBlobGas(rules, parent.header) : 0n
  const baseFeePerGas = baseFeeAfter(rules, parent)
  return { baseFeePerGas, excessBlobGas, blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas) }
}

/** The difficulty of a block on `parent`: zero without proof of work and after the merge (EIP-3675). */
export function difficultyAfter(
  schedule: Schedule,
  rules: Rules,
  parent: SealedBlock,
  timestamp: number,
): bigint {
  const { bombDelays, terminalTotalDifficulty: terminal } = schedule
  // The merge is final: no proof-of-work block follows one of proof of stake, or the last one of proof of work.
  const isMerged =
    isForkActive(rules, 'paris') ||
    isForkActive(parent.rules, 'paris') ||
    (terminal !== undefined && parent.totalDifficulty >= terminal)
  if (isMerged || bombDelays === undefined) return 0n
  const hasUncles = parent.body.uncles.length > 0
  const { number, timestamp: parentTimestamp, difficulty } = parent.header
  const last = { number, timestamp: parentTimestamp, difficulty, hasUncles }
  return nextDifficulty(rules, bombDelays, last, timestamp)
}

export function builtDifficulty(
  schedule: Schedule,
  rules: Rules,
  parent: SealedBlock,
  timestamp: number,
): bigint {
  return schedule.buildsWithWork ? difficultyAfter(schedule, rules, parent, timestamp) : 0n
}

type Derived = 'prevRandao' | 'parentBeaconBlockRoot'

/** Completes the environment of a block with the fields that depend on its prevRandao. */
export function environmentFrom(
  rules: Rules,
  prevRandao: Hash,
  known: Omit<BlockEnvironment, Derived>,
): BlockEnvironment {
  // Field by field: a spread takes several times as long, and every block has an environment.
  return {
    number: known.number,
    timestamp: known.timestamp,
    parentHash: known.parentHash,
    coinbase: known.coinbase,
    gasLimit: known.gasLimit,
    baseFeePerGas: known.baseFeePerGas,
    extraData: known.extraData,
    excessBlobGas: known.excessBlobGas,
    blobBaseFee: known.blobBaseFee,
    difficulty: known.difficulty,
    prevRandao: isForkActive(rules, 'paris') ? prevRandao : ZERO_HASH,
    // There is no beacon chain. The hash of prevRandao stands for its root, which then differs in every block.
    parentBeaconBlockRoot: hashOfHash(prevRandao),
  }
}

/**
 * For the same few hashes: a block's beacon root is the prevRandao of the next one, or that of a rollup's L1 origin.
 */
const hashOfHash = memoizeLast(4, (hash: Hash): Hash => keccak256Hex(hexToBytes(hash)))

/** The prevRandao of a block, from its parent's. */
export function prevRandaoAfter(prevRandao: Hash): Hash {
  return hashOfHash(prevRandao)
}
