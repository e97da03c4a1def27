// Coverage as text.

import type { FileCoverage, SourceCoverage } from './coverage.ts'
import { type Column, formatTable } from './table.ts'

const COLUMNS: readonly Column[] = [
  { title: 'File', align: 'left' },
  ...['% Stmts', '% Branch', '% Funcs', '% Lines'].map((title) => ({ title, align: 'right' }) as const),
  { title: 'Uncovered lines', align: 'left' },
]

const MOST_LINES = 12

/** Hits of the items of a file, in the order of the columns. */
function hitsOf({ statements, branches, functions, lines }: FileCoverage): readonly (readonly number[])[] {
  return [
    statements.map(({ hits }) => hits),
    branches.flatMap(({ arms }) => arms.map(({ hits }) => hits)),
    functions.map(({ hits }) => hits),
    [...lines.values()],
  ]
}

/** Rounded down, so that 100 means all. */
function percent(hits: readonly number[]): string {
  const hit = hits.filter((each) => each > 0).length
  return hits.length === 0 ? '100.00' : (Math.floor((hit * 10_000) / hits.length) / 100).toFixed(2)
}

/** Lines without hits, consecutive ones of the report as ranges. */
function uncovered({ lines }: FileCoverage): string {
  const sorted = [...lines].sort(([a], [b]) => a - b)
  const ranges: { from: number; to: number }[] = []
  let isOpen = false
  for (const [line, hits] of sorted) {
    const last = ranges.at(-1)
    if (hits > 0) isOpen = false
    else if (isOpen && last !== undefined) last.to = line
    else {
      ranges.push({ from: line, to: line })
      isOpen = true
    }
  }
  const texts = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  return `${texts.slice(0, MOST_LINES).join(', ')}${texts.length > MOST_LINES ? ', …' : ''}`
}

/** Sentences on what the numbers do not see. */
export function notesOn({ isOptimized, unmapped }: SourceCoverage): string[] {
  const notes: string[] = []
  if (isOptimized)
    notes.push(
      'Contracts were compiled with the optimizer or viaIR, whose source maps are less exact: code that it moved, ' +
        'joined or removed may be counted wrongly. Compile with neither to have exact coverage.',
    )
  if (unmapped.length > 0)
    notes.push(`Not covered, since their artifacts have no source map or syntax tree: ${unmapped.join(', ')}`)
  return notes
}

/** The cells of the files and, last, of all together. */
export function coverageCells({ files }: SourceCoverage): string[][] {
  const totals = [0, 1, 2, 3].map((column) => files.flatMap((file) => hitsOf(file)[column] ?? []))
  const rows = files.map((file) => [file.file.name, ...hitsOf(file).map(percent), uncovered(file)])
  return [...rows, ['All files', ...totals.map(percent), '']]
}

/** Coverage as a table, with sentences on what it cannot see. */
export function formatCoverage(coverage: SourceCoverage): string {
  const notes = notesOn(coverage)
  if (coverage.files.length === 0) return ['No source file to cover.', ...notes].join('\n')
  const cells = coverageCells(coverage)
  const table = formatTable(COLUMNS, [...cells.slice(0, -1), 'line', ...cells.slice(-1)])
  return [table, ...notes].join('\n')
}
