// Words of timelines.

import { countText, groupDigits } from '../numbers.ts'
import { REASONS, type RecordedLayer, type RecordedNote, secondsText, shortHash } from './record.ts'

/** A time since the start, such as `+2.2 s`, `+1:04:00` or `+3 d 1:04:00`. */
export function momentText(ms: number): string {
  const sign = ms < 0 ? '-' : '+'
  const size = Math.abs(ms)
  if (size < 120_000) return sign + secondsText(size)
  const rest = Math.round(size % 1000)
  const fraction = rest === 0 ? '' : `.${`${rest}`.padStart(3, '0').replace(/0+$/, '')}`
  return sign + clockText(size) + fraction
}

function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (value: number): string => `${value}`.padStart(2, '0')
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor(seconds / 3600) % 24
  const clock = `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return days === 0 ? clock : `${days} d ${clock}`
}

export function durationText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms) / 1000} s` : clockText(ms)
}

export function rangeText(from: number, to: number): string {
  return from === to ? `block ${groupDigits(from)}` : `blocks ${groupDigits(from)} to ${groupDigits(to)}`
}

function accountText({ names }: RecordedLayer, address: string): string {
  return names[address] ?? shortHash(address)
}

/** A transaction of a layer: who sends to whom. */
function routeText(layer: RecordedLayer, transaction: number): string {
  const { from, to, isDeposit } = layer.transactions[transaction] ?? { from: '', to: '' }
  const target = to === undefined ? 'new contract' : accountText(layer, to)
  return `${isDeposit ? 'deposit ' : ''}${accountText(layer, from)} → ${target}`
}

export function transactionText(layer: RecordedLayer, transaction: number): string {
  return `${shortHash(layer.transactions[transaction]?.hash ?? '')}  ${routeText(layer, transaction)}`
}

export function failureOf(note: RecordedNote | undefined): string {
  const failure = note?.failure === undefined ? '' : `, failed: ${note.failure}`
  const logs = (note?.logs ?? []).map((line) => `, console.log: ${line}`)
  return failure + logs.join('')
}

export const moments = {
  orphaned: ({ from, to }: { readonly from: number; readonly to: number }): string =>
    `${rangeText(from, to)} orphaned`,
  dropped: (count: number): string => `${countText(count, 'transaction')} dropped from the pool`,
  unincluded: (reason: keyof typeof REASONS, isPooled: boolean): string =>
    `taken out: ${REASONS[reason]}${isPooled ? ', and it waits in the pool again' : ''}`,
}
