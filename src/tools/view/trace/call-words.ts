// The words of calls, their errors and results: decoded, or selectors and hex where nothing is known.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import { toChecksumAddress } from '../../../core/primitives/address.ts'
import { countBytes } from '../../../core/primitives/text-of.ts'
import type { TracedCall, TracedValue } from '../../../core/rpc/call-trace.ts'
import { shortHex, undecodedInput } from '../../solidity/calls/format-trace.ts'

/** An account by its name, or else by its address. */
export function accountText(name: string | undefined, address: string): string {
  return name ?? toChecksumAddress(address as `0x${string}`)
}

/** `name: value`, or the value alone. */
function valuesText(values: readonly TracedValue[]): string {
  return values.map(({ name, text }) => (name === '' ? text : `${name}: ${text}`)).join(', ')
}

/** Name of the called function, such as `withdraw`, or a selector. */
export function functionText(call: TracedCall): string {
  if (call.kind === 'SELFDESTRUCT') return 'selfdestruct'
  if (isCreation(call)) return 'constructor'
  return call.functionName ?? (call.input === '0x' ? 'receive' : call.input.slice(0, 10))
}

/** The arguments, decoded or as hex. */
export function argumentsText(call: TracedCall): string {
  if (call.kind === 'SELFDESTRUCT') return ''
  if (isCreation(call)) return valuesText(call.args)
  if (call.functionName === undefined) return shortHex(call.input.slice(10))
  const rest = undecodedInput(call)
  return [...(rest === '0x' ? [] : [`0x${shortHex(rest)}`]), valuesText(call.args)].filter(Boolean).join(', ')
}

/** Such as `Vault.withdraw`. */
export function callLabel(call: TracedCall): string {
  return `${accountText(call.name, call.to)}.${functionText(call)}`
}

/** Result of a successful call; empty if it returned nothing. */
export function resultText(call: TracedCall): string {
  if (isCreation(call)) return `${countBytes((call.output.length - 2) / 2)} of code`
  const { results, output } = call
  if (results !== undefined && results.length > 0) return valuesText(results)
  return output === '0x' ? '' : `0x${shortHex(output)}`
}
