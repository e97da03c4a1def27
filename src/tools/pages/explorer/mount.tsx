// Mounting of an explorer in an element of a page.

import { render } from 'preact'
import { PRINT_STYLES, THEME } from '../../view/theme.ts'
import { CURSOR_STYLES, TIMELINE_STYLES } from '../../view/timeline/styles.ts'
import { DEBUGGER_STYLES } from '../../view/trace/debugger-styles.ts'
import { App } from './app.tsx'
import { addressedPlace, followAddress } from './places.ts'
import type { Explorer, Source } from './source.ts'
import { createStore } from './store.ts'

const STYLES = `
:host { display: block; }
.explorer { background: var(--background); color: var(--text); font: 14px/1.5 var(--sans); padding: 12px 16px; container-type: inline-size; text-align: start; }
h2, h3, p, dl, dd, ol, ul, figure { margin: 0; padding: 0; }
h2 { font-size: 18px; }
h3 { font-size: 15px; margin: 14px 0 6px; }
h3:focus { outline: none; }
h3:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
ol, ul { list-style: none; }
code { overflow-wrap: anywhere; }
.long { word-break: break-all; }
${['muted', 'sealed', 'partial', 'pool', 'failed', 'success', 'event'].map((color) => `.${color} { color: var(--${color}); }`).join('\n')}
.name { font-weight: 600; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
button, input { min-height: 32px; }
button:disabled, input:disabled { opacity: 0.55; cursor: not-allowed; }
button.link { background: none; border: 0; padding: 0; min-height: 24px; color: var(--sealed); text-align: start; border-radius: 3px; }
button.link:hover { text-decoration: underline; }
button.small { padding: 0 8px; min-height: 26px; font-size: 13px; }
button[aria-current] { border-color: var(--focus); color: var(--sealed); font-weight: 600; }
input[type="number"] { width: 11ch; }
input[type="range"] { padding: 0; width: 160px; vertical-align: middle; accent-color: var(--focus); }
input[type="search"] { width: 30ch; max-width: 100%; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 20px; }
.summary { display: flex; flex-wrap: wrap; gap: 2px 16px; flex: 1 1 300px; }
.summary time, .amount, .row { font-variant-numeric: tabular-nums; }
label { display: inline-flex; align-items: center; gap: 6px; }
.label { color: var(--muted); }
form { display: flex; gap: 6px; }
.controls { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 10px 0 4px; }
.group { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; border: 0; padding: 0; margin: 0; min-width: 0; }
.playhead .cursor { flex: 1 1 260px; }
.playhead .cursor input { flex: 1; min-width: 0; width: 100%; }
select { font: inherit; min-height: 32px; border: 1px solid var(--line); border-radius: 6px; background: var(--background); color: var(--text); }
.strip { position: relative; border: 1px solid var(--line); border-radius: 6px; margin: 8px 0 4px; overflow: hidden; cursor: ew-resize; touch-action: pan-y; }
.strip [data-transactions] { cursor: pointer; }
.life { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 14px; margin-bottom: 6px; }
.news { min-height: 21px; margin: 4px 0; }
.troubles p { border: 1px solid currentColor; border-radius: 6px; padding: 6px 10px; margin: 4px 0; overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: minmax(0, 440px) minmax(0, 1fr); gap: 24px; }
@container (max-width: 760px) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  form, form label, input[type="search"] { flex: 1; width: 100%; min-width: 0; }
  .row .gas { display: none; }
  .detail .chain, .detail .controls, .detail .summary, .detail .strip, .detail .zoom, .explorer > div:not(.detail) .narrow { display: none; }
}
table { width: 100%; }
tbody th { font-weight: 400; color: var(--muted); }
.list tbody th { color: var(--text); }
.list th, .list td { white-space: nowrap; }
.heads td { text-align: end; }
.both th { min-width: 12ch; }
.both td, .both thead th { text-align: end; overflow-wrap: anywhere; }
[aria-label="Difference"] .list td:not(:first-child) { white-space: normal; overflow-wrap: anywhere; min-width: 6ch; }
tr.changed { background: var(--surface); }
.scroll { overflow-x: auto; }
.open { border: 1px solid var(--line); border-inline-start: 3px solid var(--partial); border-radius: 6px; padding: 8px 12px; margin-top: 12px; }
.open h3 { margin-top: 0; }
.batch { margin-top: 6px; }
.batch li { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; padding: 2px 0 2px 10px; border-inline-start: 2px solid var(--line); }
.blocks { position: relative; max-height: 360px; overflow-y: auto; border: 1px solid var(--line); border-radius: 6px; }
.blocks > div { position: relative; }
.row { position: absolute; inset-inline: 0; height: 32px; display: flex; gap: 14px; align-items: center; padding: 0 10px; white-space: nowrap; overflow: hidden; cursor: pointer; border-bottom: 1px solid var(--line); }
.row:hover { background: var(--surface); }
.row .number { min-width: 6ch; font-weight: 600; color: var(--sealed); text-align: end; }
.row code { margin-inline-start: auto; }
.blocks:focus-visible .row[aria-selected="true"] { background: var(--surface); box-shadow: inset 3px 0 0 var(--focus); }
.panel nav, .neighbours { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.orphans { display: flex; flex-wrap: wrap; gap: 2px 14px; }
@container (min-width: 760.01px) { .narrow { display: none; } }
@container (min-width: 1000px) {
  .columns:has(.debugger) { grid-template-columns: minmax(0, 330px) minmax(0, 1fr); }
  .columns:has(.debugger) .row .gas { display: none; }
  .debugged:has(.debugger) { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 16px; }
}
.fields > div { display: grid; grid-template-columns: 110px minmax(0, 1fr); gap: 8px; padding: 3px 0; border-bottom: 1px solid var(--line); align-items: baseline; }
dt { color: var(--muted); }
details { margin: 2px 0; }
summary { cursor: pointer; padding: 2px 0; overflow-wrap: anywhere; }
.call > summary[aria-current] { background: color-mix(in srgb, var(--focus) 18%, var(--background)); }
.call-parts { border-inline-start: 2px solid var(--line); margin-inline-start: 5px; padding-inline-start: 12px; }
.entries li, .storage li, .logs li { margin: 3px 0; overflow-wrap: anywhere; }
.tag { border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; font-size: 12px; color: var(--muted); }
.tag.event { color: var(--event); }
.tag.failed { color: var(--failed); border-color: currentColor; }
.tag.orphaned { color: var(--orphaned); border-color: currentColor; }
`

const occupied = new WeakSet<Element>()

function describe(value: unknown): string {
  if (value === null || value === undefined) return `${value}; is the element in the page yet?`
  return typeof value === 'string' ? `the text "${value}"` : Object.prototype.toString.call(value)
}

/** Refuses what is no element, and one that has an explorer already. */
export function checkElement(element: unknown): Element {
  // Of any window.
  const { nodeType, append } = Object(element) as Element
  if (nodeType !== 1 || typeof append !== 'function')
    throw new TypeError(`mountExplorer: expected an element to mount in, got ${describe(element)}`)
  if (occupied.has(element as Element))
    throw new TypeError('mountExplorer: the element has an explorer already; call its unmount() first')
  return element as Element
}

/** Runs after the next paint; in a page that is hidden, and not painted, soon. Returns the function that prevents it. */
function afterPaint(page: Document, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const soon = (): void => {
    timer = setTimeout(run, 0)
  }
  if (page.hidden) soon()
  const frame = page.hidden ? 0 : requestAnimationFrame(soon)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

export type ColorScheme = 'light' | 'dark' | 'auto'

/** Mounts an explorer of a source in an element that `checkElement` has passed. */
export function mount(
  element: Element,
  source: Source,
  { colorScheme, urls }: { readonly colorScheme: ColorScheme; readonly urls: boolean },
): Explorer {
  const page = element.ownerDocument
  // An element of its own, since a shadow root cannot be taken away again.
  const host = page.createElement('div')
  host.style.colorScheme = colorScheme === 'auto' ? '' : colorScheme
  const root = host.attachShadow({ mode: 'open' })
  const Sheet = (page.defaultView ?? globalThis).CSSStyleSheet
  const sheet = new Sheet()
  sheet.replaceSync(THEME + STYLES + TIMELINE_STYLES + CURSOR_STYLES + DEBUGGER_STYLES + PRINT_STYLES)
  // A policy that forbids inline styles allows these.
  root.adoptedStyleSheets = [sheet]
  element.append(host)
  occupied.add(element)
  const window = urls ? page.defaultView : null
  const store = createStore(source, addressedPlace(window), window?.history)
  const leaveAddress = window === null ? undefined : followAddress(store, window)
  render(<App store={store} />, root)
  // A chain may be busy for long with the first answer: the page is there before.
  const stopBeginning = afterPaint(page, store.begin)
  let isMounted = true
  return {
    unmount() {
      if (!isMounted) return
      isMounted = false
      stopBeginning()
      leaveAddress?.()
      store.end()
      render(null, root)
      host.remove()
      occupied.delete(element)
    },
  }
}
