// Patterns of paths: which sources a report covers, and which files have artifacts.

/** The parts of a glob, with the patterns they stand for. */
const PARTS: readonly (readonly [glob: RegExp, pattern: string])[] = [
  [/^\*\*\//, '(?:.*/)?'],
  [/^\*\*/, '.*'],
  [/^\*/, '[^/]*'],
  [/^\?/, '[^/]'],
]

/** `*` stands for a part of a name, `**` for folders, `?` for a character; a folder for all that is in it. */
function patternOf(glob: string): RegExp {
  let rest = glob.replace(/^\.\//, '').replace(/\/$/, '')
  let pattern = ''
  while (rest !== '') {
    const part = PARTS.find(([start]) => start.test(rest))
    const matched = part?.[0].exec(rest)?.[0] ?? (rest[0] as string)
    pattern += part?.[1] ?? matched.replace(/[.+^${}()|[\]\\]/, '\\$&')
    rest = rest.slice(matched.length)
  }
  return new RegExp(`^${pattern}(?:/.*)?$`)
}

export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map(patternOf)
  return (path) => patterns.some((pattern) => pattern.test(path))
}
