// Execution of a given list of transactions as one block: imported, or built by the Engine API.

import { withEvm } from '../../execution/evm/evm-pool.ts'
import type { EvmInstance, ExecutionContext } from '../../execution/evm/pooled-evm.ts'
import { unmetPrecondition } from '../../execution/transaction/preconditions.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { collectRequests } from '../../execution/transaction/requests.ts'
import { blobGasIn } from '../../execution/transaction/rollup-fees.ts'
import { isDeposit, runTransaction } from '../../execution/transaction/run-transaction.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { invalidityIn } from '../../execution/transaction/validity.ts'
import { failure } from '../../primitives/errors.ts'
import { maxBlobGas } from '../../rollup/blobs.ts'
import { payWithdrawals } from '../../rollup/rewards.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { withMissesLoaded } from '../../state/miss.ts'
import { type CommittedState, commitState, stateRoot } from '../../state/state-tries.ts'
import { readAccount } from '../../state/world-state.ts'
import { addPartial, type OpenBlock } from './block.ts'
import type { Withdrawal } from './body.ts'

/** Gas used in the block so far. */
interface Usage {
  readonly gas: bigint
  readonly blobGas: bigint
}

/** Throws `invalidBlock` if a transaction cannot be the next in a block. */
function expectExecutable(
  open: OpenBlock,
  instance: EvmInstance,
  used: Usage,
  transaction: Transaction,
  index: number,
): void {
  const { environment, rules } = open
  const refuse = (expected: string, got: unknown): never => {
    const { number } = environment
    throw failure('invalidBlock', { number, check: `transaction ${index}`, expected, got: `${got}` })
  }
  // A deposit is executed whatever it is and however full the block, on the chains that have them.
  if (isDeposit(transaction) && rules.rollup !== undefined) return
  const invalidity = invalidityIn(instance, environment, transaction)
  if (invalidity !== undefined) refuse('a valid one', invalidity)
  const reason = unmetPrecondition(rules, instance.writer.current, environment, transaction)
  if (reason !== undefined) refuse('an executable one', reason)
  const gas = transaction.gasLimit
  if (used.gas + gas > environment.gasLimit) refuse('gas that fits the block', gas)
  const blobGas = blobGasIn(rules, instance.writer.current, transaction)
  if (used.blobGas + blobGas > maxBlobGas(rules, environment.gasLimit))
    refuse('blob gas that fits the block', blobGas)
}

/** Reads what transactions name, and runs each, whatever becomes of it, for what else it reads. */
async function guessAll(
  instance: EvmInstance,
  open: OpenBlock,
  transactions: readonly Transaction[],
): Promise<void> {
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

/** Before byzantium each receipt holds the state root after its transaction (EIP-658 replaced it). */
async function executeAll(
  instance: EvmInstance,
  open: OpenBlock,
  transactions: readonly Transaction[],
): Promise<ExecutedTransaction[]> {
  const { environment, rules } = open
  const executed: ExecutedTransaction[] = []
  let committed: CommittedState = open.parent.committed
  let used: Usage = { gas: open.gasUsed, blobGas: open.blobGasUsed }
  let { logCount } = open
  const before = open.executed.length
  for (const [position, transaction] of transactions.entries()) {
    const index = before + position
    expectExecutable(open, instance, used, transaction, index)
    const progress = { gasUsed: used.gas, logCount, transactionCount: index }
    const result = await runTransaction(instance, environment, progress, transaction)
    const { receipt } = result
    used = { gas: receipt.cumulativeGasUsed, blobGas: used.blobGas + receipt.blobGasUsed }
    logCount += receipt.logs.length
    if (isForkActive(rules, 'byzantium')) {
      executed.push(result)
      continue
    }
    committed = commitState(committed, instance.writer.current)
    executed.push({ ...result, receipt: { ...receipt, postState: stateRoot(committed) } })
  }
  return executed
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
