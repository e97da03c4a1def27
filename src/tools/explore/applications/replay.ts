// A saved story, performed again: the regression test of a failure.

import { within } from '../limit.ts'
import { errorOf } from '../parts.ts'
import { planOf } from './options.ts'
import { createPlayer, createProgress, type Failure, hungIn, play } from './player.ts'
import type { ReplayReport, Scene } from './scene.ts'
import { type Explorable, openStage } from './stage.ts'
import { readStory, type SavedStory } from './story.ts'
import { tellFailure } from './tell.ts'

/** Performs a story of an application on a clone of the chain; steps that cannot happen any more are left out. */
export async function replayApplication<
  Chain extends Explorable,
  Values extends Record<string, unknown>,
  World = { readonly chain: Chain },
>(chain: Chain, scene: Scene<Chain, World, Values>, story: Partial<SavedStory>): Promise<ReplayReport> {
  const root = await openStage('replay', chain)
  const plan = planOf('replay', root, scene)
  const steps = readStory(plan.scene, root, story)
  const progress = createProgress()
  const impossible: number[] = []
  const run = async (): Promise<Failure | undefined> => {
    const player = await createPlayer(plan.scene, root, Number.MAX_SAFE_INTEGER, progress)
    let position = -1
    const counted = {
      ...player,
      async perform(step: (typeof steps)[number]) {
        position++
        const outcome = await player.perform(step)
        if (outcome === false) impossible.push(position)
        return outcome
      },
    }
    return play(counted as typeof player, steps)
  }
  const ended = await within(plan.limitMs, run)
  if (ended === undefined) progress.stop()
  const failed = ended === undefined ? hungIn(progress.doing, plan.limitMs) : ended.value
  if (failed === undefined) return { steps: progress.steps.length, impossible }
  const telling = { ...plan, root, reorgDepth: Number.MAX_SAFE_INTEGER }
  const told = { failure: failed, steps: progress.steps, at: [0], origin: ', replayed' }
  throw errorOf(await tellFailure(telling, told), failed.error)
}
