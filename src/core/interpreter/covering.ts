// Coverage of branches, and operands of comparisons, which the build of the WebAssembly module for coverage notes.

import { memoizeWeak } from '../primitives/lru-cache.ts'
import { type Host, type HostCovering, ReadLog } from './host.ts'
import { instantiateInterpreter } from './module.ts'

export type { Log as EvmLog } from '@ethereumjs/evm'

import type { Log as EvmLog } from '@ethereumjs/evm'
import { keccak256 } from '../primitives/crypto.ts'
import type { SharedBytes } from '../primitives/shared-bytes.ts'
import { Callees } from './callees.ts'
import { type Core, createCore, readNumber, readWord, writeNumber } from './core.ts'
import type { EvmAddress } from './evm-address.ts'
import { type Frame, outputAt, outputLength } from './frame.ts'
import * as layout from './layout.ts'

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
  /** The logs of the frame, which the failure undid. */
  readonly logs: readonly EvmLog[]
}

export type Coverage = Pick<
  Covering,
  | 'take'
  | 'forget'
  | 'learn'
  | 'isKnown'
  | 'watchComparisons'
  | 'takeComparisons'
  | 'isFull'
  | 'last'
  | 'assertion'
>

/** True if a frame reverts with Panic(uint256) and the code of an assertion, 1. */
function isAssertion(core: Core, { base }: Frame): boolean {
  if (outputLength(core, base) !== PANIC_BYTES) return false
  const at = outputAt(core, base)
  const output = core.bytes.subarray(at, at + PANIC_BYTES)
  if (output[0] !== 0x4e || output[1] !== 0x48 || output[2] !== 0x7b || output[3] !== 0x71) return false
  return output[PANIC_BYTES - 1] === 1 && output.subarray(4, PANIC_BYTES - 1).every((byte) => byte === 0)
}

/** The place of a code in the map. The state shares code by reference, so the byte array is the key. */
const placeOf = memoizeWeak((code: Uint8Array): number => {
  const [a = 0, b = 0, c = 0] = keccak256(code)
  return ((a << 16) | (b << 8) | c) & (EDGE_SLOTS - 2)
})

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

/** A core of the build for coverage, and what is known of it. */
export class Covering implements HostCovering {
  /** Another one after `renew`. */
  core: Core
  /** The calls that the module makes itself. Others after `renew`. */
  callees: Callees
  /** The reads of the execution, if they are wanted. */
  readonly reads = new ReadLog()
  /** False if all codes have one place, where nobody asks for branches: another place takes the hash of a code. */
  tellsCodes = true
  private readonly copies: SharedBytes | undefined
  /** The address of the map of edges. */
  private map: number
  /** The codes that have run, or that may be called, by their places. */
  private readonly codes = new Map<number, Uint8Array>()
  private placed: { readonly code: Uint8Array; readonly place: number } | undefined
  private failed: FailedAssertion | undefined

  /** Copies of memory go to `copies`, if they are soon dropped. */
  constructor(copies?: SharedBytes) {
    this.copies = copies
    this.core = createCore(instantiateInterpreter('covering'), copies)
    this.callees = new Callees(this.core)
    this.map = this.core.exports.edges.value
  }

  /** Slots reached for the first time since they were taken last or forgotten. */
  take(): number[] {
    const { exports, numbers } = this.core
    const count = exports.foundCount.value
    if (count === 0) return []
    const start = exports.found.value >>> 2
    exports.foundCount.value = 0
    return [...numbers.subarray(start, start + count)]
  }

  /** Makes slots new again. */
  forget(slots: readonly number[]): void {
    for (const slot of slots) this.core.bytes[this.map + slot] = 0
  }

  /** Makes slots known. */
  learn(slots: readonly number[]): void {
    for (const slot of slots) this.core.bytes[this.map + slot] = 1
  }

  readonly isKnown = (slot: number): boolean => this.core.bytes[this.map + slot] !== 0

  /** Begins to note comparisons, of which only the first some hundred are kept. */
  watchComparisons(): void {
    this.core.exports.comparisonCount.value = 0
  }

  /** The comparisons that were noted; ends noting. */
  takeComparisons(): readonly Comparison[] {
    const { core } = this
    const { comparisonCount, comparisons } = core.exports
    const count = comparisonCount.value
    comparisonCount.value = -1
    const compared: Comparison[] = []
    for (let at = comparisons.value; compared.length < count; at += COMPARISON_BYTES) {
      const branches = this.branchesOf(readNumber(core, at), readNumber(core, at + 4))
      compared.push({ left: readWord(core, at + 40), right: readWord(core, at + 8), branches })
    }
    return compared
  }

  /** The slots of the branches that follow a comparison closely; `slot` is that of a branch in its place. */
  private branchesOf(place: number, slot: number): readonly [number, number] | undefined {
    const code = this.codes.get(place)
    const after = code === undefined ? undefined : nextBranch(code, (slot - place) >>> 1)
    if (after === undefined) return undefined
    const branch = (place + 2 * after) & (EDGE_SLOTS - 1)
    return [branch, branch + 1]
  }

  /** True if branches that are reached now may go unnoticed. */
  isFull(): boolean {
    return this.core.exports.foundCount.value === MOST_FOUND
  }

  /** The branch that was taken last. */
  last(): number {
    return this.core.exports.lastEdge.value & (EDGE_SLOTS - 1)
  }

  /** The failed assertion that the last execution ended with, unless a caller has handled it. */
  assertion(): FailedAssertion | undefined {
    if (this.callees.takeSuccess()) this.failed = undefined
    return this.failed
  }

  /** True if it has grown so large that it is to be renewed. */
  isLarge(): boolean {
    return this.core.bytes.length - this.core.exports.arena.value > MOST_FRAME_BYTES
  }

  /** Goes on with a new core, which knows the same branches and has the same notes. */
  renew(): void {
    const { core: before, map } = this
    this.core = createCore(instantiateInterpreter('covering'), this.copies)
    this.callees = new Callees(this.core)
    this.map = this.core.exports.edges.value
    this.core.bytes.set(before.bytes.subarray(map, map + EDGE_SLOTS), this.map)
    copyNotes(before, this.core)
  }

  private readonly knownPlaceOf = (code: Uint8Array): number => {
    if (!this.tellsCodes) return 0
    if (this.placed?.code === code) return this.placed.place
    const place = placeOf(code)
    this.codes.set(place, code)
    this.placed = { code, place }
    return place
  }

  /** Lets the module make calls of an account itself. */
  learnCode(host: Host, address: EvmAddress): void {
    this.callees.learn(host, address, this.knownPlaceOf)
  }

  /** A frame that begins to run. */
  enter({ base, code, message }: Frame): void {
    const { core, callees, map } = this
    const { exports } = core
    const place = this.knownPlaceOf(code)
    if (message.depth === 0) {
      this.failed = undefined
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
  }

  /** A frame that has ended. */
  leave(frame: Frame, reason: number): void {
    if (reason <= layout.RETURNED) this.failed = undefined
    else if (this.assertion() === undefined && isFailedAssertion(this.core, frame, reason))
      this.failed = { place: this.last(), logs: frame.logs }
  }
}
