// The sequences of calls that a campaign keeps for the next run.

import { nameOfKept, type readKept, saveKept } from '../kept.ts'
import { whileMoving } from '../limit.ts'
import type { Keepable } from '../parts.ts'
import { type Call, callsOf, type Path } from './call.ts'
import type { CountedMaxima } from './counts.ts'
import type { ContractsPlan, SavedCalls } from './options.ts'
import { type Playground, playCalls } from './play.ts'
import type { ContractScene } from './scene.ts'
import { nameOfCalls, readCalls, storyOf, writeCall } from './story.ts'

export interface KeptCalls {
  readonly plan: ContractsPlan
  readonly ground: Playground
  readonly scene: ContractScene
  readonly corpus: ReturnType<typeof readKept<Call>>
  /** The shortest calls by which each branch was reached first. */
  readonly paths: Map<number, Path>
}

/** Keeps paths of branches, if there is a corpus to add them to. */
export function noteReached({ plan, paths }: KeptCalls, slots: readonly number[], path: Path): void {
  if (plan.corpus === undefined) return
  for (const slot of slots) {
    const known = paths.get(slot)
    if (known === undefined || path.length < known.length) paths.set(slot, path)
  }
}

/** Saves the corpus: all of it is performed once more, to see what each sequence reaches. */
export async function saveCorpus(
  { plan, ground, scene, corpus, paths }: KeptCalls,
  base: readonly number[],
  stories: readonly string[],
  maxima: CountedMaxima,
): Promise<void> {
  const { watch, machine } = ground
  if (plan.corpus === undefined || watch.isCut()) return
  const failures = stories.map((text) => {
    const story = JSON.parse(text) as SavedCalls
    return {
      name: nameOfCalls(story.broke, text),
      text,
      isFailure: true,
      items: readCalls(scene, story),
    }
  })
  const found = [...new Set(paths.values())].map((path) => {
    const items = callsOf(path)
    const text = storyOf(undefined, items.map(writeCall))
    return { name: nameOfKept(text), text, isFailure: false, items }
  })
  // Not given up until there is a larger one.
  const largest = Object.values(maxima).map(({ calls }) => {
    const text = storyOf(undefined, calls)
    return { name: nameOfKept(text), text, isFailure: true, items: readCalls(scene, JSON.parse(text)) }
  })
  const loaded = corpus.kept.map((each) => ({ ...each, name: each.loaded }))
  const sequences: Keepable[] = []
  machine.coverage.learn(base)
  const performAll = async (): Promise<true> => {
    for (const { items, ...each } of [...largest, ...loaded, ...found, ...failures]) {
      // No failure is looked for, so that all calls are made.
      const { reached } = await playCalls(ground, items, '')
      sequences.push({ ...each, length: items.length, reached })
    }
    return true
  }
  if ((await whileMoving(plan.limitMs, watch.at, performAll)) === undefined) return
  await saveKept(plan, sequences)
}
