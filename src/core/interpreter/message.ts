// A message between accounts, as @ethereumjs has it: a call, or a creation, which has no address yet.

import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { EvmAddress } from './evm-address.ts'

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
  readonly value: bigint
  caller: EvmAddress
  readonly gasLimit: bigint
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
