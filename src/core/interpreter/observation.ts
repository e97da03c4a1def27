// The observation of an execution: the observer, and what the interpreters note down for it.

import type { EVMResult, InterpreterStep } from '@ethereumjs/evm'
import { type Address, EMPTY_BYTES } from '../primitives/hex.ts'
import type { Message } from './message.ts'
import type { Observer } from './observer.ts'

/** The gas that a message pays for its account, beyond the static gas, and for the delegate of the account (EIP-7702). */
export interface CallAccess {
  readonly account: number
  readonly delegate: number
}

/** Steps of frames that run on the interpreter of @ethereumjs. */
export interface ReferenceSteps {
  readonly begin: (message: Message) => void
  readonly step: (step: InterpreterStep) => void
  readonly end: (result: EVMResult['execResult']) => void
}

export interface Observation {
  readonly observer: Observer
  readonly hasSteps: boolean
  /** True if only places of steps are asked for. */
  readonly hasPlaces: boolean
  /** The refund of authorizations (EIP-7702), which are applied before the first message. */
  authorizationRefund: number
  /** The opcode that sends the next message. */
  messageOpcode: number
  /** Why the frame that ends now has failed, in geth's words, if the interpreter knows more than its error. */
  failure: string | undefined
  /** The cost of the opcode in execution, if it fails with it. */
  failedCost: number | undefined
  /** The accesses of the message in execution, as they were before they made the accounts warm. */
  access: CallAccess | undefined
  /** Set while a frame runs on the interpreter of @ethereumjs. */
  reference: ReferenceSteps | undefined
  /** Tells of a message that does not begin. */
  readonly refuse: (message: Message, error: string) => void
}

export interface ObservedEvm {
  current: Observation | undefined
  /** Loads what steps need. */
  readonly prepareSteps: () => Promise<void>
  /** Translates the events of the EVM; `undefined` if it tells of most steps itself. */
  readonly translate: ((observation: Observation) => ReferenceSteps) | undefined
}

/** Opcodes that send a message. */
export const SENDERS: ReadonlySet<number> = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa])

/** Opcodes that access the world state; see `StateAccess`. */
export const STATE_OPCODES: ReadonlySet<number> = new Set([
  ...[0x31, 0x3b, 0x3c, 0x3f, 0x47, 0x54, 0x55, 0x5c, 0x5d],
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xff],
])

/** Why a message does not begin, in geth's words. */
export const REFUSED = {
  depth: 'max call depth exceeded',
  balance: 'insufficient balance for transfer',
  nonce: 'nonce uint64 overflow',
} as const

/** Tells of SELFDESTRUCT as geth does: as a message to the beneficiary. `depth` is that of the contract. */
export function tellSelfDestruct(
  { observer }: Observation,
  depth: number,
  from: Address,
  to: Address,
  value: bigint,
): void {
  observer.enter?.({
    ...{ kind: 'SELFDESTRUCT', depth: depth + 1, from, to, value },
    ...{ input: EMPTY_BYTES, gas: 0, isPrecompile: false },
  })
  observer.exit?.({ output: EMPTY_BYTES, gasUsed: 0, error: undefined })
}
