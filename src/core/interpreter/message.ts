// Messages, and the observation of their execution: what it tells an observer, and what the interpreters note down for
// it. Tracers, call trees, stack traces, gas reports and coverage are observers; without one, nothing is paid.

import type { EVMResult, InterpreterStep } from '@ethereumjs/evm'
import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { EvmAddress } from './evm-address.ts'
import type { Observer } from './observer.ts'

interface MessageFields {
  readonly caller: EvmAddress
  readonly gasLimit: bigint
  readonly to: EvmAddress | undefined
  /** Where the code is, if it is not that of the address. */
  readonly codeAddress?: EvmAddress | undefined
  readonly value: bigint
  readonly data?: Uint8Array
  readonly depth: number
  readonly isStatic?: boolean
  readonly delegatecall?: boolean
  readonly salt?: Uint8Array | undefined
  readonly blobVersionedHashes?: readonly Hash[] | undefined
}

/** All fields are always there: messages are made often, and engines are slow with objects of many shapes. */
export class Message {
  to: EvmAddress | undefined
  /** A cheatcode may change it. */
  value: bigint
  caller: EvmAddress
  /** A cheatcode may change it. */
  gasLimit: bigint
  data: Uint8Array
  readonly depth: number
  code: Uint8Array | undefined = undefined
  /** Where the code is, if it is not that of `to`; a cheatcode may change it. */
  ownCodeAddress: EvmAddress | undefined
  readonly isStatic: boolean
  readonly salt: Uint8Array | undefined
  /** Absent until there is one: what the transaction is to destroy, and what it has created (EIP-6780). */
  selfdestruct: Map<Address, Address> | undefined = undefined
  createdAddresses: Set<Address> | undefined = undefined
  readonly delegatecall: boolean
  gasRefund = 0n
  /** A cheatcode may change them. */
  blobVersionedHashes: readonly Hash[] | undefined

  constructor(fields: MessageFields) {
    this.to = fields.to
    this.value = fields.value
    this.caller = fields.caller
    this.gasLimit = fields.gasLimit
    this.data = fields.data ?? EMPTY_BYTES
    this.depth = fields.depth
    this.ownCodeAddress = fields.codeAddress
    this.isStatic = fields.isStatic ?? false
    this.salt = fields.salt
    this.delegatecall = fields.delegatecall ?? false
    this.blobVersionedHashes = fields.blobVersionedHashes
  }

  /** Takes over what the transaction has done so far in the frame that sends it. */
  inherit(
    { selfdestruct, createdAddresses }: Pick<Message, 'selfdestruct' | 'createdAddresses'>,
    tracksCreations: boolean,
    refund: number,
  ): void {
    if (selfdestruct !== undefined) this.selfdestruct = new Map(selfdestruct)
    if (tracksCreations && createdAddresses !== undefined) this.createdAddresses = new Set(createdAddresses)
    this.gasRefund = BigInt(refund)
  }

  /** Only of a call, or of a creation that has its address. */
  get codeAddress(): EvmAddress {
    return this.ownCodeAddress ?? (this.to as EvmAddress)
  }
}

/** A message that is not a creation. */
export type EvmCall = Message & { readonly to: EvmAddress }

export function isCall(message: Message): message is EvmCall {
  return message.to !== undefined
}

/** A message that a frame has sent, and where its result goes. */
export interface Sent {
  readonly message: Message
  /** Gas that the message gets on top of the frame's own. */
  readonly stipend: number
  /** The address of the opcode's result. */
  readonly place: number
  /** The addresses of the offset and length of a call's output; `undefined` for a creation. */
  readonly output: readonly [offsetAt: number, lengthAt: number] | undefined
}

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
    kind: 'SELFDESTRUCT',
    depth: depth + 1,
    from,
    to,
    value,
    input: EMPTY_BYTES,
    gas: 0,
    isPrecompile: false,
  })
  observer.exit?.({ output: EMPTY_BYTES, gasUsed: 0, error: undefined })
}
