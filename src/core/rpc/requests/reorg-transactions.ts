// Signed transactions for the new blocks of anvil_reorg. Requests are filled on the state of the last block kept.

import { blocksAboveFirst, rewindChain } from '../../chain/chain.ts'
import { maximumCost, type Transaction } from '../../execution/transaction/transaction.ts'
import { reorgTooDeep } from '../../node/control/reorg.ts'
import { EMPTY_POOL, insertTransaction } from '../../pool/pool.ts'
import { refuse } from '../codecs/codec.ts'
import type { TransactionPair } from '../codecs/transaction-pairs.ts'
import type { ReadContext } from '../read-context.ts'
import { fillAndSign } from './fill-transaction.ts'

/**
 * The transactions of each new block, in order. The nonces of a sender count up from pair to pair. Gas is estimated
 * before any of the transactions has run.
 */
export async function signReplacements(
  context: ReadContext,
  depth: number,
  pairs: readonly TransactionPair[],
): Promise<Transaction[][]> {
  const { state } = context
  if (depth > blocksAboveFirst(state.chain)) throw reorgTooDeep(state.chain, depth)
  const blocks: Transaction[][] = Array.from({ length: depth }, () => [])
  const { chain } = rewindChain(state.chain, depth)
  let base = { ...state, chain, pool: EMPTY_POOL, nextTimestamp: undefined }
  const inOrder = [...pairs].sort(([, a], [, b]) => a - b)
  for (const [transaction, blockIndex] of inOrder) {
    const block = blocks[blockIndex]
    if (block === undefined) {
      refuse('1', `a block index must be below the depth of ${depth}, got ${blockIndex}`)
    }
    const signed =
      'raw' in transaction ? transaction : await fillAndSign({ ...context, state: base }, transaction)
    base = { ...base, pool: insertTransaction(base.pool, signed, maximumCost(signed)) }
    block.push(signed)
  }
  return blocks
}
