// Bytes in base64 (RFC 4648, 4), as Go's JSON has them.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Three bytes are four digits of six bits; the last group is padded. */
export function base64OfBytes(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
    const bits = (a << 16) | (b << 8) | c
    const digits = [18, 12, 6, 0].map((shift) => DIGITS[(bits >> shift) & 63]).join('')
    text += digits.slice(0, Math.min(4, bytes.length - at + 1))
  }
  return text.padEnd(Math.ceil(bytes.length / 3) * 4, '=')
}

/** The bytes; `undefined` if the text is not base64. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const digits = text.replace(/=+$/, '')
  const bytes = new Uint8Array(Math.floor((digits.length * 6) / 8))
  let bits = 0
  for (let i = 0, at = 0; i < digits.length; i++) {
    bits = (bits << 6) | DIGITS.indexOf(digits[i] as string)
    // A byte is complete after each digit but the first of four.
    if (i % 4 !== 0) bytes[at++] = (bits >> (6 - 2 * (i % 4))) & 255
  }
  return bytes
}
