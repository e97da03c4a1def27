// The cheatcodes of Foundry that handlers, setUp and invariants use most, by their selectors.

import { type AbiValue, decodeAbi } from '../../primitives/abi.ts'
import { type AbiType, parseAbiParameters } from '../../primitives/abi-type.ts'
import { toChecksumAddress } from '../../primitives/address.ts'
import { addressOfPublicKey, keccak256Hex } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import {
  type Address,
  bytesToHex,
  EMPTY_BYTES,
  type Hex,
  hexToBytes,
  toWord,
  utf8ToBytes,
} from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/later.ts'
import { publicKeyOf } from '../../primitives/signer.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { ASSERTIONS } from './cheat-assertions.ts'

const MOST_TIME = BigInt(Number.MAX_SAFE_INTEGER)

/** Why a cheatcode reverts. */
export class Refusal {
  readonly kind: 'refused' | 'assertion' | 'assumption'
  readonly reason: string

  constructor(reason: string, kind: Refusal['kind'] = 'refused') {
    this.reason = reason
    this.kind = kind
  }
}

/** Whom calls come from: the sender, and the origin if that changes too. */
export interface Disguise {
  readonly as: Address
  readonly origin?: Address
}

/** What cheatcodes act on. */
export interface CheatSite {
  readonly prank: (disguise: Disguise, isLasting: boolean) => void
  readonly stopPrank: () => void
  /** Without a reason, any will do; in part, its first four bytes. */
  readonly expectRevert: (reason?: Uint8Array, isPartial?: boolean) => void
  readonly deal: (address: Address, balance: bigint) => void
  readonly etch: (address: Address, code: Uint8Array) => void
  readonly nonceOf: (address: Address) => bigint
  readonly load: (address: Address, slot: Hex) => Later<Hex>
  readonly store: (address: Address, slot: Hex, value: Hex) => Later<void>
  readonly moveTo: (changes: Partial<Pick<BlockEnvironment, 'number' | 'timestamp'>>) => void
  readonly environment: () => BlockEnvironment
}

/** A value that a cheatcode returns, with its type. */
type Returned = readonly [type: string, value: AbiValue]

/** Returns a value, a promise of one, or nothing. */
type Cheatcode = (site: CheatSite, args: readonly AbiValue[]) => unknown

function numberOf(value: AbiValue | undefined): number {
  if (typeof value !== 'bigint' || value > MOST_TIME) throw new Refusal('the number is too large')
  return Number(value)
}

function addressOfKey(key: AbiValue | undefined): Address {
  if (key === 0n) throw new Refusal('vm.addr: private key cannot be 0')
  const publicKey = publicKeyOf(hexToBytes(toWord(key as bigint)))
  if (publicKey === undefined) throw new Refusal('no private key')
  return addressOfPublicKey(publicKey)
}

const nothing: Cheatcode = () => undefined

const PRANKS: Readonly<Record<string, Cheatcode>> = {
  'prank(address)': ({ prank }, [as]) => prank({ as: as as Address }, false),
  'prank(address,address)': ({ prank }, [as, origin]) =>
    prank({ as: as as Address, origin: origin as Address }, false),
  'startPrank(address)': ({ prank }, [as]) => prank({ as: as as Address }, true),
  'startPrank(address,address)': ({ prank }, [as, origin]) =>
    prank({ as: as as Address, origin: origin as Address }, true),
  'stopPrank()': ({ stopPrank }) => stopPrank(),
}

const EXPECTATIONS: Readonly<Record<string, Cheatcode>> = {
  'expectRevert()': ({ expectRevert }) => expectRevert(),
  'expectRevert(bytes4)': ({ expectRevert }, [reason]) => expectRevert(hexToBytes(reason as Hex)),
  'expectRevert(bytes)': ({ expectRevert }, [reason]) => expectRevert(hexToBytes(reason as Hex)),
  'expectPartialRevert(bytes4)': ({ expectRevert }, [reason]) =>
    expectRevert(hexToBytes(reason as Hex), true),
  'assume(bool)': (_, [holds]) => {
    if (holds === false) throw new Refusal('an assumption does not hold', 'assumption')
  },
}

const STATE: Readonly<Record<string, Cheatcode>> = {
  'deal(address,uint256)': ({ deal }, [address, balance]) => deal(address as Address, balance as bigint),
  'etch(address,bytes)': ({ etch }, [address, code]) => etch(address as Address, hexToBytes(code as Hex)),
  'getNonce(address)': ({ nonceOf }, [address]) => ['uint64', nonceOf(address as Address)],
  'load(address,bytes32)': ({ load }, [address, slot]) =>
    andThen(load(address as Address, slot as Hex), (value): Returned => ['bytes32', value]),
  'store(address,bytes32,bytes32)': ({ store }, [address, slot, value]) =>
    store(address as Address, slot as Hex, value as Hex),
  'warp(uint256)': ({ moveTo }, [time]) => moveTo({ timestamp: numberOf(time) }),
  'roll(uint256)': ({ moveTo }, [number]) => moveTo({ number: numberOf(number) }),
  'getBlockTimestamp()': ({ environment }) => ['uint256', BigInt(environment().timestamp)],
  'getBlockNumber()': ({ environment }) => ['uint256', BigInt(environment().number)],
}

const TEXTS: Readonly<Record<string, Cheatcode>> = {
  'label(address,string)': nothing,
  'addr(uint256)': (_, [key]) => ['address', addressOfKey(key)],
  'toString(address)': (_, [value]) => ['string', toChecksumAddress(value as Address)],
  ...Object.fromEntries(
    ['uint256', 'int256', 'bool', 'bytes32', 'bytes'].map((type): [string, Cheatcode] => [
      `toString(${type})`,
      (_, [value]) => ['string', String(value)],
    ]),
  ),
  // Nothing is charged here.
  'pauseGasMetering()': nothing,
  'resumeGasMetering()': nothing,
  'resetGasMetering()': nothing,
}

const CHECKS = ASSERTIONS.map(([signature, reasonOf]): [string, Cheatcode] => [
  signature,
  (_, args) => {
    const reason = reasonOf(args)
    if (reason !== undefined) throw new Refusal(reason, 'assertion')
  },
])

const ALL: Readonly<Record<string, Cheatcode>> = {
  ...PRANKS,
  ...EXPECTATIONS,
  ...STATE,
  ...TEXTS,
  ...Object.fromEntries(CHECKS),
}

/** Names of others, for the words of a refusal. */
const OTHERS = [
  ...['expectEmit()', 'expectEmit(address)', 'expectEmit(bool,bool,bool,bool)', 'expectCall(address,bytes)'],
  ...['expectEmit(bool,bool,bool,bool,address)', 'expectRevert(address)', 'expectRevert(bytes4,address)'],
  ...['expectRevert(bytes,address)', 'expectRevert(uint64)', 'record()', 'accesses(address)'],
  ...['mockCall(address,bytes,bytes)', 'sign(uint256,bytes32)', 'skip(bool)', 'fee(uint256)'],
  ...['chainId(uint256)', 'readCallers()', 'setNonce(address,uint64)', 'snapshot()', 'snapshotState()'],
  ...['revertTo(uint256)', 'revertToState(uint256)', 'recordLogs()', 'getRecordedLogs()', 'getCode(string)'],
  ...['createSelectFork(string)', 'createSelectFork(string,uint256)', 'ffi(string[])', 'envString(string)'],
  ...['envUint(string)', 'envAddress(string)', 'readFile(string)', 'mockCallRevert(address,bytes,bytes)'],
]

interface Known {
  readonly signature: string
  readonly types: readonly AbiType[]
  readonly run: Cheatcode
}

function selectorOf(signature: string): string {
  return keccak256Hex(utf8ToBytes(signature)).slice(0, 10)
}

function typeNamesOf(signature: string): readonly string[] {
  const inner = signature.slice(signature.indexOf('(') + 1, -1)
  return inner === '' ? [] : inner.split(',')
}

function typesOf(names: readonly string[]): readonly AbiType[] {
  return (parseAbiParameters(names.map((type) => ({ type }))) ?? []).map(({ type }) => type)
}

let table: ReadonlyMap<string, Known> | undefined

/** The cheatcodes by selector; made when they are asked for, since hashes take time. */
function cheatcodes(): ReadonlyMap<string, Known> {
  table ??= new Map(
    Object.entries(ALL).map(([signature, run]) => [
      selectorOf(signature),
      { signature, types: typesOf(typeNamesOf(signature)), run },
    ]),
  )
  return table
}

/** The JSON ABI of the cheatcodes, for traces. */
export function cheatcodeAbi(): readonly unknown[] {
  return Object.keys(ALL).map((signature) => ({
    type: 'function',
    name: signature.slice(0, signature.indexOf('(')),
    inputs: typeNamesOf(signature).map((type) => ({ name: '', type })),
    outputs: [],
    stateMutability: 'nonpayable',
  }))
}

/** Runs a cheatcode; throws a refusal. `miss` is told the name of one that is not there. */
export function runCheatcode(
  site: CheatSite,
  data: Uint8Array,
  miss: (name: string) => void,
): Later<Uint8Array> {
  const selector = bytesToHex(data.subarray(0, 4))
  const known = cheatcodes().get(selector)
  if (known === undefined) {
    const name = OTHERS.find((signature) => selectorOf(signature) === selector) ?? selector
    miss(name)
    throw new Refusal(`the cheatcode ${name} is not there`)
  }
  const args = decodeAbi(known.types, data.subarray(4))
  if (args === undefined) throw new Refusal(`the arguments of ${known.signature} are malformed`)
  return andThen(known.run(site, args) as Later<Returned | undefined>, (returned) => {
    if (returned === undefined) return EMPTY_BYTES
    const [type, value] = returned
    return encodeAbi(typesOf([type]), [value], EMPTY_BYTES)
  })
}
