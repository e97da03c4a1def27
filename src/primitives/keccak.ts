// keccak-256 in WebAssembly (assembly/crypto). Callers that hash often, such as tries, write messages directly into its
// input buffer.

import type { CryptoExports } from './crypto-module.ts'

const HASH_BYTES = 32
const RATE = 136

interface Keccak extends Pick<CryptoExports, 'begin' | 'absorb' | 'finish' | 'hash'> {
  /** Address of `input`. */
  readonly start: number
  readonly input: Uint8Array
  /** The start of `input`, which also receives the hash. */
  readonly out: Uint8Array
}

let keccak: Keccak | undefined

export function startKeccak(exports: CryptoExports): void {
  const { memory, INPUT, ROOM, begin, absorb, finish, hash } = exports
  const start = INPUT.value
  const input = new Uint8Array(memory.buffer, start, ROOM.value)
  keccak = { begin, absorb, finish, hash, start, input, out: input.subarray(0, HASH_BYTES) }
}

function started(): Keccak {
  if (keccak === undefined) throw new Error('loadCrypto() has not resolved yet')
  return keccak
}

/** The input buffer for `keccakOfInput`; the next hash of anything overwrites it. */
export function keccakInput(): Uint8Array {
  return started().input
}

function takeHash({ out }: Keccak): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES)
  hash.set(out)
  return hash
}

/** Hashes the bytes of `keccakInput()` from `from` to `to`; overwrites the buffer. */
export function keccakOfInput(from: number, to: number): Uint8Array {
  const hasher = started()
  hasher.hash(hasher.start + from, to - from)
  return takeHash(hasher)
}

/** Hashes a message that is longer than the buffer. */
function hashInParts({ start, input, begin, absorb, finish }: Keccak, message: Uint8Array): void {
  begin()
  let done = 0
  for (; message.length - done > input.length; done += input.length) {
    input.set(message.subarray(done, done + input.length))
    absorb(start, input.length / RATE)
  }
  input.set(message.subarray(done))
  finish(start, message.length - done)
}

export function keccak256(message: Uint8Array): Uint8Array {
  const hasher = started()
  const { start, input, hash } = hasher
  if (message.length > input.length) hashInParts(hasher, message)
  else {
    input.set(message)
    hash(start, message.length)
  }
  return takeHash(hasher)
}
