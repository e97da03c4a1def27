// The branches that code has taken and, if wanted, the operands of its comparisons. Only the build for coverage has them.

import { COVERING } from './covering'
import { CODE, COVERAGE } from './layout'
import { isEqual, isNegative, negate } from './word'

/** Slots of the map. The place of a code in it comes from the code's hash, so that codes may share slots, but rarely do. */
const SLOTS: usize = 1 << 20
const MOST_FOUND: u32 = 1 << 14
const MOST_COMPARED: u32 = 512
/** An entry: the place of the code in the map, the slot that a branch by this opcode would have, the two operands. */
const COMPARISON: usize = 8 + 64

/** A byte for each slot: whether it has been reached since the map was cleared. */
export const edges: usize = COVERING ? memory.data(1 << 20, 16) : 0
/** Slots that were reached for the first time, in that order. */
export const found: usize = COVERING ? memory.data(4 << 14, 16) : 0
/** The length of that list. */
export let foundCount: u32 = 0
/** The slot that was reached last. */
export let lastEdge: u32 = 0
export const comparisons: usize = COVERING ? memory.data(512 * 72, 16) : 0
/** The length of the list of comparisons; negative while they are not noted. */
export let comparisonCount: i32 = -1

/** Notes a branch; `slot` counts from the start of the map and may be beyond its end. */
// @ts-ignore: decorator
@inline
export function reach(slot: u32): void {
  lastEdge = slot
  const at = edges + (<usize>slot & (SLOTS - 1))
  if (load<u8>(at) == 0) find(at)
}

/** Notes that a code runs; `at` is the address of its place. */
export function reachPlace(at: usize): void {
  if (load<u8>(at) == 0) find(at)
}

function find(at: usize): void {
  // What does not fit in the list is found by a later execution.
  if (foundCount == MOST_FOUND) return
  store<u8>(at, 1)
  store<u32>(found + (<usize>foundCount << 2), <u32>(at - edges))
  foundCount++
}

/** Notes a comparison of the two words below `sp`, unless they are equal. */
export function compare(frame: usize, pc: usize, sp: usize): void {
  if (<u32>comparisonCount >= MOST_COMPARED || isEqual(sp - 64, sp - 32)) return
  const at = comparisons + <usize>comparisonCount * COMPARISON
  const coverage = load<u32>(frame, COVERAGE)
  store<u32>(at, coverage + (load<u32>(frame, CODE) << 1))
  store<u32>(at, coverage + (<u32>pc << 1), 4)
  memory.copy(at + 8, sp - 64, 64)
  comparisonCount++
}

/** The same of two words that may add up to zero: notes the opposite of the negative one, or else of the upper one. */
export function compareNegated(frame: usize, pc: usize, sp: usize): void {
  const count = comparisonCount
  compare(frame, pc, sp)
  if (count == comparisonCount) return
  const lower = comparisons + <usize>count * COMPARISON + 8
  negate(isNegative(lower) && !isNegative(lower + 32) ? lower : lower + 32)
  if (isEqual(lower, lower + 32)) comparisonCount = count
}
