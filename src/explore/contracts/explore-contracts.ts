// The search for calls that break contracts.

import type { Emulator } from '../../emulator/api.ts'
import type { Address } from '../../primitives/hex.ts'
import { bytesToBigInt } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { textOf } from '../../primitives/text-of.ts'
import { readAccount } from '../../state/world-state.ts'
import { NO_CALLS } from './call.ts'
import { createChecks } from './checks.ts'
import { type Corpus, createCorpus } from './corpus.ts'
import { constantsOf } from './dictionary.ts'
import {
  type ContractsPlan,
  contractsPlanOf,
  type ExploreContractsOptions,
  type ExploreContractsReport,
} from './options.ts'
import { prepare, type Stage } from './prepare.ts'
import type { Explorer, Failure } from './run.ts'
import { search } from './search.ts'

const MOST_STORED = 256

/** Learns the constants of the contracts' code, and what is in their storage. */
function learn({ dictionary }: Corpus, { root, scene }: Stage): void {
  for (const { address } of scene.contracts) {
    const { code, storage } = readAccount(root.state, address)
    for (const value of constantsOf(code.bytes)) dictionary.add(value)
    let left = MOST_STORED
    for (const value of storage.values()) if (left-- > 0) dictionary.add(bytesToBigInt(value))
  }
}

/** Everything that a run needs. */
function createExplorer(stage: Stage, { seed, depth, longestWait }: ContractsPlan): Explorer {
  const { machine, scene, root } = stage
  const corpus = createCorpus(root)
  learn(corpus, stage)
  const { actions, senders, contracts } = scene
  const addresses: Address[] = [...senders, ...contracts.map(({ address }) => address)]
  const { dictionary } = corpus
  const source = { actions, senders, longestWait, addresses, dictionary }
  return { machine, checks: createChecks(scene, machine), corpus, source, seed, depth }
}

/** What does not hold before the first call. */
async function brokenAtFirst({ checks, corpus, machine }: Explorer, stage: Stage): Promise<Failure[]> {
  const broken = await checks.ofMoment(stage.root, new Set())
  corpus.edges += machine.coverage.take().length
  return broken === undefined ? [] : [{ broken, path: NO_CALLS, run: 0 }]
}

/**
 * Looks for calls that break contracts: sequences of calls of their functions, by several senders, with values and time
 * between, drawn from what the code compares and stores. What reaches a new branch is kept and varied. After every call,
 * assertions (`assert`, events named AssertionFailed), functions named `invariant_…` and `echidna_…`, and `invariants`
 * are checked. The first failure is made as short and simple as possible, and told. The chain stays as it is.
 *
 * @param chain An emulator on which the contracts are deployed; calls begin at its pending block.
 * @param options The contracts, what must hold of them, and how much is tried.
 * @throws TickchainError `invariantBroken` or `assertionFailed`, with the story in its field story (all of them, with
 *   `until: 'end'`, in stories); `invalidOption`, `coverageUnavailable`, `invalidCall`, `callbackFailed`
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
  const plan = contractsPlanOf(options)
  const stage = await prepare('exploreContracts', chain, plan.scene)
  const explorer = createExplorer(stage, plan)
  const atFirst = await brokenAtFirst(explorer, stage)
  const { tellFailures } = await load(import('./tell.ts'))
  if (atFirst.length > 0) throw await tellFailures(stage, explorer, plan, atFirst)
  const { runs, until } = plan
  const tell = (report: ExploreContractsReport) => plan.progress?.({ ...report, of: runs })
  const { failures, report, thrown } = await search(explorer, { runs, until, tell })
  if (failures.length > 0) {
    const error = await tellFailures(stage, explorer, plan, failures)
    if (thrown !== undefined) error.message += `\n${textOf((thrown as Error).message)}`
    throw error
  }
  if (thrown !== undefined) throw thrown
  return report
}
