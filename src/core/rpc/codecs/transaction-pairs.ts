// Codec of the transactions of a reorganisation: each signed or to be signed, with the index of its block.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { arrayOf, data } from './basic.ts'
import type { Codec } from './codec.ts'
import { integer } from './numbers.ts'
import { pairOf, type ValueOf } from './object.ts'
import {
  type TransactionRequest,
  type TransactionRequestWire,
  transactionRequest,
} from './transaction-request.ts'

const signedOrRequest: Codec<Transaction | TransactionRequest, string | TransactionRequestWire> = {
  name: 'transaction',
  decode: (value, path) =>
    typeof value === 'string'
      ? decodeTransaction(data.decode(value, path))
      : transactionRequest.decode(value, path),
}

const NAME = 'pair of transaction and block index'
const pair = pairOf(NAME, `a ${NAME}`, [signedOrRequest, integer])

/** The transaction, and the index of its new block from 0. */
export type TransactionPair = ValueOf<typeof pair>

export const transactionPairs = arrayOf(pair, 10_000)
