// Codecs of state overrides and block overrides, with the field names of the execution-apis and of geth. An unknown
// field is refused: a misspelt one would have no effect.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { Address, Hash, Hex } from '../../primitives/hex.ts'
import { shorten } from '../../primitives/text-of.ts'
import type { AccountOverride, StateOverrides, StorageOverride } from '../../state/overrides.ts'
import { storageBytes } from './accounts.ts'
import { address, asFields, asRecord, data, type Fields, field, slot, word } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { integer, quantity, uint64 } from './numbers.ts'

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

export interface AccountOverrideWire {
  readonly balance?: Hex | number | null
  readonly nonce?: Hex | number | null
  readonly code?: string | null
  readonly state?: Readonly<Record<string, string>> | null
  readonly stateDiff?: Readonly<Record<string, string>> | null
  readonly movePrecompileToAddress?: string | null
}

export const ACCOUNT_FIELDS = [
  'balance',
  'nonce',
  'code',
  'state',
  'stateDiff',
  'movePrecompileToAddress',
] as const

const accountOverride: Codec<AccountOverride, AccountOverrideWire> = {
  name: 'account override',
  decode(value, path) {
    const record = asFields(value, path, ACCOUNT_FIELDS)
    const state = field(record, 'state', storageOverride, path)
    const stateDiff = field(record, 'stateDiff', storageOverride, path)
    if (state !== undefined && stateDiff !== undefined) refuse(path, 'has both state and stateDiff')
    return {
      nonce: field(record, 'nonce', uint64, path),
      balance: field(record, 'balance', quantity, path),
      code: field(record, 'code', data, path),
      state,
      stateDiff,
      movePrecompileTo: field(record, 'movePrecompileToAddress', address, path),
    }
  },
}

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

export interface BlockOverridesWire {
  readonly number?: Hex | number | null
  readonly time?: Hex | number | null
  readonly gasLimit?: Hex | number | null
  readonly feeRecipient?: string | null
  readonly prevRandao?: string | null
  readonly baseFeePerGas?: Hex | number | null
  readonly blobBaseFee?: Hex | number | null
  readonly difficulty?: Hex | number | null
}

export const BLOCK_FIELDS = [
  'number',
  'time',
  'gasLimit',
  'feeRecipient',
  'prevRandao',
  'baseFeePerGas',
  'blobBaseFee',
  'difficulty',
] as const

/** The fields of a block that a call can read. */
export function decodeBlockOverrides(
  record: Fields<(typeof BLOCK_FIELDS)[number]>,
  path: string,
): BlockOverrides {
  return {
    number: field(record, 'number', integer, path),
    timestamp: field(record, 'time', integer, path),
    coinbase: field(record, 'feeRecipient', address, path),
    gasLimit: field(record, 'gasLimit', uint64, path),
    prevRandao: field(record, 'prevRandao', word('a random value'), path),
    baseFeePerGas: field(record, 'baseFeePerGas', quantity, path),
    blobBaseFee: field(record, 'blobBaseFee', quantity, path),
    difficulty: field(record, 'difficulty', quantity, path),
  }
}

export const blockOverrides: Codec<BlockOverrides, BlockOverridesWire> = {
  name: 'block overrides',
  decode(value, path) {
    return decodeBlockOverrides(asFields(value, path, BLOCK_FIELDS), path)
  },
}
