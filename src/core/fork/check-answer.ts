// Checks of answers that are kept as they are: whether one is of what was asked for. One that is not is never kept.

import {
  type AnswerPath,
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

/** Refuses a log that the filter does not name, or that is in no block. */
function checkLog(log: Record<string, unknown>, filter: Record<string, unknown>, place: AnswerPath): void {
  const { fromBlock, toBlock, address = [], topics = [] } = filter
  const [told, numberAt] = fieldIn(log, 'blockNumber', place)
  const number = answeredInteger(told, numberAt)
  if (number < Number(fromBlock) || number > Number(toBlock))
    refuseAnswer(numberAt, `one from ${fromBlock} to ${toBlock}`)
  answeredHash(...fieldIn(log, 'blockHash', place))
  if (log['removed'] === true) refuseAnswer(fieldIn(log, 'removed', place)[1], 'false')
  const isAmong = (any: unknown, value: unknown): boolean => {
    const list: readonly unknown[] = Array.isArray(any) ? any : [any]
    return list.length === 0 || list.some((each) => `${each}`.toLowerCase() === `${value}`.toLowerCase())
  }
  if (!isAmong(address, log['address'])) refuseAnswer(fieldIn(log, 'address', place)[1], `${address}`)
  const [list, listAt] = fieldIn(log, 'topics', place)
  const own = answeredArray(list, listAt)
  for (const [index, any] of (topics as readonly unknown[]).entries())
    if (any !== null && !isAmong(any, own[index])) refuseAnswer(listAt, `${any} at ${index}`)
}

/** Throws `upstreamAnswer`. */
export function checkAnswer(method: string, params: readonly unknown[], answer: unknown): void {
  const place = placeOf(nameOfRequest(method, params))
  const list = LISTS.has(method) ? answeredArray(answer, place) : []
  const name = REPEATED.get(method)
  const [asked] = params
  if (method === 'eth_getLogs')
    for (const [index, log] of list.entries()) {
      const at = { ...place, path: `${place.path}[${index}]` }
      checkLog(answeredObject(log, at), answeredObject(asked, place), at)
    }
  // Nothing is there, or a tag was asked for.
  if (name === undefined || answer === null || !`${asked}`.startsWith('0x')) return
  const [value, at] = fieldIn(answeredObject(answer, place), name, place)
  const isSame =
    name === 'number'
      ? answeredInteger(value, at) === Number(asked)
      : answeredHash(value, at) === `${asked}`.toLowerCase()
  if (!isSame) refuseAnswer(at, `${asked}`)
}
