// A web page as one file, which loads nothing.

import { element, type Markup } from './html.ts'
import { PAGE_STYLES, PRINT_STYLES, THEME } from './theme.ts'

interface PageParts {
  readonly title: string
  readonly body: Markup
  /** CSS after the theme's. */
  readonly styles?: string
  /** The text of an ES module. */
  readonly script?: string
}

/** JSON or JavaScript that no HTML parser takes for the end of its element. */
function inScript(text: string): string {
  return text.replace(/<(?=[/!]|script)/gi, '\\x3c')
}

/** The policy that keeps a page from loading anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

export function renderPage({ title, body, styles = '', script }: PageParts): string {
  const head = element(
    'head',
    element('meta', { charset: 'utf-8' }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', title),
    element('style', { markup: `${THEME}${PAGE_STYLES}${styles}${PRINT_STYLES}` }),
  )
  const scripts =
    script === undefined ? [] : [element('script', { type: 'module' }, { markup: inScript(script) })]
  const page = element('html', { lang: 'en' }, head, element('body', body, scripts))
  return `<!doctype html>\n${page.markup}\n`
}
