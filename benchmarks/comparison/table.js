// @ts-check
// The comparison as a table: a column for each emulator, and what ours is of Hardhat's and of anvil's.

import { alignTable, formatAmount } from '../report.js'

/** @typedef {import('../compare.js').Comparison} Comparison */

/** What ours is of another's; `undefined` where one is missing. @param {Comparison} comparison @param {string} other */
export function ratioTo({ rows }, other) {
  const [ours, theirs] = [rows.get('tickchain'), rows.get(other)]
  return ours === undefined || theirs === undefined ? undefined : ours.median / theirs.median
}

/** @param {number | undefined} ratio */
function formatRatio(ratio) {
  return ratio === undefined ? '' : `${ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2)} ×`
}

/** What ours took in its first round, and of what Hardhat took in its own. @param {Comparison} comparison */
function formatFirst({ rows }) {
  const [ours, theirs] = [rows.get('tickchain')?.first, rows.get('Hardhat')?.first]
  if (ours === undefined) return ['', '']
  return [formatAmount(ours), theirs === undefined ? '' : formatRatio(ours / theirs)]
}

/** @param {readonly Comparison[]} comparisons @param {readonly string[]} names */
export function formatComparison(comparisons, names) {
  const head = ['', ...names, 'to Hardhat', 'target', 'to anvil', 'first round', 'to Hardhat']
  const rows = comparisons.map((comparison) => {
    const { name, target, rows: found } = comparison
    const toHardhat = ratioTo(comparison, 'Hardhat')
    return [
      name,
      ...names.map((subject) => {
        const row = found.get(subject)
        return row === undefined ? '' : formatAmount(row.median, row.unit)
      }),
      formatRatio(toHardhat),
      target === undefined
        ? ''
        : `${target}${toHardhat === undefined || toHardhat <= target ? '' : ', missed'}`,
      formatRatio(ratioTo(comparison, 'anvil')),
      ...formatFirst(comparison),
    ]
  })
  return alignTable([head, ...rows]).join('\n')
}
