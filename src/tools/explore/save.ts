// Stories of failures, saved by an option of the user.

import { textOf } from '../../core/primitives/text-of.ts'
import type { SaveOptions } from './applications/scene.ts'
import type { ToldFailure } from './parts.ts'

/** Saves the story of a failure, which then tells the path that `save` has returned, or what it has thrown. */
export async function saveFailure<Told extends Omit<ToldFailure, 'at'>>(
  save: SaveOptions['save'],
  failed: Told,
  nameOf: (failed: Omit<ToldFailure, 'at'>, story: string) => string,
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
