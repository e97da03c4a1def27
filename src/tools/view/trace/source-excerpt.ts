// Places of a failure in the sources, each with the lines around it.

import type { TracedPlace } from '../../../core/rpc/call-trace.ts'
import { element, type Markup } from '../html.ts'

function lineMarkup(text: string, number: number, marked: number): Markup {
  const isMarked = number === marked
  const content = [element('span', { class: 'number' }, `${number}`.padStart(4)), ` ${text}\n`]
  // A name for those who do not see the mark.
  return isMarked
    ? element('mark', { 'aria-label': `line ${number}` }, content)
    : element('span', {}, content)
}

function placeMarkup({ text, excerpt }: TracedPlace): Markup {
  const head = element('p', { class: 'place' }, 'at ', element('code', {}, text))
  if (excerpt === undefined) return element('div', { class: 'source' }, head)
  const { file, line, from, lines } = excerpt
  const attributes = { role: 'group', tabindex: 0, 'aria-label': `${file}, line ${line}` }
  const shown = lines.map((each, index) => lineMarkup(each, from + index, line))
  return element('div', { class: 'source' }, head, element('pre', attributes, shown))
}

export function sourceExcerpts(places: readonly TracedPlace[]): readonly Markup[] {
  return places.map(placeMarkup)
}
