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

/** An assertion of some values, as vm has it for each type, with words of its own and without. */
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

const closeAbsolute: Reason = (args) => {
  const [left, right, most] = args as readonly [bigint, bigint, bigint]
  const delta = distance(left, right)
  return delta <= most ? undefined : `${left} !~= ${right} (max delta: ${most}, real delta: ${delta})`
}

const closeRelative: Reason = (args) => {
  const [left, right, most] = args as readonly [bigint, bigint, bigint]
  const delta = distance(left, right)
  const limit = `max delta: ${percent(most)}`
  if (right === 0n) return left === 0n ? undefined : `${left} !~= 0 (${limit}, real delta: undefined)`
  if (delta * WHOLE >= MOST) return 'overflow in delta calculation'
  const part = (delta * WHOLE) / distance(right, 0n)
  return part <= most ? undefined : `${left} !~= ${right} (${limit}, real delta: ${percent(part)})`
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
    ...assertionsOf('assertApproxEqAbs', [type, type, 'uint256'], closeAbsolute),
    ...assertionsOf('assertApproxEqRel', [type, type, 'uint256'], closeRelative),
  ]),
]
