// The search for calls that break contracts, and the replay of a sequence that did.

import type { Emulator } from '../../../core/emulator/api.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import { keccakOfText } from '../../../core/primitives/crypto.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { load } from '../../../core/primitives/loading.ts'
import { errorOf, saveFailure } from '../failures.ts'
import { digestOfFiles, loadFiles } from '../kept.ts'
import { explorePart, whileMoving } from '../loop.ts'
import { callsOf } from './call.ts'
import { hangOf, searchAll } from './campaign.ts'
import { createChecks } from './checks.ts'
import * as plans from './options.ts'
import { createWatch, type Played, playCalls } from './play.ts'
import { type PreparedContracts, prepare } from './prepare.ts'
import { CALLS_PART, nameOfCalls, readCalls } from './story.ts'

/** A digest of everything that all parts have in common. */
function setUpOf(
  { scene, root }: PreparedContracts,
  plan: plans.ContractsPlan,
  corpus: Hash | undefined,
): Hash {
  const { runs, seconds, depth, seed, searches, longestWait, until } = plan
  const { senders, failOnRevert } = scene
  const common = {
    ...{ runs, seconds, depth, seed, searches, longestWait, until, senders, failOnRevert },
    actions: scene.actions.map(({ contract, address, fn }) => [contract, address, fn.signature]),
    checked: [...scene.checked.map(({ name }) => name), scene.ending?.name, ...Object.keys(scene.invariants)],
    numbers: [...scene.maximized.map(({ name }) => name), ...Object.keys(scene.maximize)],
    corpus,
    moment: [root.environment.number, root.environment.timestamp],
  }
  return keccakOfText(JSON.stringify(common))
}

/**
 * Looks for calls that break contracts: sequences of calls of their functions, by several senders, with values and time
 * between, drawn from what the code compares and stores. What reaches a new branch is kept and varied. After every call,
 * assertions (`assert`, events named AssertionFailed), functions named `invariant_…` and `echidna_…`, and `invariants`
 * are checked. The first failure is made as short and simple as possible, and told. The chain stays as it is.
 *
 * @param chain An emulator on which the contracts are deployed; calls begin at its pending block.
 * @param options The contracts, what must hold of them, and how much is tried.
 * @throws TickchainError `invariantBroken`, `assertionFailed` or `storyHung`, with the story in its field story (all of
 *   them, with `until: 'end'`, in stories); `invalidOption`, `coverageUnavailable`, `invalidCall`, `callbackFailed`
 * @see docs/explore.md
 * @example
 * // Stores what it is called with: PUSH1 4, CALLDATALOAD, PUSH0, SSTORE.
 * const address = '0x00000000000000000000000000000000000000c1'
 * await chain.setCode(address, '0x6004355f5500')
 * const abi = [{ type: 'function', name: 'set', inputs: [{ type: 'uint256' }], stateMutability: 'nonpayable' }]
 * const report = await exploreContracts(chain, { contracts: { store: { address, abi } }, runs: 16 })
 * report.broken // => 0
 */
export async function exploreContracts(
  chain: Emulator,
  options: plans.ExploreContractsOptions,
): Promise<plans.ExploreContractsReport> {
  // Before the options: the first argument may be all that is given.
  internalsOf('exploreContracts', chain)
  const plan = plans.contractsPlanOf(options)
  const stage = await prepare('exploreContracts', chain, plan.scene)
  const files = await loadFiles(plan.corpus)
  const setUp = setUpOf(stage, plan, digestOfFiles(files))
  return explorePart(plan, CALLS_PART, setUp, setUp, () =>
    stage.machine.guided(() => searchAll(stage, plan, files)),
  )
}

/** Performs the calls of a story; those that fail now are left out, and reported. */
export async function replayContracts(
  chain: Emulator,
  options: plans.ContractsScene,
  story: Readonly<Record<string, unknown>>,
) {
  const plan = plans.contractsPlanOf(options)
  const stage = await prepare('replay', chain, plan.scene)
  const { machine, scene, root } = stage
  const calls = readCalls(scene, story)
  const watch = createWatch(undefined)
  const ground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  const ended = await whileMoving(plan.limitMs, watch.at, () => playCalls(ground, calls))
  const broken = ended?.value.broken
  if (ended !== undefined && broken === undefined)
    return { steps: ended.value.calls.length, impossible: ended.value.failed }
  const { sketchCalls, tellPlayed } = await load(import('./tell.ts'))
  const told =
    broken === undefined
      ? sketchCalls(stage, hangOf(ground, plan.limitMs), callsOf(watch.at()), ', replayed')
      : await tellPlayed(stage, broken, ended?.value as Played, ', replayed')
  throw errorOf(await saveFailure(plan.save, told, nameOfCalls), broken?.error)
}
