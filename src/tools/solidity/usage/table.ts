// Tables of text.

import { escapeTexts } from '../../../core/primitives/text-of.ts'

export interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
}

/** A row of cells, or a line across the table. */
export type Row = readonly string[] | 'line'

/** Lays out rows in columns. */
export function formatTable(columns: readonly Column[], given: readonly Row[]): string {
  const rows = escapeTexts(given)
  const cells = rows.filter((row) => row !== 'line')
  const widths = columns.map(({ title }, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)),
  )
  const line = widths.map((width) => '-'.repeat(width + 2)).join('|')
  const show = (row: readonly string[]): string =>
    columns
      .map(({ align }, column) => {
        const width = widths[column] as number
        const cell = row[column] ?? ''
        return ` ${align === 'left' ? cell.padEnd(width) : cell.padStart(width)} `
      })
      .join('|')
  return [
    line,
    show(columns.map(({ title }) => title)),
    line,
    ...rows.map((row) => (row === 'line' ? line : show(row))),
    line,
  ]
    .map((text) => text.trimEnd())
    .join('\n')
}
