// Headers, and executed transactions as bytes and receipt, in a state dump.

import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import * as transactions from '../../execution/transaction/transaction.ts'
import { decodeImpersonated, decodeTransaction, decodeWithSender } from '../../pool/decode.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { dumpFields, FIELD_KINDS, loadFields } from '../../primitives/fields.ts'
import { bytesToHex, EMPTY_BYTES, equalBytes, hexToBytes, toQuantity } from '../../primitives/hex.ts'
import * as json from '../../primitives/json-reader.ts'
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
export function dumpTransaction({ raw, sender, isImpersonated }: transactions.Transaction) {
  return { raw: bytesToHex(raw), ...(isImpersonated === true ? { impersonated: sender } : {}) }
}

export function loadTransaction(value: unknown, path: string): transactions.Transaction {
  const { raw, impersonated } = json.readObject(value, path)
  const bytes = hexToBytes(json.readHex(raw, `${path}.raw`))
  const sender = json.readOptional(impersonated, `${path}.impersonated`, json.readAddressField)
  return sender === undefined ? decodeTransaction(bytes) : decodeImpersonated(bytes, sender)
}

/** Reads a transaction that has run. Its sender is taken from the dump, as its receipt is. */
function loadRun(value: unknown, path: string): transactions.Transaction {
  const { raw, sender, impersonated } = json.readObject(value, path)
  if (impersonated !== undefined) return loadTransaction(value, path)
  const known = json.readAddressField(sender, `${path}.sender`)
  return decodeWithSender(hexToBytes(json.readHex(raw, `${path}.raw`)), known)
}

function dumpLog({ address, topics, data }: transactions.Log) {
  return { address, topics, data: bytesToHex(data) }
}

function loadLog(value: unknown, path: string): transactions.Log {
  const { address, topics, data } = json.readObject(value, path)
  return {
    address: json.readAddressField(address, `${path}.address`),
    topics: json.readEach(topics, `${path}.topics`, json.readHash),
    data: hexToBytes(json.readHex(data, `${path}.data`)),
  }
}

type DepositReceipt = NonNullable<transactions.Receipt['deposit']>

function loadDeposit(value: unknown, path: string): DepositReceipt {
  const { nonce, version } = json.readObject(value, path)
  return {
    nonce: json.readAmount(nonce, `${path}.nonce`, 64),
    version: json.readOptional(version, `${path}.version`, readVersion),
  }
}

function readVersion(value: unknown, path: string): 1 {
  return value === 1 ? value : json.malformed(path, '1')
}

export function dumpExecuted({ transaction, receipt, returnData, failure }: ExecutedTransaction) {
  const { logs, deposit } = receipt
  const { sender, isImpersonated } = transaction
  return {
    ...dumpTransaction(transaction),
    ...(isImpersonated === true ? {} : { sender }),
    ...dumpFields(transactions.RECEIPT_FIELDS, receipt),
    ...(deposit === undefined
      ? {}
      : { deposit: { nonce: toQuantity(deposit.nonce), version: deposit.version } }),
    logs: logs.map(dumpLog),
    ...(logs.length === 0 ? {} : { logsBloom: bytesToHex(receipt.logsBloom) }),
    returnData: bytesToHex(returnData),
    ...(failure === undefined ? {} : { failure }),
  }
}

function readText(value: unknown, path: string): string {
  return typeof value === 'string' ? value : json.malformed(path, 'a string')
}

function loadReceipt(fields: Record<string, unknown>, path: string): transactions.Receipt {
  const deposit = json.readOptional(fields['deposit'], `${path}.deposit`, loadDeposit)
  const { absent, fromDump } = FIELD_KINDS.bloom
  return {
    ...loadFields(transactions.RECEIPT_FIELDS, fields, path),
    logs: json.readEach(fields['logs'], `${path}.logs`, loadLog),
    logsBloom: json.readOptional(fields['logsBloom'], `${path}.logsBloom`, fromDump) ?? absent,
    ...(deposit === undefined ? {} : { deposit }),
  }
}

/** The transactions of a block, in order. */
export function loadExecuted(value: unknown, path: string): ExecutedTransaction[] {
  let logCount = 0
  let gasUsed = 0n
  return json
    .readEach(value, path, (item, at) => {
      const fields = json.readObject(item, at)
      const receipt = loadReceipt(fields, at)
      gasUsed += receipt.gasUsed
      if (receipt.cumulativeGasUsed !== gasUsed)
        json.malformed(`${at}.cumulativeGasUsed`, 'the sum of gasUsed up to this transaction')
      const returnData = json.readOptional(fields['returnData'], `${at}.returnData`, json.readHex)
      const executed = {
        transaction: loadRun(item, at),
        receipt,
        firstLogIndex: logCount,
        returnData: returnData === undefined ? EMPTY_BYTES : hexToBytes(returnData),
        failure: json.readOptional(fields['failure'], `${at}.failure`, readText),
        consoleCalls: [],
      }
      logCount += receipt.logs.length
      return executed
    })
    .map((executed, index) => ({ ...executed, index }))
}

/** More would take as long to make a fee of as it is large. */
export function checkExcess({ blobs }: Rules, excess: bigint, path: string): void {
  const most = mostExcessBlobGas(blobs)
  if (excess > most) json.malformed(path, `an excess blob gas up to ${most}`)
}

/** Fields that the fork has no place for are not hashed, and would contradict the header. */
function checkAbsentFields(rules: Rules, header: EncodedHeader, path: string): void {
  const isOdd = headers.HEADER_NAMES.some(
    (name) => typeof header[name] === 'bigint' && header[name] !== 0n && !headers.hasField(rules, name),
  )
  if (isOdd) json.malformed(path, `a header of ${rules.hardfork}`)
}

/** The rules of a header, and the header in full; its values have to be possible under them. */
export function checkDumpedHeader(schedule: Schedule, header: EncodedHeader, path: string): bodies.Uncle {
  if (header.gasLimit > MAX_GAS_LIMIT) json.malformed(path, `a gas limit up to ${MAX_GAS_LIMIT}`)
  const rules = schedule.rulesAt(header)
  // A rollup's deposits are executed whatever the limit.
  if (header.gasUsed > header.gasLimit && rules.rollup === undefined)
    json.malformed(path, `gas used up to the gas limit, ${header.gasLimit}`)
  checkAbsentFields(rules, header, path)
  checkExcess(rules, header.excessBlobGas, path)
  return { rules, header: headers.completeHeader(rules, header) }
}

function loadHeader(
  schedule: Schedule,
  value: unknown,
  path: string,
): bodies.Uncle & { readonly bytes: Uint8Array } {
  const bytes = hexToBytes(json.readHex(value, path))
  const decoded = decodeHeaderBytes(bytes)
  const { rules, header } = checkDumpedHeader(schedule, decoded, path)
  if (!equalBytes(headers.encodeHeader(rules, header), bytes))
    json.malformed(path, `a header of ${rules.hardfork}`)
  return { rules, header, bytes }
}

export type LinkedBlock = Pick<SealedBlock, 'rules' | 'header' | 'hash' | 'totalDifficulty'>

/** Links a header with these bytes to its parent; the first may have any number. */
export function linkHeader(
  { rules, header }: bodies.Uncle,
  bytes: Uint8Array,
  path: string,
  parent: LinkedBlock | undefined,
): LinkedBlock {
  const number = parent === undefined ? header.number : parent.header.number + 1
  if (header.number !== number) json.malformed(path, `number ${number}`)
  if (parent !== undefined && header.parentHash !== parent.hash) {
    // The fork decides which fields are hashed.
    json.malformed(path, `the hash of its parent under ${parent.rules.hardfork}, ${parent.hash}`)
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
  path: string,
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
  if (header.unclesHash !== committed.unclesHash) json.malformed(`${path}.uncles`, 'those of the header')
  if (!hasWithdrawals) json.malformed(`${path}.withdrawals`, 'those of the header')
  if (!hasRequests) json.malformed(`${path}.requests`, 'those of the header')
}

/** Reads the body of the block with a header, besides its transactions. */
export function loadBody(
  schedule: Schedule,
  fields: Record<string, unknown>,
  path: string,
  block: bodies.Uncle,
): bodies.BlockBody {
  const { nonce } = block.header
  const body: bodies.BlockBody = {
    nonce,
    uncles: json.readEach(fields['uncles'] ?? [], `${path}.uncles`, (item, at) => {
      const { rules, header } = loadHeader(schedule, item, at)
      return { rules, header }
    }),
    withdrawals: json.readEach(fields['withdrawals'] ?? [], `${path}.withdrawals`, (item, at) =>
      loadFields(bodies.WITHDRAWAL_FIELDS, item, at),
    ),
    requests: json.readEach(fields['requests'] ?? [], `${path}.requests`, (item, at) =>
      hexToBytes(json.readHex(item, at)),
    ),
  }
  const { uncles, withdrawals, requests } = body
  const isEmpty = uncles.length + withdrawals.length + requests.length === 0
  checkCommitments(block, body, isEmpty, path)
  return isEmpty && nonce === bodies.EMPTY_BODY.nonce ? bodies.EMPTY_BODY : body
}
