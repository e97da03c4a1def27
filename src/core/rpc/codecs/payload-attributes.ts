// Codec of the payload attributes of the Engine API (PayloadAttributesV3).

import type { PayloadAttributes } from '../../node/production/engine-build.ts'
import { ZERO_HASH } from '../../primitives/hex.ts'
import { address, arrayOf, hash } from './basic.ts'
import type { Codec } from './codec.ts'
import { integer, uint64 } from './numbers.ts'
import { need, or, recordCodec, type WireOf } from './object.ts'

const withdrawal = recordCodec(
  { index: need(uint64), validatorIndex: need(uint64), address: need(address), amount: need(uint64) },
  'withdrawal',
  'ignored',
)

/** EIP-4895 lets a block have 16. */
export const withdrawals = arrayOf(withdrawal, 16)

const fields = recordCodec(
  {
    timestamp: need(integer),
    prevRandao: need(hash),
    suggestedFeeRecipient: need(address),
    withdrawals: or(withdrawals, []),
    parentBeaconBlockRoot: or(hash, ZERO_HASH),
  },
  'payload attributes',
  'ignored',
)

export interface PayloadAttributesWire extends WireOf<typeof fields> {}

export const payloadAttributes: Codec<PayloadAttributes, PayloadAttributesWire> = fields
