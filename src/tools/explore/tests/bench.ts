// The chain on which tests run, with the block and the accounts that forge gives them.

import { internalsOf } from '../../../core/emulator/internals.ts'
import type { EmulatorOptions } from '../../../core/emulator/options/options.ts'
import { type BlockEnvironment, environmentWith } from '../../../core/execution/evm/environment.ts'
import type { ExecutionContext } from '../../../core/execution/evm/pooled-evm.ts'
import { requireBlock } from '../../../core/node/lookup.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, type Hash, utf8ToBytes } from '../../../core/primitives/hex.ts'
import type { KnownContracts } from '../../../core/rpc/read-context.ts'
import { callSiteAt } from '../../../core/rpc/requests/call-message.ts'
import { readContext, type Session } from '../../../core/rpc/session.ts'
import { NO_STATE_OVERRIDES } from '../../../core/state/overrides.ts'
import { updateAccount } from '../../../core/state/world-state.ts'
import { withCheatcodes } from '../../cheatcodes/addresses.ts'
import { NO_CHEATS } from '../../cheatcodes/cheat-state.ts'
import { createEmulator } from '../../solidity/create-emulator.ts'
import type { Position } from '../contracts/call.ts'
import { createMachine, haltOf, type Machine } from '../contracts/machine.ts'
import { createdBetween } from '../contracts/selection.ts'
import type { ProjectSettings } from './settings.ts'
import { creationCodeOf, LIBRARY_DEPLOYER, type TestArtifact } from './suites.ts'

/** Everything that tests are run with. */
export interface Bench {
  readonly session: Session
  readonly known: KnownContracts
  readonly execution: ExecutionContext
  readonly machine: Machine
  readonly hasCheatcodes: true
  /** Before a test contract is deployed. */
  readonly root: Position
  /** Who deploys test contracts and calls tests. */
  readonly sender: Address
  /** Libraries that are linked into the contracts. Tests rely on their addresses not being drawn. */
  readonly libraries: readonly Address[]
  /** The texts in the sources of the project. */
  readonly texts: () => readonly string[]
}

/** The result of BLOCKHASH in forge where there is no chain: the hash of the number in digits. */
function blockHashOf(number: number): Hash {
  return keccak256Hex(utf8ToBytes(`${number}`))
}

/** The block of forge. Settings of the block that a project gives count on other chains as well. */
function blockOf(
  environment: BlockEnvironment,
  settings: ProjectSettings,
  isForges: boolean,
): BlockEnvironment {
  const own = {
    block_number: { number: Number(settings.block_number) },
    block_timestamp: { timestamp: Number(settings.block_timestamp) },
    block_base_fee_per_gas: { baseFeePerGas: BigInt(settings.block_base_fee_per_gas) },
    block_coinbase: { coinbase: settings.block_coinbase.toLowerCase() as Address },
    block_prevrandao: { prevRandao: settings.block_prevrandao.toLowerCase() as Hash },
    block_difficulty: { difficulty: BigInt(settings.block_difficulty) },
  }
  const changes = Object.entries(own).filter(([name]) => isForges || settings.given.has(name))
  const gasLimit = BigInt(settings.block_gas_limit) || BigInt(settings.gas_limit)
  const given = Object.assign({}, ...changes.map(([, value]) => value)) as Partial<BlockEnvironment>
  return environmentWith(environment, { baseFeePerGas: 0n, ...given, gasLimit })
}

/** The options of the chain: the test's, or those of a chain like forge's. */
function chainOptions(chain: EmulatorOptions | undefined, settings: ProjectSettings): EmulatorOptions {
  const hardfork = settings.evm_version as NonNullable<EmulatorOptions['hardfork']>
  const ofForge: EmulatorOptions = { chainId: Number(settings.chain_id), hardfork, accounts: [] }
  const given = chain ?? ofForge
  const predeploys = [...new Set([...(given.predeploys ?? []), 'create2' as const])]
  return { ...given, ...(given.fork === undefined && { predeploys }), allowUnlimitedContractSize: true }
}

async function withLibraries(
  machine: Machine,
  root: Position,
  libraries: readonly TestArtifact[],
): Promise<Position> {
  let position = root
  for (const [nonce, library] of libraries.entries()) {
    // A creation of a message counts with the nonce that its sender has after it.
    const state = updateAccount(position.state, LIBRARY_DEPLOYER, { nonce: BigInt(nonce + 1) })
    const code = creationCodeOf(library)
    const called =
      typeof code === 'string'
        ? code
        : await machine.call({ ...position, state }, LIBRARY_DEPLOYER, undefined, code)
    if (typeof called === 'string' || called.result.outcome !== 'success') {
      const reason = typeof called === 'string' ? called : haltOf(called.result)
      throw failure('invalidOption', { option: `${library.file}:${library.name}`, reason })
    }
    position = called.after
  }
  return position
}

/** Starts a chain for tests. Throws `invalidOption` for options that it does not have. */
export async function createBench(
  chain: EmulatorOptions | undefined,
  settings: ProjectSettings,
  libraries: readonly TestArtifact[],
  texts: Bench['texts'],
): Promise<Bench> {
  const emulator = await createEmulator(chainOptions(chain, settings))
  const { session } = internalsOf('runSolidityTests', emulator)
  const context = readContext(session, session.node.state)
  const site = callSiteAt(
    context,
    requireBlock(context.config, context.state, 'pending'),
    NO_STATE_OVERRIDES,
    undefined,
  )
  const isForges = chain === undefined
  const execution = isForges ? { ...site.execution, blockHashOf } : site.execution
  const gasLimit = BigInt(settings.gas_limit)
  const machine = await createMachine(execution, true, 1, gasLimit)
  const sender = settings.sender.toLowerCase() as Address
  const balance = BigInt(settings.initial_balance)
  const before = {
    state: updateAccount(withCheatcodes(site.state), sender, { balance }),
    environment: blockOf(site.environment, settings, isForges),
    cheats: NO_CHEATS,
  }
  const root = await withLibraries(machine, before, libraries)
  return {
    ...{ session, known: session.known, execution, machine, hasCheatcodes: true, sender },
    texts,
    root,
    libraries: createdBetween(before, root),
  }
}
