// Call trees of traces: elements that unfold without a script.

import type {
  StorageChange,
  TracedCall,
  TracedError,
  TracedEvent,
  TracedPlace,
  TracedValue,
} from '../../../core/rpc/call-trace.ts'
import { errorText, shortHex } from '../../solidity/calls/format-trace.ts'
import { element, type Markup } from '../html.ts'
import { groupDigits } from '../numbers.ts'
import { accountText, argumentsText, functionText, resultText } from './call-words.ts'

/** Trees of up to this many calls are unfolded at first; of larger ones the outermost calls and the way to the failure. */
const MOST_UNFOLDED = 30
const DEPTH_UNFOLDED = 2
/** Arguments that are longer are listed below the call, whole. */
const MOST_CHARACTERS = 160

interface Tree {
  /** The beginning of the ids of its calls. */
  readonly id: string
  /** The number of calls so far. */
  count: number
  readonly isSmall: boolean
}

/** The number of calls in a call, and itself. */
export function countCalls({ entries }: TracedCall): number {
  let count = 1
  for (const entry of entries) if (entry.type === 'call') count += countCalls(entry)
  return count
}

function line(label: string, ...content: readonly (Markup | string)[]): Markup {
  return element('div', { class: 'line' }, element('span', { class: 'label' }, label), ...content)
}

function code(text: string): Markup {
  return element('code', text)
}

function shorten(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

function valueTable(caption: string, values: readonly TracedValue[]): Markup {
  const rows = values.map(({ name, type, text }) =>
    element(
      'tr',
      [name, type, text].map((cell) => element('td', code(cell))),
    ),
  )
  return element('table', element('caption', caption), element('tbody', rows))
}

/** The place of a change: the variable, or the slot. */
export function placeText({ name, slot }: StorageChange): string {
  return name ?? `slot ${BigInt(slot) < 1n << 64n ? BigInt(slot) : slot}`
}

function eventLine({ name, args, topics, data }: TracedEvent): Markup {
  if (name === undefined) {
    const shown = topics.map((topic, index) => code(`topic ${index}: ${topic}`))
    return line('emit', ...shown, code(`data: 0x${shortHex(data)}`))
  }
  const shown = args.map((arg) => (arg.name === '' ? arg.text : `${arg.name}: ${arg.text}`))
  return line('emit', element('code', { class: 'event' }, name), code(`(${shown.join(', ')})`))
}

/** The name of a custom error, or the reason. */
function shortError(error: TracedError): string {
  const isCustom = error.name !== undefined && error.name !== 'Error' && error.name !== 'Panic'
  return isCustom ? (error.name as string) : shorten(errorText(error))
}

function summaryOf(call: TracedCall): Markup {
  const { kind, value, gasUsed, error } = call
  const called = [
    element('strong', accountText(call.name, call.to)),
    element('span', { class: 'function' }, `.${functionText(call)}`),
    code(`(${shorten(argumentsText(call))})`),
  ]
  const kinds = kind === 'CALL' ? [] : [element('span', { class: 'kind' }, kind.toLowerCase())]
  const paid = value === 0n || kind === 'DELEGATECALL' ? [] : [`${groupDigits(value)} wei`]
  const failed = error === undefined ? [] : [element('span', { class: 'error' }, `✗ ${shortError(error)}`)]
  const notes = [...kinds, ...paid.map((text) => element('span', { class: 'paid' }, text)), ...failed]
  const gas = element('span', { class: 'gas' }, groupDigits(gasUsed))
  const spaced = notes.map((note) => [' ', note])
  return element('summary', gas, ' ', called, spaced)
}

function endOf(call: TracedCall): Markup[] {
  if (call.error !== undefined) {
    const { output, error } = call
    const data =
      output === '0x' || error.name !== undefined ? [] : [line('data', code(`0x${shortHex(output)}`))]
    return [line('reverts', element('span', { class: 'error' }, errorText(error))), ...data]
  }
  const result = resultText(call)
  return call.kind === 'SELFDESTRUCT' || result === '' ? [] : [line('returns', code(result))]
}

function changeLine(change: StorageChange): Markup {
  return line('storage', code(`${placeText(change)}: ${change.before} → ${change.after}`))
}

function lineMarkup(text: string, number: number, marked: number): Markup {
  const isMarked = number === marked
  const content = [element('span', { class: 'number' }, `${number}`.padStart(4)), ` ${text}\n`]
  // A name for those who do not see the mark.
  return isMarked ? element('mark', { 'aria-label': `line ${number}` }, content) : element('span', content)
}

/** A place of a failure in the sources, with the lines around it. */
function placeInSource({ text, excerpt }: TracedPlace): Markup {
  const head = element('p', { class: 'place' }, 'at ', element('code', text))
  if (excerpt === undefined) return element('div', { class: 'source' }, head)
  const { file, line, from, lines } = excerpt
  const attributes = { role: 'group', tabindex: 0, 'aria-label': `${file}, line ${line}` }
  const shown = lines.map((each, index) => lineMarkup(each, from + index, line))
  return element('div', { class: 'source' }, head, element('pre', attributes, shown))
}

function callMarkup(call: TracedCall, tree: Tree, depth: number, isFailing: boolean): Markup {
  const id = `${tree.id}-${tree.count++}`
  const { entries, args, from, fromName, to, gas, error, stack, storage } = call
  const isOnPath = isFailing && error !== undefined
  const isLong = argumentsText(call).length > MOST_CHARACTERS
  const around = `from ${accountText(fromName, from)}, to ${accountText(undefined, to)}, ${groupDigits(gas)} gas given`
  const inside = [
    element('div', { class: 'around' }, around),
    ...(isLong && args.length > 0 ? [valueTable('Arguments', args)] : []),
    ...entries.map((entry) => {
      if (entry.type === 'event') return eventLine(entry)
      if (entry.type === 'console') return line('console.log', element('samp', entry.message))
      return callMarkup(entry, tree, depth + 1, isOnPath)
    }),
    ...storage.map(changeLine),
    ...endOf(call),
    ...stack.map(placeInSource),
  ]
  const open = tree.isSmall || depth < DEPTH_UNFOLDED || isOnPath
  const attributes = { id, class: error === undefined ? undefined : 'failed', open }
  return element('details', attributes, summaryOf(call), element('div', inside))
}

/** The tree of a call. Ids of its calls are the given one with `-0`, `-1` …, in the order of the calls. */
export function callTree(call: TracedCall, id: string): Markup {
  const tree = { id, count: 0, isSmall: countCalls(call) <= MOST_UNFOLDED }
  return element('div', { class: 'tree' }, callMarkup(call, tree, 0, true))
}
