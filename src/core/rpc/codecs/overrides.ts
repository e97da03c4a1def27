// Codecs of overrides of state and block, and of transaction objects, whose null fields count as absent.

import type { SimulatedCall } from '../../chain/simulate/simulation-plan.ts'
import type { BlockOverrides } from '../../execution/call/run-call.ts'
import type { TransactionType } from '../../execution/transaction/transaction.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, EMPTY_BYTES, equalBytes, type Hash } from '../../primitives/hex.ts'
import { shorten } from '../../primitives/text-of.ts'
import type { AccountOverride, StateOverrides, StorageOverride } from '../../state/overrides.ts'
import { storageBytes } from './accounts.ts'
import { address, arrayOf, asRecord, data, hash, slot, word } from './basic.ts'
import { type Codec, integer, quantity, refuse, uint8, uint64 } from './codec.ts'
import { converted, need, or, recordCodec, type ValueOf, type WireOf } from './object.ts'

const storageOverride: Codec<StorageOverride, Readonly<Record<string, string>>> = {
  name: 'object from storage slot to value',
  decode(value, path) {
    const slots = new Map<Hash, Uint8Array>()
    for (const [key, given] of Object.entries(asRecord(value, path))) {
      const written = storageBytes.decode(given, `${path}.${shorten(key)}`)
      slots.set(slot.decode(key, `${path} key`), written)
    }
    return slots
  },
}

const accountFields = recordCodec({
  balance: quantity,
  nonce: uint64,
  code: data,
  state: storageOverride,
  stateDiff: storageOverride,
  movePrecompileToAddress: address,
})

export const ACCOUNT_FIELDS = Object.keys(accountFields.fields)

export interface AccountOverrideWire extends WireOf<typeof accountFields> {}

const accountOverride = converted(
  accountFields,
  ({ movePrecompileToAddress: movePrecompileTo, ...override }, path): AccountOverride => {
    if (override.state !== undefined && override.stateDiff !== undefined)
      refuse(path, 'has both state and stateDiff')
    return { ...override, movePrecompileTo }
  },
)

export const stateOverrides: Codec<StateOverrides, Readonly<Record<string, AccountOverrideWire>>> = {
  name: 'object from address to account override',
  decode(value, path) {
    const overrides = new Map<Address, AccountOverride>()
    for (const [key, given] of Object.entries(asRecord(value, path))) {
      const account = address.decode(key, `${path} key`)
      if (overrides.has(account)) refuse(path, `has ${account} twice`)
      overrides.set(account, accountOverride.decode(given, `${path}.${account}`))
    }
    return overrides
  },
}

const blockFields = recordCodec(
  {
    number: integer,
    time: integer,
    gasLimit: uint64,
    feeRecipient: address,
    prevRandao: word('a random value'),
    baseFeePerGas: quantity,
    blobBaseFee: quantity,
    difficulty: quantity,
  },
  'block overrides',
)

/** The fields of a block that a call can read. */
export const BLOCK_FIELDS = blockFields.fields

export function toBlockOverrides<Given extends ValueOf<typeof blockFields>>({
  time: timestamp,
  feeRecipient: coinbase,
  ...fields
}: Given): BlockOverrides & Omit<Given, 'time' | 'feeRecipient'> {
  return { ...fields, timestamp, coinbase }
}

export interface BlockOverridesWire extends WireOf<typeof blockFields> {}

export const blockOverrides: Codec<BlockOverrides, BlockOverridesWire> = converted(blockFields, (fields) =>
  toBlockOverrides(fields),
)

const withdrawal = recordCodec(
  { index: need(uint64), validatorIndex: need(uint64), address: need(address), amount: need(uint64) },
  'withdrawal',
  'ignored',
)

/** EIP-4895 lets a block have 16. */
export const withdrawals = arrayOf(withdrawal, 16)

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
    if (type === 0x79n) throw failure('transactionTypeNotSupported', { type: 0x79 })
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
  'refused if misspelt',
)

export interface TransactionRequestWire extends WireOf<typeof fields> {}

/** `input` is the standard's name for the calldata, `data` the older one; both may be given if they agree. */
export const transactionRequest: Codec<TransactionRequest, TransactionRequestWire> = converted(
  fields,
  ({ data: older, ...given }, path) => {
    const { gasPrice, maxFeePerGas, input } = given
    const field = maxFeePerGas === undefined ? 'maxPriorityFeePerGas' : 'maxFeePerGas'
    if (gasPrice !== undefined && given[field] !== undefined) throw failure('conflictingFees', { field })
    if (input !== undefined && older !== undefined && !equalBytes(input, older))
      refuse(path, 'both "data" and "input" are set and not equal, use "input" to pass transaction call data')
    const { to, type, authorizationList, blobVersionedHashes } = given
    if (to === undefined && (type === 4 || authorizationList !== undefined))
      refuse(`${path}.to`, 'a set code transaction needs a recipient (EIP-7702)')
    if (to === undefined && (type === 3 || blobVersionedHashes !== undefined))
      refuse(`${path}.to`, 'a blob transaction needs a recipient (EIP-4844)')
    return { ...given, input: input ?? older ?? EMPTY_BYTES }
  },
)
