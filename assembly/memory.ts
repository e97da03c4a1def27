// The memory of a frame, at the end of the frame, so that it can grow up to the limit of linear memory.

import { MEMORY, MEMORY_COST, MEMORY_DIVISOR, MEMORY_GAS, MEMORY_SIZE, PARAMETERS } from './layout'

/** Returned in place of the remaining gas. */
export const NOT_ENOUGH_GAS: i64 = -1
export const NOT_ENOUGH_MEMORY: i64 = -2

const PAGE_SIZE: u64 = 65536
/** The least growth in pages, because JavaScript must create new views after each growth. */
const GROWTH: u64 = 16

/** Grows linear memory up to `end`. */
export function reserve(end: u64): bool {
  const size = <u64>memory.size() * PAGE_SIZE
  if (end <= size) return true
  const pages = (end - size + PAGE_SIZE - 1) / PAGE_SIZE
  if (<u64>memory.size() + pages > 65536) return false
  return memory.grow(<i32>max(pages, min(GROWTH, 65536 - <u64>memory.size()))) >= 0
}

/** Charges for expansion of the frame's memory up to `end`; returns the remaining gas. */
function grow(frame: usize, gas: i64, end: u64): i64 {
  // Beyond this the square would overflow, and no gas could pay for half of it.
  const words = min<u64>((end + 31) >> 5, u32.MAX_VALUE)
  const cost = <i64>(words * load<u64>(PARAMETERS, MEMORY_GAS) + (words * words) / load<u64>(PARAMETERS, MEMORY_DIVISOR))
  gas -= cost - load<i64>(frame, MEMORY_COST)
  if (gas < 0) return NOT_ENOUGH_GAS
  const start = <usize>load<u32>(frame, MEMORY)
  const size = <usize>load<u32>(frame, MEMORY_SIZE)
  if (!reserve(<u64>start + (words << 5))) return NOT_ENOUGH_MEMORY
  // Clears data of earlier frames.
  memory.fill(start + size, 0, <usize>(words << 5) - size)
  store<i64>(frame, cost, MEMORY_COST)
  store<u32>(frame, <u32>(words << 5), MEMORY_SIZE)
  return gas
}

/** Charges for memory from `offset` on, none for a length of zero; returns the remaining gas or a failure code. */
// @ts-ignore: decorator
@inline
export function expand(frame: usize, gas: i64, offset: u64, length: u64): i64 {
  if (length == 0 || offset + length <= <u64>load<u32>(frame, MEMORY_SIZE)) return gas
  return grow(frame, gas, offset + length)
}

/** Copies from a source of a given size, padded with zeros. */
export function copyPadded(to: usize, source: usize, size: u64, offset: u64, length: usize): void {
  const present: usize = offset >= size ? 0 : <usize>min(size - offset, <u64>length)
  // A copy of zero bytes from outside linear memory would trap, too.
  if (present != 0) memory.copy(to, source + <usize>offset, present)
  memory.fill(to + present, 0, length - present)
}
