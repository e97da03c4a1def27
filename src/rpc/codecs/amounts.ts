// The parameters of methods that edit accounts. They take what the emulators take that had them first: hex, JSON
// numbers and decimal digits.

import { type Hash, hexToBytes, stripLeadingZeros } from '../../primitives/hex.ts'
import { data, quantity, slot, uint64 } from './basic.ts'
import { type Codec, describe, refuse } from './codec.ts'

const DECIMAL = /^[0-9]{1,80}$/
const WORD = /^0x[0-9a-fA-F]{1,64}$/

/** Decimal digits as the hex that a codec of quantities takes. */
function toHexDigits(value: unknown): unknown {
  return typeof value === 'string' && DECIMAL.test(value) ? `0x${BigInt(value).toString(16)}` : value
}

/** An amount of wei or tokens. */
export const amount: Codec<bigint, string | number> = {
  name: 'amount',
  decode: (value, path) => quantity.decode(toHexDigits(value), path),
}

export const nonce: Codec<bigint, string | number> = {
  name: 'nonce',
  decode: (value, path) => uint64.decode(toHexDigits(value), path),
}

/** A storage slot, also as a number. */
export const slotNumber: Codec<Hash, string | number> = {
  name: 'storage slot or number',
  decode(value, path) {
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    return slot.decode(isNumber ? `0x${value.toString(16)}` : toHexDigits(value), path)
  },
}

export interface StorageValue {
  /** Without leading zeros; empty for zero. */
  readonly bytes: Uint8Array
  /** Whether all 32 bytes were given. */
  readonly isWord: boolean
}

export const storageValue: Codec<StorageValue, string> = {
  name: 'storage value',
  decode(value, path) {
    if (typeof value !== 'string' || !WORD.test(value)) {
      refuse(path, `expected a storage value, hex of up to 32 bytes, got ${describe(value)}`)
    }
    const bytes = stripLeadingZeros(hexToBytes(`0x${value.slice(2).padStart(64, '0')}`))
    return { bytes, isWord: value.length === 66 }
  },
}

const MOST_CHARACTERS = 4096

export const passphrase: Codec<string, string> = {
  name: 'passphrase',
  decode(value, path) {
    if (typeof value !== 'string' || value.length > MOST_CHARACTERS) {
      refuse(path, `expected a passphrase of up to ${MOST_CHARACTERS} characters, got a ${typeof value}`)
    }
    return value
  },
}

export const signature: Codec<Uint8Array, string> = {
  name: 'signature',
  decode(value, path) {
    const bytes = data.decode(value, path)
    if (bytes.length !== 65) refuse(path, `expected a signature of 65 bytes (r, s, v), got ${bytes.length}`)
    return bytes
  },
}
