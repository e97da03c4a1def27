// Hashes and keys in WebAssembly (assembly/crypto). Callers that hash often, such as tries, write messages directly
// into its input buffer. Addresses of created contracts, and checksummed ones, are hashes.

import { type CryptoModule, loadedCrypto } from './crypto-module.ts'
import { type Address, bytesToHex, concatBytes, type Hash, type Hex, hexToBytes, utf8ToBytes } from './hex.ts'
import { encodedView } from './rlp.ts'

export { type CryptoModule, loadCrypto, loadedCrypto } from './crypto-module.ts'
export { isSignedWith, recoverPublicKey } from './signer.ts'

const HASH_BYTES = 32
const RATE = 136

/** The input buffer for `keccakOfInput`; the next hash of anything overwrites it. */
export function keccakInput(): Uint8Array {
  return loadedCrypto().input
}

function takeHash({ out }: CryptoModule): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES)
  hash.set(out)
  return hash
}

/** Hashes the bytes of `keccakInput()` from `from` to `to`; overwrites the buffer. */
export function keccakOfInput(from: number, to: number): Uint8Array {
  const hasher = loadedCrypto()
  hasher.hash(hasher.start + from, to - from)
  return takeHash(hasher)
}

/**
 * A hash as eight integers, which take a third of the memory of 32 bytes in an array. A class, so that what has a hash
 * extends it, and reading the hash reads no further object.
 */
export class HashWords {
  w0 = 0
  w1 = 0
  w2 = 0
  w3 = 0
  w4 = 0
  w5 = 0
  w6 = 0
  w7 = 0
}

// Little-endian, as memory is: the numbers mean nothing by themselves.

function readWords(view: DataView, into: HashWords): void {
  into.w0 = view.getInt32(0, true)
  into.w1 = view.getInt32(4, true)
  into.w2 = view.getInt32(8, true)
  into.w3 = view.getInt32(12, true)
  into.w4 = view.getInt32(16, true)
  into.w5 = view.getInt32(20, true)
  into.w6 = view.getInt32(24, true)
  into.w7 = view.getInt32(28, true)
}

/** The hash of the bytes of the hasher's input from `from` to `to`; overwrites them. */
export function hashInputInto(hasher: CryptoModule, into: HashWords, from: number, to: number): void {
  hasher.hash(hasher.start + from, to - from)
  readWords(hasher.inputView, into)
}

/** Writes the bytes of a hash. */
export function putHashWords(view: DataView, start: number, hash: HashWords): void {
  view.setInt32(start, hash.w0, true)
  view.setInt32(start + 4, hash.w1, true)
  view.setInt32(start + 8, hash.w2, true)
  view.setInt32(start + 12, hash.w3, true)
  view.setInt32(start + 16, hash.w4, true)
  view.setInt32(start + 20, hash.w5, true)
  view.setInt32(start + 24, hash.w6, true)
  view.setInt32(start + 28, hash.w7, true)
}

/** Takes over a hash of 32 bytes. */
export function takeHashWords(into: HashWords, hash: Uint8Array): void {
  readWords(new DataView(hash.buffer, hash.byteOffset, HASH_BYTES), into)
}

export function hashWordsToBytes(hash: HashWords): Uint8Array {
  const hasher = loadedCrypto()
  putHashWords(hasher.inputView, 0, hash)
  return takeHash(hasher)
}

/** Absorbs a message but for its end, which is left in the buffer. Returns the length of the end. */
function absorbBeginning(
  { start, input }: CryptoModule,
  message: Uint8Array,
  blockBytes: number,
  absorb: (at: number, blocks: number) => void,
): number {
  let done = 0
  for (; message.length - done > input.length; done += input.length) {
    input.set(message.subarray(done, done + input.length))
    absorb(start, input.length / blockBytes)
  }
  input.set(message.subarray(done))
  return message.length - done
}

/** Hashes a message that is longer than the buffer. */
function hashInParts(hasher: CryptoModule, message: Uint8Array): void {
  hasher.begin()
  hasher.finish(hasher.start, absorbBeginning(hasher, message, RATE, hasher.absorb))
}

function hashMessage(hasher: CryptoModule, message: Uint8Array): void {
  const { start, input, hash } = hasher
  if (message.length > input.length) hashInParts(hasher, message)
  else {
    input.set(message)
    hash(start, message.length)
  }
}

/** Like `keccak256`. */
export function hashInto(into: HashWords, message: Uint8Array): void {
  const hasher = loadedCrypto()
  hashMessage(hasher, message)
  readWords(hasher.inputView, into)
}

/** The hash of a message, as a view that the next hash overwrites. */
export function keccakView(message: Uint8Array): Uint8Array {
  const hasher = loadedCrypto()
  hashMessage(hasher, message)
  return hasher.out
}

export function keccak256(message: Uint8Array): Uint8Array {
  const hasher = loadedCrypto()
  hashMessage(hasher, message)
  return takeHash(hasher)
}

export function keccak256Hex(message: Uint8Array): Hash {
  return bytesToHex(keccakView(message))
}

export function keccakOfText(text: string): Hash {
  return keccak256Hex(utf8ToBytes(text))
}

/** The hash of words in a row, such as those of a struct. */
export function keccakOfWords(...words: readonly Hash[]): Hash {
  return keccak256Hex(concatBytes(...words.map(hexToBytes)))
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
}

const BLOCK_BYTES = 64

export function sha256(message: Uint8Array): Uint8Array {
  const hasher = loadedCrypto()
  hasher.beginSha256()
  const left = absorbBeginning(hasher, message, BLOCK_BYTES, hasher.absorbSha256)
  hasher.finishSha256(hasher.start, left, message.length)
  return hasher.input.slice(0, HASH_BYTES)
}

const ADDRESS_BYTES = 20
const CREATE2_PREFIX = Uint8Array.of(0xff)

function addressIn(hash: Uint8Array): Uint8Array {
  return hash.subarray(HASH_BYTES - ADDRESS_BYTES)
}

/** The address for CREATE and creation transactions (yellow paper, 7); `nonce` is the creator's before the creation. */
export function createAddress(creator: Uint8Array, nonce: bigint): Uint8Array {
  return addressIn(keccak256(encodedView([creator, nonce])))
}

/** The address for CREATE2 (EIP-1014). */
export function create2Address(creator: Uint8Array, salt: Uint8Array, initCode: Uint8Array): Uint8Array {
  return addressIn(keccak256(concatBytes(CREATE2_PREFIX, creator, salt, keccak256(initCode))))
}

/** An address with its EIP-55 checksum: letters are upper case where the hash has a nibble of 8 or more. */
export function toChecksumAddress(address: Address): Hex {
  const digits = address.slice(2)
  const hash = keccakOfText(digits).slice(2)
  const cased = [...digits].map((digit, index) =>
    (hash[index] as string) >= '8' ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** The address in the low 20 bytes of a word. */
export function addressOfWord(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}
