// The lanes of a layer: blocks with the branches that were taken off, partial blocks, pool, events and subscriptions.

import { element, type Markup } from '../html.ts'
import { countText, groupDigits } from '../numbers.ts'
import type * as models from './build-model.ts'
import {
  cutToFit,
  type DrawnPart,
  firstOf,
  firstThatFits,
  type Gathered,
  gather,
  type Lane,
  type LaneView,
  label,
  type Piece,
  piecesOf,
  px,
  rect,
  shape,
  textWidth,
  tooltipText,
} from './shapes.ts'
import { failureOf, momentText, rangeText, transactionText } from './words.ts'

const BLOCK_HEIGHT = 24
const ROW_GAP = 4
/** Pixels from which the blocks of a run are shown one by one. */
const LEAST_BLOCK = 6

/** The single blocks of a run where each has room, and the rest as runs. */
function* splitRun(frame: DrawnPart, run: models.BlockSpan): IterableIterator<models.BlockSpan> {
  const { from, to, startMs, endMs } = run
  const stepMs = (endMs - startMs) / (to - from + 1)
  const at = (number: number): number => startMs + (number - from) * stepMs
  let next = from
  const upTo = function* (last: number): IterableIterator<models.BlockSpan> {
    if (last >= next) yield { ...run, from: next, to: last, startMs: at(next), endMs: at(last + 1) }
    next = Math.max(next, last + 1)
  }
  for (const stretch of frame.scale.between(frame.from, frame.to)) {
    if (stretch.isCollapsed || stretch.endMs < startMs || stretch.startMs > endMs) continue
    const indexAt = (ms: number): number => (ms - startMs) / stepMs
    // Blocks that are cut belong to the stretch.
    const first = from + Math.max(0, Math.floor(indexAt(Math.max(stretch.startMs, frame.fromMs))))
    const end = from + Math.ceil(indexAt(Math.min(stretch.endMs, frame.toMs))) - 1
    if ((stepMs * frame.width) / (frame.to - frame.from) > LEAST_BLOCK) {
      yield* upTo(first - 1)
      for (let number = Math.max(first, next); number <= Math.min(end, to); number++) yield* upTo(number)
    }
  }
  yield* upTo(to)
}

function* spansIn(frame: DrawnPart, blocks: readonly models.BlockSpan[]): IterableIterator<models.BlockSpan> {
  for (const block of blocks) {
    if (block.endMs < frame.fromMs || block.startMs > frame.toMs) continue
    if (block.to > block.from && block.endMs > block.startMs) yield* splitRun(frame, block)
    else yield block
  }
}

function blockTitle({ model: { layer } }: LaneView, { spans }: Piece<models.BlockSpan>, gathered: Gathered) {
  const [first] = spans as [models.BlockSpan]
  const last = spans.at(-1) as models.BlockSpan
  const words = gathered.count === 0 ? 'empty' : countText(gathered.count, 'transaction')
  const hash = spans.length === 1 && first.hash !== undefined ? [first.hash] : []
  const listed = gathered.first.map((transaction) => transactionText(layer, transaction))
  const range = rangeText(Math.min(first.from, last.from), Math.max(first.to, last.to))
  const head = [`${range}, ${words}, ${momentText(last.endMs - layer.start.atMs)}`, ...hash]
  return tooltipText([...head, ...listed], head.length + gathered.count)
}

function blockLabel({ spans }: Piece<models.BlockSpan>, count: number, width: number): string | undefined {
  const [first] = spans as [models.BlockSpan]
  const { from } = first
  const { to } = spans.at(-1) as models.BlockSpan
  if (from !== to) {
    const blocks = to - from + 1
    const words = count === 0 ? `${groupDigits(blocks)} empty` : countText(blocks, 'block')
    return firstThatFits([words, `×${groupDigits(blocks)}`], width)
  }
  const name = groupDigits(from)
  return firstThatFits(count === 0 ? [name] : [`${name} · ${groupDigits(count)} tx`, name], width)
}

/** The chain, or a branch that it left. */
type Blocks = Pick<models.OrphanedBranch, 'blocks'> & Partial<models.OrphanedBranch>

function drawBlocks(view: LaneView, { blocks, reason, atMs: leftAtMs }: Blocks, top: number): Markup[] {
  const side = reason === undefined ? '' : `gone ${reason}`
  const isFull = ({ transactions }: models.BlockSpan): boolean => transactions.length > 0
  return piecesOf(view.frame, spansIn(view.frame, blocks), isFull).flatMap((piece) => {
    const gathered = gather(view, piece.spans, (block) => block.transactions)
    const many = piece.spans.length > 1 ? ' many' : ''
    const state = `${isFull(piece.spans[0] as models.BlockSpan) ? 'full' : 'empty'}${many}`
    const attributes = { ...rect(piece.left, piece.right, top, BLOCK_HEIGHT), rx: 2 }
    const title = blockTitle(view, piece, gathered)
    const kind = `block ${state} ${side}`
    const drawn = shape(view, { name: 'rect', kind, title, gathered, attributes, leftAtMs })
    const text = blockLabel(piece, gathered.count, piece.right - piece.left)
    const middle = (Math.max(piece.left, 0) + Math.min(piece.right, view.frame.width)) / 2
    return text === undefined ? [drawn] : [drawn, label(middle, top + 16, text, `label middle ${side}`)]
  })
}

const BRANCH_TITLES = { orphaned: 'orphaned', reverted: 'left by a revert' }

/** The top and the bottom of a lane's title, above the lane. */
const [TITLE_TOP, TITLE_BOTTOM] = [-16, -2]

function branchesLane(view: LaneView): Lane {
  const rowHeight = BLOCK_HEIGHT + ROW_GAP
  const reasons = [...new Set(view.model.branches.map(({ reason }) => BRANCH_TITLES[reason]))]
  const title = `Blocks taken off: ${reasons.join(', ')}`
  const shapes = view.model.branches.flatMap((branch) => {
    const top = branch.row * rowHeight
    const [first] = branch.blocks as [models.BlockSpan]
    const x = px(view.frame.x(first.startMs))
    // Not through the title.
    const gap = x < textWidth(title) + 8 ? `V${TITLE_TOP} M${x} ${TITLE_BOTTOM} ` : ''
    const line = `M${x} ${-rowHeight} ${gap}V${top + BLOCK_HEIGHT}`
    const isShown = x >= 0 && x <= view.frame.width
    const fork = isShown ? [element('path', { class: 'fork', d: line })] : []
    return [...fork, ...drawBlocks(view, branch, top)]
  })
  return { name: 'branches', title, height: view.model.branchRows * rowHeight - ROW_GAP, shapes }
}

const PARTIAL_HEIGHT = 14
/** Pixels from which the slots of empty partial blocks are shown. */
const LEAST_SLOT = 6

/** The times of all partial blocks, empty ones too, where they have room. */
function slots({ frame, model: { layer } }: LaneView): Markup[] {
  const { partialBlockTimeMs: step, start } = layer
  if ((step * frame.width) / (frame.to - frame.from) < LEAST_SLOT) return []
  let line = ''
  for (const { startMs, endMs, isCollapsed } of frame.scale.between(frame.from, frame.to)) {
    const firstMs = Math.max(startMs, frame.fromMs)
    const lastMs = Math.min(endMs, frame.toMs, layer.end.atMs)
    if (isCollapsed) continue
    let atMs = start.atMs + Math.ceil((firstMs - start.atMs) / step) * step
    for (; atMs <= lastMs; atMs += step) line += `M${px(frame.x(atMs))} ${PARTIAL_HEIGHT - 4}v4`
  }
  return line === '' ? [] : [element('path', { class: 'slots', d: line })]
}

function partialTitle(view: LaneView, { spans }: Piece<models.PartialSpan>, gathered: Gathered): string {
  const { layer } = view.model
  const [first] = spans as [models.PartialSpan]
  const notes = firstOf(spans).flatMap((span) => span.notes)
  const listed = gathered.first.map(
    (transaction) =>
      transactionText(layer, transaction) + failureOf(notes.find((note) => note.transaction === transaction)),
  )
  const what =
    spans.length === 1
      ? `partial ${first.index} of block ${groupDigits(first.block)}`
      : countText(spans.length, 'partial block')
  const at = momentText(first.endMs - layer.start.atMs)
  const head = `${what}, ${countText(gathered.count, 'transaction')}, ${at}`
  return tooltipText([head, ...listed], 1 + gathered.count)
}

function stateOfPartial({ goneAtMs, notes }: models.PartialSpan): string {
  if (goneAtMs !== undefined) return 'gone'
  return notes.some(({ failure }) => failure !== undefined) ? 'failed' : 'confirmed'
}

function drawPartials(view: LaneView, partials: readonly models.PartialSpan[], top: number): Markup[] {
  return piecesOf(view.frame, partials, stateOfPartial).flatMap((piece) => {
    const gathered = gather(view, piece.spans, (span) => span.transactions)
    const many = piece.spans.length > 1 ? ' many' : ''
    const kind = `partial ${stateOfPartial(piece.spans[0] as models.PartialSpan)}${many}`
    const right = Math.max(piece.right, piece.left + 5)
    const attributes = { ...rect(piece.left, right, top, PARTIAL_HEIGHT), rx: 2 }
    const title = partialTitle(view, piece, gathered)
    const leftAtMs = piece.spans[0]?.goneAtMs
    const drawn = shape(view, { name: 'rect', kind, title, gathered, attributes, leftAtMs })
    const texts = [`${gathered.count} tx`, `${gathered.count}`]
    const text = firstThatFits(texts, piece.right - piece.left)
    const middle = (piece.left + piece.right) / 2
    return text === undefined ? [drawn] : [drawn, label(middle, top + 11, text, 'label middle')]
  })
}

/** Partial blocks of the chain, and below them those of branches. */
function partialsLane(view: LaneView): Lane {
  const { fromMs, toMs } = view.frame
  const shown = view.model.partials.filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs)
  const draw = (isDrawn: (span: models.PartialSpan) => boolean, top: number): Markup[] =>
    drawPartials(view, shown.filter(isDrawn), top)
  const gone = draw(({ goneAtMs }) => goneAtMs !== undefined, PARTIAL_HEIGHT + 3)
  const kept = draw(({ goneAtMs }) => goneAtMs === undefined, 0)
  const height = view.model.partials.some(({ goneAtMs }) => goneAtMs !== undefined)
    ? 2 * PARTIAL_HEIGHT + 3
    : PARTIAL_HEIGHT
  return { name: 'partials', title: 'Partial blocks', height, shapes: [...slots(view), ...kept, ...gone] }
}

const STAY_HEIGHT = 7
const STAY_ENDS: Readonly<Record<models.Stay['end'], string>> = {
  included: 'then it was included',
  replaced: 'then it was replaced',
  dropped: 'then it was dropped',
  undone: 'then the chain went back',
  waiting: 'and it still waits',
}

function stayTitle({ model: { layer } }: LaneView, { spans }: Piece<models.Stay>): string {
  const listed = firstOf(spans).map(({ transaction, startMs, endMs, end }) => {
    const waited = `waited ${(endMs - startMs) / 1000} s`
    return `${transactionText(layer, transaction)}\n${waited}, ${STAY_ENDS[end]}`
  })
  if (spans.length === 1) return tooltipText(listed)
  return tooltipText([`${countText(spans.length, 'transaction')} waiting`, ...listed], 1 + spans.length)
}

function poolLane(view: LaneView): Lane {
  const { stays, stayRows } = view.model
  const { fromMs, toMs } = view.frame
  const rows = Array.from({ length: stayRows }, (): models.Stay[] => [])
  for (const stay of stays) if (stay.endMs >= fromMs && stay.startMs <= toMs) rows[stay.row]?.push(stay)
  const shapes = rows.flatMap((inRow, row) =>
    piecesOf(view.frame, inRow, ({ end }) => end).map((piece) => {
      const gathered = gather(view, piece.spans, ({ transaction }) => [transaction])
      const kind = `stay ${(piece.spans[0] as models.Stay).end}`
      const right = Math.max(piece.right, piece.left + 2)
      const attributes = rect(piece.left, right, row * (STAY_HEIGHT + 2), STAY_HEIGHT)
      return shape(view, { name: 'rect', kind, title: stayTitle(view, piece), gathered, attributes })
    }),
  )
  return { name: 'pool', title: 'Pool', height: stayRows * (STAY_HEIGHT + 2), shapes }
}

const MARK_RADIUS = 5

function drawMark(view: LaneView, piece: Piece<models.Mark & models.Span>, nextLeft: number): Markup[] {
  const { frame, model } = view
  const [first] = piece.spans as [models.Mark & models.Span]
  const isOne = piece.spans.length === 1
  const shown = firstOf(piece.spans).map(
    ({ atMs, words }) => `${momentText(atMs - model.layer.start.atMs)}  ${words}`,
  )
  const gathered = gather(view, piece.spans, (mark) => mark.transactions)
  const attributes = { cx: px(piece.left), cy: 8, r: MARK_RADIUS }
  const [kind, title] = [`mark ${first.kind}`, tooltipText(shown, piece.spans.length)]
  const drawn = shape(view, { name: 'circle', kind, title, gathered, attributes })
  const room = nextLeft - piece.left - 3 * MARK_RADIUS
  const text = cutToFit(isOne ? first.words : `${piece.spans.length} events`, room)
  const back = px(frame.x(first.toMs))
  const arrow =
    isOne && first.kind === 'went' && Math.abs(back - piece.left) > 2 * MARK_RADIUS
      ? [element('path', { class: 'back', d: `M${px(piece.left)} 16H${back}m4 -3l-4 3l4 3` })]
      : []
  return [...arrow, drawn, ...(text === undefined ? [] : [label(piece.left + 9, 12, text)])]
}

function marksLane(view: LaneView): Lane {
  const { fromMs, toMs } = view.frame
  const spans = view.model.marks
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .map((mark) => ({ ...mark, startMs: mark.atMs, endMs: mark.atMs }))
  const pieces = piecesOf(view.frame, spans, () => 0, 2 * MARK_RADIUS)
  // Words go neither through the next mark nor through the line at which the recording ends.
  const edges = [...pieces.map(({ left }) => left), view.frame.x(view.model.layer.end.atMs), view.frame.width]
  const shapes = pieces.flatMap((piece) =>
    drawMark(view, piece, Math.min(...edges.filter((edge) => edge > piece.left))),
  )
  return { name: 'events', title: 'Events', height: 20, shapes }
}

function toldLane(view: LaneView, { subscription, kind, spans }: models.LayerModel['told'][number]): Lane {
  const { layer } = view.model
  const shapes = piecesOf(view.frame, spans, () => 0, 6).map((piece) => {
    const count = piece.spans.reduce((sum, span) => sum + span.count, 0)
    const at = momentText((piece.spans[0] as models.ToldSpan).startMs - layer.start.atMs)
    const title = `${kind}: ${countText(count, 'message')}, ${at}`
    const attributes = { ...rect(piece.left - 2, Math.max(piece.right, piece.left) + 2, 1, 5), rx: 2 }
    return shape(view, { name: 'rect', kind: 'told', title, attributes })
  })
  return { name: 'told', title: `Told to ${kind} ${subscription}`, height: 8, shapes }
}

/** Subscriptions that have a lane. */
const MOST_TOLD_LANES = 6

/** The lanes of a layer that have something in them. */
export function lanesOf(view: LaneView): Lane[] {
  const { branches, partials, stays, marks, told } = view.model
  return [
    { name: 'blocks', title: 'Blocks', height: BLOCK_HEIGHT, shapes: drawBlocks(view, view.model, 0) },
    ...(branches.length > 0 ? [branchesLane(view)] : []),
    ...(partials.length > 0 ? [partialsLane(view)] : []),
    ...(stays.length > 0 ? [poolLane(view)] : []),
    ...(marks.length > 0 ? [marksLane(view)] : []),
    ...told.slice(0, MOST_TOLD_LANES).map((each) => toldLane(view, each)),
  ]
}
