// Decoded traces of executions: types, and their JSON.

import type { FrameKind } from '../execution/trace/observer.ts'
import type { AbiValue } from '../primitives/abi.ts'
import type { Address, Hash, Hex } from '../primitives/hex.ts'

/** Integers are in decimal, to distinguish them from bytes; what is absent is null. */
export function formatDecoded(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map(formatDecoded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, formatDecoded(member)]))
}

/** A decoded argument or result. */
export interface TracedValue {
  /** Empty where the source has none. */
  readonly name: string
  /** As in a signature, such as `uint256`. */
  readonly type: string
  readonly value: AbiValue
  /** The value as text, addresses with their names. */
  readonly text: string
}

/** A variable, or a slot without a known layout, that a call changed. */
export interface StorageChange {
  readonly address: Address
  readonly slot: Hash
  /** Such as `balances[Alice: [0x7099…79C8]]`; `undefined` if the layout does not have it. */
  readonly name: string | undefined
  /** The value as text, in the type of the variable. */
  readonly before: string
  readonly after: string
}

/** An event. */
export interface TracedEvent {
  readonly type: 'event'
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** `undefined` if no known ABI has it. */
  readonly name: string | undefined
  readonly args: readonly TracedValue[]
}

/** A call of console.log. */
export interface TracedConsoleLog {
  readonly type: 'console'
  readonly message: string
}

/** Why a call failed. */
export interface TracedError {
  /** In geth's words, such as `out of gas`; the reason of a revert. */
  readonly message: string
  /** `Error`, `Panic`, or a custom error of a known ABI; `undefined` for any other. */
  readonly name: string | undefined
  readonly args: readonly AbiValue[]
  /** The message, with the names of arguments, such as `Insufficient(have: 2, need: 3)`. */
  readonly text: string
}

/** A place in the sources on the way to a failure. */
export interface TracedPlace {
  /** As in a stack trace, such as `Vault.take (contracts/Vault.sol:21)`. */
  readonly text: string
  /** The lines around it; `undefined` if the text of the source is not known. */
  readonly excerpt:
    | {
        readonly file: string
        /** The number of the line, from 1 on. */
        readonly line: number
        /** The number of the first of `lines`. */
        readonly from: number
        readonly lines: readonly string[]
      }
    | undefined
}

/** A call, a creation or a self-destruction. */
export interface TracedCall {
  readonly type: 'call'
  readonly kind: FrameKind
  readonly from: Address
  /** The name of `from`: its label, or that of its contract. */
  readonly fromName: string | undefined
  /** The account whose code ran, or the created contract. */
  readonly to: Address
  /** The name of `to`: its label, or that of its contract. */
  readonly name: string | undefined
  /** Wei. */
  readonly value: bigint
  /** Gas at the start. */
  readonly gas: number
  readonly gasUsed: number
  readonly input: Hex
  readonly output: Hex
  /** `constructor`, `receive`, `fallback` or a function; `undefined` if no known ABI has the selector. */
  readonly functionName: string | undefined
  readonly args: readonly TracedValue[]
  /** `undefined` if they cannot be decoded. */
  readonly results: readonly TracedValue[] | undefined
  readonly error: TracedError | undefined
  /** Calls, events and console.log calls in order. */
  readonly entries: readonly (TracedCall | TracedEvent | TracedConsoleLog)[]
  /** Changes by the call itself, in the order of the first writes; empty if it failed. */
  readonly storage: readonly StorageChange[]
  /**
   * Where it failed in the sources, innermost function first; empty if it did not fail, for calls whose failure the
   * caller handled, and without sources.
   */
  readonly stack: readonly TracedPlace[]
}

/** The decoded trace of a transaction or a call. */
export interface CallTrace {
  /** `undefined` for a call. */
  readonly transactionHash: Hash | undefined
  readonly status: 'success' | 'failed'
  /** As in a receipt: with the intrinsic gas, less the refund. */
  readonly gasUsed: bigint
  /** Gas paid before the outermost call began: for the transaction itself, its data and its access list. */
  readonly intrinsicGas: bigint
  readonly call: TracedCall
  /** Changes by the whole execution, in the order of the first writes. */
  readonly storage: readonly StorageChange[]
  /** True if entries are missing, because there were more than `limits.traceEntries`. */
  readonly isCut: boolean
  /** The steps, packed for `traceToHTML`; absent unless they were asked for. */
  readonly steps?: object
}

type Json<T> = T extends bigint
  ? string
  : T extends undefined
    ? null
    : T extends readonly (infer Item)[]
      ? readonly Json<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]: Json<T[Key]> }
        : T

export interface RpcCallTrace extends Json<CallTrace> {}
