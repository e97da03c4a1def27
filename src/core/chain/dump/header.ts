// Headers in a state dump.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { loadFields } from '../../primitives/fields.ts'
import { bytesToHex, equalBytes, hexToBytes } from '../../primitives/hex.ts'
import { malformed, readEach, readHex } from '../../primitives/json-reader.ts'
import { MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { mostExcessBlobGas } from '../../rollup/blobs.ts'
import {
  completeHeader,
  type EncodedHeader,
  encodeHeader,
  HEADER_NAMES,
  hasField,
} from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { type SealedBlock, totalDifficultyAfter } from '../block/block.ts'
import {
  type BlockBody,
  bodyCommitments,
  EMPTY_BODY,
  formatWithdrawal,
  type Uncle,
  WITHDRAWAL_FIELDS,
} from '../block/body.ts'
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

/** No fields if the body is empty. */
export function dumpBody({ uncles, withdrawals, requests }: BlockBody) {
  if (uncles.length + withdrawals.length + requests.length === 0) return {}
  return {
    uncles: uncles.map((uncle) => bytesToHex(encodeHeader(uncle.rules, uncle.header))),
    withdrawals: withdrawals.map(formatWithdrawal),
    requests: requests.map(bytesToHex),
  }
}

/** A body has to be the one that its header commits to. */
function checkCommitments({ rules, header }: Uncle, body: BlockBody, isEmpty: boolean, path: string): void {
  const committed = bodyCommitments(isEmpty ? EMPTY_BODY : body)
  // From isthmus on, the header's root is not that of the list, which is empty.
  const hasList = isForkActive(rules, 'shanghai') && rules.rollup?.changes.withdrawalsFrom === undefined
  const hasWithdrawals = hasList
    ? header.withdrawalsRoot === committed.withdrawalsRoot
    : body.withdrawals.length === 0
  const hasRequests = isForkActive(rules, 'prague')
    ? header.requestsHash === committed.requestsHash
    : body.requests.length === 0
  if (header.unclesHash !== committed.unclesHash) malformed(`${path}.uncles`, 'those of the header')
  if (!hasWithdrawals) malformed(`${path}.withdrawals`, 'those of the header')
  if (!hasRequests) malformed(`${path}.requests`, 'those of the header')
}

/** Reads the body of the block with a header, besides its transactions. */
export function loadBody(
  schedule: Schedule,
  fields: Record<string, unknown>,
  path: string,
  block: Uncle,
): BlockBody {
  const { nonce } = block.header
  const body: BlockBody = {
    nonce,
    uncles: readEach(fields['uncles'] ?? [], `${path}.uncles`, (item, at) => {
      const { rules, header } = loadHeader(schedule, item, at)
      return { rules, header }
    }),
    withdrawals: readEach(fields['withdrawals'] ?? [], `${path}.withdrawals`, (item, at) =>
      loadFields(WITHDRAWAL_FIELDS, item, at),
    ),
    requests: readEach(fields['requests'] ?? [], `${path}.requests`, (item, at) =>
      hexToBytes(readHex(item, at)),
    ),
  }
  const { uncles, withdrawals, requests } = body
  const isEmpty = uncles.length + withdrawals.length + requests.length === 0
  checkCommitments(block, body, isEmpty, path)
  return isEmpty && nonce === EMPTY_BODY.nonce ? EMPTY_BODY : body
}
