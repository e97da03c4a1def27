// A trace as part of a page: what happened, gas, storage, and the tree of calls.

import { toChecksumAddress } from '../../../core/primitives/address.ts'
import type { CallTrace, TracedCall } from '../../../core/rpc/call-trace.ts'
import { errorText } from '../../solidity/calls/format-trace.ts'
import { dataTable, element, jsonOf, type Markup } from '../html.ts'
import { countText, groupDigits } from '../numbers.ts'
import { callTree, countCalls, placeText } from './call-tree.ts'
import { accountText, callLabel } from './call-words.ts'
import { drawFlameGraph, type FlameRow } from './flame-graph.ts'

function addRows(rows: FlameRow[], call: TracedCall, depth: number): void {
  rows.push([depth, call.gasUsed, callLabel(call), call.error === undefined ? 'success' : 'failed'])
  for (const entry of call.entries) if (entry.type === 'call') addRows(rows, entry, depth + 1)
}

/** The bars of a trace: the whole, the gas before the outermost call, and the calls. */
function flameRowsOf({ call, intrinsicGas, transactionHash }: CallTrace): FlameRow[] {
  const name = transactionHash === undefined ? 'Call' : 'Transaction'
  const rows: FlameRow[] = [[0, Number(intrinsicGas) + call.gasUsed, name, 'whole']]
  rows.push([1, Number(intrinsicGas), 'intrinsic gas', 'paid'])
  addRows(rows, call, 1)
  return rows
}

/** The sum of a trace's gas, in words. */
function gasSentence({ gasUsed, intrinsicGas, call }: CallTrace): string {
  const refund = intrinsicGas + BigInt(call.gasUsed) - gasUsed
  const parts = `${groupDigits(intrinsicGas)} intrinsic + ${groupDigits(call.gasUsed)} execution`
  if (refund === 0n) return `${groupDigits(gasUsed)} = ${parts}`
  // EIP-7623: calldata has a least price, whatever is executed.
  const rest =
    refund > 0n ? `− ${groupDigits(refund)} refunded` : `+ ${groupDigits(-refund)} of the calldata floor`
  return `${groupDigits(gasUsed)} = ${parts} ${rest}`
}

/** The names of the accounts of a trace. */
function namesIn(call: TracedCall, names = new Map<string, string>()): Map<string, string> {
  if (call.fromName !== undefined) names.set(call.from, call.fromName)
  if (call.name !== undefined && call.name !== 'precompiles') names.set(call.to, call.name)
  for (const entry of call.entries) if (entry.type === 'call') namesIn(entry, names)
  return names
}

function storageTable({ storage, call, status }: CallTrace): Markup {
  if (storage.length === 0) {
    const why = status === 'failed' ? 'Nothing: what a failed execution writes is undone.' : 'Nothing.'
    return element('p', why)
  }
  const names = namesIn(call)
  const rows = storage.map((change) => {
    const account = accountText(names.get(change.address), change.address)
    return [account, placeText(change), change.before, change.after]
  })
  return dataTable('Storage changes', ['Account', 'Variable', 'Before', 'After'], rows)
}

function flameFigure(trace: CallTrace): Markup {
  const rows = flameRowsOf(trace)
  const { svg, hidden } = drawFlameGraph(rows)
  const told = hidden === 0 ? '' : ` ${countText(hidden, 'call')} too narrow to draw.`
  const data = jsonOf(rows)
  return element(
    'figure',
    { class: 'flame' },
    element('div', { class: 'scrolling bars' }, { markup: svg }),
    element('figcaption', { class: 'flame-told' }, `Each bar is as wide as its gas.${told}`),
    element('script', { type: 'application/json', class: 'flame-data' }, data),
  )
}

function factsOf(trace: CallTrace): Markup {
  const { transactionHash, call, status } = trace
  const account = (name: string | undefined, address: string): string => {
    const checksummed = toChecksumAddress(address as `0x${string}`)
    return name === undefined ? checksummed : `${name} (${checksummed})`
  }
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Status', status === 'success' ? 'succeeded' : 'failed'],
    ['Reason', call.error && errorText(call.error)],
    ['Transaction', transactionHash],
    ['From', account(call.fromName, call.from)],
    ['To', account(call.name, call.to)],
    ['Value', call.value === 0n ? undefined : `${groupDigits(call.value)} wei`],
    ['Gas', gasSentence(trace)],
  ]
  const shown = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [element('dt', name), element('dd', value)],
  )
  return element('dl', { class: status }, shown)
}

const CUT = 'This trace is cut: it has more entries than limits.traceEntries. The rest is left out.'

/** The title of a trace: the function, and how it went. */
export function traceTitle({ call, status }: CallTrace): string {
  return `${callLabel(call)} ${status === 'success' ? 'succeeded' : 'failed'}`
}

/** The place of a trace on its page. */
export interface SectionPlace {
  /** The id of the section, with which those of its calls begin. */
  readonly id: string
  readonly title: string
  /** The level of the headings in it. */
  readonly level: 1 | 2 | 3 | 4
}

/** A trace as a section, which says what it can of code without sources or ABI. */
export function traceSection(trace: CallTrace, { id, title, level }: SectionPlace): Markup {
  const heading = `h${level}`
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
    element(heading, title),
    cut,
    factsOf(trace),
    element(inner, `Calls (${groupDigits(countCalls(trace.call))})`),
    fold,
    callTree(trace.call, id),
    element(inner, 'Gas'),
    flameFigure(trace),
    element(inner, 'Storage changes'),
    storageTable(trace),
  )
}
