// Shapes of a timeline: rectangles and labels with tooltips, which lead to transactions.

import { element, type Markup } from '../html.ts'
import { groupDigits } from '../numbers.ts'
import type { LayerModel } from './model.ts'
import { type DrawnPart, px } from './pieces.ts'

/** A lane: its title, its height, and what is drawn into it from its top on. */
export interface Lane {
  readonly name: string
  readonly title: string
  readonly height: number
  readonly shapes: readonly Markup[]
}

/** The context in which lanes are drawn. */
export interface LaneView {
  readonly frame: DrawnPart
  readonly model: LayerModel
  /** The place of the layer in the record. */
  readonly layerIndex: number
  /** The transaction that is followed. */
  readonly selected: number | undefined
  /** True if shapes name their transactions, for a page. */
  readonly hasLinks: boolean
}

/** Transactions that a shape leads to; more are not listed. */
const MOST_TRANSACTIONS = 20
/** Lines of a tooltip. */
const MOST_LINES = 8

export interface Shape {
  readonly name: string
  readonly kind: string
  readonly title: string
  readonly gathered?: Gathered
  readonly attributes: Readonly<Record<string, string | number>>
}

/** The transactions of a shape. */
export interface Gathered {
  readonly count: number
  /** Only the first ones. */
  readonly first: readonly number[]
  readonly hasSelected: boolean
}

/** Gathers the transactions of spans, of which there may be very many. */
export function gather<Of>(
  { selected }: LaneView,
  spans: readonly Of[],
  transactionsOf: (span: Of) => readonly number[],
): Gathered {
  const first: number[] = []
  let count = 0
  let hasSelected = false
  for (const span of spans) {
    const transactions = transactionsOf(span)
    count += transactions.length
    if (first.length < MOST_TRANSACTIONS) first.push(...transactions.slice(0, MOST_TRANSACTIONS))
    if (selected !== undefined) hasSelected ||= transactions.includes(selected)
  }
  return { count, first: first.slice(0, MOST_TRANSACTIONS), hasSelected }
}

/** Lines of a tooltip, of which `count` would be there in all. */
export function tooltipText(lines: readonly string[], count = lines.length): string {
  const shown = lines.slice(0, MOST_LINES)
  const more = count - shown.length
  return [...shown, ...(more > 0 ? [`… and ${groupDigits(more)} more`] : [])].join('\n')
}

/** The spans that a tooltip has room for. */
export function firstOf<Of>(spans: readonly Of[]): readonly Of[] {
  return spans.slice(0, MOST_LINES)
}

/** A shape with a tooltip, which leads to its transactions. */
export function shape(view: LaneView, { name, kind, title, gathered, attributes }: Shape): Markup {
  const { first = [], hasSelected = false } = gathered ?? {}
  const isLink = view.hasLinks && first.length > 0
  const data = isLink ? { 'data-transactions': `${view.layerIndex}:${first.join(',')}` } : {}
  const className = hasSelected ? `${kind} selected` : kind
  return element(name, { class: className, ...attributes, ...data }, element('title', title))
}

export function rect(left: number, right: number, top: number, height: number): Shape['attributes'] {
  return { x: px(left), y: top, width: Math.max(px(right - left), 1), height }
}

export function label(x: number, y: number, text: string, kind = 'label'): Markup {
  return element('text', { class: kind, x: px(x), y }, text)
}
