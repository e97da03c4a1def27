// SHA-256 in WebAssembly (assembly/crypto).

import type { CryptoExports } from './crypto-module.ts'

const HASH_BYTES = 32
const BLOCK_BYTES = 64

interface Sha256 extends Pick<CryptoExports, 'beginSha256' | 'absorbSha256' | 'finishSha256'> {
  /** Address of `input`. */
  readonly start: number
  readonly input: Uint8Array
}

let hasher: Sha256 | undefined

export function startSha256(exports: CryptoExports): void {
  const { memory, INPUT, ROOM, beginSha256, absorbSha256, finishSha256 } = exports
  const input = new Uint8Array(memory.buffer, INPUT.value, ROOM.value)
  hasher = { beginSha256, absorbSha256, finishSha256, start: INPUT.value, input }
}

export function sha256(message: Uint8Array): Uint8Array {
  if (hasher === undefined) throw new Error('loadCrypto() has not resolved yet')
  const { start, input, beginSha256, absorbSha256, finishSha256 } = hasher
  beginSha256()
  let done = 0
  for (; message.length - done > input.length; done += input.length) {
    input.set(message.subarray(done, done + input.length))
    absorbSha256(start, input.length / BLOCK_BYTES)
  }
  input.set(message.subarray(done))
  finishSha256(start, message.length - done, message.length)
  return input.slice(0, HASH_BYTES)
}
