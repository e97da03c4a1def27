// Custom errors of registered ABIs, by selector, and decoding of console.log calls: all overloads of Hardhat's console.sol,
// formatted as Hardhat does.

import * as abi from '../../primitives/abi.ts'
import { keccakOfText } from '../../primitives/crypto.ts'
import { type Address, bytesToHex, type Hex } from '../../primitives/hex.ts'
import type { ConsoleCall } from '../evm/pooled-evm.ts'

/** An error that a contract may revert with, as its ABI declares it. */
export interface CustomError {
  readonly name: string
  readonly inputs: readonly abi.AbiParameter[]
}

/** Selector → error. */
export type CustomErrors = ReadonlyMap<Hex, CustomError>

export const NO_CUSTOM_ERRORS: CustomErrors = new Map()

/** The first four bytes of the hash of a signature. */
export function selectorOf(signature: string): Hex {
  return keccakOfText(signature).slice(0, 10) as Hex
}

/** Adds errors; a later one replaces an earlier one with the same selector. */
export function withErrors(known: CustomErrors, errors: readonly CustomError[]): CustomErrors {
  const bySelector = errors.map((error): [Hex, CustomError] => {
    const types = error.inputs.map(({ type }) => type)
    return [selectorOf(abi.signatureOf(error.name, types)), error]
  })
  return new Map([...known, ...bySelector])
}

// node's util.format for strings: %s, %c, %d, %i, %f, %j, %o, %O and %%. Arguments without a specifier are appended
// with spaces.

/** Quotes a string as util.inspect does, with the first kind of quotes that it does not contain. */
function inspectText(text: string): string {
  const others = text.includes('${') ? ['"'] : ['"', '`']
  const quote = ["'", ...others].find((each) => !text.includes(each)) ?? "'"
  const escapes: Record<string, string> = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' }
  const escaped = text.replace(/[\p{Cc}\\']/gu, (character) => {
    if (character === '\\') return '\\\\'
    if (character === "'") return quote === "'" ? "\\'" : "'"
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
    return escapes[character] ?? `\\x${code}`
  })
  return `${quote}${escaped}${quote}`
}

function showNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : `${value}`
}

const SPECIFIERS: Record<string, (text: string) => string> = {
  s: (text) => text,
  c: () => '',
  d: (text) => showNumber(Number(text)),
  i: (text) => showNumber(Number.parseInt(text, 10)),
  f: (text) => showNumber(Number.parseFloat(text)),
  j: (text) => JSON.stringify(text),
  o: inspectText,
  O: inspectText,
}

/** Formats strings; the first may have specifiers for the others. */
export function formatText(texts: readonly string[]): string {
  const [pattern = '', ...rest] = texts
  // A single argument is not a pattern, so its %% stays.
  if (rest.length === 0) return pattern
  let used = 0
  const filled = pattern.replace(/%([%sdifjoOc])/g, (specifier, letter: string) => {
    if (letter === '%') return '%'
    const text = rest[used]
    if (text === undefined) return specifier
    used++
    return SPECIFIERS[letter]?.(text) ?? specifier
  })
  return [filled, ...rest.slice(used)].join(' ')
}

/** A decoded console.log call. */
export interface ConsoleLog {
  /** The text, with specifiers such as %s and %d replaced; the input as hex if it cannot be decoded. */
  readonly message: string
  /** The arguments: integers as bigint, addresses and bytes as lower-case hex. */
  readonly args: readonly (bigint | boolean | string)[]
  /** The calling contract; in a delegated call, the account whose storage the code uses. */
  readonly from: Address
}

const MAX_PARAMETERS = 4
/** Parameter types of `log` in any combination. */
const COMBINABLE_TYPES = ['uint256', 'string', 'bool', 'address']

function combinations(length: number): string[][] {
  if (length === 0) return [[]]
  return combinations(length - 1).flatMap((types) => COMBINABLE_TYPES.map((type) => [...types, type]))
}

/** The parameters of every overload. */
function overloads(): string[][] {
  const counts = Array.from({ length: MAX_PARAMETERS + 1 }, (_, count) => count)
  const fixedBytes = Array.from({ length: 32 }, (_, index) => [`bytes${index + 1}`])
  // The last one is from Foundry's console.sol.
  return [...counts.flatMap(combinations), ['int256'], ['bytes'], ...fixedBytes, ['string', 'int256']]
}

/** Selector → parameters. Old versions of console.sol hashed `uint` instead of `uint256`. */
function selectorTable(): ReadonlyMap<Hex, readonly abi.AbiType[]> {
  const entries = overloads().flatMap((names) => {
    const types = names.map(abi.elementaryType)
    const list = names.join(',')
    return [list, list.replaceAll('int256', 'int')].map(
      (parameters) => [selectorOf(`log(${parameters})`), types] as const,
    )
  })
  return new Map(entries)
}

let table: ReadonlyMap<Hex, readonly abi.AbiType[]> | undefined

/** The types of the arguments of a call; `undefined` for a selector that is none of console.sol. */
export function consoleParameters(input: Uint8Array): readonly abi.AbiType[] | undefined {
  table ??= selectorTable()
  return table.get(bytesToHex(input.subarray(0, 4)))
}

function decodeArguments(input: Uint8Array): ConsoleLog['args'] | undefined {
  const types = consoleParameters(input)
  // All overloads have elementary parameters only, so their values are no arrays or tuples.
  return types && (abi.decodeAbi(types, input.subarray(4)) as ConsoleLog['args'] | undefined)
}

/** Hardhat treats %d and %i as %s, because integers may exceed a JavaScript number. `%%` escapes. */
const INTEGER_SPECIFIER = /((?<!%)(?:%%)*)%[di]/g

/** Decodes a call; the input of an unknown or malformed one becomes hex. */
export function readConsoleCall({ from, input }: ConsoleCall): ConsoleLog {
  const args = decodeArguments(input) ?? [bytesToHex(input)]
  const [pattern = '', ...rest] = args.map(String)
  return { message: formatText([pattern.replace(INTEGER_SPECIFIER, '$1%s'), ...rest]), args, from }
}
