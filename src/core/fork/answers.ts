// Checks of an upstream's answers: an answer of another shape is an error that names the request.

import { keccak256Hex } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { FIELD_KINDS } from '../primitives/fields.ts'
import { type Hash, type Hex, hexToBytes, isHexBytes, stripLeadingZeros } from '../primitives/hex.ts'
import { encodeItems } from '../primitives/rlp.ts'
import * as headers from '../rollup/header.ts'
import { nameOfRequest } from './upstream.ts'

/** Where a value stands in an answer, for errors. */
export interface AnswerPath {
  readonly request: string
  readonly path: string
}

export function placeOf(request: string): AnswerPath {
  return { request, path: 'result' }
}

export function refuseAnswer({ request, path }: AnswerPath, expected: string): never {
  throw failure('upstreamAnswer', { request, reason: `${path}: expected ${expected}` })
}

export function answeredObject(value: unknown, place: AnswerPath): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuseAnswer(place, 'an object')
  return value as Record<string, unknown>
}

export function answeredArray(value: unknown, place: AnswerPath): readonly unknown[] {
  return Array.isArray(value) ? value : refuseAnswer(place, 'an array')
}

export function fieldIn(
  object: Record<string, unknown>,
  name: string,
  place: AnswerPath,
): [unknown, AnswerPath] {
  return [object[name], { ...place, path: `${place.path}.${name}` }]
}

export function answeredHex(value: unknown, place: AnswerPath, length?: number): Hex {
  const expected = length === undefined ? 'hex bytes' : `${length} bytes of hex`
  return isHexBytes(value, length) ? (value.toLowerCase() as Hex) : refuseAnswer(place, expected)
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

/** A number; nodes differ in leading zeros. */
export function answeredAmount(value: unknown, place: AnswerPath): bigint {
  return typeof value === 'string' && QUANTITY.test(value)
    ? BigInt(value)
    : refuseAnswer(place, 'a quantity in hex')
}

export function answeredInteger(value: unknown, place: AnswerPath): number {
  const amount = answeredAmount(value, place)
  return amount <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(amount)
    : refuseAnswer(place, 'a number below 2^53')
}

/** The value of a slot without leading zeros: a word, or a quantity as in proofs. */
export function answeredWord(value: unknown, place: AnswerPath): Uint8Array {
  if (typeof value !== 'string' || !QUANTITY.test(value)) refuseAnswer(place, 'up to 32 bytes of hex')
  const digits = value.slice(2)
  return stripLeadingZeros(hexToBytes(`0x${digits.length % 2 === 0 ? '' : '0'}${digits}`)).slice()
}

/** A hash of a slot or a block, of 32 bytes; proofs name slots by quantities. */
export function answeredHash(value: unknown, place: AnswerPath): Hash {
  return answeredHex(value, place, 32)
}

/** A JSON number, as in configurations. */
export function answeredCount(value: unknown, place: AnswerPath, least: number): number {
  return Number.isSafeInteger(value) && (value as number) >= least
    ? (value as number)
    : refuseAnswer(place, `a whole number from ${least}`)
}

/** The field of an answer that repeats the first parameter: of a block by its number, or of anything by its hash. */
const REPEATED: ReadonlyMap<string, string> = new Map([
  ['eth_getBlockByNumber', 'number'],
  ['eth_getHeaderByNumber', 'number'],
  ['eth_getBlockByHash', 'hash'],
  ['eth_getHeaderByHash', 'hash'],
  ['eth_getTransactionByHash', 'hash'],
  ['eth_getTransactionReceipt', 'transactionHash'],
])

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

export interface ForkHeader extends headers.EncodedHeader {
  readonly hash: Hash
  readonly totalDifficulty: bigint
  /** The fields that the block has; the others are zero. */
  readonly fields: ReadonlySet<headers.HeaderName>
}

/** Fields that some networks leave out, besides those of forks that they do not have. */
const OPTIONAL: ReadonlySet<headers.HeaderName> = new Set(['coinbase', 'difficulty', 'prevRandao', 'nonce'])

/** The latest timestamp of a block here: the end of the clock is later. */
const MOST_TIMESTAMP = 2 ** 43

/** Reads the header of a block, whose fields must have the shapes that JSON-RPC gives them. */
export function readForkHeader(block: Record<string, unknown>, place: AnswerPath): ForkHeader {
  const fields = new Set<headers.HeaderName>()
  const header = headers.makeHeader((name) => {
    const { kind, since, json = name, isEncoded } = headers.headerField(name)
    const value = block[json] ?? undefined
    const isOptional = since !== undefined || OPTIONAL.has(name)
    if (isEncoded === false || (isOptional && value === undefined)) return undefined
    fields.add(name)
    const [, at] = fieldIn(block, json, place)
    if (kind === 'amount' || kind === 'gas') return answeredAmount(value, at)
    if (kind === 'integer') return answeredInteger(value, at)
    const hex = answeredHex(value, at, FIELD_KINDS[kind].length)
    return kind === 'bytes' || kind === 'bloom' ? hexToBytes(hex) : hex
  })
  if (header.timestamp > MOST_TIMESTAMP)
    refuseAnswer({ ...place, path: `${place.path}.timestamp` }, 'seconds')
  const { totalDifficulty } = block
  return {
    ...header,
    fields,
    hash: answeredHash(...fieldIn(block, 'hash', place)),
    totalDifficulty:
      (totalDifficulty ?? undefined) === undefined
        ? header.difficulty
        : answeredAmount(...fieldIn(block, 'totalDifficulty', place)),
  }
}

/** Refuses a header whose hash is not that of its fields, for forks that take its roots as true. */
export function expectOwnHash(header: ForkHeader, place: AnswerPath): void {
  const names = headers.HEADER_NAMES.filter((name) => header.fields.has(name))
  const own = keccak256Hex(encodeItems(names.map((name) => header[name])))
  if (own !== header.hash)
    refuseAnswer({ ...place, path: `${place.path}.hash` }, `the hash of its fields, ${own}`)
}
