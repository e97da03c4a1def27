// Parts of an exploration: which runs a process makes, and what it hands back as JSON, which merges with that of others.

import { refuseOption } from '../../core/emulator/checks.ts'
import { failure } from '../../core/primitives/errors.ts'
import type { Hash } from '../../core/primitives/hex.ts'
import { textOf } from '../../core/primitives/text-of.ts'
import { type CausedFailure, errorOf, type ReportedFailure, type ToldFailure } from './failures.ts'

/** The runs whose number leaves this rest when it is divided. */
export type Shard = ReturnType<typeof readShard>

/** Decodes the option `shard`; throws `invalidOption`. */
export function readShard(shard: unknown) {
  if (shard === undefined) return { index: 0, of: 1 }
  const [, index, of] = (typeof shard === 'string' && /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(shard)) || []
  if (index === undefined || Number(index) > Number(of))
    return refuseOption('shard', "one part of several, such as '2/8'", shard)
  return { index: Number(index) - 1, of: Number(of) }
}

export function nameShard({ index, of }: Shard): string {
  return `${index + 1}/${of}`
}

export const PART_FORMAT = 'tickchain part 2'

export interface Part {
  readonly format: typeof PART_FORMAT
  /** The name of its `PartKind`, which says how counts are merged. */
  readonly way: string
  readonly setUp: Hash
  readonly shards: readonly string[]
  readonly counts: unknown
  /** None if everything held. */
  readonly failures: readonly ReportedFailure[]
}

export interface EndedRun {
  readonly setUp: Hash
  /** Its number, or what else the place of a failure begins with. */
  readonly run: number
  /** Null for one that JSON cannot hold. */
  readonly steps: readonly unknown[]
}

/** A way of exploring: its counts, how those of parts are merged, and what is reported of them. */
export interface PartKind<Counts, Report> {
  readonly way: string
  /** True if a value of JSON has the fields of counts. */
  readonly isCounts: (counts: object) => boolean
  readonly merge: (parts: readonly Counts[]) => Counts
  readonly report: (counts: Counts) => Report
  readonly tellEnded: (ended: EndedRun, reason: string) => ToldFailure
  readonly nameOf: (failed: Pick<ToldFailure, 'kind' | 'name'>, story: string) => string
}

export interface Keepable {
  readonly name: string
  readonly text: string
  /** Its name before. */
  readonly loaded?: string
  readonly isFailure: boolean
  readonly length: number
  readonly reached: readonly (number | string)[]
}

/** Listener of a part that goes on; a part of several in workers has one. */
export interface PartRunner {
  /** Once, before the first run: the part without what it came to, and the digest that its stories have. */
  readonly begin?: (part: Part, storySetUp: Hash) => void
  /** A step begins; the first of a run has the index 0. */
  readonly onStep?: (index: number, step: object) => void
  /** Something goes on that is no step. */
  readonly beat?: () => void
  /** A failure is found; it may be shrunk still. */
  readonly onFailure?: (failed: ReportedFailure) => void
  /** False if a failure whose place begins with this number cannot be the least any more. */
  readonly isNeeded?: (first: number) => boolean
  /** In the end, what may be kept in the corpus. */
  readonly onKept?: (sequences: readonly Keepable[]) => void
}

/** Hands a part to its option `report`, and throws its failures, with a notice. An error of `report` hides no failure. */
export async function endPart(
  report: ((text: string) => unknown) | undefined,
  part: Part,
  failures: readonly CausedFailure[] = [],
  notice = '',
): Promise<void> {
  const told = failures.map(([failed]) => failed)
  const [first, ...others] = told
  const error = first && errorOf(first, failures[0]?.[1], others)
  if (error !== undefined) error.message += notice
  try {
    await report?.(JSON.stringify({ ...part, failures: told }))
  } catch (thrown) {
    if (error === undefined) throw failure('callbackFailed', { callback: 'report', reason: textOf(thrown) })
    error.message += `\nreport threw: ${textOf(thrown)}`
  }
  if (error !== undefined) throw error
}

export function sumOf<Name extends string>(
  items: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, sum(items, (item) => item[name])])) as never
}

export function sumOfEach(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const record of records)
    for (const [name, number] of Object.entries(record)) sums[name] = (sums[name] ?? 0) + number
  return sums
}

export function leastOf(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const least: Record<string, number> = {}
  for (const record of records)
    for (const [name, number] of Object.entries(record)) least[name] = Math.min(least[name] ?? number, number)
  return least
}

/** The end of what random runs have come to. */
export type Ended = 'done' | 'time'

export function endedOf(parts: readonly { readonly ended: Ended }[]): Ended {
  return parts.some(({ ended }) => ended === 'time') ? 'time' : 'done'
}

/** The runs since something was reached for the first time, of so many. */
export function quietOf(runs: number, firsts: Readonly<Record<string, number>>): number {
  const last = Object.values(firsts).reduce((most, run) => Math.max(most, run), -1)
  return Math.max(0, runs - 1 - last)
}

export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
