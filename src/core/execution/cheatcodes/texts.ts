// Cheatcodes of texts: values as texts and back.

import type { AbiValue } from '../../primitives/abi.ts'
import { toChecksumAddress } from '../../primitives/address.ts'
import { bytesToBase64 } from '../../primitives/base64.ts'
import { type Address, type Hex, utf8ToBytes } from '../../primitives/hex.ts'
import { Refusal } from './refusal.ts'

/** A value as `toString` has it. */
export function textOfValue(type: string, value: AbiValue | undefined): string {
  return type === 'address' ? toChecksumAddress(value as Address) : String(value)
}

const NUMBER = /^(?<sign>[+-]?)(?<digits>\d+|0x[\da-fA-F]+)$/

function numberIn(text: string): bigint | undefined {
  const { sign, digits } = NUMBER.exec(text)?.groups ?? {}
  if (digits === undefined) return undefined
  const value = BigInt(digits)
  return sign === '-' ? -value : value
}

function withinBits(value: bigint | undefined, least: bigint, most: bigint): bigint | undefined {
  return value !== undefined && value >= least && value < most ? value : undefined
}

function bytesIn(text: string, length?: number): Hex | undefined {
  const bytes = text.startsWith('0x') ? text.slice(2) : text
  const isHex = /^([\da-fA-F]{2})*$/.test(bytes) && (length ?? bytes.length / 2) === bytes.length / 2
  return isHex ? `0x${bytes.toLowerCase()}` : undefined
}

const TRUTH: Readonly<Record<string, boolean>> = { true: true, false: false }

/** How the text of a value of a type is read. */
const READERS: Readonly<Record<string, (text: string) => AbiValue | undefined>> = {
  uint256: (text) => withinBits(text.startsWith('-') ? undefined : numberIn(text), 0n, 1n << 256n),
  int256: (text) => withinBits(numberIn(text), -(1n << 255n), 1n << 255n),
  bool: (text) => TRUTH[text],
  address: (text) => bytesIn(text, 20),
  bytes32: (text) => bytesIn(text, 32),
  bytes: (text) => bytesIn(text),
}

/** The value of a text. */
export function parse(type: string, text: string): AbiValue {
  const value = READERS[type]?.(text.trim())
  if (value !== undefined) return value
  const isNumber = type === 'uint256' || type === 'int256'
  const why = isNumber ? 'missing hex prefix ("0x") for hex string' : 'parser error'
  throw new Refusal(`failed parsing ${JSON.stringify(text)} as type \`${type}\`: ${why}`)
}

const NOT_FOUND = (1n << 256n) - 1n

/** In bytes. */
export function indexOf(text: string, part: string): bigint {
  const at = text.indexOf(part)
  return at < 0 ? NOT_FOUND : BigInt(utf8ToBytes(text.slice(0, at)).length)
}

export function base64(data: Uint8Array, isForUrls: boolean): string {
  const text = bytesToBase64(data)
  return isForUrls ? text.replaceAll('+', '-').replaceAll('/', '_') : text
}
