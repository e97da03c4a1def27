// printf as node's util.format has it, for texts: %s and %c, %d, %i and %f, %j, %o and %O, %%. What is left over
// follows, with a space before each.

/** As util.inspect writes a text: in the first kind of quotes that is not in it. */
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

/** Formats texts, of which the first may have specifiers for those that follow. */
export function formatText(texts: readonly string[]): string {
  const [pattern = '', ...rest] = texts
  // A text by itself is not a pattern: not even %% means anything there.
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
