// The gas of a trace as a flame graph: a bar for each call, as wide as its gas, below the call that made it.

import { element, type Markup } from '../html.ts'
import { functionText, groupDigits, type NamedCall, percentText } from '../numbers.ts'

/** A bar: its depth, gas and words. Bars are in the order of their calls, each after the one that it is in. */
export type FlameRow = readonly [depth: number, gas: number, label: string, state: FlameState]

/** `paid` is gas that no call used. */
type FlameState = 'whole' | 'paid' | 'success' | 'failed'

/** Where a bar is, in gas from the left. */
interface BarExtent {
  readonly from: number
  readonly gas: number
}

/** The rows that are not calls: the whole, and the gas before the outermost call. */
export const ROWS_BEFORE_CALLS = 2

/** A call as far as its bar shows it, with those in it among its entries. */
export interface FlameCall extends NamedCall {
  readonly to: string
  readonly name?: string | undefined
  readonly gasUsed: number | bigint
  readonly error?: unknown
  readonly entries: readonly (
    | ({ readonly type: 'call' } & FlameCall)
    | { readonly type: 'event' | 'console' }
  )[]
}

/** Such as `Vault.withdraw`. */
export function callLabel(call: FlameCall, addressText: (address: string) => string): string {
  return `${call.name ?? addressText(call.to)}.${functionText(call)}`
}

/** The rows of a call and of those in it, and before them the whole with the gas that no call used. */
export function flameRows(
  outermost: FlameCall,
  [whole, intrinsicGas]: readonly [name: string, intrinsicGas: number],
  addressText: (address: string) => string,
): FlameRow[] {
  const rows: FlameRow[] = [
    [0, intrinsicGas + Number(outermost.gasUsed), whole, 'whole'],
    [1, intrinsicGas, 'intrinsic gas', 'paid'],
  ]
  const add = (call: FlameCall, depth: number): void => {
    const state = call.error === undefined ? 'success' : 'failed'
    rows.push([depth, Number(call.gasUsed), callLabel(call, addressText), state])
    for (const entry of call.entries) if (entry.type === 'call') add(entry, depth + 1)
  }
  add(outermost, 1)
  return rows
}

const ROW_HEIGHT = 22
/** Bars of a smaller share of the picture are left out. */
const LEAST_SHARE = 0.0005

/** The places of all bars; those in a bar stand one after another from its left. */
function placesOf(rows: readonly FlameRow[]): BarExtent[] {
  const places: BarExtent[] = []
  const open: { next: number; end: number }[] = []
  for (const [depth, own] of rows) {
    open.length = Math.min(open.length, depth)
    const outer = open.at(-1)
    const from = outer?.next ?? 0
    // What a call used of its stipend (EIP-150) is no gas of its caller.
    const gas = outer === undefined ? own : Math.max(0, Math.min(own, outer.end - from))
    if (outer !== undefined) outer.next = from + gas
    places.push({ from, gas })
    open.push({ next: from, end: from + gas })
  }
  return places
}

export function describeBar(rows: readonly FlameRow[], row: number): string {
  const [, gas, label, state] = rows[row] as FlameRow
  const whole = rows[0]?.[1] ?? 0
  const failed = state === 'failed' ? ', failed' : ''
  return `${label}: ${groupDigits(gas)} gas, ${percentText(gas, whole)}${failed}`
}

/** A share of the picture in percent, in few digits. */
function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 1e7) / 1e5
}

/** Colours of contracts, each of which has one as long as there are enough. */
const HUES = 6

/** The colour of a bar: that of its contract, by the order of the first bars. */
function huesOf(rows: readonly FlameRow[]): Map<string, number> {
  const hues = new Map<string, number>()
  for (const [, , label, state] of rows)
    if (state === 'success' || state === 'failed') {
      const contract = contractOf(label)
      if (!hues.has(contract)) hues.set(contract, hues.size % HUES)
    }
  return hues
}

function contractOf(label: string): string {
  return label.slice(0, label.lastIndexOf('.'))
}

/** Draws a bar over the whole width, with the bars that it is in and those in it; `hidden` are too narrow to be drawn. */
export function drawFlameGraph(rows: readonly FlameRow[], focus = 0, chosen = -1) {
  const places = placesOf(rows)
  const shown = places[focus] as BarExtent
  const depthOf = (row: number): number => (rows[row] as FlameRow)[0]
  let end = focus + 1
  while (end < rows.length && depthOf(end) > depthOf(focus)) end++
  const hues = huesOf(rows)
  const draw = (row: number, x: number, width: number): Markup => {
    const [depth, gas, label, state] = rows[row] as FlameRow
    const hue = hues.get(contractOf(label))
    const attributes = {
      class: `bar ${state}${hue === undefined ? '' : ` hue-${hue}`}`,
      role: 'button',
      tabindex: row === focus ? 0 : -1,
      'data-row': row,
      'aria-label': describeBar(rows, row),
      'aria-current': row === chosen ? 'true' : undefined,
      style: `left:${x}%;width:${width}%;top:${depth * ROW_HEIGHT}px`,
    }
    return element('div', attributes, `${state === 'failed' ? '✗ ' : ''}${label} ${groupDigits(gas)}`)
  }
  const bars = [draw(focus, 0, 100)]
  // The bars that it is in.
  for (let row = focus - 1, inner = focus; row >= 0; row--)
    if (depthOf(row) < depthOf(inner)) {
      bars.unshift(draw(row, 0, 100))
      inner = row
    }
  let hidden = 0
  let deepest = depthOf(focus)
  for (let row = focus + 1; row < end; row++) {
    const { from, gas } = places[row] as BarExtent
    if (gas < shown.gas * LEAST_SHARE || gas === 0) hidden++
    else {
      bars.push(draw(row, percent(from - shown.from, shown.gas), percent(gas, shown.gas)))
      deepest = Math.max(deepest, depthOf(row))
    }
  }
  const named = { class: 'flame-graph', role: 'group', 'aria-label': 'Gas flame graph' }
  const style = `height:${(deepest + 1) * ROW_HEIGHT}px`
  return { bars: element('div', { ...named, style }, bars), hidden }
}
