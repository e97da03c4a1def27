// Context of the opcodes that need state, one per EVM, and account access with its gas (EIP-2929).

import type { EVM } from '@ethereumjs/evm'
import type { Address, Hash } from '../primitives/hex.ts'
import { type Account, EMPTY_ACCOUNT } from '../state/account.ts'
import type { StateWriter } from '../state/state-writer.ts'
import type { Core } from './core.ts'
import type { Costs } from './costs.ts'
import type { Environment } from './environment.ts'
import type { Frame } from './frame.ts'
import type { GasWatch } from './gas-watch.ts'
import type { AccessJournal } from './journal.ts'
import type { StepWatch } from './step-watch.ts'
import type { StorageCosts } from './storage-costs.ts'
import type { TransientStorage } from './transient-storage.ts'

export interface Host {
  readonly core: Core
  /** The address where the next frame begins. */
  top: number
  readonly evm: EVM
  readonly writer: StateWriter
  readonly journal: AccessJournal
  readonly transient: TransientStorage
  readonly gasWatch: GasWatch
  readonly stepWatch: StepWatch
  readonly costs: Costs
  readonly storageCosts: StorageCosts
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
  readonly environment: () => Environment
}

/** Executes an opcode and returns its gas. */
export type Operation = (host: Host, frame: Frame) => number

export function accountAt({ writer }: Host, address: Address): Account {
  return writer.current.get(address) ?? EMPTY_ACCOUNT
}

/** Dead as EIP-161 defines it: non-existent or empty. */
export function isDead({ nonce, balance, code }: Account): boolean {
  return nonce === 0n && balance === 0n && code.bytes.length === 0
}

/** Makes an account warm and returns the gas for its access (EIP-2929). */
export function accessAccount({ journal, costs }: Host, address: Address): number {
  if (!costs.hasAccessLists) return 0
  if (journal.isWarm(address)) return costs.warmRead
  journal.warmUp(address)
  return costs.coldAccount
}
