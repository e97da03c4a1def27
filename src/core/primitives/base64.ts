// Base64 (RFC 4648, section 4) of bytes, as text; canonical text only.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const DIGIT_CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0))
const PADDING = '='.charCodeAt(0)
const INVALID = 0xff

/** Character code → digit value. */
const DIGIT_VALUES = new Uint8Array(128).fill(INVALID)
for (const [value, code] of DIGIT_CODES.entries()) DIGIT_VALUES[code] = value

/** Bytes per call of String.fromCharCode, because engines limit the number of arguments; a multiple of three. */
const CHUNK_BYTES = 3072

function chunkToBase64(bytes: Uint8Array, start: number, end: number): string {
  const codes = new Array<number>(Math.ceil((end - start) / 3) * 4)
  let out = 0
  for (let i = start; i < end; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    codes[out++] = DIGIT_CODES[group >> 18] as number
    codes[out++] = DIGIT_CODES[(group >> 12) & 63] as number
    codes[out++] = i + 1 < end ? (DIGIT_CODES[(group >> 6) & 63] as number) : PADDING
    codes[out++] = i + 2 < end ? (DIGIT_CODES[group & 63] as number) : PADDING
  }
  return String.fromCharCode.apply(null, codes)
}

export function bytesToBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    text += chunkToBase64(bytes, start, Math.min(start + CHUNK_BYTES, bytes.length))
  }
  return text
}

/** The bytes of a text; `undefined` if it is not their base64. */
export function base64ToBytes(text: string): Uint8Array | undefined {
  const padded = text.length
  if (padded % 4 !== 0) return undefined
  let length = padded
  while (length > padded - 2 && text.charCodeAt(length - 1) === PADDING) length--
  const bytes = new Uint8Array((length * 3) >> 2)
  // Collects validity bits and checks them once after the loop.
  let codes = 0
  let values = 0
  let group = 0
  for (let i = 0, out = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    const value = DIGIT_VALUES[code & 127] as number
    codes |= code
    values |= value
    group = (group << 6) | value
    if ((i & 3) === 0) continue
    bytes[out++] = group >> (6 - 2 * (i & 3))
  }
  // Bits of the last digit that belong to no byte.
  const rest = group & ((1 << (2 * (padded - length))) - 1)
  return codes < 128 && values < 64 && rest === 0 ? bytes : undefined
}
