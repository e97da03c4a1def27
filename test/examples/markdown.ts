// Loader of documentation examples: `README.md:20.ts` is the module of the TypeScript example that begins on line 20
// of README.md. Line numbers are kept, so failures point into the page.

import { readdirSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Example {
  /** The page, relative to the repository, and the line of the first line of code. */
  readonly path: string
  readonly line: number
  readonly source: string
}

/** The fenced TypeScript blocks of a page, but those of tests that fail on purpose (`ts fails`) or need a project around them (`ts project`). */
export function examplesIn(path: string, markdown: string): Example[] {
  const fences = markdown.matchAll(/^```(?:ts|typescript)\b(?! fails| project).*\n([\s\S]*?)^```/gm)
  return [...fences].map((fence) => ({
    path,
    line: markdown.slice(0, fence.index).split('\n').length + 1,
    source: fence[1] ?? '',
  }))
}

/** All examples of README.md, and those of docs/ that use the library. */
export function findExamples(): Example[] {
  const read = (path: string) => examplesIn(path, readFileSync(`${root}${path}`, 'utf8'))
  const files = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
  const pages = files
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll(sep, '/')}`)
  const fromDocs = pages
    .sort()
    .flatMap(read)
    .filter(({ source }) => /from 'tickchain['/]/.test(source))
  return [...read('README.md'), ...fromDocs]
}

/** True for the pages whose examples search for seconds. */
export function isOnExploring(path: string): boolean {
  return path === 'docs/explore.md' || path === 'docs/security.md'
}

export function moduleOf({ path, line }: Example): string {
  return `${root}${path}:${line}.ts`
}

/** The module of a page whose first line is its file's name as a comment: others of the page may import it. */
function namedModule(page: string, file: string): string | undefined {
  const examples = examplesIn(page, readFileSync(page, 'utf8'))
  const named = examples.find(({ source }) => source.startsWith(`// ${file}\n`))
  return named === undefined ? undefined : `${page}:${named.line}.ts`
}

/** Serves the examples as modules. */
export function markdownExamples(): Plugin {
  const pattern = /^(.*\.md):(\d+)\.ts$/
  return {
    name: 'markdown-examples',
    enforce: 'pre',
    resolveId(id, importer = '') {
      if (pattern.test(id)) return id
      const [, page] = pattern.exec(importer) ?? []
      return page === undefined || !id.startsWith('./') ? undefined : namedModule(page, id.slice(2))
    },
    load(id) {
      const [, path, line] = pattern.exec(id) ?? []
      if (path === undefined) return undefined
      const examples = examplesIn(path, readFileSync(path, 'utf8'))
      const example = examples.find((it) => it.line === Number(line))
      if (example === undefined) throw new Error(`no example begins at ${path}:${line}`)
      return '\n'.repeat(example.line - 1) + example.source
    },
  }
}
