// Decoding of console.log calls: all overloads of Hardhat's console.sol, formatted as Hardhat does.

import { decodeAbi } from '../../primitives/abi.ts'
import { type AbiType, elementaryType } from '../../primitives/abi-type.ts'
import { formatText } from '../../primitives/format-text.ts'
import { type Address, bytesToHex, type Hex } from '../../primitives/hex.ts'
import type { ConsoleCall } from '../evm/console-calls.ts'
import { selectorOf } from './custom-errors.ts'

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
function selectorTable(): ReadonlyMap<Hex, readonly AbiType[]> {
  const entries = overloads().flatMap((names) => {
    const types = names.map(elementaryType)
    const list = names.join(',')
    return [list, list.replaceAll('int256', 'int')].map(
      (parameters) => [selectorOf(`log(${parameters})`), types] as const,
    )
  })
  return new Map(entries)
}

let table: ReadonlyMap<Hex, readonly AbiType[]> | undefined

function decodeArguments(input: Uint8Array): ConsoleLog['args'] | undefined {
  table ??= selectorTable()
  const types = table.get(bytesToHex(input.subarray(0, 4)))
  // All overloads have elementary parameters only, so their values are no arrays or tuples.
  return types && (decodeAbi(types, input.subarray(4)) as ConsoleLog['args'] | undefined)
}

/** Hardhat treats %d and %i as %s, because integers may exceed a JavaScript number. `%%` escapes. */
const INTEGER_SPECIFIER = /((?<!%)(?:%%)*)%[di]/g

/** Decodes a call; the input of an unknown or malformed one becomes hex. */
export function readConsoleCall({ from, input }: ConsoleCall): ConsoleLog {
  const args = decodeArguments(input) ?? [bytesToHex(input)]
  const [pattern = '', ...rest] = args.map(String)
  return { message: formatText([pattern.replace(INTEGER_SPECIFIER, '$1%s'), ...rest]), args, from }
}
