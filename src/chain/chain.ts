// The canonical chain: sealed blocks by number and hash, and the block of each transaction.

import type { BlockHashOf } from '../execution/evm/environment.ts'
import type { Hash } from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import type { OpenBlock, SealedBlock } from './block/block.ts'
import { forgetState } from './history/archived-block.ts'
import { type History, moveBack, moveOn, startHistory } from './history/history.ts'
import { type EmptyRun, firstNumber, leavesWritesOut, trunkOf } from './runs/empty-run.ts'
import { builtBlockOf, deferBlockOf, indexInRun, isLookedAt } from './runs/run-blocks.ts'

/** The number of a transaction's block. Lowering a nonce by `setNonce` lets several blocks have the same one. */
type TransactionPlace = number | { readonly number: number; readonly earlier: TransactionPlace }

/** As much of a run as is in a chain: its first blocks. */
interface RunPart {
  readonly run: EmptyRun
  readonly count: number
}

export interface Chain {
  /** The last block; one of a run is built when somebody reads what its number, time and prices do not tell. */
  readonly head: SealedBlock
  /** The blocks that were built one by one, and none of a run but one whose state was edited; see `blockAt`. */
  readonly blocks: PersistentMap<number, SealedBlock>
  /** Runs of empty blocks in their order, counted from 0. */
  readonly runs: PersistentMap<number, RunPart>
  /** Of the blocks that were built one by one; see `blockByHash`. */
  readonly numberByHash: PersistentMap<Hash, number>
  /** The block that each transaction is in; see `blockNumberOf`. */
  readonly transactions: PersistentMap<Hash, TransactionPlace>
  /** The open block, once it holds a transaction and its environment is fixed. */
  readonly open: OpenBlock | undefined
  /** Which old blocks are archived. */
  readonly history: History
}

/** A chain of one block that keeps the states of its last `stateHistory` blocks. */
export function createChain(genesis: SealedBlock, stateHistory: number): Chain {
  const { number } = genesis.header
  return {
    history: startHistory(number, stateHistory),
    head: genesis,
    blocks: PersistentMap.from([[number, genesis]]),
    runs: PersistentMap.empty(),
    numberByHash: PersistentMap.from([[genesis.hash, number]]),
    transactions: PersistentMap.empty(),
    open: undefined,
  }
}

/** A head that is a run of one, and was looked at, is a block like any other: found by its hash, packed when it is old. */
function withBuiltHead(chain: Chain): Chain {
  const { blocks, runs, numberByHash } = chain
  const { number } = chain.head.header
  const part = runs.get(runs.size - 1)
  const built = part === undefined || endOf(part) !== number ? undefined : builtBlockOf(part.run)
  if (built === undefined || blocks.has(number)) return chain
  return {
    ...chain,
    blocks: blocks.set(number, built),
    runs: runs.delete(runs.size - 1),
    numberByHash: numberByHash.set(built.hash, number),
  }
}

/** Makes a sealed block the head. */
export function appendBlock(before: Chain, head: SealedBlock): Chain {
  const chain = withBuiltHead(before)
  const { number } = head.header
  let { transactions } = chain
  for (const { transaction } of head.executed) {
    const earlier = transactions.get(transaction.hash)
    transactions = transactions.set(transaction.hash, earlier === undefined ? number : { number, earlier })
  }
  const { blocks, history } = moveOn(chain.blocks, chain.history, chain.head.header.number, number)
  return {
    history,
    head,
    blocks: blocks.set(number, head),
    runs: chain.runs,
    numberByHash: chain.numberByHash.set(head.hash, number),
    transactions,
    open: undefined,
  }
}

/** Replaces the head by another value of the same block; the open block stays. */
export function replaceHead(chain: Chain, head: SealedBlock): Chain {
  return { ...chain, head, blocks: chain.blocks.set(head.header.number, head) }
}

/**
 * Makes the first `count` blocks of a run the last of the chain. The run stands on the head, or takes in the one that
 * ends there.
 */
export function appendRun(before: Chain, run: EmptyRun, count: number = run.count): Chain {
  const isExtended = firstNumber(run) <= before.head.header.number
  const chain = isExtended ? before : withBuiltHead(before)
  const head = deferBlockOf(run, count - 1)
  const position = isExtended ? chain.runs.size - 1 : chain.runs.size
  return {
    ...chain,
    ...moveOn(chain.blocks, chain.history, chain.head.header.number, head.header.number),
    head,
    runs: chain.runs.set(position, { run, count }),
    open: undefined,
  }
}

/** The run whose last block is the head, if that is as the run has it, and nobody has looked. */
export function unseenRunAtHead({ runs, blocks, head }: Chain): RunPart | undefined {
  const { number } = head.header
  const part = runs.get(runs.size - 1)
  if (part === undefined || endOf(part) !== number || isLookedAt(part.run)) return undefined
  return blocks.has(number) ? undefined : part
}

function endOf({ run, count }: RunPart): number {
  return firstNumber(run) + count - 1
}

/** The part of a run that a number lies in. */
function partAt({ runs }: Chain, number: number): RunPart | undefined {
  let low = 0
  let high = runs.size
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(runs.get(middle) as RunPart) < number) low = middle + 1
    else high = middle
  }
  const part = runs.get(low)
  return part === undefined || firstNumber(part.run) > number ? undefined : part
}

/** The sealed block with a number; one of a run is built when somebody reads of it what takes a hash. */
export function blockAt(chain: Chain, number: number): SealedBlock | undefined {
  if (number === chain.head.header.number) return chain.head
  const block = chain.blocks.get(number)
  if (block !== undefined) return block
  const part = partAt(chain, number)
  if (part === undefined) return undefined
  const deferred = deferBlockOf(part.run, number - firstNumber(part.run))
  return number < chain.history.statesFrom ? forgetState(deferred) : deferred
}

/** The blocks with numbers from `from` to `to` that may hold transactions, in their order. */
export function* fullBlocks(chain: Chain, from: number, to: number): IterableIterator<SealedBlock> {
  for (let number = from; number <= to; number++) {
    const block = chain.blocks.get(number)
    const part = block === undefined ? partAt(chain, number) : undefined
    if (block !== undefined) yield block
    // The last of a run may have been edited: then it is among the blocks.
    if (part !== undefined) number = Math.max(number, endOf(part) - 1)
  }
}

/** The same for all blocks, the last first. */
export function* fullBlocksFromHead(chain: Chain): IterableIterator<SealedBlock> {
  for (let { number } = chain.head.header; number >= 0; number--) {
    const block = chain.blocks.get(number)
    const part = block === undefined ? partAt(chain, number) : undefined
    if (block !== undefined) yield block
    if (part !== undefined) number = firstNumber(part.run)
  }
}

/** The first run of a chain whose states others could not verify, since they stand still where blocks would write. */
export function firstCompactRun({
  runs,
}: Chain): { readonly first: number; readonly last: number } | undefined {
  for (let index = 0; index < runs.size; index++) {
    const part = runs.get(index) as RunPart
    if (leavesWritesOut(part.run)) return { first: firstNumber(part.run), last: endOf(part) }
  }
  return undefined
}

/** Takes the blocks above a number off the runs. */
function rewindRuns(start: Chain['runs'], number: number): Chain['runs'] {
  let runs = start
  for (let index = runs.size - 1; index >= 0; index--) {
    const part = runs.get(index) as RunPart
    if (endOf(part) <= number) break
    const count = number - firstNumber(part.run) + 1
    runs = count > 0 ? runs.set(index, { ...part, count }) : runs.delete(index)
  }
  return runs
}

function lastNumberOf(place: TransactionPlace): number {
  return typeof place === 'number' ? place : place.number
}

/** The number of the block that holds a transaction, the last if there are several. */
export function blockNumberOf({ transactions }: Chain, hash: Hash): number | undefined {
  const place = transactions.get(hash)
  return place === undefined ? undefined : lastNumberOf(place)
}

/** The place of a transaction after the blocks above a number are removed. */
function rewindPlace(start: TransactionPlace | undefined, number: number): TransactionPlace | undefined {
  let place = start
  while (place !== undefined && lastNumberOf(place) > number) {
    place = typeof place === 'number' ? undefined : place.earlier
  }
  return place
}

/**
 * Takes the last `depth` blocks, and the block being built, off the chain. Of what is orphaned, last first, the blocks
 * of runs are not built.
 */
export function rewindChain(
  chain: Chain,
  depth: number,
): { readonly chain: Chain; readonly orphaned: Iterable<SealedBlock> } {
  let { blocks, numberByHash, transactions } = chain
  const headNumber = chain.head.header.number
  const number = headNumber - depth
  for (const block of fullBlocks(chain, number + 1, headNumber)) {
    const { header, executed } = block
    blocks = blocks.delete(header.number)
    if (partAt(chain, header.number) === undefined) numberByHash = numberByHash.delete(block.hash)
    for (const { hash } of executed.map(({ transaction }) => transaction)) {
      const earlier = rewindPlace(transactions.get(hash), number)
      transactions = earlier === undefined ? transactions.delete(hash) : transactions.set(hash, earlier)
    }
  }
  const head = blockAt(chain, number) as SealedBlock
  const runs = rewindRuns(chain.runs, number)
  return {
    chain: {
      head,
      blocks,
      runs,
      numberByHash,
      transactions,
      open: undefined,
      history: moveBack(chain.history, number),
    },
    orphaned: blocksAbove(chain, number),
  }
}

/** The block with a hash; whether one of a run has it is found out by hashing the run. */
export function blockByHash(chain: Chain, hash: Hash): SealedBlock | undefined {
  const number = chain.numberByHash.get(hash)
  if (number !== undefined) return blockAt(chain, number)
  for (let position = chain.runs.size - 1; position >= 0; position--) {
    const { run, count } = chain.runs.get(position) as RunPart
    const index = indexInRun(run, hash, count)
    if (index !== undefined) return blockAt(chain, firstNumber(run) + index)
  }
  return undefined
}

export function blockHashesOf(chain: Chain): BlockHashOf {
  return (number) => blockAt(chain, number)?.hash
}

/** Whether two chains have the same block with a number; blocks of one run are not built to be compared. */
export function isSharedAt(a: Chain, b: Chain, number: number): boolean {
  const [inA, inB] = [partAt(a, number), partAt(b, number)]
  if (inA !== undefined && inB !== undefined && trunkOf(inA.run) === trunkOf(inB.run)) return true
  return blockAt(a, number)?.hash === blockAt(b, number)?.hash
}

/** The blocks with numbers from `from` to `to`. */
export function* blocksBetween(chain: Chain, from: number, to: number): IterableIterator<SealedBlock> {
  for (let number = from; number <= to; number++) {
    const block = blockAt(chain, number)
    if (block !== undefined) yield block
  }
}

/** The blocks of a chain above a number, last first; of those of a run none is built. */
export function blocksAbove(chain: Chain, above: number): Iterable<SealedBlock> {
  return {
    *[Symbol.iterator]() {
      for (let { number } = chain.head.header; number > above; number--) {
        yield blockAt(chain, number) as SealedBlock
      }
    },
  }
}
