// Arguments that people or files give, checked against the types of a function.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiType } from '../../../core/primitives/abi-type.ts'
import { isHexBytes } from '../../../core/primitives/hex.ts'
import { describe } from '../../../core/primitives/text-of.ts'

type Refuse = (reason: string) => never

function integerOf(
  type: AbiType & { readonly kind: 'uint' | 'int' },
  value: unknown,
  refuse: Refuse,
): bigint {
  // A file has integers as digits.
  const isDigits = typeof value === 'string' && /^-?[0-9]{1,78}$/.test(value)
  const isWhole = isDigits || typeof value === 'bigint' || Number.isSafeInteger(value)
  const whole = isWhole ? BigInt(value as bigint | number | string) : undefined
  const cut = type.kind === 'uint' ? BigInt.asUintN : BigInt.asIntN
  if (whole === undefined || cut(type.bits, whole) !== whole) return wrong(type, value, refuse)
  return whole
}

function wrong(type: AbiType, value: unknown, refuse: Refuse): never {
  return refuse(`expected ${type.canonical}, got ${describe(value)}`)
}

function hexOf(type: AbiType, value: unknown, length: number | undefined, refuse: Refuse): AbiValue {
  return isHexBytes(value, length) ? value.toLowerCase() : wrong(type, value, refuse)
}

/** A value of a type, with tuples as arrays. */
function argumentOf(type: AbiType, value: unknown, refuse: Refuse): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return integerOf(type, value, refuse)
    case 'bool':
      return typeof value === 'boolean' ? value : wrong(type, value, refuse)
    case 'string':
      return typeof value === 'string' ? value : wrong(type, value, refuse)
    case 'address':
      return hexOf(type, value, 20, refuse)
    case 'fixedBytes':
      return hexOf(type, value, type.length, refuse)
    case 'bytes':
      return hexOf(type, value, undefined, refuse)
    case 'array':
      if (!Array.isArray(value) || (type.length ?? value.length) !== value.length)
        return wrong(type, value, refuse)
      return value.map((item) => argumentOf(type.element, item, refuse))
    default: {
      if (typeof value !== 'object' || value === null) return wrong(type, value, refuse)
      const named = value as { readonly [name: string]: unknown }
      return type.components.map((component, index) =>
        argumentOf(component.type, Array.isArray(value) ? value[index] : named[component.name], refuse),
      )
    }
  }
}

/** The arguments of a function; `refuse` throws. */
export function argumentsOf(
  types: readonly AbiType[],
  values: readonly unknown[],
  refuse: Refuse,
): readonly AbiValue[] {
  if (values.length !== types.length)
    return refuse(`expected ${types.length} arguments, got ${values.length}`)
  return types.map((type, index) => argumentOf(type, values[index], refuse))
}
