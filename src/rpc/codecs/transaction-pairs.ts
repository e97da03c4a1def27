// The transactions of a reorganisation: each signed or to be signed, with the index of the block that it is for.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import type { Hex } from '../../primitives/hex.ts'
import { arrayOf, data, integer } from './basic.ts'
import { type Codec, describe, refuse } from './codec.ts'
import {
  type TransactionRequest,
  type TransactionRequestWire,
  transactionRequest,
} from './transaction-request.ts'

export interface TransactionPair {
  readonly transaction: Transaction | TransactionRequest
  /** Counts the new blocks from 0. */
  readonly blockIndex: number
}

const MAX_PAIRS = 10_000

const pair: Codec<TransactionPair, readonly [Hex | TransactionRequestWire, number | Hex]> = {
  name: 'pair of transaction and block index',
  decode(value, path) {
    if (!Array.isArray(value) || value.length !== 2) {
      refuse(path, `expected a pair of transaction and block index, got ${describe(value)}`)
    }
    const [transaction, blockIndex] = value
    return {
      transaction:
        typeof transaction === 'string'
          ? decodeTransaction(data.decode(transaction, `${path}[0]`))
          : transactionRequest.decode(transaction, `${path}[0]`),
      blockIndex: integer.decode(blockIndex, `${path}[1]`),
    }
  },
}

export const transactionPairs = arrayOf(pair, MAX_PAIRS)

/** Any text. */
export const text: Codec<string, string> = {
  name: 'string',
  decode(value, path) {
    if (typeof value !== 'string') refuse(path, `expected a string, got ${describe(value)}`)
    return value
  },
}
