// A pane with a list of rows of one height, of which only the visible ones exist.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

const ROW_PX = 20
/** Rows above and below the visible ones. */
const SPARE_ROWS = 6

interface PaneProps {
  /** Text above the rows; by default their name. */
  readonly head?: string
  readonly label: string
  /** A class of the pane. */
  readonly kind?: string
  readonly count: number
  /** The row that is brought into view. */
  readonly shown: number
  readonly children: (row: number) => ComponentChildren
}

export function Pane({ label, head = label, kind = '', count, shown, children }: PaneProps) {
  const box = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const height = box.current?.clientHeight ?? 320
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const at = shown * ROW_PX
    const isVisible = at >= current.scrollTop && at + ROW_PX <= current.scrollTop + current.clientHeight
    if (!isVisible) current.scrollTop = at - current.clientHeight / 3
    setTop(current.scrollTop)
  }, [shown, label])
  const from = Math.max(0, Math.floor(top / ROW_PX) - SPARE_ROWS)
  const to = Math.min(count, Math.ceil((top + height) / ROW_PX) + SPARE_ROWS)
  return (
    <div class={`pane ${kind}`}>
      <p class="pane-head">{head}</p>
      <section
        ref={box}
        class="rows-box"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus, keys cannot scroll it (WCAG 2.1.1)
        tabIndex={0}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        <div style={{ height: `${count * ROW_PX}px` }}>
          <div style={{ transform: `translateY(${from * ROW_PX}px)` }}>
            {Array.from({ length: Math.max(0, to - from) }, (_, index) => children(from + index))}
          </div>
        </div>
      </section>
    </div>
  )
}
