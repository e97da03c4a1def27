// Gas reports as text.

import { readArgument } from '../../../core/primitives/reading.ts'
import type { GasReport, GasStatistics } from './gas-report.ts'
import { type Column, formatTable, type Row } from './table.ts'

const COLUMNS: readonly Column[] = [
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
  return readArgument('formatGasReport', 'the report of recordGas', () => formatReport(report))
}

function formatReport(report: GasReport): string {
  if (report.length === 0) return 'No known contract was called.'
  const rows = report.flatMap(({ name, file, deployments, codeSize, functions }, index): Row[] => [
    ...(index === 0 ? [] : ['line' as const]),
    [file === '' ? name : `${file}:${name}`],
    ...(deployments === undefined ? [] : [cellsOf(`  deployment (${codeSize} bytes)`, deployments)]),
    ...functions.map((each) => cellsOf(`  ${each.name}`, each)),
  ])
  return formatTable(COLUMNS, rows)
}
