// Stack traces as text: lines in the form of JavaScript's, and a sentence that says what went wrong.

import { escapeControls } from '../../../core/primitives/text-of.ts'
import { NAME_OF_KIND, type SourceReference, type StackEntry, sourceOf } from './stack-entry.ts'

const UNKNOWN_CONTRACT = '<UnrecognizedContract>'
const UNKNOWN_FUNCTION = '<unknown>'

function lineOf(contract: string | undefined, name: string, place: string): string {
  return `    at ${contract === undefined ? '' : `${contract}.`}${name} (${place})`
}

function lineAt({ contract, function: name, file, line }: SourceReference, shown = name): string {
  return lineOf(contract, shown ?? UNKNOWN_FUNCTION, line === undefined ? file : `${file}:${line}`)
}

function formatEntry(entry: StackEntry): string {
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
      return lineOf(entry.names?.contract ?? UNKNOWN_CONTRACT, NAME_OF_KIND.constructor as string, 'unknown')
    case 'unrecognizedContractCallstackEntry':
    case 'unrecognizedContractError':
      return lineOf(
        entry.names?.contract ?? UNKNOWN_CONTRACT,
        entry.names?.function ?? UNKNOWN_FUNCTION,
        entry.address,
      )
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

/** What went wrong, in Hardhat's words; `undefined` where the return data says it, or nothing does. */
export function failureSentence(last: StackEntry): string | undefined {
  switch (last.kind) {
    case 'precompileError':
      return `call to precompile ${last.precompile} failed`
    case 'functionNotPayableError':
      return `non-payable function was called with value ${last.value}`
    case 'invalidParamsError':
      return 'function was called with incorrect parameters'
    case 'fallbackNotPayableError':
      return `fallback function is not payable and was called with value ${last.value}`
    case 'fallbackNotPayableAndNoReceiveError':
      return `there's no receive function, fallback function is not payable and was called with value ${last.value}`
    case 'unrecognizedFunctionWithoutFallbackError':
      return "function selector was not recognized and there's no fallback function"
    case 'missingFallbackOrReceiveError':
      return "function selector was not recognized and there's no fallback nor receive function"
    case 'returndataSizeError':
      return 'function returned an unexpected amount of data'
    case 'noncontractAccountCalledError':
      return 'function call to a non-contract account'
    case 'callFailedError':
      return 'function call failed to execute'
    case 'directLibraryCallError':
      return 'library was called directly'
    case 'contractTooLargeError':
      return 'trying to deploy a contract whose code is too large'
    case 'contractCallRunOutOfGasError':
      return 'contract call run out of gas and made the transaction revert'
    default:
      return undefined
  }
}
