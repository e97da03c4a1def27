// Packed form of a block's executed transactions, as RLP items. Leaves out what can be recomputed (hashes, blooms,
// positions), and console.log calls, which are only events.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import * as transactions from '../../execution/transaction/transaction.ts'
import { decodeImpersonated, decodeWithSender } from '../../pool/decode.ts'
import * as hex from '../../primitives/hex.ts'
import type { Encodable, Item } from '../../primitives/rlp.ts'

function packOptional(value: Encodable | undefined): readonly Encodable[] {
  return value === undefined ? [] : [value]
}

/** Fields of the OP stack: the fields of a deposit, or blob gas that is not that of blobs (its DA footprint). */
function packRollupField({ transaction, receipt }: transactions.ExecutedTransaction): readonly Encodable[] {
  const { deposit, blobGasUsed } = receipt
  if (deposit !== undefined) return [[deposit.nonce, deposit.version ?? 0]]
  return blobGasUsed === transactions.blobGasOf(transaction) ? [] : [blobGasUsed]
}

function packReceipt(executed: transactions.ExecutedTransaction): Encodable {
  const { receipt, returnData, failure } = executed
  const { status, postState, contractAddress, logs } = receipt
  return [
    status,
    receipt.gasUsed,
    receipt.cumulativeGasUsed,
    receipt.effectiveGasPrice,
    transactions.logItems(logs),
    returnData,
    packOptional(failure === undefined ? undefined : hex.utf8ToBytes(failure)),
    packOptional(contractAddress),
    packOptional(postState),
    ...packRollupField(executed),
  ]
}

/** Without blob sidecars, which are not part of a block. */
export function packTransactions(executed: readonly transactions.ExecutedTransaction[]): Encodable[] {
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
  return bytes.length === 0 ? hex.EMPTY_BYTES : bytes.slice()
}

function hexOf(item: Item | undefined): hex.Hash {
  return hex.bytesToHex(asBytes(item))
}

function optional<Value>(item: Item | undefined, unpack: (item: Item) => Value): Value | undefined {
  const [value] = asList(item)
  return value === undefined ? undefined : unpack(value)
}

function unpackLog(item: Item): transactions.Log {
  const [address, topics, data] = asList(item)
  return { address: hexOf(address), topics: asList(topics).map(hexOf), data: ownBytes(data) }
}

function unpackRollupField(
  transaction: Transaction,
  item: Item | undefined,
): Pick<transactions.Receipt, 'blobGasUsed' | 'deposit'> {
  if (item instanceof Uint8Array) return { blobGasUsed: hex.bytesToBigInt(item) }
  const blobGasUsed = transactions.blobGasOf(transaction)
  if (item === undefined) return { blobGasUsed }
  const [nonce = 0n, version] = item.map((each) => hex.bytesToBigInt(asBytes(each)))
  return { blobGasUsed, deposit: { nonce, version: version === 0n ? undefined : 1 } }
}

function unpackReceipt(transaction: Transaction, items: readonly Item[]): transactions.Receipt {
  const [status = 0n, gasUsed = 0n, cumulativeGasUsed = 0n, effectiveGasPrice = 0n] = items
    .slice(0, 4)
    .map((item) => hex.bytesToBigInt(asBytes(item)))
  const logs = asList(items[4]).map(unpackLog)
  return {
    status: status === 0n ? 0 : 1,
    postState: optional(items[8], hexOf),
    gasUsed,
    cumulativeGasUsed,
    effectiveGasPrice,
    ...unpackRollupField(transaction, items[9]),
    logs,
    logsBloom: transactions.bloomOf(logs),
    contractAddress: optional(items[7], hexOf),
  }
}

function unpackTransaction(raw: Uint8Array, sender: hex.Address, isImpersonated: boolean): Transaction {
  return isImpersonated ? decodeImpersonated(raw, sender) : decodeWithSender(raw, sender)
}

/** The inverse of `packTransactions`. */
export function unpackTransactions(packed: readonly Item[]): readonly transactions.ExecutedTransaction[] {
  let firstLogIndex = 0
  return packed.map((item, index) => {
    const [raw, sender, impersonation, receiptItem] = asList(item)
    const isImpersonated = asBytes(impersonation).length > 0
    const transaction = unpackTransaction(ownBytes(raw), hexOf(sender), isImpersonated)
    const items = asList(receiptItem)
    const executed: transactions.ExecutedTransaction = {
      transaction,
      receipt: unpackReceipt(transaction, items),
      index,
      firstLogIndex,
      returnData: ownBytes(items[5]),
      failure: optional(items[6], (words) => hex.bytesToText(asBytes(words))),
      consoleCalls: [],
    }
    firstLogIndex += executed.receipt.logs.length
    return executed
  })
}
