// HTML and SVG as text: escaping, and elements from attributes and children.

import { escapeControls, escapeTexts } from '../../core/primitives/text-of.ts'

/** Markup that needs no more escaping. */
export interface Markup {
  readonly markup: string
}

type Child = Markup | string | number | undefined | readonly Child[]
type Attribute = string | number | boolean | undefined

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

/** A value as JSON for an element `script`. */
export function jsonOf(value: unknown): Markup {
  return { markup: JSON.stringify(escapeTexts(value)).replace(/</g, '\\u003c') }
}

function attributeText([name, value]: readonly [string, Attribute]): string {
  if (value === undefined || value === false) return ''
  return value === true ? ` ${name}` : ` ${name}="${escapeMarkup(`${value}`)}"`
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])

/** An element of HTML or SVG. Text is escaped; `undefined` and `false` leave an attribute out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): Markup {
  const open = `<${name}${Object.entries(attributes).map(attributeText).join('')}>`
  return { markup: VOID_ELEMENTS.has(name) ? open : `${open}${childText(children)}</${name}>` }
}
