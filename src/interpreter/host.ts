// Context of the opcodes that need state, one per EVM, and account access with its gas (EIP-2929).

import type { Address, Hash } from '../primitives/hex.ts'
import { type Account, EMPTY_ACCOUNT } from '../state/account.ts'
import type { StateWriter } from '../state/state-writer.ts'
import type { Core } from './core.ts'
import type { Costs } from './costs.ts'
import type { Covering } from './covering.ts'
import type { Environment } from './environment.ts'
import type { MessageEvm } from './evm-interface.ts'
import type { Frame } from './frame.ts'
import type { GasWatch } from './gas-watch.ts'
import type { AccessJournal } from './journal.ts'
import type { Noter } from './noter.ts'
import type { Observation } from './observation.ts'
import type { Stepper } from './stepper.ts'
import type { StorageCosts } from './storage-costs.ts'
import type { TransientStorage } from './transient-storage.ts'

export interface Host {
  readonly core: Core
  /** The address where the next frame begins. */
  top: number
  readonly evm: MessageEvm
  readonly writer: StateWriter
  readonly journal: AccessJournal
  readonly transient: TransientStorage
  readonly gasWatch: GasWatch
  /** Of the current execution. */
  observation: Observation | undefined
  /** Tells of steps; only a host for executions whose steps are observed has one. */
  readonly stepper: Stepper | undefined
  /** Tells of the places of steps; only a host for executions of which only these are observed has one. */
  readonly noter: Noter | undefined
  /** Records coverage; only a host for executions whose coverage is recorded has one. */
  readonly covering: Covering | undefined
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

/** Who pays what a frame sends: its account, unless a cheatcode has it come from another. */
export function payerOf(host: Host, { address, message }: Frame): Account {
  return accountAt(host, host.evm.payerOf?.(address, message.depth + 1) ?? address)
}

/** Makes an account warm and returns the gas for its access (EIP-2929). */
export function accessAccount({ journal, costs, covering }: Host, address: Address): number {
  if (covering?.reads.isOn === true) covering.reads.accounts.add(address)
  if (!costs.hasAccessLists) return 0
  if (journal.isWarm(address)) return costs.warmRead
  journal.warmUp(address)
  return costs.coldAccount
}
