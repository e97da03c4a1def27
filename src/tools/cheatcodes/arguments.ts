// Values as forge decodes and shows them: the bits of a word beside its value count for nothing.

import { type AbiType, type AbiValue, decodeAbi } from '../../core/primitives/abi.ts'
import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import type { Address } from '../../core/primitives/hex.ts'

/** The values in data; `undefined` if they are too short for the types. */
export function decodeLoosely(types: readonly AbiType[], data: Uint8Array): AbiValue[] | undefined {
  return decodeAbi(types, data, { isLoose: true })
}

/** A value as a text. */
export function shownValue(type: string, value: AbiValue): string {
  if (Array.isArray(value)) {
    const element = type.replace(/\[\]$/, '')
    return `[${value.map((each) => shownValue(element, each)).join(', ')}]`
  }
  return type === 'address' ? toChecksumAddress(value as Address) : String(value)
}

/** Those of the largest number. */
const MOST_DECIMALS = 77

/** A number as one of so many decimals; with more than there can be, as it is. */
export function withPoint(number: bigint, decimals: AbiValue | undefined): string {
  const places = Number(decimals)
  if (places > MOST_DECIMALS) return `${number}`
  const digits = `${number < 0n ? -number : number}`.padStart(places + 1, '0')
  const at = digits.length - places
  return `${number < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at) || '0'}`
}
