// Arguments of custom errors as Hardhat writes them: texts, addresses and bytes in quotes, tuples in brackets.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiParameter, AbiType } from '../../../core/primitives/abi-type.ts'
import { toChecksumAddress } from '../../../core/primitives/address.ts'
import type { Address } from '../../../core/primitives/hex.ts'

function showValue(type: AbiType, value: AbiValue): string {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return `"${value}"`
    case 'fixedBytes':
      return type.canonical === 'function' ? '<function>' : `"${value}"`
    case 'address':
      return `"${toChecksumAddress(value as Address)}"`
    case 'array':
      return `[${(value as readonly AbiValue[]).map((each) => showValue(type.element, each)).join(', ')}]`
    case 'tuple': {
      const { components } = type
      const named = value as { readonly [component: string]: AbiValue }
      const values = Array.isArray(value) ? value : components.map(({ name }) => named[name] as AbiValue)
      return `[${showHardhatValues(components, values)}]`
    }
    default:
      return `${value}`
  }
}

export function showHardhatValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return parameters.map(({ type }, index) => showValue(type, values[index] as AbiValue)).join(', ')
}
