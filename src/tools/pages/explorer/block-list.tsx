// All sealed blocks as a list box, of which only the visible rows exist.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { failedIn } from './block-view.tsx'
import type { Overview } from './overview.ts'
import { useAnswer, useStore } from './parts.tsx'
import { readBlock } from './shapes.ts'
import { abbreviateHex, countText, groupDigits, timeText } from './text.ts'

const ROW_PX = 32
/** Rows above and below the visible ones. */
const SPARE_ROWS = 4
/** Browsers lay out no more than some 30 million pixels. */
const MOST_PX = 15_000_000
/** Rows that are scrolled past in a shorter time are not asked for. */
const PASSING_MS = 40

type BlockRowProps = Readonly<
  Record<'number' | 'top' | 'position' | 'size', number> & Record<'isActive' | 'isPassing', boolean>
>

function FailedCount({ number, count }: { number: number; count: number }) {
  const tag = `0x${number.toString(16)}`
  const answer = useAnswer(`failed in ${tag} ${count}`, (ask) => failedIn(ask, tag, count))
  const failed = answer.state === 'answered' ? answer.value.size : 0
  return failed === 0 ? null : (
    <span class="failed">
      ✗ {groupDigits(failed)}
      <span class="hidden"> failed</span>
    </span>
  )
}

function BlockRow({ number, top, isActive, isPassing, position, size }: BlockRowProps) {
  const params = [`0x${number.toString(16)}`, false]
  const answer = useAnswer(
    `row ${number}`,
    async (ask) => readBlock(await ask('eth_getBlockByNumber', params)),
    isPassing ? PASSING_MS : 0,
  )
  const block = answer.state === 'answered' ? answer.value : undefined
  return (
    <div
      id={`block-${number}`}
      role="option"
      class="row"
      tabIndex={-1}
      aria-selected={isActive}
      aria-setsize={size}
      aria-posinset={position}
      data-number={number}
      style={{ top: `${top}px` }}
    >
      <span class="number">{groupDigits(number)}</span>
      {block === undefined ? (
        <span class="muted">{answer.state === 'failed' ? answer.reason : '…'}</span>
      ) : (
        <>
          <span>{timeText(block.timeMs).slice(11)}</span>
          <span class={block.transactionCount === 0 ? 'muted' : ''}>
            {countText(block.transactionCount, 'tx')}
          </span>
          <FailedCount number={number} count={isPassing ? 0 : block.transactionCount} />
          <span class="muted gas">{groupDigits(block.gasUsed)} gas</span>
          <code class="muted">{abbreviateHex(block.hash ?? '')}</code>
        </>
      )}
    </div>
  )
}

/** Which rows a list shows; a list that is too high for the browser is scrolled in proportion. */
function shownRows(rows: number, scrollTop: number, viewPx: number) {
  const fullPx = rows * ROW_PX
  const heightPx = Math.min(fullPx, MOST_PX)
  const ratio = heightPx > viewPx ? Math.max(0, fullPx - viewPx) / (heightPx - viewPx) : 1
  const offsetPx = fullPx === heightPx ? scrollTop : scrollTop * ratio
  return { first: Math.floor(offsetPx / ROW_PX), shiftPx: scrollTop - offsetPx, heightPx }
}

/** The step that a key makes in a list whose page has so many rows. */
function stepOf(key: string, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  }
  return steps[key]
}

/** Keeps the rows in place that a reader has scrolled to, when blocks come on top. */
function useStablePlace(list: { readonly current: HTMLDivElement | null }, head: number): void {
  const shown = useRef(head)
  useLayoutEffect(() => {
    const added = head - shown.current
    shown.current = head
    if (list.current !== null && list.current.scrollTop > 0) list.current.scrollTop += added * ROW_PX
  }, [head])
}

export function BlockList({ overview }: { overview: Overview }) {
  const { open } = useStore()
  const { latest, earliest } = overview
  const list = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const [viewPx, setViewPx] = useState(360)
  const [active, setActive] = useState<number | undefined>(undefined)
  const size = latest.number - earliest + 1
  const { first, shiftPx, heightPx } = shownRows(size, scrollTop, viewPx)
  const from = Math.max(0, first - SPARE_ROWS)
  const to = Math.min(size, first + Math.ceil(viewPx / ROW_PX) + SPARE_ROWS)
  const current = Math.min(latest.number, Math.max(earliest, active ?? latest.number))
  const currentRow = latest.number - current
  useStablePlace(list, latest.number)
  useLayoutEffect(() => setViewPx(list.current?.clientHeight ?? 360), [heightPx])
  const moveTo = (row: number): void => {
    const box = list.current
    const target = Math.min(size - 1, Math.max(0, row))
    setActive(latest.number - target)
    if (box === null) return
    // In proportion where the list is too high for the browser.
    const scale = size * ROW_PX > MOST_PX ? (heightPx - viewPx) / (size * ROW_PX - viewPx) : 1
    const [top, bottom] = [target * ROW_PX, (target + 1) * ROW_PX]
    const offset = box.scrollTop / scale
    if (top < offset) box.scrollTop = top * scale
    else if (bottom > offset + viewPx) box.scrollTop = (bottom - viewPx) * scale
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = stepOf(event.key, Math.floor(viewPx / ROW_PX))
    if (event.key === 'Enter' || event.key === ' ') open({ kind: 'block', number: current })
    else if (step !== undefined) moveTo(currentRow + step)
    else return
    event.preventDefault()
  }
  const isShown = currentRow >= from && currentRow < to
  return (
    <div
      ref={list}
      class="blocks"
      role="listbox"
      aria-label="Sealed blocks"
      tabIndex={0}
      aria-activedescendant={isShown ? `block-${current}` : undefined}
      onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        const row = (target as Element).closest<HTMLElement>('[data-number]')
        if (row !== null) open({ kind: 'block', number: Number(row.dataset['number']) })
      }}
    >
      <div role="presentation" style={{ height: `${heightPx}px` }}>
        {Array.from({ length: to - from }, (_, index) => {
          const row = from + index
          const number = latest.number - row
          return (
            <BlockRow
              key={number}
              number={number}
              top={row * ROW_PX + shiftPx}
              isActive={number === current}
              isPassing={scrollTop > 0}
              position={row + 1}
              size={size}
            />
          )
        })}
      </div>
    </div>
  )
}
