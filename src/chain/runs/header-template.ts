// Hashing headers that differ in a few fields only: the RLP is laid out once, and those fields are written into it.

import type { Rules } from '../../rollup/rules.ts'
import { encodeHeader, type Header } from '../block/header.ts'

/** Where fields stand in a header's list (yellow paper, 4.3; EIP-4788). */
const PARENT_HASH = 0
const NUMBER = 8
const TIMESTAMP = 11
const PREV_RANDAO = 13
const PARENT_BEACON_BLOCK_ROOT = 19

export interface HeaderTemplate {
  /** The RLP of the header as it was written last. */
  readonly encoded: Uint8Array
  readonly writeParent: (hash: Uint8Array) => void
  /** Writes what is drawn from the chain of randomness; the root only where the header has one. */
  readonly writeDraw: (prevRandao: Uint8Array, parentBeaconBlockRoot: Uint8Array) => void
  /** Writes number and timestamp; false where they do not fit the layout, which then has to be made anew. */
  readonly writePlace: (number: number, timestamp: number) => boolean
}

/** An item of an RLP list, behind its prefix. */
interface Item {
  readonly start: number
  readonly length: number
}

/** The items of an RLP list, none of which is a list. */
function locateItems(list: Uint8Array): Item[] {
  const items: Item[] = []
  const head = list[0] as number
  let position = head > 0xf7 ? head - 0xf7 + 1 : 1
  while (position < list.length) {
    const prefix = list[position] as number
    const sizeBytes = prefix > 0xb7 ? prefix - 0xb7 : 0
    const size = list.subarray(position + 1, position + 1 + sizeBytes)
    const length = sizeBytes > 0 ? size.reduce((sum, byte) => sum * 256 + byte, 0) : prefix - 0x80
    // A byte below 0x80 stands for itself.
    const item = prefix < 0x80 ? { start: position, length: 1 } : { start: position + 1 + sizeBytes, length }
    items.push(item)
    position = item.start + item.length
  }
  return items
}

/** Whether a number has as many bytes as an item, and a prefix before them. */
function fits({ length }: Item, value: number): boolean {
  return value < 256 ** length && value >= (length <= 1 ? 0x80 : 256 ** (length - 1))
}

function writeNumber(bytes: Uint8Array, { start, length }: Item, value: number): void {
  let rest = value
  for (let position = start + length - 1; position >= start; position--) {
    bytes[position] = rest % 256
    rest = Math.floor(rest / 256)
  }
}

/** Lays out the headers that are like this one but for parent, number, timestamp and what is drawn. */
export function createHeaderTemplate(rules: Rules, header: Header): HeaderTemplate {
  const encoded = encodeHeader(rules, header)
  const items = locateItems(encoded)
  const itemAt = (field: number): Item => items[field] as Item
  const [parent, number, timestamp] = [itemAt(PARENT_HASH), itemAt(NUMBER), itemAt(TIMESTAMP)]
  const [draw, root] = [itemAt(PREV_RANDAO), items[PARENT_BEACON_BLOCK_ROOT]]
  return {
    encoded,
    writeParent: (hash) => encoded.set(hash, parent.start),
    writeDraw(prevRandao, parentBeaconBlockRoot) {
      encoded.set(prevRandao, draw.start)
      if (root !== undefined) encoded.set(parentBeaconBlockRoot, root.start)
    },
    writePlace(newNumber, newTimestamp) {
      if (!fits(number, newNumber) || !fits(timestamp, newTimestamp)) return false
      writeNumber(encoded, number, newNumber)
      writeNumber(encoded, timestamp, newTimestamp)
      return true
    },
  }
}
