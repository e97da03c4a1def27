// Codecs of state overrides and block overrides, with the field names of the execution-apis and of geth.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { shorten } from '../../primitives/text-of.ts'
import type { AccountOverride, StateOverrides, StorageOverride } from '../../state/overrides.ts'
import { storageBytes } from './accounts.ts'
import { address, arrayOf, asRecord, data, slot, word } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { integer, quantity, uint64 } from './numbers.ts'
import { converted, need, recordCodec, type ValueOf, type WireOf } from './object.ts'

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

const accountOverride: Codec<AccountOverride, AccountOverrideWire> = converted(
  accountFields,
  ({ movePrecompileToAddress: movePrecompileTo, ...override }, path) => {
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

export const blockOverrides: Codec<BlockOverrides, BlockOverridesWire> = converted(
  blockFields,
  toBlockOverrides,
)

const withdrawal = recordCodec(
  { index: need(uint64), validatorIndex: need(uint64), address: need(address), amount: need(uint64) },
  'withdrawal',
  'ignored',
)

/** EIP-4895 lets a block have 16. */
export const withdrawals = arrayOf(withdrawal, 16)
