// The table of docs/migration/supersim.md, as the list of facts in which the sides may differ.

import { read } from '../../tidy/repository.ts'

type Told = Readonly<Record<string, string>>

interface Row {
  readonly facts: string
  readonly there: string
  readonly here: string
}

/** A fact that differs: its name, and its value on each side. */
export interface Difference extends Row {}

const NONE = 'none'

/** The rows whose first cell names facts: code, with `*` for any text. */
export function differenceRows(): readonly Row[] {
  const rows = read('docs/migration/supersim.md').matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)
  return [...rows].map(([, facts, there, here]) => ({
    facts: facts!,
    there: there!.replaceAll('`', '').trim(),
    here: here!.replaceAll('`', '').trim(),
  }))
}

export function differencesOf(there: Told, here: Told): readonly Difference[] {
  const names = new Set([...Object.keys(there), ...Object.keys(here)])
  return [...names]
    .map((facts) => ({ facts, there: there[facts] ?? NONE, here: here[facts] ?? NONE }))
    .filter((each) => each.there !== each.here)
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text)
}

/** Whether a value is what a cell says: a pattern, or `n + 5` or `n - 5` for so much more or less than here. */
function isValue(cell: string, value: string, here: string): boolean {
  const offset = /^n ([+-]) (\d+)$/.exec(cell)
  if (offset === null) return matches(cell, value)
  const isNumber = [value, here].every((each) => /^\d+$|^0x[\da-f]+$/.test(each))
  return isNumber && BigInt(value) - BigInt(here) === BigInt(`${offset[1]}${offset[2]}`)
}

/** Whether a row tells of a difference. */
export function isToldBy(row: Row, { facts, there, here }: Difference): boolean {
  return (
    matches(row.facts, facts) &&
    isValue(row.there, there, here) &&
    (row.here === 'n' || matches(row.here, here))
  )
}

/** Both sides of each difference in columns. */
export function sideBySide(differences: readonly Difference[]): string {
  const short = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}...` : text)
  const lines = differences.map(({ facts, there, here }) =>
    [facts.padEnd(64), short(there).padEnd(62), short(here)].join(''),
  )
  return lines.join('\n')
}
