// What a fault is told to be, checked: the same from a function call and from JSON.

import type { FaultAnswer, FaultRule } from '../../node/faults/fault.ts'
import { isMeant } from '../../node/faults/faults.ts'
import { type Hex, isHexBytes } from '../../primitives/hex.ts'
import { type Codec, describe, refuse } from './codec.ts'

/** What `chain.fault` takes: which requests go wrong, and how. */
export interface FaultOptions {
  /**
   * A method's name as the client sends it, or the beginning of names with a star behind it, as in 'eth_*'; or several.
   * The other names of a method are names of their own.
   */
  readonly method: string | readonly string[]
  /** Which of their requests, by the params; a pure function. Default all. Not to be had over JSON-RPC. */
  readonly params?: (params: readonly unknown[]) => boolean
  /** The JSON-RPC error that is answered. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Hex }
  /** The HTTP status that `chain.fetch` answers, from 400 to 599; elsewhere error -32005 for 429, -32002 for others. */
  readonly status?: number
  /** The body that goes with `status`. */
  readonly body?: string
  /** Virtual milliseconds that pass until the answer arrives. */
  readonly delayMs?: number
  /**
   * What gets lost on its way: the request, so that it is not carried out, or the answer, when it has been. Default
   * 'request' with `error` or `status`, which the client gets; without them it waits, until the chain is disposed of.
   */
  readonly lost?: 'request' | 'answer'
  /** How many blocks behind the head the node is that reads are answered from; genesis at most. */
  readonly blocksBehind?: number
  /** How many requests are spared first. Default 0. */
  readonly after?: number
  /** Of those that follow, one in so many goes wrong, the last of each run: with 3 the third, the sixth. Default 1. */
  readonly every?: number
  /** How likely one of these is to go wrong, drawn from the chain's seed. Default 1. */
  readonly probability?: number
  /** How many go wrong in all. Default all. */
  readonly times?: number
}

const FIELDS: { readonly [Name in keyof Required<FaultOptions>]: true } = {
  ...{ method: true, params: true, error: true, status: true, body: true, delayMs: true, lost: true },
  ...{ blocksBehind: true, after: true, every: true, probability: true, times: true },
}

/** Refuses a field, or the whole for the empty name. */
type Refuse = (field: string, expected: string, value: unknown) => never

type Given = { readonly [Name in keyof FaultOptions]?: unknown }

const MAX_MESSAGE_LENGTH = 10_000
const MAX_BODY_LENGTH = 1_000_000

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most
}

function readInteger(given: Given, name: keyof FaultOptions, least: number, no: Refuse): number | undefined {
  const value = given[name] ?? undefined
  const isWhole = Number.isSafeInteger(value) && (value as number) >= least
  if (value !== undefined && !isWhole) no(name, `a whole number from ${least}`, value)
  return value as number | undefined
}

function readMethods({ method }: Given, no: Refuse): readonly string[] {
  const methods: readonly unknown[] = Array.isArray(method) ? method : [method]
  const isName = (name: unknown): name is string => isText(name, 100) && /^[^*]+\*?$|^\*$/.test(name)
  if (methods.length === 0 || methods.length > 1000 || !methods.every(isName)) {
    no('method', 'the name of a method, one with a star at its end, or an array of them', method)
  }
  return methods as readonly string[]
}

function readError(error: unknown, no: Refuse): FaultAnswer {
  if (typeof error !== 'object' || error === null || Array.isArray(error)) {
    return no('error', 'an object with code and message', error)
  }
  const { code, message, data, ...rest } = error as Record<string, unknown>
  for (const name of Object.keys(rest)) no(`error.${name}`, 'one of code, message, data', rest[name])
  if (!Number.isSafeInteger(code)) no('error.code', 'a whole number', code)
  if (!isText(message, MAX_MESSAGE_LENGTH)) return no('error.message', 'a text', message)
  if (data !== undefined && data !== null && !isHexBytes(data)) no('error.data', 'bytes of hex', data)
  return { kind: 'error', code: code as number, message, data: (data ?? undefined) as Hex | undefined }
}

const HTTP_WORDS: Readonly<Record<number, string>> = {
  429: 'too many requests',
  500: 'internal server error',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

function readAnswer(given: Given, no: Refuse): FaultAnswer | undefined {
  const { error, status, body } = given
  if (error !== undefined && error !== null) {
    if ((status ?? undefined) !== undefined) no('status', 'no status beside an error', status)
    return readError(error, no)
  }
  if (status === undefined || status === null) {
    if ((body ?? undefined) !== undefined) no('body', 'a body only with a status', body)
    return undefined
  }
  const isFailure = Number.isSafeInteger(status) && (status as number) >= 400 && (status as number) <= 599
  if (!isFailure) no('status', 'an HTTP status from 400 to 599', status)
  const words = body ?? HTTP_WORDS[status as number] ?? 'error'
  if (!isText(words, MAX_BODY_LENGTH)) return no('body', 'a text', words)
  return { kind: 'http', status: status as number, body: words }
}

function readLost({ lost }: Given, no: Refuse): FaultRule['lost'] {
  if (lost === undefined || lost === null) return undefined
  return lost === 'request' || lost === 'answer' ? lost : no('lost', 'request or answer', lost)
}

/** Fields that say nothing together. */
function checkTogether({ answer, delayMs, lost, blocksBehind }: FaultRule, no: Refuse, value: unknown): void {
  const hasEffect = [answer, delayMs, lost, blocksBehind].some((effect) => effect !== undefined)
  if (!hasEffect) no('', 'one of error, status, delayMs, lost and blocksBehind', value)
  if (delayMs !== undefined && lost !== undefined && answer === undefined) {
    no('delayMs', 'no delay for what is lost, unless an error or a status arrives', delayMs)
  }
  if (blocksBehind !== undefined && (answer !== undefined || lost !== undefined)) {
    no('blocksBehind', 'no blocksBehind for what is not answered', blocksBehind)
  }
}

/** Reads a fault; `no` says whose argument it was. */
export function readFault(value: unknown, no: Refuse): FaultRule {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return no('', 'an object', value)
  const given: Given = value
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(FIELDS, name)) no(name, `one of ${Object.keys(FIELDS).join(', ')}`, 'an unknown field')
  }
  const { params } = given
  if (params !== undefined && typeof params !== 'function') no('params', 'a function', params)
  const probability = given.probability ?? 1
  const isProbability = typeof probability === 'number' && probability > 0 && probability <= 1
  if (!isProbability) no('probability', 'a number above 0, up to 1', probability)
  const rule: FaultRule = {
    methods: readMethods(given, no),
    concerns: params as FaultRule['concerns'],
    answer: readAnswer(given, no),
    delayMs: readInteger(given, 'delayMs', 0, no),
    lost: readLost(given, no),
    blocksBehind: readInteger(given, 'blocksBehind', 1, no),
    after: readInteger(given, 'after', 0, no) ?? 0,
    every: readInteger(given, 'every', 1, no) ?? 1,
    probability,
    times: readInteger(given, 'times', 1, no) ?? Number.POSITIVE_INFINITY,
  }
  checkTogether(rule, no, value)
  return rule
}

/** Begins the names of methods that no fault reaches: a test must be able to end one. */
export const FAULTLESS_PREFIX = 'tickchain_'

/** The names of methods that a fault may reach, as requests have them. */
export function faultable(names: readonly string[], chainPrefix: string): string[] {
  return names
    .filter((name) => !name.startsWith(FAULTLESS_PREFIX))
    .map((name) => name.replace(/^base_/, `${chainPrefix}_`))
}

/** The first of some names and patterns that means no method. */
export function unmeant({ methods }: FaultRule, names: readonly string[]): string | undefined {
  return methods.find((pattern) => !names.some((name) => isMeant(pattern, name)))
}

export const fault: Codec<FaultRule, Omit<FaultOptions, 'params'>> = {
  name: 'fault',
  decode: (value, path) =>
    readFault(value, (field, expected, got) => {
      refuse(
        field === '' ? path : `${path}.${field}`,
        `expected ${expected}, got ${got === undefined ? 'nothing' : describe(got)}`,
      )
    }),
}
