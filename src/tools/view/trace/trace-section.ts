// A trace as a page, or as a part of one: what happened, gas, storage, and the tree of calls.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import { toChecksumAddress } from '../../../core/primitives/crypto.ts'
import { countBytes } from '../../../core/primitives/text-of.ts'
import type * as traces from '../../../core/rpc/call-trace.ts'
import script from '../../pages/page.ts?page'
import { argumentsText, placeText, shortHex } from '../../solidity/calls/format-trace.ts'
import type { TracedSteps } from '../../solidity/calls/traced-steps.ts'
import { dataTable, element, type Markup } from '../html.ts'
import { countText, functionText, groupDigits, readable, shortEther } from '../numbers.ts'
import { pageData, renderPage } from '../page.ts'
import { sourceExcerpt } from '../source-excerpt.ts'
import { shortHash } from '../timeline/record.ts'
import { callLabel, drawFlameGraph, flameRows } from './flame-graph.ts'
import { TRACE_STYLES } from './styles.ts'

const checksummed = (address: string): string => toChecksumAddress(address as `0x${string}`)

/** A value with its name, a long integer as people read it. */
function shownValue({ name, text }: traces.TracedValue): string {
  return (name === '' ? '' : `${name}: `) + readable(text)
}

function shownValues(values: readonly traces.TracedValue[]): string {
  return values.map(shownValue).join(', ')
}

function argumentsOf(call: traces.TracedCall): string {
  return call.kind === 'SELFDESTRUCT' ? '' : argumentsText(call, shownValue)
}

/** Result of a successful call; empty if it returned nothing. */
function resultText(call: traces.TracedCall): string {
  if (isCreation(call)) return `${countBytes((call.output.length - 2) / 2)} of code`
  const { results, output } = call
  if (results !== undefined && results.length > 0) return shownValues(results)
  return output === '0x' ? '' : `0x${shortHex(output)}`
}

/** Trees of up to this many calls are unfolded at first; of larger ones the outermost calls and the way to the failure. */
const MOST_UNFOLDED = 30
const DEPTH_UNFOLDED = 2
/** Arguments that are longer are listed below the call, whole. */
const MOST_CHARACTERS = 160

interface Tree {
  /** The beginning of the ids of its calls. */
  readonly id: string
  count: number
  readonly isSmall: boolean
}

/** The number of calls in a call, and itself. */
function countCalls({ entries }: traces.TracedCall): number {
  let count = 1
  for (const entry of entries) if (entry.type === 'call') count += countCalls(entry)
  return count
}

function line(label: string, ...content: readonly (Markup | string)[]): Markup {
  return element('div', { class: 'line' }, element('span', { class: 'label' }, label), ...content)
}

const exactWei = (wei: bigint): string => `${groupDigits(wei)} wei`

/** Ether in short, and all digits where those are more. */
function valueText(wei: bigint): string {
  const [short, exact] = [shortEther(wei, ' ETH'), exactWei(wei)]
  return short === exact ? exact : `${short} (${exact})`
}

const code = (text: string): Markup => element('code', text)

function shorten(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

function eventLine({ name, args, topics, data }: traces.TracedEvent): Markup {
  if (name === undefined) {
    const shown = topics.map((topic, index) => code(`topic ${index}: ${topic}`))
    return line('emit', ...shown, code(`data: 0x${shortHex(data)}`))
  }
  return line('emit', element('code', { class: 'event' }, name), code(`(${shownValues(args)})`))
}

function shortError(error: traces.TracedError): string {
  const isCustom = error.name !== undefined && error.name !== 'Error' && error.name !== 'Panic'
  return isCustom ? (error.name as string) : shorten(error.text)
}

function summaryOf(call: traces.TracedCall): Markup {
  const { kind, value, gasUsed, error } = call
  const called = [
    element('strong', call.name ?? checksummed(call.to)),
    element('span', { class: 'function' }, `.${functionText(call)}`),
    code(`(${shorten(argumentsOf(call))})`),
  ]
  const kinds = kind === 'CALL' ? [] : [element('span', { class: 'kind' }, kind.toLowerCase())]
  const isPaid = value > 0n && kind !== 'DELEGATECALL'
  const paid = isPaid
    ? [element('span', { class: 'paid', title: exactWei(value) }, shortEther(value, ' ETH'))]
    : []
  const failed = error === undefined ? [] : [element('span', { class: 'error' }, `✗ ${shortError(error)}`)]
  const gas = element('span', { class: 'gas' }, groupDigits(gasUsed))
  const spaced = [...kinds, ...paid, ...failed].map((note) => [' ', note])
  return element('summary', gas, ' ', called, spaced)
}

function endOf(call: traces.TracedCall): Markup[] {
  if (call.error !== undefined) {
    const { output, error } = call
    const data =
      output === '0x' || error.name !== undefined ? [] : [line('data', code(`0x${shortHex(output)}`))]
    return [line('reverts', element('span', { class: 'error' }, error.text)), ...data]
  }
  const result = resultText(call)
  return call.kind === 'SELFDESTRUCT' || result === '' ? [] : [line('returns', code(result))]
}

function placeInSource({ text, excerpt }: traces.TracedPlace): Markup {
  const head = element('p', { class: 'place' }, 'at ', element('code', text))
  return element('div', { class: 'source' }, head, excerpt && sourceExcerpt(excerpt))
}

function callMarkup(call: traces.TracedCall, tree: Tree, depth: number, isFailing: boolean): Markup {
  const id = `${tree.id}-${tree.count++}`
  const { entries, args, from, fromName, to, gas, error, stack, storage } = call
  const isOnPath = isFailing && error !== undefined
  const isLong = argumentsOf(call).length > MOST_CHARACTERS
  const around = `from ${fromName ?? checksummed(from)}, to ${checksummed(to)}, ${groupDigits(gas)} gas given`
  const named = isLong ? args.map(({ name, type, text }) => [code(name), code(type), code(text)]) : []
  const inside = [
    element('div', { class: 'around' }, around),
    ...(named.length > 0 ? [dataTable('Arguments', ['Argument', 'Type', 'Value'], named)] : []),
    ...entries.map((entry) => {
      if (entry.type === 'event') return eventLine(entry)
      if (entry.type === 'console') return line('console.log', element('samp', entry.message))
      return callMarkup(entry, tree, depth + 1, isOnPath)
    }),
    ...storage.map((each) =>
      line('storage', code(`${placeText(each)}: ${readable(each.before)} → ${readable(each.after)}`)),
    ),
    ...endOf(call),
    ...stack.map(placeInSource),
  ]
  const open = tree.isSmall || depth < DEPTH_UNFOLDED || isOnPath
  const attributes = { id, class: error === undefined ? undefined : 'failed', open }
  return element('details', attributes, summaryOf(call), element('div', inside))
}

function gasSentence({ gasUsed, intrinsicGas, call }: traces.CallTrace): string {
  const refund = intrinsicGas + BigInt(call.gasUsed) - gasUsed
  const parts = `${groupDigits(intrinsicGas)} intrinsic + ${groupDigits(call.gasUsed)} execution`
  if (refund === 0n) return `${groupDigits(gasUsed)} = ${parts}`
  // EIP-7623: calldata has a least price, whatever is executed.
  const rest =
    refund > 0n ? `− ${groupDigits(refund)} refunded` : `+ ${groupDigits(-refund)} of the calldata floor`
  return `${groupDigits(gasUsed)} = ${parts} ${rest}`
}

function namesIn(call: traces.TracedCall, names = new Map<string, string>()): Map<string, string> {
  if (call.fromName !== undefined) names.set(call.from, call.fromName)
  if (call.name !== undefined && call.name !== 'precompiles') names.set(call.to, call.name)
  for (const entry of call.entries) if (entry.type === 'call') namesIn(entry, names)
  return names
}

function storageTable({ storage, call, status }: traces.CallTrace): Markup {
  if (storage.length === 0) {
    const why = status === 'failed' ? 'Nothing: what a failed execution writes is undone.' : 'Nothing.'
    return element('p', why)
  }
  const names = namesIn(call)
  const rows = storage.map((change) => {
    const name = names.get(change.address)
    const isShared = [...names].some(([address, other]) => other === name && address !== change.address)
    // Contracts of one name are told apart by their addresses.
    const account = isShared
      ? `${name} (${shortHash(change.address)}…)`
      : (name ?? checksummed(change.address))
    return [account, placeText(change), readable(change.before), readable(change.after)]
  })
  return dataTable('Storage changes', ['Account', 'Variable', 'Before', 'After'], rows)
}

/** The flame graph of a trace, which the script of pages replaces by one that zooms. */
function flameFigure({ call, intrinsicGas, transactionHash }: traces.CallTrace): Markup[] {
  const whole = [transactionHash === undefined ? 'Call' : 'Transaction', Number(intrinsicGas)] as const
  const rows = flameRows(call, whole, checksummed)
  const { bars, hidden } = drawFlameGraph(rows)
  const told = hidden === 0 ? '' : ` ${countText(hidden, 'call')} too narrow to draw.`
  const caption = element('figcaption', { class: 'flame-told' }, `Each bar is as wide as its gas.${told}`)
  const figure = element(
    'figure',
    { class: 'flame' },
    element('div', { class: 'scrolling bars' }, bars),
    caption,
  )
  return [element('div', { class: 'flame-here' }, figure), pageData('flame-data', rows)]
}

function factsOf(trace: traces.CallTrace): Markup {
  const { transactionHash, call, status } = trace
  const account = (name: string | undefined, address: string): string => {
    return name === undefined ? checksummed(address) : `${name} (${checksummed(address)})`
  }
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Status', status === 'success' ? 'succeeded' : 'failed'],
    ['Reason', call.error?.text],
    ['Transaction', transactionHash],
    ['From', account(call.fromName, call.from)],
    ['To', account(call.name, call.to)],
    ['Value', call.value === 0n ? undefined : valueText(call.value)],
    ['Gas', gasSentence(trace)],
  ]
  const shown = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [element('dt', name), element('dd', value)],
  )
  return element('dl', { class: status }, shown)
}

const CUT = 'This trace is cut: it has more entries than limits.traceEntries. The rest is left out.'

export function traceTitle({ call, status }: traces.CallTrace): string {
  return `${callLabel(call, checksummed)} ${status === 'success' ? 'succeeded' : 'failed'}`
}

/** The tree, with the debugger beside it if the trace has its steps; the script of pages fills it. */
function besideSteps({ steps }: traces.CallTrace, tree: Markup): Markup {
  if (steps === undefined || (steps as TracedSteps).steps.length === 0) return tree
  return element(
    'div',
    { class: 'debugging' },
    tree,
    element('div', { class: 'steps' }),
    pageData('steps-data', steps),
  )
}

interface SectionPlace {
  /** The id of the section, with which those of its calls begin. */
  readonly id: string
  readonly title: string
  readonly level: 1 | 2 | 3 | 4
}

/** A trace as a section, which says what it can of code without sources or ABI. */
export function traceSection(trace: traces.CallTrace, { id, title, level }: SectionPlace): Markup {
  const calls = countCalls(trace.call)
  // Ids of calls are that of the section with `-0`, `-1` …, in their order.
  const tree = { id, count: 0, isSmall: calls <= MOST_UNFOLDED }
  const inner = `h${level + 1}`
  const cut = trace.isCut ? [element('p', { class: 'notice', role: 'note' }, CUT)] : []
  const fold = element('p', { class: 'folding', hidden: true }, [
    element('button', { type: 'button', 'data-fold': 'open' }, 'Unfold all'),
    ' ',
    element('button', { type: 'button', 'data-fold': 'close' }, 'Fold all'),
  ])
  return element(
    'section',
    { id, class: 'trace' },
    element(`h${level}`, title),
    cut,
    factsOf(trace),
    element(inner, `Calls (${groupDigits(calls)})`),
    fold,
    besideSteps(trace, element('div', { class: 'tree' }, callMarkup(trace.call, tree, 0, true))),
    element(inner, 'Gas'),
    flameFigure(trace),
    element(inner, 'Storage changes'),
    storageTable(trace),
  )
}

/** Options of a trace's page. */
export interface TracePageOptions {
  /** Default what was called, and whether it failed. */
  readonly title?: string
}

export function tracePage(trace: traces.CallTrace, { title = traceTitle(trace) }: TracePageOptions): string {
  const body = element('main', traceSection(trace, { id: 'trace', title, level: 1 }))
  return renderPage({ title, body, styles: TRACE_STYLES, script })
}
