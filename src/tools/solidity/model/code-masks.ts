// What differs between a compiled code and the same code on a chain: holes, a library's own address, and hashes of
// the sources (https://docs.soliditylang.org/en/latest/metadata.html#encoding-of-the-metadata-hash-in-the-bytecode).

import type { CodeHole, CompiledCode } from './contract.ts'

const PUSH20 = 0x73
/** `73` and an address, at the beginning of a library. */
const OWN_ADDRESS: CodeHole = { start: 1, length: 20 }

/** CBOR of a key and the type of its value, with the length of the value. */
const METADATA_HASHES = [
  { key: [0x64, 0x69, 0x70, 0x66, 0x73, 0x58, 0x22], length: 34 }, // "ipfs"
  { key: [0x65, 0x62, 0x7a, 0x7a, 0x72, 0x30, 0x58, 0x20], length: 32 }, // "bzzr0"
  { key: [0x65, 0x62, 0x7a, 0x7a, 0x72, 0x31, 0x58, 0x20], length: 32 }, // "bzzr1"
] as const

/** solc's metadata has up to three pairs of a key and a value. */
const MOST_METADATA_BYTES = 128
const SMALL_MAP = 0xa0

function matchesAt(code: Uint8Array, at: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => code[at + index] === byte)
}

/** The length of a code without the metadata at its end, which its last two bytes give the length of. */
export function executableLength(code: Uint8Array): number {
  const { length } = code
  if (length < 4) return length
  const metadataLength = ((code[length - 2] as number) << 8) | (code[length - 1] as number)
  const start = length - 2 - metadataLength
  if (start < 0 || metadataLength === 0 || metadataLength > MOST_METADATA_BYTES) return length
  const pairs = (code[start] as number) - SMALL_MAP
  return pairs >= 1 && pairs <= 4 ? start : length
}

/** "solc" and a string of three bytes: a release of 0.5.9 or later. */
const RELEASE = [0x64, 0x73, 0x6f, 0x6c, 0x63, 0x43]

/** A map of one pair, whose key is "bzzr0": releases before 0.5.9 say nothing else. */
const BEFORE_RELEASES = [SMALL_MAP + 1, ...METADATA_HASHES[1].key]
const LAST_WITHOUT_RELEASE = '0.5.8'

/** The compiler's version in the metadata of a code, or the last that it can be; `undefined` if it does not say. */
export function releaseIn(code: Uint8Array): string | undefined {
  const start = executableLength(code)
  if (matchesAt(code, start, BEFORE_RELEASES)) return LAST_WITHOUT_RELEASE
  for (let at = code.length - RELEASE.length; at >= start; at--) {
    if (matchesAt(code, at, RELEASE))
      return code.subarray(at + RELEASE.length, at + RELEASE.length + 3).join('.')
  }
  return undefined
}

/** The end of the part of a compiled code around a byte that may be different on a chain. */
function endOfHole({ bytes, holes }: CompiledCode, at: number): number | undefined {
  const own = bytes[0] === PUSH20 ? [OWN_ADDRESS] : []
  const hole = [...own, ...holes].find(({ start, length }) => start <= at && at < start + length)
  if (hole !== undefined) return hole.start + hole.length
  for (const { key, length } of METADATA_HASHES) {
    for (let start = Math.max(key.length, at - length + 1); start <= at; start++)
      if (matchesAt(bytes, start - key.length, key)) return start + length
  }
  return undefined
}

/** True if the first bytes are those of a compiled code, but for its holes. */
export function agrees(code: Uint8Array, compiled: CompiledCode, length: number): boolean {
  if (code.length < length) return false
  let at = 0
  while (at < length) {
    if (code[at] === compiled.bytes[at]) at++
    else {
      const end = endOfHole(compiled, at)
      if (end === undefined) return false
      at = end
    }
  }
  return true
}

/** The number of equal bytes, with the hashes of the sources: most where the contract is the very same. */
export function agreement(a: Uint8Array, b: Uint8Array): number {
  let equal = 0
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] === b[at]) equal++
  return equal
}
