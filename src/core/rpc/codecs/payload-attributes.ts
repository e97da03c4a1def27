// Codec of the payload attributes of the Engine API (PayloadAttributesV3).

import type { PayloadAttributes } from '../../node/production/engine-build.ts'
import { decodeIncluded } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import { ZERO_HASH } from '../../primitives/hex.ts'
import { address, arrayOf, boolean, data, hash } from './basic.ts'
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

/** As many as a block of 2^31 gas can hold. */
export const MAX_TRANSACTIONS = 100_000

/** Denominator and elasticity, 32 bits each (OP stack specification, holocene). */
function eip1559Of(bytes: Uint8Array | undefined): PayloadAttributes['eip1559'] {
  if (bytes === undefined) return undefined
  if (bytes.length !== 8)
    throw failure('invalidPayloadAttributes', { reason: `eip1559Params of ${bytes.length} bytes, not 8` })
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { denominator: view.getUint32(0), elasticity: view.getUint32(4) }
}

const fields = recordCodec(
  {
    timestamp: need(integer),
    timestampMillisPart: or(integer, undefined),
    prevRandao: need(hash),
    suggestedFeeRecipient: need(address),
    withdrawals: or(withdrawals, []),
    parentBeaconBlockRoot: or(hash, ZERO_HASH),
    transactions: or(arrayOf(data, MAX_TRANSACTIONS), undefined),
    noTxPool: or(boolean, undefined),
    gasLimit: or(uint64, undefined),
    eip1559Params: or(data, undefined),
    minBaseFee: or(uint64, undefined),
  },
  'payload attributes',
  'ignored',
)

export interface PayloadAttributesWire extends WireOf<typeof fields> {}

export const payloadAttributes: Codec<PayloadAttributes, PayloadAttributesWire> = {
  name: fields.name,
  decode(value, path) {
    const { transactions, eip1559Params, ...rest } = fields.decode(value, path)
    const eip1559 = eip1559Of(eip1559Params)
    return { ...rest, eip1559, transactions: transactions?.map((raw) => decodeIncluded(raw)) }
  },
}
