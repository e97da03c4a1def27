// Failures: as they are found, in words, as JSON, as errors, and as files of stories.

import { keccakOfText } from '../../core/primitives/crypto.ts'
import { type ErrorKind, failure, type TickchainError } from '../../core/primitives/errors.ts'
import type { Hash } from '../../core/primitives/hex.ts'
import { withoutColors } from '../../core/primitives/terminal.ts'
import { pluralize, textOf } from '../../core/primitives/text-of.ts'
import { takeStray } from './strays.ts'

type FailureKind = Extract<ErrorKind, 'invariantBroken' | 'assertionFailed' | 'actionThrew' | 'storyHung'>

export interface Failure {
  readonly kind: FailureKind
  /** The name of the invariant or the action. */
  readonly name: string
  readonly reason: string
  /** Equal for the same failure only. */
  readonly key: string
  /** The error that code of the user threw. */
  readonly error?: unknown
}

/** A function on the way to a failure, and the line that it had come to. */
export interface SourcePlace {
  /** Such as `Vault.take`. */
  readonly name: string
  readonly file: string
  readonly line: number
}

/** A failure of a story in words. */
export interface ToldFailure extends Pick<Failure, 'kind' | 'name' | 'reason'> {
  /** Places in known sources, innermost first. */
  readonly places?: readonly SourcePlace[]
  /** The story in the message. */
  readonly told: string
  /** The story for a file; absent if JSON cannot hold it. */
  readonly story?: string
}

export interface ReportedFailure extends ToldFailure {
  /**
   * Its place in the order in which one process comes to failures: the number of the run, or the place in a walk. The
   * least of several is the one that is told.
   */
  readonly at: readonly number[]
  /** Equal for the same failure only, where all different ones are told; absent where the first alone is. */
  readonly key?: string
}

export type CausedFailure = readonly [told: ReportedFailure, cause: unknown]

/** The message of an error. Those of expectations may be coloured. */
export function reasonFrom(error: unknown): string {
  return withoutColors(error instanceof Error ? `${error.message}` : textOf(error))
}

export function failureFrom(
  kind: FailureKind,
  name: string,
  error: unknown,
  key = `${kind} ${name}`,
): Failure {
  return { kind, name, key, error, reason: reasonFrom(error) }
}

/** Checks an invariant: it is broken if it throws, returns false (`falsity`) or an error, or leaves one that nothing awaits. */
export async function checkInvariant(
  name: string,
  invariant: () => unknown,
  falsity: () => Pick<Failure, 'reason' | 'error'>,
  key = `invariantBroken ${name}`,
): Promise<Failure | undefined> {
  try {
    const holds = await invariant()
    if (holds === false) return { kind: 'invariantBroken', name, key, ...falsity() }
    const error = holds instanceof Error ? holds : await takeStray()
    return error && failureFrom('invariantBroken', name, error, key)
  } catch (error) {
    return failureFrom('invariantBroken', name, error, key)
  }
}

/** Words on where a failure was found: in a run, or in the corpus. */
export function originOfRun(
  { runs, seed }: { readonly runs: number; readonly seed: number },
  run: number | undefined,
): string {
  if (run === undefined) return ' (of the corpus)'
  return ` (run ${run + 1}${runs === Infinity ? '' : ` of ${runs}`}, seed ${seed})`
}

export function hungFor(limitMs: number): string {
  return `it has taken more than ${limitMs} ms`
}

/** A failure in words: the lines on its steps or calls, and the story, or why there is none. */
export function tellFailure(
  { kind, name, reason }: Pick<Failure, 'kind' | 'name' | 'reason'>,
  [count, unit]: readonly [count: number, unit: 'step' | 'call'],
  origin: string,
  lines: readonly string[],
  story: string | { readonly unsaved: string },
): ToldFailure {
  const isSaved = typeof story === 'string'
  const notice = isSaved ? `The story: ${story}` : `The story is not saved: ${story.unsaved}`
  const told = `\n\nAfter ${pluralize(count, unit)}${origin}:\n\n${[...lines, '', notice].join('\n')}`
  return { kind, name, reason, told, ...(isSaved && { story }) }
}

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
  { kind, name, reason, told, places = [], ...first }: Omit<ReportedFailure, 'at'>,
  cause?: unknown,
  others: readonly ReportedFailure[] = [],
): TickchainError {
  const more = others.map((each) => `\n\n${errorOf(each).message}`).join('')
  const all = [first, ...others]
  const lines = places.map((each) => `\n    at ${each.name} (${each.file}:${each.line})`)
  return Object.assign(
    failure(kind, { name, reason, story: [told, ...lines, more].join('') }),
    first.story !== undefined && { story: first.story },
    all.some(({ key }) => key !== undefined) && { stories: all.flatMap(({ story }) => story ?? []) },
    cause !== undefined && { cause },
  )
}

/** Saves the story of a failure, which then tells the path that `save` has returned, or what it has thrown. */
export async function saveFailure<Told extends ToldFailure>(
  save: ((story: string, name: string) => unknown) | undefined,
  failed: Told,
  nameOf: (failed: ToldFailure, story: string) => string,
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

export function nameOfStory(name: string, text: string): string {
  return `${name}-${keccakOfText(text).slice(2, 10)}`
}

/** The text of a story; `head` is its format, and what else identifies it. */
export function writeSaved(
  head: { readonly format: string; readonly setUp?: Hash },
  broke: Pick<Failure, 'kind' | 'name'> | undefined,
  items: { readonly steps: readonly unknown[] } | { readonly calls: readonly unknown[] },
): string {
  return JSON.stringify({ ...head, broke: broke && { kind: broke.kind, name: broke.name }, ...items })
}

export function refuseStory(reason: string): never {
  throw failure('invalidStory', { reason })
}

/** Refuses fields of a story that nobody reads, which may be misspelt; throws `invalidStory`. */
export function refuseOthers(fields: object, known: readonly string[], what: string): void {
  const name = Object.keys(fields).find((each) => !known.includes(each))
  if (name !== undefined) refuseStory(`${what} has the unknown field ${name}`)
}

/** The steps or calls of a saved story; throws `invalidStory` for one of another format. */
export function readSaved(
  story: Readonly<Record<string, unknown>>,
  known: { readonly format: string; readonly subject: string },
  items: 'steps' | 'calls',
  others: readonly string[] = [],
): readonly unknown[] {
  const { format, broke } = story
  if (format === undefined) refuseStory('it has no format, as stories have')
  if (format !== known.format)
    refuseStory(
      `its format is ${textOf(format)}, and for ${known.subject} this version reads ${known.format}`,
    )
  refuseOthers(story, ['format', 'broke', items, ...others], 'it')
  refuseOthers(broke ?? {}, ['kind', 'name'], 'broke')
  const read = story[items]
  return Array.isArray(read) ? read : refuseStory(`it has no ${items}`)
}
