// Hashes of consecutive headers that differ in few fields. The other fields are encoded once for all of them, which
// halves the time.

import { keccak256, keccak256Hex } from '../../primitives/crypto.ts'
import { bigIntToBytes, bytesToHex, type Hash, hexToBytes } from '../../primitives/hex.ts'
import { encodeBytesList } from '../../primitives/rlp.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { timestampOf } from '../block/block-timing.ts'
import { type Header, headerItems } from '../block/header.ts'
import { type EmptyRun, firstNumber, type PrevRandaoSource } from './empty-run.ts'
import { feesFrom } from './fees.ts'

/** What a block needs of its predecessor. */
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
  return ({ hash: parentHash, header: { prevRandao } }, index) => {
    if (list.at(index) !== fees) {
      fees = list.at(index)
      items = headerItems(rules, { ...sample, ...fees })
    }
    const nextPrevRandao = keccak256(hexToBytes(prevRandao))
    items[PARENT_HASH] = hexToBytes(parentHash)
    items[NUMBER] = bigIntToBytes(BigInt(firstNumber(run) + index))
    items[TIMESTAMP] = bigIntToBytes(BigInt(timestampOf(timestamps, index)))
    if (hasPrevRandao) items[PREV_RANDAO] = nextPrevRandao
    if (hasBeaconRoot) items[PARENT_BEACON_BLOCK_ROOT] = keccak256(nextPrevRandao)
    const hash = keccak256Hex(encodeBytesList(items))
    return { hash, header: hasPrevRandao ? { prevRandao: bytesToHex(nextPrevRandao) } : sample }
  }
}
