// A recording as plain JSON.

import { type CustomErrors, readConsoleCall } from '../../../core/execution/result/console-log.ts'
import { blockBeingBuilt } from '../../../core/node/node-state.ts'
import type { Address, Hash } from '../../../core/primitives/hex.ts'
import type * as records from '../../view/timeline/record.ts'
import { type CrossingMark, crossingsOf } from './crossings.ts'
import type { Brief, BriefExecution, Entry, PlainEntry } from './entries.ts'
import { failureText, faultText } from './lines.ts'
import type { LayerRecording } from './recorder.ts'

class TransactionTable {
  readonly rows: records.RecordedTransaction[] = []
  readonly indexOf = new Map<Hash, number>()
  readonly marks: CrossingMark[] = []

  add({ hash, sender: from, to, nonce, sourceHash }: Brief): number {
    const known = this.indexOf.get(hash)
    if (known !== undefined) return known
    const index = this.rows.length
    this.indexOf.set(hash, index)
    const isDeposit = sourceHash !== undefined
    const target = to === undefined ? {} : { to }
    this.rows.push({ hash, from, ...target, nonce: Number(nonce), ...(isDeposit ? { isDeposit } : {}) })
    if (isDeposit) this.marks.push({ step: 'included', key: sourceHash, transactionHash: hash })
    return index
  }

  addAll(briefs: readonly Brief[]): number[] {
    return briefs.filter(({ isSystem }) => !isSystem).map((brief) => this.add(brief))
  }
}

function notesOf(executed: readonly BriefExecution[], table: TransactionTable, errors: CustomErrors) {
  return executed.flatMap(({ brief, failure, consoleCalls = [] }) => {
    const logs = consoleCalls.flatMap((call) => readConsoleCall(call).message.split('\n'))
    if (brief.isSystem || (failure === undefined && logs.length === 0)) return []
    const why = failure === undefined ? {} : { failure: failureText(failure, errors) }
    return [{ transaction: table.add(brief), ...why, ...(logs.length === 0 ? {} : { logs }) }]
  })
}

/** An event of the record, with the indices of its transactions. */
function plainEvent({ type, atMs, ...fields }: PlainEntry, table: TransactionTable): records.TimelineEvent {
  const shown = Object.entries(fields).map(([name, value]) => {
    if (name === 'transaction' || name === 'by') return [name, table.add(value as Brief)]
    return [name, Array.isArray(value) ? table.addAll(value) : value]
  })
  return { type, atMs, ...Object.fromEntries(shown) } as records.TimelineEvent
}

/** The event of an entry; `undefined` for one that only the system of a rollup has caused. */
function toEvent(
  { order: _order, ...entry }: Exclude<Entry, { type: 'empty' }>,
  table: TransactionTable,
  errors: CustomErrors,
): records.TimelineEvent | undefined {
  const { atMs } = entry
  switch (entry.type) {
    case 'partial': {
      const { block, index, executed } = entry
      const transactions = table.addAll(executed.map(({ brief }) => brief))
      if (transactions.length === 0) return undefined
      const notes = notesOf(executed, table, errors)
      return { type: 'partial', atMs, block, index, transactions, ...(notes.length === 0 ? {} : { notes }) }
    }
    case 'sealed': {
      const { timeMs, block, hash, isRestored } = entry
      table.marks.push(...entry.marks)
      const transactions = table.addAll(entry.transactions)
      const restored = isRestored ? { isRestored } : {}
      if (transactions.length === 0)
        return { type: 'empty', atMs, timeMs, from: block, to: block, ...restored }
      const notes = notesOf(entry.executed, table, errors)
      const noted = notes.length === 0 ? {} : { notes }
      return { type: 'sealed', atMs, timeMs, block, hash, transactions, ...noted, ...restored }
    }
    case 'accepted':
      // Most are, and each command of an explorer makes them again.
      return { type: 'accepted', atMs, transaction: table.add(entry.transaction) }
    case 'fault':
      return { type: 'fault', atMs, words: faultText(entry.asked, entry.effect) }
    default:
      return plainEvent(entry, table)
  }
}

type EmptyEvent = Extract<records.TimelineEvent, { type: 'empty' }>

/** The events of a run: one for each part with blocks at even distances. */
function emptyEvents(run: Extract<Entry, { type: 'empty' }>): EmptyEvent[] {
  const { atMs, timeMs, from, to, bends, isRestored } = run
  const ends = [...bends, { block: to, timeMs }]
  const starts = [from, ...bends.map(({ block }) => block + 1)]
  return ends.map((end, index) => ({
    type: 'empty',
    atMs,
    timeMs: end.timeMs,
    from: starts[index] as number,
    to: end.block,
    ...(isRestored ? { isRestored } : {}),
  }))
}

/** Events in which empty blocks at even distances are one. */
class EventList {
  readonly events: records.TimelineEvent[] = []
  /** The time of the last block, and of the one before the last run. */
  #lastTimeMs: number
  #startMs: number

  constructor(startMs: number) {
    this.#lastTimeMs = startMs
    this.#startMs = startMs
  }

  push(event: records.TimelineEvent): void {
    const last = this.events.at(-1)
    if (event.type === 'empty' && last?.type === 'empty' && this.#goesOn(last, event)) {
      this.events[this.events.length - 1] = { ...event, from: last.from }
    } else {
      if (event.type === 'empty') this.#startMs = this.#lastTimeMs
      this.events.push(event)
    }
    if (event.type === 'empty' || event.type === 'sealed') this.#lastTimeMs = event.timeMs
  }

  #goesOn(last: EmptyEvent, { from, to, timeMs, isRestored }: EmptyEvent): boolean {
    if (last.to !== from - 1 || last.isRestored !== isRestored) return false
    const before = (last.timeMs - this.#startMs) / (last.to - last.from + 1)
    return Math.abs((timeMs - last.timeMs) / (to - last.to) - before) < 1
  }
}

function namesIn(
  rows: readonly records.RecordedTransaction[],
  { known: { labels }, names: others }: LayerRecording,
) {
  const names: Record<string, string> = {}
  for (const address of rows.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))) {
    const name = labels.get(address as Address) ?? others.get(address)
    if (name !== undefined) names[address] = name
  }
  return names
}

function toLayer(recording: LayerRecording) {
  const { name, recorder, end, known } = recording
  const { start, happened, told } = recorder
  const table = new TransactionTable()
  const waiting = table.addAll(recorder.waitingAtStart)
  const list = new EventList(start.nowMs)
  const both = [...happened.all, ...told.all]
  // Without subscriptions they are in order.
  for (const entry of told.all.length === 0 ? both : both.sort((a, b) => a.order - b.order)) {
    if (entry.type === 'empty') {
      for (const event of emptyEvents(entry)) list.push(event)
      continue
    }
    const event = toEvent(entry, table, known.customErrors)
    if (event !== undefined) list.push(event)
  }
  const layer: records.RecordedLayer = {
    name,
    blockTimeMs: start.settings.blockTimeMs,
    partialBlockTimeMs: start.settings.partialBlockTimeMs,
    start: { atMs: start.nowMs, block: start.chain.head.header.number, waiting },
    end: {
      atMs: end.nowMs,
      block: end.chain.head.header.number,
      preconfirmed:
        blockBeingBuilt(end)?.executed.filter(({ transaction }) => !transaction.deposit).length ?? 0,
      waiting: end.pool.byHash.size,
    },
    omitted: happened.omitted + told.omitted,
    names: namesIn(table.rows, recording),
    transactions: table.rows,
    events: list.events,
  }
  return { layer, marks: table }
}

export function toRecord(recordings: readonly LayerRecording[]): records.TimelineRecord {
  const layers = recordings.map(toLayer)
  return {
    format: 'tickchain timeline 1',
    layers: layers.map(({ layer }) => layer),
    crossings: crossingsOf(layers.map(({ marks }) => marks)),
  }
}
