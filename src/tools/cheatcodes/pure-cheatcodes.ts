// Cheatcodes that depend on their arguments alone: keys, addresses, texts, assertions; and those that do nothing.

import type { AbiValue } from '../../core/primitives/abi.ts'
import { createAddress, toChecksumAddress } from '../../core/primitives/address.ts'
import { bytesToBase64 } from '../../core/primitives/base64.ts'
import { keccak256 } from '../../core/primitives/crypto.ts'
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hex,
  hexToBytes,
  utf8ToBytes,
} from '../../core/primitives/hex.ts'
import { ASSERTIONS } from './assertions.ts'
import { type Cheatcode, type Cheatcodes, overloads, WALLET } from './cheatcode.ts'
import { CheatcodeRefusal, SKIP } from './errors.ts'
import { keyAddress, requireUint64, sign, signCompact, type Wallet } from './keys.ts'

const nothing: Cheatcode = () => undefined

const CREATE2_PREFIX = Uint8Array.of(0xff)
/** Creates for `new X{salt: …}()` in scripts. */
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

function keyIn(signer: bigint | Wallet): bigint {
  return typeof signer === 'bigint' ? signer : signer[3]
}

const KEYS: Cheatcodes = {
  'addr(uint256) returns (address)': (_, key: bigint) => keyAddress(key),
  ...overloads(
    'sign',
    [['uint256', WALLET], ['bytes32']],
    ' returns (uint8,bytes32,bytes32)',
    (_, signer: bigint | Wallet, digest: Hex) => sign(keyIn(signer), digest),
  ),
  ...overloads(
    'signCompact',
    [['uint256', WALLET], ['bytes32']],
    ' returns (bytes32,bytes32)',
    (_, signer: bigint | Wallet, digest: Hex) => signCompact(keyIn(signer), digest),
  ),
  'computeCreateAddress(address,uint256) returns (address)': (_, deployer: Address, nonce: bigint) =>
    bytesToHex(createAddress(hexToBytes(deployer), requireUint64(nonce, 'nonce'))),
  ...overloads(
    'computeCreate2Address',
    [['bytes32'], ['bytes32'], ['', 'address']],
    ' returns (address)',
    (_, salt: Hex, hash: Hex, deployer: Address = CREATE2_DEPLOYER) => {
      const parts = [deployer, salt, hash].map((part) => hexToBytes(part))
      return bytesToHex(keccak256(concatBytes(CREATE2_PREFIX, ...parts)).subarray(12))
    },
  ),
}

const NUMBER = /^(?<sign>[+-]?)(?<digits>\d+|0x[\da-fA-F]+)$/

function numberIn(text: string, least: bigint, most: bigint): bigint | undefined {
  const { sign, digits } = NUMBER.exec(text)?.groups ?? {}
  if (digits === undefined) return undefined
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits)
  return value >= least && value < most ? value : undefined
}

function bytesIn(text: string, length?: number): Hex | undefined {
  const bytes = text.startsWith('0x') ? text.slice(2) : text
  const isHex = /^([\da-fA-F]{2})*$/.test(bytes) && (length ?? bytes.length / 2) === bytes.length / 2
  return isHex ? `0x${bytes.toLowerCase()}` : undefined
}

/** The types of texts that are parsed, by the name of the cheatcode. */
const PARSERS: Readonly<
  Record<string, readonly [type: string, parse: (text: string) => AbiValue | undefined]>
> = {
  parseUint: ['uint256', (text) => (text.startsWith('-') ? undefined : numberIn(text, 0n, 1n << 256n))],
  parseInt: ['int256', (text) => numberIn(text, -(1n << 255n), 1n << 255n)],
  parseBool: ['bool', (text) => ({ true: true, false: false })[text]],
  parseAddress: ['address', (text) => bytesIn(text, 20)],
  parseBytes32: ['bytes32', (text) => bytesIn(text, 32)],
  parseBytes: ['bytes', (text) => bytesIn(text)],
}

const PARSING: Cheatcodes = Object.fromEntries(
  Object.entries(PARSERS).map(([name, [type, parse]]): [string, Cheatcode] => [
    `${name}(string) returns (${type})`,
    (_, text: string) => {
      const value = parse(text.trim())
      if (value !== undefined) return value
      const why = type.endsWith('int256') ? 'missing hex prefix ("0x") for hex string' : 'parser error'
      throw new CheatcodeRefusal(`failed parsing ${JSON.stringify(text)} as type \`${type}\`: ${why}`)
    },
  ]),
)

const NOT_FOUND = (1n << 256n) - 1n

function base64(data: Uint8Array, isForUrls: boolean): string {
  const text = bytesToBase64(data)
  return isForUrls ? text.replaceAll('+', '-').replaceAll('/', '_') : text
}

const TEXTS: Cheatcodes = {
  ...overloads(
    'toString',
    [['uint256', 'int256', 'bool', 'bytes32', 'bytes']],
    ' returns (string)',
    (_, value: AbiValue) => String(value),
  ),
  'toString(address) returns (string)': (_, address: Address) => toChecksumAddress(address),
  ...PARSING,
  'toLowercase(string) returns (string)': (_, text: string) => text.toLowerCase(),
  'toUppercase(string) returns (string)': (_, text: string) => text.toUpperCase(),
  'trim(string) returns (string)': (_, text: string) => text.trim(),
  'replace(string,string,string) returns (string)': (_, text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  'split(string,string) returns (string[])': (_, text: string, by: string) => text.split(by),
  // In bytes.
  'indexOf(string,string) returns (uint256)': (_, text: string, part: string) => {
    const at = text.indexOf(part)
    return at < 0 ? NOT_FOUND : BigInt(utf8ToBytes(text.slice(0, at)).length)
  },
  'contains(string,string) returns (bool)': (_, text: string, part: string) => text.includes(part),
  'toBase64(bytes) returns (string)': (_, data: Hex) => base64(hexToBytes(data), false),
  'toBase64(string) returns (string)': (_, text: string) => base64(utf8ToBytes(text), false),
  'toBase64URL(bytes) returns (string)': (_, data: Hex) => base64(hexToBytes(data), true),
  'toBase64URL(string) returns (string)': (_, text: string) => base64(utf8ToBytes(text), true),
}

export const PURE_CHEATCODES: Cheatcodes = {
  'assume(bool)': (_, holds: boolean) => {
    if (!holds) throw new CheatcodeRefusal('an assumption does not hold', 'assumption')
  },
  ...overloads('skip', [['bool'], ['', 'string']], '', (_, isSkipped: boolean, reason = '') => {
    if (isSkipped) throw new CheatcodeRefusal(reason, 'refused', concatBytes(SKIP, utf8ToBytes(reason)))
  }),
  ...KEYS,
  ...TEXTS,
  ...ASSERTIONS,
  // Nothing is charged here, and all is traced.
  'pauseGasMetering()': nothing,
  'resumeGasMetering()': nothing,
  'resetGasMetering()': nothing,
  'pauseTracing()': nothing,
  'resumeTracing()': nothing,
  ...overloads('breakpoint', [['string'], ['', 'bool']], '', nothing),
  // There are no forks, and no other restriction.
  'allowCheatcodes(address)': nothing,
  'makePersistent(address)': nothing,
}
