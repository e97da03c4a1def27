// Runs of debug_trace*: transactions of a block.

import { openBlock } from '../../chain/block/block.ts'
import { executeTransactions } from '../../chain/block/execute-block.ts'
import { blockAt, blockByHash } from '../../chain/chain.ts'
import { decodeBlocks } from '../../chain/import/decode-block.ts'
import { type BlockView, viewOfOpen, viewOfSealed } from '../../chain/view.ts'
import { recoverAuthority } from '../../execution/evm/authorizations.ts'
import { createBudget, type TraceBudget } from '../../execution/trace/budget.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { paidAccounts } from '../../execution/transaction/rollup-fees.ts'
import type { Authorization } from '../../execution/transaction/transaction.ts'
import { type BlockSelector, findBlock, requireIncluded } from '../../node/lookup.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { type ReplayRange, replayTransactions, stateBefore } from '../../node/replay.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { completeHeader, hashHeader } from '../../rollup/header.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { TracerChoice } from '../codecs/tracer.ts'
import type { ReadContext } from '../read-context.ts'
import type { TraceOutcome, TraceSubject, Tracing } from '../tracers/tracer.ts'
import { startTracing } from '../tracers/tracers.ts'

/** The trace of one transaction of a block. */
export interface TransactionTrace {
  readonly txHash: Hash
  readonly result: unknown
}

/** The budget of one request. */
export function budgetOf({ options }: ReadContext): TraceBudget {
  return createBudget(options.limits.traceBytes)
}

/** The trace, unless it exceeds the budget. */
export function traceResult(tracing: Tracing, outcome: TraceOutcome, budget: TraceBudget): unknown {
  if (budget.isExceeded()) throw failure('traceTooLarge', budget)
  return tracing.result(outcome)
}

/** The block of a trace; throws in geth's words if there is none. */
export function requireTracedBlock({ config, state }: ReadContext, selector: BlockSelector): BlockView {
  const view = findBlock(config, state, selector)
  if (view !== undefined) return view
  // A tag always names a block.
  throw failure('tracedBlockNotFound', {
    block: typeof selector === 'object' ? selector.blockHash : Number(selector),
  })
}

/** The first block of the chain has no parent, on whose state it could run. */
function expectTraceable({ state }: ReadContext, view: BlockView): void {
  const isFirst = view.open === undefined && blockAt(state.chain, view.environment.number - 1) === undefined
  if (isFirst) throw failure('genesisNotTraceable')
}

export function authoritiesOf(list: readonly Authorization[]): Address[] {
  return list.map(recoverAuthority).filter((authority) => authority !== undefined)
}

function subjectOf(
  { options, present }: ReadContext,
  view: BlockView,
  { transaction, index, firstLogIndex }: ExecutedTransaction,
  state: () => WorldState,
  budget: TraceBudget,
): TraceSubject {
  const { rules, environment } = view
  const { sender, gasLimit, authorizationList, hash } = transaction
  return {
    from: sender,
    gasLimit,
    paid: paidAccounts(rules, environment),
    authorities: authoritiesOf(authorizationList),
    place: {
      // Of a partial block, the hash needs its tries.
      get blockHash() {
        return present(view).hash()
      },
      transactionHash: hash,
      transactionPosition: index,
    },
    blockNumber: environment.number,
    firstLogIndex,
    before: state(),
    state,
    budget,
    flavor: options.flavor,
  }
}

/** Traces transactions of a block, one after another. */
async function traceTransactions(
  context: ReadContext,
  view: BlockView,
  range: ReplayRange,
  choice: TracerChoice,
): Promise<TransactionTrace[]> {
  expectTraceable(context, view)
  const budget = budgetOf(context)
  const { config, state: current } = context
  const replayed = await replayTransactions(config, current, view, range, (index, state) =>
    startTracing(
      choice,
      subjectOf(context, view, view.executed[index] as ExecutedTransaction, state, budget),
    ),
  )
  return replayed.map(({ recorder, executed, after }) => {
    const { receipt, failure: reason, returnData, transaction } = executed
    const outcome = { gasUsed: receipt.gasUsed, failure: reason, returnData, after }
    return { txHash: transaction.hash, result: traceResult(recorder, outcome, budget) }
  })
}

/** Traces all transactions of a block. */
export function traceBlock(
  context: ReadContext,
  view: BlockView,
  choice: TracerChoice,
): Promise<TransactionTrace[]> {
  return traceTransactions(context, view, { from: 0, to: view.executed.length }, choice)
}

/** Traces a transaction; throws in geth's words if it is in no block. */
export async function traceTransaction(
  context: ReadContext,
  hash: Hash,
  choice: TracerChoice,
): Promise<unknown> {
  const { view, executed } = requireIncluded(context.state, hash)
  const range = { from: executed.index, to: executed.index + 1 }
  const [traced] = await traceTransactions(context, view, range, choice)
  return traced?.result
}

/** The state in a block before the transaction at a position; `undefined` stands for its end. */
export async function stateAtIndex(
  context: ReadContext,
  view: BlockView,
  index: number | undefined,
): Promise<WorldState> {
  if (index === undefined) return view.state
  if (index > view.executed.length)
    throw failure('transactionIndexOutOfRange', { index, block: view.block().hash })
  expectTraceable(context, view)
  return stateBefore(context.config, context.state, view, index)
}

/** The block of these bytes; a foreign one is executed on its parent. As in geth, its header is not checked. */
export async function decodedBlock({ config, state }: ReadContext, rlp: Uint8Array): Promise<BlockView> {
  const { chain } = state
  const [decoded, ...others] = decodeBlocks(rlp)
  if (decoded === undefined || others.length > 0) {
    const count = decoded === undefined ? 0 : others.length + 1
    throw failure('undecodableBlocks', { reason: `expected one block, got ${count}` })
  }
  const { header, transactions } = decoded
  const rules = scheduleIn(config, state).rulesAt(header)
  const environment = completeHeader(rules, header)
  const hash = hashHeader(rules, header)
  const known = blockByHash(chain, hash)
  if (known !== undefined) return viewOfSealed(known)
  const parent = blockByHash(chain, header.parentHash)
  if (parent === undefined) throw failure('tracedBlockNotFound', { block: header.parentHash })
  const execution = executionContext(config, state, rules)
  const open = await executeTransactions(execution, openBlock(rules, parent, environment), transactions)
  const view = viewOfOpen(open)
  const block = { value: () => ({ ...view.block(), hash }) }
  return Object.create(view, { isPending: { value: false }, block })
}
