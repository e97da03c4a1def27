// Open and sealed blocks: opening, adding partial blocks, sealing. Times in milliseconds: a header has whole seconds;
// where a second has several blocks, the second transaction of each says where in it it is.

import * as txs from '../../execution/transaction/transaction.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { createLruCache, memoizeWeak } from '../../primitives/lru-cache.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { payRewards, RESERVED_DIFFICULTY } from '../../rollup/difficulty.ts'
import { type FeeParent, INITIAL_BASE_FEE, nextBaseFee } from '../../rollup/fees.ts'
import { type BlockEnvironment, type Header, hashHeader } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { StackRules } from '../../rollup/stack.ts'
import { startBlock } from '../../rollup/system-contracts.ts'
import { type CommittedState, commitState, stateRoot, storageRoot } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import type { WorldState } from '../../state/world-state.ts'
import { type BlockBody, bodyCommitments, EMPTY_BODY, emptyBodyOf, encodeBlock } from './body.ts'

type Timed = Pick<SealedBlock, 'rules' | 'executed'>

/** True if a second has several blocks, so that there are no partial blocks: under the rules of a block, on it. */
export function hasSlots({ rules }: Pick<SealedBlock, 'rules'>): boolean {
  return rules.rollup?.changes.slotMs !== undefined
}

/** The milliseconds after a block's timestamp; `undefined` for a block that tells none. */
export function millisOf({ rules, executed }: Timed): number | undefined {
  if (!hasSlots({ rules })) return undefined
  const told = executed[1]?.transaction
  const { stack } = rules.rollup as StackRules
  return told?.sender === stack.attributes.sender ? stack.readTimePart(told.input) : undefined
}

/** The time of a block in milliseconds. */
export function momentOf(block: Timed & Pick<SealedBlock, 'header'>): number {
  const { rules, executed, header } = block
  const first = executed.length === 0 ? rules.rollup?.firstMillis : undefined
  return header.timestamp * 1000 + (millisOf(block) ?? first ?? 0)
}

/** The state before a transaction of a block, where a test has edited it between two transactions. */
export interface StateEdit {
  readonly before: number
  readonly state: WorldState
}

export interface SealedBlock {
  readonly rules: Rules
  readonly header: Header
  readonly body: BlockBody
  readonly hash: Hash
  /** The difficulties of this block and all before it, which decide the merge. */
  readonly totalDifficulty: bigint
  readonly executed: readonly txs.ExecutedTransaction[]
  readonly committed: CommittedState
  /** If the state was edited between its transactions: the state at its start, and after each edit. */
  readonly edits?: readonly StateEdit[] | undefined
}

/** A batch of pre-confirmed transactions. */
export interface PartialBlock {
  /** Counts the partial blocks of a block from 1. */
  readonly index: number
  readonly executed: readonly txs.ExecutedTransaction[]
}

/** The block being built. Each partial block makes a new value; included transactions keep their places. */
export interface OpenBlock {
  readonly rules: Rules
  readonly parent: SealedBlock
  readonly environment: BlockEnvironment
  /** The partial blocks with transactions. */
  readonly partials: readonly PartialBlock[]
  readonly executed: readonly txs.ExecutedTransaction[]
  readonly indexByHash: PersistentMap<Hash, number>
  readonly gasUsed: bigint
  readonly blobGasUsed: bigint
  readonly logCount: number
  readonly state: WorldState
  readonly body: BlockBody
  /** See `SealedBlock`. */
  readonly edits?: readonly StateEdit[]
}

/** Opens a block and performs the system calls at its start (EIP-4788, EIP-2935). */
export function openBlock(rules: Rules, parent: SealedBlock, environment: BlockEnvironment): OpenBlock {
  const state = startBlock(rules, parent.rules, parent.committed.state, environment)
  return openBlockOver(rules, parent, environment, state, emptyBodyOf(environment))
}

/** Like `openBlock`, on a given state instead of the parent's, and without a nonce; for simulated blocks. */
export function openBlockOn(
  rules: Rules,
  parent: SealedBlock,
  environment: BlockEnvironment,
  state: WorldState,
): OpenBlock {
  return openBlockOver(rules, parent, environment, startBlock(rules, parent.rules, state, environment))
}

/** Like `openBlockOn`, for a state in which the system calls are done. */
export function openBlockOver(
  rules: Rules,
  parent: SealedBlock,
  environment: BlockEnvironment,
  state: WorldState,
  body: BlockBody = EMPTY_BODY,
): OpenBlock {
  return {
    rules,
    parent,
    environment,
    partials: [],
    executed: [],
    indexByHash: PersistentMap.empty(),
    gasUsed: 0n,
    blobGasUsed: 0n,
    logCount: 0,
    state,
    body,
  }
}

export function editOpenBlock(open: OpenBlock, parent: SealedBlock, state: WorldState): OpenBlock {
  const before = open.executed.length
  const { rules, environment } = open
  const start = () => startBlock(rules, open.parent.rules, open.parent.committed.state, environment)
  const earlier = open.edits ?? [{ before: 0, state: start() }]
  const edits = [...earlier.filter((edit) => edit.before !== before), { before, state }]
  return { ...open, parent, state, edits }
}

/** Adds the transactions of a partial block, and the state after it. */
export function addPartial(open: OpenBlock, partial: PartialBlock, state: WorldState): OpenBlock {
  const last = partial.executed.at(-1)
  if (last === undefined) return open
  let { indexByHash } = open
  for (const { transaction, index } of partial.executed)
    indexByHash = indexByHash.set(transaction.hash, index)
  const grown = {
    rules: open.rules,
    parent: open.parent,
    environment: open.environment,
    partials: [...open.partials, partial],
    executed: [...open.executed, ...partial.executed],
    indexByHash,
    gasUsed: last.receipt.cumulativeGasUsed,
    blobGasUsed: partial.executed.reduce((sum, each) => sum + each.receipt.blobGasUsed, open.blobGasUsed),
    logCount: last.firstLogIndex + last.receipt.logs.length,
    state,
    body: open.body,
  }
  return open.edits === undefined ? grown : { ...grown, edits: open.edits }
}

export interface FeesParent {
  readonly rules: Rules
  readonly header: FeeParent & Pick<Header, 'excessBlobGas' | 'blobGasUsed' | 'extraData'>
}

/** The base fee of a block with these rules after `parent`; the first of london starts at 1 gwei. */
export function baseFeeAfter(rules: Rules, parent: FeesParent): bigint {
  if (rules.rollup !== undefined) return rules.rollup.stack.nextBaseFee(rules, parent)
  if (!isForkActive(rules, 'london')) return 0n
  return isForkActive(parent.rules, 'london') ? nextBaseFee(parent.header) : INITIAL_BASE_FEE
}

/** A gas limit differs from its parent's by less than 1/1024 of that (yellow paper, 4.3.4). */
export const GAS_LIMIT_BOUND_DIVISOR = 1024n
export const LEAST_GAS_LIMIT = 5000n
export const MAX_EXTRA_DATA_BYTES = 32

/** The gas limit that a block's own is compared with; EIP-1559 doubles it once, at london. */
export function gasLimitBefore(rules: Rules, parent: SealedBlock): bigint {
  const isFirstOfLondon = isForkActive(rules, 'london') && !isForkActive(parent.rules, 'london')
  return parent.header.gasLimit * (isFirstOfLondon ? 2n : 1n)
}

/**
 * The last few of all chains. Not a WeakMap: its values outlive their keys up to a full garbage collection, and each of
 * these holds a state.
 */
const sealedFrom = createLruCache<OpenBlock, SealedBlock>(8)

/**
 * Computes roots and hash of an open block, to seal it or to show it as `pending`. The result is cached for each
 * open block, so sealing one that was read as `pending` costs nothing more.
 */
export function sealBlock(open: OpenBlock): SealedBlock {
  let sealed = sealedFrom.get(open)
  if (sealed === undefined) {
    sealed = computeSealedBlock(open)
    sealedFrom.set(open, sealed)
  }
  return sealed
}

/** The open block that a sealed block without transactions came from; sealing it gives the same block. */
export function reopenBlock(sealed: SealedBlock, parent: SealedBlock): OpenBlock {
  const { rules, header, committed, body } = sealed
  const open = { ...openBlockOver(rules, parent, header, committed.state), body }
  sealedFrom.set(open, sealed)
  return open
}

/** The state after an open block if it ended now: its miners are paid last. */
export function stateAfter({ rules, state, environment, body }: OpenBlock): WorldState {
  const uncles = body.uncles.map(({ header }) => header)
  return payRewards(rules, state, environment, uncles)
}

/** The commitment of a rollup's header to the messages that wait to be withdrawn on the layer 1. */
export function messagesRoot(rules: Rules, committed: CommittedState): Hash | undefined {
  const contract = rules.rollup?.changes.withdrawalsFrom
  return contract && storageRoot(committed, contract)
}

function computeSealedBlock(open: OpenBlock): SealedBlock {
  const { rules, environment, executed, body } = open
  const committed = commitState(open.parent.committed, stateAfter(open))
  const { unclesHash, withdrawalsRoot, requestsHash } = bodyCommitments(body)
  // Field by field, because a spread made every block a tenth slower.
  const header: Header = {
    number: environment.number,
    timestamp: environment.timestamp,
    parentHash: environment.parentHash,
    coinbase: environment.coinbase,
    gasLimit: environment.gasLimit,
    baseFeePerGas: environment.baseFeePerGas,
    prevRandao: environment.prevRandao,
    extraData: environment.extraData,
    parentBeaconBlockRoot: environment.parentBeaconBlockRoot,
    excessBlobGas: environment.excessBlobGas,
    blobBaseFee: environment.blobBaseFee,
    difficulty: environment.difficulty,
    stateRoot: stateRoot(committed),
    transactionsRoot: bytesToHex(listRoot(executed.map(({ transaction }) => transaction.raw))),
    receiptsRoot: bytesToHex(listRoot(executed.map(txs.encodeReceipt))),
    logsBloom: txs.joinBlooms(executed.map(({ receipt }) => receipt.logsBloom)),
    gasUsed: open.gasUsed,
    blobGasUsed: open.blobGasUsed,
    nonce: body.nonce,
    unclesHash,
    withdrawalsRoot: messagesRoot(rules, committed) ?? withdrawalsRoot,
    requestsHash,
  }
  const totalDifficulty = totalDifficultyAfter(open.parent, header.difficulty)
  const sealed = {
    rules,
    header,
    body,
    hash: hashHeader(rules, header),
    totalDifficulty,
    executed,
    committed,
  }
  return open.edits === undefined ? sealed : { ...sealed, edits: open.edits }
}

/** Blocks without difficulty, and reserved ones, share their parent's value. */
export function totalDifficultyAfter(
  { totalDifficulty }: Pick<SealedBlock, 'totalDifficulty'>,
  difficulty: bigint,
): bigint {
  return difficulty <= RESERVED_DIFFICULTY ? totalDifficulty : totalDifficulty + difficulty
}

export function encodeSealedBlock({ rules, header, body, executed }: SealedBlock): Uint8Array {
  const transactions = executed.map(({ transaction }) => transaction)
  return encodeBlock(rules, header, body, transactions)
}

/** The length of a block's RLP. Memoized, because clients poll for the head. */
export const sizeOfBlock = memoizeWeak((block: SealedBlock): number => encodeSealedBlock(block).length)
