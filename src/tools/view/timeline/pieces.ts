// Spans of time as pieces of a picture: what is too narrow to be seen alone is joined with its neighbours, so that a
// picture has no more pieces than it has room for.

import type { Scale } from './scale.ts'

export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** One span, or several that are too narrow to be seen alone. */
export interface Piece<Of extends Span> {
  readonly left: number
  readonly right: number
  readonly spans: readonly Of[]
}

/** The part of the line that is drawn, and its size in pixels. */
export interface DrawnPart {
  readonly scale: Scale
  readonly from: number
  readonly to: number
  readonly width: number
  readonly fromMs: number
  readonly toMs: number
  /** The pixel of a time; outside of the frame if the time is. */
  x(ms: number): number
}

export function frameOf(scale: Scale, [first, last]: readonly [number, number], width: number): DrawnPart {
  const from = first * scale.size
  const to = last * scale.size
  const factor = width / (to - from)
  return {
    scale,
    from,
    to,
    width,
    fromMs: scale.timeAt(from),
    toMs: scale.timeAt(to),
    x: (ms) => (scale.at(ms) - from) * factor,
  }
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
