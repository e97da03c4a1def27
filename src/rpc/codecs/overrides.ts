// What a call may have otherwise than the chain has it: accounts and the block, in the names of the execution-apis and
// of geth. A field that nobody knows is refused, for a misspelt one would be an override that does nothing.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import { type Address, type Hash, type Hex, hexToBytes, stripLeadingZeros } from '../../primitives/hex.ts'
import type { AccountOverride, StateOverrides, StorageOverride } from '../../state/overrides.ts'
import { address, asRecord, data, field, integer, quantity, slot, uint64 } from './basic.ts'
import { type Codec, describe, refuse } from './codec.ts'

/** Refuses an object that has fields of other names. */
export function refuseUnknown(record: Record<string, unknown>, names: readonly string[], path: string): void {
  const unknown = Object.keys(record).find((name) => !names.includes(name))
  if (unknown !== undefined) refuse(path, `unknown field ${describe(unknown)}, known are ${names.join(', ')}`)
}

/** 32 bytes of hex, with or without leading zeros. */
function word(what: string): Codec<Hash, string> {
  return {
    name: what,
    decode(value, path) {
      if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
        refuse(path, `expected ${what}, hex of up to 32 bytes, got ${describe(value)}`)
      }
      return `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
    },
  }
}

const storageValue = word('a storage value')

const storageOverride: Codec<StorageOverride, Readonly<Record<string, string>>> = {
  name: 'object from storage slot to value',
  decode(value, path) {
    const slots = new Map<Hash, Uint8Array>()
    for (const [key, given] of Object.entries(asRecord(value, path))) {
      const written = storageValue.decode(given, `${path}.${key.slice(0, 66)}`)
      slots.set(slot.decode(key, `${path} key`), stripLeadingZeros(hexToBytes(written)))
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

const ACCOUNT_FIELDS = ['balance', 'nonce', 'code', 'state', 'stateDiff', 'movePrecompileToAddress'] as const

const accountOverride: Codec<AccountOverride, AccountOverrideWire> = {
  name: 'account override',
  decode(value, path) {
    const record = asRecord(value, path)
    refuseUnknown(record, ACCOUNT_FIELDS, path)
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

/** The fields that a call sees of its block. */
export function decodeBlockOverrides(record: Record<string, unknown>, path: string): BlockOverrides {
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
    const record = asRecord(value, path)
    refuseUnknown(record, BLOCK_FIELDS, path)
    return decodeBlockOverrides(record, path)
  },
}
