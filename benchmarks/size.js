// @ts-check
// npm run bench:size
// The size of what a process loads of dist/bundle, file by file: to import the package, and for its first transaction. And
// of what only a page with an explorer loads.

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { alignTable } from './report.js'

const FOLDER = new URL('../dist/bundle/', import.meta.url)
/** The statement that begins a file, or follows another, and is not `import()`. */
const IMPORTS = /(?:import|export)[^;()`]*?from"\.\/([^"]+)"/g

/** A file of the bundle and what it imports. @param {string} entry @param {Map<string, Buffer>} [found] */
function loadedBy(entry, found = new Map()) {
  if (found.has(entry)) return found
  const code = readFileSync(new URL(entry, FOLDER))
  found.set(entry, code)
  for (const [, file = ''] of code.toString().matchAll(IMPORTS)) loadedBy(file, found)
  return found
}

const atOnce = loadedBy('index.js')
const inAll = loadedBy('create-evm.js', new Map(atOnce))
const withExplorer = loadedBy('explorer.js')
/** @param {number} bytes */
const kB = (bytes) => (bytes / 1000).toFixed(1)
/** @param {readonly [file: string, code: Buffer]} loaded @param {string} when */
const rowOf = ([file, code], when) => {
  return { file, when, bytes: code.length, gzip: gzipSync(code, { level: 9 }).length }
}
const rows = [...inAll].map((each) => rowOf(each, atOnce.has(each[0]) ? 'import' : 'first transaction'))
/** What an entry loads beside what is loaded before. @param {string} entry @param {Map<string, Buffer>[]} before */
const besides = (entry, ...before) =>
  [...loadedBy(entry)]
    .filter(([file]) => !before.some((loaded) => loaded.has(file)))
    .map((each) => rowOf(each, ''))
const total = (/** @type {readonly typeof rows[number][]} */ list, /** @type {string} */ file) => ({
  file,
  when: '',
  bytes: list.reduce((sum, { bytes }) => sum + bytes, 0),
  gzip: list.reduce((sum, { gzip }) => sum + gzip, 0),
})
const all = [
  ...rows,
  total(
    rows.filter(({ when }) => when === 'import'),
    'to import the package',
  ),
  total(rows, 'for a first transaction'),
  total(besides('explorer.js'), 'for an explorer'),
  total(besides('timeline-strip.js', withExplorer, inAll), 'for its timeline'),
  total(besides('debugged.js', withExplorer), 'for its debugger'),
]
const lines = all.map(({ file, when, bytes, gzip }) => [file, when, kB(bytes), kB(gzip), ''])
console.log(alignTable([['file', 'loaded with', 'kB', 'gzip -9, kB', ''], ...lines]).join('\n'))
