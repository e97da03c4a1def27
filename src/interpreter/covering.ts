// Coverage of branches, and operands of comparisons, which the build of the WebAssembly module for coverage notes.

import { keccak256 } from '../primitives/crypto.ts'
import { type Core, createCore, readNumber, readWord, writeNumber } from './core.ts'
import type { Frame } from './frame.ts'
import * as layout from './layout.ts'

/** Slots of the map of edges; a power of two. */
export const EDGE_SLOTS = 1 << 20
const MOST_FOUND = 1 << 14
const COMPARISON_BYTES = 72
/** The most bytes between a comparison and the jump that it decides. */
const NEAR = 12
const JUMPI = 0x57
const PUSH1 = 0x60
const PUSH32 = 0x7f

/** Two words that differ, and that code has compared. */
export interface Comparison {
  readonly left: bigint
  readonly right: bigint
  /** The slots of the branch that the comparison decides, not taken and taken; `undefined` if that is not known. */
  readonly branches: readonly [number, number] | undefined
}

export interface Coverage {
  /** Slots reached for the first time since they were taken last or forgotten. */
  readonly take: () => number[]
  /** Makes slots new again. */
  readonly forget: (slots: readonly number[]) => void
  /** Makes slots known. */
  readonly learn: (slots: readonly number[]) => void
  readonly isKnown: (slot: number) => boolean
  /** Begins to note comparisons, of which only the first some hundred are kept. */
  readonly watchComparisons: () => void
  /** The comparisons that were noted; ends noting. */
  readonly takeComparisons: () => readonly Comparison[]
  /** The branch that was taken last. */
  readonly last: () => number
}

export interface Covering extends Coverage {
  readonly core: Core
  /** A frame that begins to run. */
  readonly enter: (frame: Frame) => void
}

/** The places of codes in the map. The state shares code by reference, so the byte array is the key. */
const places = new WeakMap<Uint8Array, number>()

function placeOf(code: Uint8Array): number {
  let place = places.get(code)
  if (place === undefined) {
    const [a = 0, b = 0, c = 0] = keccak256(code)
    place = ((a << 16) | (b << 8) | c) & (EDGE_SLOTS - 2)
    places.set(code, place)
  }
  return place
}

/** The offset after the first JUMPI that follows an opcode closely. */
function nextBranch(code: Uint8Array, pc: number): number | undefined {
  for (let at = pc + 1; at <= pc + NEAR; at++) {
    const opcode = code[at] ?? 0
    if (opcode === JUMPI) return at + 1
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1
  }
  return undefined
}

/** Creates a core of the build for coverage. */
export function createCovering(): Covering {
  const core = createCore('covering')
  const { exports } = core
  const map = exports.edges.value
  const codes = new Map<number, Uint8Array>()

  function branchesOf(place: number, slot: number): readonly [number, number] | undefined {
    const code = codes.get(place)
    const after = code === undefined ? undefined : nextBranch(code, (slot - place) >>> 1)
    if (after === undefined) return undefined
    const branch = (place + 2 * after) & (EDGE_SLOTS - 1)
    return [branch, branch + 1]
  }

  return {
    core,
    enter({ base, code }) {
      const place = placeOf(code)
      codes.set(place, code)
      writeNumber(core, base + layout.COVERAGE, place - 2 * readNumber(core, base + layout.CODE))
      const count = exports.foundCount.value
      if (core.bytes[map + place] !== 0 || count === MOST_FOUND) return
      core.bytes[map + place] = 1
      writeNumber(core, exports.found.value + 4 * count, place)
      exports.foundCount.value = count + 1
    },
    take() {
      const count = exports.foundCount.value
      if (count === 0) return []
      const start = exports.found.value >>> 2
      exports.foundCount.value = 0
      return [...core.numbers.subarray(start, start + count)]
    },
    forget(slots) {
      for (const slot of slots) core.bytes[map + slot] = 0
    },
    learn(slots) {
      for (const slot of slots) core.bytes[map + slot] = 1
    },
    isKnown: (slot) => core.bytes[map + slot] !== 0,
    watchComparisons() {
      exports.comparisonCount.value = 0
    },
    takeComparisons() {
      const count = exports.comparisonCount.value
      exports.comparisonCount.value = -1
      return Array.from({ length: Math.max(count, 0) }, (_, index) => {
        const at = exports.comparisons.value + index * COMPARISON_BYTES
        const branches = branchesOf(readNumber(core, at), readNumber(core, at + 4))
        return { left: readWord(core, at + 40), right: readWord(core, at + 8), branches }
      })
    },
    last: () => exports.lastEdge.value & (EDGE_SLOTS - 1),
  }
}
