// Patterns of paths: which sources a report covers, and which files have artifacts.

const SPECIAL = /[.+^${}()|[\]\\]/g

/** `*` stands for a part of a name, `**` for folders, `?` for a character; a folder for all that is in it. */
function patternOf(glob: string): RegExp {
  const escaped = glob.replace(/^\.\//, '').replace(/\/$/, '').replace(SPECIAL, '\\$&')
  const body = escaped
    .replace(/\*\*\//g, '\0')
    .replace(/\*\*/g, '\x01')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replace(/\0/g, '(?:.*/)?')
    .replace(/\x01/g, '.*')
  return new RegExp(`^${body}(?:/.*)?$`)
}

export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map(patternOf)
  return (path) => patterns.some((pattern) => pattern.test(path))
}
