// Replay: the transactions of a block executed again on the state before them, to observe them. The change of a balance
// by one transaction alone, too, which is run again.

import type { StateEdit } from '../chain/block/block.ts'
import { type BlockView, blockAt } from '../chain/chain.ts'
import { type CallSite, queryNumber } from '../execution/call/run-call.ts'
import { withEvm } from '../execution/evm/evm-pool.ts'
import { observe } from '../execution/trace/observe.ts'
import type { Observer } from '../execution/trace/observer.ts'
import { rollupFeesOf } from '../execution/transaction/rollup-fees.ts'
import { runTransaction } from '../execution/transaction/run-transaction.ts'
import type { ExecutedTransaction } from '../execution/transaction/transaction.ts'
import * as transactions from '../execution/transaction/transaction.ts'
import { failure, type TickchainError } from '../primitives/errors.ts'
import { type Address, concatBytes, type Hash, hexToBytes, padLeft, ZERO_ADDRESS } from '../primitives/hex.ts'
import type { Rules } from '../rollup/rules.ts'
import { startBlock } from '../rollup/system-contracts.ts'
import { hasCode, readAccount, type WorldState } from '../state/world-state.ts'
import { type QueryPlace, queryContextAt } from './control/edit-state.ts'
import { findIncluded } from './lookup.ts'
import { currentOpenBlock, executionContext, type NodeState } from './node-state.ts'

/** A transaction that was run again, with what recorded it. */
export interface Replayed<Recorder = unknown> {
  readonly recorder: Recorder
  readonly executed: ExecutedTransaction
  readonly before: WorldState
  readonly after: WorldState
}

/** Positions of transactions in a block; `to` is the first that is left out. */
export interface ReplayRange {
  readonly from: number
  readonly to: number
}

/**
 * The recorder of the transaction at a position; without an observer, it runs unobserved. `state` returns the state that
 * the execution has reached: when this is called, the state before the transaction.
 */
type RecorderAt<Recorder> = (index: number, state: () => WorldState) => Recorder

/** The rules under which the block was executed, whatever the chain id is now. */
function rulesOf(view: BlockView): Rules {
  return view.open?.rules ?? view.block().rules
}

/**
 * The states before transactions that were run again, by their execution: another run continues from the last one, so
 * that the traces of all transactions of a block, one after another, take one run of the block.
 */
const reached = new WeakMap<ExecutedTransaction, WorldState>()

function startsOf({ chain }: NodeState, view: BlockView, executed: readonly ExecutedTransaction[]) {
  const { open, environment } = view
  const edits = open === undefined ? view.block().edits : open.edits
  if (edits !== undefined) return edits
  const parent = open?.parent ?? blockAt(chain, environment.number - 1)
  // The first block of a chain has no transactions.
  if (parent === undefined) return [{ before: 0, state: view.state }]
  const { rules, committed } = parent
  const known = executed[0] && reached.get(executed[0])
  return [{ before: 0, state: known ?? startBlock(rulesOf(view), rules, committed.state, environment) }]
}

/** The last known state before a position. */
function startAt(starts: readonly StateEdit[], executed: readonly ExecutedTransaction[], from: number) {
  const last = starts.filter(({ before }) => before <= from).at(-1) as StateEdit
  for (let before = from; before > last.before; before--) {
    const then = executed[before]
    const state = then && reached.get(then)
    if (state !== undefined) return { before, state }
  }
  return last
}

function expectSame(block: number, then: ExecutedTransaction, now: ExecutedTransaction): void {
  const [expected = '', got = ''] = [then, now].map(
    ({ receipt }) => `status ${receipt.status} and ${receipt.gasUsed} gas`,
  )
  if (expected !== got) throw failure('replayDiffers', { block, index: then.index, expected, got })
}

/**
 * Executes transactions of a block again, on the state before them, and returns them with the states around them.
 * Throws `stateNotAvailable` for a block whose parent's state is not kept, and `replayDiffers`.
 */
export async function replayTransactions<Recorder extends { readonly observer?: Observer }>(
  state: NodeState,
  view: BlockView,
  { from, to }: ReplayRange,
  recorderAt: RecorderAt<Recorder> = () => ({}) as Recorder,
): Promise<readonly Replayed<Recorder>[]> {
  const { environment, executed: known } = view
  const starts = startsOf(state, view, known)
  const start = startAt(starts, known, from)
  return withEvm(executionContext(state, rulesOf(view)), start.state, async (instance) => {
    const { writer } = instance
    const replayed: Replayed<Recorder>[] = []
    for (const then of known.slice(start.before, to)) {
      const { index, transaction, firstLogIndex, receipt } = then
      const edit = starts.find(({ before }) => before === index)
      if (edit !== undefined) writer.reset(edit.state)
      const before = writer.current
      if (index === from) reached.set(then, before)
      const gasUsed = receipt.cumulativeGasUsed - receipt.gasUsed
      const progress = { gasUsed, logCount: firstLogIndex, transactionCount: index }
      const run = () => runTransaction(instance, environment, progress, transaction)
      const recorder = index < from ? undefined : recorderAt(index, () => writer.current)
      const observer = recorder?.observer
      const executed = observer === undefined ? await run() : await observe(instance, observer, run)
      expectSame(environment.number, then, executed)
      if (recorder !== undefined) replayed.push({ recorder, executed, before, after: writer.current })
    }
    const next = known[to]
    if (next !== undefined) reached.set(next, writer.current)
    return replayed
  })
}

/** The state before the transaction at a position of a block; at the number of its transactions, that after the last. */
export async function stateBefore(state: NodeState, view: BlockView, index: number): Promise<WorldState> {
  const { executed } = view
  const start = startAt(startsOf(state, view, executed), executed, index)
  if (start.before === index) return start.state
  const [last] = await replayTransactions(state, view, { from: index - 1, to: index })
  return (last as Replayed).after
}

/** A balance in ether or in an ERC-20 token. */
export interface BalanceOf {
  readonly account: Address
  readonly token: Address | undefined
}

export interface BalanceChange {
  readonly change: bigint
  /** The account's cost of gas; zero if it is not the sender, or for a token. */
  readonly fee: bigint
}

function unreadable(token: Address | undefined, reason: string): TickchainError {
  return failure('tokenNotReadable', { token: token ?? ZERO_ADDRESS, reason })
}

/** A balance in a token; throws `tokenNotReadable` if the answer is not a number. */
async function tokenBalance(place: CallSite, account: Address, token: Address): Promise<bigint> {
  const input = concatBytes(hexToBytes('0x70a08231'), padLeft(hexToBytes(account), 32))
  const balance = await queryNumber(place, { contract: token, input })
  if (balance !== undefined) return balance
  throw unreadable(token, 'it does not answer balanceOf as ERC-20 says')
}

/** A balance at a place in a block; `undefined` if the token has no code. */
async function balanceIn(state: NodeState, place: QueryPlace, { account, token }: BalanceOf) {
  if (token === undefined) return readAccount(place.state, account).balance
  const isThere = hasCode(place.state, token)
  return isThere ? tokenBalance(queryContextAt(state, place), account, token) : undefined
}

/** The change from zero if the token had no code before; throws `tokenNotReadable` if it has none now. */
export function differenceOf(before: bigint | undefined, after: bigint | undefined, of: BalanceOf): bigint {
  if (after === undefined) throw unreadable(of.token, 'there is no code at this address')
  return after - (before ?? 0n)
}

/** The pre-confirmed balance; `undefined` if the token has no code. Throws `tokenNotReadable`. */
export function balanceNow(state: NodeState, of: BalanceOf): Promise<bigint | undefined> {
  return balanceIn(state, currentOpenBlock(state), of)
}

/** Fees that the sender has paid: for gas, for blobs, and on a rollup for the layer 1. */
function feeOf(
  { rules, environment }: BlockView,
  before: WorldState,
  transaction: transactions.Transaction,
  { gasUsed, effectiveGasPrice }: transactions.Receipt,
): bigint {
  const fee = gasUsed * effectiveGasPrice + transactions.blobGasOf(transaction) * environment.blobBaseFee
  const rollup = rollupFeesOf(rules, before, transaction)
  return rollup === undefined ? fee : fee + rollup.l1 + rollup.operator(gasUsed)
}

/**
 * The change of a balance by a transaction; `undefined` if it is in no block. Throws `tokenNotReadable`,
 * `stateNotAvailable` if the state before the block is not kept, and `replayDiffers`.
 */
export async function balanceChange(state: NodeState, hash: Hash, of: BalanceOf) {
  const found = findIncluded(state, hash)
  if (found === undefined) return undefined
  const { view, executed } = found
  const { index, transaction, receipt } = executed
  const { rules, environment } = view
  const [replayed] = await replayTransactions(state, view, { from: index, to: index + 1 })
  const { before, after } = replayed as Replayed
  const earlier = await balanceIn(state, { rules, environment, state: before }, of)
  const later = await balanceIn(state, { rules, environment, state: after }, of)
  const isPayer = of.token === undefined && transaction.sender === of.account
  const fee = isPayer ? feeOf(view, before, transaction, receipt) : 0n
  return { change: differenceOf(earlier, later, of), fee }
}
