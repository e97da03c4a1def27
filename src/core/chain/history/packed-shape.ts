// The shape of a packed block, for a check of bytes from elsewhere: what has it can be read later without a failure.

import type { Item } from '../../primitives/decode-rlp.ts'

type Shape = (item: Item | undefined) => boolean

const bytes: Shape = (item) => item instanceof Uint8Array

function sized(length: number): Shape {
  return (item) => item instanceof Uint8Array && item.length === length
}

/** An integer of up to so many bytes. */
function quantity(most: number): Shape {
  return (item) => item instanceof Uint8Array && item.length <= most && item[0] !== 0
}

const flag: Shape = (item) =>
  item instanceof Uint8Array && (item.length === 0 || (item.length === 1 && item[0] === 1))

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

const address = sized(20)
const hash = sized(32)
const amount = quantity(32)
const gas = quantity(8)
const log = tuple(address, each(hash), bytes)
const receiptFields = [
  ...[flag, gas, gas, amount, each(log), bytes],
  ...[optional(bytes), optional(address), optional(hash)],
]
/** On a chain of the OP stack: the nonce and the version of a deposit, or the blob gas of another transaction. */
const rollupField = either(tuple(gas, flag), gas)
const receipt = either(tuple(...receiptFields), tuple(...receiptFields, rollupField))

/** As `packTransactions` makes them. */
export const areTransactions = each(tuple(bytes, address, flag, receipt))

const slots: Shape = (item) => Array.isArray(item) && item.length % 2 === 0 && item.every(amount)

/** As `packChanges` makes them. */
/** Bits of what is new: code, and a storage without the slots of a fork. */
const mark: Shape = (item) =>
  item instanceof Uint8Array && (item.length === 0 || (item.length === 1 && MARKS.has(item[0])))
const MARKS: ReadonlySet<unknown> = new Set([1, 2, 3])

export const areChanges = each(either(tuple(address, gas, amount, mark, slots), tuple(address)))
