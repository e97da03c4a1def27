// Codecs of account data: storage, keys, passphrases and signatures.

import type { Hash } from '../../primitives/hex.ts'
import * as hexes from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { data, slot, word } from './basic.ts'
import { type Amount, amount, anyAmount, type Codec, refuse, refuseValue } from './codec.ts'
import { converted } from './object.ts'

function hexOrNumber<Value, Wire>(
  name: string,
  { decode }: Codec<Value, string>,
  numbers: Codec<bigint, Wire>,
  convert: (number: bigint) => Value,
): Codec<Value, Wire> {
  const isHex = (value: unknown): boolean => typeof value === 'string' && value.startsWith('0x')
  return {
    name,
    decode: (value, path) => (isHex(value) ? decode(value, path) : convert(numbers.decode(value, path))),
  }
}

export const slotNumber: Codec<Hash, string | number> = hexOrNumber(
  'storage slot or number',
  slot,
  amount,
  hexes.toWord,
)

/** A storage slot in a function, also as a number. */
export const anySlot: Codec<Hash, Amount> = hexOrNumber(slotNumber.name, slot, anyAmount, hexes.toWord)

/** A storage value as the state keeps it: without leading zeros. */
export const storageBytes: Codec<Uint8Array, string> = converted(word('a storage value'), (value) =>
  hexes.stripLeadingZeros(hexes.hexToBytes(value)),
)

/** A storage value, and whether all of its 32 bytes were given. */
export const storageValue: Codec<{ readonly bytes: Uint8Array; readonly isWord: boolean }, string> = {
  name: 'storage value',
  decode: (value, path) => ({
    bytes: storageBytes.decode(value, path),
    isWord: (value as string).length === 66,
  }),
}

/** A storage value in a function, also as a number. */
export const anyStorageBytes: Codec<Uint8Array, Amount> = hexOrNumber(
  'storage value or number',
  storageBytes,
  anyAmount,
  hexes.bigIntToBytes,
)

const MOST_CHARACTERS = 4096

/** A passphrase; error messages do not repeat it. */
export const passphrase: Codec<string, string> = {
  name: 'passphrase',
  decode(value, path) {
    if (typeof value !== 'string' || value.length > MOST_CHARACTERS) {
      const got = typeof value === 'string' ? `${value.length} characters` : describe(value)
      refuse(path, `expected a passphrase of up to ${MOST_CHARACTERS} characters, got ${got}`)
    }
    return value
  },
}

/** A private key; error messages do not repeat it. */
export const privateKey: Codec<Uint8Array, string> = {
  name: 'private key',
  decode(value, path) {
    return hexes.isHexBytes(value, 32)
      ? hexes.hexToBytes(value)
      : refuse(path, 'expected a private key, 32 bytes of hex, got something else')
  },
}

export const signature: Codec<Uint8Array, string> = {
  name: 'signature',
  decode(value, path) {
    const bytes = data.decode(value, path)
    return bytes.length === 65 ? bytes : refuseValue(path, 'a signature of 65 bytes (r, s, v)', bytes)
  },
}

/** Extends a hex codec to bytes, for functions: JSON has no bytes. */
export function orBytes<Value>({ name, decode }: Codec<Value, string>): Codec<Value, string | Uint8Array> {
  return {
    name,
    decode: (value, path) => decode(value instanceof Uint8Array ? hexes.bytesToHex(value) : value, path),
  }
}
