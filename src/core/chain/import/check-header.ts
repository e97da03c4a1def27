// Header checks of imported blocks and their uncles against the parent, before execution
// (geth, consensus/ethash and consensus/beacon, verifyHeader).

import { failure, TickchainError } from '../../primitives/errors.ts'
import { MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { maxBlobGas, nextExcessBlobGas } from '../../rollup/blobs.ts'
import { HEADER_NAMES, hasField, ZERO_NONCE } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import {
  baseFeeAfter,
  GAS_LIMIT_BOUND_DIVISOR,
  gasLimitBefore,
  LEAST_GAS_LIMIT,
  MAX_EXTRA_DATA_BYTES,
  type SealedBlock,
} from '../block/block.ts'
import { difficultyAfter } from '../block/next-environment.ts'
import type { DecodedHeader } from './decode-block.ts'

/** Names a header in error messages. */
export interface Claim {
  /** The number of the imported block. */
  readonly number: number
  /** Text before the name of a check: empty, or `uncle 0 `. */
  readonly prefix: string
}

export function refuseClaim(
  { number, prefix }: Claim,
  check: string,
  expected: unknown,
  got: unknown,
): never {
  throw failure('invalidBlock', {
    number,
    check: `${prefix}${check}`,
    expected: `${expected}`,
    got: `${got}`,
  })
}

/** Throws `invalidBlock` if a claimed value differs from the expected one. */
export function expectEqual(claim: Claim, check: string, expected: unknown, got: unknown): void {
  if (expected !== got) refuseClaim(claim, check, expected, got)
}

function checkGas(claim: Claim, rules: Rules, parent: SealedBlock, header: DecodedHeader): void {
  const { gasLimit, gasUsed } = header
  const before = gasLimitBefore(rules, parent)
  if (gasLimit > MAX_GAS_LIMIT) refuseClaim(claim, 'gasLimit', `at most ${MAX_GAS_LIMIT}`, gasLimit)
  const bound = before / GAS_LIMIT_BOUND_DIVISOR
  const isFar = gasLimit >= before + bound || gasLimit <= before - bound || gasLimit < LEAST_GAS_LIMIT
  // On a rollup the layer 1 sets the gas limit, to any value at once.
  if (isFar && rules.rollup === undefined)
    refuseClaim(claim, 'gasLimit', `within ${bound} of ${before}`, gasLimit)
  // A rollup's deposits are executed whatever the limit; its other transactions are held to it one by one.
  if (gasUsed > gasLimit && rules.rollup === undefined)
    refuseClaim(claim, 'gasUsed', `at most ${gasLimit}`, gasUsed)
}

function checkBlobGas(claim: Claim, rules: Rules, parent: SealedBlock, header: DecodedHeader): void {
  if (!isForkActive(rules, 'cancun')) return
  expectEqual(claim, 'excessBlobGas', nextExcessBlobGas(rules, parent.header), header.excessBlobGas)
  const most = maxBlobGas(rules, header.gasLimit)
  if (header.blobGasUsed > most) refuseClaim(claim, 'blobGasUsed', `at most ${most}`, header.blobGasUsed)
}

/** On a rollup, the base fee of the next block may follow from it. */
function checkExtraData(claim: Claim, rules: Rules, extraData: Uint8Array): void {
  if (extraData.length > MAX_EXTRA_DATA_BYTES)
    refuseClaim(claim, 'extraData', `at most ${MAX_EXTRA_DATA_BYTES} bytes`, extraData.length)
  const { rollup } = rules
  if (!rollup?.changes.hasExtraData) return
  try {
    rollup.stack.decodeExtraData(rules, extraData)
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    refuseClaim(claim, 'extraData', 'parameters of the base fee', error.message)
  }
}

/** Throws `invalidBlock` for a header that cannot follow `parent`. The proof of work is not checked. */
export function checkHeader(
  schedule: Schedule,
  claim: Claim,
  rules: Rules,
  parent: SealedBlock,
  header: DecodedHeader,
): void {
  const { timestamp, extraData, difficulty } = header
  expectEqual(claim, 'parentHash', parent.hash, header.parentHash)
  expectEqual(claim, 'number', parent.header.number + 1, header.number)
  expectEqual(claim, 'fields', HEADER_NAMES.filter((name) => hasField(rules, name)).length, header.fieldCount)
  if (timestamp <= parent.header.timestamp) {
    refuseClaim(claim, 'timestamp', `more than ${parent.header.timestamp}`, timestamp)
  }
  checkExtraData(claim, rules, extraData)
  expectEqual(claim, 'difficulty', difficultyAfter(schedule, rules, parent, timestamp), difficulty)
  if (isForkActive(rules, 'paris')) expectEqual(claim, 'nonce', ZERO_NONCE, header.nonce)
  checkGas(claim, rules, parent, header)
  expectEqual(claim, 'baseFeePerGas', baseFeeAfter(rules, parent), header.baseFeePerGas)
  checkBlobGas(claim, rules, parent, header)
}
