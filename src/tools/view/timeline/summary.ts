// A timeline in words: its summary, and rows of what happened, for those who do not see the picture.

import type { TimelineModel } from './model.ts'
import type { RecordedLayer, TimelineEvent, TimelineRecord } from './record.ts'
import { countOf, durationText, failureOf, moments, rangeText, shortHash, transactionText } from './words.ts'

function layerSummary({ name, events, start, end, transactions, omitted }: RecordedLayer): string {
  const orphaned = events.flatMap((event) => (event.type === 'orphaned' ? [event.to - event.from + 1] : []))
  const gone = orphaned.reduce((sum, count) => sum + count, 0)
  const reverts = events.filter(({ type }) => type === 'went').length
  const faults = events.filter(({ type }) => type === 'fault').length
  const parts = [
    `from block ${start.block} to block ${end.block} in ${durationText(end.atMs - start.atMs)}`,
    countOf(transactions.length, 'transaction'),
    ...(gone > 0 ? [countOf(gone, 'orphaned block')] : []),
    ...(reverts > 0 ? [countOf(reverts, 'revert')] : []),
    ...(faults > 0 ? [countOf(faults, 'fault')] : []),
    ...(end.preconfirmed > 0 ? [`${end.preconfirmed} pre-confirmed at the end`] : []),
    ...(end.waiting > 0 ? [`${end.waiting} in the pool at the end`] : []),
    ...(omitted > 0 ? [`${countOf(omitted, 'earlier event')} left out`] : []),
  ]
  return `${name}: ${parts.join(', ')}.`
}

/** A sentence for each layer. */
export function summaryOf({ layers, crossings }: TimelineRecord): string[] {
  const crossed =
    crossings.length === 0 ? [] : [`${countOf(crossings.length, 'message')} between the layers.`]
  return [...layers.map(layerSummary), ...crossed]
}

/** An event in words. */
export interface EventRow {
  readonly atMs: number
  readonly layer: number
  readonly what: string
  readonly words: string
  readonly transactions: readonly number[]
}

type RowParts = Pick<EventRow, 'what' | 'words' | 'transactions'>

function partsOf(layer: RecordedLayer, event: TimelineEvent): RowParts {
  const row = (what: string, words: string, transactions: readonly number[] = []): RowParts => ({
    what,
    words,
    transactions,
  })
  switch (event.type) {
    case 'accepted':
      return row('pool', '', [event.transaction])
    case 'replaced':
      return row('replaced', 'by the second', [event.transaction, event.by])
    case 'dropped':
      return row('dropped', moments.dropped(event.transactions.length), event.transactions)
    case 'partial': {
      const notes = (event.notes ?? []).map(
        (note) => shortHash(layer.transactions[note.transaction]?.hash ?? '') + failureOf(note),
      )
      return row(`partial ${event.index}`, notes.join('; '), event.transactions)
    }
    case 'sealed':
      return row(rangeText(event.block, event.block), shortHash(event.hash), event.transactions)
    case 'empty':
      return row(rangeText(event.from, event.to), 'empty')
    case 'orphaned':
      return row('orphaned', rangeText(event.from, event.to))
    case 'unincluded':
      return row('taken out', moments.unincluded(event.reason, event.isPooled), [event.transaction])
    case 'went':
      return row('went to', `block ${event.block}`)
    case 'fault':
      return row('fault', event.words)
    case 'shifted':
      return row('clock', `moved by ${durationText(event.byMs)}`)
    case 'edited':
      return row('edit', event.count === 1 ? 'of an account' : `of accounts, ${event.count} times`)
    case 'told':
      return row('told', `${event.kind} ${event.subscription}: ${countOf(event.count, 'message')}`)
  }
}

/** What happened in a window of time, in order, up to a number of rows; `count` is how many there are. */
export function rowsIn(
  { record }: TimelineModel,
  fromMs: number,
  toMs: number,
  most: number,
): { readonly rows: readonly EventRow[]; readonly count: number } {
  const rows: EventRow[] = []
  let count = 0
  for (const [layerIndex, layer] of record.layers.entries()) {
    for (const event of layer.events) {
      if (event.atMs < fromMs || event.atMs > toMs) continue
      count++
      if (rows.length < most * (layerIndex + 1))
        rows.push({ atMs: event.atMs, layer: layerIndex, ...partsOf(layer, event) })
    }
  }
  const sorted = record.layers.length === 1 ? rows : rows.sort((a, b) => a.atMs - b.atMs)
  return { rows: sorted.slice(0, most), count }
}

/** The life of a transaction: its moments, and its steps on other layers. */
export function lifeOf(
  { layers, record }: TimelineModel,
  layerIndex: number,
  transaction: number,
): {
  readonly title: string
  readonly hash: string
  readonly moments: readonly { readonly atMs: number; readonly words: string }[]
  readonly crossings: readonly {
    readonly words: string
    readonly layer: number
    readonly transaction: number
  }[]
} {
  const model = layers[layerIndex] as TimelineModel['layers'][number]
  const crossings = record.crossings
    .filter(({ steps }) =>
      steps.some((step) => step.layer === layerIndex && step.transaction === transaction),
    )
    .flatMap(({ kind, steps }) =>
      steps.map((step) => ({
        words: `${kind} ${step.name}: ${layers[step.layer]?.layer.name}, ${transactionText((layers[step.layer] as typeof model).layer, step.transaction)}`,
        layer: step.layer,
        transaction: step.transaction,
      })),
    )
  const { hash = '', nonce = 0 } = model.layer.transactions[transaction] ?? {}
  return {
    title: `${transactionText(model.layer, transaction)}, nonce ${nonce}`,
    hash,
    moments: model.lives[transaction] ?? [],
    crossings,
  }
}
