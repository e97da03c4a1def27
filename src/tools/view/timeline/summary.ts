// A timeline in words: its summary, and rows of what happened, for those who do not see the picture.

import { countText } from '../numbers.ts'
import type { TimelineModel } from './build-model.ts'
import {
  type EventOf,
  type RecordedLayer,
  type RecordedNote,
  shortHash,
  type TimelineEvent,
  type TimelineRecord,
} from './record.ts'
import { durationText, failureOf, moments, rangeText, transactionText } from './words.ts'

function layerSummary({ name, events, start, end, transactions, omitted }: RecordedLayer): string {
  const orphaned = events.flatMap((event) => (event.type === 'orphaned' ? [event.to - event.from + 1] : []))
  const gone = orphaned.reduce((sum, count) => sum + count, 0)
  const reverts = events.filter(({ type }) => type === 'went').length
  const faults = events.filter(({ type }) => type === 'fault').length
  const parts = [
    `from block ${start.block} to block ${end.block} in ${durationText(end.atMs - start.atMs)}`,
    countText(transactions.length, 'transaction'),
    ...(gone > 0 ? [countText(gone, 'orphaned block')] : []),
    ...(reverts > 0 ? [countText(reverts, 'revert')] : []),
    ...(faults > 0 ? [countText(faults, 'fault')] : []),
    ...(end.preconfirmed > 0 ? [`${end.preconfirmed} pre-confirmed at the end`] : []),
    ...(end.waiting > 0 ? [`${end.waiting} in the pool at the end`] : []),
    ...(omitted > 0 ? [`${countText(omitted, 'earlier event')} left out`] : []),
  ]
  return `${name}: ${parts.join(', ')}.`
}

/** A sentence for each layer. */
export function summaryOf({ layers, crossings }: TimelineRecord): string[] {
  const crossed =
    crossings.length === 0 ? [] : [`${countText(crossings.length, 'message')} between the layers.`]
  return [...layers.map(layerSummary), ...crossed]
}

interface EventRow {
  readonly atMs: number
  readonly layer: number
  readonly what: string
  readonly words: string
  readonly transactions: readonly number[]
}

type RowParts = readonly [what: string, words: string, transactions?: readonly number[]]

function notesText({ transactions }: RecordedLayer, notes: readonly RecordedNote[] = []): string {
  const texts = notes.map((note) => shortHash(transactions[note.transaction]?.hash ?? '') + failureOf(note))
  return texts.join('; ')
}

const ROWS: {
  readonly [Type in TimelineEvent['type']]: (event: EventOf<Type>, layer: RecordedLayer) => RowParts
} = {
  accepted: ({ transaction }) => ['pool', '', [transaction]],
  replaced: ({ transaction, by }) => ['replaced', 'by the second', [transaction, by]],
  dropped: ({ transactions }) => ['dropped', moments.dropped(transactions.length), transactions],
  partial: (event, layer) => [`partial ${event.index}`, notesText(layer, event.notes), event.transactions],
  sealed({ block, hash, notes, transactions }, layer) {
    const words = [shortHash(hash), notesText(layer, notes)].filter(Boolean).join('; ')
    return [rangeText(block, block), words, transactions]
  },
  empty: ({ from, to }) => [rangeText(from, to), 'empty'],
  orphaned: ({ from, to }) => ['orphaned', rangeText(from, to)],
  unincluded: (event) => ['taken out', moments.unincluded(event.reason, event.isPooled), [event.transaction]],
  went: ({ block }) => ['went to', `block ${block}`],
  fault: ({ words }) => ['fault', words],
  shifted: ({ byMs }) => ['clock', `moved by ${durationText(byMs)}`],
  edited: ({ count }) => ['edit', count === 1 ? 'of an account' : `of accounts, ${count} times`],
  told: ({ kind, subscription, count }) => [
    'told',
    `${kind} ${subscription}: ${countText(count, 'message')}`,
  ],
}

/** Rows of events in a window of time, in order, up to a number of rows; `count` is how many there are. */
export function rowsIn({ record }: TimelineModel, fromMs: number, toMs: number, most: number) {
  const rows: EventRow[] = []
  let count = 0
  for (const [layerIndex, layer] of record.layers.entries()) {
    for (const event of layer.events) {
      if (event.atMs < fromMs || event.atMs > toMs) continue
      count++
      if (rows.length >= most * (layerIndex + 1)) continue
      const toRow = ROWS[event.type] as (event: TimelineEvent, layer: RecordedLayer) => RowParts
      const [what, words, transactions = []] = toRow(event, layer)
      rows.push({ atMs: event.atMs, layer: layerIndex, what, words, transactions })
    }
  }
  const sorted = record.layers.length === 1 ? rows : rows.sort((a, b) => a.atMs - b.atMs)
  return { rows: sorted.slice(0, most), count }
}

/** The life of a transaction: its moments, and its steps on other layers. */
export function lifeOf({ layers, record }: TimelineModel, layerIndex: number, transaction: number) {
  const { layer, lives } = layers[layerIndex] as TimelineModel['layers'][number]
  const crossings = record.crossings
    .filter(({ steps }) =>
      steps.some((step) => step.layer === layerIndex && step.transaction === transaction),
    )
    .flatMap(({ kind, steps }) =>
      steps.map((step) => {
        const other = record.layers[step.layer] as RecordedLayer
        const words = `${kind} ${step.name}: ${other.name}, ${transactionText(other, step.transaction)}`
        return { words, layer: step.layer, transaction: step.transaction }
      }),
    )
  const { hash = '', nonce = 0 } = layer.transactions[transaction] ?? {}
  const title = `${transactionText(layer, transaction)}, nonce ${nonce}`
  return { title, hash, moments: lives[transaction] ?? [], crossings }
}
