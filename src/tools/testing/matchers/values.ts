// Comparison of decoded values with expected ones, in the forms that clients use.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import { bytesToHex, isHexBytes } from '../../../core/primitives/hex.ts'

/** Expected arguments: by name, those that matter; or by position, with `undefined` for any. */
export type ExpectedArgs = readonly unknown[] | { readonly [name: string]: unknown }

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
  toAsymmetricMatcher?(): string
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value
}

/** The address of an account, contract or signer; any other value unchanged. */
export function addressIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { address, target } = value as { address?: unknown; target?: unknown }
  return address ?? target ?? value
}

function isSameText(actual: string, expected: unknown): boolean {
  const plain = expected instanceof Uint8Array ? bytesToHex(expected) : addressIn(expected)
  // Either may have a checksum, as what a client has decoded, or be upper case.
  const areBytes = isHexBytes(actual) && isHexBytes(plain)
  return areBytes ? actual.toLowerCase() === plain.toLowerCase() : actual === plain
}

/** True if a decoded value matches: a number may stand for a bigint, and a tuple may be partial or an array. */
function matchesValue(actual: AbiValue, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  if (typeof actual === 'bigint')
    return Number.isSafeInteger(expected) ? BigInt(expected as number) === actual : expected === actual
  if (typeof actual === 'boolean') return expected === actual
  if (typeof actual === 'string') return isSameText(actual, expected)
  if (typeof expected !== 'object' || expected === null) return false
  if (Array.isArray(expected)) {
    const values: readonly AbiValue[] = Array.isArray(actual) ? actual : Object.values(actual)
    return (
      values.length === expected.length &&
      values.every((value, index) => matchesValue(value, expected[index]))
    )
  }
  return Object.entries(expected).every(([name, value]) => {
    const component = (actual as { readonly [name: string]: AbiValue })[name]
    return component !== undefined && matchesValue(component, value)
  })
}

export function showExpected(value: unknown): string {
  if (isAsymmetric(value)) return value.toAsymmetricMatcher?.() ?? String(value)
  if (value instanceof Uint8Array) return bytesToHex(value)
  const plain = addressIn(value)
  if (typeof plain === 'string') return isHexBytes(plain) ? plain.toLowerCase() : JSON.stringify(plain)
  if (Array.isArray(plain)) return `[${plain.map(showExpected).join(', ')}]`
  if (typeof plain !== 'object' || plain === null) return String(plain)
  return `{ ${showNamed(Object.entries(plain))} }`
}

function showNamed(entries: readonly (readonly [string, unknown])[]): string {
  return entries.map(([name, value]) => `${name}: ${showExpected(value)}`).join(', ')
}

/** Expected arguments as an argument list; empty if there are none. */
export function showExpectedArgs(args: ExpectedArgs | undefined): string {
  if (args === undefined) return ''
  if (!Array.isArray(args)) return `(${showNamed(Object.entries(args))})`
  return `(${args.map((value) => (value === undefined ? 'any' : showExpected(value))).join(', ')})`
}

/** The names or positions of arguments that differ from the expected ones, or are missing. */
export function differingArgs(
  names: readonly string[],
  actual: readonly AbiValue[],
  expected: ExpectedArgs,
): string[] {
  const nameAt = (index: number): string => names[index] || `argument ${index}`
  const checks: (readonly [string, number, unknown])[] = Array.isArray(expected)
    ? expected.map((value, index) => [nameAt(index), index, value] as const)
    : Object.entries(expected).map(([name, value]) => [name, names.indexOf(name), value] as const)
  return checks
    .filter(([, index, value]) => {
      const there = actual[index]
      return value !== undefined && (there === undefined || !matchesValue(there, value))
    })
    .map(([name]) => name)
}
