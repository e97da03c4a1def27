// What a search starts with: the contracts of a chain, set up, and the calls that can be made to them.

import type { Emulator } from '../../../core/emulator/api.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import {
  CHEATCODES,
  coverCalls,
  NOTHING_LEFT,
  withCheatcodes,
} from '../../../core/execution/call/cover-calls.ts'
import { environmentWith } from '../../../core/execution/evm/environment.ts'
import type { ExecutionContext } from '../../../core/execution/evm/pooled-evm.ts'
import { requireBlock } from '../../../core/node/lookup.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, bytesToHex } from '../../../core/primitives/hex.ts'
import type { KnownContracts } from '../../../core/rpc/read-context.ts'
import { callSiteAt } from '../../../core/rpc/requests/call-site.ts'
import { readContext, type Session } from '../../../core/rpc/session.ts'
import { withMissesLoaded } from '../../../core/state/miss.ts'
import { NO_STATE_OVERRIDES } from '../../../core/state/overrides.ts'
import { readAccount, type WorldState } from '../../../core/state/world-state.ts'
import { contractIndexOf } from '../../solidity/model/contract-index.ts'
import { deployTest, setUp, targetsOf } from './foundry.ts'
import { createMachine, type Machine, type Moment } from './machine.ts'
import type { ScenePlan } from './options.ts'
import {
  actionsOf,
  checkedFunctions,
  endingOf,
  type KnownContract,
  knownContract,
  type Scene,
  type Target,
  targetOf,
} from './scene.ts'
import { type Selection, selectionOf } from './selection.ts'

export interface Stage {
  readonly session: Session
  readonly known: KnownContracts
  readonly execution: ExecutionContext
  readonly machine: Machine
  /** Whether calls may use Foundry's cheatcodes. */
  readonly hasCheatcodes: boolean
  readonly scene: Scene
  /** After `setUp`. */
  readonly root: Moment
}

const DEFAULT_SENDERS = 3

/** Throws `invalidOption` for a contract that has no code. */
function checkCode({ state }: Moment, targets: readonly Target[]): void {
  for (const { contract } of targets) {
    if (readAccount(state, contract.address).code.bytes.length > 0) continue
    const reason = `there is no contract at ${contract.address}`
    throw failure('invalidOption', { option: `contracts.${contract.name}`, reason })
  }
}

function sendersOf(given: readonly Address[], selection: Selection | undefined): readonly Address[] {
  const chosen = selection === undefined || selection.senders.length === 0 ? given : selection.senders
  const senders = [...new Set(chosen)].filter((each) => selection?.excludedSenders.includes(each) !== true)
  if (senders.length > 0) return senders
  throw failure('invalidOption', { option: 'senders', reason: 'there is no account left to call from' })
}

interface Start {
  readonly machine: Machine
  readonly moment: Moment
  readonly known: KnownContracts
  readonly senders: readonly Address[]
}

/** The contracts that are called and asked, after `setUp`. */
async function sceneOf({ machine, moment, known, senders }: Start, plan: ScenePlan) {
  const given = plan.contracts.map(targetOf)
  checkCode(moment, given)
  const [from] = senders as readonly [Address]
  const deployed = plan.test && (await deployTest(machine, moment, plan.test))
  const test: KnownContract | undefined = deployed && knownContract(deployed.test)
  const root = test === undefined ? moment : await setUp(machine, deployed?.moment ?? moment, test, from)
  const selection = test && (await selectionOf(machine, root, test, from))
  const targets =
    selection === undefined
      ? given
      : targetsOf(
          selection,
          { before: moment, after: root },
          test?.address as Address,
          given,
          contractIndexOf(known),
        )
  const contracts = [...new Set([...targets, ...given].map(({ contract }) => contract))]
  const all = test === undefined ? contracts : [test, ...contracts]
  const scene: Scene = {
    contracts: all,
    actions: actionsOf(targets),
    checked: checkedFunctions(all, test, from),
    ending: endingOf(test, from),
    failOnRevert: plan.failOnRevert,
    invariants: plan.invariants,
    senders: sendersOf(senders, selection),
  }
  return { scene, root }
}

/** Whether the code of a contract has the address of Foundry's cheatcodes. */
function usesCheatcodes(state: WorldState, { contracts, test }: ScenePlan): boolean {
  const addresses = [test?.address, ...contracts.map(({ address }) => address)]
  const codes = addresses.flatMap((address) => (address ? [readAccount(state, address).code.bytes] : []))
  const all = test?.creationCode === undefined ? codes : [test.creationCode, ...codes]
  return all.some((code) => bytesToHex(code).includes(CHEATCODES.slice(2)))
}

/** Sets contracts up; the chain stays as it is. Throws `invalidOption`, `coverageUnavailable`. */
export async function prepare(call: string, chain: Emulator, plan: ScenePlan): Promise<Stage> {
  const { session } = internalsOf(call, chain)
  const { known, node } = session
  const context = readContext(session, node.state)
  const view = requireBlock(context.config, context.state, 'pending')
  const site = callSiteAt(context, view, NO_STATE_OVERRIDES, undefined)
  const { execution, environment } = site
  const hasCheatcodes = await withMissesLoaded(() => usesCheatcodes(site.state, plan))
  const state = hasCheatcodes ? withCheatcodes(site.state) : site.state
  // A copy, because engines are slow to copy getters, and each moment has an environment of its own.
  const moment = {
    state,
    environment: environmentWith(environment, { baseFeePerGas: 0n }),
    left: NOTHING_LEFT,
  }
  const blockTimeS = Math.max(1, Math.floor(chain.settings.blockTimeMs / 1000))
  const machine = createMachine(await coverCalls(execution, hasCheatcodes), blockTimeS)
  const senders = plan.senders ?? (await chain.listAccounts()).slice(0, DEFAULT_SENDERS)
  sendersOf(senders, undefined)
  const stage = { session, known, execution, machine, hasCheatcodes }
  return { ...stage, ...(await sceneOf({ machine, moment, known, senders }, plan)) }
}
