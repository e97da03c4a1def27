// `expectCall` of Foundry's cheatcodes, by the rules of forge 1.7.1: calls that the rest of the transaction has to make,
// at any depth, each at least as often as it was expected, or, with a count, exactly so often.

import { toChecksumAddress } from '../../primitives/address.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import { Refusal } from './refusal.ts'

/** Gas that a call gets on top if it sends value. */
const STIPEND = 2300n

/** What is expected of a call. Its data begin in this way. */
export interface CallPattern {
  readonly callee: Address
  readonly data: Hex
  readonly value?: bigint
  readonly gas?: bigint
  readonly minGas?: bigint
}

export interface ExpectedCall extends CallPattern {
  readonly isCounted: boolean
  readonly count: bigint
  readonly seen: bigint
}

/** A call as it is made; `value` is absent for DELEGATECALL. */
export interface MadeCall {
  readonly callee: Address
  readonly data: Hex
  readonly value: bigint | undefined
  readonly gas: bigint
}

/** Expects a call once more, or so often, if there is a count. */
export function withExpectedCall(
  expected: readonly ExpectedCall[],
  pattern: CallPattern,
  count?: bigint,
): readonly ExpectedCall[] {
  const { callee, data } = pattern
  const before = expected.find((each) => each.callee === callee && each.data === data)
  if (before !== undefined && count !== undefined) {
    throw new Refusal('counted expected calls can only bet set once')
  }
  if (before?.isCounted === true) {
    throw new Refusal('cannot overwrite a counted expectCall with a non-counted expectCall')
  }
  if (before !== undefined) {
    return expected.map((each) => (each === before ? { ...each, count: each.count + 1n } : each))
  }
  const stipend = (pattern.value ?? 0n) > 0n ? STIPEND : 0n
  const added: ExpectedCall = {
    ...{ callee, data, isCounted: count !== undefined, count: count ?? 1n, seen: 0n },
    ...(pattern.value !== undefined && { value: pattern.value }),
    ...(pattern.gas !== undefined && { gas: pattern.gas + stipend }),
    ...(pattern.minGas !== undefined && { minGas: pattern.minGas + stipend }),
  }
  return [...expected, added]
}

function isMade(pattern: CallPattern, call: MadeCall): boolean {
  if (pattern.callee !== call.callee || !call.data.startsWith(pattern.data)) return false
  if (pattern.value !== undefined && pattern.value !== call.value) return false
  return (pattern.gas ?? call.gas) === call.gas && (pattern.minGas ?? 0n) <= call.gas
}

export function withMadeCall(expected: readonly ExpectedCall[], call: MadeCall): readonly ExpectedCall[] {
  return expected.map((each) => (isMade(each, call) ? { ...each, seen: each.seen + 1n } : each))
}

function times(count: bigint): string {
  return `${count} time${count === 1n ? '' : 's'}`
}

/** Why calls were not made as they were expected, in the words of forge; `undefined` if they were. */
export function unmetCall(expected: readonly ExpectedCall[]): string | undefined {
  const unmet = expected.find(({ isCounted, count, seen }) => (isCounted ? count !== seen : count > seen))
  if (unmet === undefined) return undefined
  const { callee, data, value, gas, minGas, count, seen } = unmet
  const parts = [
    `data ${data}`,
    ...(value === undefined ? [] : [`value ${value}`]),
    ...(gas === undefined ? [] : [`gas ${gas}`]),
    ...(minGas === undefined ? [] : [`minimum gas ${minGas}`]),
  ]
  const what = `expected call to ${toChecksumAddress(callee)} with ${parts.join(', ')}`
  return `${what} to be called ${times(count)}, but was called ${times(seen)}`
}
