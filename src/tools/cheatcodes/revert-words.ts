// Revert data in the words of forge 1.7.1, which tests compare and print.

import { type CustomErrors, NO_CUSTOM_ERRORS } from '../../core/execution/result/console-log.ts'
import * as abi from '../../core/primitives/abi.ts'
import { bytesToBigInt, bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { valueText } from '../solidity/calls/storage-names.ts'
import { skippedReason } from './errors.ts'
import type { DefinedStruct } from './struct-types.ts'

/** `Error(string)` and `CheatcodeError(string)`. */
const TEXT_ERRORS = ['0x08c379a0', '0xeeaa9e6f']
/** `Panic(uint256)`. */
const PANIC = '0x4e487b71'
export const WORDED_ERRORS = [...TEXT_ERRORS, PANIC]
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic/unspecified error'],
  [0x01n, 'assertion failed'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'failed to convert value into enum type'],
  [0x22n, 'storage byte array incorrectly encoded'],
  [0x31n, 'called `.pop()` on an empty array'],
  [0x32n, 'array out-of-bounds access'],
  [0x41n, 'memory allocation error'],
  [0x51n, 'called an invalid internal function'],
])
/** Failures in geth's words → the names of revm. */
const HALTS: Readonly<Record<string, string>> = {
  'out of gas': 'OutOfGas',
  'invalid opcode: INVALID': 'InvalidFEOpcode',
  'invalid jump destination': 'InvalidJump',
  'stack underflow': 'StackUnderflow',
  'stack overflow': 'StackOverflow',
  'write protection': 'StateChangeDuringStaticCall',
  'return data out of bounds': 'OutOfOffset',
  'contract address collision': 'CreateCollision',
  'insufficient balance for transfer': 'OutOfFunds',
  'max code size exceeded': 'CreateContractSizeLimit',
  'max initcode size exceeded': 'CreateInitCodeSizeLimit',
  'invalid code: must not begin with 0xef': 'CreateContractStartingWithEF',
}

/** The name of a failure in geth's words, as revm prints its value. */
export function haltName(failure: string | undefined): string {
  const name = HALTS[failure ?? ''] ?? `${failure}`
  return name === 'OutOfGas' ? 'OutOfGas(Basic)' : name
}

const BYTES = abi.elementaryType('bytes')
const SELECTOR_BYTES = 4
const utf8 = new TextDecoder()
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function isAscii(data: Uint8Array): boolean {
  return data.every((byte) => byte < 128)
}

/** Bytes that stand alone in data, as the ABI encodes them. */
function bytesIn(data: Uint8Array): Uint8Array | undefined {
  const [found] = abi.decodeAbi([BYTES], data) ?? []
  return found === undefined ? undefined : hexToBytes(found as Hex)
}

/** The text of an error with a text, as bytes; another error as it is. */
export function innerOf(data: Uint8Array): Uint8Array {
  if (!TEXT_ERRORS.includes(bytesToHex(data.subarray(0, SELECTOR_BYTES)))) return data
  return bytesIn(data.subarray(SELECTOR_BYTES)) ?? data
}

/** A tuple; one with the fields of a struct has its name and theirs. */
function tupleText(structs: readonly DefinedStruct[]) {
  return (names: readonly string[], texts: readonly string[]): string => {
    const struct = structs.find(({ fields }) => fields.join() === names.join())
    if (struct === undefined) return `(${texts.join(', ')})`
    return `${struct.name}({ ${texts.map((text, at) => `${names[at]}: ${text}`).join(', ')} })`
  }
}

/** An error that an ABI declares, such as `Coded(5, "x")`. */
function declaredError(data: Uint8Array, { errors, structs }: Declared): string | undefined {
  const error = errors.get(bytesToHex(data.subarray(0, SELECTOR_BYTES)))
  const values = error && abi.decodeParameters(error.inputs, data.subarray(SELECTOR_BYTES))
  if (error === undefined || values === undefined) return undefined
  const args = error.inputs.map(({ type }, at) =>
    valueText(type, values[at] as abi.AbiValue, () => undefined, tupleText(structs)),
  )
  return `${error.name}(${args.join(', ')})`
}

function unknownError(data: Uint8Array): string {
  const [selector, rest] = [data.subarray(0, SELECTOR_BYTES), data.subarray(SELECTOR_BYTES)]
  const name = `custom error ${bytesToHex(selector)}`
  if (rest.length === 0) return name
  try {
    return `${name}: ${strictUtf8.decode(rest)}`
  } catch {
    return `${name}: ${bytesToHex(rest).slice(2)}`
  }
}

/** Names that words for reverts may use: the errors of contracts, and the structs of sources. */
export interface Declared {
  readonly errors: CustomErrors
  readonly structs: readonly DefinedStruct[]
}

export const NOTHING_DECLARED: Declared = { errors: NO_CUSTOM_ERRORS, structs: [] }

/** The words for revert data; for none, those for the failure, in geth's words. */
export function revertWords(data: Uint8Array, declared: Declared, failure?: string): string {
  const isShort = data.length < SELECTOR_BYTES && !(data.length > 0 && isAscii(data))
  if (isShort) return `EvmError: ${failure === undefined ? 'Revert' : (HALTS[failure] ?? failure)}`
  const skipped = skippedReason(data)
  if (skipped !== undefined) return skipped === '' ? 'skipped' : `skipped: ${skipped}`
  const inner = innerOf(data)
  if (inner !== data) return utf8.decode(inner)
  if (bytesToHex(data.subarray(0, SELECTOR_BYTES)) === PANIC && data.length >= SELECTOR_BYTES + 32) {
    const code = bytesToBigInt(data.subarray(SELECTOR_BYTES, SELECTOR_BYTES + 32))
    return `panic: ${PANICS.get(code) ?? 'unknown code'} (0x${code.toString(16).padStart(2, '0')})`
  }
  return declaredError(data, declared) ?? plainText(data) ?? unknownError(data)
}

function plainText(data: Uint8Array): string | undefined {
  const text = bytesIn(data) ?? (isAscii(data) ? data : undefined)
  return text && utf8.decode(text)
}

/** Revert data in the words of expectations that count no reverts: a text, or all bytes. */
export function plainWords(data: Uint8Array): string {
  return plainText(data) ?? bytesToHex(data)
}
