// A web page as one file, which loads nothing.

import { element, jsonOf, type Markup } from './html.ts'

/** The styles that every page begins with. Text on its background has a contrast of at least 4.5. */
export const THEME = `
:root, :host {
  color-scheme: light dark;
  --background: light-dark(#ffffff, #14161a);
  --surface: light-dark(#f5f6f8, #1d2026);
  --line: light-dark(#d5d9e0, #363b45);
  --text: light-dark(#1b1f27, #e8eaee);
  --muted: light-dark(#596173, #a2aab9);
  --sealed: light-dark(#1f5fbf, #7fb2ff);
  --partial: light-dark(#0b7a6b, #4fd0bd);
  --pool: light-dark(#7a5a00, #e3bd55);
  --orphaned: light-dark(#6c5a78, #b9a3c7);
  --failed: light-dark(#b3261e, #ff8a80);
  --success: light-dark(#1a7335, #6fd08c);
  --event: light-dark(#8a3fa0, #d99aec);
  --focus: light-dark(#1f5fbf, #7fb2ff);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--text); font: 14px/1.5 var(--sans); }
code, pre { font-family: var(--mono); font-size: 0.93em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`

interface PageParts {
  readonly title: string
  readonly body: Markup
  /** CSS after the theme's. */
  readonly styles?: string
  /** A value that the script reads with `readPageData`; JSON. */
  readonly data?: unknown
  /** The text of an ES module. */
  readonly script?: string
}

/** The id of the element that holds a page's data. */
export const PAGE_DATA_ID = 'page-data'

/** JSON or JavaScript that no HTML parser takes for the end of its element. */
function inScript(text: string): string {
  return text.replace(/<(?=[/!]|script)/gi, '\\x3c')
}

/** The policy that keeps a page from loading anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

export function renderPage({ title, body, styles = '', data, script }: PageParts): string {
  const head = element(
    'head',
    element('meta', { charset: 'utf-8' }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', title),
    element('style', { markup: `${THEME}${styles}` }),
  )
  const ofData = { type: 'application/json', id: PAGE_DATA_ID }
  const scripts = [
    ...(data === undefined ? [] : [element('script', ofData, jsonOf(data))]),
    ...(script === undefined ? [] : [element('script', { type: 'module' }, { markup: inScript(script) })]),
  ]
  const page = element('html', { lang: 'en' }, head, element('body', body, scripts))
  return `<!doctype html>\n${page.markup}\n`
}
