// The start of a search: the contracts of a chain, set up, and the calls that can be made to them.

import type { Emulator } from '../../../core/emulator/api.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import { CHEATCODES, environmentWith } from '../../../core/execution/evm/pooled-evm.ts'
import { type CodeOf, joinProbes } from '../../../core/execution/trace/probe.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, bytesToHex } from '../../../core/primitives/hex.ts'
import { callSiteIn } from '../../../core/rpc/requests/call-message.ts'
import { type KnownContracts, readContext } from '../../../core/rpc/session.ts'
import { withMissesLoaded } from '../../../core/state/overlay-map.ts'
import { hasCode, readAccount, updateAccount, type WorldState } from '../../../core/state/world-state.ts'
import { withCheatcodes } from '../../cheatcodes/addresses.ts'
import { NO_CHEATS } from '../../cheatcodes/cheat-state.ts'
import { contractIndexOf } from '../../solidity/model/contract-index.ts'
import { makeCall, type Position } from './call.ts'
import { createMachine, haltOf, type Machine } from './machine.ts'
import type { DecodedTest, ScenePlan } from './options.ts'
import * as scenes from './scene.ts'
import { createdTargets, refuseSelection, selectionOf, type TargetSelection, targetsOf } from './selection.ts'

export type PreparedContracts = Awaited<ReturnType<typeof prepare>>

const DEFAULT_SENDERS = 3

/** Throws `invalidOption` for a contract that has no code. */
function checkCode({ state }: Position, targets: readonly scenes.Target[]): void {
  for (const { contract } of targets) {
    if (hasCode(state, contract.address)) continue
    const reason = `there is no contract at ${contract.address}`
    throw failure('invalidOption', { option: `contracts.${contract.name}`, reason })
  }
}

/** Those who call: those that the test chooses and does not exclude, else those given, and seldom the others. */
function sendersOf(
  given: readonly Address[],
  selection: TargetSelection | undefined,
  others: readonly Address[] = [],
): Pick<scenes.ContractScene, 'senders' | 'frequent'> {
  const { targetSenders = [], excludeSenders = [] } = selection ?? {}
  const left = (from: readonly Address[]) =>
    [...new Set(from)].filter((each) => !excludeSenders.includes(each))
  const chosen = left(targetSenders)
  if (chosen.length > 0) return { senders: chosen, frequent: chosen }
  const [frequent, senders] = [left(given), left([...given, ...others])]
  if (senders.length > 0) return { senders, frequent: frequent.length > 0 ? frequent : senders }
  throw failure('invalidOption', { option: 'senders', reason: 'there is no account left to call from' })
}

/** The account that deploys a test with forge. */
const DEPLOYER: Address = '0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38'

type DeployedTest = Awaited<ReturnType<typeof deployTest>>

/** Deploys a test contract that is not on the chain. Throws `invalidOption` if that fails. */
async function deployTest(machine: Machine, position: Position, test: DecodedTest) {
  const { creationCode, address } = test
  if (address !== undefined) return { position, contract: scenes.knownContract({ ...test, address }) }
  // The nonce of the creation, which is counted already.
  const state = updateAccount(position.state, DEPLOYER, { nonce: 2n })
  const { result, after } = await machine.call({ ...position, state }, DEPLOYER, undefined, creationCode)
  const { contractAddress } = result
  if (result.outcome !== 'success' || contractAddress === undefined) {
    refuseSelection(
      `its constructor fails: ${haltOf(result, scenes.knownContract({ ...test, address: DEPLOYER }).errors)}`,
    )
  }
  return { position: after, contract: scenes.knownContract({ ...test, address: contractAddress }) }
}

/** Runs `setUp`, if the contract has it; throws `invalidOption` if it fails. */
async function setUp(machine: Machine, { contract: test, position }: DeployedTest, sender: Address) {
  const { address, name: contract } = test
  if (readAccount(position.state, address).code.bytes.length === 0)
    refuseSelection(`there is no contract at ${address}`)
  const fn = test.functions.find(({ signature }) => signature === 'setUp()')
  if (fn === undefined) return position
  const action = scenes.actionOf(-1, contract, address, fn)
  const outcome = await machine.perform(position, makeCall(action, sender, [], 0n, 0))
  if (outcome === undefined || outcome.result.outcome !== 'success')
    refuseSelection(`setUp() fails: ${outcome === undefined ? '' : haltOf(outcome.result, test.errors)}`)
  return outcome.position
}

interface SetUpTest {
  /** True if targets that nobody knows are left out, calls send no ether, and what calls create may be called. */
  readonly isLikeForge?: boolean
  readonly machine: Machine
  readonly known: KnownContracts
  readonly senders: readonly Address[]
  /** Who else calls, but seldom. */
  readonly others?: readonly Address[]
  /** Before the test was deployed, and after its `setUp`. */
  readonly before: Position
  readonly root: Position
  readonly test: scenes.KnownContract | undefined
  readonly from: Address
}

export async function sceneAfterSetUp(
  { machine, known, senders, others, before, root, test, from, isLikeForge = false }: SetUpTest,
  given: readonly scenes.Target[],
  { failOnRevert, invariants, maximize }: Pick<ScenePlan, 'failOnRevert' | 'invariants' | 'maximize'>,
): Promise<scenes.ContractScene> {
  const selection = test && (await selectionOf(machine, root, test, from))
  const candidates = {
    ...{ before, after: root, test: test?.address, given },
    index: contractIndexOf(known),
    skipsUnknown: isLikeForge,
  }
  const withoutEther = (targets: readonly scenes.Target[]) =>
    isLikeForge ? targets.map(scenes.withoutEther) : targets
  const targets = withoutEther(selection ? targetsOf(selection, candidates) : given)
  const contracts = [...new Set([...targets, ...given].map(({ contract }) => contract))]
  const all = test === undefined ? contracts : [test, ...contracts]
  const actions = scenes.actionsOf(targets)
  const isOpen =
    isLikeForge && selection?.targetContracts.length === 0 && root.cheats.activeFork === undefined
  const later = (old: Position, now: Position) =>
    isOpen ? withoutEther(createdTargets(selection, { ...candidates, before: old, after: now })) : []
  return {
    contracts: all,
    actions,
    laterActions: isOpen ? scenes.actionsOfLater(actions.length, later) : undefined,
    checked: scenes.checkedFunctions(all, test, from),
    ending: scenes.endingOf(test, from),
    failOnRevert,
    invariants,
    maximize,
    maximized: scenes.maximizedFunctions(all, from),
    ...sendersOf(senders, selection, others),
  }
}

function usesCheatcodes(state: WorldState, { contracts, test }: ScenePlan): boolean {
  const addresses = [test?.address, ...contracts.map(({ address }) => address)]
  const codes = addresses.map((address) => address && readAccount(state, address).code.bytes)
  return [test?.creationCode, ...codes].some((code) => code && bytesToHex(code).includes(CHEATCODES.slice(2)))
}

/** Sets contracts up; the chain stays as it is. Throws `invalidOption`, `coverageUnavailable`. */
export async function prepare(call: string, chain: Emulator, plan: ScenePlan) {
  const { session } = internalsOf(call, chain)
  const { known, node } = session
  const site = callSiteIn(readContext(session, node.state), 'pending')
  const { execution, environment } = site
  const hasCheatcodes = await withMissesLoaded(() => usesCheatcodes(site.state, plan))
  const state = hasCheatcodes ? withCheatcodes(site.state) : site.state
  // A copy, because engines are slow to copy getters, and each position has an environment of its own.
  const block = environmentWith(environment, { baseFeePerGas: 0n })
  const { blockTimeMs } = chain.settings
  const before: Position = { state, environment: block, cheats: { ...NO_CHEATS, blockTimeMs } }
  const blockTimeS = Math.max(1, Math.floor(blockTimeMs / 1000))
  const probe = joinProbes(node.config.probes)
  // Calls that are only tried have no gas in reports.
  const begin = probe && ((codeOf: CodeOf) => ({ observer: probe.begin('call', codeOf).observer }))
  const machine = await createMachine(execution, hasCheatcodes, blockTimeS, undefined, begin)
  const senders = plan.senders ?? (await chain.listAccounts()).slice(0, DEFAULT_SENDERS)
  const [from] = sendersOf(senders, undefined).senders as readonly [Address]
  const given = plan.contracts.map(scenes.targetOf)
  checkCode(before, given)
  const deployed = plan.test && (await deployTest(machine, before, plan.test))
  const root = deployed === undefined ? before : await setUp(machine, deployed, from)
  const made = { machine, known, senders, before, root, test: deployed?.contract, from }
  const scene = await sceneAfterSetUp(made, given, plan)
  return { session, known, execution, machine, hasCheatcodes, scene, root }
}
