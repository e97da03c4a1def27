// The cheatcodes of Foundry that handlers, setUp and invariants use, by their selectors.

import { decodeAbi } from '../../primitives/abi.ts'
import { type AbiType, parseAbiParameters } from '../../primitives/abi-type.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import { bytesToHex, EMPTY_BYTES, utf8ToBytes } from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/later.ts'
import { CALL_CHEATCODES } from './call-cheatcodes.ts'
import type { Cheatcode, Cheatcodes, Returned } from './cheatcode.ts'
import { PURE_CHEATCODES } from './pure-cheatcodes.ts'
import { Refusal } from './refusal.ts'
import type { CheatSite } from './site.ts'
import { STATE_CHEATCODES } from './state-cheatcodes.ts'

const ALL: Cheatcodes = { ...CALL_CHEATCODES, ...STATE_CHEATCODES, ...PURE_CHEATCODES }

/** Names of others, for the words of a refusal. */
const OTHERS = [
  ...[
    'createSelectFork(string)',
    'createSelectFork(string,uint256)',
    'createFork(string)',
    'selectFork(uint256)',
  ],
  ...['createFork(string,uint256)', 'rollFork(uint256)', 'activeFork()', 'rpcUrl(string)', 'ffi(string[])'],
  ...['envString(string)', 'envUint(string)', 'envAddress(string)', 'envBool(string)', 'envBytes32(string)'],
  ...['envOr(string,uint256)', 'envOr(string,bool)', 'envOr(string,string)', 'envOr(string,address)'],
  ...['readFile(string)', 'writeFile(string,string)', 'projectRoot()', 'exists(string)', 'readDir(string)'],
  ...['getCode(string)', 'getDeployedCode(string)', 'deployCode(string)', 'deployCode(string,bytes)'],
  ...['parseJson(string)', 'parseJson(string,string)', 'serializeUint(string,string,uint256)', 'unixTime()'],
  ...['broadcast()', 'startBroadcast()', 'stopBroadcast()', 'startBroadcast(address)', 'skip(bool)'],
  ...[
    'randomUint()',
    'randomUint(uint256)',
    'randomUint(uint256,uint256)',
    'randomAddress()',
    'randomBool()',
  ],
  ...['randomInt()', 'setSeed(uint256)', 'bound(uint256,uint256,uint256)', 'sleep(uint256)'],
  ...[
    'expectSafeMemory(uint64,uint64)',
    'expectSafeMemoryCall(uint64,uint64)',
    'expectCreate(bytes,address)',
  ],
  ...[
    'expectCreate2(bytes,address)',
    '_expectCheatcodeRevert()',
    'prank(address,bool)',
    'startPrank(address,bool)',
  ],
  ...['startStateDiffRecording()', 'stopAndReturnStateDiff()', 'startMappingRecording()', 'lastCallGas()'],
  ...[
    'startSnapshotGas(string)',
    'stopSnapshotGas()',
    'snapshotGasLastCall(string)',
    'snapshotValue(string,uint256)',
  ],
  ...['cool(address)', 'setBlockhash(uint256,bytes32)', 'blobBaseFee(uint256)', 'blobhashes(bytes32[])'],
  ...[
    'difficulty(uint256)',
    'deriveKey(string,uint32)',
    'rememberKey(uint256)',
    'sign(bytes32)',
    'sign(address,bytes32)',
  ],
  ...[
    'signP256(uint256,bytes32)',
    'signDelegation(address,uint256)',
    'signAndAttachDelegation(address,uint256)',
  ],
  ...['attachDelegation((uint8,bytes32,bytes32,uint64,address))', 'setArbitraryStorage(address)'],
  ...[
    'copyStorage(address,address)',
    'cloneAccount(address,address)',
    'deleteStateSnapshots()',
    'isContext(uint8)',
  ],
]

interface Known {
  readonly signature: string
  readonly types: readonly AbiType[]
  readonly run: Cheatcode
  readonly isPure: boolean
}

function selectorOf(signature: string): string {
  return keccak256Hex(utf8ToBytes(signature)).slice(0, 10)
}

interface Parameter {
  readonly name: string
  readonly type: string
  readonly components?: readonly Parameter[]
}

/** The types in parentheses, as ABIs have them. */
function parametersIn(list: string): readonly Parameter[] {
  const found = list.slice(1, list.lastIndexOf(')')).match(/\([^()]*(\([^()]*\)[^()]*)*\)[^,]*|[^,]+/g) ?? []
  return found.map((type) =>
    type.startsWith('(')
      ? { name: '', type: `tuple${type.slice(type.lastIndexOf(')') + 1)}`, components: parametersIn(type) }
      : { name: '', type },
  )
}

function parametersOf(signature: string): readonly Parameter[] {
  return parametersIn(signature.slice(signature.indexOf('(')))
}

function typesOf(parameters: readonly Parameter[]): readonly AbiType[] {
  return (parseAbiParameters(parameters) ?? []).map(({ type }) => type)
}

let table: ReadonlyMap<string, Known> | undefined

/** The cheatcodes by selector; made when they are asked for, since hashes take time. */
function cheatcodes(): ReadonlyMap<string, Known> {
  table ??= new Map(
    Object.entries(ALL).map(([signature, run]) => [
      selectorOf(signature),
      { signature, types: typesOf(parametersOf(signature)), run, isPure: signature in PURE_CHEATCODES },
    ]),
  )
  return table
}

/** The JSON ABI of the cheatcodes, for traces. */
export function cheatcodeAbi(): readonly unknown[] {
  return Object.keys(ALL).map((signature) => ({
    type: 'function',
    name: nameOf(signature),
    inputs: parametersOf(signature),
    outputs: [],
    stateMutability: 'nonpayable',
  }))
}

function nameOf(signature: string): string {
  return signature.slice(0, signature.indexOf('('))
}

const outputTypes = new Map<string, readonly AbiType[]>()

function encodeReturned([types, ...values]: Returned): Uint8Array {
  let known = outputTypes.get(types)
  if (known === undefined) {
    known = typesOf(parametersIn(types))
    outputTypes.set(types, known)
  }
  return encodeAbi(known, values, EMPTY_BYTES)
}

/** Who is told of cheatcodes that run. */
export interface CheatListener {
  /** The name of one that is not there. */
  readonly miss: (name: string) => void
  /** One that reads or changes more than its arguments. */
  readonly impure: () => void
}

/** Runs a cheatcode; throws a refusal. */
export function runCheatcode(site: CheatSite, data: Uint8Array, listener: CheatListener): Later<Uint8Array> {
  const selector = bytesToHex(data.subarray(0, 4))
  const known = cheatcodes().get(selector)
  if (known === undefined) {
    const name = OTHERS.find((signature) => selectorOf(signature) === selector) ?? selector
    listener.miss(name)
    throw new Refusal(`the cheatcode ${name} is not there`)
  }
  const { signature, types, run, isPure } = known
  if (!isPure) listener.impure()
  const args = decodeAbi(types, data.subarray(4))
  if (args === undefined) throw new Refusal(`the arguments of ${signature} are malformed`)
  try {
    return andThen(run(site, args) as Later<Returned | undefined>, (returned) =>
      returned === undefined ? EMPTY_BYTES : encodeReturned(returned),
    )
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'refused') throw error
    throw new Refusal(`vm.${nameOf(signature)}: ${error.reason}`)
  }
}
