// Patterns of paths: which sources a report covers, and which files have artifacts.

/** The beginning of a glob, and the pattern that it stands for. */
export type GlobPart = readonly [glob: RegExp, pattern: (part: string) => string]

/** The pattern of a glob, part by part; other characters stand for themselves. */
export function patternOfGlob(glob: string, parts: readonly GlobPart[]): string {
  let [rest, pattern] = [glob, '']
  while (rest !== '') {
    const [start, write] = parts.find(([each]) => each.test(rest)) ?? [/^./s]
    const [part = ''] = start.exec(rest) ?? []
    pattern += write?.(part) ?? part.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
    rest = rest.slice(part.length)
  }
  return pattern
}

const PARTS: readonly GlobPart[] = [
  [/^\*\*\//, () => '(?:.*/)?'],
  [/^\*\*/, () => '.*'],
  [/^\*/, () => '[^/]*'],
  [/^\?/, () => '[^/]'],
]

/** `*` stands for a part of a name, `**` for folders, `?` for a character; a folder for all that is in it. */
function patternOf(glob: string): RegExp {
  const path = glob.replace(/^\.\//, '').replace(/\/$/, '')
  return new RegExp(`^${patternOfGlob(path, PARTS)}(?:/.*)?$`)
}

export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map(patternOf)
  return (path) => patterns.some((pattern) => pattern.test(path))
}
