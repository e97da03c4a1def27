// Stack traces as text: lines in the form of JavaScript's, and a sentence that says what went wrong.

import { escapeControls } from '../../../core/primitives/text-of.ts'
import { NO_REASON, VM_EXCEPTION } from '../../../core/rpc/flavor/messages.ts'
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
