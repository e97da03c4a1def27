// @ts-check
// Results as text: an aligned table in Markdown.

/** @typedef {import('./measure.js').Row} Row */
/**
 * The results of a group of benchmarks, and the share of the time for which its process was running; less than one if
 * other work made it wait.
 * @typedef {{ readonly name: string, readonly title: string, readonly share: number, readonly rows: readonly Row[] }} Result
 */

/** Below this share, the numbers of a group are marked. */
const UNDISTURBED = 0.9

/** Three significant digits, in the unit that fits. @param {number} us @param {string} unit */
export function formatAmount(us, unit = '') {
  if (unit === 'kB') return us >= 1000 ? `${(us / 1000).toFixed(1)} MB` : `${us.toPrecision(3)} kB`
  const [value, name] = us >= 1_000_000 ? [us / 1e6, 's'] : us >= 1000 ? [us / 1000, 'ms'] : [us, 'µs']
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${name}`
}

/** @param {Row} row @param {ReadonlyMap<string, Row>} all */
function formatRatio(row, all) {
  if (row.compareWith === undefined) return ''
  const other = all.get(row.compareWith)
  return other === undefined ? '' : `${(row.median / other.median).toFixed(2)} ×`
}

/** @param {readonly string[][]} table the first row is the head */
export function alignTable(table) {
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length))) ?? []
  const lines = table.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return column === 0 || column === row.length - 1 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `| ${cells.join(' | ')} |`
  })
  const rule = widths.map((width, column) =>
    column === 0 || column === widths.length - 1 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`,
  )
  lines.splice(1, 0, `|${rule.join('|')}|`)
  return lines
}

/** @param {readonly Result[]} results */
export function formatTable(results) {
  const all = new Map(results.flatMap(({ rows }) => rows.map((row) => [row.name, row])))
  const table = [['', 'median', 'quartiles', 'ratio', '']]
  for (const { title, share, rows } of results) {
    const remark = share < UNDISTURBED ? `disturbed: ran ${Math.round(share * 100)}% of the time` : ''
    table.push([`**${title}**`, '', '', '', remark])
    for (const row of rows) {
      const spread =
        row.rounds === 1 ? '' : `${formatAmount(row.low, row.unit)} – ${formatAmount(row.high, row.unit)}`
      table.push([
        row.name,
        formatAmount(row.median, row.unit),
        spread,
        formatRatio(row, all),
        row.note ?? '',
      ])
    }
  }
  return alignTable(table).join('\n')
}
