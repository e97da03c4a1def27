// The actions of a test beside its source: each selects the other, and moves the cursor of its chain's timeline.

import type { TimelineSection } from './timeline.ts'

export function startStory(timelines: ReadonlyMap<string | undefined, TimelineSection>): void {
  const story = document.querySelector('.story')
  if (story === null) return
  // A line that failed may be below the edge of its box.
  const mark = story.querySelector('mark')
  const source = mark?.closest('pre')
  if (mark && source) source.scrollTop = mark.offsetTop - source.offsetTop - source.clientHeight / 2
  const all = [...story.querySelectorAll<HTMLElement>('[data-line], [data-at]')]
  const actions = all.filter(({ dataset }) => dataset['at'] !== undefined)
  story.addEventListener('keydown', (event) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const [at, step] = [actions.indexOf(event.target as HTMLElement), steps[(event as KeyboardEvent).key]]
    const next = at < 0 || step === undefined ? undefined : actions[at + step]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
    next.click()
  })
  story.addEventListener('click', ({ target }) => {
    const hit = target instanceof Element ? target.closest<HTMLElement>('[data-line], [data-at]') : null
    if (hit === null) return
    const { at, line } = hit.dataset
    const chosen = at === undefined ? all.filter((each) => each.dataset['line'] === line) : [hit]
    const lines = all.filter(({ dataset }) => dataset['at'] === undefined && dataset['line'] === line)
    for (const each of all) each.removeAttribute('aria-current')
    for (const each of [...chosen, ...lines]) {
      each.setAttribute('aria-current', 'true')
      each.scrollIntoView({ block: 'nearest' })
    }
    const { chain, at: atMs, end, hash } = chosen[0]?.dataset ?? {}
    // A layer 2 is in the timeline of its layer 1.
    const timeline = timelines.get(chain) ?? [...timelines.values()][0]
    timeline?.showTimes(Number(atMs), Number(end))
    timeline?.showHash(hash)
  })
}
