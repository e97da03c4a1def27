// Values as forge decodes and shows them: the bits of a word beside its value count for nothing.

import { type AbiType, type AbiValue, decodeAbi, elementaryType } from '../../core/primitives/abi.ts'
import { addressOfWord, toChecksumAddress } from '../../core/primitives/crypto.ts'
import { type Address, type Hex, hexToBytes, toWord } from '../../core/primitives/hex.ts'

const [WORD, BYTES] = [elementaryType('uint256'), elementaryType('bytes')]
/** Bytes that are not UTF-8 become marks, as in forge. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A type with words in place of values that take one. */
function loose(type: AbiType): AbiType {
  if (type.kind === 'array') return { ...type, element: loose(type.element) }
  if (type.kind === 'string') return BYTES
  if (type.kind !== 'tuple') return type.isDynamic ? type : WORD
  return { ...type, components: type.components.map((each) => ({ ...each, type: loose(each.type) })) }
}

function narrow(type: AbiType, value: AbiValue): AbiValue {
  switch (type.kind) {
    case 'uint':
      return BigInt.asUintN(type.bits, value as bigint)
    case 'int':
      return BigInt.asIntN(type.bits, value as bigint)
    case 'bool':
      return value !== 0n
    case 'address':
      return addressOfWord(value as bigint)
    case 'fixedBytes':
      return toWord(value as bigint).slice(0, 2 + 2 * type.length)
    case 'string':
      return utf8.decode(hexToBytes(value as Hex))
    case 'array':
      return (value as readonly AbiValue[]).map((each) => narrow(type.element, each))
    case 'tuple':
      return type.components.map((each, at) =>
        narrow(each.type, (value as readonly AbiValue[])[at] as AbiValue),
      )
    default:
      return value
  }
}

/** The values in data; `undefined` if they are too short for the types. */
export function decodeLoosely(types: readonly AbiType[], data: Uint8Array): AbiValue[] | undefined {
  return decodeAbi(types.map(loose), data)?.map((value, at) => narrow(types[at] as AbiType, value))
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
