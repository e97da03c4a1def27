// Coverage of branches, and operands of comparisons, which the build of the WebAssembly module for coverage notes.

export type { Log as EvmLog } from '@ethereumjs/evm'

import type { Log as EvmLog } from '@ethereumjs/evm'
import type { ByteArena } from '../primitives/byte-arena.ts'
import { keccak256 } from '../primitives/crypto.ts'
import { Callees } from './callees.ts'
import { type Core, createCore, readNumber, readWord, writeNumber } from './core.ts'
import type { EvmAddress } from './evm-address.ts'
import { type Frame, outputAt, outputLength } from './frame.ts'
import type { Host } from './host.ts'
import * as layout from './layout.ts'
import { ReadLog } from './read-log.ts'

/** Slots of the map of edges; a power of two. */
const EDGE_SLOTS = 1 << 20
const MOST_FOUND = 1 << 14
const COMPARISON_BYTES = 72
/** The most bytes between a comparison and the jump that it decides. */
const NEAR = 12
const JUMPI = 0x57
const PUSH1 = 0x60
const PUSH32 = 0x7f
const INVALID = 0xfe
const PANIC_BYTES = 36
/** The most linear memory for frames that is kept. */
const MOST_FRAME_BYTES = 1 << 24

/** Two words that differ, and that code has compared. */
export interface Comparison {
  readonly left: bigint
  readonly right: bigint
  /** The slots of the branch that the comparison decides, not taken and taken; `undefined` if that is not known. */
  readonly branches: readonly [number, number] | undefined
}

/** Where an assertion has failed: Panic(1), or the opcode INVALID. */
export interface FailedAssertion {
  /** The branch that was taken last before it. */
  readonly place: number
  /** What the frame had logged, which the failure undid. */
  readonly logs: readonly EvmLog[]
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
  /** Whether branches that are reached now may go unnoticed. */
  readonly isFull: () => boolean
  /** The branch that was taken last. */
  readonly last: () => number
  /** The failed assertion that the last execution ended with, as far as it is one. */
  readonly assertion: () => FailedAssertion | undefined
}

export interface Covering extends Coverage {
  /** Another one after `renew`. */
  readonly core: Core
  /** Whether it has grown so large that it is to be renewed. */
  readonly isLarge: () => boolean
  /** Goes on with a new core, which knows the same branches and has the same notes. */
  readonly renew: () => void
  /** The calls that the module makes itself. Others after `renew`. */
  readonly callees: Callees
  /** Lets the module make calls of an account itself. */
  readonly learnCode: (host: Host, address: EvmAddress) => void
  /** What is read by the execution, if that is wanted. */
  readonly reads: ReadLog
  /** A frame that begins to run. */
  readonly enter: (frame: Frame) => void
  /** A frame that has ended. */
  readonly leave: (frame: Frame, reason: number) => void
}

/** Whether a frame reverts with Panic(uint256) and the code of an assertion, 1. */
function isAssertion(core: Core, { base }: Frame): boolean {
  if (outputLength(core, base) !== PANIC_BYTES) return false
  const at = outputAt(core, base)
  const output = core.bytes.subarray(at, at + PANIC_BYTES)
  if (output[0] !== 0x4e || output[1] !== 0x48 || output[2] !== 0x7b || output[3] !== 0x71) return false
  return output[PANIC_BYTES - 1] === 1 && output.subarray(4, PANIC_BYTES - 1).every((byte) => byte === 0)
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

function isFailedAssertion(core: Core, frame: Frame, reason: number): boolean {
  if (reason === layout.REVERTED) return isAssertion(core, frame)
  // Opcodes that the fork does not have fail for the same reason.
  return reason === layout.INVALID_OPCODE && readNumber(core, frame.base + layout.FAULT) === INVALID
}

/** A core of the build for coverage, and what is known of it. */
interface Site {
  core: Core
  callees: Callees
  /** The address of the map of edges. */
  map: number
  /** The codes that have run, or that may be called, by their places. */
  readonly codes: Map<number, Uint8Array>
  failed: FailedAssertion | undefined
}

/** A failure that a caller has handled is none. */
function lastFailure(site: Site): FailedAssertion | undefined {
  if (site.callees.takeSuccess()) site.failed = undefined
  return site.failed
}

/** The slots of the branches that follow a comparison closely; `slot` is that of a branch in its place. */
function branchesOf({ codes }: Site, place: number, slot: number): readonly [number, number] | undefined {
  const code = codes.get(place)
  const after = code === undefined ? undefined : nextBranch(code, (slot - place) >>> 1)
  if (after === undefined) return undefined
  const branch = (place + 2 * after) & (EDGE_SLOTS - 1)
  return [branch, branch + 1]
}

function coverageOf(site: Site): Coverage {
  return {
    assertion: () => lastFailure(site),
    take() {
      const { exports, numbers } = site.core
      const count = exports.foundCount.value
      if (count === 0) return []
      const start = exports.found.value >>> 2
      exports.foundCount.value = 0
      return [...numbers.subarray(start, start + count)]
    },
    forget(slots) {
      const { core, map } = site
      for (const slot of slots) core.bytes[map + slot] = 0
    },
    learn(slots) {
      const { core, map } = site
      for (const slot of slots) core.bytes[map + slot] = 1
    },
    isKnown: (slot) => site.core.bytes[site.map + slot] !== 0,
    watchComparisons() {
      site.core.exports.comparisonCount.value = 0
    },
    takeComparisons() {
      const { core } = site
      const { comparisonCount, comparisons } = core.exports
      const count = comparisonCount.value
      comparisonCount.value = -1
      return Array.from({ length: Math.max(count, 0) }, (_, index) => {
        const at = comparisons.value + index * COMPARISON_BYTES
        const branches = branchesOf(site, readNumber(core, at), readNumber(core, at + 4))
        return { left: readWord(core, at + 40), right: readWord(core, at + 8), branches }
      })
    },
    isFull: () => site.core.exports.foundCount.value === MOST_FOUND,
    last: () => site.core.exports.lastEdge.value & (EDGE_SLOTS - 1),
  }
}

function createSiteCore(copies?: ByteArena): Pick<Site, 'core' | 'callees' | 'map'> {
  const core = createCore('covering', copies)
  return { core, callees: new Callees(core), map: core.exports.edges.value }
}

/** Copies what was noted and not taken. */
function copyNotes(from: Core, to: Core): void {
  const { found, foundCount, comparisons, comparisonCount, lastEdge } = from.exports
  const foundBytes = from.bytes.subarray(found.value, found.value + 4 * foundCount.value)
  to.bytes.set(foundBytes, to.exports.found.value)
  to.exports.foundCount.value = foundCount.value
  const compared = comparisons.value + COMPARISON_BYTES * Math.max(comparisonCount.value, 0)
  to.bytes.set(from.bytes.subarray(comparisons.value, compared), to.exports.comparisons.value)
  to.exports.comparisonCount.value = comparisonCount.value
  to.exports.lastEdge.value = lastEdge.value
}

/** Creates a core of the build for coverage; copies of its memory go to `copies`, if they are soon dropped. */
export function createCovering(copies?: ByteArena): Covering {
  const site: Site = { ...createSiteCore(copies), codes: new Map(), failed: undefined }
  let last: { readonly code: Uint8Array; readonly place: number } | undefined
  function knownPlaceOf(code: Uint8Array): number {
    if (last?.code === code) return last.place
    const place = placeOf(code)
    site.codes.set(place, code)
    last = { code, place }
    return place
  }
  return {
    ...coverageOf(site),
    reads: new ReadLog(),
    get core() {
      return site.core
    },
    get callees() {
      return site.callees
    },
    learnCode: (host, address) => site.callees.learn(host, address, knownPlaceOf),
    isLarge: () => site.core.bytes.length - site.core.exports.arena.value > MOST_FRAME_BYTES,
    renew() {
      const { core: before, map } = site
      Object.assign(site, createSiteCore(copies))
      site.core.bytes.set(before.bytes.subarray(map, map + EDGE_SLOTS), site.map)
      copyNotes(before, site.core)
    },
    enter({ base, code, message }) {
      const { core, callees, map } = site
      const { exports } = core
      const place = knownPlaceOf(code)
      if (message.depth === 0) {
        site.failed = undefined
        callees.begin()
        // A failure before any branch is at the same place whatever ran before.
        exports.lastEdge.value = place
      }
      writeNumber(core, base + layout.COVERAGE, place - 2 * readNumber(core, base + layout.CODE))
      if (core.bytes[map + place] !== 0) return
      const count = exports.foundCount.value
      if (count === MOST_FOUND) return
      core.bytes[map + place] = 1
      writeNumber(core, exports.found.value + 4 * count, place)
      exports.foundCount.value = count + 1
    },
    leave(frame, reason) {
      const { core } = site
      if (reason <= layout.RETURNED) site.failed = undefined
      else if (lastFailure(site) === undefined && isFailedAssertion(core, frame, reason)) {
        const place = core.exports.lastEdge.value & (EDGE_SLOTS - 1)
        site.failed = { place, logs: frame.logs }
      }
    },
  }
}
