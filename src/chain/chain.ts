// The canonical chain: sealed blocks by number and hash, and where each transaction is.

import type { BlockHashOf } from '../execution/environment.ts'
import type { Hash } from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import type { OpenBlock, SealedBlock } from './block.ts'

interface TransactionLocation {
  readonly blockNumber: number
  readonly index: number
}

export interface Chain {
  readonly head: SealedBlock
  readonly blocks: PersistentMap<number, SealedBlock>
  readonly numberByHash: PersistentMap<Hash, number>
  readonly transactions: PersistentMap<Hash, TransactionLocation>
  /** The block being built, once it holds a transaction; its environment is fixed from then on. */
  readonly open: OpenBlock | undefined
}

export function createChain(genesis: SealedBlock): Chain {
  const { number } = genesis.header
  return {
    head: genesis,
    blocks: PersistentMap.from([[number, genesis]]),
    numberByHash: PersistentMap.from([[genesis.hash, number]]),
    transactions: PersistentMap.empty(),
    open: undefined,
  }
}

/** Makes a sealed block the head. */
export function appendBlock(chain: Chain, head: SealedBlock): Chain {
  const { number } = head.header
  let { transactions } = chain
  for (const { transaction, index } of head.executed) {
    transactions = transactions.set(transaction.hash, { blockNumber: number, index })
  }
  return {
    head,
    blocks: chain.blocks.set(number, head),
    numberByHash: chain.numberByHash.set(head.hash, number),
    transactions,
    open: undefined,
  }
}

/** Takes the last `depth` blocks, and the block being built, off the chain. */
export function rewindChain(chain: Chain, depth: number): { chain: Chain; orphaned: readonly SealedBlock[] } {
  const orphaned: SealedBlock[] = []
  let { blocks, numberByHash, transactions } = chain
  const headNumber = chain.head.header.number
  for (let number = headNumber; number > headNumber - depth; number--) {
    const block = blocks.get(number) as SealedBlock
    orphaned.push(block)
    blocks = blocks.delete(number)
    numberByHash = numberByHash.delete(block.hash)
    for (const { transaction } of block.executed) transactions = transactions.delete(transaction.hash)
  }
  const head = blocks.get(headNumber - depth) as SealedBlock
  return { chain: { head, blocks, numberByHash, transactions, open: undefined }, orphaned }
}

export function blockByHash(chain: Chain, hash: Hash): SealedBlock | undefined {
  const number = chain.numberByHash.get(hash)
  return number === undefined ? undefined : chain.blocks.get(number)
}

export function blockHashesOf(chain: Chain): BlockHashOf {
  return (number) => chain.blocks.get(number)?.hash
}
