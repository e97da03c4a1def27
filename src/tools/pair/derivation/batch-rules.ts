// Which batch may follow a block, and the empty batches of epochs whose sequencing window has passed (OP specs,
// Derivation, "Batch Queue", with the rules of holocene).

import type { L1Block } from '../../../core/node/rollup/origins.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { DEPOSIT_TYPE } from '../../../core/rollup/deposit.ts'
import type { Batch } from '../batches.ts'

/** A block of the layer 2 that the next one follows. */
interface SafeBlock {
  readonly number: number
  readonly hash: Hash
  /** Seconds. */
  readonly timestamp: number
  /** The number of its L1 origin. */
  readonly origin: number
}

export type Epoch = Pick<L1Block, 'number' | 'hash' | 'timestamp'>

export interface BatchRules {
  /** Number of L1 blocks after its origin within which a block may be posted. */
  readonly sequencingWindow: number
  /** Seconds. */
  readonly maxSequencerDriftS: number
}

/** Where derivation stands. */
export interface BatchContext {
  readonly safe: SafeBlock
  /** The timestamp of the block after `safe`. */
  readonly nextTimestamp: number
  /** True for a block before `safe`, where a second has several: a batch of that second may then be past. */
  readonly isEarlier?: (hash: Hash) => boolean
  /** The L1 block that derivation has come to, in which the batch is. */
  readonly l1Number: number
  /** L1 blocks up to that one; `undefined` for later ones. */
  readonly epochAt: (number: number) => Epoch | undefined
}

/** Verdict on a batch: use it, leave it out, or leave out all that follows in its channel too. */
export type Verdict = 'accepted' | 'past' | 'dropped' | 'undecided'

/** True if a block may have transactions or be empty so late after its origin. */
function checkDrift(rules: BatchRules, context: BatchContext, batch: Batch, origin: Epoch): Verdict {
  if (batch.timestamp <= origin.timestamp + rules.maxSequencerDriftS) return 'accepted'
  if (batch.transactions.length > 0) return 'dropped'
  if (origin.number !== context.safe.origin) return 'accepted'
  const next = context.epochAt(origin.number + 1)
  if (next === undefined) return 'undecided'
  return batch.timestamp >= next.timestamp ? 'dropped' : 'accepted'
}

export function checkBatch(rules: BatchRules, context: BatchContext, batch: Batch): Verdict {
  const { safe, nextTimestamp, l1Number, epochAt } = context
  if (batch.timestamp > nextTimestamp) return 'dropped'
  if (batch.timestamp < nextTimestamp) return 'past'
  if (batch.parentHash !== safe.hash) return context.isEarlier?.(batch.parentHash) ? 'past' : 'dropped'
  if (batch.epochNumber + rules.sequencingWindow < l1Number) return 'dropped'
  if (batch.epochNumber !== safe.origin && batch.epochNumber !== safe.origin + 1) return 'dropped'
  const origin = epochAt(batch.epochNumber)
  if (origin === undefined) return 'undecided'
  if (batch.epochHash !== origin.hash || batch.timestamp < origin.timestamp) return 'dropped'
  const isFit = batch.transactions.every((raw) => raw.length > 0 && raw[0] !== DEPOSIT_TYPE)
  return isFit ? checkDrift(rules, context, batch, origin) : 'dropped'
}

/**
 * The empty batch that derivation makes itself, once all data of an L1 block is read: if the sequencing window of the
 * next epoch has passed without a batch. Each epoch gets a block at least.
 */
export function emptyBatch(rules: BatchRules, context: BatchContext): Batch | undefined {
  const { safe, nextTimestamp, l1Number, epochAt } = context
  for (let number = safe.origin; number + rules.sequencingWindow <= l1Number; number++) {
    const epoch = epochAt(number)
    const next = epochAt(number + 1)
    if (epoch === undefined || next === undefined) return undefined
    if (nextTimestamp >= next.timestamp && number !== safe.origin + 1) continue
    return {
      parentHash: safe.hash,
      epochNumber: number,
      epochHash: epoch.hash,
      timestamp: nextTimestamp,
      transactions: [],
    }
  }
  return undefined
}
