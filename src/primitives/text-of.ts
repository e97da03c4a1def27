// Values as text, for messages.

/** Any value as text for a message; its type if String() fails, as for an object without a prototype. */
export function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}

/** Enough for a hash of 32 bytes. */
const MOST_CHARACTERS = 66

/** A text as a message shows it: whole, or its beginning and an ellipsis. */
export function shorten(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text
}

export function countBytes(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`
}

/** A value as an error message shows it: short, whatever it is. */
export function describe(value: unknown): string {
  try {
    return describeReadable(value)
  } catch {
    return 'an object that cannot be read'
  }
}

function describeReadable(value: unknown): string {
  if (typeof value === 'string') return `"${shorten(value)}"`
  if (typeof value === 'bigint') return `${shorten(`${value}`)}n`
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  if (value === undefined) return 'nothing'
  if (value instanceof Uint8Array) return countBytes(value.length)
  return typeof value === 'object' && value !== null ? 'an object' : shorten(textOf(value))
}
