// Block headers: fields, RLP and hash. The fields depend on the fork.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { bigIntToBytes, type Hash, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { encodeBytesList } from '../../primitives/rlp.ts'
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

export function headerItems(rules: Rules, header: Header): Uint8Array[] {
  const quantity = (value: bigint | number): Uint8Array => bigIntToBytes(BigInt(value))
  const items = [
    hexToBytes(header.parentHash),
    hexToBytes(header.unclesHash),
    hexToBytes(header.coinbase),
    hexToBytes(header.stateRoot),
    hexToBytes(header.transactionsRoot),
    hexToBytes(header.receiptsRoot),
    header.logsBloom,
    quantity(header.difficulty),
    quantity(header.number),
    quantity(header.gasLimit),
    quantity(header.gasUsed),
    quantity(header.timestamp),
    header.extraData,
    hexToBytes(header.prevRandao),
    hexToBytes(header.nonce),
  ]
  if (isForkActive(rules, 'london')) items.push(quantity(header.baseFeePerGas))
  if (isForkActive(rules, 'shanghai')) items.push(hexToBytes(header.withdrawalsRoot))
  if (isForkActive(rules, 'cancun')) {
    items.push(quantity(header.blobGasUsed), quantity(header.excessBlobGas))
    items.push(hexToBytes(header.parentBeaconBlockRoot))
  }
  if (isForkActive(rules, 'prague')) items.push(hexToBytes(header.requestsHash))
  return items
}

export function encodeHeader(rules: Rules, header: Header): Uint8Array {
  return encodeBytesList(headerItems(rules, header))
}

export function hashHeader(rules: Rules, header: Header): Hash {
  return keccak256Hex(encodeHeader(rules, header))
}
