// Flavor of parameters: what Hardhat reads in another way than geth. A reader gets the value as it was given, and hands
// on what the codec of the parameter takes.

import type { NodeState } from '../../node/node-state.ts'
import { failure, reworded, type TickchainError } from '../../primitives/errors.ts'
import { isHexBytes } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { refuse } from '../codecs/codec.ts'
import { FILTER_FIELDS } from '../codecs/filter.ts'
import { ACCOUNT_FIELDS } from '../codecs/overrides.ts'
import type { Flavor } from './flavor.ts'

type Reader = (value: unknown, path: string) => unknown
type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The known fields of an object; Hardhat ignores others. */
function pick(names: readonly string[], value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]))
}

const filter: Reader = (value) => pick([...FILTER_FIELDS, 'transactionHashes'], value)

const blockSpec: Reader = (value, path) => {
  if (isObject(value) && value['blockNumber'] !== undefined && value['requireCanonical'] !== undefined)
    refuse(path, 'EIP-1898 block spec cannot have both `blockNumber` and `requireCanonical`')
  return value
}

/** Hex of a length with the prefix that Hardhat does not ask for. */
function prefixed(text: string, bytes: number): string {
  return isHexBytes(`0x${text}`, bytes) ? `0x${text}` : text
}

/** Slots and values of an override; Hardhat's keys are whole words. */
const storage: Reader = (value, path) => {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, word]) => {
      const slot = prefixed(key, 32)
      if (!isHexBytes(slot, 32)) refuse(`${path} key`, 'expected a storage slot of 32 bytes')
      return [slot, word]
    }),
  )
}

/** Hardhat's code for invalid input. */
const INVALID_INPUT = -32000
const BOTH_STORAGES =
  "The properties 'state' and 'stateDiff' cannot be used simultaneously when configuring the state override set passed to the eth_call method."

function invalidInput(path: string, words: string): TickchainError {
  return reworded(failure('invalidParameter', { path, reason: words }), INVALID_INPUT, words)
}

const accountOverride: Reader = (value, path) => {
  const known = pick(ACCOUNT_FIELDS, value)
  if (!isObject(known)) return known
  const { state, stateDiff, ...rest } = known
  if ((state ?? undefined) !== undefined && (stateDiff ?? undefined) !== undefined)
    throw invalidInput(path, BOTH_STORAGES)
  return {
    ...rest,
    state: storage(state, `${path}.state`),
    stateDiff: storage(stateDiff, `${path}.stateDiff`),
  }
}

const overrides: Reader = (value, path) => {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, account]) => {
      const address = prefixed(key, 20)
      return [address, accountOverride(account, `${path}.${address}`)]
    }),
  )
}

const percentiles: Reader = (value, path) => {
  if (!Array.isArray(value)) return value
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

/** The readers of a method's parameters, by position. */
export type Readers = readonly (Reader | undefined)[]

const HARDHAT: ReadonlyMap<string, Readers> = new Map<string, Readers>([
  ['eth_getLogs', [filter]],
  ['eth_newFilter', [filter]],
  ['eth_subscribe', [undefined, filter]],
  ['eth_feeHistory', [undefined, undefined, percentiles]],
  ['eth_call', [undefined, blockSpec, overrides]],
  ['eth_estimateGas', [undefined, blockSpec, overrides]],
  ['eth_getStorageAt', [undefined, undefined, blockSpec]],
  ...['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount'].map((name): [string, Readers] => [
    name,
    [undefined, blockSpec],
  ]),
])

/** The readers of a method; `undefined` where the codecs read the values as they are. */
export function readersOf(flavor: Flavor, method: string): Readers | undefined {
  return flavor === 'hardhat' ? HARDHAT.get(method) : undefined
}

/** The tag among decoded parameters, or in a filter, that Hardhat has since the merge only. */
function laterTag(values: readonly unknown[]): string | undefined {
  const named = values.flatMap((value) => (isObject(value) ? Object.values(value) : [value]))
  return named.find((value): value is string => value === 'safe' || value === 'finalized')
}

/** Refuses the tags `safe` and `finalized` before the merge, as Hardhat. */
export function checkTags(flavor: Flavor, { chain }: NodeState, values: readonly unknown[]): void {
  if (flavor !== 'hardhat') return
  const { rules } = chain.head
  if (isForkActive(rules, 'paris')) return
  const tag = laterTag(values)
  if (tag === undefined) return
  const fork = rules.hardfork.charAt(0).toUpperCase() + rules.hardfork.slice(1)
  const words = `The '${tag}' block tag is not allowed in pre-merge hardforks. You are using the '${fork}' hardfork.`
  const refusal = failure('invalidParameter', { path: 'block', reason: words })
  throw reworded(refusal, refusal.code, words)
}
