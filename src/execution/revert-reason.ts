// What the return bytes of a revert say, as geth's abi.UnpackRevert reads them.

import { bytesToBigInt, bytesToHex } from '../primitives/hex.ts'

const ERROR_SELECTOR = '0x08c379a0'
const PANIC_SELECTOR = '0x4e487b71'

/** Solidity's panic codes in geth's words (accounts/abi/abi.go). */
const PANICS: Record<string, string> = {
  '0': 'generic panic',
  '1': 'assert(false)',
  '17': 'arithmetic underflow or overflow',
  '18': 'division or modulo by zero',
  '33': 'enum overflow',
  '34': 'invalid encoded storage byte array accessed',
  '49': 'out-of-bounds array access; popping on an empty array',
  '50': 'out-of-bounds access of an array or bytesN',
  '65': 'out of memory',
  '81': 'uninitialized function',
}

function decodeUtf8(bytes: Uint8Array): string {
  const encoded = bytesToHex(bytes).slice(2).replace(/../g, '%$&')
  try {
    return decodeURIComponent(encoded)
  } catch {
    // Not UTF-8: one character a byte, so that nothing is lost.
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  }
}

/** The text of `Error(string)` or the name of a `Panic(uint256)`; `undefined` for anything else. */
export function revertReason(data: Uint8Array): string | undefined {
  const selector = bytesToHex(data.subarray(0, 4))
  const payload = data.subarray(4)
  if (selector === PANIC_SELECTOR && payload.length >= 32) {
    const code = bytesToBigInt(payload.subarray(0, 32))
    return PANICS[code.toString()] ?? `unknown panic code: 0x${code.toString(16)}`
  }
  if (selector !== ERROR_SELECTOR || payload.length < 64) return undefined
  const offset = bytesToBigInt(payload.subarray(0, 32))
  if (offset + 32n > BigInt(payload.length)) return undefined
  const start = Number(offset) + 32
  const length = bytesToBigInt(payload.subarray(Number(offset), start))
  if (BigInt(start) + length > BigInt(payload.length)) return undefined
  return decodeUtf8(payload.subarray(start, start + Number(length)))
}
