// The canonical chain: sealed blocks by number and hash, and the block of each transaction. Read access at one block,
// sealed or open, whose tries and hashes are computed on first use.

import type { BlockHashOf } from '../execution/evm/pooled-evm.ts'
import type { ExecutedTransaction } from '../execution/transaction/transaction.ts'
import type { Fork } from '../fork/fork.ts'
import type { Hash } from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import type { BlockEnvironment } from '../rollup/header.ts'
import type { Rules } from '../rollup/rules.ts'
import type { CommittedState } from '../state/state-tries.ts'
import type { WorldState } from '../state/world-state.ts'
import { type OpenBlock, openBlock, type SealedBlock, sealBlock, stateAfter } from './block/block.ts'
import * as archive from './history/archived-block.ts'
import * as runs from './runs/runs.ts'

export interface Chain {
  readonly first: number
  /** The last block; lazy if it belongs to a run of empty blocks. */
  readonly head: SealedBlock
  /** Blocks outside of runs, and blocks of runs whose state was edited; see `blockAt`. */
  readonly blocks: PersistentMap<number, SealedBlock>
  readonly runs: runs.Runs
  /** Numbers of the blocks outside of runs; see `blockByHash`. */
  readonly numberByHash: PersistentMap<Hash, number>
  /** The block that each transaction is in. Lowering a nonce by `setNonce` lets several blocks have the same one. */
  readonly transactions: PersistentMap<Hash, readonly number[]>
  /** The open block, once it holds a transaction and its environment is fixed. */
  readonly open: OpenBlock | undefined
  readonly history: archive.History
  /** Where another chain was forked, whose block is the first one here. */
  readonly fork: Fork | undefined
}

/** A chain of one block that keeps the states of its last `stateHistory` blocks. */
export function createChain(genesis: SealedBlock, stateHistory: number, fork?: Fork): Chain {
  const { number } = genesis.header
  return {
    first: number,
    history: archive.startHistory(number, genesis.committed, stateHistory),
    head: genesis,
    blocks: PersistentMap.from([[number, genesis]]),
    runs: PersistentMap.empty(),
    numberByHash: PersistentMap.from([[genesis.hash, number]]),
    transactions: PersistentMap.empty(),
    open: undefined,
    fork,
  }
}

/**
 * Replaces a short run at the head with its blocks. They are built anyway for the block on top of them, and take less
 * memory than the run, which keeps the tries of its parent.
 */
function unrollHead(chain: Chain): Chain {
  const built = runs.unroll(chain.runs, chain.head.header.number)
  if (built === undefined) return chain
  let { blocks, numberByHash } = chain
  for (const block of built) {
    const { number } = block.header
    numberByHash = numberByHash.set(block.hash, number)
    if (blocks.has(number)) continue
    blocks = blocks.set(number, number < chain.history.statesFrom ? archive.forgetState(block) : block)
  }
  return { ...chain, blocks, numberByHash, runs: chain.runs.delete(chain.runs.size - 1) }
}

type Places = Chain['transactions']

/** Adds the transactions of a block, which is the last. */
function withPlaces(before: Places, hashes: readonly Hash[], number: number): Places {
  let places = before
  for (const hash of hashes) places = places.set(hash, [...(places.get(hash) ?? []), number])
  return places
}

export function appendBlock(before: Chain, head: SealedBlock): Chain {
  const chain = unrollHead(before)
  const { number } = head.header
  const hashes = head.executed.map(({ transaction }) => transaction.hash)
  const { blocks, history } = archive.moveOn(chain.blocks, chain.history, chain.head.header.number, number)
  return {
    ...chain,
    head,
    history,
    open: undefined,
    blocks: blocks.set(number, head),
    numberByHash: chain.numberByHash.set(head.hash, number),
    transactions: withPlaces(chain.transactions, hashes, number),
  }
}

/** Blocks from the first of a chain on, all archived. The tries of their states are computed from those of `origin`. */
export interface LoadedBlocks {
  readonly blocks: readonly { readonly block: SealedBlock; readonly hashes: readonly Hash[] }[]
  readonly origin: CommittedState
}

/** The chain of loaded blocks; `undefined` if there are none. */
export function chainOf({ blocks: loaded, origin }: LoadedBlocks, stateHistory: number): Chain | undefined {
  const last = loaded.at(-1)?.block
  if (last === undefined) return undefined
  const head = archive.restoreBlock(last)
  const { number } = head.header
  const first = number - loaded.length + 1
  const all = PersistentMap.from(loaded.map(({ block }, index) => [first + index, block]))
  return {
    ...archive.moveOn(
      all.set(number, head),
      archive.startHistory(first, origin, stateHistory),
      number,
      number,
    ),
    first,
    head,
    runs: PersistentMap.empty(),
    numberByHash: PersistentMap.from(loaded.map(({ block }, index) => [block.hash, first + index])),
    transactions: loaded.reduce(
      (places, { hashes }, index) => withPlaces(places, hashes, first + index),
      PersistentMap.empty() as Places,
    ),
    open: undefined,
    fork: undefined,
  }
}

/** Replaces the head by another value of the same block; the open block stays. */
export function replaceHead(chain: Chain, head: SealedBlock): Chain {
  return { ...chain, head, blocks: chain.blocks.set(head.header.number, head) }
}

export function blocksAboveFirst({ first, head }: Chain): number {
  return head.header.number - first
}

/** Plans `count` empty blocks on the head, as slices of runs that the caller appends. */
export function planEmptyBlocks(chain: Chain, blocks: runs.EmptyBlocks, count: number): runs.RunSlice[] {
  return runs.plan(runAtHead(chain), blocks, count)
}

/**
 * Makes the first `count` blocks of a run the last of the chain. With a count of 0, its first block is the next to
 * open.
 */
export function appendRun(chain: Chain, run: runs.EmptyRun, count: number): Chain {
  const appended = { ...chain, runs: runs.append(chain.runs, run, count), open: undefined }
  if (count === 0) return appended
  const head = runs.lazyBlock(run, count - 1)
  return {
    ...appended,
    ...archive.moveOn(chain.blocks, chain.history, chain.head.header.number, head.header.number),
    head,
  }
}

/** The run that ends with the head, unless the head was edited. */
function runAtHead(chain: Chain) {
  const { number } = chain.head.header
  const part = runs.runEndingAt(chain.runs, number)
  return part?.count === 0 || !chain.blocks.has(number) ? part : undefined
}

/** Opens a block on the head: the next block of the run at the head if its environment is the same, else a new one. */
export function openOnHead(chain: Chain, rules: Rules, environment: BlockEnvironment): OpenBlock {
  const part = runAtHead(chain)
  const next = part && runs.nextOpenBlock(part, rules, environment)
  return next ?? openBlock(rules, chain.head, environment)
}

/** The sealed block with a number; lazy if it belongs to a run. */
export function blockAt(chain: Chain, number: number): SealedBlock | undefined {
  if (number === chain.head.header.number) return chain.head
  const block = chain.blocks.get(number)
  if (block !== undefined) return block
  const lazy = runs.at(chain.runs, number)
  return lazy !== undefined && number < chain.history.statesFrom ? archive.forgetState(lazy) : lazy
}

/** The blocks with numbers from `from` to `to` that may hold transactions, in their order. */
export function* fullBlocks(chain: Chain, from: number, to: number): IterableIterator<SealedBlock> {
  for (let number = Math.max(from, chain.first); number <= to; number++) {
    const block = chain.blocks.get(number)
    if (block !== undefined) yield block
    // The last block of a run may have been edited, and is then in `blocks`.
    else number = Math.max(number, (runs.rangeAt(chain.runs, number)?.last ?? number) - 1)
  }
}

export function* fullBlocksFromHead(chain: Chain): IterableIterator<SealedBlock> {
  for (let { number } = chain.head.header; number >= chain.first; number--) {
    const block = chain.blocks.get(number)
    if (block !== undefined) yield block
    else number = runs.rangeAt(chain.runs, number)?.first ?? number
  }
}

/**
 * Removes the last `depth` blocks and the open block. The orphaned blocks come last first; those of runs are not built.
 */
export function rewindChain(chain: Chain, depth: number) {
  let { blocks, numberByHash, transactions } = chain
  const headNumber = chain.head.header.number
  const number = headNumber - depth
  for (const block of fullBlocks(chain, number + 1, headNumber)) {
    const { header, executed } = block
    blocks = blocks.delete(header.number)
    if (runs.rangeAt(chain.runs, header.number) === undefined) numberByHash = numberByHash.delete(block.hash)
    for (const { hash } of executed.map(({ transaction }) => transaction)) {
      const earlier = (transactions.get(hash) ?? []).filter((place) => place <= number)
      transactions = earlier.length === 0 ? transactions.delete(hash) : transactions.set(hash, earlier)
    }
  }
  const found = blockAt(chain, number) as SealedBlock
  const head = archive.restoreBlock(found)
  return {
    chain: {
      ...chain,
      head,
      numberByHash,
      transactions,
      open: undefined,
      blocks: head === found ? blocks : blocks.set(number, head),
      runs: runs.rewind(chain.runs, number),
      history: archive.moveBack(chain.history, number),
    },
    orphaned: blocksAbove(chain, number),
  }
}

/** The block with a hash. A search through runs computes the hashes of their blocks. */
export function blockByHash(chain: Chain, hash: Hash): SealedBlock | undefined {
  const number = chain.numberByHash.get(hash) ?? runs.findRunNumber(chain.runs, hash)
  return number === undefined ? undefined : blockAt(chain, number)
}

export function blockHashesOf(chain: Chain): BlockHashOf {
  const { first, fork } = chain
  if (fork === undefined) return (number) => blockAt(chain, number)?.hash
  return (number) => (number < first ? fork.blockHashAt(number) : blockAt(chain, number)?.hash)
}

/** True if two chains have the same block at a number. Blocks of a shared run are not built for it. */
export function isSharedAt(a: Chain, b: Chain, number: number): boolean {
  return runs.isRunSharedAt(a.runs, b.runs, number) || blockAt(a, number)?.hash === blockAt(b, number)?.hash
}

/** The blocks with numbers from `from` to `to`, without reserved ones. */
export function* blocksBetween(chain: Chain, from: number, to: number): IterableIterator<SealedBlock> {
  for (let number = Math.max(from, chain.first); number <= to; number++) {
    const reserved = runs.reservedAt(chain.runs, number)
    if (reserved !== undefined) {
      number = reserved.last
      continue
    }
    const block = blockAt(chain, number)
    if (block !== undefined) yield block
  }
}

/** The blocks of a chain above a number, last first, without reserved ones. Blocks of runs are not built. */
export function blocksAbove(chain: Chain, above: number): Iterable<SealedBlock> {
  const lowest = Math.max(above, chain.first - 1)
  return {
    *[Symbol.iterator]() {
      for (let { number } = chain.head.header; number > lowest; number--) {
        const reserved = runs.reservedAt(chain.runs, number)
        if (reserved === undefined) yield blockAt(chain, number) as SealedBlock
        else number = reserved.first
      }
    },
  }
}

// A class: accessors on a prototype are cheaper than on each object, and a function in an object would keep the block in
// memory up to a full garbage collection.
export class BlockView {
  readonly open: OpenBlock | undefined
  readonly rules: Rules
  readonly environment: BlockEnvironment
  private readonly sealed: SealedBlock | undefined

  constructor(open: OpenBlock | undefined, sealed: SealedBlock | undefined, rules: Rules) {
    this.open = open
    this.rules = rules
    this.environment = sealed?.header ?? (open as OpenBlock).environment
    this.sealed = sealed
  }

  get isPending(): boolean {
    return this.sealed === undefined
  }

  /** The block with its roots and hash; an open block as if it were sealed now. */
  block(): SealedBlock {
    return this.sealed ?? sealBlock(this.open as OpenBlock)
  }

  /** Throws `stateNotAvailable` if the chain does not keep it. */
  get state(): WorldState {
    return this.sealed === undefined ? stateAfter(this.open as OpenBlock) : this.sealed.committed.state
  }

  get executed(): readonly ExecutedTransaction[] {
    return (this.sealed ?? (this.open as OpenBlock)).executed
  }
}

export function viewOfSealed(block: SealedBlock): BlockView {
  return new BlockView(undefined, block, block.rules)
}

export function viewOfOpen(open: OpenBlock): BlockView {
  return new BlockView(open, undefined, open.rules)
}

export function withRules(view: BlockView, rules: Rules): BlockView {
  return Object.create(view, { rules: { value: rules } })
}
