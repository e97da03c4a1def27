// @ts-check
// The comparison as a table: a column for each emulator, and our times relative to Hardhat's and anvil's.

import { alignTable, formatAmount } from '../report.js'

/** @typedef {import('../compare.js').Comparison} Comparison */

/** Our time relative to another's; `undefined` if one is missing. @param {Comparison} comparison @param {string} other */
export function ratioTo({ rows }, other) {
  const [ours, theirs] = [rows.get('tickchain'), rows.get(other)]
  return ours === undefined || theirs === undefined ? undefined : ours.median / theirs.median
}

/** @param {number | undefined} ratio */
function formatRatio(ratio) {
  return ratio === undefined ? '' : `${ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2)} ×`
}

/** Our time in the first round, absolute and relative to Hardhat's first round. @param {Comparison} comparison */
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

/** The rows of the README, with their names there. */
const IN_SHORT = [
  ['signed transfer, automined, with its receipt', 'a signed transfer, mined, with its receipt'],
  ['ERC-20 transfer, automined, with its receipt', 'an ERC-20 transfer, the same'],
  ['eth_call balanceOf', '`eth_call` of `balanceOf`'],
  ['eth_getBalance', '`eth_getBalance`'],
  ['100,000 Fibonacci steps, eth_call', 'a loop of 100,000 steps'],
  ['1,000 transfers in one block', '1,000 transfers into one block'],
  ['eth_getLogs, 1,000 logs', '`eth_getLogs` of 1,000 logs'],
  ['start, until the first answer, in a fresh process', 'import, start and the first answer'],
]

/** @param {number | undefined} ratio */
function formatTimes(ratio) {
  if (ratio === undefined) return ''
  const times = 1 / ratio
  return `${times.toFixed(times < 10 ? 1 : 0)} times`
}

/** A few rows for the README: how many times as long the others take. @param {readonly Comparison[]} comparisons */
export function formatInShort(comparisons) {
  const rows = IN_SHORT.flatMap(([name, title = '']) => {
    const found = comparisons.find((comparison) => comparison.name === name)
    const ours = found?.rows.get('tickchain')
    if (found === undefined || ours === undefined) return []
    const times = ['Hardhat', 'anvil'].map((other) => formatTimes(ratioTo(found, other)))
    return [[title, formatAmount(ours.median, ours.unit), ...times]]
  })
  return alignTable([['', 'tickchain', 'Hardhat', 'anvil'], ...rows]).join('\n')
}
