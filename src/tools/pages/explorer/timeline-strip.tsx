// The timeline above the blocks: the part of it around the time cursor, which a click or a drag takes along.

import { type ComponentChildren, h } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { escapeControls } from '../../../core/primitives/text-of.ts'
import type { Child } from '../../view/html.ts'
import { modelOf, type TimelineModel } from '../../view/timeline/build-model.ts'
import { drawTimeline } from '../../view/timeline/draw.ts'
import { scaleOf } from '../../view/timeline/scale.ts'
import { lifeOf } from '../../view/timeline/summary.ts'
import { momentText } from '../../view/timeline/words.ts'
import { placesOf } from '../timeline-panes.ts'
import type { ExplorerPast } from './history.ts'
import { Button, useStore } from './parts.tsx'
import type { LiveTimeline } from './source.ts'
import type { Place } from './store.ts'

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

/** Nodes of markup; a page may forbid that it is parsed. */
function nodesOf(child: Child): ComponentChildren {
  if (typeof child !== 'object') return child === undefined ? child : escapeControls(`${child}`)
  if (!('markup' in child)) return child.map(nodesOf)
  const { made } = child
  return made === undefined ? undefined : h(made.name, made.attributes, nodesOf(made.children))
}

/** The index of the transaction that is open, if the record has it. */
function chosenIn(model: TimelineModel, place: Place): number | undefined {
  const transactions = model.record.layers[0]?.transactions ?? []
  const index = place.kind === 'transaction' ? transactions.findIndex(({ hash }) => hash === place.hash) : -1
  return index < 0 ? undefined : index
}

/** Where a shape leads to: the block that has all its transactions, or else the first of them. */
function placeOf(
  { layers, record: { layers: own } }: TimelineModel,
  shape: EventTarget | null,
): Place | undefined {
  const chosen = placesOf(shape).map(({ transaction }) => transaction)
  const [first] = chosen
  if (first === undefined) return undefined
  const isWhole = ({ transactions }: { readonly transactions: readonly number[] }) =>
    chosen.length > 1 && `${transactions}` === `${chosen}`
  const block = layers[0]?.blocks.find(isWhole)
  if (block !== undefined) return { kind: 'block', number: block.to }
  const hash = own[0]?.transactions[first]?.hash
  return hash === undefined ? undefined : { kind: 'transaction', hash }
}

/** The moments of a transaction, which the cursor goes to. */
function Life({
  model,
  transaction,
  travel,
}: {
  readonly model: TimelineModel
  readonly transaction: number
  readonly travel: (ms: number) => void
}) {
  const startMs = model.record.layers[0]?.start.atMs ?? 0
  return (
    <ol class="life" aria-label="Life of the transaction">
      {lifeOf(model, 0, transaction).moments.map(({ atMs, words }) => (
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
  readonly transaction: number | undefined
  /** Shares of the line: the cursor, the beginning of what is shown, and its length. */
  readonly cursor: number
  readonly from: number
  readonly share: number
  readonly pressed: { current: Press | undefined }
  /** Takes the cursor to a share of the line. */
  readonly follow: (share: number) => void
}

/** The picture, in which a drag moves the cursor and a click opens what it hits. */
function Picture({ model, transaction, cursor, from, share, pressed, follow }: PictureProps) {
  const { open } = useStore()
  const frame = useRef<HTMLDivElement>(null)
  const width = Math.max(useWidth(frame), 200)
  const picture = useMemo(() => {
    const selected = transaction === undefined ? {} : { selected: { layer: 0, transaction } }
    const drawn = { width, window: [from, from + share], hasLinks: true, ...selected } as const
    return nodesOf(drawTimeline(model.record, drawn))
  }, [model, transaction, from, share, width])
  const move = ({ clientX }: PointerEvent): void => {
    if (frame.current === null || pressed.current === undefined) return
    const { left, width: all } = frame.current.getBoundingClientRect()
    follow(from + share * Math.min(Math.max((clientX - left) / all, 0), 1))
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
    const place = placeOf(model, begun.shape)
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
  const { size, at, timeAt } = scaleOf(model)
  const cursor = at(history.timeAt(past?.position ?? last)) / size
  const shownMs = SHOWN_BLOCKS * (model.record.layers[0]?.blockTimeMs ?? size)
  const { zoomBy, ...shown } = useShown(cursor, Math.min(1, shownMs / size), pressed.current !== undefined)
  const transaction = chosenIn(model, place)
  const travel = (ms: number): void => {
    const position = Math.round(history.positionAt(ms))
    void store.travel(position >= last ? undefined : position)
  }
  const follow = (share: number): void => travel(timeAt(share * size))
  return (
    <>
      <Picture {...{ model, transaction, cursor, ...shown, pressed, follow }} />
      <div class="life">
        <Button class="small zoom" disabled={shown.share >= 1} onClick={() => zoomBy(2)}>
          Show more time
        </Button>
        <Button class="small zoom" disabled={shown.share * size <= CLOSEST_MS} onClick={() => zoomBy(0.5)}>
          Show less time
        </Button>
        {transaction === undefined ? undefined : <Life {...{ model, transaction, travel }} />}
      </div>
    </>
  )
}
