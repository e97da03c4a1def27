// Cheatcodes that depend on their arguments alone: keys, addresses, texts, assertions; and those that do nothing.

import { type AbiType, type AbiValue, decodeAbi } from '../../core/primitives/abi.ts'
import { createAddress, keccak256, keccak256Hex, toChecksumAddress } from '../../core/primitives/crypto.ts'
import {
  type Address,
  bytesToBase64,
  bytesToHex,
  concatBytes,
  type Hex,
  hexToBytes,
  utf8ToBytes,
} from '../../core/primitives/hex.ts'
import { decodeItem, encodeItems } from '../../core/primitives/rlp.ts'
import { encodeType, hashOfStruct, hashTypedData } from '../../core/primitives/typed-data.ts'
import { SCRIPT_FACTORY } from './addresses.ts'
import { ASSERTIONS } from './assertions.ts'
import { type Cheatcode, type Cheatcodes, overloads, WALLET } from './cheatcode.ts'
import { CheatcodeRefusal, SKIP } from './errors.ts'
import { keyAddress, requireUint64, sign, signCompact, type Wallet } from './keys.ts'
import { describedType, structsIn } from './struct-types.ts'
import { parseValue, TYPES } from './values.ts'

const nothing: Cheatcode = () => undefined

const CREATE2_PREFIX = Uint8Array.of(0xff)

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
    (_, salt: Hex, hash: Hex, deployer: Address = SCRIPT_FACTORY) => {
      const parts = [deployer, salt, hash].map((part) => hexToBytes(part))
      return bytesToHex(keccak256(concatBytes(CREATE2_PREFIX, ...parts)).subarray(12))
    },
  ),
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
  'split(string,string) returns (string[])': (_, text: string, by: string) =>
    by === '' ? ['', ...text, ''] : text.split(by),
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

function rlpItems(data: Hex): readonly Hex[] {
  const item = decodeItem(hexToBytes(data))
  if (!Array.isArray(item) || item.some((each) => Array.isArray(each))) {
    throw new CheatcodeRefusal('failed to decode RLP: it is no list of byte strings')
  }
  return (item as readonly Uint8Array[]).map(bytesToHex)
}

/** The node of a name in the Ethereum Name Service (EIP-137). */
function nameHash(name: string): Hex {
  const labels = name === '' ? [] : name.toLowerCase().split('.').reverse()
  return bytesToHex(
    labels.reduce<Uint8Array>(
      (node, label) => keccak256(concatBytes(node, keccak256(utf8ToBytes(label)))),
      new Uint8Array(32),
    ),
  )
}

/** The description of a type, with the types that it uses. `name` is the outermost; the first, if it is absent. */
export function typeText(description: string, name?: string): string {
  const structs = structsIn(description)
  const outermost = name ?? structs.keys().next().value
  if (outermost !== undefined && structs.has(outermost)) return encodeType(structs, outermost)
  throw new CheatcodeRefusal(`failed to find struct with name: ${outermost}`)
}

export function hashStruct(description: string, data: Hex): Hex {
  const structs = structsIn(description)
  const [primaryType = ''] = structs.keys()
  const type = describedType(typeText(description))
  const [value] = decodeAbi([type], hexToBytes(data)) ?? []
  if (value === undefined) throw new CheatcodeRefusal(`the data are no ${primaryType}`)
  return bytesToHex(hashOfStruct(Object.fromEntries(structs), primaryType, named(value, type)))
}

function named(value: AbiValue, type: AbiType): unknown {
  if (type.kind === 'array') return (value as readonly AbiValue[]).map((each) => named(each, type.element))
  if (type.kind !== 'tuple') return typeof value === 'bigint' ? `${value}` : value
  const values = Array.isArray(value) ? value : Object.values(value as object)
  return Object.fromEntries(type.components.map((each, at) => [each.name, named(values[at], each.type)]))
}

function hashTyped(text: string): Hex {
  try {
    return bytesToHex(hashTypedData(JSON.parse(text)))
  } catch (error) {
    throw new CheatcodeRefusal(`failed to hash typed data: ${(error as Error).message}`)
  }
}

const ENCODING: Cheatcodes = {
  'toRlp(bytes[]) returns (bytes)': (_, items: readonly Hex[]) => bytesToHex(encodeItems(items)),
  'fromRlp(bytes) returns (bytes[])': (_, data: Hex) => rlpItems(data),
  'ensNamehash(string) returns (bytes32)': (_, name: string) => nameHash(name),
  'sort(uint256[]) returns (uint256[])': (_, values: readonly bigint[]) =>
    [...values].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0)),
  'eip712HashType(string) returns (bytes32)': (_, description: string) =>
    keccak256Hex(utf8ToBytes(typeText(description))),
  'eip712HashStruct(string,bytes) returns (bytes32)': (_, description: string, data: Hex) =>
    hashStruct(description, data),
  'eip712HashTypedData(string) returns (bytes32)': (_, text: string) => hashTyped(text),
}

/** The version of forge whose cheatcodes these are. */
const FORGE = [1, 7, 1]
const FORGE_VERSION = '1.7.1+4072e48705.1778226655.dist'

/** Minus one for a later version than ours, one for an earlier one. */
function compareVersion(text: string): bigint {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)$/.exec(text) ?? []
  if (parts.length === 0) {
    throw new CheatcodeRefusal(`invalid version \`${text}\`: expected three numbers, such as 1.7.1`)
  }
  const differing = parts.map((part, at) => (FORGE[at] as number) - Number(part)).find((each) => each !== 0)
  return BigInt(Math.sign(differing ?? 0))
}

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
    if (!holds) throw new CheatcodeRefusal('an assumption does not hold', 'assumption')
  },
  ...overloads('skip', [['bool'], ['', 'string']], '', (run, isSkipped: boolean, reason = '') => {
    if (!isSkipped) return
    if (run.message.depth > 1) throw new CheatcodeRefusal('`skip` can only be used at test level')
    throw new CheatcodeRefusal(reason, 'refused', concatBytes(SKIP, utf8ToBytes(reason)))
  }),
  ...KEYS,
  ...TEXTS,
  ...ASSERTIONS,
  ...ENCODING,
  ...VERSION,
  // All is traced.
  'pauseTracing()': nothing,
  'resumeTracing()': nothing,
  ...overloads('breakpoint', [['string'], ['', 'bool']], '', nothing),
  // Any code may call them.
  'allowCheatcodes(address)': nothing,
}
