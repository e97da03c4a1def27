// The flame graph of a trace beside its tree of calls. The bar that is chosen is drawn over the whole width, and each of
// the two selects in the other.

import { type ComponentChildren, h } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { nodesOf } from '../../view/html.ts'
import { countText } from '../../view/numbers.ts'
import * as flames from '../../view/trace/flame-graph.ts'

/** The bar that an arrow key leads to; bars are in the order of their calls. */
function barBeside(bars: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  const isBack = key === 'ArrowUp' || key === 'ArrowLeft'
  const here = bars[at]?.getBoundingClientRect() ?? new DOMRect()
  return (isBack ? bars.slice(0, at).reverse() : bars.slice(at + 1)).find((bar) => {
    const { top, left } = bar.getBoundingClientRect()
    if (key === 'ArrowUp') return top < here.top
    return key === 'ArrowDown' ? top > here.top && left >= here.left - 1 : top === here.top
  })
}

const barOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.bar') : null

interface FlameProps {
  readonly rows: readonly flames.FlameRow[]
  /** The call that is chosen. */
  readonly call: number | undefined
  readonly onChoose: (call: number) => void
  /** A link from a call that is told of to the tree. */
  readonly linkOf?: (call: number) => ComponentChildren
}

export function Flame({ rows, call, onChoose, linkOf }: FlameProps) {
  const [focus, setFocus] = useState(0)
  const [told, setTold] = useState<number>()
  const box = useRef<HTMLDivElement>(null)
  const chosen = call === undefined ? undefined : call + flames.ROWS_BEFORE_CALLS
  const { bars, hidden } = useMemo(() => {
    const drawn = flames.drawFlameGraph(rows, focus, chosen)
    return { ...drawn, bars: nodesOf<ComponentChildren>(drawn.bars, h) }
  }, [rows, focus, chosen])
  useLayoutEffect(() => {
    if (told !== undefined) box.current?.querySelector<HTMLElement>(`[data-row="${focus}"]`)?.focus()
  }, [focus])
  const zoom = (row: number): void => {
    // The bar that is zoomed to zooms out again.
    const next = row === focus ? 0 : row
    setFocus(next)
    setTold(next)
    if (next >= flames.ROWS_BEFORE_CALLS) onChoose(next - flames.ROWS_BEFORE_CALLS)
  }
  const tell = ({ target }: Event): void => {
    const row = barOf(target)?.dataset['row']
    if (row !== undefined) setTold(Number(row))
  }
  const press = (event: KeyboardEvent): void => {
    const bar = barOf(event.target)
    if (bar === null || box.current === null) return
    const bars = [...box.current.querySelectorAll<HTMLElement>('.bar')]
    if (event.key === 'Enter' || event.key === ' ') zoom(Number(bar.dataset['row']))
    else if (event.key === 'Escape') zoom(0)
    else if (!event.key.startsWith('Arrow')) return
    else barBeside(bars, bars.indexOf(bar), event.key)?.focus()
    event.preventDefault()
  }
  const click = ({ target }: Event): void => zoom(Number(barOf(target)?.dataset['row'] ?? focus))
  return (
    <figure class="flame">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its bars are buttons, which it listens for */}
      <div class="scrolling bars" ref={box} onClick={click} onFocusIn={tell} onKeyDown={press}>
        {bars}
      </div>
      <figcaption class="flame-told">
        {told === undefined
          ? 'Each bar is as wide as its gas. Choose one to zoom; Escape goes back.'
          : `${flames.describeBar(rows, told)}. `}
        {told === undefined || told < flames.ROWS_BEFORE_CALLS
          ? undefined
          : linkOf?.(told - flames.ROWS_BEFORE_CALLS)}
        {hidden === 0 ? undefined : ` ${countText(hidden, 'call')} too narrow to draw.`}
      </figcaption>
    </figure>
  )
}
