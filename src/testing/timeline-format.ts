// Text of timeline entries: sealed blocks as a trunk, and the events before each as branches.

import { readConsoleCall } from '../execution/result/console-log.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import { revertReason } from '../execution/result/revert-reason.ts'
import type { ExecutedTransaction } from '../execution/transaction/receipt.ts'
import type { Transaction } from '../execution/transaction/transaction.ts'
import type { NodeEvent } from '../node/events.ts'
import type { FaultableRequest, FaultEffect } from '../node/faults/fault.ts'
import { filledBlock, type NodeState } from '../node/node-state.ts'
import type { Hex } from '../primitives/hex.ts'

/** An entry of a timeline. */
export type Entry = { readonly atMs: number } & (
  | { readonly kind: 'event'; readonly event: NodeEvent }
  /** Sealed blocks without transactions. */
  | { readonly kind: 'empty'; readonly from: number; readonly to: number }
  /** A clock change without any event. */
  | { readonly kind: 'shifted'; readonly byMs: number }
  /** Accounts set outside of transactions. */
  | { readonly kind: 'edited'; readonly count: number }
)

const MOMENT_WIDTH = 10
const LABEL_WIDTH = 10

export function showMoment(ms: number): string {
  const sign = ms < 0 ? '-' : '+'
  // Tenths of a second, unless the time needs milliseconds.
  const seconds = Math.abs(ms) / 1000
  const digits = Number.isInteger(seconds * 10) ? 1 : 3
  return `${`${sign}${seconds.toFixed(digits)} s`.padStart(MOMENT_WIDTH)}  `
}

function pluralize(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** The first digits of a hash or an address. */
function short(hex: Hex): string {
  return hex.slice(0, 10)
}

export function showSealed(label: string, words: string): string {
  return `● ${label.padEnd(LABEL_WIDTH)}  ${words}`
}

function branch(label: string, words: string): string {
  return `├ ${label.padEnd(LABEL_WIDTH)}  ${words}`
}

function below(words: string): string {
  return `│ ${' '.repeat(LABEL_WIDTH)}  ${words}`
}

function rangeOf(from: number, to: number): string {
  return from === to ? `block ${from}` : `blocks ${from}-${to}`
}

function route({ sender, to }: Transaction): string {
  return `${short(sender)} → ${to === undefined ? 'new contract' : short(to)}`
}

/** An executed transaction, with its failure and its console.log lines. */
function showExecuted(
  { transaction, failure, returnData, consoleCalls }: ExecutedTransaction,
  errors: CustomErrors,
): string[] {
  const reason = failure === 'execution reverted' ? revertReason(returnData, errors) : undefined
  const why = reason === undefined ? failure : `${failure}: ${reason}`
  const logs = consoleCalls.flatMap((call) => readConsoleCall(call).message.split('\n'))
  return [
    `${short(transaction.hash)}  ${route(transaction)}${why === undefined ? '' : `  failed: ${why}`}`,
    ...logs.map((line) => `  console.log: ${line}`),
  ]
}

function showPartial(
  { partial }: Extract<NodeEvent, { type: 'partialBlock' }>,
  errors: CustomErrors,
): string[] {
  const [first = '', ...rest] = partial.executed.flatMap((executed) => showExecuted(executed, errors))
  return [branch(`partial ${partial.index}`, first), ...rest.map(below)]
}

function showOrphaned({ blocks }: Extract<NodeEvent, { type: 'blocksOrphaned' }>): string {
  let first: number | undefined
  let last = 0
  for (const { header } of blocks) {
    first ??= header.number
    last = header.number
  }
  return rangeOf(last, first ?? last)
}

function showFault(
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

const REASONS = {
  reorganised: 'its block was replaced',
  preconfirmationDropped: 'its pre-confirmation was dropped',
  reverted: 'the chain went back',
}

function showEvent(event: NodeEvent, errors: CustomErrors): string[] {
  switch (event.type) {
    case 'transactionAccepted': {
      const { transaction } = event
      return [branch('pool', `${short(transaction.hash)}  ${route(transaction)}, nonce ${transaction.nonce}`)]
    }
    case 'transactionReplaced':
      return [branch('replaced', `${short(event.transaction.hash)} by ${short(event.by.hash)}`)]
    case 'partialBlock':
      return showPartial(event, errors)
    case 'blockSealed': {
      const { header, hash, executed } = event.block
      const words = `${short(hash)}, ${pluralize(executed.length, 'transaction')}`
      return [showSealed(rangeOf(header.number, header.number), words)]
    }
    case 'blocksOrphaned':
      return [branch('orphaned', showOrphaned(event))]
    case 'transactionUnincluded': {
      const { transaction, reason, isPooled } = event
      const fate = isPooled ? ', and it waits in the pool again' : ''
      return [branch('taken out', `${short(transaction.hash)}: ${REASONS[reason]}${fate}`)]
    }
    case 'stateReplaced':
      return [branch('went to', `block ${event.to.chain.head.header.number}`)]
    case 'requestFaulted':
      return [branch('fault', showFault(event.asked, event.effect))]
    default:
      return []
  }
}

/** The lines of an entry. */
export function showEntry(entry: Entry, errors: CustomErrors): string[] {
  switch (entry.kind) {
    case 'event':
      return showEvent(entry.event, errors)
    case 'empty':
      return [showSealed(rangeOf(entry.from, entry.to), 'empty')]
    case 'shifted':
      return [branch('clock', `moved by ${entry.byMs / 1000} s`)]
    case 'edited':
      return [branch('edit', entry.count === 1 ? 'of an account' : `of accounts, ${entry.count} times`)]
  }
}

/** The line in place of entries that are left out. */
export function showCut(): string {
  return `${' '.repeat(MOMENT_WIDTH)}  ⋮ earlier lines are left out`
}

/** The line with the current head, open block and pool. */
export function showNow(state: NodeState): string {
  const { chain, pool } = state
  const preconfirmed = filledBlock(state)?.executed.length ?? 0
  const waiting = pool.byHash.size
  const open =
    preconfirmed === 0 ? '' : `, ${preconfirmed} pre-confirmed in block ${chain.head.header.number + 1}`
  const words = `head is block ${chain.head.header.number}${open}, ${waiting} in the pool`
  return `◌ ${'now'.padEnd(LABEL_WIDTH)}  ${words}`
}
