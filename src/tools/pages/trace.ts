// Traces in pages: folding and arrow keys in the trees of calls, and the flame graphs and debuggers, in which the same call
// is chosen.

import { h, render } from 'preact'
import type { TracedSteps } from '../solidity/calls/traced-steps.ts'
import type { FlameRow } from '../view/trace/flame-graph.ts'
import { Debugger } from './debugger/debugger.tsx'
import { Flame } from './debugger/flame.tsx'
import { readSteps } from './debugger/steps.ts'
import { readData } from './read-data.ts'

type Choose = (call: number) => void

/** Moves in a tree by an arrow key: right unfolds, left folds or goes out, up and down go to the next call shown. */
function moveInTree(tree: Element, key: string): boolean {
  const summary = document.activeElement as HTMLElement | null
  const details = summary?.parentElement
  if (!(details instanceof HTMLDetailsElement) || summary?.tagName !== 'SUMMARY') return false
  const shown = [...tree.querySelectorAll<HTMLElement>('summary')].filter((each) => each.checkVisibility())
  const beside = (by: number) => shown[shown.indexOf(summary) + by]
  const isFolding = key === 'ArrowRight' ? !details.open : key === 'ArrowLeft' && details.open
  if (isFolding) details.open = !details.open
  else if (key === 'ArrowDown' || key === 'ArrowRight') beside(1)?.focus()
  else if (key === 'ArrowUp') beside(-1)?.focus()
  else if (key === 'ArrowLeft') details.parentElement?.closest('details')?.querySelector('summary')?.focus()
  else return false
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

/** Unfolds the tree down to a call, and marks it. */
function markCall(section: Element, call: number): HTMLElement | undefined {
  section.querySelector('summary[aria-current]')?.removeAttribute('aria-current')
  const summary = document.querySelector<HTMLElement>(`#${section.id}-${call} > summary`)
  if (summary === null) return undefined
  summary.setAttribute('aria-current', 'true')
  const outer = summary.parentElement?.parentElement
  for (let each = outer?.closest('details'); each; each = each.parentElement?.closest('details'))
    each.open = true
  return summary
}

function treeLink(section: Element, call: number) {
  const onClick = (event: Event): void => {
    event.preventDefault()
    const summary = markCall(section, call)
    summary?.focus()
    summary?.scrollIntoView({ block: 'center' })
  }
  return h('a', { href: `#${section.id}-${call}`, onClick }, 'Show in the tree')
}

async function startTrace(section: Element): Promise<void> {
  const rows = await readData<FlameRow[]>(section, 'flame-data')
  const packed = await readData<TracedSteps>(section, 'steps-data')
  const [flame, box] = ['.flame-here', '.steps'].map((name) => section.querySelector(name))
  const steps = packed && readSteps(packed)
  flame?.replaceChildren()
  /** Shows a step, or else a call that has none. */
  const show = (at: number, call: number | undefined): void => {
    if (call !== undefined) markCall(section, call)
    const linkOf = (each: number) => treeLink(section, each)
    if (flame && rows) render(h(Flame, { rows, call, onChoose: choose, linkOf }), flame)
    const onGo = (step: number): void => show(step, steps?.callAt(step))
    if (box && steps) render(h(Debugger, { steps, at, onGo }), box)
    shown = at
  }
  let shown = steps?.start ?? 0
  const choose: Choose = (call) => show(steps?.firstOf(call) ?? shown, call)
  startTree(section, choose)
  show(shown, shown === 0 ? undefined : steps?.callAt(shown))
}

export async function startTraces(): Promise<void> {
  for (const section of document.querySelectorAll('.trace')) await startTrace(section)
}
