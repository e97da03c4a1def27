// A timeline as a web page: a picture that is zoomed and searched, and the same in words.

import { gzipText } from '../../../core/primitives/gzip.ts'
import { bytesToBase64 } from '../../../core/primitives/hex.ts'
import script from '../../pages/timeline.ts?page'
import { element, type Markup } from '../html.ts'
import { renderPage } from '../page.ts'
import { drawTimeline } from './draw.ts'
import { readRecord } from './read-record.ts'
import type { TimelineRecord } from './record.ts'
import { TIMELINE_STYLES } from './styles.ts'
import { summaryOf } from './summary.ts'

const PAGE_STYLES = `${TIMELINE_STYLES}
main { max-width: 1600px; margin: 0 auto; padding: 16px; }
h1 { margin: 0 0 4px; font-size: 20px; }
h2 { margin: 16px 0 6px; font-size: 15px; }
.summary { margin: 0 0 12px; color: var(--muted); }
.problems { margin: 0 0 12px; padding: 8px 12px; border-left: 4px solid var(--failed); background: var(--surface); }
.toolbar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-bottom: 8px; }
.toolbar output { margin-left: 6px; color: var(--muted); }
button { font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--line);
  border-radius: 4px; padding: 3px 10px; cursor: pointer; }
input { font: inherit; width: 90px; padding: 3px 6px; color: var(--text); background: var(--background);
  border: 1px solid var(--line); border-radius: 4px; }
button:hover { border-color: var(--text); }
#picture { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; cursor: grab; touch-action: pan-y; }
#picture .timeline [data-transactions] { cursor: pointer; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 8px 0 0; padding: 0; list-style: none;
  font-size: 12px; color: var(--muted); }
.legend i { display: inline-block; width: 12px; height: 12px; margin-right: 5px; border-radius: 2px; vertical-align: -1px; }
.legend .line { height: 2px; border-radius: 0; vertical-align: 4px; }
.panes { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 24px; }
@media (max-width: 800px) { .panes { grid-template-columns: minmax(0, 1fr); } }
#details code { overflow-wrap: anywhere; }
#details ol { margin: 6px 0; padding: 0; list-style: none; }
#details li { display: grid; grid-template-columns: 92px 1fr; padding: 1px 0; }
#details .at, td.at { color: var(--muted); font-variant-numeric: tabular-nums; white-space: nowrap; }
.rows { max-height: 420px; overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: 2px 10px; border-bottom: 1px solid var(--line); }
th { position: sticky; top: 0; background: var(--surface); }
td { overflow-wrap: anywhere; }
.link { display: block; padding: 0; border: 0; background: none; text-align: left; text-decoration: underline;
  font-family: var(--mono); font-size: 12px; }
`

const LEGEND: readonly (readonly [color: string, words: string])[] = [
  ['sealed', 'sealed block with transactions'],
  ['partial', 'partial block: pre-confirmed'],
  ['pool', 'waiting in the pool'],
  ['failed', 'failed, dropped, replaced; a fault'],
  ['orphaned', 'taken off the chain'],
  ['event', 'event, message'],
]

const LINES: typeof LEGEND = [
  ['event', 'deposit'],
  ['pool', 'withdrawal'],
]

function legend({ crossings, layers }: TimelineRecord): Markup {
  const hasPartials = layers.some(({ events }) => events.some(({ type }) => type === 'partial'))
  const colors = LEGEND.filter(([color]) => hasPartials || color !== 'partial')
  const itemsOf = (colors: typeof LEGEND, swatch: string) =>
    colors.map(([color, words]) =>
      element('li', element('i', { class: swatch, style: `background: var(--${color})` }), words),
    )
  const items = [...itemsOf(colors, ''), ...itemsOf(crossings.length === 0 ? [] : LINES, 'line')]
  return element('ul', { class: 'legend', 'aria-label': 'Colours' }, items)
}

const BUTTONS: readonly (readonly [action: string, words: string])[] = [
  ['in', 'Zoom in'],
  ['out', 'Zoom out'],
  ['earlier', 'Earlier'],
  ['later', 'Later'],
  ['whole', 'Whole'],
]

const KEYS =
  'Left and right move, plus and minus zoom, 0 shows the whole, up and down follow one transaction after the other.'

function bodyOf(title: string, record: TimelineRecord, notices: Markup[]): Markup {
  const buttons = BUTTONS.map(([action, words]) =>
    element('button', { type: 'button', 'data-action': action }, words),
  )
  const picture = drawTimeline(record, { attributes: { 'aria-hidden': 'true' } })
  const label = `Picture of the timeline. ${KEYS}`
  const frame = { id: 'picture', tabindex: 0, role: 'group', 'aria-label': label }
  return element(
    'main',
    element('h1', title),
    element('p', { class: 'summary' }, summaryOf(record).join(' ')),
    notices,
    element(
      'div',
      { class: 'toolbar', role: 'group', 'aria-label': 'What is shown' },
      buttons,
      element(
        'form',
        { id: 'go' },
        element('label', { for: 'block' }, 'Block '),
        element('input', { id: 'block', name: 'block', type: 'number', min: 0, required: true }),
        ' ',
        element('button', 'Show'),
      ),
      element('output', { id: 'window' }),
    ),
    element('div', frame, { markup: picture }),
    legend(record),
    element(
      'div',
      { class: 'panes' },
      element(
        'section',
        { id: 'details', 'aria-live': 'polite', 'aria-label': 'Transaction' },
        element('h2', 'Transaction'),
        element('p', { class: 'summary' }, 'Point at a transaction, or click on it to keep it.'),
      ),
      element('section', { id: 'events', 'aria-label': 'Events' }, element('h2', 'Events in the picture')),
    ),
  )
}

/** Characters of JSON from which the data of a page is compressed, to a fifth. */
const LARGE = 1_000_000

function packed(record: TimelineRecord): unknown {
  const text = JSON.stringify(record)
  return text.length < LARGE ? record : { packed: bytesToBase64(gzipText(text.match(/.{1,65536}/gsu) ?? [])) }
}

/** An HTML file of a record: what can be read of it, and what is wrong with the rest. */
export function timelinePage(given: unknown, { title = 'Timeline' }: { readonly title?: string } = {}) {
  const { record, problems } = readRecord(given)
  const listed = problems.map((problem) => element('li', problem))
  const notice = (words: string): Markup =>
    element('div', { class: 'problems' }, element('p', words), element('ul', listed))
  const styles = PAGE_STYLES
  if (record === undefined) {
    const body = element('main', element('h1', title), notice('This timeline cannot be drawn:'))
    return renderPage({ title, body, styles })
  }
  const words = 'The record is damaged. What is left of it is shown; not this:'
  const body = bodyOf(title, record, problems.length === 0 ? [] : [notice(words)])
  return renderPage({ title, body, styles, data: packed(record), script })
}
