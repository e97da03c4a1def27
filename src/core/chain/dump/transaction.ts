// Executed transactions in a state dump: bytes and receipt.

import {
  type ExecutedTransaction,
  type Log,
  RECEIPT_FIELDS,
  type Receipt,
} from '../../execution/transaction/receipt.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { decodeImpersonated, decodeTransaction, decodeWithSender } from '../../pool/decode.ts'
import { dumpFields, FIELD_KINDS, loadFields } from '../../primitives/fields.ts'
import { bytesToHex, EMPTY_BYTES, hexToBytes, toQuantity } from '../../primitives/hex.ts'
import {
  malformed,
  readAddressField,
  readAmount,
  readEach,
  readHash,
  readHex,
  readObject,
  readOptional,
} from '../../primitives/json-reader.ts'

/** The bytes, and the sender of an impersonated transaction, which has no signature. */
export function dumpTransaction({ raw, sender, isImpersonated }: Transaction) {
  return { raw: bytesToHex(raw), ...(isImpersonated === true ? { impersonated: sender } : {}) }
}

export function loadTransaction(value: unknown, path: string): Transaction {
  const { raw, impersonated } = readObject(value, path)
  const bytes = hexToBytes(readHex(raw, `${path}.raw`))
  const sender = readOptional(impersonated, `${path}.impersonated`, readAddressField)
  return sender === undefined ? decodeTransaction(bytes) : decodeImpersonated(bytes, sender)
}

/** Reads a transaction that has run. Its sender is taken from the dump, as its receipt is; older dumps have none. */
function loadRun(value: unknown, path: string): Transaction {
  const { raw, sender, impersonated } = readObject(value, path)
  const known = readOptional(sender, `${path}.sender`, readAddressField)
  if (known === undefined || impersonated !== undefined) return loadTransaction(value, path)
  return decodeWithSender(hexToBytes(readHex(raw, `${path}.raw`)), known)
}

function dumpLog({ address, topics, data }: Log) {
  return { address, topics, data: bytesToHex(data) }
}

function loadLog(value: unknown, path: string): Log {
  const { address, topics, data } = readObject(value, path)
  return {
    address: readAddressField(address, `${path}.address`),
    topics: readEach(topics, `${path}.topics`, readHash),
    data: hexToBytes(readHex(data, `${path}.data`)),
  }
}

type DepositReceipt = NonNullable<Receipt['deposit']>

function dumpDeposit({ nonce, version }: DepositReceipt) {
  return { nonce: toQuantity(nonce), ...(version === undefined ? {} : { version }) }
}

function loadDeposit(value: unknown, path: string): DepositReceipt {
  const { nonce, version } = readObject(value, path)
  return {
    nonce: readAmount(nonce, `${path}.nonce`, 64),
    version: readOptional(version, `${path}.version`, readVersion),
  }
}

function readVersion(value: unknown, path: string): 1 {
  return value === 1 ? value : malformed(path, '1')
}

export function dumpExecuted({ transaction, receipt, returnData, failure }: ExecutedTransaction) {
  const { logs, deposit } = receipt
  const { sender, isImpersonated } = transaction
  return {
    ...dumpTransaction(transaction),
    ...(isImpersonated === true ? {} : { sender }),
    ...dumpFields(RECEIPT_FIELDS, receipt),
    ...(deposit === undefined ? {} : { deposit: dumpDeposit(deposit) }),
    logs: logs.map(dumpLog),
    ...(logs.length === 0 ? {} : { logsBloom: bytesToHex(receipt.logsBloom) }),
    returnData: bytesToHex(returnData),
    ...(failure === undefined ? {} : { failure }),
  }
}

function readText(value: unknown, path: string): string {
  return typeof value === 'string' ? value : malformed(path, 'a string')
}

function loadReceipt(fields: Record<string, unknown>, path: string): Receipt {
  const deposit = readOptional(fields['deposit'], `${path}.deposit`, loadDeposit)
  const { absent, fromDump } = FIELD_KINDS.bloom
  return {
    ...loadFields(RECEIPT_FIELDS, fields, path),
    logs: readEach(fields['logs'], `${path}.logs`, loadLog),
    logsBloom: readOptional(fields['logsBloom'], `${path}.logsBloom`, fromDump) ?? absent,
    ...(deposit === undefined ? {} : { deposit }),
  }
}

/** The transactions of a block, in order. `firstIndex` and `firstLogIndex` belong to the first of them. */
export function loadExecuted(
  value: unknown,
  path: string,
  firstIndex = 0,
  firstLogIndex = 0,
): ExecutedTransaction[] {
  let logCount = firstLogIndex
  let gasUsed = 0n
  return readEach(value, path, (item, at) => {
    const fields = readObject(item, at)
    const receipt = loadReceipt(fields, at)
    gasUsed += receipt.gasUsed
    if (receipt.cumulativeGasUsed !== gasUsed)
      malformed(`${at}.cumulativeGasUsed`, 'the sum of gasUsed up to this transaction')
    const returnData = readOptional(fields['returnData'], `${at}.returnData`, readHex)
    const executed = {
      transaction: loadRun(item, at),
      receipt,
      firstLogIndex: logCount,
      returnData: returnData === undefined ? EMPTY_BYTES : hexToBytes(returnData),
      failure: readOptional(fields['failure'], `${at}.failure`, readText),
      consoleCalls: [],
    }
    logCount += receipt.logs.length
    return executed
  }).map((executed, index) => ({ ...executed, index: firstIndex + index }))
}
