// Mounting of an explorer in an element of a page.

import { render } from 'preact'
import { THEME } from '../../view/theme.ts'
import { App } from './app.tsx'
import type { Source } from './source.ts'
import { createStore } from './store.ts'
import { STYLES } from './styles.ts'

/** An explorer in a page. */
export interface MountedExplorer {
  /** Takes it out of the page; it asks nothing any more. */
  unmount(): void
}

const occupied = new WeakSet<Element>()

/** An element of any window. */
function isElement(value: unknown): value is Element {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Node).nodeType === 1 &&
    typeof (value as Element).append === 'function'
  )
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return `${value}; is the element in the page yet?`
  return typeof value === 'string' ? `the text "${value}"` : Object.prototype.toString.call(value)
}

/** Refuses what is no element, and one that has an explorer already. */
export function checkElement(element: unknown): Element {
  if (!isElement(element))
    throw new TypeError(`mountExplorer: expected an element to mount in, got ${describe(element)}`)
  if (occupied.has(element))
    throw new TypeError('mountExplorer: the element has an explorer already; call its unmount() first')
  return element
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
export function mount(element: Element, source: Source, colorScheme: ColorScheme): MountedExplorer {
  const page = element.ownerDocument
  // An element of its own, since a shadow root cannot be taken away again.
  const host = page.createElement('div')
  host.style.colorScheme = colorScheme === 'auto' ? '' : colorScheme
  const root = host.attachShadow({ mode: 'open' })
  const Sheet = (page.defaultView ?? globalThis).CSSStyleSheet
  const sheet = new Sheet()
  sheet.replaceSync(THEME + STYLES)
  // A policy that forbids inline styles allows these.
  root.adoptedStyleSheets = [sheet]
  element.append(host)
  occupied.add(element)
  const store = createStore(source)
  render(<App store={store} />, root)
  // A chain may be busy for long with the first answer: the page is there before.
  const stopBeginning = afterPaint(page, store.begin)
  let isMounted = true
  return {
    unmount() {
      if (!isMounted) return
      isMounted = false
      stopBeginning()
      store.end()
      render(null, root)
      host.remove()
      occupied.delete(element)
    },
  }
}
