// Storage of native contracts, as Solidity lays it out: mappings, texts and arrays under the roots of ERC-7201, and fields
// that share a word.

import { keccak256Hex, keccakInput, keccakOfInput } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import { overflow } from './abi.ts'
import { NativeFailure, type NativePort } from './port.ts'

const WORD_BITS = 256

/** The slot at an offset from another. */
export function after(slot: hex.Hash, offset: number): hex.Hash {
  return hex.toWord(BigInt.asUintN(WORD_BITS, BigInt(slot) + BigInt(offset)))
}

export function mapped(key: hex.Hex, slot: hex.Hash): hex.Hash {
  const input = keccakInput()
  const start = 32 - (key.length - 2) / 2
  input.fill(0, 0, start)
  hex.putHex(input, start, key)
  hex.putHex(input, 32, slot)
  return hex.bytesToHex(keccakOfInput(0, 64))
}

export function mappedText(key: string, slot: hex.Hash): hex.Hash {
  return keccak256Hex(hex.concatBytes(hex.utf8ToBytes(key), hex.hexToBytes(slot)))
}

export function part(word: bigint, from: number, bits: number): bigint {
  return word === 0n ? word : BigInt.asUintN(bits, word >> BigInt(from))
}

export function withPart(word: bigint, from: number, bits: number, value: bigint): bigint {
  const mask = ((1n << BigInt(bits)) - 1n) << BigInt(from)
  return (word & ~mask) | (value << BigInt(from))
}

/** Texts of 32 bytes and more stand in words of their own. */
const LONGEST_SHORT = 31

function wordsOf(bytes: number): number {
  return bytes > LONGEST_SHORT ? Math.ceil(bytes / 32) : 0
}

function isLong(head: bigint): boolean {
  return (head & 1n) === 1n
}

const MOST = 0xffff_ffffn

function lengthOf(head: bigint): number {
  const length = isLong(head) ? (head - 1n) / 2n : part(head, 0, 8) / 2n
  if (length > MOST) throw overflow()
  return Number(length)
}

function dataOf(slot: hex.Hash): hex.Hash {
  return keccak256Hex(hex.hexToBytes(slot))
}

export function loadText(port: NativePort, address: hex.Address, slot: hex.Hash): string {
  const head = port.load(address, slot)
  const length = lengthOf(head)
  if (!isLong(head)) return hex.bytesToText(hex.hexToBytes(hex.toWord(head)).subarray(0, length))
  const data = dataOf(slot)
  const words = Array.from({ length: wordsOf(length) }, (_, index) =>
    hex.hexToBytes(hex.toWord(port.load(address, after(data, index)))),
  )
  return hex.bytesToText(hex.concatBytes(...words).subarray(0, length))
}

function clear(port: NativePort, address: hex.Address, slot: hex.Hash, from: number, head: bigint): void {
  if (!isLong(head)) return
  const data = dataOf(slot)
  for (let index = from; index < wordsOf(lengthOf(head)); index++) port.store(address, after(data, index), 0n)
}

/** Bytes as a word, with zeros behind them. */
function wordAt(bytes: Uint8Array, from: number): bigint {
  const word = new Uint8Array(32)
  word.set(bytes.subarray(from, from + 32))
  return hex.bytesToBigInt(word)
}

/** Writes a text. From version 2 on, the words that a longer one had are cleared, and the old length read for that. */
export function storeText(port: NativePort, address: hex.Address, slot: hex.Hash, text: string): void {
  const bytes = hex.utf8ToBytes(text)
  const words = wordsOf(bytes.length)
  if (port.version > 1) {
    if (port.isStatic) throw new NativeFailure('static')
    clear(port, address, slot, words, port.load(address, slot))
  }
  if (words === 0) {
    port.store(address, slot, wordAt(bytes, 0) | BigInt(bytes.length * 2))
    return
  }
  port.store(address, slot, BigInt(bytes.length * 2 + 1))
  const data = dataOf(slot)
  for (let index = 0; index < words; index++)
    port.store(address, after(data, index), wordAt(bytes, 32 * index))
}

export function deleteText(port: NativePort, address: hex.Address, slot: hex.Hash): void {
  clear(port, address, slot, 0, port.load(address, slot))
  port.store(address, slot, 0n)
}

const IDS_PER_WORD = 4
export const ID_BITS = 64

/** An array of numbers of 64 bits. */
export function loadIds(port: NativePort, address: hex.Address, slot: hex.Hash): bigint[] {
  const length = port.load(address, slot)
  if (length > MOST) throw overflow()
  const count = Number(length)
  const data = count === 0 ? slot : dataOf(slot)
  const ids: bigint[] = []
  for (let index = 0; ids.length < count; index++) {
    const word = port.load(address, after(data, index))
    for (let lane = 0; lane < IDS_PER_WORD && ids.length < count; lane++)
      ids.push(part(word, ID_BITS * lane, ID_BITS))
  }
  return ids
}

/** Writes an array of at most four, after a read of the length that it had. */
export function storeIds(port: NativePort, address: hex.Address, slot: hex.Hash, ids: readonly bigint[]) {
  if (port.isStatic) throw new NativeFailure('static')
  port.load(address, slot)
  port.store(address, slot, BigInt(ids.length))
  const word = ids.reduce((packed, id, lane) => packed | (id << BigInt(ID_BITS * lane)), 0n)
  port.store(address, dataOf(slot), word)
}
