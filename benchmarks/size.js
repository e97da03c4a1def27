// @ts-check
// npm run bench:size
// The size of what a process loads of dist/bundle, file by file: to import the package, and for its first transaction.

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
/** @param {number} bytes */
const kB = (bytes) => (bytes / 1000).toFixed(1)
const rows = [...inAll].map(([file, code]) => {
  const when = atOnce.has(file) ? 'import' : 'first transaction'
  return { file, when, bytes: code.length, gzip: gzipSync(code, { level: 9 }).length }
})
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
]
const lines = all.map(({ file, when, bytes, gzip }) => [file, when, kB(bytes), kB(gzip), ''])
console.log(alignTable([['file', 'loaded with', 'kB', 'gzip -9, kB', ''], ...lines]).join('\n'))
