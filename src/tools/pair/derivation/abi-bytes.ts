// The data of an event whose only unindexed parameter is `bytes`.

import { bytesToBigInt } from '../../../core/primitives/hex.ts'

const WORD = 32

/** The bytes in ABI encoding, as strictly as op-node reads them: no bytes before, between or after. */
export function abiBytes(data: Uint8Array): Uint8Array | undefined {
  if (data.length < 2 * WORD || bytesToBigInt(data.subarray(0, WORD)) !== BigInt(WORD)) return undefined
  const length = bytesToBigInt(data.subarray(WORD, 2 * WORD))
  if (length > BigInt(data.length)) return undefined
  const end = 2 * WORD + Number(length)
  const padded = Math.ceil(end / WORD) * WORD
  return padded === data.length ? data.subarray(2 * WORD, end) : undefined
}
