// @ts-check
// Numbers into the page about them.

import { readFileSync, writeFileSync } from 'node:fs'

/** Puts text between two marks of README.md. @param {string} mark @param {string} text */
export function writeBetween(mark, text) {
  const file = new URL('README.md', import.meta.url)
  const readme = readFileSync(file, 'utf8')
  const [start, end] = [`<!-- ${mark} -->\n`, `\n<!-- end of ${mark} -->`]
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`README.md has no marks for ${mark}`)
  writeFileSync(file, `${readme.slice(0, from + start.length)}\n${text}\n${readme.slice(to)}`)
}
