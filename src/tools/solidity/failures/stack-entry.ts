// Entries of a Solidity stack trace: Hardhat's, by their names there.

import type { Address } from '../../../core/primitives/hex.ts'
import { escapeControls } from '../../../core/primitives/text-of.ts'
import { NO_REASON, VM_EXCEPTION } from '../../../core/rpc/flavor/messages.ts'
import type { FunctionKind, SourceRange } from '../model/source.ts'

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

const UNKNOWN_CONTRACT = '<UnrecognizedContract>'
const UNKNOWN_FUNCTION = '<unknown>'

function lineOf(contract: string | undefined, name: string, place: string): string {
  return `    at ${contract === undefined ? '' : `${contract}.`}${name} (${place})`
}

function lineAt({ contract, function: name, file, line }: SourceReference, shown = name): string {
  return lineOf(contract, shown ?? UNKNOWN_FUNCTION, line === undefined ? file : `${file}:${line}`)
}

function formatEntry(entry: StackEntry): string {
  const named = 'names' in entry ? entry.names?.contract : undefined
  switch (entry.kind) {
    case 'unrecognizedFunctionWithoutFallbackError':
    case 'missingFallbackOrReceiveError':
      return lineAt(entry.source, '<unrecognized-selector>')
    case 'internalFunctionCallstackEntry':
      return lineOf(entry.source.contract, `internal@${entry.pc}`, entry.source.file)
    case 'precompileError':
      return lineOf(`<PrecompileContract ${entry.precompile}>`, '<precompile>', 'unknown')
    case 'unrecognizedCreateCallstackEntry':
    case 'unrecognizedCreateError':
      return lineOf(named ?? UNKNOWN_CONTRACT, NAME_OF_KIND.constructor as string, 'unknown')
    case 'unrecognizedContractCallstackEntry':
    case 'unrecognizedContractError':
      return lineOf(named ?? UNKNOWN_CONTRACT, entry.names?.function ?? UNKNOWN_FUNCTION, entry.address)
    default: {
      const source = sourceOf(entry)
      return source === undefined ? lineOf(UNKNOWN_CONTRACT, UNKNOWN_FUNCTION, 'unknown') : lineAt(source)
    }
  }
}

/** The lines of a trace, innermost call first, as Hardhat prints them. */
export function formatStackTrace(entries: readonly StackEntry[]): string[] {
  return entries.map((entry) => escapeControls(formatEntry(entry))).reverse()
}

/** Hardhat's sentences by the kind of the last entry. */
const SENTENCES: Readonly<Partial<Record<StackEntry['kind'], string>>> = {
  precompileError: 'call to precompile # failed',
  functionNotPayableError: 'non-payable function was called with value #',
  invalidParamsError: 'function was called with incorrect parameters',
  fallbackNotPayableError: 'fallback function is not payable and was called with value #',
  fallbackNotPayableAndNoReceiveError:
    "there's no receive function, fallback function is not payable and was called with value #",
  unrecognizedFunctionWithoutFallbackError:
    "function selector was not recognized and there's no fallback function",
  missingFallbackOrReceiveError:
    "function selector was not recognized and there's no fallback nor receive function",
  returndataSizeError: 'function returned an unexpected amount of data',
  noncontractAccountCalledError: 'function call to a non-contract account',
  callFailedError: 'function call failed to execute',
  directLibraryCallError: 'library was called directly',
  contractTooLargeError: 'trying to deploy a contract whose code is too large',
  contractCallRunOutOfGasError: 'contract call run out of gas and made the transaction revert',
}

/** The failure in Hardhat's words; `undefined` where the return data says it, or nothing does. */
export function failureSentence(last: StackEntry): string | undefined {
  const number = 'value' in last ? last.value : 'precompile' in last ? last.precompile : ''
  return SENTENCES[last.kind]?.replace('#', `${number}`)
}

/** Hardhat's message of an error; `undefined` if it is made of the return data. */
export function hardhatMessageOf(last: StackEntry): string | undefined {
  const sentence = failureSentence(last)
  if (sentence !== undefined) return `Transaction reverted: ${sentence}`
  if ('returnData' in last) {
    if (last.returnData.length > 0) return undefined
    return last.isInvalidOpcode ? `${VM_EXCEPTION} invalid opcode` : NO_REASON
  }
  switch (last.kind) {
    case 'customError':
      return `${VM_EXCEPTION} ${last.message}`
    case 'otherExecutionError':
      return "Transaction reverted and Hardhat couldn't infer the reason."
    case 'unmappedRevertError':
      return `${NO_REASON} and without a valid sourcemap provided by the compiler. Some line numbers may be off. We strongly recommend upgrading solc and always using revert reasons.`
    default:
      return undefined
  }
}
