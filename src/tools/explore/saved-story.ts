// The file of a story: a format, what broke, and the steps or calls, as JSON.

import { keccak256Hex } from '../../core/primitives/crypto.ts'
import { failure } from '../../core/primitives/errors.ts'
import { type Hash, utf8ToBytes } from '../../core/primitives/hex.ts'
import { textOf } from '../../core/primitives/text-of.ts'
import type { Failure } from './failures.ts'

export function digestOfText(text: string): Hash {
  return keccak256Hex(utf8ToBytes(text))
}

/** The name of a story's file: what failed, and a digest. */
export function nameOfStory(name: string, text: string): string {
  return `${name}-${digestOfText(text).slice(2, 10)}`
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
