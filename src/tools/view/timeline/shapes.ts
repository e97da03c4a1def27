// Shapes of a timeline: rectangles and labels with tooltips, which lead to transactions.

import { element, type Markup } from '../html.ts'
import { groupDigits } from '../numbers.ts'
import type { LayerModel, Span } from './build-model.ts'
import type { Scale } from './scale.ts'

/** One span, or several that are too narrow to be seen alone. */
export interface Piece<Of extends Span> {
  readonly left: number
  readonly right: number
  readonly spans: readonly Of[]
}

/** The part of the line that is drawn, and its size in pixels. */
export type DrawnPart = Readonly<ReturnType<typeof frameOf>>

export function frameOf(scale: Scale, [first, last]: readonly [number, number], width: number) {
  const from = first * scale.size
  const to = last * scale.size
  const factor = width / (to - from)
  const [fromMs, toMs] = [scale.timeAt(from), scale.timeAt(to)]
  /** The pixel of a time; outside of the frame if the time is. */
  const x = (ms: number): number => (scale.at(ms) - from) * factor
  return { scale, from, to, width, fromMs, toMs, x }
}

/** Narrower spans are joined to those beside them. */
const LEAST_WIDTH = 2

/** The pieces of spans that are sorted by their start. Spans of another `kind` are not joined. */
export function piecesOf<Of extends Span>(
  frame: DrawnPart,
  spans: Iterable<Of>,
  kind: (span: Of) => unknown = () => 0,
  least = LEAST_WIDTH,
): Piece<Of>[] {
  const pieces: { left: number; right: number; spans: Of[] }[] = []
  for (const span of spans) {
    if (span.endMs < frame.fromMs || span.startMs > frame.toMs) continue
    const left = Math.max(frame.x(span.startMs), -1)
    const right = Math.min(frame.x(span.endMs), frame.width + 1)
    const last = pieces.at(-1)
    const isNear = last !== undefined && left - last.right < least && right - last.left < 3 * least
    if (isNear && kind(last.spans[0] as Of) === kind(span)) {
      last.right = Math.max(last.right, right)
      last.spans.push(span)
    } else pieces.push({ left, right, spans: [span] })
  }
  return pieces
}

/** Pixels of a character of the labels. */
const CHARACTER_WIDTH = 6.6

export function textWidth(text: string): number {
  return text.length * CHARACTER_WIDTH
}

/** The first of some texts that fits into a width. */
export function firstThatFits(texts: readonly string[], width: number): string | undefined {
  return texts.find((text) => textWidth(text) + 6 <= width)
}

/** A text, cut so that it fits; `undefined` if less than three characters would be left. */
export function cutToFit(text: string, width: number): string | undefined {
  const room = Math.floor(width / CHARACTER_WIDTH)
  if (text.length <= room) return text
  return room < 4 ? undefined : `${text.slice(0, room - 1)}…`
}

/** Pixels with up to one digit after the point. */
export function px(value: number): number {
  return Math.round(value * 10) / 10
}

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
  /** When what is drawn left the chain. */
  readonly leftAtMs?: number | undefined
  readonly attributes: Readonly<Record<string, string | number>>
}

export type Gathered = ReturnType<typeof gather>

/** Gathers the transactions of spans, of which there may be very many. */
export function gather<Of>(
  { selected }: LaneView,
  spans: readonly Of[],
  transactionsOf: (span: Of) => readonly number[],
) {
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
export function shape(view: LaneView, { name, kind, title, gathered, attributes, leftAtMs }: Shape): Markup {
  const { first = [], hasSelected = false } = gathered ?? {}
  const isLink = view.hasLinks && first.length > 0
  const data = isLink ? { 'data-transactions': `${view.layerIndex}:${first.join(',')}` } : {}
  const left = view.hasLinks ? { 'data-left': leftAtMs } : {}
  const className = hasSelected ? `${kind} selected` : kind
  return element(name, { class: className, ...attributes, ...data, ...left }, element('title', title))
}

export function rect(left: number, right: number, top: number, height: number): Shape['attributes'] {
  return { x: px(left), y: top, width: Math.max(px(right - left), 1), height }
}

export function label(x: number, y: number, text: string, kind = 'label'): Markup {
  return element('text', { class: kind, x: px(x), y }, text)
}
