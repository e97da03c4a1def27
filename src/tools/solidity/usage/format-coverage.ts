// Coverage as text.

import type { Coverage, FileCoverage } from './coverage.ts'
import { type Column, formatTable } from './table.ts'

const COLUMNS: readonly Column[] = [
  { title: 'File', align: 'left' },
  ...['% Stmts', '% Branch', '% Funcs', '% Lines'].map((title) => ({ title, align: 'right' }) as const),
  { title: 'Uncovered lines', align: 'left' },
]

const MOST_LINES = 12

/** Hit and all items of a kind. */
interface Part {
  readonly hit: number
  readonly all: number
}

function partOf(hits: readonly number[]): Part {
  return { hit: hits.filter((each) => each > 0).length, all: hits.length }
}

function partsOf({ statements, branches, functions, lines }: FileCoverage): readonly Part[] {
  return [
    partOf(statements.map(({ hits }) => hits)),
    partOf(branches.flatMap(({ arms }) => arms.map(({ hits }) => hits))),
    partOf(functions.map(({ hits }) => hits)),
    partOf([...lines.values()]),
  ]
}

/** Rounded down, so that 100 means all. */
function percent({ hit, all }: Part): string {
  return all === 0 ? '100.00' : (Math.floor((hit * 10_000) / all) / 100).toFixed(2)
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
export function notesOn({ isOptimized, unmapped }: Coverage): string[] {
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
export function coverageCells({ files }: Coverage): string[][] {
  const parts = files.map(partsOf)
  const totals = [0, 1, 2, 3].map((column) => ({
    hit: parts.reduce((sum, each) => sum + (each[column] as Part).hit, 0),
    all: parts.reduce((sum, each) => sum + (each[column] as Part).all, 0),
  }))
  const rows = files.map((file, index) => [
    file.file.name,
    ...(parts[index] as readonly Part[]).map(percent),
    uncovered(file),
  ])
  return [...rows, ['All files', ...totals.map(percent), '']]
}

/** Coverage as a table, with sentences on what it cannot see. */
export function formatCoverage(coverage: Coverage): string {
  const notes = notesOn(coverage)
  if (coverage.files.length === 0) return ['No source file to cover.', ...notes].join('\n')
  const cells = coverageCells(coverage)
  const table = formatTable(COLUMNS, [...cells.slice(0, -1), 'line', ...cells.slice(-1)])
  return [table, ...notes].join('\n')
}
