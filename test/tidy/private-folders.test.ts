// Folders of which one file is the interface.

import { expect, test } from 'vitest'
import { read, sourceFiles } from './repository.ts'

const interfaces = ['src/core/chain/runs/runs.ts']

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The files of src/ that a file with this source imports, by `import()` too. */
function importsOf(path: string, source: string): string[] {
  const matches = source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
  const specifiers = [...matches].map((match) => match[1] as string)
  return specifiers.map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1))
}

test.each(interfaces)('nothing reaches behind %s', (entry) => {
  const outside = sourceFiles().filter((path) => folderOf(path) !== folderOf(entry))
  const imports = outside.flatMap((path) => importsOf(path, read(path)).map((target) => ({ path, target })))
  const reached = imports.filter(({ target }) => folderOf(target) === folderOf(entry))
  expect(reached.length).toBeGreaterThan(0)
  expect(reached.filter(({ target }) => target !== entry)).toEqual([])
})

test.each([
  `import { a } from '../runs/lazy-block.ts'`,
  `export * from '../runs/lazy-block.ts'`,
  `import '../runs/lazy-block.ts'`,
  `const a = await import('../runs/lazy-block.ts')`,
])('the rule sees %s', (source) => {
  expect(importsOf('src/core/chain/block/x.ts', source)).toEqual(['src/core/chain/runs/lazy-block.ts'])
})
