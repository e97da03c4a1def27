// Bounds of JSON from elsewhere, checked before it is parsed: what exceeds them makes an engine run out of memory, which
// no program survives, although the text is small once it is compressed.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const MOST_DEPTH = 64
/** Values in arrays and objects: a state dump as long as a string can be has fewer, and their objects fit 1 GB. */
const MOST_VALUES = 2 ** 24

/** The position of the quote that ends the string that begins after a position. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let end = start; ; ) {
    end = bytes.indexOf(QUOTE, end + 1)
    if (end === -1) return bytes.length
    let escapes = 0
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
}

/** True if JSON in UTF-8 is neither nested deeper than `MOST_DEPTH` nor has too many values; bad JSON may pass. */
export function isBoundedJson(bytes: Uint8Array): boolean {
  let depth = 0
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) i = stringEnd(bytes, i)
    else if (byte === COMMA) values++
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++
      depth++
    }
    if (depth > MOST_DEPTH || values > MOST_VALUES) return false
  }
  return true
}
