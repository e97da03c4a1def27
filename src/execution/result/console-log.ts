// What a call of console.log says: hardhat's console.sol in all its overloads, and formatted as Hardhat formats it.

import { decodeAbi } from '../../primitives/abi.ts'
import { type AbiType, elementaryType } from '../../primitives/abi-type.ts'
import { formatText } from '../../primitives/format-text.ts'
import { type Address, bytesToHex, type Hex } from '../../primitives/hex.ts'
import type { ConsoleCall } from '../evm/console-calls.ts'
import { selectorOf } from './custom-errors.ts'

/** What a contract has said with console.log. */
export interface ConsoleLog {
  /** The text, with specifiers such as %s and %d replaced; a call that cannot be read as its bytes in hex. */
  readonly message: string
  /** What it was called with: integers as bigint, addresses and bytes as lower-case hex. */
  readonly args: readonly (bigint | boolean | string)[]
  /** The contract that called; in a delegated call, the one on whose behalf the code runs. */
  readonly from: Address
}

const MOST_PARAMETERS = 4
/** What log takes in any combination. */
const ANYWHERE = ['uint256', 'string', 'bool', 'address']

function combinations(length: number): string[][] {
  if (length === 0) return [[]]
  return combinations(length - 1).flatMap((types) => ANYWHERE.map((type) => [...types, type]))
}

/** The parameters of every overload. */
function overloads(): string[][] {
  const counts = Array.from({ length: MOST_PARAMETERS + 1 }, (_, count) => count)
  const fixedBytes = Array.from({ length: 32 }, (_, index) => [`bytes${index + 1}`])
  // The last is of Foundry's console.sol.
  return [...counts.flatMap(combinations), ['int256'], ['bytes'], ...fixedBytes, ['string', 'int256']]
}

/** Selector → parameters. A contract may have been built with the console.sol that hashed `uint` instead of `uint256`. */
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
  // No overload has a parameter that is not elementary.
  return types && (decodeAbi(types, input.subarray(4)) as ConsoleLog['args'] | undefined)
}

/** Hardhat reads %d and %i as %s, unless their % is escaped itself: numbers may be too large for a number. */
const INTEGER_SPECIFIER = /((?<!%)(?:%%)*)%[di]/g

/** Reads a call; one that is of no overload, or malformed, is shown as it is. */
export function readConsoleCall({ from, input }: ConsoleCall): ConsoleLog {
  const args = decodeArguments(input) ?? [bytesToHex(input)]
  const [pattern = '', ...rest] = args.map(String)
  return { message: formatText([pattern.replace(INTEGER_SPECIFIER, '$1%s'), ...rest]), args, from }
}
