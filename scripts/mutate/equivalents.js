// @ts-check
// Mutants that no test can notice, each with the reason. They do not count in the score.

/**
 * @typedef {object} Equivalent
 * @property {string} path
 * @property {string} line the text of the line, without indentation
 * @property {string} becomes the text of the line with the mutant
 * @property {string} reason why it behaves the same
 */

/** @type {readonly Equivalent[]} */
const EQUIVALENTS = []

/** The reason why a mutant is equivalent, if it is. @param {import('./mutants.js').Mutant} mutant @param {string} text */
export function equivalenceOf({ path, start, end, replacement }, text) {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const to = lineEnd < 0 ? text.length : lineEnd
  const line = text.slice(from, to).trim()
  const becomes = (text.slice(from, start) + replacement + text.slice(end, to)).trim()
  return EQUIVALENTS.find((it) => it.path === path && it.line === line && it.becomes === becomes)?.reason
}
