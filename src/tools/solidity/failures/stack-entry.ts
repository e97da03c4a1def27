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

/** What is known of code without sources. */
export interface FrameNames {
  readonly contract: string
  /** `undefined` for an unknown one, and for a constructor. */
  readonly function: string | undefined
}

/** Code without sources, by its names if it is recognised. */
interface Unlocated {
  readonly names: FrameNames | undefined
}

interface Located {
  readonly source: SourceReference
}

/** One entry; the last of a trace says what went wrong. */
export type StackEntry =
  | (Located & { readonly kind: 'callstackEntry'; readonly functionKind: FunctionKind })
  /** A function that the compiler adds, such as a decoder of parameters. */
  | (Located & { readonly kind: 'internalFunctionCallstackEntry'; readonly pc: number })
  | (Unlocated & { readonly kind: 'unrecognizedCreateCallstackEntry' })
  | (Unlocated & { readonly kind: 'unrecognizedContractCallstackEntry'; readonly address: Address })
  | { readonly kind: 'precompileError'; readonly precompile: number }
  | (Located & {
      readonly kind: 'revertError'
      readonly returnData: Uint8Array
      readonly isInvalidOpcode: boolean
    })
  | { readonly kind: 'panicError'; readonly code: bigint; readonly source: SourceReference | undefined }
  | (Located & { readonly kind: 'customError'; readonly message: string })
  | (Located & {
      readonly kind:
        | 'functionNotPayableError'
        | 'fallbackNotPayableError'
        | 'fallbackNotPayableAndNoReceiveError'
      readonly value: bigint
    })
  | (Located & {
      readonly kind:
        | 'invalidParamsError'
        | 'unrecognizedFunctionWithoutFallbackError'
        | 'missingFallbackOrReceiveError'
        | 'returndataSizeError'
        | 'noncontractAccountCalledError'
        | 'callFailedError'
        | 'directLibraryCallError'
    })
  | (Unlocated & {
      readonly kind: 'unrecognizedCreateError'
      readonly returnData: Uint8Array
      readonly isInvalidOpcode: boolean
    })
  | (Unlocated & {
      readonly kind: 'unrecognizedContractError'
      readonly address: Address
      readonly returnData: Uint8Array
      readonly isInvalidOpcode: boolean
    })
  | {
      readonly kind:
        | 'otherExecutionError'
        /** solc 0.6.3 to 0.6.12 do not map every revert (https://github.com/ethereum/solidity/issues/9006). */
        | 'unmappedRevertError'
        | 'contractTooLargeError'
        | 'contractCallRunOutOfGasError'
      readonly source: SourceReference | undefined
    }

export function sourceOf(entry: StackEntry): SourceReference | undefined {
  return 'source' in entry ? entry.source : undefined
}

export const NAME_OF_KIND: Readonly<Partial<Record<FunctionKind, string>>> = {
  constructor: 'constructor',
  fallback: '<fallback>',
  receive: '<receive>',
}
