// Checks of answers that are kept as they are: whether one is of what was asked for. One that is not is never kept.

import {
  answeredArray,
  answeredHash,
  answeredInteger,
  answeredObject,
  fieldIn,
  placeOf,
  refuseAnswer,
} from './answers.ts'
import { nameOfRequest } from './upstream.ts'

/** The field of an answer that repeats the first parameter: of a block by its number, or of anything by its hash. */
const REPEATED: ReadonlyMap<string, string> = new Map([
  ['eth_getBlockByNumber', 'number'],
  ['eth_getHeaderByNumber', 'number'],
  ['eth_getBlockByHash', 'hash'],
  ['eth_getHeaderByHash', 'hash'],
  ['eth_getTransactionByHash', 'hash'],
  ['eth_getTransactionReceipt', 'transactionHash'],
])

/** Methods that answer with a list, whatever they find. */
const LISTS: ReadonlySet<string> = new Set(['eth_getLogs', 'trace_filter'])

/** Throws `upstreamAnswer`. */
export function checkAnswer(method: string, params: readonly unknown[], answer: unknown): void {
  const place = placeOf(nameOfRequest(method, params))
  if (LISTS.has(method)) answeredArray(answer, place)
  const name = REPEATED.get(method)
  const [asked] = params
  // Nothing is there, or a tag was asked for.
  if (name === undefined || answer === null || !`${asked}`.startsWith('0x')) return
  const [value, at] = fieldIn(answeredObject(answer, place), name, place)
  const isSame =
    name === 'number'
      ? answeredInteger(value, at) === Number(asked)
      : answeredHash(value, at) === `${asked}`.toLowerCase()
  if (!isSame) refuseAnswer(at, `${asked}`)
}
