// Checks of an upstream's answers: an answer of another shape is an error that names the request.

import { keccak256Hex } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { FIELD_KINDS } from '../primitives/fields.ts'
import { type Hash, hexToBytes, stripLeadingZeros } from '../primitives/hex.ts'
import { ForeignJson } from '../primitives/json-reader.ts'
import { encodeItems } from '../primitives/rlp.ts'
import * as headers from '../rollup/header.ts'
import { nameOfRequest } from './upstream.ts'

/** An answer of the upstream, whose parts of another shape throw `upstreamAnswer`. */
export function answerTo(value: unknown, method: string, params?: readonly unknown[]): ForeignJson {
  return new ForeignJson(value, 'result', (reason) => {
    const request = params === undefined ? method : nameOfRequest(method, params)
    return failure('upstreamAnswer', { request, reason })
  })
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

/** A number; nodes differ in leading zeros. */
export function quantityIn(answer: ForeignJson): bigint {
  const { value } = answer
  return typeof value === 'string' && QUANTITY.test(value)
    ? BigInt(value)
    : answer.refuse('a quantity in hex')
}

export function safeQuantityIn(answer: ForeignJson): number {
  const amount = quantityIn(answer)
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : answer.refuse('a number below 2^53')
}

/** The value of a slot without leading zeros: a word, or a quantity as in proofs. */
export function slotValueIn(answer: ForeignJson): Uint8Array {
  const { value } = answer
  if (typeof value !== 'string' || !QUANTITY.test(value)) return answer.refuse('up to 32 bytes of hex')
  const digits = value.slice(2)
  return stripLeadingZeros(hexToBytes(`0x${digits.length % 2 === 0 ? '' : '0'}${digits}`)).slice()
}

/** A JSON number, as in configurations. */
export function jsonNumberIn(answer: ForeignJson, least: number): number {
  const { value } = answer
  const isCount = Number.isSafeInteger(value) && (value as number) >= least
  return isCount ? (value as number) : answer.refuse(`a whole number from ${least}`)
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
function checkLog(log: ForeignJson, filter: Record<string, unknown>): void {
  const { fromBlock, toBlock, address = [], topics = [] } = filter
  const number = safeQuantityIn(log.field('blockNumber'))
  if (number < Number(fromBlock) || number > Number(toBlock))
    log.field('blockNumber').refuse(`one from ${fromBlock} to ${toBlock}`)
  log.field('blockHash').hex(32)
  if (log.field('removed').value === true) log.field('removed').refuse('false')
  const isAmong = (any: unknown, value: unknown): boolean => {
    const list: readonly unknown[] = Array.isArray(any) ? any : [any]
    return list.length === 0 || list.some((each) => `${each}`.toLowerCase() === `${value}`.toLowerCase())
  }
  if (!isAmong(address, log.field('address').value)) log.field('address').refuse(`${address}`)
  const own = log.field('topics').array()
  for (const [index, any] of (topics as readonly unknown[]).entries())
    if (any !== null && !isAmong(any, own[index])) log.field('topics').refuse(`${any} at ${index}`)
}

/** Throws `upstreamAnswer`. */
export function checkAnswer(method: string, params: readonly unknown[], value: unknown): void {
  const answer = answerTo(value, method, params)
  const list = LISTS.has(method) ? answer.items() : []
  const name = REPEATED.get(method)
  const [asked] = params
  if (method === 'eth_getLogs') for (const log of list) checkLog(log, answer.at('', asked).object())
  // Nothing is there, or a tag was asked for.
  if (name === undefined || value === null || !`${asked}`.startsWith('0x')) return
  const repeated = answer.field(name)
  const isSame =
    name === 'number'
      ? safeQuantityIn(repeated) === Number(asked)
      : repeated.hex(32) === `${asked}`.toLowerCase()
  if (!isSame) repeated.refuse(`${asked}`)
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
export function readForkHeader(block: ForeignJson): ForkHeader {
  const fields = new Set<headers.HeaderName>()
  const header = headers.makeHeader((name) => {
    const { kind, since, json = name, isEncoded } = headers.headerField(name)
    const field = block.field(json)
    const isOptional = since !== undefined || OPTIONAL.has(name)
    if (isEncoded === false || (isOptional && (field.value ?? undefined) === undefined)) return undefined
    fields.add(name)
    if (kind === 'amount' || kind === 'gas') return quantityIn(field)
    if (kind === 'integer') return safeQuantityIn(field)
    const hex = field.hex(FIELD_KINDS[kind].length)
    return kind === 'bytes' || kind === 'bloom' ? hexToBytes(hex) : hex
  })
  if (header.timestamp > MOST_TIMESTAMP) block.field('timestamp').refuse('seconds')
  return {
    ...header,
    fields,
    hash: block.field('hash').hex(32),
    totalDifficulty: block.field('totalDifficulty').optional(quantityIn) ?? header.difficulty,
  }
}

/** The RLP of the fields that a header has. */
export function encodeForkHeader(header: ForkHeader): Uint8Array {
  const names = headers.HEADER_NAMES.filter((name) => header.fields.has(name))
  return encodeItems(names.map((name) => header[name]))
}

/** Refuses a header whose hash is not that of its fields, for forks that take its roots as true. */
export function expectOwnHash(header: ForkHeader, block: ForeignJson): void {
  const own = keccak256Hex(encodeForkHeader(header))
  if (own !== header.hash) block.field('hash').refuse(`the hash of its fields, ${own}`)
}
