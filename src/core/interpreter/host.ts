// Context of the opcodes that need state, one per EVM, and account access with its gas (EIP-2929).

import type { Address, Hash } from '../primitives/hex.ts'
import { type Account, EMPTY_ACCOUNT } from '../state/account.ts'
import type { StateWriter } from '../state/state-writer.ts'
import type { Core } from './core.ts'
import type { Costs, StorageCosts } from './costs.ts'
import type { Environment } from './environment.ts'
import type { EvmAddress } from './evm-address.ts'
import type { Evm } from './evm-interface.ts'
import type { Frame } from './frame.ts'
import type { GasWatch } from './gas-watch.ts'
import type { AccessJournal } from './journal.ts'
import type { EvmCall, Sent } from './message.ts'
import type { Observation } from './observation.ts'
import type { Noter, Stepper } from './stepper.ts'
import type { TransientStorage } from './transient-storage.ts'

export class ReadLog {
  isOn = false
  /** True if the execution has read something that is not told here. */
  isPartial = false
  readsBlock = false
  readonly accounts = new Set<Address>()
  /** The precompiles that say themselves whether they read something, by their addresses without prefix. */
  readonly tellers = new Set<string>()

  begin(account: Address): void {
    this.isOn = true
    this.isPartial = false
    this.readsBlock = false
    this.accounts.clear()
    this.accounts.add(account)
  }
}

/** A frame that the module has begun, and the message that its caller has sent. */
export interface AdoptedFrame {
  readonly sent: Sent
  readonly frame: Frame
  /** The length of the journal, and the checkpoint, before it. */
  readonly journalLength: number
  readonly outerEpoch: number
}

/** Calls that the build for coverage makes itself: callees.ts. */
export interface ModuleCalls {
  readonly openFrame: (host: Host, message: EvmCall) => Frame | undefined
  readonly current: () => number
  readonly currentAddress: () => Address
  readonly check: (host: Host, isOwn: boolean) => boolean
  readonly emit: (host: Host, frame: Frame, log: Operation) => void
  readonly settleLogs: (frame: Frame) => void
  readonly adopt: (host: Host, from: Frame) => readonly AdoptedFrame[]
}

/** The parts of covering.ts that a host needs which records coverage. */
export interface HostCovering {
  readonly callees: ModuleCalls
  readonly reads: ReadLog
  readonly learnCode: (host: Host, address: EvmAddress) => void
  readonly enter: (frame: Frame) => void
  readonly leave: (frame: Frame, reason: number) => void
}

export interface Host {
  readonly core: Core
  /** The address where the next frame begins. */
  top: number
  readonly evm: Evm
  readonly writer: StateWriter
  readonly journal: AccessJournal
  readonly transient: TransientStorage
  readonly gasWatch: GasWatch
  /** The observation of the current execution. */
  observation: Observation | undefined
  /** Tells of steps; only a host for executions whose steps are observed has one. */
  readonly stepper: Stepper | undefined
  /** Tells of the places of steps; only a host for executions of which only these are observed has one. */
  readonly noter: Noter | undefined
  /** Records coverage; only a host for executions whose coverage is recorded has one. */
  readonly covering: HostCovering | undefined
  readonly costs: Costs
  readonly storageCosts: StorageCosts
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
  readonly environment: () => Environment
  /** The block and transaction whose values are cached in linear memory. */
  cachedFor: Environment | undefined
}

/** Executes an opcode and returns its gas. */
export type Operation = (host: Host, frame: Frame) => number

export function accountAt({ writer }: Host, address: Address): Account {
  return writer.current.get(address) ?? EMPTY_ACCOUNT
}

/** Who pays for a creation that a frame sends: its account, unless a cheatcode has it come from another. */
export function payerOf(host: Host, { address, message }: Frame): Account {
  return accountAt(host, host.evm.payerOf?.(address, message.depth + 1) ?? address)
}

/** Makes an account warm and returns the gas for its access (EIP-2929). */
export function accessAccount({ journal, costs, covering }: Host, address: Address): number {
  if (covering?.reads.isOn === true) covering.reads.accounts.add(address)
  if (!costs.hasAccessLists) return 0
  return journal.warmUp(address) ? costs.coldAccount : costs.warmRead
}
