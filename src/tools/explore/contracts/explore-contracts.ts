// The search for calls that break contracts.

import type { Emulator } from '../../../core/emulator/api.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { type Hash, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { errorOf, nameShard, PART_FORMAT, type Part, reportPart } from '../parts.ts'
import { keepingStrays } from '../strays.ts'
import { searchAll } from './campaign.ts'
import {
  type ContractsPlan,
  contractsPlanOf,
  type ExploreContractsOptions,
  type ExploreContractsReport,
} from './options.ts'
import { prepare, type Stage } from './prepare.ts'
import { CALLS_WAY } from './way.ts'

/** A digest of what all parts have in common. */
function setUpOf({ scene, root }: Stage, plan: ContractsPlan): Hash {
  const { runs, depth, seed, searches, longestWait, until } = plan
  const { failOnRevert } = scene
  const common = {
    ...{ runs, depth, seed, searches, longestWait, until, senders: scene.senders },
    failOnRevert,
    actions: scene.actions.map(({ contract, address, fn }) => [contract, address, fn.signature]),
    checked: [...scene.checked.map(({ name }) => name), scene.ending?.name, ...Object.keys(scene.invariants)],
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
  const part: Part = {
    ...{
      format: PART_FORMAT,
      way: 'calls',
      shards: [nameShard(plan.shard)],
      counts: undefined,
      failures: [],
    },
    setUp: setUpOf(stage, plan),
  }
  plan.runner?.begin?.(part, part.setUp)
  const { counts, failures, causes, thrown } = await keepingStrays(() => searchAll(stage, plan))
  const [first, ...others] = failures
  if (first === undefined) {
    if (thrown !== undefined) throw thrown
    await reportPart(plan, { ...part, counts })
    return CALLS_WAY.report(counts)
  }
  const error = errorOf(first, causes.get(first), others)
  if (thrown !== undefined) error.message += `\n${textOf((thrown as Error).message)}`
  await reportPart(plan, { ...part, counts, failures }, error)
  throw error
}
