// Codec of the transaction object of calls, estimates and eth_sendTransaction. Null fields count as absent.

import type { SimulatedCall } from '../../chain/simulate/simulated-call.ts'
import type {
  AccessListEntry,
  Authorization,
  TransactionType,
} from '../../execution/transaction/transaction.ts'
import { failure } from '../../primitives/errors.ts'
import { EMPTY_BYTES, equalBytes, type Hash, type Hex } from '../../primitives/hex.ts'
import { address, arrayOf, asRecord, data, field, hash, requiredField } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { quantity, uint8, uint64 } from './numbers.ts'

export interface TransactionRequest extends SimulatedCall {
  readonly type: TransactionType | undefined
}

export interface TransactionRequestWire {
  readonly type?: string | null
  readonly from?: string | null
  readonly to?: string | null
  readonly gas?: Hex | number | null
  readonly gasPrice?: Hex | number | null
  readonly maxFeePerGas?: Hex | number | null
  readonly maxPriorityFeePerGas?: Hex | number | null
  readonly value?: Hex | number | null
  readonly nonce?: Hex | number | null
  readonly chainId?: Hex | number | null
  readonly input?: string | null
  readonly data?: string | null
  readonly accessList?: readonly unknown[] | null
  readonly authorizationList?: readonly unknown[] | null
  readonly maxFeePerBlobGas?: Hex | number | null
  readonly blobVersionedHashes?: readonly string[] | null
}

const MAX_LIST = 10_000

const accessListEntry: Codec<AccessListEntry> = {
  name: 'access list entry',
  decode(value, path) {
    const record = asRecord(value, path)
    const keys = field(record, 'storageKeys', arrayOf(hash, MAX_LIST), path) ?? []
    return { address: requiredField(record, 'address', address, path), storageKeys: keys }
  },
}

const authorization: Codec<Authorization> = {
  name: 'authorization',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      chainId: requiredField(record, 'chainId', quantity, path),
      address: requiredField(record, 'address', address, path),
      nonce: requiredField(record, 'nonce', uint64, path),
      yParity: requiredField(record, 'yParity', uint8, path),
      r: requiredField(record, 'r', quantity, path),
      s: requiredField(record, 's', quantity, path),
    }
  },
}

/** `input` is the standard's name for the calldata, `data` the older one; both may be given if they agree. */
function decodeInput(record: Record<string, unknown>, path: string): Uint8Array {
  const input = field(record, 'input', data, path)
  const older = field(record, 'data', data, path)
  if (input !== undefined && older !== undefined && !equalBytes(input, older)) {
    refuse(path, 'both "data" and "input" are set and not equal, use "input" to pass transaction call data')
  }
  return input ?? older ?? EMPTY_BYTES
}

function decodeType(record: Record<string, unknown>, path: string): TransactionType | undefined {
  const type = field(record, 'type', uint64, path)
  if (type === undefined) return undefined
  if (type > 4n) refuse(`${path}.type`, `unknown transaction type ${type}`)
  return Number(type) as TransactionType
}

/** EIP-4844: a blob transaction has blobs, and their hashes are of version 1. */
function decodeBlobHashes(record: Record<string, unknown>, path: string): Hash[] | undefined {
  const at = `${path}.blobVersionedHashes`
  const hashes = field(record, 'blobVersionedHashes', arrayOf(hash, MAX_LIST), path)
  if (hashes?.length === 0) refuse(at, 'expected at least one hash')
  const unknown = hashes?.findIndex((each) => !each.startsWith('0x01')) ?? -1
  if (unknown !== -1) refuse(`${at}[${unknown}]`, 'expected a hash of version 1, which begins with 0x01')
  return hashes
}

/** Set code and blob transactions cannot create contracts. */
function checkRecipient(
  { to, type, authorizationList, blobVersionedHashes }: TransactionRequest,
  path: string,
): void {
  if (to !== undefined) return
  if (type === 4 || authorizationList !== undefined)
    refuse(`${path}.to`, 'a set code transaction needs a recipient (EIP-7702)')
  if (type === 3 || blobVersionedHashes !== undefined)
    refuse(`${path}.to`, 'a blob transaction needs a recipient (EIP-4844)')
}

export const transactionRequest: Codec<TransactionRequest, TransactionRequestWire> = {
  name: 'transaction object',
  decode(value, path) {
    const record = asRecord(value, path)
    const gasPrice = field(record, 'gasPrice', quantity, path)
    const maxFeePerGas = field(record, 'maxFeePerGas', quantity, path)
    const maxPriorityFeePerGas = field(record, 'maxPriorityFeePerGas', quantity, path)
    const hasFeeMarketFields = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined
    if (gasPrice !== undefined && hasFeeMarketFields) {
      throw failure('conflictingFees', {
        field: maxFeePerGas === undefined ? 'maxPriorityFeePerGas' : 'maxFeePerGas',
      })
    }
    const request: TransactionRequest = {
      type: decodeType(record, path),
      from: field(record, 'from', address, path),
      to: field(record, 'to', address, path),
      gas: field(record, 'gas', uint64, path),
      gasPrice,
      maxFeePerGas,
      maxPriorityFeePerGas,
      value: field(record, 'value', quantity, path),
      nonce: field(record, 'nonce', uint64, path),
      chainId: field(record, 'chainId', quantity, path),
      input: decodeInput(record, path),
      accessList: field(record, 'accessList', arrayOf(accessListEntry, MAX_LIST), path),
      authorizationList: field(record, 'authorizationList', arrayOf(authorization, MAX_LIST), path),
      maxFeePerBlobGas: field(record, 'maxFeePerBlobGas', quantity, path),
      blobVersionedHashes: decodeBlobHashes(record, path),
    }
    checkRecipient(request, path)
    return request
  },
}
