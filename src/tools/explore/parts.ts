// Parts of an exploration: which runs a process makes, and what it hands back as JSON, which merges with that of others.

import { refuseOption } from '../../core/emulator/checks.ts'
import { type ErrorKind, failure, type TickchainError } from '../../core/primitives/errors.ts'
import type { Hash } from '../../core/primitives/hex.ts'
import { describe, textOf } from '../../core/primitives/text-of.ts'

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

/** A failure of a story, as JSON. */
export interface ReportedFailure {
  /**
   * Its place in the order in which one process comes to failures: the number of the run, or the place in a walk. The
   * least of several is the one that is told.
   */
  readonly at: readonly number[]
  readonly kind: Extract<ErrorKind, 'invariantBroken' | 'assertionFailed' | 'actionThrew' | 'storyHung'>
  /** Equal for the same failure only, where all different ones are told; absent where the first alone is. */
  readonly key?: string
  /** The name of the invariant or the action. */
  readonly name: string
  readonly reason: string
  /** The story in the message. */
  readonly told: string
  /** The story for a file; absent if JSON cannot hold it. */
  readonly story?: string
}

/** The result of a part. */
export interface Part {
  readonly format: 'tickchain part 2'
  /** The name of its `PartKind`, which says how counts are merged. */
  readonly way: string
  readonly setUp: Hash
  readonly shards: readonly string[]
  readonly counts: unknown
  /** None if everything held. */
  readonly failures: readonly ReportedFailure[]
}

export const PART_FORMAT = 'tickchain part 2'

/** A part that has not begun. `setUp` digests everything that parts of one exploration have in common. */
export function newPart(way: string, shard: Shard, setUp: Hash): Part {
  return { format: PART_FORMAT, way, setUp, shards: [nameShard(shard)], counts: undefined, failures: [] }
}

/** Refuses fields of a story that nobody reads, which may be misspelt; throws `invalidStory`. */
export function refuseOthers(fields: object, known: readonly string[], what: string): void {
  const name = Object.keys(fields).find((each) => !known.includes(each))
  if (name !== undefined) throw failure('invalidStory', { reason: `${what} has the unknown field ${name}` })
}

/** A story in words, and as JSON. */
export interface Worded {
  /** The last step; undefined before the first. */
  readonly last: string | undefined
  readonly lines: readonly string[]
  /** The word for what was counted: step or call. */
  readonly unit: string
  /** Words on where it was found. */
  readonly origin: string
  /** Absent if JSON cannot hold it. */
  readonly story?: string
}

/** A run that was ended, as its worker has written it. */
export interface EndedRun {
  readonly setUp: Hash
  /** Its number, or what else the place of a failure begins with. */
  readonly run: number
  /** Null for one that JSON cannot hold. */
  readonly steps: readonly unknown[]
}

/** A way of exploring: its counts, how those of parts are merged, and what is reported of them. */
export interface PartKind<Counts, Report> {
  /** True if a value of JSON has the fields of counts. */
  readonly isCounts: (counts: object) => boolean
  readonly merge: (parts: readonly Counts[]) => Counts
  readonly report: (counts: Counts) => Report
  readonly word: (ended: EndedRun) => Worded
  /** The name of a story's file. */
  readonly nameOf: (failed: Pick<ReportedFailure, 'kind' | 'name'>, story: string) => string
}

/** A sequence that may be kept. */
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

/** Compares places of failures. */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const differing = a.findIndex((each, index) => each !== b[index])
  return differing >= 0 && (a[differing] as number) < (b[differing] ?? -1)
}

/** The failures that are told of several, in their order: of those with the same key, or without one, the least. */
export function leastFailures(failures: readonly ReportedFailure[]): ReportedFailure[] {
  const least = new Map<string | undefined, ReportedFailure>()
  for (const each of failures) {
    const known = least.get(each.key)
    if (known === undefined || isBefore(each.at, known.at)) least.set(each.key, each)
  }
  return [...least.values()].sort((a, b) => (isBefore(a.at, b.at) ? -1 : 1))
}

/** The error of a failure, which tells of others after it. */
export function errorOf(
  { kind, name, reason, told, story, key }: ReportedFailure,
  cause?: unknown,
  others: readonly ReportedFailure[] = [],
): TickchainError {
  const more = others.map((each) => `\n\n${errorOf(each).message}`).join('')
  const error = failure(kind, { name, reason, story: told + more })
  const all = [{ story, key }, ...others]
  const isOfAll = all.some((each) => each.key !== undefined)
  const stories = all.flatMap((each) => each.story ?? [])
  return Object.assign(
    error,
    story === undefined ? {} : { story },
    isOfAll ? { stories } : {},
    cause === undefined ? {} : { cause },
  )
}

/** Has the default export of a module explore a part. */
export async function callModule(explored: unknown, part: object): Promise<void> {
  if (typeof explored !== 'function')
    throw new TypeError(`its default export is to be a function that explores, got ${describe(explored)}`)
  await explored(part)
}

/** Tells of progress; throws `callbackFailed` if the option throws. */
export async function tellProgress<Told>(
  tell: ((progress: Told) => unknown) | undefined,
  progress: Told,
): Promise<void> {
  try {
    await tell?.(progress)
  } catch (error) {
    throw failure('callbackFailed', { callback: 'progress', reason: textOf(error) })
  }
}

/** A failure, with the error that it is of. */
export type CausedFailure = readonly [told: ReportedFailure, cause: unknown]

/**
 * Hands a part to its option `report`, and throws its failures, with a notice at the end. What `report` throws does not
 * hide a failure.
 */
export async function endPart(
  { report }: { readonly report?: ((text: string) => unknown) | undefined },
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

/** Saves the story of a failure, which then tells the path that `save` has returned, or what it has thrown. */
export async function saveFailure<Told extends Omit<ReportedFailure, 'at'>>(
  save: ((story: string, name: string) => unknown) | undefined,
  failed: Told,
  nameOf: (failed: Omit<ReportedFailure, 'at'>, story: string) => string,
): Promise<Told> {
  const { story, told } = failed
  if (story === undefined || save === undefined) return failed
  let notice: string | undefined
  try {
    const saved: unknown = await save(story, nameOf(failed, story))
    if (typeof saved === 'string') notice = `Saved as ${saved}`
  } catch (error) {
    notice = `save threw: ${error instanceof Error ? error.message : textOf(error)}`
  }
  return notice === undefined ? failed : { ...failed, told: `${told}\n${notice}` }
}

export function sumOf<Name extends string>(
  items: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, sum(items, (item) => item[name])])) as never
}

/** The least number of each name in several records. */
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
