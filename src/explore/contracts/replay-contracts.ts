// A saved sequence of calls, performed again: the regression test of a failure.

import type { Emulator } from '../../emulator/api.ts'
import { load } from '../../primitives/loading.ts'
import type { ReplayReport } from '../applications/scene.ts'
import { createChecks } from './checks.ts'
import { type ContractsScene, contractsPlanOf } from './options.ts'
import { playCalls } from './play.ts'
import { prepare } from './prepare.ts'
import { readCalls, type SavedCalls } from './story.ts'

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
  const played = await playCalls({ machine, root, checks: createChecks(scene, machine) }, calls)
  if (played.broken === undefined) return { steps: played.calls.length, impossible: played.failed }
  const { errorOf, tellPlayed } = await load(import('./tell.ts'))
  throw errorOf(await tellPlayed(stage, played.broken, played, ', replayed', plan.save))
}
