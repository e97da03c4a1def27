// Block production: partial blocks take transactions from the pool, a seal makes the block final.

import type { PartialBlock } from '../../chain/block/block.ts'
import * as blocks from '../../chain/block/block.ts'
import { BlockRun } from '../../chain/block/execute-block.ts'
import { appendBlock, type Chain } from '../../chain/chain.ts'
import { withEvm } from '../../execution/evm/evm-pool.ts'
import { runProbed } from '../../execution/trace/observe.ts'
import type { Probe } from '../../execution/trace/probe.ts'
import type { ExecutedTransaction, Transaction } from '../../execution/transaction/transaction.ts'
import { invalidityIn, unmetPrecondition } from '../../execution/transaction/validity.ts'
import { type PooledTransaction, pruneOvertaken } from '../../pool/pool.ts'
import { fixedSelection, type Selection, selectFrom } from '../../pool/select.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { missedIn } from '../../state/overlay-map.ts'
import { readAccount } from '../../state/world-state.ts'
import { settingsAfter } from '../clock/block-timing.ts'
import { withoutNext } from '../control/controls.ts'
import { dropMarked } from '../control/drop.ts'
import { consoleLogsOf, type NodeEvent, Steps, type Transition, unchanged } from '../events.ts'
import { countPartial, selectionFor } from '../faults/scheduling.ts'
import * as states from '../node-state.ts'
import { copyState, type NodeState } from '../node-state.ts'
import * as openings from '../rollup/opening.ts'

interface Allowance {
  /** Gas used by the whole block after it. */
  readonly cumulativeGas: bigint
  /** Default as many as fit. */
  readonly transactions?: number
}

/** The candidates of the pool, in the order of the setting `ordering`. */
function selectAll(
  { pool, settings, prevRandaoSource }: NodeState,
  { state, environment }: blocks.OpenBlock,
): Selection {
  return selectFrom(pool, state, environment.baseFeePerGas, settings.ordering, prevRandaoSource.prevRandao)
}

/** Executes what fits, in the order of the selection. A sender whose next transaction cannot run now is passed over. */
export async function executeBatch(
  state: NodeState,
  open: blocks.OpenBlock,
  allowance: Allowance,
  select: () => Selection = () => selectAll(state, open),
  probe?: Probe,
) {
  const { environment } = open
  const context = states.executionContext(state, open.rules)
  let running: Transaction | undefined
  const { cumulativeGas, transactions = Number.POSITIVE_INFINITY } = allowance
  const batch = withEvm(context, open.state, async (instance) => {
    const selection = select()
    const run = new BlockRun(open, instance)
    const { executed } = run
    while (executed.length < transactions) {
      const transaction = selection.take()?.transaction
      if (transaction === undefined) break
      running = transaction
      if (run.gasUsed + transaction.gasLimit > cumulativeGas) continue
      if (run.excessBlobGas(transaction) !== undefined) continue
      if (invalidityIn(instance, environment, transaction) !== undefined) continue
      const obstacle = unmetPrecondition(open.rules, instance.writer.current, environment, transaction)
      // An authorization in this batch has used the nonce, so the sender's next transaction may run.
      if (obstacle === 'nonceTooLow') selection.admitFollower()
      if (obstacle !== undefined) continue
      const execute = () => run.execute(transaction)
      const gasOf = ({ receipt }: ExecutedTransaction) => receipt.gasUsed
      await runProbed(instance, { probe, kind: 'transaction' }, transaction, execute, gasOf)
      selection.admitFollower()
    }
    return { executed, state: instance.writer.current }
  })
  try {
    return await batch
  } catch (error) {
    if (running === undefined) throw error
    throw missedIn(error, { call: { ...running, from: running.sender, coinbase: environment.coinbase } })
  }
}

/** Closes a partial block with what its allowance permits; `pending` then shows it. */
async function closePartial(before: NodeState, allowance: Allowance, asked?: readonly PooledTransaction[]) {
  const { state, events: opened } = tellOpening(await openings.withOpening(before))
  const index = state.partialsClosed + 1
  const closed = (next: NodeState, executed: readonly ExecutedTransaction[]): Transition<PartialBlock> => {
    const partial = { index, executed }
    const copy = copyState(next)
    copy.partialsClosed = index
    const counted = countPartial(copy)
    const logged = consoleLogsOf(executed, next.chain.head.header.number + 1)
    const events = [...opened, ...logged, { type: 'partialBlock', partial, state: counted } as const]
    return { state: counted, events, result: partial }
  }
  if (state.pool.bySender.size === 0) return closed(state, [])
  const open = states.currentOpenBlock(state)
  if (!openings.takesFromPool(state, open)) return closed(state, [])
  const select = () =>
    asked === undefined ? selectionFor(state, open, index, allowance.cumulativeGas) : fixedSelection(asked)
  const probe = states.probeOf(state)
  const { executed, state: worldState } = await executeBatch(state, open, allowance, select, probe)
  if (executed.length === 0) return closed(state, [])
  const grown = blocks.addPartial(open, { index, executed }, worldState)
  const pool = pruneOvertaken(state.pool, (sender) => readAccount(grown.state, sender).nonce)
  const begun = openings.leaveOpening(state)
  return closed({ ...begun, pool, chain: { ...begun.chain, open: grown } }, executed)
}

export function nextPartialAt(state: NodeState): number {
  return state.openedAtMs + (partialPositionAt(state) + 1) * state.settings.partialBlockTimeMs
}

/** The number of partial blocks due since the block was opened; a jump may have skipped some. */
function partialPositionAt({ nowMs, openedAtMs, settings }: NodeState): number {
  return Math.floor((nowMs - openedAtMs) / settings.partialBlockTimeMs)
}

/**
 * Closes the partial block that is due. The i-th of N may fill the block to i/N of its gas limit, so unused gas
 * carries over, and the last may use the whole limit.
 */
export async function closeDuePartial(state: NodeState): Promise<Transition> {
  const { blockTimeMs, partialBlockTimeMs } = state.settings
  const count = Math.ceil(blockTimeMs / partialBlockTimeMs)
  const position = partialPositionAt(state)
  const gasLimit = states.nextGasLimit(state)
  const cumulativeGas = position >= count ? gasLimit : (gasLimit / BigInt(count)) * BigInt(position)
  return { ...(await closePartial(state, { cumulativeGas })), result: undefined }
}

/**
 * Closes a partial block now, whatever the clock says: with what fits into the block, or with exactly these pooled
 * transactions, in this order. Throws `notPooled` or `partialNotExecutable`.
 */
export async function closePartialNow(state: NodeState, hashes: readonly Hash[] | undefined) {
  const asked = hashes?.map((hash) => state.pool.byHash.get(hash) ?? refuseUnpooled(hash))
  const closed = await closePartial(state, { cumulativeGas: states.nextGasLimit(state) }, asked)
  const executed = new Set(closed.result.executed.map(({ transaction }) => transaction.hash))
  const missing = hashes?.find((hash) => !executed.has(hash))
  if (missing !== undefined) throw failure('partialNotExecutable', { hash: missing })
  return { ...closed, result: undefined }
}

function refuseUnpooled(hash: Hash): never {
  throw failure('notPooled', { hash })
}

export function isSealDue(state: NodeState): boolean {
  const dueAt = states.sealDueAt(state)
  return dueAt !== undefined && dueAt <= state.nowMs
}

/** The state with a chain whose head has just been sealed. */
export function sealedState(state: NodeState, chain: Chain): NodeState {
  const { header } = chain.head
  // A sealed block is never in the future: the clock follows to its timestamp.
  const nowMs = Math.max(state.nowMs, blocks.momentOf(chain.head))
  const sealed = copyState(state)
  sealed.nowMs = nowMs
  sealed.openedAtMs = nowMs
  sealed.partialsClosed = 0
  sealed.chain = chain
  sealed.settings = settingsAfter(state.settings, chain.head, state.chain.head)
  sealed.nextTimestamp = undefined
  sealed.controls = withoutNext(state.controls)
  sealed.prevRandaoSource = header
  return sealed
}

function withOpeningTold(state: NodeState): NodeState {
  const { rollup } = state
  if (rollup === undefined || rollup.isOpeningTold) return state
  return { ...state, rollup: { ...rollup, isOpeningTold: true } }
}

/** Tells listeners of the opening transactions of a rollup's block, unless they know. */
function tellOpening(state: NodeState): Transition {
  const told = state.chain.open === undefined ? withOpeningTold(state) : state
  return { ...unchanged(told), events: told === state ? [] : openedEvents(told) }
}

/** Seals the block being built as it stands; it becomes the head. A rollup's block has its opening. */
export function seal(state: NodeState): Transition {
  const open = states.currentOpenBlock(state)
  if (open.environment.timestamp * 1000 > states.LATEST_TIME_MS)
    throw failure('timeOutOfRange', { call: 'sealing a block', latestMs: states.LATEST_TIME_MS })
  const sealed = sealedState(openings.leaveOpening(state), appendBlock(state.chain, blocks.sealBlock(open)))
  const event: NodeEvent = { type: 'blockSealed', block: sealed.chain.head, state: sealed }
  return { ...unchanged(sealed), events: [event] }
}

/** The event that the next block is open, if it is known: if it has begun, or blocks seal on time. */
export function openingOf(state: NodeState): NodeEvent[] {
  const isKnown = state.settings.sealsOnTime || state.chain.open !== undefined
  return isKnown ? openedEvents(state) : []
}

/** The events that a block is open; on a rollup, with its opening transactions as partial block 0. */
function openedEvents(state: NodeState): NodeEvent[] {
  const partial = openings.openingPartial(state)
  if (partial === undefined) return [{ type: 'blockOpened', state }]
  const logged = consoleLogsOf(partial.executed, state.chain.head.header.number + 1)
  return [...logged, { type: 'partialBlock', partial, state }]
}

/** Opens the block after a sealed one, and tells of it if it is known. */
export async function openNextBlock(state: NodeState): Promise<Transition> {
  const opened = await openings.withOpening(state)
  if (openingOf(opened).length === 0) return unchanged(opened)
  const told = withOpeningTold(opened)
  return { ...unchanged(told), events: openingOf(told) }
}

/** Seals the block after a last partial block with all that still fits. */
export async function sealBlockNow(state: NodeState): Promise<Transition> {
  const partial = await closePartial(state, { cumulativeGas: states.nextGasLimit(state) })
  return (await sealAfter(new Steps(state), partial)).finish()
}

/** Adds the seal after a last partial block. */
async function sealAfter(steps: Steps, partial: Transition<unknown>): Promise<Steps> {
  steps.add(partial)
  steps.add(await dropMarked(steps.state))
  steps.add(seal(await openings.withOpening(steps.state)))
  steps.add(await openNextBlock(steps.state))
  return steps
}

/**
 * Seals the executable transactions of the pool, each in a block of its own, or in as few blocks as hold them; first, the
 * block that brings a fork, which holds none.
 */
export async function sealPool(state: NodeState): Promise<Transition> {
  const transactions = state.config.automineBlocks === 'single' ? 1 : Number.POSITIVE_INFINITY
  const steps = new Steps(state)
  while (steps.state.pool.bySender.size > 0) {
    const allowance = { cumulativeGas: states.nextGasLimit(steps.state), transactions }
    const partial = await closePartial(steps.state, allowance)
    const isUpgrade = openings.isUpgradeBlock(states.currentOpenBlock(partial.state))
    if (partial.result.executed.length === 0 && !isUpgrade) break
    await sealAfter(steps, partial)
  }
  return steps.finish()
}
