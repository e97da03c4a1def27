// Conversions of 256-bit numbers between bytes and limbs, which are 32 bits of memory each, the lowest first.

/** 32 little-endian bytes, with padding for reads and writes past their end. */
const words = memory.data(48, 8)

/** Reverses 32 bytes. */
function reverse(r: usize, a: usize): void {
  for (let i: usize = 0; i < 32; i += 8) store<u64>(r + 24 - i, bswap<u64>(load<u64>(a + i)))
}

function split(r: usize, width: usize): void {
  const mask: u32 = (1 << <u32>width) - 1
  for (let bit: usize = 0; bit < 256; bit += width, r += 4) {
    store<u32>(r, <u32>(load<u64>(words + (bit >> 3)) >> (bit & 7)) & mask)
  }
}

function join(a: usize, width: usize): void {
  memory.fill(words, 0, 48)
  for (let bit: usize = 0; bit < 256; bit += width, a += 4) {
    const at = words + (bit >> 3)
    store<u64>(at, load<u64>(at) | ((<u64>load<u32>(a)) << (bit & 7)))
  }
}

/** Reads 32 big-endian bytes into limbs of `bits` bits. */
export function limbsFromBytes(r: usize, bytes: usize, width: usize): void {
  reverse(words, bytes)
  store<u64>(words, 0, 32)
  split(r, width)
}

/** Writes limbs as 32 big-endian bytes; no limb may have more than `bits` bits. */
export function limbsToBytes(bytes: usize, a: usize, width: usize): void {
  join(a, width)
  reverse(bytes, words)
}

/** Converts a number to limbs of another size. */
export function changeLimbs(r: usize, a: usize, from: usize, to: usize): void {
  join(a, from)
  split(r, to)
}
