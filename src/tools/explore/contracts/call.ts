// A call that exploring makes: its function, sender, arguments, value and time.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiType } from '../../../core/primitives/abi-type.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'

/** A function that is called in sequences. */
export interface Action {
  /** Its position among the actions. */
  readonly index: number
  /** The name of the contract. */
  readonly contract: string
  readonly address: Address
  readonly fn: AbiFunction
  readonly selector: Uint8Array
  readonly types: readonly AbiType[]
  /** For each parameter, values that a test gives for it. */
  readonly fixtures?: readonly (readonly AbiValue[] | undefined)[]
  /** For tests: so many of a hundred values come from what is known, and the others are any. */
  readonly knownPercent?: number
}

export interface Call {
  readonly action: Action
  readonly sender: Address
  /** Tuples are arrays. */
  readonly args: readonly AbiValue[]
  /** Wei. */
  readonly value: bigint
  /** Seconds that pass before it. */
  readonly wait: number
}

/**
 * Calls are made here only: an engine gives copies by spreading another shape at each place, and is slow with objects of
 * many shapes.
 */
export function makeCall(
  action: Action,
  sender: Address,
  args: readonly AbiValue[],
  value: bigint,
  wait: number,
): Call {
  return { action, sender, args, value, wait }
}

export function changeFields(
  { action, sender, args, value, wait }: Call,
  changes: Partial<Omit<Call, 'action'>>,
): Call {
  const { sender: from = sender, args: others = args, value: wei = value, wait: seconds = wait } = changes
  return makeCall(action, from, others, wei, seconds)
}

/** A sequence of calls, as the last of them and what is before it. */
export interface Path {
  readonly length: number
  readonly before: Path | undefined
  readonly call: Call | undefined
}

export const NO_CALLS: Path = { length: 0, before: undefined, call: undefined }

export function withCall(before: Path, call: Call): Path {
  return { length: before.length + 1, before, call }
}

/** The calls in order. */
export function callsOf(path: Path): Call[] {
  const calls: Call[] = []
  for (let at: Path | undefined = path; at?.call !== undefined; at = at.before) calls.push(at.call)
  return calls.reverse()
}
