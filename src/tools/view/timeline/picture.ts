// A timeline as an SVG file.

import { element } from '../html.ts'
import { THEME } from '../theme.ts'
import { drawTimeline } from './draw.ts'
import { readRecord } from './read-record.ts'
import { TIMELINE_STYLES } from './styles.ts'
import { summaryOf } from './summary.ts'

const STYLES = `${THEME}${TIMELINE_STYLES}.timeline { background: var(--background); }`

/** An SVG file of a record: what can be read of it, or else what is wrong with it. */
export function timelinePicture(
  given: unknown,
  { title, width = 1000 }: { readonly title?: string | undefined; readonly width?: number } = {},
): string {
  const { record, problems } = readRecord(given)
  const words = [
    ...(record === undefined ? [] : summaryOf(record)),
    ...problems.map((each) => `Damaged: ${each}.`),
  ]
  const prelude = [
    element('title', { id: 'title' }, title ?? 'Timeline'),
    element('desc', { id: 'desc' }, words.join(' ')),
    element('style', { markup: STYLES }),
  ]
  const attributes = { role: 'img', 'aria-labelledby': 'title desc' }
  if (record !== undefined) return `${drawTimeline(record, { width, title, prelude, attributes }).markup}\n`
  const lines = ['This timeline cannot be drawn.', ...problems]
  const height = 24 * lines.length + 16
  const size = { xmlns: 'http://www.w3.org/2000/svg', class: 'timeline', width, height }
  const texts = lines.map((line, index) => element('text', { x: 12, y: 28 + 24 * index }, line))
  return `${element('svg', { ...size, viewBox: `0 0 ${width} ${height}`, ...attributes }, prelude, texts).markup}\n`
}
