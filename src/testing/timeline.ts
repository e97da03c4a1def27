// A timeline of a chain as text, for the output of a failed test. The recorder keeps node events and formats them on
// demand; it does not count as a listener, which would make the node expand runs of empty blocks.

import { decodeOptions, option } from '../emulator/checks.ts'
import type { Emulator } from '../emulator/emulator.ts'
import { internalsOf } from '../emulator/internals.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import type { NodeEvent } from '../node/events.ts'
import type { NodeState } from '../node/node-state.ts'
import { asFields } from '../rpc/codecs/basic.ts'
import { numberFrom } from '../rpc/codecs/numbers.ts'
import { type Entry, showCut, showEntry, showMoment, showNow, showSealed } from './timeline-format.ts'

/** Options of a timeline. */
export interface TimelineOptions {
  /**
   * The most lines; older ones are dropped. Default 40. Up to two come on top: a notice of omitted lines, and the
   * current time.
   */
  readonly most?: number
}

/** A recording of a chain. */
export interface Timeline {
  /** What happened since the recording began, oldest first; each line begins with the seconds since then. */
  readonly lines: readonly string[]
  /** Ends the recording; the lines stay as they are. */
  stop(): void
}

/** Collects the entries of a timeline. */
interface Recorder {
  readonly take: (event: NodeEvent) => void
  readonly entries: readonly Entry[]
  readonly droppedCount: () => number
}

/** Merges consecutive empty blocks, and consecutive edits, into one entry. */
function joined(last: Entry | undefined, next: Entry): Entry | undefined {
  if (last?.kind === 'edited' && next.kind === 'edited') return { ...next, count: last.count + next.count }
  const areEmpty = last?.kind === 'empty' && next.kind === 'empty' && last.to === next.from - 1
  return areEmpty ? { ...next, from: last.from } : undefined
}

function createRecorder(start: NodeState, most: number): Recorder {
  const entries: Entry[] = []
  let seen = start
  let { nowMs } = start
  let lastNumber = start.chain.head.header.number
  let hasHappened = false
  let dropped = 0
  const add = (entry: Entry): void => {
    const wider = joined(entries.at(-1), entry)
    if (wider !== undefined) entries.pop()
    entries.push(wider ?? entry)
    if (entries.length > most) dropped += entries.splice(0, entries.length - most).length
  }
  const addEmpty = (to: number, atMs: number): void => {
    if (to > lastNumber) add({ kind: 'empty', atMs, from: lastNumber + 1, to })
    lastNumber = to
  }
  const commit = (state: NodeState): void => {
    nowMs = state.nowMs
    // `openedAtMs` is the time at which the last block was sealed.
    addEmpty(state.chain.head.header.number, state.openedAtMs)
    const shiftedMs = state.shiftedMs - seen.shiftedMs
    if (!hasHappened && shiftedMs !== 0) add({ kind: 'shifted', atMs: nowMs, byMs: shiftedMs })
    const isSameBlock = seen.chain.head.header.number === lastNumber
    if (!hasHappened && isSameBlock && seen.chain.head !== state.chain.head)
      add({ kind: 'edited', atMs: nowMs, count: 1 })
    seen = state
    hasHappened = false
  }
  const addEvent = (event: NodeEvent): void => {
    hasHappened ||= event.type !== 'requestFaulted'
    if (event.type === 'partialBlock' || event.type === 'blockSealed') nowMs = event.state.nowMs
    if (event.type === 'partialBlock' && event.partial.executed.length === 0) return
    if (event.type === 'blockSealed') {
      const { number } = event.block.header
      const isEmpty = event.block.executed.length === 0
      addEmpty(isEmpty ? number : number - 1, nowMs)
      lastNumber = number
      if (isEmpty) return
    }
    add({ kind: 'event', atMs: nowMs, event })
    if (event.type === 'blocksOrphaned') for (const { header } of event.blocks) lastNumber = header.number - 1
    if (event.type === 'stateReplaced') {
      nowMs = event.to.nowMs
      lastNumber = event.to.chain.head.header.number
    }
  }
  const take = (event: NodeEvent): void => {
    if (event.type === 'committed') commit(event.state)
    // Skips runs of empty blocks: `commit` counts them, without reading the single blocks.
    else if (!['quietPassed', 'blockOpened', 'consoleLogged'].includes(event.type)) addEvent(event)
  }
  return { take, entries, droppedCount: () => dropped }
}

function linesOfEntries({ entries }: Recorder, originMs: number, errors: CustomErrors): string[] {
  return entries.flatMap((entry) =>
    showEntry(entry, errors).map((words) => showMoment(entry.atMs - originMs) + words),
  )
}

function linesOf(
  recorder: Recorder,
  [start, now]: readonly [NodeState, NodeState],
  most: number,
  errors: CustomErrors,
): string[] {
  const at = (ms: number): string => showMoment(ms - start.nowMs)
  const shown = linesOfEntries(recorder, start.nowMs, errors)
  const first =
    at(start.nowMs) + showSealed(`block ${start.chain.head.header.number}`, 'the recording begins')
  const all = [first, ...shown]
  const kept = all.slice(-most)
  const isCut = recorder.droppedCount() > 0 || kept.length < all.length
  return [...(isCut ? [showCut()] : []), ...kept, at(now.nowMs) + showNow(now)]
}

/** What happens on a chain until the lines are read, with the seconds since a moment. */
export function recordPart(chain: Emulator, originMs: number, most: number): () => string[] {
  const { session, watchers } = internalsOf('recordPart', chain)
  const recorder = createRecorder(session.node.state, most)
  watchers.add(recorder.take)
  return () => {
    watchers.delete(recorder.take)
    return linesOfEntries(recorder, originMs, session.known.customErrors)
  }
}

/**
 * Records what happens on a chain from now on, as lines of text: accepted transactions, partial blocks with failures
 * and console.log output, sealed blocks, reorganisations, reverts and faults, and in the end the current head, open
 * block and pool. Empty partial blocks are left out, and a run of empty blocks is one line. Recording costs next to
 * nothing until the lines are read.
 *
 * @param chain The emulator.
 * @param options How many lines are kept.
 * @throws TickchainError `invalidOption`; `invalidCall` for anything but an emulator
 * @example
 * const timeline = recordTimeline(chain)
 * await chain.advance(4000)
 * console.log(timeline.lines.join('\n'))
 */
export function recordTimeline(chain: Emulator, options: TimelineOptions = {}): Timeline {
  const { session, watchers } = internalsOf('recordTimeline', chain)
  const most = decodeOptions(() => option(asFields(options, '', ['most']), 'most', numberFrom(1), 40))
  const start = session.node.state
  const recorder = createRecorder(start, most)
  let end: NodeState | undefined
  watchers.add(recorder.take)
  return {
    get lines() {
      return linesOf(recorder, [start, end ?? session.node.state], most, session.known.customErrors)
    },
    stop() {
      end ??= session.node.state
      watchers.delete(recorder.take)
    },
  }
}
