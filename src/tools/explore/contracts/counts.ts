// Counts of the calls of each function: failures, reasons, first branches; and the largest numbers. Merged and reported.

import type { BareResult } from '../../../core/execution/evm/run-bare-message.ts'
import type { CustomErrors } from '../../../core/execution/result/console-log.ts'
import { bytesToHex, equalBytes } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { WORDED_ERRORS } from '../../cheatcodes/revert-words.ts'
import { sum, sumOf, sumOfEach } from '../parts.ts'
import { type Action, firstBytes, type Position } from './call.ts'
import { haltOf } from './machine.ts'
import type { FunctionReport, WrittenCall } from './options.ts'
import type { ContractScene } from './scene.ts'

type CountedFunction = Omit<FunctionReport, 'edges'> & {
  readonly slots: readonly number[]
  /** Words on its selector, if the code does not have it. */
  readonly missing?: string
}

export type CountedFunctions = Readonly<Record<string, CountedFunction>>

export function mergeFunctions(parts: readonly CountedFunctions[]): CountedFunctions {
  const names = new Set(parts.flatMap((part) => Object.keys(part)))
  const merged = [...names].map((name): readonly [string, CountedFunction] => {
    const all = parts.flatMap((part) => part[name] ?? [])
    const slots = [...new Set(all.flatMap((each) => each.slots))]
    const failed = sumOfEach(all.map((each) => each.failed))
    return [name, { ...all[0], ...sumOf(all, ['calls']), failed, slots }]
  })
  return Object.fromEntries(merged)
}

/** The report of functions, with a warning for each that always fails. */
export function reportFunctions(functions: CountedFunctions) {
  const warnings: string[] = []
  const reports: Record<string, FunctionReport> = {}
  for (const [name, { calls, failed, slots, missing }] of Object.entries(functions)) {
    const reasons = Object.entries(failed).sort(([, a], [, b]) => b - a)
    reports[name] = { calls, failed: Object.fromEntries(reasons), edges: slots.length }
    if (calls === 0 || sum(reasons, ([, times]) => times) < calls) continue
    warnings.push(`${name} failed in all of ${calls} calls: ${missing ?? reasons[0]?.[0]}`)
  }
  return { functions: reports, warnings }
}

export type CountedMaxima = Readonly<
  Record<string, { readonly value: string; readonly calls: readonly WrittenCall[] }>
>

/** The largest of several parts; of equal ones, that of the fewest calls. */
export function mergeMaxima(parts: readonly CountedMaxima[]): CountedMaxima {
  const merged: Record<string, CountedMaxima[string]> = {}
  for (const [name, each] of parts.flatMap((part) => Object.entries(part))) {
    const known = merged[name]
    const isLess =
      known !== undefined &&
      (BigInt(each.value) < BigInt(known.value) ||
        (each.value === known.value && each.calls.length >= known.calls.length))
    if (!isLess) merged[name] = each
  }
  return merged
}

/** Different reasons of a function; more are counted as one. */
const MOST_REASONS = 16
const OTHERS = 'other reasons'
/** Errors of which what follows is part of the reason, not a value. */
const WHOLE: readonly number[] = WORDED_ERRORS.map(Number)

/** Words on a selector that is not in the code of its contract. */
function missingOf({ state }: Position, { address, fn }: Action): string | undefined {
  // Zeros at the beginning are not pushed.
  const pushed = fn.selector.slice(2).replace(/^(00)+/, '')
  const isThere = bytesToHex(readAccount(state, address).code.bytes).includes(pushed)
  return isThere ? undefined : `its selector ${fn.selector} is not in the code at ${address}`
}

function countFunction(errors: CustomErrors, missing: string | undefined) {
  let calls = 0
  // By what has returned them, not by its hex: most calls fail.
  const reasons: {
    readonly failure: string | undefined
    readonly data: Uint8Array
    readonly text: string
  }[] = []
  const failed: Record<string, number> = {}
  const slots: number[] = []
  const reasonOf = (result: BareResult): string => {
    const { failure, returnData } = result
    const isTold = WHOLE.includes(firstBytes(returnData))
    const data = isTold ? returnData : returnData.subarray(0, 4)
    const known = reasons.find((each) => each.failure === failure && equalBytes(each.data, data))
    if (known !== undefined) return known.text
    if (reasons.length === MOST_REASONS) return OTHERS
    const words = haltOf(result, errors).replace('execution reverted: ', '')
    const text = isTold ? words : (words.split('(')[0] as string)
    reasons.push({ failure, data: data.slice(), text })
    return text
  }
  return {
    count(result: BareResult): void {
      calls++
      if (result.outcome === 'success') return
      const reason = reasonOf(result)
      failed[reason] = (failed[reason] ?? 0) + 1
    },
    reach: (found: readonly number[]): void => void slots.push(...found),
    counted: (): CountedFunction => ({ calls, failed, slots, ...(missing !== undefined && { missing }) }),
  }
}

/** The functions that are called, by their names, with nothing counted yet. */
export function countFunctions({ actions, contracts }: ContractScene, root: Position) {
  const errors = new Map(contracts.flatMap((each) => [...each.errors]))
  return actions.map((action) => ({
    name: `${action.contract}.${action.fn.signature}`,
    ...countFunction(errors, missingOf(root, action)),
  }))
}
