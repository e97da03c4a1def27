// Cheatcodes that depend on their arguments alone: assertions, keys, addresses and texts; and those that do nothing.

import type { AbiValue } from '../../primitives/abi.ts'
import { createAddress } from '../../primitives/address.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import { type Address, bytesToHex, concatBytes, type Hex, utf8ToBytes } from '../../primitives/hex.ts'
import { ASSERTIONS } from './assertions.ts'
import {
  bytesOf,
  type Cheatcode,
  type Cheatcodes,
  type Returned,
  requireUint64,
  WALLET,
} from './cheatcode.ts'
import { addressOfKey, keyOfWallet, sign, signCompact } from './keys.ts'
import { Refusal } from './refusal.ts'
import { base64, indexOf, parse, textOfValue } from './texts.ts'

const nothing: Cheatcode = () => undefined

const CREATE2_PREFIX = Uint8Array.of(0xff)
/** Who creates for `new X{salt: …}()` in scripts. */
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

function create2Address(
  salt: AbiValue | undefined,
  hash: AbiValue | undefined,
  deployer: AbiValue | undefined = CREATE2_DEPLOYER,
): Returned {
  const created = keccak256(concatBytes(CREATE2_PREFIX, bytesOf(deployer), bytesOf(salt), bytesOf(hash)))
  return ['(address)', bytesToHex(created.subarray(12))]
}

export const PURE_CHEATCODES: Cheatcodes = {
  'assume(bool)': (_, [holds]) => {
    if (holds === false) throw new Refusal('an assumption does not hold', 'assumption')
  },
  'addr(uint256)': (_, [key]) => ['(address)', addressOfKey(key as bigint)],
  'sign(uint256,bytes32)': (_, [key, digest]) => [
    '(uint8,bytes32,bytes32)',
    ...sign(key as bigint, digest as Hex),
  ],
  [`sign(${WALLET},bytes32)`]: (_, [from, digest]) => [
    '(uint8,bytes32,bytes32)',
    ...sign(keyOfWallet(from), digest as Hex),
  ],
  'signCompact(uint256,bytes32)': (_, [key, digest]) => [
    '(bytes32,bytes32)',
    ...signCompact(key as bigint, digest as Hex),
  ],
  [`signCompact(${WALLET},bytes32)`]: (_, [from, digest]) => [
    '(bytes32,bytes32)',
    ...signCompact(keyOfWallet(from), digest as Hex),
  ],
  'computeCreateAddress(address,uint256)': (_, [deployer, nonce]) => [
    '(address)',
    bytesToHex(createAddress(bytesOf(deployer), requireUint64(nonce, 'nonce'))),
  ],
  'computeCreate2Address(bytes32,bytes32)': (_, [salt, hash]) => create2Address(salt, hash),
  'computeCreate2Address(bytes32,bytes32,address)': (_, [salt, hash, deployer]) =>
    create2Address(salt, hash, deployer),
  ...Object.fromEntries(
    ['address', 'uint256', 'int256', 'bool', 'bytes32', 'bytes'].map((type): [string, Cheatcode] => [
      `toString(${type})`,
      (_, [value]) => ['(string)', textOfValue(type, value)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      ...{ parseUint: 'uint256', parseInt: 'int256', parseBool: 'bool', parseAddress: 'address' },
      ...{ parseBytes32: 'bytes32', parseBytes: 'bytes' },
    }).map(([name, type]): [string, Cheatcode] => [
      `${name}(string)`,
      (_, [text]) => [`(${type})`, parse(type, text as string)],
    ]),
  ),
  'toLowercase(string)': (_, [text]) => ['(string)', (text as string).toLowerCase()],
  'toUppercase(string)': (_, [text]) => ['(string)', (text as string).toUpperCase()],
  'trim(string)': (_, [text]) => ['(string)', (text as string).trim()],
  'replace(string,string,string)': (_, [text, from, to]) => [
    '(string)',
    (text as string).replaceAll(from as string, () => to as string),
  ],
  'split(string,string)': (_, [text, by]) => ['(string[])', (text as string).split(by as string)],
  'indexOf(string,string)': (_, [text, part]) => ['(uint256)', indexOf(text as string, part as string)],
  'contains(string,string)': (_, [text, part]) => ['(bool)', (text as string).includes(part as string)],
  'toBase64(bytes)': (_, [data]) => ['(string)', base64(bytesOf(data), false)],
  'toBase64(string)': (_, [text]) => ['(string)', base64(utf8ToBytes(text as string), false)],
  'toBase64URL(bytes)': (_, [data]) => ['(string)', base64(bytesOf(data), true)],
  'toBase64URL(string)': (_, [text]) => ['(string)', base64(utf8ToBytes(text as string), true)],
  // Nothing is charged here, and all is traced.
  'pauseGasMetering()': nothing,
  'resumeGasMetering()': nothing,
  'resetGasMetering()': nothing,
  'pauseTracing()': nothing,
  'resumeTracing()': nothing,
  'breakpoint(string)': nothing,
  'breakpoint(string,bool)': nothing,
  // There are no forks, and no other restriction.
  'allowCheatcodes(address)': nothing,
  'makePersistent(address)': nothing,
  ...Object.fromEntries(
    ASSERTIONS.map(([signature, reasonOf]): [string, Cheatcode] => [
      signature,
      (_, args) => {
        const reason = reasonOf(args)
        if (reason !== undefined) throw new Refusal(reason, 'assertion')
      },
    ]),
  ),
}
