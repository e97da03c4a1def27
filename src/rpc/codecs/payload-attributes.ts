// What a consensus client decides about a block, as the Engine API writes it (PayloadAttributesV3).

import type { Withdrawal } from '../../chain/block/body.ts'
import type { PayloadAttributes } from '../../node/production/engine-build.ts'
import { type Hex, ZERO_HASH } from '../../primitives/hex.ts'
import { address, arrayOf, asRecord, field, hash, integer, uint64 } from './basic.ts'
import { type Codec, refuse } from './codec.ts'

export interface PayloadAttributesWire {
  readonly timestamp: Hex | number
  readonly prevRandao: string
  readonly suggestedFeeRecipient: string
  readonly withdrawals?: readonly unknown[] | null
  readonly parentBeaconBlockRoot?: string | null
}

/** EIP-4895 lets a block have 16. */
export const MAX_WITHDRAWALS = 16

function needed<Value>(
  record: Record<string, unknown>,
  name: string,
  codec: Codec<Value>,
  path: string,
): Value {
  return field(record, name, codec, path) ?? refuse(`${path}.${name}`, 'missing')
}

export const withdrawal: Codec<Withdrawal> = {
  name: 'withdrawal',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      index: needed(record, 'index', uint64, path),
      validatorIndex: needed(record, 'validatorIndex', uint64, path),
      address: needed(record, 'address', address, path),
      amount: needed(record, 'amount', uint64, path),
    }
  },
}

export const payloadAttributes: Codec<PayloadAttributes, PayloadAttributesWire> = {
  name: 'payload attributes',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      timestamp: needed(record, 'timestamp', integer, path),
      prevRandao: needed(record, 'prevRandao', hash, path),
      suggestedFeeRecipient: needed(record, 'suggestedFeeRecipient', address, path),
      withdrawals: field(record, 'withdrawals', arrayOf(withdrawal, MAX_WITHDRAWALS), path) ?? [],
      parentBeaconBlockRoot: field(record, 'parentBeaconBlockRoot', hash, path) ?? ZERO_HASH,
    }
  },
}
