// The lanes of blocks: the chain, and the branches that were taken off.

import { element, type Markup } from '../html.ts'
import { countText, groupDigits } from '../numbers.ts'
import type { BlockSpan } from './model.ts'
import { type DrawnPart, firstThatFits, type Piece, piecesOf, px } from './pieces.ts'
import { type Gathered, gather, type Lane, type LaneView, label, rect, shape, tooltipText } from './shapes.ts'
import { momentText, rangeText, transactionText } from './words.ts'

const BLOCK_HEIGHT = 24
const ROW_GAP = 4
/** Pixels from which the blocks of a run are shown one by one. */
const LEAST_BLOCK = 6

/** The single blocks of a run where each has room, and the rest as runs. */
function* splitRun(frame: DrawnPart, run: BlockSpan): IterableIterator<BlockSpan> {
  const { from, to, startMs, endMs } = run
  const stepMs = (endMs - startMs) / (to - from + 1)
  const at = (number: number): number => startMs + (number - from) * stepMs
  let next = from
  const upTo = function* (last: number): IterableIterator<BlockSpan> {
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

function* spansIn(frame: DrawnPart, blocks: readonly BlockSpan[]): IterableIterator<BlockSpan> {
  for (const block of blocks) {
    if (block.endMs < frame.fromMs || block.startMs > frame.toMs) continue
    if (block.to > block.from && block.endMs > block.startMs) yield* splitRun(frame, block)
    else yield block
  }
}

function blockTitle({ model: { layer } }: LaneView, { spans }: Piece<BlockSpan>, gathered: Gathered): string {
  const [first] = spans as [BlockSpan]
  const last = spans.at(-1) as BlockSpan
  const words = gathered.count === 0 ? 'empty' : countText(gathered.count, 'transaction')
  const hash = spans.length === 1 && first.hash !== undefined ? [first.hash] : []
  const listed = gathered.first.map((transaction) => transactionText(layer, transaction))
  const range = rangeText(Math.min(first.from, last.from), Math.max(first.to, last.to))
  const head = [`${range}, ${words}, ${momentText(last.endMs - layer.start.atMs)}`, ...hash]
  return tooltipText([...head, ...listed], head.length + gathered.count)
}

function blockLabel({ spans }: Piece<BlockSpan>, count: number, width: number): string | undefined {
  const [first] = spans as [BlockSpan]
  const { from } = first
  const { to } = spans.at(-1) as BlockSpan
  if (count === 0 && from !== to)
    return firstThatFits([`${groupDigits(to - from + 1)} empty`, `×${groupDigits(to - from + 1)}`], width)
  if (from !== to)
    return firstThatFits([countText(to - from + 1, 'block'), `×${groupDigits(to - from + 1)}`], width)
  const texts =
    count === 0 ? [groupDigits(from)] : [`${groupDigits(from)} · ${groupDigits(count)} tx`, groupDigits(from)]
  return firstThatFits(texts, width)
}

function drawBlocks(view: LaneView, blocks: readonly BlockSpan[], top: number, kind: string): Markup[] {
  const isFull = ({ transactions }: BlockSpan): boolean => transactions.length > 0
  return piecesOf(view.frame, spansIn(view.frame, blocks), isFull).flatMap((piece) => {
    const gathered = gather(view, piece.spans, (block) => block.transactions)
    const many = piece.spans.length > 1 ? ' many' : ''
    const state = `${isFull(piece.spans[0] as BlockSpan) ? 'full' : 'empty'}${many}`
    const attributes = { ...rect(piece.left, piece.right, top, BLOCK_HEIGHT), rx: 2 }
    const title = blockTitle(view, piece, gathered)
    const drawn = shape(view, { name: 'rect', kind: `block ${state} ${kind}`, title, gathered, attributes })
    const text = blockLabel(piece, gathered.count, piece.right - piece.left)
    const middle = (Math.max(piece.left, 0) + Math.min(piece.right, view.frame.width)) / 2
    return text === undefined ? [drawn] : [drawn, label(middle, top + 16, text, `label middle ${kind}`)]
  })
}

export function blocksLane(view: LaneView): Lane {
  const shapes = drawBlocks(view, view.model.blocks, 0, '')
  return { name: 'blocks', title: 'Blocks', height: BLOCK_HEIGHT, shapes }
}

const BRANCH_TITLES = { orphaned: 'orphaned', reverted: 'left by a revert' }

export function branchesLane(view: LaneView): Lane {
  const rowHeight = BLOCK_HEIGHT + ROW_GAP
  const shapes = view.model.branches.flatMap(({ blocks, reason, row }) => {
    const top = row * rowHeight
    const [first] = blocks as [BlockSpan]
    const x = px(view.frame.x(first.startMs))
    const line = `M${x} ${-rowHeight} V${top + BLOCK_HEIGHT}`
    const isShown = x >= 0 && x <= view.frame.width
    const fork = isShown ? [element('path', { class: 'fork', d: line })] : []
    return [...fork, ...drawBlocks(view, blocks, top, `gone ${reason}`)]
  })
  const reasons = [...new Set(view.model.branches.map(({ reason }) => BRANCH_TITLES[reason]))]
  const title = `Blocks taken off: ${reasons.join(', ')}`
  return { name: 'branches', title, height: view.model.branchRows * rowHeight - ROW_GAP, shapes }
}
