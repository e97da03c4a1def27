// Execution of a block on its parent: its environment, whose fees and difficulty follow from the parent, its system
// writes, and its transactions.

import { withEvm } from '../../execution/evm/evm-pool.ts'
import type { EvmInstance, ExecutionContext } from '../../execution/evm/pooled-evm.ts'
import { collectRequests } from '../../execution/transaction/execution-requests.ts'
import { blobGasIn } from '../../execution/transaction/rollup-fees.ts'
import { isDeposit, runTransaction } from '../../execution/transaction/run-transaction.ts'
import type { ExecutedTransaction, Transaction } from '../../execution/transaction/transaction.ts'
import { invalidityIn, PRECONDITION_ERRORS, unmetPrecondition } from '../../execution/transaction/validity.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { failure } from '../../primitives/errors.ts'
import { type Hash, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import { blobBaseFee, maxBlobGas, nextExcessBlobGas } from '../../rollup/blobs.ts'
import { nextDifficulty, payWithdrawals } from '../../rollup/difficulty.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { withMissesLoaded } from '../../state/overlay-map.ts'
import { type CommittedState, commitState, stateRoot } from '../../state/state-tries.ts'
import { readAccount } from '../../state/world-state.ts'
import { addPartial, baseFeeAfter, type FeesParent, type OpenBlock, type SealedBlock } from './block.ts'
import type { Withdrawal } from './body.ts'

export type Fees = Pick<BlockEnvironment, 'baseFeePerGas' | 'excessBlobGas' | 'blobBaseFee'>

export function feesAfter(rules: Rules, parent: FeesParent): Fees {
  const excessBlobGas = isForkActive(rules, 'cancun') ? nextExcessBlobGas(rules, parent.header) : 0n
  const baseFeePerGas = baseFeeAfter(rules, parent)
  return { baseFeePerGas, excessBlobGas, blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas) }
}

/** The difficulty of a block on `parent`: zero without proof of work and after the merge (EIP-3675). */
export function difficultyAfter(schedule: Schedule, rules: Rules, parent: SealedBlock, timestamp: number) {
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

export function builtDifficulty(schedule: Schedule, rules: Rules, parent: SealedBlock, timestamp: number) {
  return schedule.buildsWithWork ? difficultyAfter(schedule, rules, parent, timestamp) : 0n
}

type Derived = 'prevRandao' | 'parentBeaconBlockRoot'

/** Completes the environment of a block with the fields that depend on its prevRandao. */
export function environmentFrom(rules: Rules, prevRandao: Hash, known: Omit<BlockEnvironment, Derived>) {
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
const hashOfHash = memoizeLru(4, (hash: Hash): Hash => keccak256Hex(hexToBytes(hash)))

export function prevRandaoAfter(prevRandao: Hash): Hash {
  return hashOfHash(prevRandao)
}

/** Transactions that are executed one after another at the end of an open block, by an instance that stands there. */
export class BlockRun {
  readonly executed: ExecutedTransaction[] = []
  gasUsed: bigint
  private blobGasUsed: bigint
  private logCount: number
  private readonly open: OpenBlock
  private readonly instance: EvmInstance

  constructor(open: OpenBlock, instance: EvmInstance) {
    this.open = open
    this.instance = instance
    this.gasUsed = open.gasUsed
    this.blobGasUsed = open.blobGasUsed
    this.logCount = open.logCount
  }

  /** The blob gas of a transaction that does not fit the block; `undefined` if it does. */
  excessBlobGas(transaction: Transaction): bigint | undefined {
    const { rules, environment } = this.open
    const blobGas = blobGasIn(rules, this.instance.writer.current, transaction)
    return this.blobGasUsed + blobGas > maxBlobGas(rules, environment.gasLimit) ? blobGas : undefined
  }

  /** Why a transaction cannot be executed, the reason in geth's words; `undefined` if it can. */
  obstacleTo(transaction: Transaction) {
    const { environment, rules } = this.open
    // A deposit is executed whatever it is and however full the block, on the chains that have them.
    if (isDeposit(transaction) && rules.rollup !== undefined) return undefined
    const invalidity = invalidityIn(this.instance, environment, transaction)
    if (invalidity !== undefined) return { expected: 'a valid one', got: invalidity, reason: invalidity }
    const unmet = unmetPrecondition(rules, this.instance.writer.current, environment, transaction)
    if (unmet !== undefined)
      return { expected: 'an executable one', got: unmet, reason: PRECONDITION_ERRORS[unmet] }
    const gas = transaction.gasLimit
    if (this.gasUsed + gas > environment.gasLimit)
      return { expected: 'gas that fits the block', got: gas, reason: 'exceeds block gas limit' }
    const got = this.excessBlobGas(transaction)
    const reason = 'exceeds maximum blob gas of a block'
    return got === undefined ? undefined : { expected: 'blob gas that fits the block', got, reason }
  }

  /** Executes the next transaction, whose preconditions hold. */
  async execute(transaction: Transaction): Promise<ExecutedTransaction> {
    const { gasUsed, logCount, open, executed } = this
    const progress = { gasUsed, logCount, transactionCount: open.executed.length + executed.length }
    const result = await runTransaction(this.instance, open.environment, progress, transaction)
    executed.push(result)
    this.gasUsed = result.receipt.cumulativeGasUsed
    this.blobGasUsed += result.receipt.blobGasUsed
    this.logCount += result.receipt.logs.length
    return result
  }
}

/** Reads what transactions name, and runs each, whatever becomes of it, for what else it reads. */
async function guessAll(instance: EvmInstance, open: OpenBlock, transactions: readonly Transaction[]) {
  const { writer } = instance
  for (const { sender, to = sender } of transactions)
    for (const address of [sender, to]) readAccount(writer.current, address)
  for (const transaction of transactions) {
    const before = writer.current
    try {
      await executeAll(instance, { ...open, gasUsed: 0n, blobGasUsed: 0n }, [transaction])
    } catch {
      // It cannot be executed on what is guessed so far. The execution that finds everything says if it is so.
      writer.reset(before)
    }
  }
}

/** Throws `invalidBlock`. Before byzantium each receipt holds the state root after its transaction (EIP-658 replaced it). */
async function executeAll(instance: EvmInstance, open: OpenBlock, transactions: readonly Transaction[]) {
  const run = new BlockRun(open, instance)
  let committed: CommittedState = open.parent.committed
  for (const [position, transaction] of transactions.entries()) {
    const obstacle = run.obstacleTo(transaction)
    if (obstacle !== undefined) {
      const check = `transaction ${open.executed.length + position}`
      const { expected, got } = obstacle
      throw failure('invalidBlock', { number: open.environment.number, check, expected, got: `${got}` })
    }
    const result = await run.execute(transaction)
    if (isForkActive(open.rules, 'byzantium')) continue
    committed = commitState(committed, instance.writer.current)
    run.executed[position] = { ...result, receipt: { ...result.receipt, postState: stateRoot(committed) } }
  }
  return run.executed
}

/** Executes transactions in an open block, as the partial block with an index; throws `invalidBlock` if one cannot be executed. */
export async function executeTransactions(
  execution: ExecutionContext,
  empty: OpenBlock,
  transactions: readonly Transaction[],
  index = 1,
): Promise<OpenBlock> {
  // On a fork, a miss runs this block again, and not all that came before it.
  return withMissesLoaded(() =>
    withEvm(execution, empty.state, async (instance, isGuess) => {
      if (isGuess) await guessAll(instance, empty, transactions)
      const executed = isGuess ? [] : await executeAll(instance, empty, transactions)
      const state = instance.writer.current
      return { ...addPartial(empty, { index, executed }, state), state }
    }),
  )
}

/** Ends a block: collects execution requests (EIP-7685) and pays withdrawals (EIP-4895). */
export async function completeBody(
  execution: ExecutionContext,
  open: OpenBlock,
  withdrawals: readonly Withdrawal[],
): Promise<OpenBlock> {
  const { environment, executed } = open
  // The OP stack has no requests.
  const collected =
    isForkActive(open.rules, 'prague') && open.rules.rollup === undefined
      ? await collectRequests(execution, open.state, environment, executed)
      : { requests: [], state: open.state }
  return {
    ...open,
    state: payWithdrawals(collected.state, withdrawals),
    body: { ...open.body, withdrawals, requests: collected.requests },
  }
}
