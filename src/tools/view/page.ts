// A web page as one file, which loads nothing.

import { gzipText } from '../../core/primitives/gzip.ts'
import { bytesToBase64 } from '../../core/primitives/hex.ts'
import { element, jsonOf, type Markup } from './html.ts'
import { PAGE_STYLES, PRINT_STYLES, THEME } from './theme.ts'

interface PageParts {
  readonly title: string
  readonly body: Markup
  /** CSS after the theme's. */
  readonly styles?: string
  /** The text of an ES module. */
  readonly script?: string
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
  // JavaScript that no HTML parser takes for the end of its element.
  const module = script?.replace(/<(?=[/!]|script)/gi, '\\x3c')
  const scripts = module === undefined ? [] : [element('script', { type: 'module' }, { markup: module })]
  const page = element('html', { lang: 'en' }, head, element('body', body, scripts))
  return `<!doctype html>\n${page.markup}\n`
}

/** Characters of JSON from which data is compressed, to a fifth. */
const LARGE = 1_000_000

/** A value as an element that nobody sees, which scripts find by its class. */
export function pageData(name: string, value: object): Markup {
  const text = JSON.stringify(value)
  const isLarge = text.length >= LARGE
  const data = isLarge ? { packed: bytesToBase64(gzipText(text.match(/.{1,65536}/gsu) ?? [])) } : value
  return element('script', { type: 'application/json', class: name }, jsonOf(data))
}
