// Hashes of consecutive headers that differ in few fields. The header is encoded once; those fields are overwritten in
// place.

import { keccak256 } from '../../primitives/crypto.ts'
import { decodeItem } from '../../primitives/decode-rlp.ts'
import { type Encodable, encodeItems } from '../../primitives/encode-rlp.ts'
import { bigIntToBytes, bytesToHex, type Hash, hexToBytes } from '../../primitives/hex.ts'
import { type Header, headerItems } from '../../rollup/header.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { type EmptyRun, firstNumber, type PrevRandaoSource, timestampOf } from './empty-run.ts'
import { feesFrom } from './fees.ts'

/** Fields of the parent that a block needs. */
export interface Predecessor {
  readonly hash: Hash
  readonly header: PrevRandaoSource
}

/** Positions of fields in a header's list (yellow paper, 4.3; EIP-4788). */
const PARENT_HASH = 0
const NUMBER = 8
const TIMESTAMP = 11
const PREV_RANDAO = 13
const PARENT_BEACON_BLOCK_ROOT = 19

/** The encoded list, and views of its items. */
interface Layout {
  readonly encoded: Uint8Array
  readonly views: readonly Uint8Array[]
}

function layOut(items: readonly Encodable[]): Layout {
  const encoded = encodeItems(items)
  return { encoded, views: decodeItem(encoded) as Uint8Array[] }
}

/** Hashes the header at a position of a run; all other fields are those of a sample. */
export function headerHasher(
  run: EmptyRun,
  sample: Header,
): (before: Predecessor, index: number) => Predecessor {
  const { rules, timestamps } = run
  const list = feesFrom(run)
  const hasPrevRandao = isForkActive(rules, 'paris')
  const hasBeaconRoot = isForkActive(rules, 'cancun')
  let fees = list.at(0)
  let items = headerItems(rules, { ...sample, ...fees })
  let layout = layOut(items)
  const put = (position: number, bytes: Uint8Array): void => {
    items[position] = bytes
    const view = layout.views[position] as Uint8Array
    if (view.length > 1 && view.length === bytes.length) view.set(bytes)
    else layout = layOut(items)
  }
  // Bytes of the header hashed last, which is nearly always the parent of the next.
  let last:
    | { readonly hash: Hash; readonly hashBytes: Uint8Array; readonly prevRandao: Uint8Array }
    | undefined
  return ({ hash: parentHash, header }, index) => {
    const parent = last?.hash === parentHash ? last : undefined
    if (list.at(index) !== fees) {
      fees = list.at(index)
      items = headerItems(rules, { ...sample, ...fees })
      layout = layOut(items)
    }
    const prevRandao = parent?.prevRandao ?? hexToBytes(header.prevRandao)
    const nextPrevRandao = keccak256(prevRandao)
    put(PARENT_HASH, parent?.hashBytes ?? hexToBytes(parentHash))
    put(NUMBER, bigIntToBytes(BigInt(firstNumber(run) + index)))
    put(TIMESTAMP, bigIntToBytes(BigInt(timestampOf(timestamps, index))))
    if (hasPrevRandao) put(PREV_RANDAO, nextPrevRandao)
    if (hasBeaconRoot) put(PARENT_BEACON_BLOCK_ROOT, keccak256(nextPrevRandao))
    const hashBytes = keccak256(layout.encoded)
    const hash = bytesToHex(hashBytes)
    last = { hash, hashBytes, prevRandao: nextPrevRandao }
    return { hash, header: hasPrevRandao ? { prevRandao: bytesToHex(nextPrevRandao) } : sample }
  }
}
