// What is before the fork of a chain: its blocks and transactions are the upstream's, and its first block's too.

import { blockByHash } from '../chain/chain.ts'
import { answeredInteger, answeredObject, fieldIn, placeOf } from '../fork/answers.ts'
import type { Fork } from '../fork/fork.ts'
import type { Hash } from '../primitives/hex.ts'
import { type BlockSelector, findTransaction, numberOfTag } from './lookup.ts'
import type { NodeState } from './node-state.ts'

/** The number in a field of an answer, if it is of a block up to the fork. */
function numberIn(fork: Fork, answer: unknown, field: string, request: string): number | undefined {
  if (answer === null) return undefined
  const place = placeOf(request)
  const [value, at] = fieldIn(answeredObject(answer, place), field, place)
  // A transaction that waits has none.
  if (value === null || value === undefined) return undefined
  const number = answeredInteger(value, at)
  return number <= fork.header.number ? number : undefined
}

/** The number of a block up to the fork with a hash; `undefined` if there is none. Throws a `Miss`. */
function numberOfHash({ chain }: NodeState, fork: Fork, hash: Hash): number | undefined {
  if (hash === fork.header.hash) return fork.header.number
  if (blockByHash(chain, hash) !== undefined) return undefined
  return numberIn(fork, fork.answer('eth_getBlockByHash', [hash, false]), 'number', 'eth_getBlockByHash')
}

/** The number of a block up to the fork that a selector refers to; `undefined` for any other. Throws a `Miss`. */
export function numberUpToFork(state: NodeState, selector: BlockSelector): number | undefined {
  const { fork } = state.chain
  if (fork === undefined || selector === 'pending') return undefined
  if (typeof selector === 'object') return numberOfHash(state, fork, selector.blockHash)
  const number = typeof selector === 'number' ? selector : numberOfTag(state, selector)
  return number <= fork.header.number ? number : undefined
}

/** Whether the upstream has a transaction in a block up to the fork. Throws a `Miss`. */
export function isUpToFork(state: NodeState, hash: Hash): boolean {
  const { fork } = state.chain
  if (fork === undefined || findTransaction(state, hash) !== undefined) return false
  const answer = fork.answer('eth_getTransactionByHash', [hash])
  return numberIn(fork, answer, 'blockNumber', 'eth_getTransactionByHash') !== undefined
}
