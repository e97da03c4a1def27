// The cheatcodes of Foundry that handlers, setUp and invariants use most, by their selectors.

import { type AbiValue, decodeAbi } from '../../primitives/abi.ts'
import { elementaryType } from '../../primitives/abi-type.ts'
import { addressOfPublicKey, keccak256Hex } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import {
  type Address,
  bytesToHex,
  EMPTY_BYTES,
  hexToBytes,
  toWord,
  utf8ToBytes,
} from '../../primitives/hex.ts'
import { publicKeyOf } from '../../primitives/signer.ts'
import type { BlockEnvironment } from '../evm/environment.ts'

const MOST_TIME = BigInt(Number.MAX_SAFE_INTEGER)

/** Why a cheatcode reverts. */
export class Refusal {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** What cheatcodes act on. */
export interface CheatSite {
  readonly prank: (as: AbiValue, isLasting: boolean) => void
  readonly stopPrank: () => void
  readonly deal: (address: AbiValue, balance: AbiValue) => void
  readonly moveTo: (changes: Partial<Pick<BlockEnvironment, 'number' | 'timestamp'>>) => void
  readonly environment: () => BlockEnvironment
}

type Cheatcode = (site: CheatSite, args: readonly AbiValue[]) => AbiValue | undefined

function numberOf(value: AbiValue | undefined): number {
  if (typeof value !== 'bigint' || value > MOST_TIME) throw new Refusal('the number is too large')
  return Number(value)
}

function addressOfKey(key: AbiValue | undefined): Address {
  const publicKey = publicKeyOf(hexToBytes(toWord(key as bigint)))
  if (publicKey === undefined) throw new Refusal('no private key')
  return addressOfPublicKey(publicKey)
}

const PLAIN: Readonly<Record<string, Cheatcode>> = {
  'prank(address)': ({ prank }, [as = '']) => void prank(as, false),
  'startPrank(address)': ({ prank }, [as = '']) => void prank(as, true),
  'stopPrank()': ({ stopPrank }) => void stopPrank(),
  'deal(address,uint256)': ({ deal }, [address = '', balance = 0n]) => void deal(address, balance),
  'warp(uint256)': ({ moveTo }, [time]) => void moveTo({ timestamp: numberOf(time) }),
  'roll(uint256)': ({ moveTo }, [number]) => void moveTo({ number: numberOf(number) }),
  'getBlockTimestamp()': ({ environment }) => BigInt(environment().timestamp),
  'getBlockNumber()': ({ environment }) => BigInt(environment().number),
  'label(address,string)': () => undefined,
  'addr(uint256)': (_, [key]) => addressOfKey(key),
  'assume(bool)': (_, [holds]) => {
    if (holds === false) throw new Refusal('an assumption does not hold')
    return undefined
  },
}

type Relation = (left: bigint, right: bigint) => boolean

const ORDER: Readonly<Record<string, readonly [opposite: string, holds: Relation]>> = {
  Lt: ['>=', (left, right) => left < right],
  Gt: ['<=', (left, right) => left > right],
  Le: ['>', (left, right) => left <= right],
  Ge: ['<', (left, right) => left >= right],
}

/** An assertion of two values, or one, as vm has it for each type, with and without words of its own. */
function assertionsOf(
  name: string,
  types: readonly string[],
  holds: (args: readonly AbiValue[]) => string | undefined,
) {
  const check: Cheatcode = (_, args) => {
    const reason = holds(args)
    const words = args[types.length]
    if (reason !== undefined) throw new Refusal(words === undefined ? reason : `${String(words)}: ${reason}`)
    return undefined
  }
  return [
    [`${name}(${types.join(',')})`, check],
    [`${name}(${[...types, 'string'].join(',')})`, check],
  ] as const
}

/** With the words of forge. */
function compared(opposite: string, holds: (left: AbiValue, right: AbiValue) => boolean) {
  return ([left = 0n, right = 0n]: readonly AbiValue[]): string | undefined =>
    holds(left, right) ? undefined : `${String(left)} ${opposite} ${String(right)}`
}

function distance(left: AbiValue, right: AbiValue): bigint {
  const difference = (left as bigint) - (right as bigint)
  return difference < 0n ? -difference : difference
}

const ASSERTIONS: readonly (readonly [string, Cheatcode])[] = [
  ...assertionsOf('assertTrue', ['bool'], ([value]) => (value === true ? undefined : 'assertion failed')),
  ...assertionsOf('assertFalse', ['bool'], ([value]) => (value === false ? undefined : 'assertion failed')),
  ...['bool', 'uint256', 'int256', 'address', 'bytes32', 'string', 'bytes'].flatMap((type) => [
    ...assertionsOf(
      'assertEq',
      [type, type],
      compared('!=', (left, right) => left === right),
    ),
    ...assertionsOf(
      'assertNotEq',
      [type, type],
      compared('==', (left, right) => left !== right),
    ),
  ]),
  ...['uint256', 'int256'].flatMap((type) => [
    ...Object.entries(ORDER).flatMap(([name, [opposite, holds]]) =>
      assertionsOf(`assert${name}`, [type, type], compared(opposite, holds as never)),
    ),
    ...assertionsOf('assertApproxEqAbs', [type, type, 'uint256'], ([left = 0n, right = 0n, most = 0n]) =>
      distance(left, right) <= (most as bigint)
        ? undefined
        : `${String(left)} !~= ${String(right)} (max delta: ${String(most)}, real delta: ${distance(left, right)})`,
    ),
  ]),
]

/** Names of others, for the words of a refusal. */
const OTHERS = [
  ...['prank(address,address)', 'startPrank(address,address)', 'expectRevert()', 'expectRevert(bytes4)'],
  ...['expectRevert(bytes)', 'expectEmit()', 'expectEmit(bool,bool,bool,bool)', 'expectCall(address,bytes)'],
  ...['store(address,bytes32,bytes32)', 'load(address,bytes32)', 'record()', 'accesses(address)'],
  ...[
    'etch(address,bytes)',
    'mockCall(address,bytes,bytes)',
    'sign(uint256,bytes32)',
    'skip(bool)',
    'fee(uint256)',
  ],
  ...[
    'snapshot()',
    'snapshotState()',
    'recordLogs()',
    'getCode(string)',
    'createSelectFork(string)',
    'ffi(string[])',
  ],
]

interface Known {
  readonly signature: string
  readonly types: readonly ReturnType<typeof elementaryType>[]
  readonly run: Cheatcode
}

function selectorOf(signature: string): string {
  return keccak256Hex(utf8ToBytes(signature)).slice(0, 10)
}

let table: ReadonlyMap<string, Known> | undefined

/** The cheatcodes by selector; made when they are asked for, since hashes take time. */
function cheatcodes(): ReadonlyMap<string, Known> {
  table ??= new Map(
    [...Object.entries(PLAIN), ...ASSERTIONS].map(([signature, run]) => {
      const inner = signature.slice(signature.indexOf('(') + 1, -1)
      const types = inner === '' ? [] : inner.split(',').map(elementaryType)
      return [selectorOf(signature), { signature, types, run }]
    }),
  )
  return table
}

function encodeResult(value: AbiValue | undefined): Uint8Array {
  if (value === undefined) return EMPTY_BYTES
  return encodeAbi([elementaryType(typeof value === 'bigint' ? 'uint256' : 'address')], [value], EMPTY_BYTES)
}

/** Runs a cheatcode; throws a refusal. `miss` is told the name of one that is not there. */
export function runCheatcode(site: CheatSite, data: Uint8Array, miss: (name: string) => void): Uint8Array {
  const selector = bytesToHex(data.subarray(0, 4))
  const known = cheatcodes().get(selector)
  if (known === undefined) {
    const name = OTHERS.find((signature) => selectorOf(signature) === selector) ?? selector
    miss(name)
    throw new Refusal(`the cheatcode ${name} is not there`)
  }
  const args = decodeAbi(known.types, data.subarray(4))
  if (args === undefined) throw new Refusal(`the arguments of ${known.signature} are malformed`)
  return encodeResult(known.run(site, args))
}
