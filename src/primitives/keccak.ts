// keccak-256, in the WebAssembly of assembly/crypto. A message is hashed where it lies in linear memory, so what is
// hashed often, as the nodes of tries are, is laid out there.

import type { CryptoExports } from './crypto-module.ts'

const HASH_BYTES = 32
const RATE = 136

interface Keccak extends Pick<CryptoExports, 'begin' | 'absorb' | 'finish' | 'hash'> {
  /** Where `room` is. */
  readonly start: number
  readonly room: Uint8Array
  /** The start of it, where hashes come out. */
  readonly out: Uint8Array
}

let keccak: Keccak | undefined

export function startKeccak(exports: CryptoExports): void {
  const { memory, INPUT, ROOM, begin, absorb, finish, hash } = exports
  const start = INPUT.value
  const room = new Uint8Array(memory.buffer, start, ROOM.value)
  keccak = { begin, absorb, finish, hash, start, room, out: room.subarray(0, HASH_BYTES) }
}

function started(): Keccak {
  if (keccak === undefined) throw new Error('loadCrypto() has not resolved yet')
  return keccak
}

/** Where a message may be laid out to be hashed at once, until anything else is hashed. */
export function keccakRoom(): Uint8Array {
  return started().room
}

function takeHash({ out }: Keccak): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES)
  hash.set(out)
  return hash
}

/** The hash of what lies in `keccakRoom()` from `from` to `to`; it is overwritten. */
export function keccakOfRoom(from: number, to: number): Uint8Array {
  const hasher = started()
  hasher.hash(hasher.start + from, to - from)
  return takeHash(hasher)
}

/** Hashes a message for which there is no room at once. */
function hashInParts({ start, room, begin, absorb, finish }: Keccak, message: Uint8Array): void {
  begin()
  let done = 0
  for (; message.length - done > room.length; done += room.length) {
    room.set(message.subarray(done, done + room.length))
    absorb(start, room.length / RATE)
  }
  room.set(message.subarray(done))
  finish(start, message.length - done)
}

export function keccak256(message: Uint8Array): Uint8Array {
  const hasher = started()
  const { start, room, hash } = hasher
  if (message.length > room.length) hashInParts(hasher, message)
  else {
    room.set(message)
    hash(start, message.length)
  }
  return takeHash(hasher)
}
