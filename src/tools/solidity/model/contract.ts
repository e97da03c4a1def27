// Compiled contracts: what artifacts say of them, in types.

import type { CustomErrors } from '../../../core/execution/result/console-log.ts'
import type { AbiParameter } from '../../../core/primitives/abi.ts'
import type { EventType } from '../../../core/primitives/abi-event.ts'
import type { Hash, Hex } from '../../../core/primitives/hex.ts'
import type { CodeMap } from './code-map.ts'
import type { SolidityFunction, SourceFile, SourceRange } from './source.ts'

export interface AbiFunction {
  readonly name: string
  readonly selector: Hex
  /** Such as `transfer(address,uint256)`. */
  readonly signature: string
  /** `undefined` for a library's types that are not in the ABI specification, such as storage pointers. */
  readonly inputs: readonly AbiParameter[] | undefined
  readonly outputs: readonly AbiParameter[] | undefined
  readonly isPayable: boolean
  /** True for `view` and `pure`. */
  readonly isReadOnly: boolean
}

/** A part of a code whose value is known only after deployment. */
export interface CodeHole {
  readonly start: number
  readonly length: number
}

/** Creation or deployed code, as the compiler wrote it. */
export interface CompiledCode {
  /** With zeros in the holes. */
  readonly bytes: Uint8Array
  /** Addresses of libraries, and immutables. */
  readonly holes: readonly CodeHole[]
  /** Instructions and where they come from, decoded when first asked for; `undefined` without a source map. */
  readonly map: () => CodeMap | undefined
}

/** A variable in storage (solc's `storageLayout`). */
export interface StorageVariable {
  readonly label: string
  readonly slot: bigint
  /** Bytes from the low end of the slot. */
  readonly offset: number
  /** A key of `types`. */
  readonly type: string
}

export interface StorageType {
  readonly label: string
  readonly encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes'
  readonly bytes: number
  readonly key: string | undefined
  readonly value: string | undefined
  /** The element type of an array. */
  readonly base: string | undefined
  readonly members: readonly StorageVariable[] | undefined
}

export interface StorageLayout {
  readonly variables: readonly StorageVariable[]
  readonly types: ReadonlyMap<string, StorageType>
}

/** Settings of the compilation; parts that the artifacts do not say are `undefined`. */
export interface Compiler {
  /** Such as `0.8.37`. */
  readonly version: string | undefined
  readonly isOptimized: boolean | undefined
  readonly isViaIr: boolean | undefined
}

export interface CompiledContract {
  /** Empty for a bare ABI. */
  readonly name: string
  /** The name of its source file; empty for a bare ABI. */
  readonly file: string
  readonly kind: 'contract' | 'library' | 'interface'
  readonly compiler: Compiler
  /** The JSON ABI as given. */
  readonly abi: readonly unknown[]
  readonly functions: ReadonlyMap<Hex, AbiFunction>
  /** `undefined` with a type that is unknown. */
  readonly constructorInputs: readonly AbiParameter[] | undefined
  readonly errors: CustomErrors
  /** By the first topic; anonymous events are not in it. */
  readonly events: ReadonlyMap<Hash, EventType>
  /** `undefined` without a syntax tree. */
  readonly location: SourceRange | undefined
  /** Functions and getters that can be called, by selector, inherited ones too. */
  readonly callable: ReadonlyMap<Hex, SolidityFunction>
  readonly constructorFunction: SolidityFunction | undefined
  readonly fallback: SolidityFunction | undefined
  readonly receive: SolidityFunction | undefined
  /** `undefined` for an interface, an abstract contract and a bare ABI. */
  readonly creation: CompiledCode | undefined
  readonly deployed: CompiledCode | undefined
  readonly storageLayout: StorageLayout | undefined
  /** All files of its compilation, by the number that source maps use. */
  readonly sources: ReadonlyMap<number, SourceFile>
}

/** A version as a number that grows with it: 8037 for 0.8.37; `undefined` if it is none. */
export function versionNumber(version: string | undefined): number | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? '') ?? []
  if (patch === undefined) return undefined
  return Number(major) * 1_000_000 + Number(minor) * 1000 + Number(patch)
}
