// Import of one block: checks its header and uncles, executes it, and compares every commitment.

import type { ExecutionContext } from '../../execution/evm/pooled-evm.ts'
import type { ExecutedTransaction, Transaction } from '../../execution/transaction/transaction.ts'
import { failure, TickchainError } from '../../primitives/errors.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { maxBlobGas, nextExcessBlobGas } from '../../rollup/blobs.ts'
import { encodeDeposit } from '../../rollup/deposit.ts'
import { completeHeader, HEADER_NAMES, hasField, hashHeader, ZERO_NONCE } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import type { SealedBlock } from '../block/block.ts'
import * as blocks from '../block/block.ts'
import { hashUncles, type Uncle } from '../block/body.ts'
import { completeBody, difficultyAfter, executeTransactions } from '../block/execute-block.ts'
import { blockByHash, type Chain } from '../chain.ts'
import type { DecodedBlock, DecodedHeader } from './decode-block.ts'

/** Names a header in error messages. */
interface Claim {
  readonly number: number
  /** Text before the name of a check: empty, or `uncle 0 `. */
  readonly prefix: string
}

function refuseClaim({ number, prefix }: Claim, check: string, expected: unknown, got: unknown): never {
  const words = { check: `${prefix}${check}`, expected: `${expected}`, got: `${got}` }
  throw failure('invalidBlock', { number, ...words })
}

/** Throws `invalidBlock` if a claimed value differs from the expected one. */
function expectEqual(claim: Claim, check: string, expected: unknown, got: unknown): void {
  if (expected !== got) refuseClaim(claim, check, expected, got)
}

function checkGas(claim: Claim, rules: Rules, parent: SealedBlock, header: DecodedHeader): void {
  const { gasLimit, gasUsed } = header
  const before = blocks.gasLimitBefore(rules, parent)
  if (gasLimit > MAX_GAS_LIMIT) refuseClaim(claim, 'gasLimit', `at most ${MAX_GAS_LIMIT}`, gasLimit)
  const bound = before / blocks.GAS_LIMIT_BOUND_DIVISOR
  const isFar = gasLimit >= before + bound || gasLimit <= before - bound || gasLimit < blocks.LEAST_GAS_LIMIT
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
  if (extraData.length > blocks.MAX_EXTRA_DATA_BYTES)
    refuseClaim(claim, 'extraData', `at most ${blocks.MAX_EXTRA_DATA_BYTES} bytes`, extraData.length)
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
function checkHeader(
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
  // Where a second has several blocks, `checkTimeDeposit` looks at the milliseconds.
  const least = parent.header.timestamp + (blocks.hasSlots({ rules }) ? 0 : 1)
  if (timestamp < least) refuseClaim(claim, 'timestamp', `more than ${least - 1}`, timestamp)
  checkExtraData(claim, rules, extraData)
  expectEqual(claim, 'difficulty', difficultyAfter(schedule, rules, parent, timestamp), difficulty)
  if (isForkActive(rules, 'paris')) expectEqual(claim, 'nonce', ZERO_NONCE, header.nonce)
  checkGas(claim, rules, parent, header)
  expectEqual(claim, 'baseFeePerGas', blocks.baseFeeAfter(rules, parent), header.baseFeePerGas)
  checkBlobGas(claim, rules, parent, header)
}

const MAX_UNCLES = 2
const MAX_GENERATIONS = 7

/** The last blocks up to `parent` by hash; an uncle may be a child of any but `parent`. */
function ancestorsOf(chain: Chain, parent: SealedBlock): Map<Hash, SealedBlock> {
  const ancestors = new Map<Hash, SealedBlock>()
  let ancestor: SealedBlock | undefined = parent
  for (let generation = 0; generation < MAX_GENERATIONS && ancestor !== undefined; generation++) {
    ancestors.set(ancestor.hash, ancestor)
    ancestor = blockByHash(chain, ancestor.header.parentHash)
  }
  return ancestors
}

function hashOf({ rules, header }: Uncle): Hash {
  return hashHeader(rules, header)
}

/** Throws `invalidBlock` if a block on `parent` may not have these uncles; `headers` are their decoded headers. */
function checkUncles(
  schedule: Schedule,
  chain: Chain,
  { rules, number, parent }: { readonly rules: Rules; readonly number: number; readonly parent: SealedBlock },
  uncles: readonly Uncle[],
  headers: readonly DecodedHeader[],
): void {
  const block: Claim = { number, prefix: '' }
  // EIP-3675
  const most = isForkActive(rules, 'paris') ? 0 : MAX_UNCLES
  if (uncles.length > most) refuseClaim(block, 'uncles', `at most ${most}`, uncles.length)
  if (uncles.length === 0) return
  const ancestors = ancestorsOf(chain, parent)
  const known = new Set([...ancestors.values()].flatMap(({ body }) => body.uncles.map(hashOf)))
  for (const [index, header] of headers.entries()) {
    const uncle = uncles[index] as Uncle
    const hash = hashOf(uncle)
    if (known.has(hash)) refuseClaim(block, `uncle ${index}`, 'one that no block has yet', hash)
    known.add(hash)
    if (ancestors.has(hash)) refuseClaim(block, `uncle ${index}`, 'no ancestor of the block', hash)
    const branch = ancestors.get(header.parentHash)
    if (branch === undefined || branch === parent) {
      const expected = `a child of one of the ${MAX_GENERATIONS - 1} blocks before the parent`
      refuseClaim(block, `uncle ${index}`, expected, `a child of ${header.parentHash}`)
    }
    checkHeader(schedule, { number, prefix: `uncle ${index} ` }, uncle.rules, branch, header)
  }
}

/** The chain that the imported block extends. */
export interface ImportContext {
  readonly schedule: Schedule
  readonly executionUnder: (rules: Rules) => ExecutionContext
  readonly chain: Chain
}

async function executeBlock(
  context: ImportContext,
  start: blocks.OpenBlock,
  { transactions, withdrawals = [], header }: DecodedBlock,
  uncles: readonly Uncle[],
): Promise<blocks.OpenBlock> {
  const execution = context.executionUnder(start.rules)
  const executed = await executeTransactions(execution, start, transactions)
  const open = await completeBody(execution, executed, withdrawals)
  return { ...open, body: { ...open.body, nonce: header.nonce, uncles } }
}

/** A body has a list of withdrawals from shanghai on, and none before. */
function checkWithdrawals(claim: Claim, rules: Rules, { withdrawals }: DecodedBlock): void {
  const presence = (isThere: boolean): string => (isThere ? 'a list' : 'none')
  const expected = presence(isForkActive(rules, 'shanghai'))
  expectEqual(claim, 'withdrawals', expected, presence(withdrawals !== undefined))
  if (rules.rollup !== undefined) expectEqual(claim, 'number of withdrawals', 0, withdrawals?.length ?? 0)
}

/** On a rollup the L1 attributes come first, and no deposit comes after a transaction that is none. */
function checkDeposits(claim: Claim, { rollup }: Rules, transactions: readonly Transaction[]): void {
  if (rollup === undefined) return
  const { sender, contract } = rollup.stack.attributes
  const [first] = transactions
  const isOpened = first?.deposit !== undefined && first.sender === sender && first.to === contract
  if (!isOpened) refuseClaim(claim, 'transaction 0', 'a deposit of L1 attributes', first?.hash ?? 'none')
  const late = transactions.findIndex(
    ({ deposit }, index) =>
      deposit !== undefined && transactions[index - 1]?.deposit === undefined && index > 0,
  )
  if (late !== -1)
    refuseClaim(claim, `transaction ${late}`, 'no deposit after other transactions', 'a deposit')
}

/** EIP-7934: 10 MiB less 2 MiB for the block of the consensus layer. Rollups leave it out. */
const MAX_BLOCK_BYTES = 8_388_608

/** Header fields computed from the body and its execution, in the order of the checks. */
const COMMITMENTS = [
  'transactionsRoot',
  'withdrawalsRoot',
  'gasUsed',
  'blobGasUsed',
  'receiptsRoot',
  'requestsHash',
  'stateRoot',
] as const

function checkCommitments(claim: Claim, sealed: SealedBlock, claimed: DecodedHeader): void {
  const { header, rules } = sealed
  for (const commitment of COMMITMENTS) {
    if (hasField(rules, commitment)) expectEqual(claim, commitment, header[commitment], claimed[commitment])
  }
  expectEqual(claim, 'logsBloom', bytesToHex(header.logsBloom), bytesToHex(claimed.logsBloom))
}

/** Executes a block on its parent; throws `invalidBlock` with the name of the check that failed. */
export async function importBlock(context: ImportContext, parent: SealedBlock, decoded: DecodedBlock) {
  const { schedule, chain } = context
  const { header } = decoded
  const { number } = header
  const claim: Claim = { number, prefix: '' }
  const rules = schedule.rulesAt(header)
  checkHeader(schedule, claim, rules, parent, header)
  const { size } = decoded
  if (size > MAX_BLOCK_BYTES && isForkActive(rules, 'osaka') && rules.rollup === undefined)
    refuseClaim(claim, 'size', `at most ${MAX_BLOCK_BYTES} bytes`, size)
  checkWithdrawals(claim, rules, decoded)
  checkDeposits(claim, rules, decoded.transactions)
  checkTimeDeposit(claim, rules, parent, header.timestamp, decoded.transactions)
  const uncles = decoded.uncles.map((uncle): Uncle => {
    const rulesThen = schedule.rulesAt(uncle)
    return { rules: rulesThen, header: completeHeader(rulesThen, uncle) }
  })
  expectEqual(claim, 'unclesHash', hashUncles(uncles), header.unclesHash)
  checkUncles(schedule, chain, { rules, number, parent }, uncles, decoded.uncles)
  const start = blocks.openBlock(rules, parent, completeHeader(rules, header))
  const sealed = blocks.sealBlock(await executeBlock(context, start, decoded, uncles))
  checkTimeTold(claim, rules, sealed.executed)
  checkCommitments(claim, sealed, header)
  expectEqual(claim, 'hash', sealed.hash, hashHeader(rules, header))
  return sealed
}

/** A block has one deposit that tells its milliseconds, as its second transaction, from the fork on that brings it. */
function checkTimeDeposit(
  claim: Claim,
  rules: Rules,
  parent: SealedBlock,
  timestamp: number,
  transactions: readonly Transaction[],
): void {
  const { rollup } = rules
  if (rollup === undefined) return
  const { stack, changes } = rollup
  const number = parent.header.number + 1
  const model = stack.timeDeposit(number, 0)
  const isTold = ({ deposit, sender, to }: Transaction): boolean =>
    deposit !== undefined && sender === model.from && to === model.to
  const told = transactions.flatMap((each, index) => (isTold(each) ? [index] : []))
  const { slotMs } = changes
  const expected = slotMs === undefined ? '' : '1'
  if (told.join() !== expected) {
    refuseClaim(
      claim,
      'time deposits',
      expected === '' ? 'none' : 'one, transaction 1',
      told.join() || 'none',
    )
  }
  if (slotMs === undefined) return
  const [, second] = transactions as readonly [Transaction, Transaction]
  const part = stack.readTimePart(second.input)
  const isOfSlot = part < 1000 && part % slotMs === 0
  if (!isOfSlot || bytesToHex(second.raw) !== bytesToHex(encodeDeposit(stack.timeDeposit(number, part))))
    refuseClaim(claim, 'transaction 1', `the deposit of a multiple of ${slotMs} ms`, bytesToHex(second.raw))
  const isFirst = !blocks.hasSlots(parent)
  if (isFirst && part !== 0) refuseClaim(claim, 'milliseconds', '0 in the first block', part)
  const [ms, least] = [timestamp * 1000 + part, blocks.momentOf(parent) + 1]
  if (ms < least) refuseClaim(claim, 'time in milliseconds', `at least ${least}`, ms)
}

/** The deposit that tells the milliseconds must have succeeded. */
function checkTimeTold(claim: Claim, rules: Rules, executed: readonly ExecutedTransaction[]): void {
  const status = executed[1]?.receipt.status
  if (blocks.hasSlots({ rules }) && status !== 1)
    refuseClaim(claim, 'status of transaction 1', 1, status ?? 'none')
}
