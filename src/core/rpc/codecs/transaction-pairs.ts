// Codec of the transactions of a reorganisation: each signed or to be signed, with the index of its block.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import type { Hex } from '../../primitives/hex.ts'
import { arrayOf, data } from './basic.ts'
import { type Codec, refuseValue } from './codec.ts'
import { integer } from './numbers.ts'
import {
  type TransactionRequest,
  type TransactionRequestWire,
  transactionRequest,
} from './transaction-request.ts'

export interface TransactionPair {
  readonly transaction: Transaction | TransactionRequest
  /** Index of the new block, from 0. */
  readonly blockIndex: number
}

const MAX_PAIRS = 10_000

const pair: Codec<TransactionPair, readonly [Hex | TransactionRequestWire, number | Hex]> = {
  name: 'pair of transaction and block index',
  decode(value, path) {
    if (!Array.isArray(value) || value.length !== 2) {
      refuseValue(path, 'a pair of transaction and block index', value)
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
