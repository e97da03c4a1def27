// The two lives of a block: open, while partial blocks are added to it, and sealed.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { type ExecutedTransaction, encodeReceipt } from '../../execution/transaction/receipt.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { type FeeParent, INITIAL_BASE_FEE, nextBaseFee } from '../../rollup/fees.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { startBlock } from '../../rollup/system-contracts.ts'
import { type CommittedState, commitState, stateRoot } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import type { WorldState } from '../../state/world-state.ts'
import { joinBlooms } from './bloom.ts'
import { type BlockBody, bodyCommitments, EMPTY_BODY, encodeBlock } from './body.ts'
import { type Header, hashHeader } from './header.ts'

export interface SealedBlock {
  readonly rules: Rules
  readonly header: Header
  readonly body: BlockBody
  readonly hash: Hash
  readonly executed: readonly ExecutedTransaction[]
  readonly committed: CommittedState
}

/** A batch of pre-confirmed transactions: a flashblock. */
export interface PartialBlock {
  /** Counts the partial blocks of a block from 1. */
  readonly index: number
  readonly executed: readonly ExecutedTransaction[]
}

/** The block being built. A new value for every partial block; transactions that are in never move. */
export interface OpenBlock {
  readonly rules: Rules
  readonly parent: SealedBlock
  readonly environment: BlockEnvironment
  /** The partial blocks that brought transactions. */
  readonly partials: readonly PartialBlock[]
  readonly executed: readonly ExecutedTransaction[]
  readonly indexByHash: PersistentMap<Hash, number>
  readonly gasUsed: bigint
  readonly blobGasUsed: bigint
  readonly logCount: number
  readonly state: WorldState
  readonly body: BlockBody
}

/** Opens a block: what the protocol writes before the first transaction is written. */
export function openBlock(rules: Rules, parent: SealedBlock, environment: BlockEnvironment): OpenBlock {
  return openBlockOn(rules, parent, environment, parent.committed.state)
}

/** The same on another state than its parent leaves, for blocks that are simulated. */
export function openBlockOn(
  rules: Rules,
  parent: SealedBlock,
  environment: BlockEnvironment,
  state: WorldState,
): OpenBlock {
  return openBlockOver(rules, parent, environment, startBlock(rules, state, environment))
}

/** The same over a state in which what the protocol writes is written. */
export function openBlockOver(
  rules: Rules,
  parent: SealedBlock,
  environment: BlockEnvironment,
  state: WorldState,
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
    body: EMPTY_BODY,
  }
}

/** Adds what a partial block executed, with the state after it. */
export function addPartial(open: OpenBlock, partial: PartialBlock, state: WorldState): OpenBlock {
  const last = partial.executed.at(-1)
  if (last === undefined) return open
  let { indexByHash } = open
  for (const { transaction, index } of partial.executed)
    indexByHash = indexByHash.set(transaction.hash, index)
  return {
    ...open,
    partials: [...open.partials, partial],
    executed: [...open.executed, ...partial.executed],
    indexByHash,
    gasUsed: last.receipt.cumulativeGasUsed,
    blobGasUsed: partial.executed.reduce((sum, each) => sum + each.receipt.blobGasUsed, open.blobGasUsed),
    logCount: last.firstLogIndex + last.receipt.logs.length,
    state,
  }
}

/** The base fee of a block with these rules after `parent`; the first of london starts at 1 gwei. */
export function baseFeeAfter(
  rules: Rules,
  parent: { readonly rules: Rules; readonly header: FeeParent },
): bigint {
  if (!isForkActive(rules, 'london')) return 0n
  return isForkActive(parent.rules, 'london') ? nextBaseFee(parent.header) : INITIAL_BASE_FEE
}

/** A gas limit differs from the one before by less than its 1024th (yellow paper, 4.3.4). */
export const GAS_LIMIT_BOUND_DIVISOR = 1024n
export const LEAST_GAS_LIMIT = 5000n
/** Of a header's extra data. */
export const MAX_EXTRA_DATA_BYTES = 32

/** What the gas limit of a block is measured by; EIP-1559 lets it double once, at london. */
export function gasLimitBefore(rules: Rules, parent: SealedBlock): bigint {
  const isFirstOfLondon = isForkActive(rules, 'london') && !isForkActive(parent.rules, 'london')
  return parent.header.gasLimit * (isFirstOfLondon ? 2n : 1n)
}

const sealedFrom = new WeakMap<OpenBlock, SealedBlock>()

/**
 * The block as it stands, with its roots and hash: the sealed block, or what `pending` shows of one that is
 * still open. Remembered for each open block, so sealing what somebody has looked at costs nothing.
 */
export function sealBlock(open: OpenBlock): SealedBlock {
  let sealed = sealedFrom.get(open)
  if (sealed === undefined) {
    sealed = computeSealedBlock(open)
    sealedFrom.set(open, sealed)
  }
  return sealed
}

/** A block without transactions as it was before it was sealed; sealed again it is the same block. */
export function reopenBlock(sealed: SealedBlock, parent: SealedBlock): OpenBlock {
  const { rules, header, committed } = sealed
  const open = openBlockOver(rules, parent, header, committed.state)
  sealedFrom.set(open, sealed)
  return open
}

function computeSealedBlock(open: OpenBlock): SealedBlock {
  const { rules, environment, executed, body } = open
  const committed = commitState(open.parent.committed, open.state)
  const header: Header = {
    ...environment,
    stateRoot: stateRoot(committed),
    transactionsRoot: bytesToHex(listRoot(executed.map(({ transaction }) => transaction.raw))),
    receiptsRoot: bytesToHex(listRoot(executed.map(encodeReceipt))),
    logsBloom: joinBlooms(executed.map(({ receipt }) => receipt.logsBloom)),
    gasUsed: open.gasUsed,
    blobGasUsed: open.blobGasUsed,
    nonce: body.nonce,
    ...bodyCommitments(body),
  }
  return { rules, header, body, hash: hashHeader(rules, header), executed, committed }
}

/** The RLP of a block, as it is exchanged and exported. */
export function encodeSealedBlock({ rules, header, body, executed }: SealedBlock): Uint8Array {
  const transactions = executed.map(({ transaction }) => transaction)
  return encodeBlock(rules, header, body, transactions)
}

const sizes = new WeakMap<SealedBlock, number>()

/** The bytes of its RLP. Remembered, since whoever polls for the head asks for it again and again. */
export function sizeOfBlock(block: SealedBlock): number {
  let size = sizes.get(block)
  if (size === undefined) {
    size = encodeSealedBlock(block).length
    sizes.set(block, size)
  }
  return size
}
