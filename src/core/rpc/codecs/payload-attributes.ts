// Codec of the payload attributes of the Engine API (PayloadAttributesV3).

import type { Withdrawal } from '../../chain/block/body.ts'
import type { PayloadAttributes } from '../../node/production/engine-build.ts'
import { type Hex, ZERO_HASH } from '../../primitives/hex.ts'
import { address, arrayOf, asRecord, field, hash, requiredField } from './basic.ts'
import type { Codec } from './codec.ts'
import { integer, uint64 } from './numbers.ts'

export interface PayloadAttributesWire {
  readonly timestamp: Hex | number
  readonly prevRandao: string
  readonly suggestedFeeRecipient: string
  readonly withdrawals?: readonly unknown[] | null
  readonly parentBeaconBlockRoot?: string | null
}

/** EIP-4895 lets a block have 16. */
export const MAX_WITHDRAWALS = 16

export const withdrawal: Codec<Withdrawal> = {
  name: 'withdrawal',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      index: requiredField(record, 'index', uint64, path),
      validatorIndex: requiredField(record, 'validatorIndex', uint64, path),
      address: requiredField(record, 'address', address, path),
      amount: requiredField(record, 'amount', uint64, path),
    }
  },
}

export const payloadAttributes: Codec<PayloadAttributes, PayloadAttributesWire> = {
  name: 'payload attributes',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      timestamp: requiredField(record, 'timestamp', integer, path),
      prevRandao: requiredField(record, 'prevRandao', hash, path),
      suggestedFeeRecipient: requiredField(record, 'suggestedFeeRecipient', address, path),
      withdrawals: field(record, 'withdrawals', arrayOf(withdrawal, MAX_WITHDRAWALS), path) ?? [],
      parentBeaconBlockRoot: field(record, 'parentBeaconBlockRoot', hash, path) ?? ZERO_HASH,
    }
  },
}
