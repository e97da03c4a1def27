// The KECCAK256 opcode, with the permutation of assembly/crypto. Hashes of two words are remembered: slots of mappings are
// such, and code hashes the same few keys again and again.

import { absorb, begin, finish, INPUT, RATE } from './crypto/keccak'
import { copyWord, isEqual, setWord } from './word'

/** Lines of what is remembered, each the two words and their hash. A line without a hash is zero there. */
const LINES: u32 = 1 << 9
const LINE_BYTES: usize = 96
const HASH: usize = 64
const REMEMBERED = memory.data((1 << 9) * 96, 16)

/** Writes the hash of `length` bytes at `from` into the word at `x`. */
export function keccak256(x: usize, from: usize, length: usize): void {
  if (length != 64) {
    hash(x, from, length)
    return
  }
  const line = lineOf(from)
  if (isEqual(line, from) && isEqual(line + 32, from + 32) && load<u64>(line, HASH) != 0) {
    copyWord(x, line + HASH)
    return
  }
  memory.copy(line, from, 64)
  hash(x, from, 64)
  copyWord(line + HASH, x)
}

function lineOf(from: usize): usize {
  const first = load<u64>(from) ^ rotl<u64>(load<u64>(from, 8), 13) ^ rotl<u64>(load<u64>(from, 16), 29)
  const second = load<u64>(from, 24) ^ rotl<u64>(load<u64>(from, 32), 17) ^ rotl<u64>(load<u64>(from, 40), 31)
  const third = rotl<u64>(load<u64>(from, 48), 41) ^ rotl<u64>(load<u64>(from, 56), 53)
  const mixed = (first ^ rotl<u64>(second, 7) ^ third) * 0x9e3779b97f4a7c15
  return REMEMBERED + (<usize>(mixed >> 40) & (LINES - 1)) * LINE_BYTES
}

function hash(x: usize, from: usize, length: usize): void {
  const blocks = length / <usize>RATE
  const rest = length % <usize>RATE
  begin()
  if (blocks != 0) absorb(from, <i32>blocks)
  // Copied before padding, which would overwrite the memory after the message.
  memory.copy(INPUT, from + length - rest, rest)
  finish(INPUT, <i32>rest)
  const high = bswap(load<u64>(INPUT))
  setWord(x, bswap(load<u64>(INPUT, 24)), bswap(load<u64>(INPUT, 16)), bswap(load<u64>(INPUT, 8)), high)
}
