// Traces in pages: folding and arrow keys in the trees of calls, and zooming of the flame graphs.

import { countText } from '../view/numbers.ts'
import { describeBar, drawFlameGraph, type FlameRow, ROWS_BEFORE_CALLS } from '../view/trace/flame-graph.ts'

function isVisible(summary: HTMLElement): boolean {
  return summary.offsetParent !== null && summary.getClientRects().length > 0
}

function summariesIn(tree: Element): HTMLElement[] {
  return [...tree.querySelectorAll<HTMLElement>('summary')].filter(isVisible)
}

/** Moves in a tree by an arrow key: right unfolds, left folds or goes out, up and down go to the next call shown. */
function moveInTree(tree: Element, key: string): boolean {
  const summary = document.activeElement
  const details = summary?.parentElement
  if (!(details instanceof HTMLDetailsElement) || summary?.tagName !== 'SUMMARY') return false
  const step = (by: number): void => {
    const shown = summariesIn(tree)
    shown[shown.indexOf(summary as HTMLElement) + by]?.focus()
  }
  if (key === 'ArrowDown') step(1)
  else if (key === 'ArrowUp') step(-1)
  else if (key === 'ArrowRight') {
    if (details.open) step(1)
    else details.open = true
  } else if (key === 'ArrowLeft') {
    if (details.open) details.open = false
    else details.parentElement?.closest('details')?.querySelector('summary')?.focus()
  } else return false
  return true
}

function startTree(section: Element): void {
  const tree = section.querySelector('.tree')
  const folding = section.querySelector<HTMLElement>('.folding')
  if (tree === null || folding === null) return
  folding.hidden = false
  folding.addEventListener('click', ({ target }) => {
    const fold = target instanceof HTMLElement ? target.dataset['fold'] : undefined
    if (fold === undefined) return
    for (const details of tree.querySelectorAll('details')) details.open = fold === 'open'
  })
  tree.addEventListener('keydown', (event) => {
    if (moveInTree(tree, (event as KeyboardEvent).key)) event.preventDefault()
  })
}

/** Unfolds the tree down to a call, and goes there. */
function showCall(section: Element, call: number): void {
  const details = document.getElementById(`${section.id}-${call}`)
  for (let each = details?.closest('details'); each; each = each.parentElement?.closest('details'))
    each.open = true
  details?.querySelector('summary')?.focus()
  details?.scrollIntoView({ block: 'center' })
}

/** The bar that an arrow key leads to; bars are in the order of their calls. */
function barBeside(bars: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  const left = (bar: HTMLElement | undefined): number => bar?.getBoundingClientRect().left ?? 0
  const top = (bar: HTMLElement | undefined): number => bar?.getBoundingClientRect().top ?? 0
  const here = bars[at]
  const before = bars.slice(0, at).reverse()
  const after = bars.slice(at + 1)
  switch (key) {
    case 'ArrowUp':
      return before.find((bar) => top(bar) < top(here))
    case 'ArrowDown':
      return after.find((bar) => top(bar) > top(here) && left(bar) >= left(here) - 1)
    case 'ArrowLeft':
      return before.find((bar) => top(bar) === top(here))
    case 'ArrowRight':
      return after.find((bar) => top(bar) === top(here))
    default:
      return undefined
  }
}

/** The flame graph of a section: redrawn with the bar that is chosen over the whole width. */
function startFlame(section: Element): void {
  const box = section.querySelector<HTMLElement>('.bars')
  const told = section.querySelector<HTMLElement>('.flame-told')
  const text = section.querySelector('.flame-data')?.textContent
  if (box === null || told === null || !text) return
  const rows = JSON.parse(text) as FlameRow[]
  told.append(' Choose one to zoom; Escape goes back.')
  let focus = 0
  const tell = (row: number): void => {
    told.textContent = `${describeBar(rows, row)}. `
    if (row < ROWS_BEFORE_CALLS) return
    const link = document.createElement('a')
    link.href = `#${section.id}-${row - ROWS_BEFORE_CALLS}`
    link.textContent = 'Show in the tree'
    link.addEventListener('click', (event) => {
      event.preventDefault()
      showCall(section, row - ROWS_BEFORE_CALLS)
    })
    told.append(link)
  }
  const zoom = (row: number): void => {
    focus = row
    const { bars, hidden } = drawFlameGraph(rows, row)
    box.innerHTML = bars
    tell(row)
    if (hidden > 0) told.append(` ${countText(hidden, 'call')} too narrow to draw.`)
    box.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus()
  }
  const barOf = (target: EventTarget | null): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('.bar') : null
  box.addEventListener('click', ({ target }) => {
    const row = Number(barOf(target)?.dataset['row'] ?? focus)
    // The bar over the whole width goes back out.
    zoom(row === focus ? 0 : row)
  })
  box.addEventListener('focusin', ({ target }) => {
    const row = barOf(target)?.dataset['row']
    if (row !== undefined) tell(Number(row))
  })
  box.addEventListener('keydown', (event) => {
    const bar = barOf(event.target)
    if (bar === null) return
    const row = Number(bar.dataset['row'])
    const bars = [...box.querySelectorAll<HTMLElement>('.bar')]
    if (event.key === 'Enter' || event.key === ' ') zoom(row === focus ? 0 : row)
    else if (event.key === 'Escape') zoom(0)
    else if (!event.key.startsWith('Arrow')) return
    else barBeside(bars, bars.indexOf(bar), event.key)?.focus()
    event.preventDefault()
  })
}

export function startTraces(): void {
  for (const section of document.querySelectorAll('.trace')) {
    startTree(section)
    startFlame(section)
  }
}
