// The two lives of a block: open, while partial blocks are added to it, and sealed.

import type { BlockEnvironment } from '../execution/environment.ts'
import { type ExecutedTransaction, encodeReceipt } from '../execution/receipt.ts'
import { bytesToHex, type Hash } from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import type { Rules } from '../rollup/forks.ts'
import { startBlock } from '../rollup/system-contracts.ts'
import { type CommittedState, commitState, stateRoot } from '../state/state-tries.ts'
import { listRoot } from '../state/trie.ts'
import type { WorldState } from '../state/world-state.ts'
import { joinBlooms } from './bloom.ts'
import { blockSize, type Header, hashHeader } from './header.ts'

export interface SealedBlock {
  readonly header: Header
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
  readonly logCount: number
  readonly state: WorldState
}

/** Opens a block: what the protocol writes before the first transaction is written. */
export function openBlock(rules: Rules, parent: SealedBlock, environment: BlockEnvironment): OpenBlock {
  return {
    rules,
    parent,
    environment,
    partials: [],
    executed: [],
    indexByHash: PersistentMap.empty(),
    gasUsed: 0n,
    logCount: 0,
    state: startBlock(rules, parent.committed.state, environment),
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
    logCount: last.firstLogIndex + last.receipt.logs.length,
    state,
  }
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

function computeSealedBlock(open: OpenBlock): SealedBlock {
  const { rules, environment, executed } = open
  const committed = commitState(open.parent.committed, open.state)
  const header: Header = {
    ...environment,
    stateRoot: stateRoot(committed),
    transactionsRoot: bytesToHex(listRoot(executed.map(({ transaction }) => transaction.raw))),
    receiptsRoot: bytesToHex(listRoot(executed.map(encodeReceipt))),
    logsBloom: joinBlooms(executed.map(({ receipt }) => receipt.logsBloom)),
    gasUsed: open.gasUsed,
    blobGasUsed: 0n,
  }
  return { header, hash: hashHeader(rules, header), executed, committed }
}

/** Bytes of the block's RLP. */
export function sizeOf(rules: Rules, block: SealedBlock): number {
  return blockSize(
    rules,
    block.header,
    block.executed.map(({ transaction }) => transaction),
  )
}
