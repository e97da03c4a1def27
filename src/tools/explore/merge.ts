// Parts of an exploration merged: what one process would have come to.

import { failure } from '../../core/primitives/errors.ts'
import { describe, textOf } from '../../core/primitives/text-of.ts'
import type { ExploreReport } from './applications/scene.ts'
import { SCENE_PART, STORIES_PART } from './applications/story.ts'
import { CALLS_PART } from './contracts/story.ts'
import { errorOf, leastFailures, type ReportedFailure } from './failures.ts'
import { nameShard, PART_FORMAT, type Part, type PartKind, readShard } from './parts.ts'

type AnyKind = PartKind<unknown, unknown>

const KINDS = [STORIES_PART, SCENE_PART, CALLS_PART] as readonly unknown[] as readonly AnyKind[]

/** @internal */
export function kindOf({ way }: Pick<Part, 'way'>): AnyKind {
  return KINDS.find((kind) => kind.way === way) as AnyKind
}

const MOST_PARTS = 1_000_000

function refuse(reason: string): never {
  throw failure('invalidPart', { reason })
}

const TOLD_KINDS: readonly unknown[] = ['invariantBroken', 'assertionFailed', 'actionThrew', 'storyHung']

function isTold(failed: unknown): boolean {
  const { kind, at } = (failed ?? {}) as Partial<ReportedFailure>
  return TOLD_KINDS.includes(kind) && Array.isArray(at)
}

/**
 * A part from its JSON; throws `invalidPart`.
 *
 * @internal
 */
export function parsePart(text: unknown): Part {
  let part: Partial<Part>
  try {
    part = JSON.parse(text as string) ?? {}
  } catch (error) {
    return refuse(`it is no JSON: ${textOf(error)}`)
  }
  if (part.format !== PART_FORMAT)
    return refuse(`its format is ${textOf(part.format)}, and this version reads ${PART_FORMAT}`)
  const kind: AnyKind | undefined = kindOf(part as Part)
  const { counts, failures } = part
  const isCounted = typeof counts === 'object' && counts !== null && kind?.isCounts(counts)
  const isWhole = Array.isArray(failures) && failures.every(isTold) && (failures.length > 0 || isCounted)
  if (kind === undefined || !Array.isArray(part.shards) || !isWhole)
    return refuse('it is not what explore has reported')
  return part as Part
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

/** The times that each run is in these shards, by its number modulo the least common multiple. */
function countRuns(shards: readonly string[]): Uint8Array {
  const parts = shards.map((shard) => {
    try {
      return readShard(shard)
    } catch {
      return refuse(`${describe(shard)} is no shard, such as 2/8`)
    }
  })
  const whole = parts.reduce((least, { of }) => (least / divisor(least, of)) * of, 1)
  if (whole > MOST_PARTS) refuse(`it has parts of ${whole}`)
  const counts = new Uint8Array(whole)
  for (const { index, of } of parts) for (let run = index; run < whole; run += of) counts[run]!++
  return counts
}

/**
 * One part in place of several of the same exploration; throws `invalidPart`.
 *
 * @internal
 */
export function joinParts(parts: readonly Part[]): Part {
  const [first] = parts
  if (first === undefined) return refuse('there is none')
  for (const { way, setUp } of parts) {
    if (way !== first.way || setUp !== first.setUp)
      refuse('it was made with other options, or on another set-up, than the first')
  }
  const shards = parts.flatMap(({ shards }) => shards)
  const twice = countRuns(shards).findIndex((count) => count > 1)
  if (twice >= 0) refuse(`run ${twice + 1} is in two of the parts ${shards.join(', ')}`)
  const { format, way, setUp } = first
  const failures = leastFailures(parts.flatMap((part) => part.failures))
  // A part that failed has not counted everything, nor have those that were ended for it.
  const counts = failures.length > 0 ? undefined : kindOf(first).merge(parts.map(({ counts }) => counts))
  return { format, way, setUp, shards, counts, failures }
}

/**
 * Merges what all parts of an exploration have reported, in any order. Resolves to the report of the whole, as one
 * process would have made it, or throws the failure that it would have thrown.
 *
 * @param texts What the option `report` got, of each part.
 * @throws TickchainError `invariantBroken`, `assertionFailed`, `actionThrew` or `storyHung`, with the story in its field
 *   story;
 *   `invalidPart` if parts are missing, twice, or of different explorations
 * @see docs/explore.md
 * @example
 * const options = { actions: {}, run: {}, invariants: {}, runs: 10 }
 * const texts = []
 * for (const shard of ['1/2', '2/2']) await explore(chain, { ...options, shard, report: (text) => texts.push(text) })
 * merge(texts).runs // => 10
 */
export function merge<Report = ExploreReport>(texts: readonly string[]): Report {
  if (!Array.isArray(texts)) refuse(`expected the texts of all parts as an array, got ${describe(texts)}`)
  const part = joinParts(texts.map(parsePart))
  const counts = countRuns(part.shards)
  const missing = [...counts.keys()].filter((run) => counts[run] === 0)
  const names = missing.map((index) => nameShard({ index, of: counts.length }))
  if (missing.length > 0) refuse(`of the whole, ${names.slice(0, 10).join(', ')} is missing`)
  const [first, ...others] = part.failures
  if (first !== undefined) throw errorOf(first, undefined, others)
  return kindOf(part).report(part.counts) as Report
}
