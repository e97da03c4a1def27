// Checks of an upstream's answers: an answer of another shape is an error that names the request.

import { failure } from '../primitives/errors.ts'
import { type Hash, type Hex, hexToBytes, isHexBytes, stripLeadingZeros } from '../primitives/hex.ts'

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

/** A field of an object in an answer, with its place. */
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
