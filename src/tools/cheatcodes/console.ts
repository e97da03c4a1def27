// Calls of cheatcodes and of the console, and what a test tells by the console and by events of DSTest, in the words of forge.

import type { EvmMessage } from '../../core/execution/evm/covered-evm.ts'
import { CHEATCODES } from '../../core/execution/evm/pooled-evm.ts'
import { consoleParameters, selectorOf } from '../../core/execution/result/console-log.ts'
import * as abi from '../../core/primitives/abi.ts'
import { keccakOfText } from '../../core/primitives/crypto.ts'
import { bytesToHex, type Hash } from '../../core/primitives/hex.ts'
import { MALFORMED, revertingWith, tooShort } from './errors.ts'
import type { EmittedLog } from './expected-emits.ts'
import type { Mocking } from './mocking.ts'
import { decodeLoosely, shownValue, withPoint } from './values.ts'

/** The data of a call of the console, or an event. */
export type TestLog = Uint8Array | EmittedLog

/** Why a call of the console reverts; `undefined` for one that logs. */
function consoleRefusal(data: Uint8Array): string | undefined {
  if (data.length < 4) return tooShort('ConsoleCalls', data)
  const selector = bytesToHex(data.subarray(0, 4))
  const types = consoleParameters(data)
  // Old versions of console.sol have other selectors, which forge does not know.
  if (types === undefined || selectorOf(abi.signatureOf('log', types)) !== selector)
    return `unknown selector \`${selector}\` for ConsoleCalls`
  return decodeLoosely(types, data.subarray(4)) === undefined ? MALFORMED : undefined
}

/** Begins a call of a cheatcode, which takes no ether, or of the console. */
export function beginForTest(message: EvmMessage, mocking: Mocking, told: TestLog[]): void {
  if (message.to?.hex === CHEATCODES) {
    message.value = 0n
    return
  }
  const refusal = consoleRefusal(message.data)
  if (refusal === undefined) told.push(message.data)
  else mocking.refuse(message, revertingWith(refusal))
}

/** A number as a decimal without zeros at its end: 15 with one digit behind the point is 1.5. */
function shortDecimal(value: bigint, digits: number): string {
  return digits === 0 ? `${value}` : withPoint(value, BigInt(digits)).replace(/\.?0*$/, '')
}

const NO_NUMBER = 'NaN'

/** A number as its specifier wants it: `x`, or `e` with the digits behind the point, if it says how many. */
function numberAs(value: bigint, specifier: string): string {
  const [sign, digits] = [value < 0n ? '-' : '', `${value < 0n ? -value : value}`]
  if (specifier === 'x') return `${sign}0x${BigInt(digits).toString(16)}`
  if (!specifier.endsWith('e')) return `${value}`
  if (specifier !== 'e') return shortDecimal(value, Number(specifier.slice(0, -1)))
  return `${shortDecimal(value, digits.length - 1)}e${digits.length - 1}`
}

/** A value as the letter of its specifier wants it. */
function valueAs(type: abi.AbiType, value: abi.AbiValue, specifier: string): string {
  if (typeof value === 'bigint') return numberAs(value, specifier)
  const text = shownValue(type.canonical, value)
  if (specifier === 's') return text
  if (specifier === 'o') return `'${text}'`
  if (specifier === 'd' && type.kind === 'bool') return value === true ? '1' : '0'
  return specifier === 'x' && type.kind !== 'bool' && type.kind !== 'string' ? text : NO_NUMBER
}

const SPECIFIER = /%(%|\d*e|[sdiox])/g

function consoleLine(types: readonly abi.AbiType[], values: readonly abi.AbiValue[]): string {
  const isPattern = types[0]?.kind === 'string'
  let used = isPattern ? 1 : 0
  const pattern = isPattern ? (values[0] as string) : ''
  const filled = pattern.replace(SPECIFIER, (whole, specifier: string) => {
    if (specifier === '%') return '%'
    const at = used
    if (at >= values.length) return whole
    used++
    return valueAs(types[at] as abi.AbiType, values[at] as abi.AbiValue, specifier)
  })
  const rest = values.slice(used).map((value, at) => valueAs(types[used + at] as abi.AbiType, value, 's'))
  return [...(pattern === '' ? [] : [filled]), ...rest].join(' ')
}

/** The parameters of the events of DSTest, by their topics. */
function testEvents(): ReadonlyMap<Hash, readonly abi.AbiType[]> {
  const kinds = {
    address: 'address',
    bytes32: 'bytes32',
    int: 'int256',
    uint: 'uint256',
    bytes: 'bytes',
    string: 'string',
  }
  const all: (readonly string[])[] = [
    ['log', 'string'],
    ['logs', 'bytes'],
  ]
  for (const [name, type] of Object.entries(kinds)) {
    all.push([`log_${name}`, type], [`log_named_${name}`, 'string', type])
    if (name.endsWith('int')) all.push([`log_named_decimal_${name}`, 'string', type, 'uint256'])
    if (/int$|address/.test(name))
      all.push(['log_array', `${type}[]`], ['log_named_array', 'string', `${type}[]`])
  }
  return new Map(
    all.map(([name, ...types]) => {
      const parameters = abi.parseAbiParameters(types.map((type) => ({ type }))) ?? []
      return [keccakOfText(`${name}(${types.join(',')})`), parameters.map(({ type }) => type)] as const
    }),
  )
}

let events: ReturnType<typeof testEvents> | undefined

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The lines that a test tells: those of its text, and none for an empty text or for an event that is not of DSTest. */
export function toldLines(told: TestLog): readonly string[] {
  if (told instanceof Uint8Array) {
    const types = consoleParameters(told) ?? []
    return linesOf(consoleLine(types, decodeLoosely(types, told.subarray(4)) ?? []))
  }
  const [topic, ...others] = told.topics
  events ??= testEvents()
  const types = topic && others.length === 0 ? events.get(bytesToHex(topic)) : undefined
  const values = types && abi.decodeAbi(types, told.data)
  if (types === undefined || values === undefined) return []
  const texts = values.map((value, at) => shownValue((types[at] as abi.AbiType).canonical, value))
  if (texts.length === 1) return texts
  return [`${texts[0]}: ${values.length === 3 ? withPoint(values[1] as bigint, values[2]) : texts[1]}`]
}
