// How a chain of the flavor hardhat reads requests; it loads with the first such chain. A reader gets the value as it was
// given, and hands on what the codec of the parameter takes.

import { failure, reworded, type TickchainError } from '../../primitives/errors.ts'
import { isHexBytes } from '../../primitives/hex.ts'
import { SUBSCRIPTION_FIELDS } from '../codecs/filter.ts'
import { ACCOUNT_FIELDS } from '../codecs/overrides.ts'
import { isMap } from './hardhat-arguments.ts'
import { INVALID_INPUT } from './hardhat-messages.ts'
import { type HardhatArgument, type HardhatSignature, hardhatArguments } from './hardhat-methods.ts'

export { hardhatRefusal } from './hardhat-requests.ts'

type Reader = (value: unknown, path: string) => unknown

/** The known fields of an object; Hardhat ignores others. */
function pick(names: readonly string[], value: unknown): unknown {
  if (!isMap(value)) return value
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]))
}

/** Hex of a length with the prefix that Hardhat does not ask for. */
function prefixed(text: string, bytes: number): string {
  return isHexBytes(`0x${text}`, bytes) ? `0x${text}` : text
}

function mapEntries(value: unknown, bytes: number, read = (each: unknown) => each): unknown {
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [prefixed(key, bytes), read(each)]))
}

/** Slots of an override; which keys Hardhat refuses is in hardhat-methods.ts. */
function storage(value: unknown): unknown {
  return mapEntries(value, 32)
}

function accountOverride(given: unknown): unknown {
  const known = pick(ACCOUNT_FIELDS, given)
  if (!isMap(known)) return known
  return { ...known, state: storage(known['state']), stateDiff: storage(known['stateDiff']) }
}

const overrides: Reader = (value) => mapEntries(value, 20, accountOverride)

function invalidInput(path: string, words: string): TickchainError {
  return reworded(failure('invalidParameter', { path, reason: words }), INVALID_INPUT, words)
}

/** More are refused anyway. */
const MAX_PERCENTILES = 100

const percentiles: Reader = (value, path) => {
  if (!Array.isArray(value) || value.length > MAX_PERCENTILES) return value
  for (const [index, percentile] of value.entries()) {
    if (typeof percentile !== 'number' || (percentile >= 0 && percentile <= 100)) continue
    const rule = 'is invalid. It must be a float between 0 and 100, but is'
    throw invalidInput(path, `The reward percentile number ${index + 1} ${rule} ${percentile} instead.`)
  }
  const unordered = value.findIndex((percentile, index) => percentile > value[index + 1])
  if (unordered === -1) return value
  const rule = 'The reward percentiles should be in non-decreasing order, but the percentile number'
  throw invalidInput(path, `${rule} ${unordered + 1} is greater than the next one`)
}

export type Readers = readonly (Reader | undefined)[]

const READERS: { readonly [Kind in HardhatArgument['kind']]?: Reader } = {
  logFilter: (value) => pick(SUBSCRIPTION_FIELDS, value),
  percentiles,
  overrides,
}

/** The readers of a method; `undefined` where the codecs read the values as they are. */
export function readersOf(signature: HardhatSignature | undefined): Readers | undefined {
  if (signature === undefined || signature === 'absent') return undefined
  return hardhatArguments(signature).map(({ kind }) => READERS[kind])
}

/** Names that other emulators gave to methods, and Hardhat does not have. */
const NAMES_OF_OTHERS = /^(anvil|ganache|miner|tenderly)_|^evm_setAccount/

/** The signature of a method under a name; `undefined` if Hardhat has no such method and takes no notice of it. */
export function signatureUnder(
  name: string,
  { hardhat }: { readonly hardhat?: HardhatSignature | undefined },
): HardhatSignature | undefined {
  return NAMES_OF_OTHERS.test(name) ? undefined : hardhat
}
