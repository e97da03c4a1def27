// Codec of faults, for a function call and for JSON.

import type { FaultAnswer, FaultRule } from '../../node/control/controls.ts'
import { matchesPattern } from '../../node/faults/faults.ts'
import type { Hex } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { hexData, identityCodec, oneOf } from './basic.ts'
import { type Codec, number, numberFrom, refuse, refuseValue } from './codec.ts'
import { converted, need, or, recordCodec } from './object.ts'

/** The options of `chain.fault`: which requests go wrong, and how. */
export interface FaultOptions {
  /**
   * A method by the name in the request, the beginning of names followed by a star, as in 'eth_*', or several of them.
   * Aliases of a method are separate names.
   */
  readonly method: string | readonly string[]
  /** Which of these requests, by their params; a pure function. Default all. Not available over JSON-RPC. */
  readonly params?: (params: readonly unknown[]) => boolean
  /** The JSON-RPC error of the answer. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Hex }
  /** The HTTP status of `chain.fetch`, from 400 to 599; elsewhere error -32005 for 429, -32002 for others. */
  readonly status?: number
  /** The body of the response with `status`. */
  readonly body?: string
  /** Virtual milliseconds until the answer arrives. */
  readonly delayMs?: number
  /**
   * The message that gets lost. `'request'`: not executed. `'answer'`: executed, answer lost. Default `'request'` if `error` or
   * `status` is set: the client gets that. Without them it waits until the chain is disposed of.
   */
  readonly lost?: 'request' | 'answer'
  /** Blocks by which the node that answers reads is behind the head; genesis at most. */
  readonly blocksBehind?: number
  /** Requests that are let through first. Default 0. */
  readonly after?: number
  /** Every n-th matching request fails: with 3 the third, the sixth. Default 1. */
  readonly every?: number
  /** The probability that one of these goes wrong, drawn from the chain's seed. Default 1. */
  readonly probability?: number
  /** The most requests that go wrong. Default all. */
  readonly times?: number
}

const MAX_MESSAGE_LENGTH = 10_000
const MAX_BODY_LENGTH = 1_000_000
const MAX_METHODS = 1000

function numberWithin(expected: string, least: number, most: number, isValid = (_: unknown) => true) {
  const isWithin = (value: unknown): value is number =>
    typeof value === 'number' && value >= least && value <= most && isValid(value)
  return identityCodec(expected, isWithin)
}

function textUpTo(most: number): Codec<string> {
  return identityCodec(
    `a text of up to ${most} characters`,
    (value): value is string => typeof value === 'string' && value.length <= most,
  )
}

const methods: Codec<readonly string[]> = {
  name: 'methods',
  decode(value, path) {
    const names: readonly unknown[] = Array.isArray(value) ? value : [value]
    const isName = (name: unknown): name is string =>
      typeof name === 'string' && name.length <= 100 && /^[^*]+\*?$|^\*$/.test(name)
    const isList = names.length > 0 && names.length <= MAX_METHODS && names.every(isName)
    const expected = 'the name of a method, one with a star at its end, or an array of them'
    return isList ? names : refuseValue(path, expected, value)
  },
}

type Predicate = NonNullable<FaultRule['concerns']>

const errorAnswer = converted(
  recordCodec({
    code: need(numberFrom(Number.MIN_SAFE_INTEGER)),
    message: need(textUpTo(MAX_MESSAGE_LENGTH)),
    data: hexData,
  }),
  (error): FaultAnswer => ({ kind: 'error', ...error }),
)

const fields = recordCodec(
  {
    method: need(methods),
    params: identityCodec('a function', (value): value is Predicate => typeof value === 'function'),
    error: errorAnswer,
    status: numberWithin('an HTTP status from 400 to 599', 400, 599, Number.isSafeInteger),
    body: textUpTo(MAX_BODY_LENGTH),
    delayMs: number,
    lost: oneOf(['request', 'answer']),
    blocksBehind: numberFrom(1),
    after: or(number, 0),
    every: or(numberFrom(1), 1),
    probability: or(numberWithin('a number above 0, up to 1', Number.MIN_VALUE, 1), 1),
    times: or(numberFrom(1), Number.POSITIVE_INFINITY),
  },
  'fault',
)

const HTTP_WORDS: Readonly<Record<number, string>> = {
  429: 'too many requests',
  500: 'internal server error',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

function checkTogether({ answer, delayMs, lost, blocksBehind }: FaultRule, path: string, value: unknown) {
  const hasEffect = [answer, delayMs, lost, blocksBehind].some((effect) => effect !== undefined)
  if (!hasEffect) refuseValue(path, 'one of error, status, delayMs, lost and blocksBehind', value)
  const expected = 'no delay for what is lost, unless an error or a status arrives'
  if (delayMs !== undefined && lost !== undefined && answer === undefined)
    refuseValue(`${path}.delayMs`, expected, delayMs)
  if (blocksBehind !== undefined && (answer !== undefined || lost !== undefined))
    refuseValue(`${path}.blocksBehind`, 'no blocksBehind for what is not answered', blocksBehind)
}

/** A fault, in a request or a function. JSON has no predicate. */
export const fault: Codec<FaultRule, Omit<FaultOptions, 'params'>> = {
  name: fields.name,
  decode(value, path) {
    const { method, params, error, status, body, ...others } = fields.decode(value, path)
    if (error !== undefined && status !== undefined)
      refuseValue(`${path}.status`, 'no status beside an error', status)
    if (status === undefined && body !== undefined)
      refuseValue(`${path}.body`, 'a body only with a status', body)
    const words = body ?? HTTP_WORDS[status ?? 0] ?? 'error'
    const answer: FaultAnswer | undefined =
      status === undefined ? error : { kind: 'http', status, body: words }
    const rule: FaultRule = { methods: method, concerns: params, answer, ...others }
    checkTogether(rule, path, value)
    return rule
  },
}

/** Prefix of the methods that are never affected by a fault, so that a test can always remove one. */
export const FAULTLESS_PREFIX = 'tickchain_'

/** The names of methods that a fault may affect, as requests use them. */
export function faultable(names: readonly string[], chainPrefix: string): string[] {
  return names
    .filter((name) => !name.startsWith(FAULTLESS_PREFIX))
    .map((name) => name.replace(/^base_/, `${chainPrefix}_`))
}

/** The fault; refuses one with a name or pattern that matches no method. */
export function checkMethods(rule: FaultRule, names: readonly string[], path: string): FaultRule {
  const unknown = rule.methods.find((pattern) => !names.some((name) => matchesPattern(pattern, name)))
  return unknown === undefined ? rule : refuse(`${path}.method`, `there is no method ${describe(unknown)}`)
}
