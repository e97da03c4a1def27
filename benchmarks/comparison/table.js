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

/** The least time of a work, and our time relative to it; nothing for works without hashes and signatures. @param {Comparison} comparison */
function formatLimit(comparison) {
  const limit = comparison.rows.get('limit')
  if (limit === undefined || limit.median < 1) return ['', '']
  const ratio = ratioTo(comparison, 'limit') ?? Number.NaN
  return [formatAmount(limit.median), `${ratio.toFixed(1)} ×`]
}

/** The goal, and whether it is missed. @param {Comparison} comparison */
function formatTarget(comparison) {
  const { target, targetToAnvil, most, rows } = comparison
  const row = rows.get('tickchain')
  const tell = (/** @type {string} */ goal, /** @type {boolean} */ isMissed) =>
    isMissed ? `${goal}, missed` : goal
  const isOver = (/** @type {string} */ other, /** @type {number} */ goal) =>
    (ratioTo(comparison, other) ?? 0) > goal
  if (most !== undefined) return tell(formatAmount(most, row?.unit), (row?.median ?? 0) > most)
  if (targetToAnvil !== undefined) return tell(`${targetToAnvil} of anvil's`, isOver('anvil', targetToAnvil))
  return target === undefined ? '' : tell(`${target}`, isOver('Hardhat', target))
}

/** @param {readonly Comparison[]} comparisons @param {readonly string[]} names */
export function formatComparison(comparisons, names) {
  const hasFirst = comparisons.some(({ rows }) => [...rows.values()].some(({ first }) => first !== undefined))
  const hasLimit = comparisons.some(({ rows }) => rows.has('limit'))
  const columns = [
    '',
    ...names,
    'to Hardhat',
    'target',
    'to anvil',
    ...(hasLimit ? ['limit', 'to limit'] : []),
  ]
  const head = hasFirst ? [...columns, 'first round', 'to Hardhat'] : columns
  const rows = comparisons.map((comparison) => {
    const { name, rows: found } = comparison
    return [
      name,
      ...names.map((subject) => {
        const row = found.get(subject)
        return row === undefined ? '' : formatAmount(row.median, row.unit)
      }),
      formatRatio(ratioTo(comparison, 'Hardhat')),
      formatTarget(comparison),
      formatRatio(ratioTo(comparison, 'anvil')),
      ...(hasLimit ? formatLimit(comparison) : []),
      ...(hasFirst ? formatFirst(comparison) : []),
    ]
  })
  return alignTable([head, ...rows]).join('\n')
}

/** Rows of the README by command, with their names there. */
export const IN_SHORT = {
  warm: [
    ['signed transfer, automined, with its receipt', 'a signed transfer, mined, with its receipt'],
    ['ERC-20 transfer, automined, with its receipt', 'an ERC-20 transfer, the same'],
    ['eth_call balanceOf', '`eth_call` of `balanceOf`'],
    ['eth_getBalance', '`eth_getBalance`'],
    ['100,000 Fibonacci steps, eth_call', 'a loop of 100,000 steps'],
    ['1,000 transfers in one block', '1,000 transfers into one block'],
    ['eth_getLogs, 1,000 logs', '`eth_getLogs` of 1,000 logs'],
  ],
  cold: [
    ['start, until the first answer', 'import, start and the first answer'],
    ['a file of 20 tests, all of it', 'a file of 20 tests, with its start and two deployments'],
    ['a file of 100 tests, all of it', 'a file of 100 tests'],
    ['recorded: safe-contracts', 'the tests of safe-contracts, 5,272 requests'],
  ],
}

/** @param {number | undefined} ratio */
function formatTimes(ratio) {
  if (ratio === undefined) return ''
  const times = 1 / ratio
  return `${times.toFixed(times < 10 ? 1 : 0)} times`
}

/**
 * A few rows for the README: how many times as long the others take.
 * @param {readonly Comparison[]} comparisons @param {readonly string[][]} inShort
 */
export function formatInShort(comparisons, inShort) {
  const rows = inShort.flatMap(([name = '', title = '']) => {
    const found = comparisons.find((comparison) => comparison.name === name)
    const ours = found?.rows.get('tickchain')
    if (found === undefined || ours === undefined) return []
    const times = ['Hardhat', 'anvil'].map((other) => formatTimes(ratioTo(found, other)))
    return [[title, formatAmount(ours.median, ours.unit), ...times]]
  })
  return alignTable([['', 'tickchain', 'Hardhat', 'anvil'], ...rows]).join('\n')
}
