// A web page as one file, which loads nothing.

import { element, jsonOf, type Markup } from './html.ts'
import { THEME } from './theme.ts'

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
