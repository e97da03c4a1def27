// Headers, bodies and waiting transactions in a state dump.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { decodeImpersonated, decodeTransaction } from '../../pool/decode.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { loadFields } from '../../primitives/fields.ts'
import { bytesToHex, equalBytes } from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'
import { MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { mostExcessBlobGas } from '../../rollup/blobs.ts'
import type { EncodedHeader } from '../../rollup/header.ts'
import * as headers from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { type SealedBlock, totalDifficultyAfter } from '../block/block.ts'
import * as bodies from '../block/body.ts'
import { decodeHeaderBytes } from '../import/decode-block.ts'

/** The bytes, and the sender of an impersonated transaction, which has no signature. */
export function dumpTransaction({ raw, sender, isImpersonated }: Transaction) {
  return { raw: bytesToHex(raw), ...(isImpersonated === true ? { impersonated: sender } : {}) }
}

export function loadTransaction(dumped: ForeignJson): Transaction {
  const bytes = dumped.field('raw').bytes()
  const sender = dumped.field('impersonated').optional((address) => address.hex(20))
  return sender === undefined ? decodeTransaction(bytes) : decodeImpersonated(bytes, sender)
}

/** More would take as long to make a fee of as it is large. */
function checkExcess({ blobs }: Rules, excess: bigint, dumped: ForeignJson): void {
  const most = mostExcessBlobGas(blobs)
  if (excess > most) dumped.refuse(`an excess blob gas up to ${most}`)
}

/** Fields that the fork has no place for are not hashed, and would contradict the header. */
function checkAbsentFields(rules: Rules, header: EncodedHeader, dumped: ForeignJson): void {
  const isOdd = headers.HEADER_NAMES.some(
    (name) => typeof header[name] === 'bigint' && header[name] !== 0n && !headers.hasField(rules, name),
  )
  if (isOdd) dumped.refuse(`a header of ${rules.hardfork}`)
}

/** The rules of a header, and the header in full; its values have to be possible under them. */
export function checkDumpedHeader(schedule: Schedule, header: EncodedHeader, dumped: ForeignJson) {
  if (header.gasLimit > MAX_GAS_LIMIT) dumped.refuse(`a gas limit up to ${MAX_GAS_LIMIT}`)
  const rules = schedule.rulesAt(header)
  // A rollup's deposits are executed whatever the limit.
  if (header.gasUsed > header.gasLimit && rules.rollup === undefined)
    dumped.refuse(`gas used up to the gas limit, ${header.gasLimit}`)
  checkAbsentFields(rules, header, dumped)
  checkExcess(rules, header.excessBlobGas, dumped)
  return { rules, header: headers.completeHeader(rules, header) }
}

function loadHeader(schedule: Schedule, dumped: ForeignJson): bodies.Uncle {
  const bytes = dumped.bytes()
  const uncle = checkDumpedHeader(schedule, decodeHeaderBytes(bytes), dumped)
  if (!equalBytes(headers.encodeHeader(uncle.rules, uncle.header), bytes))
    dumped.refuse(`a header of ${uncle.rules.hardfork}`)
  return uncle
}

export type LinkedBlock = Pick<SealedBlock, 'rules' | 'header' | 'hash' | 'totalDifficulty'>

/** Links a header with these bytes to its parent; the first may have any number. */
export function linkHeader(
  { rules, header }: bodies.Uncle,
  bytes: Uint8Array,
  dumped: ForeignJson,
  parent: LinkedBlock | undefined,
): LinkedBlock {
  const number = parent === undefined ? header.number : parent.header.number + 1
  if (header.number !== number) dumped.refuse(`number ${number}`)
  if (parent !== undefined && header.parentHash !== parent.hash) {
    // The fork decides which fields are hashed.
    dumped.refuse(`the hash of its parent under ${parent.rules.hardfork}, ${parent.hash}`)
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
export function dumpBody({ uncles, withdrawals, requests }: bodies.BlockBody) {
  if (uncles.length + withdrawals.length + requests.length === 0) return {}
  return {
    uncles: uncles.map((uncle) => bytesToHex(headers.encodeHeader(uncle.rules, uncle.header))),
    withdrawals: withdrawals.map(bodies.formatWithdrawal),
    requests: requests.map(bytesToHex),
  }
}

/** A body has to be the one that its header commits to. */
function checkCommitments(
  { rules, header }: bodies.Uncle,
  body: bodies.BlockBody,
  isEmpty: boolean,
  dumped: ForeignJson,
): void {
  const committed = bodies.bodyCommitments(isEmpty ? bodies.EMPTY_BODY : body)
  // From isthmus on, the header's root is not that of the list, which is empty.
  const hasList = isForkActive(rules, 'shanghai') && rules.rollup?.changes.withdrawalsFrom === undefined
  const hasWithdrawals = hasList
    ? header.withdrawalsRoot === committed.withdrawalsRoot
    : body.withdrawals.length === 0
  const hasRequests = isForkActive(rules, 'prague')
    ? header.requestsHash === committed.requestsHash
    : body.requests.length === 0
  if (header.unclesHash !== committed.unclesHash) dumped.field('uncles').refuse('those of the header')
  if (!hasWithdrawals) dumped.field('withdrawals').refuse('those of the header')
  if (!hasRequests) dumped.field('requests').refuse('those of the header')
}

/** The items of a list; none if there is no list. */
export function itemsOf(dumped: ForeignJson, name: string): ForeignJson[] {
  return dumped.field(name).optional((list) => list.items()) ?? []
}

/** Reads the body of the block with a header, besides its transactions. */
export function loadBody(schedule: Schedule, dumped: ForeignJson, block: bodies.Uncle): bodies.BlockBody {
  const { nonce } = block.header
  const body: bodies.BlockBody = {
    nonce,
    uncles: itemsOf(dumped, 'uncles').map((uncle) => loadHeader(schedule, uncle)),
    withdrawals: itemsOf(dumped, 'withdrawals').map((item) => loadFields(bodies.WITHDRAWAL_FIELDS, item)),
    requests: itemsOf(dumped, 'requests').map((request) => request.bytes()),
  }
  const { uncles, withdrawals, requests } = body
  const isEmpty = uncles.length + withdrawals.length + requests.length === 0
  checkCommitments(block, body, isEmpty, dumped)
  return isEmpty && nonce === bodies.EMPTY_BODY.nonce ? bodies.EMPTY_BODY : body
}
