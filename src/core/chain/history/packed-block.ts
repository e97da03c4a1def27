// Packed form of a block: one byte string, a sixth of the memory of the objects. It begins with the bloom filter, so
// that a search for logs decodes nothing else, and ends with three lists: header, transactions, changes of the state. It
// leaves out what can be recomputed (hashes, blooms, positions), and console.log calls, which are only events. State dumps contain it: a change of it is a new version of theirs (docs/state-format.md).

import type { Transaction } from '../../execution/transaction/transaction.ts'
import * as txs from '../../execution/transaction/transaction.ts'
import { decodeImpersonated, decodeWithSender } from '../../pool/decode.ts'
import { FIELD_KINDS, type FieldKind, isItemOf } from '../../primitives/fields.ts'
import * as hex from '../../primitives/hex.ts'
import { decodeItem, type Encodable, encodeBetween, type Item, itemEnd } from '../../primitives/rlp.ts'
import { type Header, type HeaderName, headerField, makeHeader, PACKED_NAMES } from '../../rollup/header.ts'
import { codeCountIn } from '../../state/state-changes.ts'
import { bodyCommitments, EMPTY_BODY } from '../block/body.ts'

function packOptional(value: Encodable | undefined): readonly Encodable[] {
  return value === undefined ? [] : [value]
}

/** Fields of the OP stack: the fields of a deposit, or blob gas that is not that of blobs (its DA footprint). */
function packRollupField({ transaction, receipt }: txs.ExecutedTransaction): readonly Encodable[] {
  const { deposit, blobGasUsed } = receipt
  if (deposit !== undefined) return [[deposit.nonce, deposit.version ?? 0]]
  return blobGasUsed === txs.blobGasOf(transaction) ? [] : [blobGasUsed]
}

function packReceipt(executed: txs.ExecutedTransaction): Encodable {
  const { receipt, returnData, failure } = executed
  const { status, postState, contractAddress, logs } = receipt
  return [
    status,
    receipt.gasUsed,
    receipt.cumulativeGasUsed,
    receipt.effectiveGasPrice,
    txs.logItems(logs),
    returnData,
    packOptional(failure === undefined ? undefined : hex.utf8ToBytes(failure)),
    packOptional(contractAddress),
    packOptional(postState),
    ...packRollupField(executed),
  ]
}

/** Without blob sidecars, which are not part of a block. */
function packTransactions(executed: readonly txs.ExecutedTransaction[]): Encodable[] {
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

function unpackOptional<Value>(item: Item | undefined, unpack: (item: Item) => Value): Value | undefined {
  const [value] = asList(item)
  return value === undefined ? undefined : unpack(value)
}

function unpackLog(item: Item): txs.Log {
  const [address, topics, data] = asList(item)
  return { address: hexOf(address), topics: asList(topics).map(hexOf), data: ownBytes(data) }
}

function unpackRollupField(
  transaction: Transaction,
  item: Item | undefined,
): Pick<txs.Receipt, 'blobGasUsed' | 'deposit'> {
  if (item instanceof Uint8Array) return { blobGasUsed: hex.bytesToBigInt(item) }
  const blobGasUsed = txs.blobGasOf(transaction)
  if (item === undefined) return { blobGasUsed }
  const [nonce = 0n, version] = item.map((each) => hex.bytesToBigInt(asBytes(each)))
  return { blobGasUsed, deposit: { nonce, version: version === 0n ? undefined : 1 } }
}

function unpackReceipt(transaction: Transaction, items: readonly Item[]): txs.Receipt {
  const [status = 0n, gasUsed = 0n, cumulativeGasUsed = 0n, effectiveGasPrice = 0n] = items
    .slice(0, 4)
    .map((item) => hex.bytesToBigInt(asBytes(item)))
  const logs = asList(items[4]).map(unpackLog)
  return {
    status: status === 0n ? 0 : 1,
    postState: unpackOptional(items[8], hexOf),
    gasUsed,
    cumulativeGasUsed,
    effectiveGasPrice,
    ...unpackRollupField(transaction, items[9]),
    logs,
    logsBloom: txs.bloomOf(logs),
    contractAddress: unpackOptional(items[7], hexOf),
  }
}

function unpackTransactions(packed: readonly Item[]): readonly txs.ExecutedTransaction[] {
  let firstLogIndex = 0
  return packed.map((item, index) => {
    const [raw, sender, impersonation, receiptItem] = asList(item)
    const decode = asBytes(impersonation).length > 0 ? decodeImpersonated : decodeWithSender
    const transaction = decode(ownBytes(raw), hexOf(sender))
    const items = asList(receiptItem)
    const executed: txs.ExecutedTransaction = {
      transaction,
      receipt: unpackReceipt(transaction, items),
      index,
      firstLogIndex,
      returnData: ownBytes(items[5]),
      failure: unpackOptional(items[6], (words) => hex.bytesToText(asBytes(words))),
      consoleCalls: [],
    }
    firstLogIndex += executed.receipt.logs.length
    return executed
  })
}

type Shape = (item: Item | undefined) => boolean

function shapeOf(kind: FieldKind): Shape {
  return (item) => isItemOf(kind, item)
}

function each(shape: Shape): Shape {
  return (item) => Array.isArray(item) && item.every(shape)
}

function optional(shape: Shape): Shape {
  return (item) => Array.isArray(item) && item.length <= 1 && item.every(shape)
}

function tuple(...shapes: readonly Shape[]): Shape {
  return (item) =>
    Array.isArray(item) && item.length === shapes.length && shapes.every((shape, index) => shape(item[index]))
}

function either(first: Shape, second: Shape): Shape {
  return (item) => first(item) || second(item)
}

const [bytes, address, hash] = [shapeOf('bytes'), shapeOf('address'), shapeOf('hash')]
const [amount, gas, flag] = [shapeOf('amount'), shapeOf('gas'), shapeOf('flag')]
const log = tuple(address, each(hash), bytes)
const receiptFields = [
  ...[flag, gas, gas, amount, each(log), bytes],
  ...[optional(bytes), optional(address), optional(hash)],
]
/** On a chain of the OP stack: the nonce and the version of a deposit, or the blob gas of another transaction. */
const rollupField = either(tuple(gas, flag), gas)
const receipt = either(tuple(...receiptFields), tuple(...receiptFields, rollupField))

/** As `packTransactions` makes them. */
const areTransactions = each(tuple(bytes, address, flag, receipt))

const slots: Shape = (item) => Array.isArray(item) && item.length % 2 === 0 && item.every(amount)

/** Bits of what is new: code, and a storage without the slots of a fork. */
const mark: Shape = (item) =>
  item instanceof Uint8Array && (item.length === 0 || (item.length === 1 && MARKS.has(item[0])))
const MARKS: ReadonlySet<unknown> = new Set([1, 2, 3])

/** As `packChanges` makes them. */
const areChanges = each(either(tuple(address, gas, amount, mark, slots), tuple(address)))

/** Fields that follow from the body, after all others. */
const BODY_NAMES = ['nonce', 'unclesHash', 'withdrawalsRoot', 'requestsHash'] as const
const BODY_FROM = PACKED_NAMES.length - BODY_NAMES.length

function emptyBodyFields(): Pick<Header, (typeof BODY_NAMES)[number]> {
  return { nonce: EMPTY_BODY.nonce, ...bodyCommitments(EMPTY_BODY) }
}

function packHeader(header: Header): Encodable[] {
  const empty = emptyBodyFields()
  const hasEmptyBody = BODY_NAMES.every((name) => header[name] === empty[name])
  const names = hasEmptyBody ? PACKED_NAMES.slice(0, BODY_FROM) : PACKED_NAMES
  return names.map((name) => header[name])
}

function unpackHeader(items: readonly Uint8Array[], logsBloom: Uint8Array): Header {
  const given: Partial<Header> = { logsBloom, ...(items.length === BODY_FROM ? emptyBodyFields() : {}) }
  const unpack = (name: HeaderName): unknown => {
    const { kind, packed } = headerField(name)
    const bytes = packed === undefined ? undefined : items[packed]
    return bytes && FIELD_KINDS[kind].fromBytes(bytes)
  }
  return makeHeader((name) => given[name] ?? unpack(name))
}

function isPackedHeader(item: Item | undefined): item is Uint8Array[] {
  if (!Array.isArray(item) || (item.length !== BODY_FROM && item.length !== PACKED_NAMES.length)) return false
  return item.every((each, position) =>
    isItemOf(headerField(PACKED_NAMES[position] as HeaderName).kind, each),
  )
}

const NO_BLOOM = 0
const WITH_BLOOM = 1

/** The block as bytes, with changes of the state that are encoded already, and without blob sidecars. */
export function packBlock(header: Header, executed: readonly txs.ExecutedTransaction[], changes: Uint8Array) {
  const { logsBloom } = header
  const hasBloom = logsBloom !== txs.EMPTY_BLOOM && logsBloom.some((byte) => byte !== 0)
  const start = hasBloom ? hex.concatBytes(Uint8Array.of(WITH_BLOOM), logsBloom) : Uint8Array.of(NO_BLOOM)
  return encodeBetween(start, [packHeader(header), packTransactions(executed)], changes)
}

/** The bloom filter of the block's logs, as a view of the packed bytes. */
export function logsBloomIn(packed: Uint8Array): Uint8Array {
  return packed[0] === NO_BLOOM ? txs.EMPTY_BLOOM : packed.subarray(1, 1 + txs.BLOOM_BYTES)
}

function listsStart(packed: Uint8Array): number {
  return packed[0] === NO_BLOOM ? 1 : 1 + txs.BLOOM_BYTES
}

/** The items of the list at a position: 0, 1 or 2. */
function listIn(packed: Uint8Array, position: number): Item[] {
  let start = listsStart(packed)
  for (let i = 0; i < position; i++) start = itemEnd(packed, start)
  return decodeItem(packed, start, itemEnd(packed, start)) as Item[]
}

export function headerIn(packed: Uint8Array, items = listIn(packed, 0)): Header {
  const bloom = logsBloomIn(packed)
  const logsBloom = bloom === txs.EMPTY_BLOOM ? bloom : bloom.slice()
  return unpackHeader(items as readonly Uint8Array[], logsBloom)
}

export function transactionsIn(packed: Uint8Array): readonly txs.ExecutedTransaction[] {
  return unpackTransactions(listIn(packed, 1))
}

/** The changes of the state; empty if the block's state is kept whole, or not at all. */
export function changesIn(packed: Uint8Array): Item[] {
  return listIn(packed, 2)
}

function decodeForeign(list: Uint8Array): Item | undefined {
  try {
    return decodeItem(list)
  } catch (error) {
    // A stack overflow: it is nested too deeply.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export type UnpackedChanges = NonNullable<ReturnType<typeof unpackChanges>>

/** Unpacks changes of a state from elsewhere; `undefined` if they are none. */
export function unpackChanges(bytes: Uint8Array) {
  const items = decodeForeign(bytes)
  if (!areChanges(items)) return undefined
  /** `codeCount` is the number of accounts with new code. */
  return { items: items as Item[], bytes, codeCount: codeCountIn(items as Item[]) }
}

/** Unpacks bytes from elsewhere; `undefined` if they are no packed block. A transaction that does not decode throws. */
export function unpackBlock(packed: Uint8Array) {
  if (packed[0] !== NO_BLOOM && packed[0] !== WITH_BLOOM) return undefined
  const lists: Uint8Array[] = []
  for (let start = listsStart(packed); start < packed.length; start = itemEnd(packed, start))
    lists.push(packed.subarray(start, itemEnd(packed, start)))
  const [header, transactions] = lists.slice(0, 2).map(decodeForeign)
  const changes = lists[2] && unpackChanges(lists[2])
  const isPacked = lists.length === 3 && isPackedHeader(header) && areTransactions(transactions)
  if (!isPacked || changes === undefined) return undefined
  const executed = unpackTransactions(transactions as Item[])
  return { header: headerIn(packed, header), executed, changes }
}
