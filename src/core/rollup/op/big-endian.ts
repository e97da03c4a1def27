// Big-endian integers at a place in bytes. Not by a DataView: to look at the buffer of a short array, engines move it to
// memory of its own, which costs more than all of a block's integers.

/** Writes an integer of up to 53 bits into `length` bytes. */
export function putInteger(target: Uint8Array, at: number, length: number, value: number): void {
  for (let i = at + length - 1, rest = value; i >= at; i--, rest = Math.floor(rest / 256))
    target[i] = rest % 256
}

/** Reads an integer of `length` bytes; exact up to 53 bits. */
export function integerAt(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let i = at; i < at + length; i++) value = value * 256 + (bytes[i] as number)
  return value
}
