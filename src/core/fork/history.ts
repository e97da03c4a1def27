// What an upstream has up to the block of a fork, besides its state. Each function throws a `Miss` while it is not known.

import { type Address, type Hash, toQuantity } from '../primitives/hex.ts'
import { answeredArray, answeredInteger, answeredObject, fieldIn, placeOf } from './answers.ts'
import { nameOfRequest } from './upstream.ts'

type Answer = (method: string, params: readonly unknown[]) => unknown

interface LogQuery {
  /** Any of these; empty matches every address. */
  readonly addresses: readonly Address[]
  /** Per position any of these; empty matches every topic. */
  readonly topics: readonly (readonly Hash[])[]
}

/** The blocks and transactions up to a fork. */
export interface ForkHistory {
  /** The number of the block with a hash; `undefined` if there is none up to the fork. */
  readonly numberOfBlock: (hash: Hash) => number | undefined
  /** True if a transaction is in a block up to the fork. */
  readonly hasTransaction: (hash: Hash) => boolean
  /** The logs of blocks, as JSON-RPC has them. */
  readonly logs: (query: LogQuery, from: number, to: number) => readonly unknown[]
}

/** The history up to a block, by answers to requests. */
export function historyUpTo(last: number, answer: Answer): ForkHistory {
  /** The number in a field of an answer, if it is of a block up to the fork. */
  function numberIn(method: string, params: readonly unknown[], field: string): number | undefined {
    const answered = answer(method, params)
    if (answered === null) return undefined
    const place = placeOf(nameOfRequest(method, params))
    const [value, at] = fieldIn(answeredObject(answered, place), field, place)
    // A transaction that waits has none.
    if (value === null || value === undefined) return undefined
    const number = answeredInteger(value, at)
    return number <= last ? number : undefined
  }
  return {
    numberOfBlock: (hash) => numberIn('eth_getBlockByHash', [hash, false], 'number'),
    hasTransaction: (hash) => numberIn('eth_getTransactionByHash', [hash], 'blockNumber') !== undefined,
    logs({ addresses, topics }, from, to) {
      const asked = {
        fromBlock: toQuantity(from),
        toBlock: toQuantity(Math.min(to, last)),
        ...(addresses.length === 0 ? {} : { address: addresses }),
        ...(topics.length === 0 ? {} : { topics: topics.map((any) => (any.length === 0 ? null : any)) }),
      }
      return answeredArray(answer('eth_getLogs', [asked]), placeOf(nameOfRequest('eth_getLogs', [asked])))
    },
  }
}
