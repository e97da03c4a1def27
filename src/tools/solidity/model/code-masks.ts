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

/** The hashes of all metadata in a code: its own, and that of contracts it creates. */
function metadataHashes(code: Uint8Array): CodeHole[] {
  const holes: CodeHole[] = []
  for (let at = 0; at < code.length; at++) {
    const byte = code[at]
    if (byte !== 0x64 && byte !== 0x65) continue
    const found = METADATA_HASHES.find(({ key }) => matchesAt(code, at, key))
    if (found !== undefined) holes.push({ start: at + found.key.length, length: found.length })
  }
  return holes
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

/** The parts of a compiled code that may be different on a chain, within its first bytes. */
export function holesWithin({ bytes, holes }: CompiledCode, length: number): CodeHole[] {
  const own = bytes[0] === PUSH20 ? [OWN_ADDRESS] : []
  const all = [...holes, ...metadataHashes(bytes.subarray(0, length)), ...own]
  return cutHoles(all, length).sort((a, b) => a.start - b.start)
}

/** The parts of holes within the first bytes. */
export function cutHoles(holes: readonly CodeHole[], within: number): CodeHole[] {
  return holes
    .filter(({ start }) => start < within)
    .map(({ start, length }) => ({ start, length: Math.min(length, within - start) }))
}

/** The first bytes without holes, which are in order, as pieces. */
function spansBetween(holes: readonly CodeHole[], length: number): (readonly [from: number, to: number])[] {
  let at = 0
  const spans = holes.map((hole) => {
    const from = at
    at = Math.max(at, hole.start + hole.length)
    return [from, hole.start] as const
  })
  return [...spans, [at, length]]
}

const FNV_PRIME = 0x01000193
const FNV_OFFSET = 0x811c9dc5

/** A hash (FNV-1a) of the first bytes of a code, without its holes, which are in order. */
export function maskedHash(code: Uint8Array, length: number, holes: readonly CodeHole[]): number {
  let hash = FNV_OFFSET
  for (const [from, to] of spansBetween(holes, length))
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (code[at] as number), FNV_PRIME)
  return hash >>> 0
}

/** True if the first bytes are equal but for the holes. */
export function equalMasked(a: Uint8Array, b: Uint8Array, length: number, holes: readonly CodeHole[]) {
  if (a.length < length || b.length < length) return false
  for (const [from, to] of spansBetween(holes, length))
    for (let at = from; at < to; at++) if (a[at] !== b[at]) return false
  return true
}

/** The number of equal bytes, with the hashes of the sources: most where the contract is the very same. */
export function agreement(a: Uint8Array, b: Uint8Array): number {
  let equal = 0
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] === b[at]) equal++
  return equal
}
