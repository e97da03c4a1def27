// Counts of what came of the calls of each function, and the largest numbers: merged, and reported.

import { sum } from '../parts.ts'
import type { FunctionReport, WrittenCall } from './options.ts'

/** The counts of a function as JSON. */
export interface CountedFunction extends Omit<FunctionReport, 'edges'> {
  readonly slots: readonly number[]
  /** Words on its selector, if the code does not have it. */
  readonly missing?: string
}

export type CountedFunctions = Readonly<Record<string, CountedFunction>>

function addTimes(all: readonly CountedFunction[]): Record<string, number> {
  const failed: Record<string, number> = {}
  for (const each of all)
    for (const [reason, times] of Object.entries(each.failed)) failed[reason] = (failed[reason] ?? 0) + times
  return failed
}

export function mergeFunctions(parts: readonly CountedFunctions[]): CountedFunctions {
  const names = new Set(parts.flatMap((part) => Object.keys(part)))
  const merged = [...names].map((name): readonly [string, CountedFunction] => {
    const all = parts.flatMap((part) => part[name] ?? [])
    const slots = [...new Set(all.flatMap((each) => each.slots))]
    return [name, { ...all[0], calls: sum(all, ({ calls }) => calls), failed: addTimes(all), slots }]
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

/** A maximum as JSON. */
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
