// Codec of the transaction object of calls, estimates and eth_sendTransaction. Null fields count as absent.

import type { SimulatedCall } from '../../chain/simulate/simulation-plan.ts'
import type { TransactionType } from '../../execution/transaction/transaction.ts'
import { failure } from '../../primitives/errors.ts'
import { EMPTY_BYTES, equalBytes } from '../../primitives/hex.ts'
import { address, arrayOf, data, hash } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { quantity, uint8, uint64 } from './numbers.ts'
import { converted, need, or, recordCodec, type WireOf } from './object.ts'

export interface TransactionRequest extends SimulatedCall {
  readonly type: TransactionType | undefined
}

const MAX_LIST = 10_000

const accessListEntry = recordCodec(
  { address: need(address), storageKeys: or(arrayOf(hash, MAX_LIST), []) },
  'access list entry',
  'ignored',
)

const authorization = recordCodec(
  {
    chainId: need(quantity),
    address: need(address),
    nonce: need(uint64),
    yParity: need(uint8),
    r: need(quantity),
    s: need(quantity),
  },
  'authorization',
  'ignored',
)

const transactionType: Codec<TransactionType, string> = {
  name: uint64.name,
  decode(value, path) {
    const type = uint64.decode(value, path)
    if (type > 4n) refuse(path, `unknown transaction type ${type}`)
    return Number(type) as TransactionType
  },
}

/** EIP-4844: a blob transaction has blobs, and their hashes are of version 1. */
const blobHashes = converted(arrayOf(hash, MAX_LIST), (hashes, path) => {
  if (hashes.length === 0) refuse(path, 'expected at least one hash')
  const unknown = hashes.findIndex((each) => !each.startsWith('0x01'))
  if (unknown !== -1) refuse(`${path}[${unknown}]`, 'expected a hash of version 1, which begins with 0x01')
  return hashes
})

const fields = recordCodec(
  {
    gasPrice: quantity,
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
    type: transactionType,
    from: address,
    to: address,
    gas: uint64,
    value: quantity,
    nonce: uint64,
    chainId: quantity,
    input: data,
    data,
    accessList: arrayOf(accessListEntry, MAX_LIST),
    authorizationList: arrayOf(authorization, MAX_LIST),
    maxFeePerBlobGas: quantity,
    blobVersionedHashes: blobHashes,
  },
  'transaction object',
  'ignored',
)

export interface TransactionRequestWire extends WireOf<typeof fields> {}

/** `input` is the standard's name for the calldata, `data` the older one; both may be given if they agree. */
export const transactionRequest: Codec<TransactionRequest, TransactionRequestWire> = converted(
  fields,
  ({ data: older, ...given }, path) => {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, input } = given
    if (gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
      throw failure('conflictingFees', {
        field: maxFeePerGas === undefined ? 'maxPriorityFeePerGas' : 'maxFeePerGas',
      })
    }
    if (input !== undefined && older !== undefined && !equalBytes(input, older)) {
      refuse(path, 'both "data" and "input" are set and not equal, use "input" to pass transaction call data')
    }
    const { to, type, authorizationList, blobVersionedHashes } = given
    if (to === undefined && (type === 4 || authorizationList !== undefined))
      refuse(`${path}.to`, 'a set code transaction needs a recipient (EIP-7702)')
    if (to === undefined && (type === 3 || blobVersionedHashes !== undefined))
      refuse(`${path}.to`, 'a blob transaction needs a recipient (EIP-4844)')
    return { ...given, input: input ?? older ?? EMPTY_BYTES }
  },
)
