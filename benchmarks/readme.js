// @ts-check
// Insertion of results into Markdown pages.

import { readFileSync, writeFileSync } from 'node:fs'

const PAGE = new URL('README.md', import.meta.url)
/** The README of the package, which has a summary. */
export const FRONT_PAGE = new URL('../README.md', import.meta.url)

/** Replaces the text between two marks of a page. @param {string} mark @param {string} text @param {URL} [page] */
export function writeBetween(mark, text, page = PAGE) {
  const before = readFileSync(page, 'utf8')
  const [start, end] = [`<!-- ${mark} -->\n`, `\n<!-- end of ${mark} -->`]
  const [from, to] = [before.indexOf(start), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page.pathname} has no marks for ${mark}`)
  writeFileSync(page, `${before.slice(0, from + start.length)}\n${text}\n${before.slice(to)}`)
}
