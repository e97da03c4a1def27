// Arguments as forge decodes them: the bits of a word beside its value count for nothing.

import { type AbiType, type AbiValue, decodeAbi, elementaryType } from '../../core/primitives/abi.ts'
import { addressOfWord } from '../../core/primitives/crypto.ts'
import { toWord } from '../../core/primitives/hex.ts'

const WORD = elementaryType('uint256')

/** A type with words in place of values that take one. */
function loose(type: AbiType): AbiType {
  if (type.kind === 'array') return { ...type, element: loose(type.element) }
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
export function decodeArguments(types: readonly AbiType[], data: Uint8Array): AbiValue[] | undefined {
  return decodeAbi(types.map(loose), data)?.map((value, at) => narrow(types[at] as AbiType, value))
}
