// The secret numbers of signatures: RFC 6979, 3.2, with HMAC-SHA-256.

import { BYTES } from './moduli'
import { beginSha256, endSha256 } from './sha256'

const WORD: usize = 32
const BLOCK: usize = 64

/** K and V of the RFC. */
const key = memory.data(32, 8)
const value = memory.data(32, 8)
/** A padded key, and after it up to 97 bytes of a message, with space for the padding of SHA-256. */
const room = memory.data(256, 8)
const message = room + BLOCK

function padKey(byte: u8): void {
  memory.fill(room, byte, BLOCK)
  for (let i: usize = 0; i < WORD; i += 8) {
    store<u64>(room + i, load<u64>(room + i) ^ load<u64>(key + i))
  }
}

function hash(length: usize): void {
  beginSha256()
  endSha256(message, room, <i32>(BLOCK + length), <i32>(BLOCK + length))
}

/** r = the code of the first bytes of `message`, with the key K. */
function authenticate(r: usize, length: usize): void {
  padKey(0x36)
  hash(length)
  padKey(0x5c)
  hash(WORD)
  memory.copy(r, message, WORD)
}

/** K = HMAC(V, a byte, input), V = HMAC(V). */
function update(byte: u8, input: usize, length: usize): void {
  memory.copy(message, value, WORD)
  store<u8>(message + WORD, byte)
  memory.copy(message + WORD + 1, input, length)
  authenticate(key, WORD + 1 + length)
  advance()
}

function advance(): void {
  memory.copy(message, value, WORD)
  authenticate(value, WORD)
}

function writeCandidate(): void {
  advance()
  memory.copy(BYTES, value, WORD)
}

/** Replaces the private key and the message in BYTES, mod the order, by the first candidate. */
export function firstSecret(): void {
  memory.fill(key, 0, WORD)
  memory.fill(value, 1, WORD)
  update(0, BYTES, 2 * WORD)
  update(1, BYTES, 2 * WORD)
  writeCandidate()
}

/** Writes the next candidate to BYTES. */
export function nextSecret(): void {
  update(0, BYTES, 0)
  writeCandidate()
}
