// @ts-check
// Assembler for code as a list of pieces with named jump targets, so that the code stays meaningful when pieces are
// removed.

import { code, DUP1, nameOf, PUSH1 } from './opcodes.js'

/**
 * A byte of code; a constant with its width in bytes; a label; the position of a label, in two bytes; or raw bytes.
 * @typedef {number | { push: bigint, size: number } | { place: string } | { at: string, plus: bigint } |
 *   { bytes: Uint8Array }} Piece
 *
 * Pieces that belong together.
 * @typedef {readonly Piece[]} Statement
 * @typedef {readonly Statement[]} Program
 */

const PLACE_BYTES = 2
/** The position of a removed label: beyond the end of any code. */
const NOWHERE = 0xffffn

/** @param {Piece} piece */
function lengthOf(piece) {
  if (typeof piece === 'number') return 1
  if ('push' in piece) return 1 + piece.size
  if ('at' in piece) return 1 + PLACE_BYTES
  return 'bytes' in piece ? piece.bytes.length : 0
}

/** @param {bigint} value @param {number} size */
function bigEndian(value, size) {
  const digits = value.toString(16).padStart(2 * size, '0')
  return Buffer.from(digits.slice(digits.length - 2 * size), 'hex')
}

/** Cached, because a program is run with many gas limits. @type {WeakMap<Program, Uint8Array>} */
const assembled = new WeakMap()

/** @param {Program} program @returns {Uint8Array} */
export function assemble(program) {
  const bytes = assembled.get(program) ?? assemblePieces(program)
  assembled.set(program, bytes)
  return bytes
}

/** @param {Program} program @returns {Uint8Array} */
function assemblePieces(program) {
  const pieces = program.flat()
  /** @type {Map<string, bigint>} */
  const places = new Map()
  let length = 0
  for (const piece of pieces) {
    if (typeof piece === 'object' && 'place' in piece) places.set(piece.place, BigInt(length))
    length += lengthOf(piece)
  }
  /** @type {number[]} */
  const bytes = []
  for (const piece of pieces) {
    if (typeof piece === 'number') bytes.push(piece)
    else if ('push' in piece) bytes.push(PUSH1 - 1 + piece.size, ...bigEndian(piece.push, piece.size))
    else if ('at' in piece) {
      const target = (places.get(piece.at) ?? NOWHERE) + piece.plus
      bytes.push(PUSH1 - 1 + PLACE_BYTES, ...bigEndian(target, PLACE_BYTES))
    } else if ('bytes' in piece) bytes.push(...piece.bytes)
  }
  return Uint8Array.from(bytes)
}

/** The number of bytes of a value; one for zero. @param {bigint} value */
export function sizeOf(value) {
  return Math.max(1, Math.ceil(value.toString(16).length / 2))
}

/** Pushes a constant in as few bytes as possible. @param {bigint | number} value @returns {Piece} */
export function push(value) {
  const push = BigInt(value)
  return { push, size: sizeOf(push) }
}

/** Writes bytes to memory from `offset` on. @param {Uint8Array} bytes @param {number} offset @returns {Piece[]} */
export function toMemory(bytes, offset) {
  const pieces = []
  for (let start = 0; start < bytes.length; start += 32) {
    let word = 0n
    for (let i = 0; i < 32; i++) word = (word << 8n) | BigInt(bytes[start + i] ?? 0)
    pieces.push({ push: word, size: 32 }, push(offset + start), code('MSTORE'))
  }
  return pieces
}

/** One line for each instruction of some code. @param {Uint8Array} bytes @returns {string[]} */
export function disassemble(bytes) {
  const lines = []
  for (let pc = 0; pc < bytes.length; pc++) {
    const byte = bytes[pc] ?? 0
    const start = pc
    let operand = ''
    if (byte >= PUSH1 && byte < DUP1) {
      const data = bytes.subarray(pc + 1, pc + 2 + byte - PUSH1)
      operand = ` 0x${Buffer.from(data).toString('hex')}`
      pc += byte - PUSH1 + 1
      if (pc >= bytes.length) operand += ' (cut off)'
    }
    lines.push(`${start.toString(16).padStart(4, '0')}  ${nameOf(byte)}${operand}`)
  }
  return lines
}
