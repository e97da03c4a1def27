// HTML and SVG as text: escaping, and elements from attributes and children.

import { escapeControls, escapeTexts } from '../../core/primitives/text-of.ts'

/** Markup that needs no more escaping. */
export interface Markup {
  readonly markup: string
  /** The parts of an element, for pages that render it without parsing. */
  readonly made?: { readonly name: string; readonly attributes: Attributes; readonly children: Child }
}

export type Child = Markup | string | number | undefined | readonly Child[]
type Attribute = string | number | boolean | undefined
type Attributes = Readonly<Record<string, Attribute>>

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}

function childText(child: Child): string {
  if (child === undefined) return ''
  if (typeof child === 'string' || typeof child === 'number') return escapeMarkup(`${child}`)
  return 'markup' in child ? child.markup : child.map(childText).join('')
}

type Make<Node> = (name: string, attributes: Attributes, children: Node) => unknown

/** The same as nodes, for pages that may forbid that markup is parsed; `make` makes those of elements. */
export function nodesOf<Node>(child: Child, make: Make<Node>): Node {
  const of = (each: Child): unknown => {
    if (typeof each !== 'object') return each === undefined ? each : escapeControls(`${each}`)
    if (!('markup' in each)) return each.map(of)
    return each.made && make(each.made.name, each.made.attributes, of(each.made.children) as Node)
  }
  return of(child) as Node
}

/** A value as JSON for an element `script`. */
export function jsonOf(value: unknown): Markup {
  return { markup: JSON.stringify(escapeTexts(value)).replace(/</g, '\\u003c') }
}

function attributeText([name, value]: readonly [string, Attribute]): string {
  if (value === undefined || value === false) return ''
  return value === true ? ` ${name}` : ` ${name}="${escapeMarkup(`${value}`)}"`
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])

function isAttributes(part: Attributes | Child): part is Attributes {
  return typeof part === 'object' && !Array.isArray(part) && !('markup' in part)
}

/**
 * An element of HTML or SVG: its name, its attributes if it has any, and its children. Text is escaped; `undefined` and
 * `false` leave an attribute out.
 */
export function element(
  name: string,
  ...parts: readonly [] | readonly [Attributes | Child, ...Child[]]
): Markup {
  const [first, ...rest] = parts
  const [attributes, children] = isAttributes(first) ? [first, rest] : [{}, [first, ...rest]]
  const open = `<${name}${Object.entries(attributes).map(attributeText).join('')}>`
  const markup = VOID_ELEMENTS.has(name) ? open : `${open}${childText(children)}</${name}>`
  return { markup, made: { name, attributes, children } }
}

/** Content of a cell; with a title, text in short of which that is the whole. */
export type Cell = Markup | string | { readonly text: string; readonly title: string }

/** Text that is aligned on the right, if a column has nothing else. */
const AMOUNT = /^(?:-?[\d,.]+…?(?: ETH| wei| %)?)?$/

/** A table with a heading for each column; where it is too wide it scrolls, also by the keyboard. */
export function dataTable(label: string, columns: readonly string[], rows: readonly (readonly Cell[])[]) {
  const told = (cell: Cell = '') =>
    typeof cell === 'object' && 'text' in cell ? cell : { text: cell, title: undefined }
  const kindOf = (index: number) => {
    const isAmount = rows.every((row) => AMOUNT.test(`${told(row[index]).text}`))
    return { class: isAmount && rows.length > 0 ? 'amount' : undefined }
  }
  const kinds = columns.map((_, index) => kindOf(index))
  const head = columns.map((column, index) => element('th', { scope: 'col', ...kinds[index] }, column))
  const lines = rows.map((row) =>
    element(
      'tr',
      row.map((cell, index) => element('td', { ...kinds[index], title: told(cell).title }, told(cell).text)),
    ),
  )
  const table = element('table', element('thead', element('tr', head)), element('tbody', lines))
  return element('div', { class: 'scrolling', role: 'group', tabindex: 0, 'aria-label': label }, table)
}
