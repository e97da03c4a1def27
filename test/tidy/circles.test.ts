// Circles of imports in src/, of types as well: a file of a circle cannot be read, moved or tested without the others.

import { expect, test } from 'vitest'
import { blankComments, read, sourceFiles } from './repository.ts'

type Imports = ReadonlyMap<string, readonly string[]>

const specifiers = /\b(?:from|import)\s*\(?\s*(['"])(\.[^'"\n]+)\1/g

function importsOf(path: string): string[] {
  const found = blankComments(read(path)).matchAll(specifiers)
  return [...found].map(([, , specifier = '']) => new URL(specifier, `file:///${path}`).pathname.slice(1))
}

/** All that a file imports, also by way of others; itself only if it is in a circle. */
function reachedFrom(start: string, imports: Imports): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of imports.get(path) ?? []) {
      if (!reached.has(next)) open.push(next)
      reached.add(next)
    }
  }
  return reached
}

/** The strongly connected components of more than one file, and files that import themselves. */
function circlesIn(imports: Imports): string[] {
  const reached = new Map([...imports.keys()].map((path) => [path, reachedFrom(path, imports)]))
  const circles = [...imports.keys()].map((path) =>
    [...imports.keys()].filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)),
  )
  return [...new Set(circles.filter((circle) => circle.length > 0).map((circle) => circle.join(' <-> ')))]
}

test('no files of src/ import one another in a circle', () => {
  expect(circlesIn(new Map(sourceFiles().map((path) => [path, importsOf(path)])))).toEqual([])
})

test.each<[string, Record<string, string[]>, string[]]>([
  ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ['of two', { a: ['b'], b: ['a'], c: ['a'] }, ['a <-> b']],
  [
    'of three, and another',
    { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'] },
    ['a <-> b <-> c', 'd <-> e'],
  ],
  ['two that share a file are one', { a: ['b'], b: ['a', 'c'], c: ['b'] }, ['a <-> b <-> c']],
  ['a file with itself', { a: ['a'] }, ['a']],
])('circles are found: %s', (_, imports, circles) => {
  expect(circlesIn(new Map(Object.entries(imports)))).toEqual(circles)
})
