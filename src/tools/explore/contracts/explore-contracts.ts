// The search for calls that break contracts, and the replay of a sequence that did.

import type { Emulator } from '../../../core/emulator/api.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { type Hash, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { load } from '../../../core/primitives/loading.ts'
import { digestOfFiles, loadFiles } from '../kept.ts'
import { whileMoving } from '../limit.ts'
import { endLoop } from '../loop.ts'
import { errorOf, newPart, saveFailure } from '../parts.ts'
import { keepingStrays } from '../strays.ts'
import { callsOf } from './call.ts'
import { hangOf, searchAll } from './campaign.ts'
import { createChecks } from './checks.ts'
import {
  type ContractsPlan,
  type ContractsScene,
  contractsPlanOf,
  type ExploreContractsOptions,
  type ExploreContractsReport,
  type SavedCalls,
} from './options.ts'
import { createWatch, playCalls } from './play.ts'
import { type PreparedContracts, prepare } from './prepare.ts'
import { CALLS_PART, nameOfCalls, readCalls } from './story.ts'

/** A digest of everything that all parts have in common. */
function setUpOf({ scene, root }: PreparedContracts, plan: ContractsPlan, corpus: Hash | undefined): Hash {
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
  return keccak256Hex(utf8ToBytes(JSON.stringify(common)))
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
  options: ExploreContractsOptions,
): Promise<ExploreContractsReport> {
  // Before the options: the first argument may be all that is given.
  internalsOf('exploreContracts', chain)
  const plan = contractsPlanOf(options)
  const stage = await prepare('exploreContracts', chain, plan.scene)
  const files = await loadFiles(plan.corpus)
  const part = newPart('calls', plan.shard, setUpOf(stage, plan, digestOfFiles(files)))
  plan.runner?.begin?.(part, part.setUp)
  const search = () => searchAll(stage, plan, files)
  const over = await keepingStrays(() => stage.machine.guided(search))
  return endLoop(plan, part, CALLS_PART, over.counts, over)
}

const ORIGIN = ', replayed'

/** Performs the calls of a story; those that fail now are left out, and reported. */
export async function replayContracts(chain: Emulator, options: ContractsScene, story: Partial<SavedCalls>) {
  const plan = contractsPlanOf(options)
  const stage = await prepare('replay', chain, plan.scene)
  const { machine, scene, root } = stage
  const calls = readCalls(scene, story)
  const watch = createWatch(undefined)
  const ground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  const ended = await whileMoving(plan.limitMs, watch.at, () => playCalls(ground, calls))
  const { sketchCalls, tellPlayed } = await load(import('./tell.ts'))
  if (ended === undefined) {
    const [hung, path] = hangOf(ground, plan.limitMs)
    const told = await saveFailure(plan.save, sketchCalls(stage, hung, callsOf(path), ORIGIN), nameOfCalls)
    throw errorOf({ ...told, at: [] })
  }
  const { broken, ...played } = ended.value
  if (broken === undefined) return { steps: played.calls.length, impossible: played.failed }
  const told = await saveFailure(plan.save, await tellPlayed(stage, broken, ended.value, ORIGIN), nameOfCalls)
  throw errorOf({ ...told, at: [] }, broken.error)
}
