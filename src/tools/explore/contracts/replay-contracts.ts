// A saved sequence of calls, performed again: the regression test of a failure.

import type { Emulator } from '../../../core/emulator/api.ts'
import { load } from '../../../core/primitives/loading.ts'
import type { ReplayReport } from '../applications/scene.ts'
import { whileMoving } from '../limit.ts'
import { errorOf } from '../parts.ts'
import { saveFailure } from '../save.ts'
import { callsOf } from './call.ts'
import { createChecks } from './checks.ts'
import { type ContractsScene, contractsPlanOf } from './options.ts'
import { playCalls } from './play.ts'
import { prepare } from './prepare.ts'
import { hangOf } from './search.ts'
import { nameOfCalls, readCalls, type SavedCalls } from './story.ts'
import { createWatch } from './watch.ts'

const ORIGIN = ', replayed'

/** Performs the calls of a story; those that fail now are left out, and reported. */
export async function replayContracts(
  chain: Emulator,
  options: ContractsScene,
  story: SavedCalls,
): Promise<ReplayReport> {
  const plan = contractsPlanOf(options)
  const stage = await prepare('replay', chain, plan.scene)
  const { machine, scene, root } = stage
  const calls = readCalls(scene, story)
  const watch = createWatch(undefined)
  const ground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  const ended = await whileMoving(plan.limitMs, watch.at, () => playCalls(ground, calls))
  const { sketchCalls, tellPlayed } = await load(import('./tell.ts'))
  if (ended === undefined) {
    const { broken, path } = hangOf(ground, plan.limitMs, 0)
    const told = await saveFailure(plan.save, sketchCalls(stage, broken, callsOf(path), ORIGIN), nameOfCalls)
    throw errorOf({ ...told, at: [] })
  }
  const { broken, ...played } = ended.value
  if (broken === undefined) return { steps: played.calls.length, impossible: played.failed }
  const told = await saveFailure(plan.save, await tellPlayed(stage, broken, ended.value, ORIGIN), nameOfCalls)
  throw errorOf({ ...told, at: [] }, broken.error)
}
