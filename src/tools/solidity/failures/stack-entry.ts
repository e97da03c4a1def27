// Entries of a Solidity stack trace: Hardhat's, by their names there.

import type { Address } from '../../../core/primitives/hex.ts'
import type { FunctionKind, SourceRange } from '../model/source.ts'

/** A place in the sources. */
export interface SourceReference {
  /** `undefined` for a free function. */
  readonly contract: string | undefined
  /** `constructor`, `<fallback>`, `<receive>` or a name; `undefined` outside of functions. */
  readonly function: string | undefined
  readonly file: string
  /** From 1 on; `undefined` if the text of the file is not known. */
  readonly line: number | undefined
  readonly range: SourceRange
}

/** Names of code without sources. */
export interface FrameNames {
  readonly contract: string
  /** `undefined` for an unknown one, and for a constructor. */
  readonly function: string | undefined
}

interface Located {
  readonly source: SourceReference
}

/** Code without sources, by its names if it is recognised. */
interface Unlocated {
  readonly names: FrameNames | undefined
}

interface Reverted {
  readonly returnData: Uint8Array
  readonly isInvalidOpcode: boolean
}

/** Errors that are told by their kind alone. */
type PlainErrorKind =
  | 'invalidParamsError'
  | 'unrecognizedFunctionWithoutFallbackError'
  | 'missingFallbackOrReceiveError'
  | 'returndataSizeError'
  | 'noncontractAccountCalledError'
  | 'callFailedError'
  | 'directLibraryCallError'

/** Errors of calls with value to functions that are not payable. */
type ValueErrorKind =
  | 'functionNotPayableError'
  | 'fallbackNotPayableError'
  | 'fallbackNotPayableAndNoReceiveError'

type UnlocatableErrorKind =
  | 'otherExecutionError'
  /** solc 0.6.3 to 0.6.12 do not map every revert (https://github.com/ethereum/solidity/issues/9006). */
  | 'unmappedRevertError'
  | 'contractTooLargeError'
  | 'contractCallRunOutOfGasError'

/** One entry; the last of a trace says what went wrong. */
export type StackEntry =
  | (Located & { readonly kind: 'callstackEntry'; readonly functionKind: FunctionKind })
  /** A function that the compiler adds, such as a decoder of parameters. */
  | (Located & { readonly kind: 'internalFunctionCallstackEntry'; readonly pc: number })
  | (Unlocated & { readonly kind: 'unrecognizedCreateCallstackEntry' })
  | (Unlocated & { readonly kind: 'unrecognizedContractCallstackEntry'; readonly address: Address })
  | (Located & { readonly kind: PlainErrorKind })
  | (Located & { readonly kind: ValueErrorKind; readonly value: bigint })
  | (Located & { readonly kind: 'customError'; readonly message: string })
  | (Located & Reverted & { readonly kind: 'revertError' })
  | (Unlocated & Reverted & { readonly kind: 'unrecognizedCreateError' })
  | (Unlocated & Reverted & { readonly kind: 'unrecognizedContractError'; readonly address: Address })
  | { readonly kind: 'precompileError'; readonly precompile: number }
  | { readonly kind: 'panicError'; readonly code: bigint; readonly source: SourceReference | undefined }
  | { readonly kind: UnlocatableErrorKind; readonly source: SourceReference | undefined }

export function sourceOf(entry: StackEntry): SourceReference | undefined {
  return 'source' in entry ? entry.source : undefined
}

export const NAME_OF_KIND: Readonly<Partial<Record<FunctionKind, string>>> = {
  constructor: 'constructor',
  fallback: '<fallback>',
  receive: '<receive>',
}
