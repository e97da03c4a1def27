// Data of a page for its script.

import { gzipText } from '../../core/primitives/gzip.ts'
import { bytesToBase64 } from '../../core/primitives/hex.ts'
import { element, jsonOf, type Markup } from './html.ts'

/** Characters of JSON from which data is compressed, to a fifth. */
const LARGE = 1_000_000

/** A value as an element that nobody sees, which scripts find by its class. */
export function pageData(name: string, value: object): Markup {
  const text = JSON.stringify(value)
  const isLarge = text.length >= LARGE
  const data = isLarge ? { packed: bytesToBase64(gzipText(text.match(/.{1,65536}/gsu) ?? [])) } : value
  return element('script', { type: 'application/json', class: name }, jsonOf(data))
}
