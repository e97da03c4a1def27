// Traces in pages: folding and arrow keys in the trees of calls, zooming of the flame graphs, and the debugger, in which the
// same call is chosen.

import { h, render } from 'preact'
import type { TracedSteps } from '../solidity/calls/traced-steps.ts'

import { countText } from '../view/numbers.ts'
import { describeBar, drawFlameGraph, type FlameRow, ROWS_BEFORE_CALLS } from '../view/trace/flame-graph.ts'
import { Debugger } from './debugger/debugger.tsx'
import { readSteps } from './debugger/steps.ts'
import { readData } from './read-data.ts'

/** Chooses a call of a section. */
type Choose = (call: number) => void

/** Moves in a tree by an arrow key: right unfolds, left folds or goes out, up and down go to the next call shown. */
function moveInTree(tree: Element, key: string): boolean {
  const summary = document.activeElement
  const details = summary?.parentElement
  if (!(details instanceof HTMLDetailsElement) || summary?.tagName !== 'SUMMARY') return false
  const step = (by: number): void => {
    const shown = [...tree.querySelectorAll<HTMLElement>('summary')].filter(
      (each) => each.offsetParent !== null && each.getClientRects().length > 0,
    )
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

function startTree(section: Element, choose: Choose): void {
  const tree = section.querySelector('.tree')
  const folding = section.querySelector<HTMLElement>('.folding')
  if (tree === null || folding === null) return
  folding.hidden = false
  folding.addEventListener('click', ({ target }) => {
    const fold = target instanceof HTMLElement ? target.dataset['fold'] : undefined
    if (fold === undefined) return
    for (const details of tree.querySelectorAll('details')) details.open = fold === 'open'
  })
  tree.addEventListener('click', ({ target }) => {
    const id = target instanceof Element ? target.closest('summary')?.parentElement?.id : undefined
    if (id !== undefined) choose(Number(id.slice(section.id.length + 1)))
  })
  tree.addEventListener('keydown', (event) => {
    if (moveInTree(tree, (event as KeyboardEvent).key)) event.preventDefault()
  })
}

/** Unfolds the tree down to a call, and marks it, there and in the flame graph. */
function markCall(section: Element, call: number): HTMLElement | undefined {
  for (const marked of section.querySelectorAll('[aria-current]:is(summary, .bar)'))
    marked.removeAttribute('aria-current')
  const summary = document.querySelector<HTMLElement>(`#${section.id}-${call} > summary`)
  section.querySelector(`[data-row="${call + ROWS_BEFORE_CALLS}"]`)?.setAttribute('aria-current', 'true')
  if (summary === null) return undefined
  summary.setAttribute('aria-current', 'true')
  const outer = summary.parentElement?.parentElement
  for (let each = outer?.closest('details'); each; each = each.parentElement?.closest('details'))
    each.open = true
  return summary
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
async function startFlame(section: Element, choose: Choose): Promise<void> {
  const box = section.querySelector<HTMLElement>('.bars')
  const told = section.querySelector<HTMLElement>('.flame-told')
  const rows = await readData<FlameRow[]>(section, 'flame-data')
  if (box === null || told === null || rows === undefined) return
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
      const summary = markCall(section, row - ROWS_BEFORE_CALLS)
      summary?.focus()
      summary?.scrollIntoView({ block: 'center' })
    })
    told.append(link)
  }
  const zoom = (row: number): void => {
    focus = row
    const { bars, hidden } = drawFlameGraph(rows, row)
    box.innerHTML = bars
    if (row >= ROWS_BEFORE_CALLS) choose(row - ROWS_BEFORE_CALLS)
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

/** The debugger of a section, if it has steps; returns what goes to the first step of a call. */
async function startDebugger(section: Element): Promise<Choose> {
  const box = section.querySelector('.steps')
  const packed = await readData<TracedSteps>(section, 'steps-data')
  if (box === null || packed === undefined) return () => undefined
  const steps = readSteps(packed)
  const show = (at: number): void => render(h(Debugger, { steps, at, onGo: go }), box)
  const go = (at: number): void => {
    markCall(section, steps.callAt(at))
    show(at)
  }
  if (steps.start === 0) show(0)
  else go(steps.start)
  return (call) => {
    const first = steps.firstOf(call)
    if (first !== undefined) show(first)
  }
}

export async function startTraces(): Promise<void> {
  for (const section of document.querySelectorAll('.trace')) {
    let goTo: Choose = () => undefined
    const choose: Choose = (call) => {
      markCall(section, call)
      goTo(call)
    }
    startTree(section, choose)
    await startFlame(section, choose)
    goTo = await startDebugger(section)
  }
}
