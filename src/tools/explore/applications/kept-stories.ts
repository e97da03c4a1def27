// Stories of a corpus: those of earlier runs, which are performed first, and those that come to new orders of steps.

import { TickchainError } from '../../../core/primitives/errors.ts'
import { type Kept, nameOfKept, readKept, saveKept } from '../kept.ts'
import type { CausedFailure, Keepable } from '../parts.ts'
import type { SearchPlan } from './options.ts'
import type { SavedStory, Step } from './scene.ts'
import type { Stage } from './stage.ts'
import { nameOf, ordersIn, readStory, writeStory } from './story.ts'

type Files = readonly (readonly [name: string, text: string])[]

export function openKeptStories(plan: SearchPlan, root: Stage, files: Files) {
  const { scene } = plan
  const { kept, warnings } = readKept(files, (story: Partial<SavedStory>) => readStory(scene, root, story))
  const sequences: Keepable[] = []
  const known = new Set<string>()
  /** The text of a story for a file; `undefined` if JSON cannot hold it. */
  const textOf = (steps: readonly Step[]): string | undefined => {
    try {
      return writeStory(scene, root, undefined, steps)
    } catch (error) {
      if (error instanceof TickchainError && error.kind === 'invalidStory') return undefined
      throw error
    }
  }
  return {
    kept: kept as readonly Kept<Step>[],
    warnings,
    /** Notes what a story has come to, which is one of those that were kept, or a new one. */
    note(steps: readonly Step[], from?: Kept<Step>): void {
      const reached = ordersIn(steps)
      const isNew = plan.corpus !== undefined && reached.some((order) => !known.has(order))
      for (const order of reached) known.add(order)
      const text = from?.text ?? (isNew ? textOf(steps) : undefined)
      if (text === undefined) return
      const { loaded, isFailure = false } = from ?? {}
      const name = loaded ?? nameOfKept(text)
      sequences.push({
        name,
        text,
        isFailure,
        length: steps.length,
        reached,
        ...(loaded !== undefined && { loaded }),
      })
    },
    /** Saves what is worth it, with the failures of this run. */
    async save(failures: readonly CausedFailure[]): Promise<void> {
      const failed = failures.flatMap(([told]): Keepable[] => {
        const { story: text } = told
        return text === undefined
          ? []
          : [{ name: nameOf(told, text), text, isFailure: true, length: 0, reached: [] }]
      })
      await saveKept(plan, [...sequences, ...failed])
    },
  }
}
