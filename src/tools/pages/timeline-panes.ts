// Beside the picture of a timeline: the life of a transaction, and the table of events.

import { type Cell, dataTable, element, type Markup } from '../view/html.ts'
import { countText } from '../view/numbers.ts'
import type { TimelineModel } from '../view/timeline/build-model.ts'
import type { TransactionPlace } from '../view/timeline/draw.ts'
import { lifeOf, rowsIn } from '../view/timeline/summary.ts'
import { momentText, transactionText } from '../view/timeline/words.ts'

const MOST_ROWS = 200
const MOST_LINKS = 20

export function placeKey({ layer, transaction }: TransactionPlace): string {
  return `${layer}:${transaction}`
}

/** The transactions that an element leads to. */
export function placesOf(target: EventTarget | null): TransactionPlace[] {
  const shape = target instanceof Element ? target.closest('[data-transactions]') : null
  const [layer, transactions] = (shape?.getAttribute('data-transactions') ?? '').split(':')
  if (transactions === undefined) return []
  return transactions
    .split(',')
    .map((transaction) => ({ layer: Number(layer), transaction: Number(transaction) }))
}

function link(place: TransactionPlace, words: string): Markup {
  return element('button', { type: 'button', class: 'link', 'data-transactions': placeKey(place) }, words)
}

function textOf({ record }: TimelineModel, { layer, transaction }: TransactionPlace): string {
  const of = record.layers[layer]
  return of === undefined ? '' : transactionText(of, transaction)
}

function since({ record }: TimelineModel, ms: number): string {
  return momentText(ms - (record.layers[0]?.start.atMs ?? 0))
}

export function noChoice(level: number): Markup[] {
  const words = 'Point at a transaction, or click on it to keep it.'
  return [element(`h${level}`, 'Transaction'), element('p', { class: 'summary' }, words)]
}

/** The life of a transaction; `level` is that of the heading. */
export function lifePane(model: TimelineModel, place: TransactionPlace, level: number): Markup[] {
  const { layers } = model.record
  const { title, hash, moments, crossings } = lifeOf(model, place.layer, place.transaction)
  const steps = moments.map(({ atMs, words }) =>
    element('li', element('span', { class: 'at' }, since(model, atMs)), element('span', words)),
  )
  const others = crossings.map((step) => link(step, step.words))
  const where = layers.length > 1 ? `${layers[place.layer]?.name}: ` : ''
  return [element(`h${level}`, `${where}${title}`), element('code', hash), element('ol', steps), ...others]
}

/** The transactions of a shape that has several. */
export function choicePane(model: TimelineModel, places: readonly TransactionPlace[], level: number) {
  const links = places.map((place) => link(place, textOf(model, place)))
  return [element(`h${level}`, countText(places.length, 'transaction')), ...links]
}

type EventRow = ReturnType<typeof rowsIn>['rows'][number]

function rowOf(model: TimelineModel, { atMs, layer, what, words, transactions }: EventRow): Cell[] {
  const { layers } = model.record
  const shown = transactions.slice(0, MOST_LINKS).map((transaction) => ({ layer, transaction }))
  const more = transactions.length - shown.length
  const links = shown.map((place) => link(place, textOf(model, place)))
  const layerCells = layers.length > 1 ? [`${layers[layer]?.name}`] : []
  const told = element('span', words, links, more > 0 ? [`and ${more} more`] : [])
  return [since(model, atMs), ...layerCells, what, told]
}

export function rowsPane(model: TimelineModel, [fromMs, toMs]: readonly [number, number], level: number) {
  const heading = element(`h${level}`, 'Events in the picture')
  const { rows, count } = rowsIn(model, fromMs, toMs, MOST_ROWS)
  if (count === 0) return [heading, element('p', 'Nothing happened in this time.')]
  const heads = ['Time', ...(model.record.layers.length > 1 ? ['Layer'] : []), 'Event', 'What']
  const table = dataTable(
    'Table of events',
    heads,
    rows.map((row) => rowOf(model, row)),
  )
  const left = count - rows.length
  const notice = left > 0 ? [element('p', `${countText(left, 'more event')}: zoom in to see them.`)] : []
  return [heading, table, ...notice]
}
