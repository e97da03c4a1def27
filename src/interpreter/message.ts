// A message between accounts, in the form in which @ethereumjs has it: a call, or a creation, which has no address yet.

import type { PrefixedHexString } from '@ethereumjs/util'
import { EMPTY_BYTES } from '../primitives/hex.ts'
import type { EvmAddress } from './evm-address.ts'

interface MessageFields {
  readonly caller: EvmAddress
  readonly gasLimit: bigint
  readonly to?: EvmAddress | undefined
  /** Where the code is, if it is not that of the address. */
  readonly codeAddress?: EvmAddress
  readonly value?: bigint
  readonly data?: Uint8Array
  readonly depth?: number
  readonly isStatic?: boolean
  readonly delegatecall?: boolean
  readonly salt?: Uint8Array
  readonly selfdestruct?: Map<PrefixedHexString, PrefixedHexString>
  readonly createdAddresses?: Set<PrefixedHexString>
  readonly blobVersionedHashes?: PrefixedHexString[]
}

export class Message {
  to?: EvmAddress
  readonly value: bigint
  readonly caller: EvmAddress
  readonly gasLimit: bigint
  data: Uint8Array
  readonly depth: number
  code?: Uint8Array
  readonly _codeAddress?: EvmAddress
  readonly isStatic: boolean
  readonly isCompiled = false
  isCreate?: boolean
  readonly salt?: Uint8Array
  selfdestruct?: Map<PrefixedHexString, PrefixedHexString>
  createdAddresses?: Set<PrefixedHexString>
  readonly delegatecall: boolean
  gasRefund = 0n
  readonly blobVersionedHashes?: PrefixedHexString[]

  constructor(fields: MessageFields) {
    const { to, codeAddress, salt, selfdestruct, createdAddresses, blobVersionedHashes } = fields
    this.caller = fields.caller
    this.gasLimit = fields.gasLimit
    this.value = fields.value ?? 0n
    this.data = fields.data ?? EMPTY_BYTES
    this.depth = fields.depth ?? 0
    this.isStatic = fields.isStatic ?? false
    this.delegatecall = fields.delegatecall ?? false
    if (to !== undefined) this.to = to
    if (codeAddress !== undefined) this._codeAddress = codeAddress
    if (salt !== undefined) this.salt = salt
    if (selfdestruct !== undefined) this.selfdestruct = selfdestruct
    if (createdAddresses !== undefined) this.createdAddresses = createdAddresses
    if (blobVersionedHashes !== undefined) this.blobVersionedHashes = blobVersionedHashes
  }

  /** Only of a call, or of a creation that has its address. */
  get codeAddress(): EvmAddress {
    return this._codeAddress ?? (this.to as EvmAddress)
  }
}

/** A message that is not a creation. */
export type CallMessage = Message & { readonly to: EvmAddress }

export function isCall(message: Message): message is CallMessage {
  return message.to !== undefined
}
