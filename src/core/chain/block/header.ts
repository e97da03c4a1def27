// Block headers: fields, RLP and hash. The fields depend on the fork.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Encodable, encodedView, encodeItems } from '../../primitives/encode-rlp.ts'
import type { Hash, Hex } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'

export interface Header extends BlockEnvironment {
  readonly unclesHash: Hash
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Uint8Array
  readonly gasUsed: bigint
  readonly blobGasUsed: bigint
  /** 8 bytes; zero since the merge. */
  readonly nonce: Hex
  readonly withdrawalsRoot: Hash
  readonly requestsHash: Hash
}

/** The nonce of every block since the merge (EIP-3675). */
export const ZERO_NONCE: Hex = '0x0000000000000000'

export function headerItems(rules: Rules, header: Header): Encodable[] {
  const items: Encodable[] = [
    header.parentHash,
    header.unclesHash,
    header.coinbase,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.logsBloom,
    header.difficulty,
    header.number,
    header.gasLimit,
    header.gasUsed,
    header.timestamp,
    header.extraData,
    header.prevRandao,
    header.nonce,
  ]
  if (isForkActive(rules, 'london')) items.push(header.baseFeePerGas)
  if (isForkActive(rules, 'shanghai')) items.push(header.withdrawalsRoot)
  if (isForkActive(rules, 'cancun')) {
    items.push(header.blobGasUsed, header.excessBlobGas, header.parentBeaconBlockRoot)
  }
  if (isForkActive(rules, 'prague')) items.push(header.requestsHash)
  return items
}

export function encodeHeader(rules: Rules, header: Header): Uint8Array {
  return encodeItems(headerItems(rules, header))
}

export function hashHeader(rules: Rules, header: Header): Hash {
  return keccak256Hex(encodedView(headerItems(rules, header)))
}
