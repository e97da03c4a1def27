// Headers in a state dump.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { equalBytes, hexToBytes } from '../../primitives/hex.ts'
import { malformed, readHex } from '../../primitives/json-reader.ts'
import { MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { mostExcessBlobGas } from '../../rollup/blobs.ts'
import {
  completeHeader,
  type EncodedHeader,
  encodeHeader,
  HEADER_NAMES,
  hasField,
} from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { type SealedBlock, totalDifficultyAfter } from '../block/block.ts'
import type { Uncle } from '../block/body.ts'
import { decodeHeaderBytes } from '../import/decode-block.ts'

/** More would take as long to make a fee of as it is large. */
export function checkExcess({ blobs }: Rules, excess: bigint, path: string): void {
  const most = mostExcessBlobGas(blobs)
  if (excess > most) malformed(path, `an excess blob gas up to ${most}`)
}

/** Fields that the fork has no place for are not hashed, and would contradict the header. */
function checkAbsentFields(rules: Rules, header: EncodedHeader, path: string): void {
  const isOdd = HEADER_NAMES.some(
    (name) => typeof header[name] === 'bigint' && header[name] !== 0n && !hasField(rules, name),
  )
  if (isOdd) malformed(path, `a header of ${rules.hardfork}`)
}

/** The rules of a header, and the header in full; its values have to be possible under them. */
export function checkDumpedHeader(schedule: Schedule, header: EncodedHeader, path: string): Uncle {
  if (header.gasLimit > MAX_GAS_LIMIT) malformed(path, `a gas limit up to ${MAX_GAS_LIMIT}`)
  const rules = schedule.rulesAt(header)
  // A rollup's deposits are executed whatever the limit.
  if (header.gasUsed > header.gasLimit && rules.rollup === undefined)
    malformed(path, `gas used up to the gas limit, ${header.gasLimit}`)
  checkAbsentFields(rules, header, path)
  checkExcess(rules, header.excessBlobGas, path)
  return { rules, header: completeHeader(rules, header) }
}

/** Reads the RLP of a header. */
export function loadHeader(
  schedule: Schedule,
  value: unknown,
  path: string,
): Uncle & { readonly bytes: Uint8Array } {
  const bytes = hexToBytes(readHex(value, path))
  const decoded = decodeHeaderBytes(bytes)
  const { rules, header } = checkDumpedHeader(schedule, decoded, path)
  if (!equalBytes(encodeHeader(rules, header), bytes)) malformed(path, `a header of ${rules.hardfork}`)
  return { rules, header, bytes }
}

export type LinkedBlock = Pick<SealedBlock, 'rules' | 'header' | 'hash' | 'totalDifficulty'>

/** Links a header with these bytes to its parent; the first may have any number. */
export function linkHeader(
  { rules, header }: Uncle,
  bytes: Uint8Array,
  path: string,
  parent: LinkedBlock | undefined,
): LinkedBlock {
  const number = parent === undefined ? header.number : parent.header.number + 1
  if (header.number !== number) malformed(path, `number ${number}`)
  if (parent !== undefined && header.parentHash !== parent.hash) {
    // The fork decides which fields are hashed.
    malformed(path, `the hash of its parent under ${parent.rules.hardfork}, ${parent.hash}`)
  }
  return {
    rules,
    header,
    hash: keccak256Hex(bytes),
    totalDifficulty:
      parent === undefined ? header.difficulty : totalDifficultyAfter(parent, header.difficulty),
  }
}
