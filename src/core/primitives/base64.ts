// Base64 (RFC 4648, section 4) of bytes, as text; canonical text only.

/** In browsers and Node, although `lib: es2022` does not declare them. A character stands for a byte. */
const { atob, btoa } = globalThis as unknown as Readonly<Record<'atob' | 'btoa', (text: string) => string>>

/** Bytes per call of String.fromCharCode, because engines limit the number of arguments. */
const CHUNK_BYTES = 4096

export function bytesToBase64(bytes: Uint8Array): string {
  let characters = ''
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    characters += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES))
  return btoa(characters)
}

/** The bytes of a text; `undefined` if it is not their base64. */
export function base64ToBytes(text: string): Uint8Array | undefined {
  try {
    const characters = atob(text)
    if (btoa(characters) !== text) return undefined
    const bytes = new Uint8Array(characters.length)
    for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
    return bytes
  } catch {
    return undefined
  }
}
