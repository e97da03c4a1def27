// A timeline as an SVG element: an axis of virtual time, the lanes of each layer, and what goes from one layer to the
// other. A timeline as an SVG file.

import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import { element, type Markup } from '../html.ts'
import { THEME } from '../theme.ts'
import { modelOf, type TimelineModel } from './build-model.ts'
import { lanesOf } from './lanes.ts'
import { readRecord } from './read-record.ts'
import type { TimelineRecord } from './record.ts'
import { scaleOf, ticksIn } from './scale.ts'
import { type DrawnPart, firstThatFits, frameOf, px, textWidth } from './shapes.ts'
import { TIMELINE_STYLES } from './styles.ts'
import { summaryOf } from './summary.ts'
import { durationText, momentText } from './words.ts'

/** A transaction of a record: of which layer, and its place among that layer's. */
export interface TransactionPlace {
  readonly layer: number
  readonly transaction: number
}

/** Which part of a timeline is drawn, and how. */
export interface TimelineView {
  /** Pixels. Default 1,000. */
  readonly width?: number
  /** The shares of the line at which the picture begins and ends. Default all, 0 and 1. */
  readonly window?: readonly [from: number, to: number]
  /** The transaction that is followed. */
  readonly selected?: TransactionPlace
  /** True if shapes lead to transactions, in attributes that a page reads. Default false. */
  readonly hasLinks?: boolean
  /** A heading above the drawing. */
  readonly title?: string | undefined
  /** Markup before the drawing, such as styles, and attributes of the element. */
  readonly prelude?: readonly Markup[]
  readonly attributes?: Readonly<Record<string, string>>
}

const AXIS_HEIGHT = 30
const PICTURE_TITLE_HEIGHT = 26
const HEADING_HEIGHT = 22
const TITLE_HEIGHT = 17
const LANE_GAP = 8

type PlacedLayer = ReturnType<typeof placeLayers>[number]

function placeLayers(model: TimelineModel, frame: DrawnPart, { selected, hasLinks = false }: TimelineView) {
  let top = AXIS_HEIGHT
  return model.layers.map((layer, layerIndex) => {
    const ownTop = top
    if (model.layers.length > 1) top += HEADING_HEIGHT
    const own = selected?.layer === layerIndex ? selected.transaction : undefined
    const lanes = lanesOf({ frame, model: layer, layerIndex, selected: own, hasLinks }).map((lane) => {
      const placed = { ...lane, top: top + TITLE_HEIGHT }
      top += TITLE_HEIGHT + lane.height + LANE_GAP
      return placed
    })
    return { name: layer.layer.name, top: ownTop, lanes, bottom: top }
  })
}

function drawLayer({ name, top, lanes }: PlacedLayer, hasHeading: boolean): Markup {
  const heading = hasHeading ? [element('text', { class: 'heading', x: 4, y: top + 16 }, name)] : []
  const drawn = lanes.map((lane) =>
    element(
      'g',
      { class: `lane ${lane.name}`, transform: `translate(0 ${lane.top})` },
      lane.shapes,
      element('text', { class: 'title', x: 4, y: -5 }, lane.title),
    ),
  )
  return element('g', { class: 'layer' }, heading, drawn)
}

/** Pixels between the labels of the axis. */
const LABEL_DISTANCE = 84

function drawAxis(frame: DrawnPart, originMs: number, height: number): Markup {
  const { scale, from, to, width } = frame
  const perPixel = (to - from) / width
  const ticks = ticksIn(scale, [from, to], LABEL_DISTANCE * perPixel, originMs).flatMap(({ atMs, place }) => {
    const x = px((place - from) / perPixel)
    const text = momentText(atMs - originMs)
    const isCut = x + 3 + textWidth(text) > width
    return [
      element('path', { class: 'tick', d: `M${x} 0V${height}` }),
      ...(isCut ? [] : [element('text', { class: 'time', x: x + 3, y: 12 }, text)]),
    ]
  })
  return element('g', { class: 'axis', 'aria-hidden': 'true' }, ticks)
}

/** Collapsed stretches; those that are too narrow to be seen are left out. */
function drawCollapsed(frame: DrawnPart, height: number): Markup {
  const shapes = frame.scale.between(frame.from, frame.to).flatMap((stretch) => {
    const left = px(Math.max(frame.x(stretch.startMs), 0))
    const right = px(Math.min(frame.x(stretch.endMs), frame.width))
    if (!stretch.isCollapsed || right - left < 2) return []
    const duration = durationText(stretch.endMs - stretch.startMs)
    const text = firstThatFits([`${duration} idle`, duration], right - left)
    const title = element('title', `${duration} in which nothing but empty blocks happened`)
    const attributes = { class: 'collapsed', x: left, y: 0, width: px(right - left), height }
    const middle = { class: 'time middle', x: px((left + right) / 2), y: 25 }
    return [
      element('rect', attributes, title),
      ...(text === undefined ? [] : [element('text', middle, text)]),
    ]
  })
  return element('g', { class: 'idle' }, shapes)
}

/** When each transaction was included first, but for branches that were taken off, by layer. */
const inclusionsOf = memoizeWeak((model: TimelineModel) =>
  model.layers.map(({ blocks, partials }) => {
    const times = new Map<number, number>()
    const kept = partials.filter(({ goneAtMs }) => goneAtMs === undefined)
    for (const { endMs, transactions } of [...blocks, ...kept]) {
      for (const transaction of transactions) times.set(transaction, endMs)
    }
    return times
  }),
)

/** Crossings that a picture shows at once. */
const MOST_CROSSINGS = 300

function drawCrossings(model: TimelineModel, frame: DrawnPart, layers: readonly PlacedLayer[]): Markup {
  const paths: Markup[] = []
  for (const { kind, steps } of model.record.crossings) {
    for (const [index, step] of steps.entries()) {
      const before = steps[index - 1]
      const times = inclusionsOf(model)
      const fromMs = before && times[before.layer]?.get(before.transaction)
      const toMs = times[step.layer]?.get(step.transaction)
      const [source, target] = [layers[before?.layer ?? 0], layers[step.layer]]
      if (before === undefined || fromMs === undefined || toMs === undefined) continue
      if (Math.max(fromMs, toMs) < frame.fromMs || Math.min(fromMs, toMs) > frame.toMs) continue
      if (paths.length >= MOST_CROSSINGS || source === undefined || target === undefined) continue
      const isDown = before.layer < step.layer
      const edge = ({ lanes: [blocks] }: PlacedLayer, isBelow: boolean): number =>
        (blocks?.top ?? 0) + (isBelow ? (blocks?.height ?? 0) : 0)
      const isLevel = before.layer === step.layer
      const [y1, y2] = [edge(source, isDown), edge(target, !isDown && !isLevel)]
      const [x1, x2] = [px(frame.x(fromMs)), px(frame.x(toMs))]
      const bend = isLevel ? -14 : (y2 - y1) / 2
      const curve = `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - (isLevel ? 14 : bend)} ${x2} ${y2}`
      const [from, to] = [fromMs, toMs].map((ms) => momentText(ms - frame.scale.timeAt(0)))
      const words = `${kind}: ${before.name} at ${from}, ${step.name} at ${to}`
      const data = { 'data-transactions': `${before.layer}:${before.transaction}` }
      paths.push(
        element('path', { class: `crossing ${kind}`, d: curve, ...data }, element('title', words)),
        element('path', { class: `head ${kind}`, d: `M${x2} ${y2}l-4 ${isDown || isLevel ? -7 : 7}h8z` }),
      )
    }
  }
  return element('g', { class: 'crossings' }, paths)
}

function drawEnd(model: TimelineModel, frame: DrawnPart, height: number): Markup[] {
  const endMs = Math.max(...model.layers.map(({ layer }) => layer.end.atMs))
  const x = px(frame.x(endMs))
  if (x < 0 || x > frame.width) return []
  const isRight = x + textWidth('now') + 8 > frame.width
  const label = { class: isRight ? 'time end' : 'time', x: isRight ? x - 3 : x + 3, y: 25 }
  return [element('path', { class: 'now', d: `M${x} 16V${height}` }), element('text', label, 'now')]
}

/** An SVG element with a part of a timeline. It has no styles; see `timelinePicture` for a file. */
export function drawTimeline(record: TimelineRecord, view: TimelineView = {}): Markup {
  const { width = 1000, window = [0, 1], title, prelude = [], attributes = {} } = view
  const model = modelOf(record)
  const frame = frameOf(scaleOf(model), window, width)
  const layers = placeLayers(model, frame, view)
  const height = (layers.at(-1)?.bottom ?? AXIS_HEIGHT) + 4
  const top = title === undefined ? 0 : PICTURE_TITLE_HEIGHT
  const originMs = model.layers[0]?.layer.start.atMs ?? 0
  const own = { xmlns: 'http://www.w3.org/2000/svg', class: 'timeline', width, height: top + height }
  const heading = title === undefined ? [] : [element('text', { class: 'heading', x: 4, y: 16 - top }, title)]
  return element(
    'svg',
    { ...own, viewBox: `0 ${-top} ${width} ${top + height}`, ...attributes },
    prelude,
    heading,
    drawCollapsed(frame, height),
    drawAxis(frame, originMs, height),
    drawEnd(model, frame, height),
    layers.map((layer) => drawLayer(layer, layers.length > 1)),
    drawCrossings(model, frame, layers),
  )
}

const STYLES = `${THEME}${TIMELINE_STYLES}.timeline { background: var(--background); }`

/** An SVG file of a record: what can be read of it, or else what is wrong with it. */
export function timelinePicture(
  given: unknown,
  { title, width = 1000 }: { readonly title?: string | undefined; readonly width?: number } = {},
): string {
  const { record, problems } = readRecord(given)
  const words = [
    ...(record === undefined ? [] : summaryOf(record)),
    ...problems.map((each) => `Damaged: ${each}.`),
  ]
  const prelude = [
    element('title', { id: 'title' }, title ?? 'Timeline'),
    element('desc', { id: 'desc' }, words.join(' ')),
    element('style', { markup: STYLES }),
  ]
  const attributes = { role: 'img', 'aria-labelledby': 'title desc' }
  if (record !== undefined) return `${drawTimeline(record, { width, title, prelude, attributes }).markup}\n`
  const lines = ['This timeline cannot be drawn.', ...problems]
  const height = 24 * lines.length + 16
  const size = { xmlns: 'http://www.w3.org/2000/svg', class: 'timeline', width, height }
  const texts = lines.map((line, index) => element('text', { x: 12, y: 28 + 24 * index }, line))
  return `${element('svg', { ...size, viewBox: `0 0 ${width} ${height}`, ...attributes }, prelude, texts).markup}\n`
}
