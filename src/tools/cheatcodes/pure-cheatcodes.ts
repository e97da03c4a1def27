// Cheatcodes that depend on their arguments alone: keys, addresses, texts, assertions; and those that do nothing.

import type { AbiValue } from '../../core/primitives/abi.ts'
import { createAddress, keccak256, toChecksumAddress } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { encodeItems } from '../../core/primitives/rlp.ts'
import { SCRIPT_FACTORY } from './addresses.ts'
import { ASSERTIONS } from './assertions.ts'
import { type Cheatcode, type Cheatcodes, WALLET } from './cheatcode.ts'
import { refuseWith, SKIP } from './errors.ts'
import { keyAddress, requireUint64, sign, signCompact, type Wallet } from './signing-cheatcodes.ts'
import { hashTypedJson } from './typed-json.ts'
import { parseValue, TYPES } from './values.ts'

const nothing: Cheatcode = () => undefined

const CREATE2_PREFIX = Uint8Array.of(0xff)

type Signer = bigint | Wallet

function keyIn(signer: Signer): bigint {
  return typeof signer === 'bigint' ? signer : signer[3]
}

const KEYS: Cheatcodes = {
  'addr(uint256) returns (address)': (_, key: bigint) => keyAddress(key),
  [`sign(uint256|${WALLET},bytes32) returns (uint8,bytes32,bytes32)`]: (_, signer: Signer, digest: hex.Hex) =>
    sign(keyIn(signer), digest),
  [`signCompact(uint256|${WALLET},bytes32) returns (bytes32,bytes32)`]: (
    _,
    signer: Signer,
    digest: hex.Hex,
  ) => signCompact(keyIn(signer), digest),
  'computeCreateAddress(address,uint256) returns (address)': (_, deployer: hex.Address, nonce: bigint) =>
    hex.bytesToHex(createAddress(hex.hexToBytes(deployer), requireUint64(nonce, 'nonce'))),
  'computeCreate2Address(bytes32,bytes32,address?) returns (address)': (
    _,
    ...given: [hex.Hex, hex.Hex, hex.Address?]
  ) => {
    const [salt, hash, deployer = SCRIPT_FACTORY] = given
    const parts = [deployer, salt, hash].map((part) => hex.hexToBytes(part))
    return hex.bytesToHex(keccak256(hex.concatBytes(CREATE2_PREFIX, ...parts)).subarray(12))
  },
}

const PARSING: Cheatcodes = Object.fromEntries(
  Object.entries(TYPES)
    .filter(([, type]) => type !== 'string')
    .map(([name, type]): [string, Cheatcode] => [
      `parse${name}(string) returns (${type})`,
      (_, text: string) => parseValue(text, type),
    ]),
)

const NOT_FOUND = (1n << 256n) - 1n

function base64(data: Uint8Array, isForUrls: boolean): string {
  const text = hex.bytesToBase64(data)
  return isForUrls ? text.replaceAll('+', '-').replaceAll('/', '_') : text
}

const TEXTS: Cheatcodes = {
  'toString(uint256|int256|bool|bytes32|bytes) returns (string)': (_, value: AbiValue) => String(value),
  'toString(address) returns (string)': (_, address: hex.Address) => toChecksumAddress(address),
  ...PARSING,
  'toLowercase(string) returns (string)': (_, text: string) => text.toLowerCase(),
  'toUppercase(string) returns (string)': (_, text: string) => text.toUpperCase(),
  'trim(string) returns (string)': (_, text: string) =>
    text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''),
  'replace(string,string,string) returns (string)': (_, text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  'split(string,string) returns (string[])': (_, text: string, by: string) =>
    by === '' ? ['', ...text, ''] : text.split(by),
  // In bytes.
  'indexOf(string,string) returns (uint256)': (_, text: string, part: string) => {
    const at = text.indexOf(part)
    return at < 0 ? NOT_FOUND : BigInt(hex.utf8ToBytes(text.slice(0, at)).length)
  },
  'contains(string,string) returns (bool)': (_, text: string, part: string) => text.includes(part),
  'toBase64(bytes) returns (string)': (_, data: hex.Hex) => base64(hex.hexToBytes(data), false),
  'toBase64(string) returns (string)': (_, text: string) => base64(hex.utf8ToBytes(text), false),
  'toBase64URL(bytes) returns (string)': (_, data: hex.Hex) => base64(hex.hexToBytes(data), true),
  'toBase64URL(string) returns (string)': (_, text: string) => base64(hex.utf8ToBytes(text), true),
}

function malformedRlp(why: string): never {
  refuseWith(`Failed to decode RLP: ${why}`)
}

/** The kind of the item at a place, and where its content begins and ends. */
function rlpItem(data: Uint8Array, at: number) {
  const first = data[at]
  if (first === undefined) return malformedRlp('input too short')
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  if (short < 0) return { isList, start: at, end: at + 1 }
  const sizeLength = Math.max(0, short - 55)
  const start = at + 1 + sizeLength
  if (start > data.length) malformedRlp('input too short')
  const isAlone = !isList && short === 1
  if (isAlone && start === data.length) malformedRlp('input too short')
  if (isAlone && (data[start] as number) < 0x80) malformedRlp('non-canonical single byte')
  if (sizeLength > 0 && data[at + 1] === 0) malformedRlp('leading zero')
  const size = sizeLength === 0 ? short : Number(hex.bytesToBigInt(data.subarray(at + 1, start)))
  if (sizeLength > 0 && size <= 55) malformedRlp('non-canonical size')
  if (start + size > data.length) malformedRlp('input too short')
  return { isList, start, end: start + size }
}

/** The byte strings of a list; what follows it does not count. */
function rlpItems(data: Uint8Array): readonly hex.Hex[] {
  const { isList, start, end } = rlpItem(data, 0)
  if (!isList) malformedRlp('unexpected string')
  const content = data.subarray(0, end)
  const items: hex.Hex[] = []
  for (let at = start; at < end; ) {
    const item = rlpItem(content, at)
    if (item.isList) malformedRlp('unexpected list')
    items.push(hex.bytesToHex(data.subarray(item.start, item.end)))
    at = item.end
  }
  return items
}

/** The node of a name in the Ethereum Name Service (EIP-137). */
function nameHash(name: string): hex.Hex {
  const labels = name === '' ? [] : name.split('.').reverse()
  return hex.bytesToHex(
    labels.reduce<Uint8Array>(
      (node, label) => keccak256(hex.concatBytes(node, keccak256(hex.utf8ToBytes(label)))),
      new Uint8Array(32),
    ),
  )
}

const ENCODING: Cheatcodes = {
  'toRlp(bytes[]) returns (bytes)': (_, items: readonly hex.Hex[]) => hex.bytesToHex(encodeItems(items)),
  'fromRlp(bytes) returns (bytes[])': (_, data: hex.Hex) => rlpItems(hex.hexToBytes(data)),
  'ensNamehash(string) returns (bytes32)': (_, name: string) => nameHash(name),
  'sort(uint256[]) returns (uint256[])': (_, values: readonly bigint[]) =>
    [...values].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0)),
  'eip712HashTypedData(string) returns (bytes32)': (_, text: string) => hashTypedJson(text),
}

/** The version of forge whose cheatcodes these are. */
const FORGE = [1, 7, 1]
const FORGE_VERSION = '1.7.1+4072e48705.1778226655.dist'

/** Why a text is no version of three numbers, in the words of forge. */
function versionFault(text: string): string | undefined {
  if (text === '') return 'empty string, expected a semver version'
  let rest = text
  for (const part of ['major', 'minor', 'patch']) {
    const doing = `while parsing ${part} version number`
    const [digits = ''] = /^\d*/.exec(rest) ?? []
    if (digits === '')
      return rest === '' ? `unexpected end of input ${doing}` : `unexpected character '${rest[0]}' ${doing}`
    if (/^0\d/.test(digits)) return `invalid leading zero in ${part} version number`
    rest = rest.slice(digits.length)
    if (part === 'patch') break
    if (rest === '') return `unexpected end of input ${doing}`
    if (rest[0] !== '.') return `unexpected character '${rest[0]}' after ${part} version number`
    rest = rest.slice(1)
  }
  if (rest.startsWith('-')) return 'pre-release versions are not supported'
  if (rest.startsWith('+')) return 'build metadata is not supported'
  return rest === '' ? undefined : `unexpected character '${rest[0]}' after patch version number`
}

/** Minus one for a later version than ours, one for an earlier one. */
function compareVersion(text: string): bigint {
  const fault = versionFault(text)
  if (fault !== undefined) refuseWith(`invalid version \`${text}\`: ${fault}`)
  const parts = text.split('.')
  const differing = parts.map((part, at) => (FORGE[at] as number) - Number(part)).find((each) => each !== 0)
  return BigInt(Math.sign(differing ?? 0))
}

const ONE_CHARACTER = 'breakpoints must be exactly one character'

/** `ForgeContext` of forge-std: any test, and a run of them. */
const CONTEXTS: readonly bigint[] = [0n, 1n]

const VERSION: Cheatcodes = {
  'getFoundryVersion() returns (string)': () => FORGE_VERSION,
  'foundryVersionCmp(string) returns (int256)': (_, version: string) => compareVersion(version),
  'foundryVersionAtLeast(string) returns (bool)': (_, version: string) => compareVersion(version) >= 0n,
  'isContext(uint8) returns (bool)': (_, context: bigint) => CONTEXTS.includes(context),
}

export const PURE_CHEATCODES: Cheatcodes = {
  'assume(bool)': (_, holds: boolean) => {
    if (!holds) refuseWith('an assumption does not hold', 'assumption')
  },
  'skip(bool,string?)': (run, isSkipped: boolean, reason = '') => {
    if (!isSkipped) return
    if (run.message.depth > 1) refuseWith('`skip` can only be used at test level')
    refuseWith(reason, 'refused', hex.concatBytes(SKIP, hex.utf8ToBytes(reason)))
  },
  ...KEYS,
  ...TEXTS,
  ...ASSERTIONS,
  ...ENCODING,
  ...VERSION,
  // All is traced.
  'pauseTracing|resumeTracing()': nothing,
  'breakpoint(string,bool?)': (_, name: string) => {
    const isOne = [...name].length === 1
    if (isOne && /^\p{Alphabetic}$/u.test(name)) return
    const fault = isOne ? 'only alphabetic characters are accepted as breakpoints' : ONE_CHARACTER
    refuseWith(fault)
  },
  // Any code may call them.
  'allowCheatcodes(address)': nothing,
}
