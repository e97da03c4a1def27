// Hex decoder for WebAssembly modules. It runs once, before the engine has optimised any code, so it relies on built-in
// functions; `hexToBytes` takes six times as long there.

const DIGITS = 8
const BYTES = DIGITS / 2

interface NodeGlobals {
  readonly Buffer?: { readonly from: (hex: string, encoding: 'hex') => Uint8Array }
}

export function moduleBytes(hex: string): Uint8Array {
  // In Node, this takes microseconds and the loop a millisecond for each module.
  const { Buffer } = globalThis as NodeGlobals
  if (Buffer !== undefined) return Buffer.from(hex.slice(2), 'hex')
  const bytes = new Uint8Array((hex.length - 2) / 2)
  const words = new DataView(bytes.buffer)
  let at = 0
  for (; at + BYTES <= bytes.length; at += BYTES) {
    words.setUint32(at, Number.parseInt(hex.slice(2 + 2 * at, 2 + 2 * at + DIGITS), 16))
  }
  for (; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16)
  return bytes
}
