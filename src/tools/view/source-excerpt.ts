// Lines of a source, with the one that matters marked.

import type { TracedPlace } from '../../core/rpc/call-trace.ts'
import { element, type Markup } from './html.ts'

/** Some lines of a file, with the number of the marked one. */
export type SourceExcerpt = NonNullable<TracedPlace['excerpt']>

export const EXCERPT_STYLES = `
.source { margin: .4rem 0; }
.source .place { margin: 0; }
.source pre { margin: .2rem 0 0; padding: .4rem 0; background: var(--surface); border: 1px solid var(--line); border-radius: 4px; overflow-x: auto; }
.source pre > * { display: block; width: max-content; min-width: 100%; padding-right: 1rem; }
.source mark { color: inherit; background: color-mix(in srgb, var(--failed) 18%, var(--surface)); box-shadow: inset 3px 0 var(--failed); }
.source .number { color: var(--muted); user-select: none; }
.source mark .number { color: inherit; }
`

/** The lines; those in `linked` are buttons, for a script. */
export function sourceExcerpt(
  { file, line, from, lines }: SourceExcerpt,
  linked: ReadonlySet<number> = new Set(),
): Markup {
  const attributes = { role: 'group', tabindex: 0, 'aria-label': `${file}, line ${line}` }
  const shown = lines.map((each, index) => {
    const number = from + index
    const text = [element('span', { class: 'number' }, `${number}`.padStart(4)), ` ${each}`]
    const link = { type: 'button', class: 'link', 'data-line': number }
    const content = [linked.has(number) ? element('button', link, text) : text, '\n']
    // A name for those who do not see the mark.
    const named = { 'aria-label': `line ${number}` }
    return number === line ? element('mark', named, content) : element('span', content)
  })
  return element('pre', attributes, shown)
}
