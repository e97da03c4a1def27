// The assertions of Foundry's cheatcodes, with the words of forge 1.7.1.

import type { AbiValue } from '../../primitives/abi.ts'
import { toChecksumAddress } from '../../primitives/address.ts'
import type { Address } from '../../primitives/hex.ts'

type Relation = (left: bigint, right: bigint) => boolean

const ORDER: Readonly<Record<string, readonly [opposite: string, holds: Relation]>> = {
  Lt: ['>=', (left, right) => left < right],
  Gt: ['<=', (left, right) => left > right],
  Le: ['>', (left, right) => left <= right],
  Ge: ['<', (left, right) => left >= right],
}

/** Why arguments do not hold; `undefined` if they do. */
type Reason = (args: readonly AbiValue[]) => string | undefined

/** An assertion, by its signature. */
export type Assertion = readonly [signature: string, reasonOf: Reason]

/** In the words for an assertion that has none of its own. */
const FAILED = 'assertion failed'

/** An assertion of some values, as vm has it for each type, with words of its own and without. Words are the last. */
function assertionsOf(name: string, types: readonly string[], reasonOf: Reason): readonly Assertion[] {
  const check =
    (own: boolean): Reason =>
    (args) => {
      const reason = reasonOf(args)
      if (reason === undefined) return undefined
      const words = own ? String(args[types.length]) : FAILED
      return reason === '' ? words : `${words}: ${reason}`
    }
  return [
    [`${name}(${types.join(',')})`, check(false)],
    [`${name}(${[...types, 'string'].join(',')})`, check(true)],
  ]
}

function textOf(type: string, value: AbiValue): string {
  if (Array.isArray(value)) {
    const element = type.replace(/\[\]$/, '')
    return `[${value.map((each) => textOf(element, each)).join(', ')}]`
  }
  return type === 'address' ? toChecksumAddress(value as Address) : String(value)
}

/** A number as one of so many decimals. */
function decimalText(value: AbiValue, decimals: AbiValue | undefined): string {
  const number = value as bigint
  const places = Number(decimals)
  const digits = `${number < 0n ? -number : number}`.padStart(places + 1, '0')
  const at = digits.length - places
  return `${number < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at) || '0'}`
}

function isSame(left: AbiValue, right: AbiValue): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right
  return left.length === right.length && left.every((each, index) => each === right[index])
}

function compared(
  type: string,
  opposite: string,
  holds: (left: AbiValue, right: AbiValue) => boolean,
): Reason {
  return ([left = 0n, right = 0n]) =>
    holds(left, right) ? undefined : `${textOf(type, left)} ${opposite} ${textOf(type, right)}`
}

function distance(left: bigint, right: bigint): bigint {
  return left < right ? right - left : left - right
}

const WHOLE = 10n ** 18n
const MOST = 2n ** 256n

/** A part of 10^18 in percent, with the digits that forge shows. */
function percent(part: bigint): string {
  const digits = `${part}`.padStart(17, '0')
  return `${digits.slice(0, -16)}.${digits.slice(-16)}%`
}

/** How a value is shown; the arguments after those that are compared may say. */
type Show = (value: bigint, args: readonly AbiValue[]) => string

const plain: Show = (value) => `${value}`

const closeAbsolute =
  (show: Show): Reason =>
  (args) => {
    const [left, right, most] = args as readonly [bigint, bigint, bigint]
    const delta = distance(left, right)
    if (delta <= most) return undefined
    const [a, b, limit, real] = [left, right, most, delta].map((value) => show(value, args))
    return `${a} !~= ${b} (max delta: ${limit}, real delta: ${real})`
  }

const closeRelative =
  (show: Show): Reason =>
  (args) => {
    const [left, right, most] = args as readonly [bigint, bigint, bigint]
    const [a, b] = [show(left, args), show(right, args)]
    const delta = distance(left, right)
    const limit = `max delta: ${percent(most)}`
    if (right === 0n) return left === 0n ? undefined : `${a} !~= ${b} (${limit}, real delta: undefined)`
    if (delta * WHOLE >= MOST) return 'overflow in delta calculation'
    const part = (delta * WHOLE) / distance(right, 0n)
    return part <= most ? undefined : `${a} !~= ${b} (${limit}, real delta: ${percent(part)})`
  }

/** The assertions of numbers in decimals, of which the last argument is the number. */
function decimalAssertions(type: string): readonly Assertion[] {
  const of = (name: string, opposite: string, holds: Relation): readonly Assertion[] =>
    assertionsOf(`${name}Decimal`, [type, type, 'uint256'], ([left = 0n, right = 0n, decimals]) =>
      holds(left as bigint, right as bigint)
        ? undefined
        : `${decimalText(left, decimals)} ${opposite} ${decimalText(right, decimals)}`,
    )
  const show: Show = (value, [, , , decimals]) => decimalText(value, decimals)
  return [
    ...of('assertEq', '!=', (left, right) => left === right),
    ...of('assertNotEq', '==', (left, right) => left !== right),
    ...Object.entries(ORDER).flatMap(([name, [opposite, holds]]) => of(`assert${name}`, opposite, holds)),
    ...assertionsOf('assertApproxEqAbsDecimal', [type, type, 'uint256', 'uint256'], closeAbsolute(show)),
    ...assertionsOf('assertApproxEqRelDecimal', [type, type, 'uint256', 'uint256'], closeRelative(show)),
  ]
}

const VALUES = ['bool', 'uint256', 'int256', 'address', 'bytes32', 'string', 'bytes']

export const ASSERTIONS: readonly Assertion[] = [
  ...assertionsOf('assertTrue', ['bool'], ([value]) => (value === true ? undefined : '')),
  ...assertionsOf('assertFalse', ['bool'], ([value]) => (value === false ? undefined : '')),
  ...[...VALUES, ...VALUES.map((type) => `${type}[]`)].flatMap((type) => [
    ...assertionsOf('assertEq', [type, type], compared(type, '!=', isSame)),
    ...assertionsOf(
      'assertNotEq',
      [type, type],
      compared(type, '==', (left, right) => !isSame(left, right)),
    ),
  ]),
  ...['uint256', 'int256'].flatMap((type) => [
    ...Object.entries(ORDER).flatMap(([name, [opposite, holds]]) =>
      assertionsOf(`assert${name}`, [type, type], compared(type, opposite, holds as never)),
    ),
    ...assertionsOf('assertApproxEqAbs', [type, type, 'uint256'], closeAbsolute(plain)),
    ...assertionsOf('assertApproxEqRel', [type, type, 'uint256'], closeRelative(plain)),
    ...decimalAssertions(type),
  ]),
]
