// node's util.format for strings: %s, %c, %d, %i, %f, %j, %o, %O and %%. Arguments without a specifier are appended
// with spaces.

/** Quotes a string as util.inspect does, with the first kind of quotes that it does not contain. */
function inspectText(text: string): string {
  const others = text.includes('${') ? ['"'] : ['"', '`']
  const quote = ["'", ...others].find((each) => !text.includes(each)) ?? "'"
  const escapes: Record<string, string> = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' }
  const escaped = text.replace(/[\p{Cc}\\']/gu, (character) => {
    if (character === '\\') return '\\\\'
    if (character === "'") return quote === "'" ? "\\'" : "'"
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
    return escapes[character] ?? `\\x${code}`
  })
  return `${quote}${escaped}${quote}`
}

function showNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : `${value}`
}

const SPECIFIERS: Record<string, (text: string) => string> = {
  s: (text) => text,
  c: () => '',
  d: (text) => showNumber(Number(text)),
  i: (text) => showNumber(Number.parseInt(text, 10)),
  f: (text) => showNumber(Number.parseFloat(text)),
  j: (text) => JSON.stringify(text),
  o: inspectText,
  O: inspectText,
}

/** Formats strings; the first may have specifiers for the others. */
export function formatText(texts: readonly string[]): string {
  const [pattern = '', ...rest] = texts
  // A single argument is not a pattern, so its %% stays.
  if (rest.length === 0) return pattern
  let used = 0
  const filled = pattern.replace(/%([%sdifjoOc])/g, (specifier, letter: string) => {
    if (letter === '%') return '%'
    const text = rest[used]
    if (text === undefined) return specifier
    used++
    return SPECIFIERS[letter]?.(text) ?? specifier
  })
  return [filled, ...rest.slice(used)].join(' ')
}
