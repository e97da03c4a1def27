// Randomness of cheatcodes: the stream of ChaCha20 (RFC 8439) with the seed as the key, which forge 1.7.1 takes too.

import { bytesToBigInt, hexToBytes, toWord } from '../../core/primitives/hex.ts'
import type { CheatRun, Randomness } from './cheat-state.ts'

const BLOCK_WORDS = 16
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]
/** The four words that each quarter of a double round mixes: columns, then diagonals. */
const QUARTERS = [0, 1, 2, 3].flatMap((at) => [[at, at + 4, at + 8, at + 12]])
const DIAGONALS = [0, 1, 2, 3].map((at) => [at, 4 + ((at + 1) % 4), 8 + ((at + 2) % 4), 12 + ((at + 3) % 4)])
const DOUBLE_ROUNDS = 10

function mix(x: Uint32Array, [a, b, c, d]: readonly number[] | number[]): void {
  const turn = (to: number, from: number, by: number, bits: number) => {
    x[to] = (x[to] as number) + (x[from] as number)
    const word = (x[by] as number) ^ (x[to] as number)
    x[by] = (word << bits) | (word >>> (32 - bits))
  }
  const [p, q, r, s] = [a, b, c, d] as [number, number, number, number]
  turn(p, q, s, 16)
  turn(r, s, q, 12)
  turn(p, q, s, 8)
  turn(r, s, q, 7)
}

function block(seed: bigint, number: number): Uint32Array {
  const key = new DataView(hexToBytes(toWord(seed)).buffer)
  const start = new Uint32Array(BLOCK_WORDS)
  start.set(CONSTANTS)
  for (let at = 0; at < 8; at++) start[4 + at] = key.getUint32(4 * at, true)
  start[12] = number
  const mixed = start.slice()
  for (let round = 0; round < DOUBLE_ROUNDS; round++)
    for (const quarter of [...QUARTERS, ...DIAGONALS]) mix(mixed, quarter)
  return mixed.map((word, at) => word + (start[at] as number))
}

/** The next bytes of a stream; a part of a word is lost. */
export function draw({ seed, taken }: Randomness, length: number): readonly [Uint8Array, Randomness] {
  const count = Math.ceil(length / 4)
  const bytes = new Uint8Array(4 * count)
  const view = new DataView(bytes.buffer)
  let words: Uint32Array | undefined
  for (let at = 0; at < count; at++) {
    const word = (taken + at) % BLOCK_WORDS
    if (words === undefined || word === 0) words = block(seed, Math.floor((taken + at) / BLOCK_WORDS))
    view.setUint32(4 * at, words[word] as number, true)
  }
  return [bytes.subarray(0, length), { seed, taken: taken + count }]
}

export function drawBytes(run: CheatRun, length: number): Uint8Array {
  const { random, setting } = run.cheats
  const [bytes, after] = draw(random ?? { seed: setting.seed, taken: 0 }, length)
  run.change({ random: after })
  return bytes
}

/** A word whose bytes come from the stream in their order from the lowest. */
export function randomWord(run: CheatRun): bigint {
  return bytesToBigInt(drawBytes(run, 32).slice().reverse())
}
