// @ts-check
// Words of the report on mutants.

/**
 * @typedef {object} Result
 * @property {import('./mutants.js').Mutant} mutant
 * @property {'killed' | 'survived' | 'equivalent'} status
 * @property {string} by the failed test, or why it survived
 * @property {number} seconds
 */

/** @param {import('./mutants.js').Mutant} mutant @param {string} text of its source */
export function describeMutant({ path, line, start, end, replacement, mutator }, text) {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const to = lineEnd < 0 ? text.length : lineEnd
  /** @param {string} prefix @param {string} lines */
  const marked = (prefix, lines) => lines.split('\n').map((it) => `  ${prefix} ${it.trim()}`)
  return [
    `${path}:${line} ${mutator}`,
    ...marked('-', text.slice(from, to)),
    ...marked('+', text.slice(from, start) + replacement + text.slice(end, to)),
  ].join('\n')
}

/** @param {readonly Result[]} results */
function scoreOf(results) {
  const killed = results.filter(({ status }) => status === 'killed').length
  const survived = results.filter(({ status }) => status === 'survived').length
  const equivalent = results.length - killed - survived
  const score = killed + survived === 0 ? '' : `${((100 * killed) / (killed + survived)).toFixed(1)} %`
  return [results.length, killed, survived, equivalent, score].map((cell) => `${cell}`.padStart(10)).join('')
}

/** Score by folder. Equivalent mutants do not count. @param {readonly Result[]} results */
export function scoreTable(results) {
  const folders = [...new Set(results.map(({ mutant }) => mutant.path.split('/')[1] ?? ''))].sort()
  const heading = ['mutants', 'killed', 'survived', 'equivalent', 'score']
    .map((cell) => cell.padStart(10))
    .join('')
  return [
    `${''.padEnd(12)}${heading}`,
    ...folders.map(
      (folder) =>
        `${folder.padEnd(12)}${scoreOf(results.filter(({ mutant }) => mutant.path.split('/')[1] === folder))}`,
    ),
    `${'all'.padEnd(12)}${scoreOf(results)}`,
  ].join('\n')
}
