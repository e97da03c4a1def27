// Sequences that one exploration keeps for the next: what they are kept for, and which of them are worth it.

import { keccakOfText } from '../../core/primitives/crypto.ts'
import { failure } from '../../core/primitives/errors.ts'
import type { Hash } from '../../core/primitives/hex.ts'
import { describe, textOf } from '../../core/primitives/text-of.ts'
import { identityCodec } from '../../core/rpc/codecs/basic.ts'
import type { CorpusOptions, CorpusStore } from './part-options.ts'
import type { Keepable, PartRunner } from './parts.ts'

export type CorpusFile = readonly [name: string, text: string]

export interface Kept<Item> extends Pick<Keepable, 'text'> {
  readonly loaded: string
  readonly isFailure: boolean
  readonly items: readonly Item[]
}

export const aCorpus = identityCodec(
  'a Map of texts by names, or what corpusFolder returns',
  (value): value is Map<string, string> | CorpusStore => {
    const { load, save } = (value ?? {}) as Partial<CorpusStore>
    return value instanceof Map || (typeof load === 'function' && typeof save === 'function')
  },
)

function storeOf(corpus: Map<string, string> | CorpusStore): CorpusStore {
  if (!(corpus instanceof Map)) return corpus
  return {
    load: () => new Map(corpus),
    save(kept, dropped) {
      for (const name of dropped) corpus.delete(name)
      for (const [name, text] of kept) corpus.set(name, text)
    },
  }
}

async function asked<Value>(callback: string, ask: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    throw failure('callbackFailed', { callback: `corpus.${callback}`, reason: textOf(error) })
  }
}

/** The files of a corpus, in the order of their texts: names depend on the machine, if somebody has changed them. */
export async function loadFiles(corpus: CorpusOptions['corpus'] | undefined): Promise<CorpusFile[]> {
  if (corpus === undefined) return []
  const files = await asked('load', storeOf(corpus).load)
  const reason = `expected a Map, got ${describe(files)}`
  if (!(files instanceof Map)) throw failure('callbackFailed', { callback: 'corpus.load', reason })
  // Files end in a line feed, or what git makes of it.
  const trimmed = [...files].map(([name, text]): CorpusFile => [name, `${text}`.trimEnd()])
  return trimmed.sort(([, a], [, b]) => (a < b ? -1 : 1))
}

/** The name of a file for a sequence that did not fail. */
export function nameOfKept(text: string): string {
  return `kept-${keccakOfText(text).slice(2, 18)}`
}

export function digestOfFiles(files: readonly CorpusFile[]): Hash | undefined {
  return files.length === 0 ? undefined : keccakOfText(files.map(([, text]) => text).join())
}

/** The sequences of a corpus; one for which `read` throws `invalidStory` is left as it is, with a warning. */
export function readKept<Item>(
  files: readonly CorpusFile[],
  read: (story: Readonly<Record<string, unknown>>) => readonly Item[],
) {
  const kept: Kept<Item>[] = []
  const warnings: string[] = []
  for (const [loaded, text] of files) {
    try {
      const story: Readonly<Record<string, unknown>> = JSON.parse(text) ?? {}
      kept.push({ loaded, text, isFailure: story['broke'] !== undefined, items: read(story) })
    } catch (error) {
      warnings.push(
        `${loaded} of the corpus is not used: ${error instanceof Error ? error.message : textOf(error)}`,
      )
    }
  }
  return { kept, warnings }
}

/** The failures, and of the others those that reach what no other does; long ones are given up first. */
export function prune(sequences: readonly Keepable[]): Keepable[] {
  // One that was loaded comes before the same one that was found again.
  const byText = new Map([...sequences].reverse().map((each) => [each.text, each] as const))
  const all = [...byText.values()].sort((a, b) => b.length - a.length || (a.text < b.text ? 1 : -1))
  const counts = new Map<number | string, number>()
  const count = ({ reached }: Keepable, by: number): void => {
    for (const each of reached) counts.set(each, (counts.get(each) ?? 0) + by)
  }
  for (const each of all) count(each, 1)
  return all.filter((each) => {
    const isNeeded = each.isFailure || each.reached.some((one) => counts.get(one) === 1)
    if (!isNeeded) count(each, -1)
    return isNeeded
  })
}

/** Saves what is worth it, or hands it to the process that began a worker. */
export async function saveKept(
  { corpus, runner }: { corpus: CorpusOptions['corpus'] | undefined; runner: PartRunner | undefined },
  sequences: readonly Keepable[],
): Promise<void> {
  if (runner?.onKept !== undefined) runner.onKept(sequences)
  else if (corpus !== undefined) {
    const kept = new Map(prune(sequences).map(({ name, loaded = name, text }) => [loaded, text] as const))
    const dropped = sequences.flatMap(({ loaded = '' }) => (loaded === '' || kept.has(loaded) ? [] : loaded))
    await asked('save', () => storeOf(corpus).save(kept, [...new Set(dropped)]))
  }
}
