// A timeline as a web page: a picture that is zoomed and searched, and the same in words.

import script from '../../pages/page.ts?page'
import { element, type Markup } from '../html.ts'
import { pageData, renderPage } from '../page.ts'
import { drawTimeline } from './draw.ts'
import { type ReadRecord, readRecord } from './read-record.ts'
import type { TimelineRecord } from './record.ts'
import { TIMELINE_SECTION_STYLES } from './styles.ts'
import { summaryOf } from './summary.ts'

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
  ['+', 'Zoom in'],
  ['-', 'Zoom out'],
  ['earlier', 'Earlier'],
  ['later', 'Later'],
  ['0', 'Whole'],
]

const KEYS =
  'Left and right move, plus and minus zoom, as do Control and the wheel; 0 shows the whole, up and down follow one transaction after the other.'

interface SectionHead {
  readonly title: string
  /** The level of its heading; those inside are one lower. */
  readonly level: 1 | 3
  /** The hash of the transaction that is shown at first. */
  readonly chosen?: string | undefined
}

/** Explains a record that cannot be read, or not all of it. */
function problemsOf({ record, problems }: ReadRecord): Markup[] {
  if (problems.length === 0) return []
  const words =
    record === undefined
      ? 'This timeline cannot be drawn:'
      : 'The record is damaged. What is left of it is shown; not this:'
  const listed = problems.map((problem) => element('li', problem))
  return [element('div', { class: 'problems' }, element('p', words), element('ul', listed))]
}

/** A timeline as a part of a page, which the script of pages brings to life: what can be read, and what is wrong with the rest. */
export function timelineSection(read: ReadRecord, { title, level, chosen }: SectionHead): Markup {
  const { record } = read
  const heading = element(`h${level}`, title)
  if (record === undefined) return element('section', heading, problemsOf(read))
  const buttons = BUTTONS.map(([action, words]) =>
    element('button', { type: 'button', 'data-action': action }, words),
  )
  const picture = drawTimeline(record, { attributes: { 'aria-hidden': 'true' } })
  const frame = { tabindex: 0, role: 'group', 'aria-label': `Picture of the timeline. ${KEYS}` }
  const go = element(
    'form',
    { class: 'go' },
    element('label', 'Block ', element('input', { name: 'block', type: 'number', min: 0, required: true })),
    ' ',
    element('button', 'Show'),
  )
  const tools = { class: 'toolbar', role: 'group', 'aria-label': 'What is shown' }
  return element(
    'section',
    { class: 'timeline-section', 'aria-label': title, 'data-level': level + 1, 'data-chosen': chosen },
    heading,
    element('p', { class: 'summary' }, summaryOf(record).join(' ')),
    problemsOf(read),
    element('div', tools, buttons, go, element('output', { class: 'window' })),
    element('div', { class: 'picture', ...frame }, picture),
    legend(record),
    // The script fills them.
    element(
      'div',
      { class: 'panes' },
      element('section', { class: 'details', 'aria-live': 'polite', 'aria-label': 'Transaction' }),
      element('section', { class: 'events', 'aria-label': 'Events' }),
    ),
    pageData('timeline-data', record),
  )
}

/** An HTML file of a record: what can be read of it, and what is wrong with the rest. */
export function timelinePage(
  given: unknown,
  { title = 'Timeline' }: { readonly title?: string | undefined } = {},
) {
  const read = readRecord(given)
  const body = element('main', timelineSection(read, { title, level: 1 }))
  const parts = { title, body, styles: TIMELINE_SECTION_STYLES }
  return renderPage(read.record === undefined ? parts : { ...parts, script })
}
