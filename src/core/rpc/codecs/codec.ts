// Codecs: decoders of values from users, in parameters, arguments and options; those of whole numbers.

import { ERROR_TABLE, TickchainError } from '../../primitives/errors.ts'
import type { Hex } from '../../primitives/hex.ts'
import { MAX_GAS_LIMIT, MAX_UINT64, MAX_UINT256 } from '../../primitives/numbers.ts'
import { describe, textOf } from '../../primitives/text-of.ts'

/** Insertions, deletions and changes of a character that make one text another (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}

function sortedLetters(name: string): string {
  return [...name].sort().join('')
}

/** Longer names are not typing errors of a known one. */
const MOST_CHARACTERS = 40

/** The nearest of some names: one that begins alike, or differs in `most` characters, a third of them by default. */
export function nearestName(given: string, names: readonly string[], most = Math.floor(given.length / 3)) {
  if (given.length > MOST_CHARACTERS) return undefined
  const asked = given.toLowerCase()
  let nearest: string | undefined
  let least = most + 1
  for (const name of names) {
    if (Math.abs(name.length - asked.length) >= least) continue
    const known = name.toLowerCase()
    // Letters in another order, such as frok, are one mistake.
    const distance =
      sortedLetters(asked) === sortedLetters(known) && asked !== known ? 1 : editDistance(asked, known)
    if (distance < least) [nearest, least] = [name, distance]
  }
  const longer = names.filter((name) => asked.length >= 4 && name.toLowerCase().startsWith(asked))
  return nearest ?? (longer.length === 1 ? longer[0] : undefined)
}

/** Decodes a value; `Wire` is what a user may write. */
export interface Codec<Value, Wire = unknown> {
  /** Its name in the documentation. */
  readonly name: string
  /** Decodes a value; throws a `Refusal` that names the `path` to it. */
  readonly decode: (value: unknown, path: string) => Value
  /** Absent at run time: carries the wire type. */
  readonly wire?: Wire
}

/** A refused value; `withRefusalsAs` turns it into the error of a parameter, an argument or an option. */
export class Refusal extends TickchainError {
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string) {
    const { code, message } = ERROR_TABLE.invalidParameter
    super('invalidParameter', code, message({ path, reason }))
    this.path = path
    this.reason = reason
  }
}

/** A failure to read the value, such as a getter that throws, counts as a refusal of the path. */
export function asRefusal(path: string, error: unknown, toError: (refusal: Refusal) => TickchainError) {
  if (error instanceof TickchainError) return error instanceof Refusal ? toError(error) : error
  const refusal = new Refusal(path, `cannot be read: ${textOf(error)}`)
  return Object.assign(toError(refusal), { cause: error })
}

export function withRefusalsAs<Value>(
  path: string,
  toError: (refusal: Refusal) => TickchainError,
  decode: () => Value,
): Value {
  try {
    return decode()
  } catch (error) {
    throw asRefusal(path, error, toError)
  }
}

export function refuse(path: string, reason: string): never {
  throw new Refusal(path, reason)
}

export function mismatch(expected: string, value: unknown): string {
  return `expected ${expected}, got ${describe(value)}`
}

export function refuseValue(path: string, expected: string, value: unknown): never {
  refuse(path, mismatch(expected, value))
}

/** The upstream of a fork has contents of blocks up to the fork; the chain itself has the state from it on. */
export type Subject = 'block' | 'state' | 'transaction' | undefined

export interface Parameter<Value, Wire = unknown, About extends Subject = Subject> {
  readonly name: string
  readonly codec: Codec<Value, Wire>
  readonly isRequired: boolean
  readonly fallback: Value
  readonly subject: About
}

/** A parameter; a read on a fork asks the upstream about what its `subject` names. */
export function required<Value, Wire, const About extends Subject = undefined>(
  name: string,
  codec: Codec<Value, Wire>,
  subject?: About,
): Parameter<Value, Wire, NoInfer<About>> {
  return { name, codec, isRequired: true, fallback: undefined as Value, subject: subject as About }
}

/** A parameter that may be absent or null. */
export function optional<Value, Wire, const About extends Subject = undefined>(
  name: string,
  codec: Codec<Value, Wire>,
  fallback: Value,
  subject?: About,
): Parameter<Value, Wire | null | undefined, NoInfer<About>> {
  return {
    name,
    codec: codec as Codec<Value, Wire | null | undefined>,
    isRequired: false,
    fallback,
    subject: subject as About,
  }
}

/** A whole number: a bigint, a JavaScript integer, or a hex or decimal string. */
export type Amount = bigint | number | string

/** Notations of a whole number in the words of a refusal, each with those before it. */
const NOTATIONS = [
  '',
  ', as hex or number',
  ', as hex, number or decimal string',
  ', as bigint, number, hex or decimal string',
]
const NUMBER = 0
/** The execution-apis have hex; the other emulators take JSON numbers, too. */
const QUANTITY = 1
/** Parameters of methods that come from emulators, which also accept decimal digits. */
const LENIENT = 2
/** Amounts in functions and options: JSON has no bigints. */
const ANY = 3

const HEX = /^0x[0-9a-fA-F]+$/
/** More digits than 256 bits have are not parsed. */
const DIGITS = /^[0-9]{1,80}$/

function read(value: unknown, notation: number): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value === 'bigint') return notation === ANY ? value : undefined
  if (typeof value !== 'string') return undefined
  const isNumber = (notation >= QUANTITY && HEX.test(value)) || (notation >= LENIENT && DIGITS.test(value))
  return isNumber ? BigInt(value) : undefined
}

function showBound(most: bigint): string {
  if (most === MAX_UINT256) return '2^256 - 1'
  if (most === MAX_GAS_LIMIT) return '2^63 - 1'
  return most === MAX_UINT64 ? '2^64 - 1' : `${most}`
}

function within(
  name: string,
  notation: number,
  most: bigint | number,
  least: bigint | number = 0n,
): Codec<bigint, never> {
  const expected = `a whole number from ${least} to ${showBound(BigInt(most))}${NOTATIONS[notation]}`
  return {
    name,
    decode(value, path) {
      const number = read(value, notation)
      const isWithin = number !== undefined && number >= least && number <= most
      return isWithin ? number : refuseValue(path, expected, value)
    },
  }
}

type HexOrNumber = Codec<bigint, Hex | number>
type TextOrNumber = Codec<bigint, string | number>

export const quantity: HexOrNumber = within('quantity', QUANTITY, MAX_UINT256)
export const uint64: HexOrNumber = within('quantity (64 bits)', QUANTITY, MAX_UINT64)
export const blockGasLimit: HexOrNumber = within('quantity (63 bits)', QUANTITY, MAX_GAS_LIMIT)
export const uint8: HexOrNumber = within('quantity (8 bits)', QUANTITY, 255)

/** An amount of wei or tokens, in methods that come from emulators. */
export const amount: TextOrNumber = within('amount', LENIENT, MAX_UINT256)
export const nonce: TextOrNumber = within('nonce', LENIENT, MAX_UINT64)
/** Seconds since the Unix epoch, as the other emulators take them. */
export const timestamp: TextOrNumber = within('timestamp', LENIENT, MAX_UINT64)

export function amountUpTo(most: bigint): Codec<bigint, Amount> {
  return within('amount', ANY, most)
}

export const anyAmount: Codec<bigint, Amount> = amountUpTo(MAX_UINT256)

export type WholeNumbers<Wire> = (least?: number, most?: number) => Codec<number, Wire>

function wholeNumbers<Wire>(name: string, notation: number): WholeNumbers<Wire> {
  return (least = 0, most = Number.MAX_SAFE_INTEGER) => {
    const { decode } = within(name, notation, most, least)
    return { name, decode: (value, path) => Number(decode(value, path)) }
  }
}

/** For JSON-RPC: hex, a JSON number, or decimal digits. */
export const integerFrom = wholeNumbers<Hex | number | string>('integer', LENIENT)
/** For functions and options: numbers. */
export const numberFrom = wholeNumbers<number>('number', NUMBER)

export const integer = integerFrom()
export const number = numberFrom()
