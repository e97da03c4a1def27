// A timeline as lines of text: sealed blocks as a trunk, and the events before each as branches.

import { hasSlots } from '../../../core/chain/block/block.ts'
import { type CustomErrors, readConsoleCall } from '../../../core/execution/result/console-log.ts'
import { revertReason } from '../../../core/execution/result/revert-reason.ts'
import type { FaultableRequest, FaultEffect } from '../../../core/node/control/controls.ts'
import { blockBeingBuilt, type NodeState } from '../../../core/node/node-state.ts'
import { readArgument } from '../../../core/primitives/errors.ts'
import type { TerminalFormat } from '../../../core/primitives/terminal.ts'
import * as terminal from '../../../core/primitives/terminal.ts'
import { escapeControls, pluralize } from '../../../core/primitives/text-of.ts'
import { REASONS, secondsText, shortHash } from '../../view/timeline/record.ts'
import type { Brief, BriefExecution, Entry } from './entries.ts'
import type { LayerRecording } from './recorder.ts'

const MOMENT_WIDTH = 10
const LABEL_WIDTH = 10

function showMoment(ms: number): string {
  return `${`${ms < 0 ? '-' : '+'}${secondsText(Math.abs(ms))}`.padStart(MOMENT_WIDTH)}  `
}

function lineWith(sign: string, label: string, words: string): string {
  return `${sign} ${label.padEnd(LABEL_WIDTH)}  ${words}`
}

const showSealed = (label: string, words: string): string => lineWith('●', label, words)
const branch = (label: string, words: string): string => lineWith('├', label, words)

function rangeOf(from: number, to: number): string {
  return from === to ? `block ${from}` : `blocks ${from}-${to}`
}

function route({ sender, to }: Brief): string {
  return `${shortHash(sender)} → ${to === undefined ? 'new contract' : shortHash(to)}`
}

export function failureText(
  { words, returnData }: NonNullable<BriefExecution['failure']>,
  errors: CustomErrors,
): string {
  const reason = words === 'execution reverted' ? revertReason(returnData, errors) : undefined
  return reason === undefined ? words : `${words}: ${reason}`
}

/** An executed transaction, with its failure and its console.log lines. */
function showExecuted({ brief, failure, consoleCalls = [] }: BriefExecution, errors: CustomErrors): string[] {
  const logs = consoleCalls.flatMap((call) => readConsoleCall(call).message.split('\n'))
  const outcome = failure === undefined ? '' : `  failed: ${failureText(failure, errors)}`
  return [
    `${shortHash(brief.hash)}  ${route(brief)}${outcome}`,
    ...logs.map((line) => `  console.log: ${line}`),
  ]
}

function showExecutions(label: string, executed: readonly BriefExecution[], errors: CustomErrors): string[] {
  const [first, ...rest] = executed.flatMap((each) => showExecuted(each, errors))
  return first === undefined ? [] : [branch(label, first), ...rest.map((each) => lineWith('│', '', each))]
}

export function faultText(
  { method }: FaultableRequest,
  { answer, delayMs, lost, blocksBehind }: FaultEffect,
): string {
  const effects = [
    answer?.kind === 'http' ? `HTTP ${answer.status}` : undefined,
    answer?.kind === 'error' ? `error ${answer.code}: ${answer.message}` : undefined,
    delayMs === undefined ? undefined : `late by ${delayMs} ms`,
    lost === undefined ? undefined : `the ${lost} is lost`,
    blocksBehind === undefined ? undefined : `${pluralize(blocksBehind, 'block')} behind`,
  ]
  return `${method}: ${effects.filter((effect) => effect !== undefined).join(', ')}`
}

/** The lines of each kind of entry; none of those that only pictures have. */
const LINES: {
  readonly [Type in Entry['type']]: (entry: Extract<Entry, { type: Type }>, errors: CustomErrors) => string[]
} = {
  accepted({ transaction }) {
    const { hash, nonce } = transaction
    return [branch('pool', `${shortHash(hash)}  ${route(transaction)}, nonce ${nonce}`)]
  },
  replaced: ({ transaction, by }) => [
    branch('replaced', `${shortHash(transaction.hash)} by ${shortHash(by.hash)}`),
  ],
  partial: ({ index, executed }, errors) => showExecutions(`partial ${index}`, executed, errors),
  sealed({ block, hash, transactions, executed, isRestored }, errors) {
    const words = `${shortHash(hash)}, ${pluralize(transactions.length, 'transaction')}`
    const own = executed.filter(({ brief }) => !brief.isSystem)
    const sealed = showSealed(rangeOf(block, block), words)
    return isRestored ? [] : [...showExecutions('included', own, errors), sealed]
  },
  empty: ({ from, to, isRestored }) => (isRestored ? [] : [showSealed(rangeOf(from, to), 'empty')]),
  orphaned: ({ from, to }) => [branch('orphaned', rangeOf(from, to))],
  unincluded({ transaction, reason, isPooled }) {
    const fate = isPooled ? ', and it waits in the pool again' : ''
    return [branch('taken out', `${shortHash(transaction.hash)}: ${REASONS[reason]}${fate}`)]
  },
  went: ({ block }) => [branch('went to', `block ${block}`)],
  fault: ({ asked, effect }) => [branch('fault', faultText(asked, effect))],
  shifted: ({ byMs }) => [branch('clock', `moved by ${byMs / 1000} s`)],
  edited: ({ count }) => [branch('edit', count === 1 ? 'of an account' : `of accounts, ${count} times`)],
  dropped: () => [],
  told: () => [],
}

function showEntry(entry: Entry, errors: CustomErrors): string[] {
  const toLines = LINES[entry.type] as (entry: Entry, errors: CustomErrors) => string[]
  return toLines(entry, errors).map(escapeControls)
}

function showNow(state: NodeState): string {
  const { chain, pool } = state
  const preconfirmed = hasSlots(chain.head) ? 0 : (blockBeingBuilt(state)?.executed.length ?? 0)
  const waiting = pool.byHash.size
  const open =
    preconfirmed === 0 ? '' : `, ${preconfirmed} pre-confirmed in block ${chain.head.header.number + 1}`
  const words = `head is block ${chain.head.header.number}${open}, ${waiting} in the pool`
  return lineWith('◌', 'now', words)
}

/** A line, and where it stands among those of all layers. */
interface Line {
  readonly order: number
  readonly text: string
}

/** The last lines of a layer, from the first entry on that is needed for `most` of them. */
function lastLines({ recorder, known }: LayerRecording, most: number, label: string): readonly Line[] {
  const { start, happened } = recorder
  const at = (ms: number): string => label + showMoment(ms - start.nowMs)
  const entries: Line[][] = []
  let count = 0
  const { all } = happened
  for (let index = all.length - 1; index >= 0 && count <= most; index--) {
    const { atMs, order } = all[index] as Entry
    const lines = showEntry(all[index] as Entry, known.customErrors)
    entries.unshift(lines.map((words) => ({ order, text: at(atMs) + words })))
    count += lines.length
  }
  const begun = showSealed(`block ${start.chain.head.header.number}`, 'the recording begins')
  const isWhole = count <= most && happened.omitted === 0
  return [...(isWhole ? [{ order: -1, text: at(start.nowMs) + begun }] : []), ...entries.flat()]
}

/** The lines of what happened on a layer, with the seconds since a moment. */
export function partLines({ recorder, known }: LayerRecording, originMs: number): string[] {
  return recorder.happened.all.flatMap((entry) => {
    const lines = showEntry(entry, known.customErrors)
    return lines.map((words) => showMoment(entry.atMs - originMs) + words)
  })
}

/** The lines of a timeline, up to `most`, with a notice of those that are left out, and the present of each layer. */
export function linesOf(recordings: readonly LayerRecording[], most: number): string[] {
  const width = Math.max(...recordings.map(({ name }) => name.length))
  const labelled = recordings.map((recording) => ({
    recording,
    label: recordings.length === 1 ? '' : `${recording.name.padEnd(width)} `,
  }))
  const lines = labelled
    .flatMap(({ recording, label }) => lastLines(recording, most, label))
    .sort((a, b) => a.order - b.order)
  const kept = lines.slice(-most).map(({ text }) => text)
  const isCut = recordings.some(({ recorder }) => recorder.happened.omitted > 0) || kept.length < lines.length
  const now = labelled.map(
    ({ recording: { recorder, end }, label }) =>
      `${label}${showMoment(end.nowMs - recorder.start.nowMs)}${showNow(end)}`,
  )
  return [...(isCut ? [`${' '.repeat(MOMENT_WIDTH)}  ⋮ earlier lines are left out`] : []), ...kept, ...now]
}

/** Colours of lines, by what they begin with after the time. */
const COLORS: readonly (readonly [pattern: RegExp, paint: terminal.Paint])[] = [
  [/● (?:block|blocks) /, terminal.painter(32)],
  [/├ (?:partial|included) /, terminal.painter(33)],
  [/├ (?:orphaned|taken out|replaced|went to|fault) /, terminal.painter(31)],
  [/├ pool /, terminal.painter(36)],
]

const FAILED = terminal.painter(31)
const DIM = terminal.painter(2)

/** Time and event of a line: `   +0.2 s  ├ partial 1   `, after the layer if there are several. */
const PARTS = /^(.*?[+-][\d.]+ s {2})([●├◌│] (?:.{10}|blocks [\d-]+) {2})(.*)$/s

function paintLine(line: string): string {
  const [, moment, event, words] = PARTS.exec(line) ?? []
  if (moment === undefined || event === undefined || words === undefined) return DIM(line)
  const [, paint = terminal.plain] = COLORS.find(([pattern]) => pattern.test(event)) ?? []
  const failed = words.replace(/ {2}failed: .*$/, FAILED)
  return DIM(moment) + paint(event) + failed
}

/** Room for what is broken off from a line: the words begin below those before them. */
function indentOf(line: string): string {
  const [, moment = '', event = ''] = PARTS.exec(line) ?? []
  return event === '' ? '' : `${' '.repeat(moment.length)}│${' '.repeat(event.length + 1)}`
}

/**
 * The lines of a timeline as text for a terminal.
 *
 * @param timeline What `recordTimeline` returns.
 * @param format Its colours and its width.
 * @throws TickchainError `invalidCall`, `invalidOption`
 * @example
 * const timeline = recordTimeline(chain)
 * await chain.advance(4000)
 * console.log(formatTimeline(timeline, { color: true, width: 80 }))
 */
export function formatTimeline(
  timeline: { readonly lines: readonly string[] },
  format: TerminalFormat = {},
): string {
  return readArgument(
    'formatTimeline',
    'what recordTimeline returns, and a format',
    () => {
      const { color = false, width } = terminal.checkFormat(format)
      return timeline.lines
        .map(escapeControls)
        .flatMap((line) => terminal.breakLine(color ? paintLine(line) : line, width, indentOf))
        .join('\n')
    },
    timeline,
  )
}
