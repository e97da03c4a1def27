// Lookups in a state: blocks by selector, transactions by hash, position, or sender and nonce. The records of a node
// beside its state, which a revert does not undo.

import { hasSlots, type OpenBlock, type SealedBlock, sealBlock } from '../chain/block/block.ts'
import * as chains from '../chain/chain.ts'
import type { ExecutedTransaction } from '../execution/transaction/transaction.ts'
import { type PooledTransaction, pooledAt } from '../pool/pool.ts'
import { failure, type TickchainError } from '../primitives/errors.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import type { NodeState } from './node-state.ts'
import * as states from './node-state.ts'

export interface NodeRecords {
  /** The snapshots of evm_snapshot that are not used up, by number. */
  readonly snapshots: PersistentMap<number, NodeState>
  /** Numbers count up from 1 and are never given out twice. */
  readonly lastSnapshotNumber: number
  readonly resetCount: number
}

export const EMPTY_RECORDS: NodeRecords = {
  snapshots: PersistentMap.empty(),
  lastSnapshotNumber: 0,
  resetCount: 0,
}

/** Saves a state under the next number, `lastSnapshotNumber` of the result. */
export function saveSnapshot(records: NodeRecords, state: NodeState): NodeRecords {
  const number = records.lastSnapshotNumber + 1
  return { ...records, snapshots: records.snapshots.set(number, state), lastSnapshotNumber: number }
}

/** Uses up a snapshot and the later ones. */
export function useUpSnapshots(records: NodeRecords, first: number): NodeRecords {
  let { snapshots } = records
  for (const [number] of records.snapshots.entries()) {
    if (number >= first) snapshots = snapshots.delete(number)
  }
  return { ...records, snapshots }
}

export type NumbersAfterReset = 'goOn' | 'beginAnew'

/** Counts a reset, which uses up all snapshots. */
export function countReset(records: NodeRecords, numbers: NumbersAfterReset): NodeRecords {
  const lastSnapshotNumber = numbers === 'goOn' ? records.lastSnapshotNumber : 0
  return { snapshots: PersistentMap.empty(), lastSnapshotNumber, resetCount: records.resetCount + 1 }
}

export type BlockTag = 'latest' | 'pending' | 'safe' | 'finalized' | 'earliest'

/** Which block a request means: a tag, a number, or a hash (EIP-1898). */
export type BlockSelector = BlockTag | number | { readonly blockHash: Hash }

export function numberOfTag({ chain, settings }: NodeState, tag: Exclude<BlockTag, 'pending'>): number {
  const head = chain.head.header.number
  if (tag === 'latest') return head
  if (tag === 'earliest') return chain.fork === undefined ? chain.first : 0
  return Math.min(head, Math.max(chain.first, settings.marks[tag] ?? 0, head - settings[`${tag}Lag`]))
}

function sealedView(block: SealedBlock | undefined): chains.BlockView | undefined {
  return block && chains.viewOfSealed(block)
}

/** A sealed block, or the block being built, by its current hash, which receipts name it by. */
function findByHash(state: NodeState, hash: Hash): chains.BlockView | undefined {
  const view = sealedView(chains.blockByHash(state.chain, hash))
  if (view !== undefined) return view
  const open = states.blockBeingBuilt(state)
  return open !== undefined && sealBlock(open).hash === hash ? chains.viewOfOpen(open) : undefined
}

/** The view with rules under the current chain id, which calls at any block see. */
function withChainId(state: NodeState, view: chains.BlockView): chains.BlockView {
  if (view.rules.chainId === state.settings.chainId) return view
  const rules = states.scheduleIn(state).rulesAt(view.environment)
  return chains.withRules(view, rules)
}

/** The block that a selector refers to; `undefined` if there is none. */
export function findBlock(state: NodeState, selector: BlockSelector): chains.BlockView | undefined {
  if (selector === 'pending') return chains.viewOfOpen(state.shownPending ?? states.currentOpenBlock(state))
  const view =
    typeof selector === 'object'
      ? findByHash(state, selector.blockHash)
      : sealedView(
          chains.blockAt(state.chain, typeof selector === 'number' ? selector : numberOfTag(state, selector)),
        )
  return view === undefined ? undefined : withChainId(state, view)
}

/** Throws `proofOnFork` where the tries hold only what was written since the fork. */
export function expectProofs({ chain }: NodeState): void {
  if (chain.fork?.roots === 'synthetic') throw failure('proofOnFork')
}

function notFound(state: NodeState, selector: BlockSelector): TickchainError {
  const latest = state.chain.head.header.number
  if (typeof selector === 'object') return failure('blockNotFound', { block: selector.blockHash, latest })
  const block =
    typeof selector === 'number'
      ? selector
      : selector === 'pending'
        ? latest + 1
        : numberOfTag(state, selector)
  return failure('blockNotFound', { block, latest })
}

/** The block that a selector refers to; throws `blockNotFound`. */
export function requireBlock(state: NodeState, selector: BlockSelector): chains.BlockView {
  const view = findBlock(state, selector)
  if (view === undefined) throw notFound(state, selector)
  return view
}

/** The block before; throws `noParentBlock` for the first. */
export function requireParent({ chain }: NodeState, { open, environment: { number } }: chains.BlockView) {
  const parent = open?.parent ?? chains.blockAt(chain, number - 1)
  if (parent === undefined) throw failure('noParentBlock', { block: number })
  return parent
}

/** The number of a block up to the fork that a selector refers to; `undefined` for any other. Throws a `Miss`. */
export function numberUpToFork(state: NodeState, selector: BlockSelector): number | undefined {
  const { fork } = state.chain
  if (fork === undefined || selector === 'pending') return undefined
  if (typeof selector === 'object') {
    const { blockHash } = selector
    if (blockHash === fork.header.hash) return fork.header.number
    return chains.blockByHash(state.chain, blockHash) === undefined
      ? fork.history.numberOfBlock(blockHash)
      : undefined
  }
  const number = typeof selector === 'number' ? selector : numberOfTag(state, selector)
  return number <= fork.header.number ? number : undefined
}

/** A transaction in a block, sealed or being built, or in the pool. */
export type FoundTransaction =
  | { readonly view: chains.BlockView; readonly executed: ExecutedTransaction }
  | { readonly pooled: PooledTransaction }

export type IncludedTransaction = Exclude<FoundTransaction, { readonly pooled: unknown }>

export function transactionAt(view: chains.BlockView | undefined, index: number) {
  const executed = view?.executed[index]
  return view === undefined || executed === undefined ? undefined : { view, executed }
}

export function findBySenderAndNonce(state: NodeState, sender: Address, nonce: bigint) {
  const { chain, pool } = state
  const hasNonce = ({ transaction, receipt }: ExecutedTransaction): boolean =>
    transaction.sender === sender && (receipt.deposit?.nonce ?? transaction.nonce) === nonce
  const pooled = pooledAt(pool, sender, nonce)
  if (pooled !== undefined) return { pooled }
  const open = states.blockBeingBuilt(state)
  const preconfirmed = open?.executed.find(hasNonce)
  if (open !== undefined && preconfirmed !== undefined && !hasSlots(state.chain.head))
    return { view: chains.viewOfOpen(open), executed: preconfirmed }
  for (const block of chains.fullBlocksFromHead(chain)) {
    const executed = block.executed.find(hasNonce)
    if (executed !== undefined) return { view: chains.viewOfSealed(block), executed }
  }
  return undefined
}

/** A transaction of the block being built as one that waits; a deposit does not. */
function pooledIn(open: OpenBlock | undefined, index = -1): PooledTransaction | undefined {
  const transaction = open?.executed[index]?.transaction
  const isWaiting = transaction !== undefined && transaction.deposit === undefined
  return isWaiting ? { transaction, arrival: index, cost: 0n } : undefined
}

export function findTransaction(state: NodeState, hash: Hash): FoundTransaction | undefined {
  const { chain, pool } = state
  const number = chain.transactions.get(hash)?.at(-1)
  if (number !== undefined) {
    const view = chains.viewOfSealed(chain.blocks.get(number) as SealedBlock)
    const executed = view.executed.find(({ transaction }) => transaction.hash === hash)
    return { view, executed: executed as ExecutedTransaction }
  }
  const open = states.blockBeingBuilt(state)
  const index = open?.indexByHash.get(hash)
  if (open !== undefined && index !== undefined && !hasSlots(state.chain.head))
    return { view: chains.viewOfOpen(open), executed: open.executed[index] as ExecutedTransaction }
  const pooled = pool.byHash.get(hash) ?? pooledIn(open, index)
  return pooled === undefined ? undefined : { pooled }
}

/** The first and the last block of a range, and the head; `pending` is the block above it. */
export function blockRange(
  state: NodeState,
  { fromBlock, toBlock }: { readonly fromBlock: BlockTag | number; readonly toBlock: BlockTag | number },
) {
  const head = state.chain.head.header.number
  const numberOf = (bound: BlockTag | number): number =>
    bound === 'pending' ? head + 1 : typeof bound === 'number' ? bound : numberOfTag(state, bound)
  return { from: numberOf(fromBlock), to: numberOf(toBlock), head }
}

/** A transaction in a sealed or open block; `undefined` for any other. */
export function findIncluded(state: NodeState, hash: Hash): IncludedTransaction | undefined {
  const found = findTransaction(state, hash)
  return found === undefined || 'pooled' in found ? undefined : found
}

/** Like `findIncluded`; throws `transactionNotFound`. */
export function requireIncluded(state: NodeState, hash: Hash): IncludedTransaction {
  const found = findTransaction(state, hash)
  if (found !== undefined && !('pooled' in found)) return found
  throw failure('transactionNotFound', { hash, isPooled: found !== undefined })
}
