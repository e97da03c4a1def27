// Packed form of a block's executed transactions, as RLP items. Leaves out what can be recomputed (hashes, blooms,
// positions), and console.log calls, which are only events.

import { bloomOf } from '../../execution/transaction/bloom.ts'
import {
  type ExecutedTransaction,
  type Log,
  logItems,
  type Receipt,
} from '../../execution/transaction/receipt.ts'
import { blobGasOf, type Transaction } from '../../execution/transaction/transaction.ts'
import { decodeImpersonated, decodeWithSender } from '../../pool/decode.ts'
import type { Item } from '../../primitives/decode-rlp.ts'
import type { Encodable } from '../../primitives/encode-rlp.ts'
import {
  type Address,
  bytesToBigInt,
  bytesToHex,
  bytesToText,
  EMPTY_BYTES,
  type Hash,
  utf8ToBytes,
} from '../../primitives/hex.ts'

function packOptional(value: Encodable | undefined): readonly Encodable[] {
  return value === undefined ? [] : [value]
}

/** Fields of the OP stack: the fields of a deposit, or blob gas that is not that of blobs (its DA footprint). */
function packRollupField({ transaction, receipt }: ExecutedTransaction): readonly Encodable[] {
  const { deposit, blobGasUsed } = receipt
  if (deposit !== undefined) return [[deposit.nonce, deposit.version ?? 0]]
  return blobGasUsed === blobGasOf(transaction) ? [] : [blobGasUsed]
}

function packReceipt(executed: ExecutedTransaction): Encodable {
  const { receipt, returnData, failure } = executed
  const { status, postState, contractAddress, logs } = receipt
  return [
    status,
    receipt.gasUsed,
    receipt.cumulativeGasUsed,
    receipt.effectiveGasPrice,
    logItems(logs),
    returnData,
    packOptional(failure === undefined ? undefined : utf8ToBytes(failure)),
    packOptional(contractAddress),
    packOptional(postState),
    ...packRollupField(executed),
  ]
}

/** Without blob sidecars, which are not part of a block. */
export function packTransactions(executed: readonly ExecutedTransaction[]): Encodable[] {
  return executed.map((each): Encodable => {
    const { raw, sender, isImpersonated } = each.transaction
    return [raw, sender, isImpersonated === true ? 1 : 0, packReceipt(each)]
  })
}

function asBytes(item: Item | undefined): Uint8Array {
  return item as Uint8Array
}

function asList(item: Item | undefined): readonly Item[] {
  return item as readonly Item[]
}

/** A copy: a subarray would keep the whole packed block in memory. */
function ownBytes(item: Item | undefined): Uint8Array {
  const bytes = asBytes(item)
  return bytes.length === 0 ? EMPTY_BYTES : bytes.slice()
}

function hexOf(item: Item | undefined): Hash {
  return bytesToHex(asBytes(item))
}

function optional<Value>(item: Item | undefined, unpack: (item: Item) => Value): Value | undefined {
  const [value] = asList(item)
  return value === undefined ? undefined : unpack(value)
}

function unpackLog(item: Item): Log {
  const [address, topics, data] = asList(item)
  return { address: hexOf(address), topics: asList(topics).map(hexOf), data: ownBytes(data) }
}

function unpackRollupField(
  transaction: Transaction,
  item: Item | undefined,
): Pick<Receipt, 'blobGasUsed' | 'deposit'> {
  if (item instanceof Uint8Array) return { blobGasUsed: bytesToBigInt(item) }
  const blobGasUsed = blobGasOf(transaction)
  if (item === undefined) return { blobGasUsed }
  const [nonce = 0n, version] = item.map((each) => bytesToBigInt(asBytes(each)))
  return { blobGasUsed, deposit: { nonce, version: version === 0n ? undefined : 1 } }
}

function unpackReceipt(transaction: Transaction, items: readonly Item[]): Receipt {
  const [status = 0n, gasUsed = 0n, cumulativeGasUsed = 0n, effectiveGasPrice = 0n] = items
    .slice(0, 4)
    .map((item) => bytesToBigInt(asBytes(item)))
  const logs = asList(items[4]).map(unpackLog)
  return {
    status: status === 0n ? 0 : 1,
    postState: optional(items[8], hexOf),
    gasUsed,
    cumulativeGasUsed,
    effectiveGasPrice,
    ...unpackRollupField(transaction, items[9]),
    logs,
    logsBloom: bloomOf(logs),
    contractAddress: optional(items[7], hexOf),
  }
}

function unpackTransaction(raw: Uint8Array, sender: Address, isImpersonated: boolean): Transaction {
  return isImpersonated ? decodeImpersonated(raw, sender) : decodeWithSender(raw, sender)
}

/** The inverse of `packTransactions`. */
export function unpackTransactions(packed: readonly Item[]): readonly ExecutedTransaction[] {
  let firstLogIndex = 0
  return packed.map((item, index) => {
    const [raw, sender, impersonation, receiptItem] = asList(item)
    const isImpersonated = asBytes(impersonation).length > 0
    const transaction = unpackTransaction(ownBytes(raw), hexOf(sender), isImpersonated)
    const items = asList(receiptItem)
    const executed: ExecutedTransaction = {
      transaction,
      receipt: unpackReceipt(transaction, items),
      index,
      firstLogIndex,
      returnData: ownBytes(items[5]),
      failure: optional(items[6], (words) => bytesToText(asBytes(words))),
      consoleCalls: [],
    }
    firstLogIndex += executed.receipt.logs.length
    return executed
  })
}
