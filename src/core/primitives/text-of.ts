// Values as text, for messages, terminals and pages.

/**
 * Characters that act on what shows them: C0 and C1 but for tabs and line feeds, DEL, and those that change the direction
 * of text (U+202A to U+202E, U+2066 to U+2069). Contracts put them into texts, of which a fork has those of strangers.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

/** A text with control characters as escapes, such as `\x1b`. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for all texts in a value of arrays and plain objects. */
export function escapeTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return escapeControls(value) as Value & string
  if (Array.isArray(value)) return value.map(escapeTexts) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, escapeTexts(each)])) as Value
}

/** Any value as text for a message; its type if String() fails, as for an object without a prototype. */
export function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}

/** Why something failed: the message of what was thrown, or the value as text. */
export function reasonOf(thrown: unknown): string {
  try {
    return textOf((thrown as { readonly message?: unknown } | null | undefined)?.message ?? thrown)
  } catch {
    return 'an error that cannot be read'
  }
}

/** Enough for a hash of 32 bytes. */
const MOST_CHARACTERS = 66

/** A text as a message shows it: whole, or its beginning and an ellipsis. */
export function shorten(text: string, most = MOST_CHARACTERS): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Such as `1 call` and `2000 calls`. */
export function pluralize(count: number | bigint, noun: string): string {
  return `${count} ${noun}${`${count}` === '1' ? '' : 's'}`
}

export function countBytes(count: number): string {
  return pluralize(count, 'byte')
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
  if (value instanceof Promise) return 'a promise, without await'
  return typeof value === 'object' && value !== null ? 'an object' : shorten(textOf(value))
}
