// The memory of a frame: it lies at the end of the frame, so it can grow as far as linear memory can.

import { MEMORY, MEMORY_COST, MEMORY_DIVISOR, MEMORY_GAS, MEMORY_SIZE, PARAMETERS } from './layout'

/** Instead of the gas that is left. */
export const NOT_ENOUGH_GAS: i64 = -1
export const NOT_ENOUGH_MEMORY: i64 = -2

const PAGE_SIZE: u64 = 65536
/** Pages by which linear memory grows at least, because JavaScript has to look at it anew each time. */
const GROWTH: u64 = 16

/** Sees to it that linear memory reaches up to `end`. */
export function reserve(end: u64): bool {
  const size = <u64>memory.size() * PAGE_SIZE
  if (end <= size) return true
  const pages = (end - size + PAGE_SIZE - 1) / PAGE_SIZE
  if (<u64>memory.size() + pages > 65536) return false
  return memory.grow(<i32>max(pages, min(GROWTH, 65536 - <u64>memory.size()))) >= 0
}

/** Pays for memory beyond what the frame has, up to `end`, and gives the gas that is left. */
function grow(frame: usize, gas: i64, end: u64): i64 {
  // Beyond this the square would not fit, and nobody can pay for half of it.
  const words = min<u64>((end + 31) >> 5, u32.MAX_VALUE)
  const cost = <i64>(words * load<u64>(PARAMETERS, MEMORY_GAS) + (words * words) / load<u64>(PARAMETERS, MEMORY_DIVISOR))
  gas -= cost - load<i64>(frame, MEMORY_COST)
  if (gas < 0) return NOT_ENOUGH_GAS
  const start = <usize>load<u32>(frame, MEMORY)
  const size = <usize>load<u32>(frame, MEMORY_SIZE)
  if (!reserve(<u64>start + (words << 5))) return NOT_ENOUGH_MEMORY
  // What frames before this one have left there.
  memory.fill(start + size, 0, <usize>(words << 5) - size)
  store<i64>(frame, cost, MEMORY_COST)
  store<u32>(frame, <u32>(words << 5), MEMORY_SIZE)
  return gas
}

/** Pays for memory from `offset` on, and gives the gas that is left, or why there is none; nothing takes no memory. */
// @ts-ignore: decorator
@inline
export function expand(frame: usize, gas: i64, offset: u64, length: u64): i64 {
  if (length == 0 || offset + length <= <u64>load<u32>(frame, MEMORY_SIZE)) return gas
  return grow(frame, gas, offset + length)
}

/** Copies from a source of a given size, after which there are zeros. */
export function copyPadded(to: usize, source: usize, size: u64, offset: u64, length: usize): void {
  const present: usize = offset >= size ? 0 : <usize>min(size - offset, <u64>length)
  // Even to copy nothing from beyond linear memory would trap.
  if (present != 0) memory.copy(to, source + <usize>offset, present)
  memory.fill(to + present, 0, length - present)
}
