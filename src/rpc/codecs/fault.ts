// Codec of faults, for a function call and for JSON.

import type { FaultAnswer, FaultRule } from '../../node/faults/fault.ts'
import { isMeant } from '../../node/faults/faults.ts'
import type { Hex } from '../../primitives/hex.ts'
import { asFields, type Fields, field, hexData, needed, oneOf, takenIf } from './basic.ts'
import { type Codec, describe, refuse, refuseValue } from './codec.ts'
import { number, numberFrom } from './numbers.ts'

/** What `chain.fault` takes: which requests go wrong, and how. */
export interface FaultOptions {
  /**
   * A method's name as the client sends it, or the beginning of names with a star behind it, as in 'eth_*'; or several.
   * The other names of a method are names of their own.
   */
  readonly method: string | readonly string[]
  /** Which of their requests, by the params; a pure function. Default all. Not available over JSON-RPC. */
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
   * What gets lost on its way. `'request'`: not executed. `'answer'`: executed, answer lost. Default `'request'`
   * with `error` or `status`, which the client gets; without them it waits, until the chain is disposed of.
   */
  readonly lost?: 'request' | 'answer'
  /** How many blocks behind the head the node is that reads are answered from; genesis at most. */
  readonly blocksBehind?: number
  /** How many requests are spared first. Default 0. */
  readonly after?: number
  /** Every n-th matching request fails: with 3 the third, the sixth. Default 1. */
  readonly every?: number
  /** How likely one of these is to go wrong, drawn from the chain's seed. Default 1. */
  readonly probability?: number
  /** How many go wrong in all. Default all. */
  readonly times?: number
}

const FIELDS = [
  ...['method', 'params', 'error', 'status', 'body', 'delayMs', 'lost', 'blocksBehind'],
  ...['after', 'every', 'probability', 'times'],
] as const satisfies readonly (keyof FaultOptions)[]

type Given = Fields<(typeof FIELDS)[number]>

const MAX_MESSAGE_LENGTH = 10_000
const MAX_BODY_LENGTH = 1_000_000
const MAX_METHODS = 1000

function textUpTo(most: number): Codec<string> {
  const expected = `a text of up to ${most} characters`
  return takenIf(expected, (value): value is string => typeof value === 'string' && value.length <= most)
}

const methods: Codec<readonly string[]> = {
  name: 'methods',
  decode(value, path) {
    const names: readonly unknown[] = Array.isArray(value) ? value : [value]
    const isName = (name: unknown): name is string =>
      typeof name === 'string' && name.length <= 100 && /^[^*]+\*?$|^\*$/.test(name)
    if (names.length === 0 || names.length > MAX_METHODS || !names.every(isName)) {
      refuseValue(path, 'the name of a method, one with a star at its end, or an array of them', value)
    }
    return names
  },
}

type Predicate = NonNullable<FaultRule['concerns']>

const predicate = takenIf('a function', (value): value is Predicate => typeof value === 'function')

const probability = takenIf(
  'a number above 0, up to 1',
  (value): value is number => typeof value === 'number' && value > 0 && value <= 1,
)

const httpStatus = takenIf(
  'an HTTP status from 400 to 599',
  (value): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 400 && (value as number) <= 599,
)

const errorAnswer: Codec<FaultAnswer> = {
  name: 'error',
  decode(value, path) {
    const record = asFields(value, path, ['code', 'message', 'data'])
    return {
      kind: 'error',
      code: needed(record, 'code', numberFrom(Number.MIN_SAFE_INTEGER), path),
      message: needed(record, 'message', textUpTo(MAX_MESSAGE_LENGTH), path),
      data: field(record, 'data', hexData, path),
    }
  },
}

const HTTP_WORDS: Readonly<Record<number, string>> = {
  429: 'too many requests',
  500: 'internal server error',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

function readAnswer(given: Given, path: string): FaultAnswer | undefined {
  const error = field(given, 'error', errorAnswer, path)
  const status = field(given, 'status', httpStatus, path)
  const body = field(given, 'body', textUpTo(MAX_BODY_LENGTH), path)
  if (error !== undefined && status !== undefined) {
    refuseValue(`${path}.status`, 'no status beside an error', status)
  }
  if (status !== undefined) return { kind: 'http', status, body: body ?? HTTP_WORDS[status] ?? 'error' }
  if (body !== undefined) refuseValue(`${path}.body`, 'a body only with a status', body)
  return error
}

/** Refuses combinations of fields that have no meaning. */
function checkTogether(
  { answer, delayMs, lost, blocksBehind }: FaultRule,
  path: string,
  value: unknown,
): void {
  const hasEffect = [answer, delayMs, lost, blocksBehind].some((effect) => effect !== undefined)
  if (!hasEffect) refuseValue(path, 'one of error, status, delayMs, lost and blocksBehind', value)
  if (delayMs !== undefined && lost !== undefined && answer === undefined) {
    const expected = 'no delay for what is lost, unless an error or a status arrives'
    refuseValue(`${path}.delayMs`, expected, delayMs)
  }
  if (blocksBehind !== undefined && (answer !== undefined || lost !== undefined)) {
    refuseValue(`${path}.blocksBehind`, 'no blocksBehind for what is not answered', blocksBehind)
  }
}

/** A fault, the same in a request and in a function, but for the predicate, which JSON cannot hold. */
export const fault: Codec<FaultRule, Omit<FaultOptions, 'params'>> = {
  name: 'fault',
  decode(value, path) {
    const given = asFields(value, path, FIELDS)
    const rule: FaultRule = {
      methods: needed(given, 'method', methods, path),
      concerns: field(given, 'params', predicate, path),
      answer: readAnswer(given, path),
      delayMs: field(given, 'delayMs', number, path),
      lost: field(given, 'lost', oneOf(['request', 'answer']), path),
      blocksBehind: field(given, 'blocksBehind', numberFrom(1), path),
      after: field(given, 'after', number, path) ?? 0,
      every: field(given, 'every', numberFrom(1), path) ?? 1,
      probability: field(given, 'probability', probability, path) ?? 1,
      times: field(given, 'times', numberFrom(1), path) ?? Number.POSITIVE_INFINITY,
    }
    checkTogether(rule, path, value)
    return rule
  },
}

/** Prefix of the methods that never fail by a fault, so that a test can always end one. */
export const FAULTLESS_PREFIX = 'tickchain_'

/** The names of methods that a fault may reach, as requests have them. */
export function faultable(names: readonly string[], chainPrefix: string): string[] {
  return names
    .filter((name) => !name.startsWith(FAULTLESS_PREFIX))
    .map((name) => name.replace(/^base_/, `${chainPrefix}_`))
}

/** Refuses a fault with a name or pattern that matches no method. */
export function checkMeant(rule: FaultRule, names: readonly string[], path: string): void {
  const unknown = rule.methods.find((pattern) => !names.some((name) => isMeant(pattern, name)))
  if (unknown !== undefined) refuse(`${path}.method`, `there is no method ${describe(unknown)}`)
}
