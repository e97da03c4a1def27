// The timeline above the blocks: the part of it around the time cursor, which a click or a drag takes along.

import { type ComponentChildren, h } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { nodesOf } from '../../view/html.ts'
import { type LayerModel, modelOf, type TimelineModel } from '../../view/timeline/build-model.ts'
import { drawTimeline, type TransactionPlace } from '../../view/timeline/draw.ts'
import { scaleOf } from '../../view/timeline/scale.ts'
import { lifeOf } from '../../view/timeline/summary.ts'
import { momentText } from '../../view/timeline/words.ts'
import { placesOf } from '../timeline-panes.ts'
import type { ExplorerPast } from './history.ts'
import type { OrphanShape } from './memory.ts'
import { Button, useStore } from './parts.tsx'
import type { LiveTimeline } from './source.ts'
import type { Place } from './store.ts'

export { readRecord } from '../../view/timeline/read-record.ts'

/** Block times that are shown at first. */
const SHOWN_BLOCKS = 10
/** Milliseconds that are shown at the closest. */
const CLOSEST_MS = 20
/** Pixels by which a pointer moves in a click. */
const MOST_OF_A_CLICK = 4

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** The index of the transaction that is open, if the record has it. */
function chosenIn({ layer: { transactions } }: LayerModel, place: Place): number | undefined {
  const index = place.kind === 'transaction' ? transactions.findIndex(({ hash }) => hash === place.hash) : -1
  return index < 0 ? undefined : index
}

/** Where a shape leads to: the transaction, or the block of several; of a branch, one of those that were seen. */
function placeOf(
  { layer, blocks }: LayerModel,
  chosen: readonly number[],
  isGone: boolean,
  orphans: readonly OrphanShape[],
): Place | undefined {
  const [first, ...others] = chosen
  const hash = first === undefined ? undefined : layer.transactions[first]?.hash
  if (first === undefined || hash === undefined) return undefined
  const orphan = orphans.find(({ transactions }) => transactions.some((each) => each.hash === hash))
  const block = blocks.find(({ transactions }) => transactions.includes(first))
  if (others.length > 0 && isGone && orphan !== undefined) return { kind: 'orphan', hash: orphan.hash }
  if (others.length > 0 && !isGone && block !== undefined) return { kind: 'block', number: block.to }
  return { kind: 'transaction', hash }
}

/** When the branch of a shape left the chain. */
function leftAtOf(shape: EventTarget | null): number | undefined {
  const left = shape instanceof Element ? shape.closest('[data-left]')?.getAttribute('data-left') : undefined
  return left ? Number(left) : undefined
}

/** The moments of a transaction, which the cursor goes to. */
function Life({
  model,
  selected,
  travel,
}: {
  readonly model: TimelineModel
  readonly selected: TransactionPlace
  readonly travel: (ms: number) => void
}) {
  const startMs = model.record.layers[0]?.start.atMs ?? 0
  return (
    <ol class="life" aria-label="Life of the transaction">
      {lifeOf(model, selected.layer, selected.transaction).moments.map(({ atMs, words }) => (
        <li key={`${atMs} ${words}`}>
          <Button class="link" onClick={() => travel(atMs)}>
            {momentText(atMs - startMs)}
          </Button>{' '}
          {words}
        </li>
      ))}
    </ol>
  )
}

/** The part of the line that is shown, in shares of it: as before, if the cursor is in it. */
function useShown(cursor: number, atFirst: number, isHeld: boolean) {
  const [zoom, setZoom] = useState(1)
  const from = useRef(0)
  const share = Math.min(1, atFirst * zoom)
  const isIn = cursor >= from.current && cursor <= from.current + share
  if (!isHeld) from.current = Math.min(Math.max(isIn ? from.current : cursor - share / 2, 0), 1 - share)
  const zoomBy = (factor: number): void => {
    const next = Math.min(1, share * factor)
    from.current = cursor - ((cursor - from.current) / share) * next
    setZoom(next / atFirst)
  }
  return { from: from.current, share, zoomBy }
}

/** A press that may become a drag: where it began, and on what. */
interface Press {
  readonly x: number
  readonly shape: EventTarget | null
}

interface PictureProps {
  readonly model: TimelineModel
  /** The layer that is the chain. */
  readonly layer: number
  readonly selected: TransactionPlace | undefined
  /** Shares of the line: the cursor, the beginning of what is shown, and its length. */
  readonly cursor: number
  readonly from: number
  readonly share: number
  readonly pressed: { current: Press | undefined }
  /** Takes the cursor to a share of the line; on a branch, if it is told when that left the chain. */
  readonly follow: (share: number, leftAtMs: number | undefined) => void
}

/** The picture, in which a drag moves the cursor and a click opens what it hits. A drag that begins on a branch stays on it. */
function Picture({ model, layer, selected, cursor, from, share, pressed, follow }: PictureProps) {
  const { open, view } = useStore()
  const frame = useRef<HTMLDivElement>(null)
  const width = Math.max(useWidth(frame), 200)
  const picture = useMemo(() => {
    const drawn = { width, window: [from, from + share], hasLinks: true } as const
    const { record } = model
    return nodesOf<ComponentChildren>(
      drawTimeline(record, selected === undefined ? drawn : { ...drawn, selected }),
      h,
    )
  }, [model, selected?.transaction, from, share, width])
  const move = ({ clientX }: PointerEvent): void => {
    const { current: begun } = pressed
    if (frame.current === null || begun === undefined) return
    const { left, width: all } = frame.current.getBoundingClientRect()
    follow(from + share * Math.min(Math.max((clientX - left) / all, 0), 1), leftAtOf(begun.shape))
  }
  const press = (event: PointerEvent): void => {
    frame.current?.setPointerCapture(event.pointerId)
    pressed.current = { x: event.clientX, shape: event.target }
    move(event)
  }
  const release = ({ clientX }: PointerEvent): void => {
    const { current: begun } = pressed
    pressed.current = undefined
    if (begun === undefined || Math.abs(clientX - begun.x) > MOST_OF_A_CLICK) return
    const chosen = placesOf(begun.shape).filter((each) => each.layer === layer)
    const own = model.layers[layer] as LayerModel
    const place = placeOf(
      own,
      chosen.map(({ transaction }) => transaction),
      leftAtOf(begun.shape) !== undefined,
      view().orphans,
    )
    if (place !== undefined) open(place)
  }
  const cancel = (): void => {
    pressed.current = undefined
  }
  const events = { onPointerDown: press, onPointerMove: move, onPointerUp: release, onPointerCancel: cancel }
  return (
    // The slider below does the same by keys.
    <div class="strip" aria-hidden="true" ref={frame} {...events}>
      {picture}
      <i class="here" style={{ insetInlineStart: `${((cursor - from) / share) * 100}%` }} />
    </div>
  )
}

export function TimelineStrip({
  timeline,
  history,
}: {
  readonly timeline: LiveTimeline
  readonly history: ExplorerPast
}) {
  const store = useStore()
  const pressed = useRef<Press | undefined>(undefined)
  const { past, place } = store.view()
  const last = history.last()
  // Each command moves the last position; the record stays the same while only the cursor moves.
  const model = useMemo(() => modelOf(timeline.record), [timeline, last])
  const { layer } = timeline
  const own = model.layers[layer] as LayerModel
  const { size, at, timeAt } = scaleOf(model)
  const cursor = at(history.timeAt(past?.position ?? last)) / size
  const shownMs = SHOWN_BLOCKS * own.layer.blockTimeMs
  const { zoomBy, ...shown } = useShown(cursor, Math.min(1, shownMs / size), pressed.current !== undefined)
  const transaction = chosenIn(own, place)
  const selected = transaction === undefined ? undefined : { layer, transaction }
  const travel = (ms: number, leftAtMs?: number): void => {
    const position = Math.round(history.positionAt(ms, leftAtMs))
    void store.travel(position >= last ? undefined : position)
  }
  const follow: PictureProps['follow'] = (share, leftAtMs) => travel(timeAt(share * size), leftAtMs)
  return (
    <>
      <Picture {...{ model, layer, selected, cursor, ...shown, pressed, follow }} />
      <div class="life">
        <Button class="small zoom" disabled={shown.share >= 1} onClick={() => zoomBy(2)}>
          Show more time
        </Button>
        <Button class="small zoom" disabled={shown.share * size <= CLOSEST_MS} onClick={() => zoomBy(0.5)}>
          Show less time
        </Button>
        {selected === undefined ? undefined : <Life {...{ model, selected, travel }} />}
      </div>
    </>
  )
}
