// A chain as a section of a report.

import type { Hash } from '../../../core/primitives/hex.ts'
import type { CallTrace } from '../../../core/rpc/call-trace.ts'
import { type Cell, dataTable, element, type Markup } from '../html.ts'
import { countText, decimalText, groupDigits } from '../numbers.ts'
import { traceSection, traceTitle } from '../trace/trace-section.ts'

/** A transaction, in a block or in the pool. Accounts are names, or else addresses. */
export interface TransactionFacts {
  readonly hash: Hash
  readonly from: string
  /** `undefined` for a creation. */
  readonly to: string | undefined
  /** The function by its name, or the selector; empty without calldata. */
  readonly called: string
  /** Wei. */
  readonly value: bigint
  readonly nonce: bigint
  /** `undefined` in the pool. */
  readonly gasUsed: bigint | undefined
  /** Why it failed; `undefined` if it did not. */
  readonly failure: string | undefined
}

export interface BlockFacts {
  readonly number: number
  /** `undefined` for the block being built. */
  readonly hash: Hash | undefined
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly transactions: readonly TransactionFacts[]
}

export interface AccountFacts {
  /** `undefined` if nobody has named it, and its code is not known. */
  readonly name: string | undefined
  readonly address: string
  /** Wei. */
  readonly balance: bigint
  readonly nonce: bigint
  readonly hasCode: boolean
}

/** Why a call or a transaction failed. */
export interface FailureFacts {
  readonly kind: 'call' | 'transaction'
  /** As a client got it. */
  readonly message: string
  /** Lines of the Solidity stack trace, innermost function first. */
  readonly lines: readonly string[]
  /** Or why there is none. */
  readonly trace: CallTrace | string
}

export interface ChainFacts {
  /** Such as `Chain 31337`. */
  readonly title: string
  readonly failure: FailureFacts | undefined
  /** As a page, or why there is none; `undefined` if nothing was recorded. */
  readonly timeline: { readonly html: string } | string | undefined
  /** The last blocks with transactions, newest first. */
  readonly blocks: readonly BlockFacts[]
  readonly head: number
  readonly pool: readonly TransactionFacts[]
  readonly accounts: readonly AccountFacts[]
}

const etherText = (wei: bigint): string => `${decimalText(wei, 18)} ETH`

function code(text: string): Markup {
  return element('code', text)
}

function shortHash(hash: string): Markup {
  return element('code', { title: hash }, `${hash.slice(0, 10)}…`)
}

function failureSection({ kind, message, lines, trace }: FailureFacts, id: string): Markup[] {
  const title = kind === 'call' ? 'The call that failed' : 'The transaction that failed last'
  const stack = lines.length === 0 ? [] : [element('pre', { class: 'stack' }, lines.join('\n'))]
  const reason = element('p', { class: 'error' }, message)
  const shown =
    typeof trace === 'string'
      ? element('p', { class: 'notice' }, trace)
      : traceSection(trace, { id: `${id}-trace`, title: traceTitle(trace), level: 3 })
  return [element('h3', title), reason, ...stack, shown]
}

function transactionCells({ hash, from, to, called, value, gasUsed, failure }: TransactionFacts): Cell[] {
  const target = to === undefined ? 'creates a contract' : called === '' ? to : `${to}.${called}`
  const state = gasUsed === undefined ? '' : failure === undefined ? 'succeeded' : `failed: ${failure}`
  const shown = failure === undefined ? state : element('span', { class: 'error' }, state)
  const gas = gasUsed === undefined ? '' : groupDigits(gasUsed)
  return [shortHash(hash), from, target, value === 0n ? '' : etherText(value), gas, shown]
}

const TRANSACTION_COLUMNS = ['Transaction', 'From', 'To', 'Value', 'Gas', 'Result']

function blockRows({ number, hash, timestamp, transactions }: BlockFacts): Cell[][] {
  const name = `${groupDigits(number)}${hash === undefined ? ' (being built)' : ''}`
  const first: Cell[] = [name, `${timestamp}`]
  if (transactions.length === 0) return [[...first, '', '', '', '', '', '']]
  return transactions.map((each, index) => [...(index === 0 ? first : ['', '']), ...transactionCells(each)])
}

function blocksTable(blocks: readonly BlockFacts[], head: number): Markup[] {
  const told = element('p', `The head is block ${groupDigits(head)}. Empty blocks are left out.`)
  if (blocks.length === 0) return [told]
  return [
    told,
    dataTable('Last blocks', ['Block', 'Timestamp', ...TRANSACTION_COLUMNS], blocks.flatMap(blockRows)),
  ]
}

function poolTable(pool: readonly TransactionFacts[]): Markup {
  if (pool.length === 0) return element('p', 'Empty.')
  const rows = pool.map((each) => [...transactionCells(each).slice(0, 4), `${each.nonce}`])
  return dataTable('Pool', ['Transaction', 'From', 'To', 'Value', 'Nonce'], rows)
}

function accountsTable(accounts: readonly AccountFacts[]): Markup {
  if (accounts.length === 0) return element('p', 'None took part.')
  const rows = accounts.map(({ name, address, balance, nonce, hasCode }) => [
    name ?? '',
    code(address),
    etherText(balance),
    `${nonce}`,
    hasCode ? 'contract' : 'account',
  ])
  return dataTable('Accounts', ['Name', 'Address', 'Balance', 'Nonce', 'Kind'], rows)
}

/** The timeline is a page of its own, within this one. */
function timelineSection(timeline: ChainFacts['timeline'], title: string): Markup[] {
  if (timeline === undefined) return []
  const shown =
    typeof timeline === 'string'
      ? element('p', { class: 'notice' }, timeline)
      : element('iframe', { class: 'timeline', title: `Timeline of ${title}`, srcdoc: timeline.html })
  return [element('h3', 'Timeline'), shown]
}

/** A chain: what failed on it, its timeline, last blocks, pool and accounts. */
export function chainSection(facts: ChainFacts, id: string): Markup {
  const { title, failure, timeline, blocks, head, pool, accounts } = facts
  return element(
    'section',
    { id },
    element('h2', title),
    failure === undefined
      ? element('p', 'No call or transaction failed here unexpectedly.')
      : failureSection(failure, id),
    timelineSection(timeline, title),
    element('h3', 'Last blocks'),
    blocksTable(blocks, head),
    element('h3', `Pool (${countText(pool.length, 'transaction')})`),
    poolTable(pool),
    element('h3', 'Accounts'),
    accountsTable(accounts),
  )
}
