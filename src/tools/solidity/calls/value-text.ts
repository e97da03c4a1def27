// Values as text, as forge prints them: addresses with names, large numbers with their magnitude.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiType } from '../../../core/primitives/abi-type.ts'
import { toChecksumAddress } from '../../../core/primitives/address.ts'
import type { Address } from '../../../core/primitives/hex.ts'

/** The name of an account; `undefined` if it has none. */
export type NameOf = (address: Address) => string | undefined

/** Numbers from here on are also shown with an exponent. */
const LEAST_SCIENTIFIC = 10_000n
const SIGNIFICANT_DIGITS = 4

/** Such as `1.234e18`, rounded half up to four digits. */
function scientific(magnitude: bigint): string {
  const digits = `${magnitude}`
  const exponent = digits.length - 1
  const dropped = digits.length - SIGNIFICANT_DIGITS
  let rounded = magnitude
  if (dropped > 0) rounded = (magnitude + 5n * 10n ** BigInt(dropped - 1)) / 10n ** BigInt(dropped)
  const text = `${rounded}`
  // Rounding up may have added a digit.
  const carried = dropped > 0 ? text.length - SIGNIFICANT_DIGITS : 0
  const fraction = text.slice(1).replace(/0+$/, '')
  return `${text[0]}${fraction === '' ? '' : `.${fraction}`}e${exponent + carried}`
}

export function numberText(value: bigint): string {
  const magnitude = value < 0n ? -value : value
  if (magnitude < LEAST_SCIENTIFIC) return `${value}`
  return `${value} [${value < 0n ? '-' : ''}${scientific(magnitude)}]`
}

export function addressText(address: Address, nameOf: NameOf): string {
  const name = nameOf(address)
  return name === undefined ? toChecksumAddress(address) : `${name}: [${toChecksumAddress(address)}]`
}

/** A value in the syntax of Solidity. */
export function valueText(type: AbiType, value: AbiValue, nameOf: NameOf): string {
  if (type.kind === 'string') return JSON.stringify(value)
  if (type.kind === 'address') return addressText(value as Address, nameOf)
  if (typeof value === 'bigint') return numberText(value)
  if (typeof value !== 'object') return `${value}`
  if (type.kind === 'array') {
    const values = (value as readonly AbiValue[]).map((each) => valueText(type.element, each, nameOf))
    return `[${values.join(', ')}]`
  }
  if (type.kind !== 'tuple') return ''
  const named = value as { readonly [component: string]: AbiValue }
  const fields = type.components.map((component, index) => {
    const field = (Array.isArray(value) ? value[index] : named[component.name]) as AbiValue
    const text = valueText(component.type, field, nameOf)
    return component.name === '' ? text : `${component.name}: ${text}`
  })
  return `(${fields.join(', ')})`
}
