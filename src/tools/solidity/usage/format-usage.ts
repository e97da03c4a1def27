// Gas reports and coverage as tables of text.

import { readArgument } from '../../../core/primitives/errors.ts'
import { escapeTexts } from '../../../core/primitives/text-of.ts'
import type { FileCoverage, SourceCoverage } from './coverage.ts'
import type { GasReport, GasStatistics } from './usage.ts'

interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
}

/** A row of cells, or a line across the table. */
type Row = readonly string[] | 'line'

function formatTable(columns: readonly Column[], given: readonly Row[]): string {
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
  const body = rows.map((row) => (row === 'line' ? line : show(row)))
  const lines = [line, show(columns.map(({ title }) => title)), line, ...body, line]
  return lines.map((text) => text.trimEnd()).join('\n')
}

const GAS_COLUMNS: readonly Column[] = [
  { title: 'Gas', align: 'left' },
  ...['Calls', 'Min', 'Mean', 'Median', 'Max'].map((title) => ({ title, align: 'right' }) as const),
]

function cellsOf(name: string, { count, min, mean, median, max }: GasStatistics): Row {
  return [name, ...[count, min, mean, median, max].map((value) => `${value}`)]
}

/**
 * A gas report as a table.
 *
 * @param report That of `recordGas`.
 * @throws TickchainError `invalidCall`
 * @see Foundry, `forge test --gas-report`
 * @example
 * formatGasReport([]) // => 'No known contract was called.'
 */
export function formatGasReport(report: GasReport): string {
  return readArgument('formatGasReport', 'the report of recordGas', () => formatReport(report), report)
}

function formatReport(report: GasReport): string {
  if (report.length === 0) return 'No known contract was called.'
  const rows = report.flatMap(({ name, file, deployments, codeSize, functions }, index): Row[] => [
    ...(index === 0 ? [] : ['line' as const]),
    [file === '' ? name : `${file}:${name}`],
    ...(deployments === undefined ? [] : [cellsOf(`  deployment (${codeSize} bytes)`, deployments)]),
    ...functions.map((each) => cellsOf(`  ${each.name}`, each)),
  ])
  return formatTable(GAS_COLUMNS, rows)
}

const COVERAGE_COLUMNS: readonly Column[] = [
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
  for (const [index, [line, hits]] of sorted.entries()) {
    const last = ranges.at(-1)
    if (hits > 0) continue
    if (last !== undefined && sorted[index - 1]?.[1] === 0) last.to = line
    else ranges.push({ from: line, to: line })
  }
  const texts = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  return `${texts.slice(0, MOST_LINES).join(', ')}${texts.length > MOST_LINES ? ', …' : ''}`
}

/** The most sources that a report without any names. */
const MOST_LEFT = 3

/** Sentences on what the numbers do not see. */
export function notesOn({ files, left = [], isOptimized, unmapped }: SourceCoverage): string[] {
  const notes: string[] = []
  if (files.length === 0 && left.length > 0) {
    const more = left.length > MOST_LEFT ? ` and ${left.length - MOST_LEFT} more` : ''
    const names = `${left.slice(0, MOST_LEFT).join(', ')}${more}`
    notes.push(
      `No files below vitest's root, or excluded: ${names}. The option coverage.include names sources.`,
    )
  }
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
  const table = formatTable(COVERAGE_COLUMNS, [...cells.slice(0, -1), 'line', ...cells.slice(-1)])
  return [table, ...notes].join('\n')
}
