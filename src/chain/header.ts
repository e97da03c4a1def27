// A block header, its RLP and its hash. Which fields there are depends on the fork.

import type { BlockEnvironment } from '../execution/environment.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { bigIntToBytes, type Hash, hexToBytes, ZERO_HASH } from '../primitives/hex.ts'
import { encodeBytes, encodeBytesList, encodeList } from '../primitives/rlp.ts'
import { isForkActive, type Rules } from '../rollup/forks.ts'

export interface Header extends BlockEnvironment {
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Uint8Array
  readonly gasUsed: bigint
  readonly blobGasUsed: bigint
}

/** keccak-256 of an empty RLP list. */
export const EMPTY_UNCLES_HASH: Hash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** The root of an empty trie: there are no withdrawals on a layer 2. */
export const EMPTY_WITHDRAWALS_ROOT: Hash =
  '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** sha-256 of nothing: there are no execution requests on a layer 2 (EIP-7685). */
export const EMPTY_REQUESTS_HASH: Hash = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** Proof of stake has no nonce. */
export const HEADER_NONCE = '0x0000000000000000'

function headerItems(rules: Rules, header: Header): Uint8Array[] {
  const quantity = (value: bigint | number): Uint8Array => bigIntToBytes(BigInt(value))
  const items = [
    hexToBytes(header.parentHash),
    hexToBytes(EMPTY_UNCLES_HASH),
    hexToBytes(header.coinbase),
    hexToBytes(header.stateRoot),
    hexToBytes(header.transactionsRoot),
    hexToBytes(header.receiptsRoot),
    header.logsBloom,
    quantity(0),
    quantity(header.number),
    quantity(header.gasLimit),
    quantity(header.gasUsed),
    quantity(header.timestamp),
    header.extraData,
    hexToBytes(mixHash(rules, header)),
    hexToBytes(HEADER_NONCE),
  ]
  if (isForkActive(rules, 'london')) items.push(quantity(header.baseFeePerGas))
  if (isForkActive(rules, 'shanghai')) items.push(hexToBytes(EMPTY_WITHDRAWALS_ROOT))
  if (isForkActive(rules, 'cancun')) {
    items.push(quantity(header.blobGasUsed), quantity(header.excessBlobGas))
    items.push(hexToBytes(header.parentBeaconBlockRoot))
  }
  if (isForkActive(rules, 'prague')) items.push(hexToBytes(EMPTY_REQUESTS_HASH))
  return items
}

/** prevRandao stands in the mix hash since the merge (EIP-4399). */
export function mixHash(rules: Rules, header: Pick<Header, 'prevRandao'>): Hash {
  return isForkActive(rules, 'paris') ? header.prevRandao : ZERO_HASH
}

export function hashHeader(rules: Rules, header: Header): Hash {
  return keccak256Hex(encodeBytesList(headerItems(rules, header)))
}

/** The size of the block's RLP in bytes. */
export function blockSize(rules: Rules, header: Header, transactions: readonly EncodedTransaction[]): number {
  // A typed transaction stands in the body as a byte string, a legacy one as the list that it is.
  const body = transactions.map(({ type, raw }) => (type === 0 ? raw : encodeBytes(raw)))
  const empty = encodeList([])
  const withdrawals = isForkActive(rules, 'shanghai') ? [empty] : []
  const encodedHeader = encodeBytesList(headerItems(rules, header))
  return encodeList([encodedHeader, encodeList(body), empty, ...withdrawals]).length
}

interface EncodedTransaction {
  readonly type: number
  readonly raw: Uint8Array
}
