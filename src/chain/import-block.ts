// Executes a foreign block and checks everything that it claims.

import type { BlockEnvironment, BlockHashOf } from '../execution/environment.ts'
import type { ExecutionContext } from '../execution/machine.ts'
import { failure } from '../primitives/errors.ts'
import { bytesToHex } from '../primitives/hex.ts'
import { blobBaseFee, mostBlobGas, nextExcessBlobGas } from '../rollup/blobs.ts'
import { isForkActive, type Rules } from '../rollup/forks.ts'
import { payRewards } from '../rollup/rewards.ts'
import type { Schedule } from '../rollup/schedule.ts'
import {
  baseFeeAfter,
  GAS_LIMIT_BOUND_DIVISOR,
  gasLimitBefore,
  LEAST_GAS_LIMIT,
  MAX_EXTRA_DATA_BYTES,
  type OpenBlock,
  openBlock,
  type SealedBlock,
  sealBlock,
} from './block.ts'
import type { BlockBody } from './body.ts'
import type { DecodedBlock, DecodedHeader } from './decode-block.ts'
import { completeBody, executeTransactions } from './execute-block.ts'
import { type Header, hashHeader, ZERO_NONCE } from './header.ts'

/** What the importer needs to know of the chain that a block extends. */
export interface ImportContext {
  readonly schedule: Schedule
  readonly executionUnder: (rules: Rules) => ExecutionContext
  readonly blockHashOf: BlockHashOf
}

function refuse(number: number, check: string, expected: unknown, got: unknown): never {
  throw failure('invalidBlock', { number, check, expected: `${expected}`, got: `${got}` })
}

/** Compares what a block claims with what it should be. */
function expectEqual(number: number, check: string, expected: unknown, got: unknown): void {
  if (expected !== got) refuse(number, check, expected, got)
}

/** How many fields a header has under these rules. */
function fieldCountOf(rules: Rules): number {
  if (isForkActive(rules, 'prague')) return 21
  if (isForkActive(rules, 'cancun')) return 20
  if (isForkActive(rules, 'shanghai')) return 17
  return isForkActive(rules, 'london') ? 16 : 15
}

function checkGasLimit(rules: Rules, parent: SealedBlock, { number, gasLimit }: DecodedHeader): void {
  const before = gasLimitBefore(rules, parent)
  const bound = before / GAS_LIMIT_BOUND_DIVISOR
  if (gasLimit >= before + bound || gasLimit <= before - bound || gasLimit < LEAST_GAS_LIMIT) {
    refuse(number, 'gasLimit', `within ${bound} of ${before}`, gasLimit)
  }
}

/** Proof of stake leaves constants in the place of proof of work (EIP-3675). */
function checkProof(rules: Rules, { number, difficulty, nonce }: DecodedHeader): void {
  if (!isForkActive(rules, 'paris')) return
  expectEqual(number, 'difficulty', 0n, difficulty)
  expectEqual(number, 'nonce', ZERO_NONCE, nonce)
}

function checkHeader(rules: Rules, parent: SealedBlock, header: DecodedHeader): void {
  const { number } = header
  expectEqual(number, 'parentHash', parent.hash, header.parentHash)
  expectEqual(number, 'number', parent.header.number + 1, number)
  expectEqual(number, 'fields', fieldCountOf(rules), header.fieldCount)
  if (header.timestamp <= parent.header.timestamp) {
    refuse(number, 'timestamp', `more than ${parent.header.timestamp}`, header.timestamp)
  }
  if (header.extraData.length > MAX_EXTRA_DATA_BYTES) {
    refuse(number, 'extraData', `at most ${MAX_EXTRA_DATA_BYTES} bytes`, header.extraData.length)
  }
  checkProof(rules, header)
  checkGasLimit(rules, parent, header)
  expectEqual(number, 'baseFeePerGas', baseFeeAfter(rules, parent), header.baseFeePerGas)
  if (isForkActive(rules, 'cancun')) {
    expectEqual(number, 'excessBlobGas', nextExcessBlobGas(rules, parent.header), header.excessBlobGas)
    const most = mostBlobGas(rules)
    if (header.blobGasUsed > most) refuse(number, 'blobGasUsed', `at most ${most}`, header.blobGasUsed)
  }
}

function environmentOf(rules: Rules, header: DecodedHeader): BlockEnvironment {
  const { number, timestamp, parentHash, coinbase, gasLimit, baseFeePerGas, prevRandao } = header
  const { extraData, parentBeaconBlockRoot, excessBlobGas, difficulty } = header
  return {
    ...{ number, timestamp, parentHash, coinbase, gasLimit, baseFeePerGas, prevRandao },
    ...{ extraData, parentBeaconBlockRoot, excessBlobGas, difficulty },
    blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas),
  }
}

async function executeBlock(
  context: ImportContext,
  start: OpenBlock,
  { transactions, uncles, withdrawals, header }: DecodedBlock,
): Promise<OpenBlock> {
  const execution = context.executionUnder(start.rules)
  const executed = await executeTransactions(execution, start, transactions)
  const open = await completeBody(execution, executed, withdrawals)
  return {
    ...open,
    state: payRewards(open.rules, open.state, header, uncles),
    body: {
      ...open.body,
      nonce: header.nonce,
      uncles: uncles.map((uncle) => toUncle(context.schedule, uncle)),
    },
  }
}

function toUncle(schedule: Schedule, uncle: DecodedHeader): BlockBody['uncles'][number] {
  const rules = schedule.rulesAt(uncle)
  return { rules, header: { ...environmentOf(rules, uncle), ...uncle } }
}

/** The commitments that a block makes, each checked against what its execution gave. */
const COMMITMENTS = [
  'unclesHash',
  'transactionsRoot',
  'withdrawalsRoot',
  'gasUsed',
  'blobGasUsed',
  'receiptsRoot',
  'requestsHash',
  'stateRoot',
] as const

/** Commitments that a header does not have before their fork. */
const ABSENT_BEFORE = { withdrawalsRoot: 'shanghai', blobGasUsed: 'cancun', requestsHash: 'prague' } as const

function checkCommitments(sealed: SealedBlock, claimed: DecodedHeader): void {
  const { header, rules } = sealed
  for (const commitment of COMMITMENTS) {
    const fork =
      commitment in ABSENT_BEFORE ? ABSENT_BEFORE[commitment as keyof typeof ABSENT_BEFORE] : undefined
    if (fork !== undefined && !isForkActive(rules, fork)) continue
    expectEqual(header.number, commitment, header[commitment], claimed[commitment])
  }
  expectEqual(header.number, 'logsBloom', bytesToHex(header.logsBloom), bytesToHex(claimed.logsBloom))
}

/** Executes a block on its parent; throws `invalidBlock`, naming the check that failed. */
export async function importBlock(
  context: ImportContext,
  parent: SealedBlock,
  decoded: DecodedBlock,
): Promise<SealedBlock> {
  const { header } = decoded
  const rules = context.schedule.rulesAt(header)
  checkHeader(rules, parent, header)
  const open = await executeBlock(context, openBlock(rules, parent, environmentOf(rules, header)), decoded)
  const sealed = sealBlock(open)
  checkCommitments(sealed, header)
  const claimed: Header = { ...environmentOf(rules, header), ...header }
  expectEqual(header.number, 'hash', sealed.hash, hashHeader(rules, claimed))
  return sealed
}
