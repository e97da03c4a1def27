// Repository access of the tidy tests: files that git tracks or would add, and source text without comments.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: fileURLToPath(root),
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})

export const repositoryFiles: readonly string[] = listed.split('\0').filter((path) => path && exists(path))

/** The TypeScript files of src/. Never an empty list, with which every rule would pass. */
export function sourceFiles(): readonly string[] {
  const files = repositoryFiles.filter((path) => /^src\/.*\.tsx?$/.test(path))
  if (files.length === 0) throw new Error('no files in src/')
  return files
}

export function exists(path: string): boolean {
  return existsSync(new URL(path, root))
}

export function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

/** Blanks comments and keeps strings, line numbers and columns. */
export function blankComments(source: string): string {
  const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/\/.*|\/\*[\s\S]*?\*\//g
  return source.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token))
}

/** `path:line: message` for every match of the pattern. */
export function report(path: string, text: string, pattern: RegExp, message: string): string[] {
  return [...text.matchAll(pattern)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length
    return `${path}:${line}: ${match[0].trim()}: ${message}`
  })
}
