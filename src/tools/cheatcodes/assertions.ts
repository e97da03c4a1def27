// The assertions of Foundry's cheatcodes, with the words of forge 1.7.1.

import type { AbiValue } from '../../core/primitives/abi.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import { shownValue, withPoint } from './values.ts'

/** The reason for which arguments do not hold; `undefined` if they do. */
type Check = (args: readonly AbiValue[]) => string | undefined
type Relation = (left: bigint, right: bigint) => boolean

/** Relations of numbers, by the end of the assertion's name. */
const ORDER: Readonly<Record<string, readonly [opposite: string, holds: Relation]>> = {
  Lt: ['>=', (left, right) => left < right],
  Gt: ['<=', (left, right) => left > right],
  Le: ['>', (left, right) => left <= right],
  Ge: ['<', (left, right) => left >= right],
}
const EQUALITY: typeof ORDER = {
  Eq: ['!=', (left, right) => left === right],
  NotEq: ['==', (left, right) => left !== right],
}

/** An assertion of values, with words of the test's own as the last argument, or without. */
function assertion(name: string, types: readonly string[], check: Check): Cheatcodes {
  return {
    [`${name}(${[...types, 'string?'].join(',')})`]: (_, ...args: readonly AbiValue[]) => {
      const reason = check(args)
      if (reason === undefined) return
      const words = args[types.length] ?? 'assertion failed'
      refuseWith(reason === '' ? `${words}` : `${words}: ${reason}`, 'assertion')
    },
  }
}

function isSame(left: AbiValue, right: AbiValue): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right
  return left.length === right.length && left.every((each, index) => each === right[index])
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

/** Shows a value; the arguments after those that are compared may say in which way. */
type Show = (value: bigint, args: readonly AbiValue[]) => string

const plain: Show = (value) => `${value}`

const closeAbsolute =
  (show: Show): Check =>
  (args) => {
    const [left, right, most] = args as readonly [bigint, bigint, bigint]
    const delta = distance(left, right)
    if (delta <= most) return undefined
    const [a, b, limit, real] = [left, right, most, delta].map((value) => show(value, args))
    return `${a} !~= ${b} (max delta: ${limit}, real delta: ${real})`
  }

const closeRelative =
  (show: Show): Check =>
  (args) => {
    const [left, right, most] = args as readonly [bigint, bigint, bigint]
    const [a, b] = [show(left, args), show(right, args)]
    const delta = distance(left, right)
    const limit = `max delta: ${percent(most)}`
    if (right === 0n) return left === 0n ? undefined : `${a} !~= ${b} (${limit}, real delta: undefined)`
    const part = (delta * WHOLE) / distance(right, 0n)
    if (part >= MOST) return 'overflow in delta calculation'
    return part <= most ? undefined : `${a} !~= ${b} (${limit}, real delta: ${percent(part)})`
  }

/** The assertions of numbers, whose names and types may end with something more. */
function ofNumbers(type: string, relations: typeof ORDER, end: string, more: string[], show: Show) {
  const rows = Object.entries(relations).map(([name, [opposite, holds]]) =>
    assertion(`assert${name}${end}`, [type, type, ...more], (args) => {
      const [left, right] = args as readonly [bigint, bigint]
      return holds(left, right) ? undefined : `${show(left, args)} ${opposite} ${show(right, args)}`
    }),
  )
  const closeTypes = [type, type, 'uint256', ...more]
  return Object.assign(
    {},
    ...rows,
    assertion(`assertApproxEqAbs${end}`, closeTypes, closeAbsolute(show)),
    assertion(`assertApproxEqRel${end}`, closeTypes, closeRelative(show)),
  )
}

function ofValues(type: string): Cheatcodes {
  const compared = (opposite: string, isEqual: boolean): Check => {
    return ([left = 0n, right = 0n]) =>
      isSame(left, right) === isEqual
        ? undefined
        : `${shownValue(type, left)} ${opposite} ${shownValue(type, right)}`
  }
  return {
    ...assertion('assertEq', [type, type], compared('!=', true)),
    ...assertion('assertNotEq', [type, type], compared('==', false)),
  }
}

const VALUES = ['bool', 'uint256', 'int256', 'address', 'bytes32', 'string', 'bytes']
/** The number of decimals is the last argument but for the test's own words. */
const inDecimals: Show = (value, args) => withPoint(value, args.at(-2))

export const ASSERTIONS: Cheatcodes = Object.assign(
  {},
  assertion('assertTrue', ['bool'], ([value]) => (value === true ? undefined : '')),
  assertion('assertFalse', ['bool'], ([value]) => (value === false ? undefined : '')),
  ...[...VALUES, ...VALUES.map((type) => `${type}[]`)].map(ofValues),
  ...['uint256', 'int256'].flatMap((type) => [
    ofNumbers(type, ORDER, '', [], plain),
    ofNumbers(type, { ...EQUALITY, ...ORDER }, 'Decimal', ['uint256'], inDecimals),
  ]),
)
