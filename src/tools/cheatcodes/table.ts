// The cheatcodes of Foundry that handlers, setUp and invariants use, by their selectors.

import type { CoveredEvm } from '../../core/execution/evm/covered-evm.ts'
import { type AbiValue, decodeAbi } from '../../core/primitives/abi.ts'
import { type AbiType, parseAbiParameters } from '../../core/primitives/abi-type.ts'
import { keccak256Hex } from '../../core/primitives/crypto.ts'
import { encodeAbi } from '../../core/primitives/encode-abi.ts'
import { bytesToHex, EMPTY_BYTES, utf8ToBytes } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/later.ts'
import { CALL_CHEATCODES } from './call-cheatcodes.ts'
import type { Cheatcode } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'
import { CheatExecution } from './execution.ts'
import { PURE_CHEATCODES } from './pure-cheatcodes.ts'
import { STATE_CHEATCODES } from './state-cheatcodes.ts'

/** Cheatcodes that are not there, for the words of a refusal. */
const MISSING = `
  createSelectFork(string) createSelectFork(string,uint256) createFork(string) createFork(string,uint256)
  selectFork(uint256) rollFork(uint256) activeFork() rpcUrl(string) ffi(string[])
  envString(string) envUint(string) envAddress(string) envBool(string) envBytes32(string)
  envOr(string,uint256) envOr(string,bool) envOr(string,string) envOr(string,address)
  readFile(string) writeFile(string,string) projectRoot() exists(string) readDir(string)
  getCode(string) getDeployedCode(string) deployCode(string) deployCode(string,bytes)
  parseJson(string) parseJson(string,string) serializeUint(string,string,uint256) unixTime()
  broadcast() startBroadcast() stopBroadcast() startBroadcast(address)
  randomUint() randomUint(uint256) randomUint(uint256,uint256) randomAddress() randomBool() randomInt()
  setSeed(uint256) bound(uint256,uint256,uint256) sleep(uint256)
  expectSafeMemory(uint64,uint64) expectSafeMemoryCall(uint64,uint64) expectCreate(bytes,address)
  expectCreate2(bytes,address) _expectCheatcodeRevert() prank(address,bool) startPrank(address,bool)
  startStateDiffRecording() stopAndReturnStateDiff() startMappingRecording() lastCallGas()
  startSnapshotGas(string) stopSnapshotGas() snapshotGasLastCall(string) snapshotValue(string,uint256)
  cool(address) setBlockhash(uint256,bytes32) blobBaseFee(uint256) blobhashes(bytes32[])
  difficulty(uint256) deriveKey(string,uint32) rememberKey(uint256) sign(bytes32) sign(address,bytes32)
  signP256(uint256,bytes32) signDelegation(address,uint256) signAndAttachDelegation(address,uint256)
  attachDelegation((uint8,bytes32,bytes32,uint64,address)) setArbitraryStorage(address)
  copyStorage(address,address) cloneAccount(address,address) deleteStateSnapshots() isContext(uint8)`

interface Row {
  readonly signature: string
  readonly inputs: readonly AbiType[]
  readonly outputs: readonly AbiType[]
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

function nameOf(signature: string): string {
  return signature.slice(0, signature.indexOf('('))
}

function inputsOf(signature: string): readonly Parameter[] {
  return parametersIn(signature.slice(signature.indexOf('(')))
}

function typesOf(parameters: readonly Parameter[]): readonly AbiType[] {
  return (parseAbiParameters(parameters) ?? []).map(({ type }) => type)
}

const ALL = { ...CALL_CHEATCODES, ...STATE_CHEATCODES, ...PURE_CHEATCODES }

function rowOf([key, run]: readonly [string, Cheatcode]): readonly [selector: string, Row] {
  const [signature = '', returns = '()'] = key.split(' returns ')
  const [inputs, outputs] = [inputsOf(signature), parametersIn(returns)].map(typesOf) as [
    Row['inputs'],
    Row['outputs'],
  ]
  return [selectorOf(signature), { signature, inputs, outputs, run, isPure: key in PURE_CHEATCODES }]
}

let rows: ReadonlyMap<string, Row> | undefined

/** The JSON ABI of the cheatcodes, for traces. */
export function cheatcodeAbi(): readonly unknown[] {
  return Object.keys(ALL).map((key) => {
    const [signature = ''] = key.split(' returns ')
    return {
      ...{ type: 'function', name: nameOf(signature), stateMutability: 'nonpayable' },
      ...{ inputs: inputsOf(signature), outputs: [] },
    }
  })
}

function encodeReturned({ outputs }: Row, returned: unknown): Uint8Array {
  if (outputs.length === 0) return EMPTY_BYTES
  const values = outputs.length === 1 ? [returned as AbiValue] : (returned as readonly AbiValue[])
  return encodeAbi(outputs, values, EMPTY_BYTES)
}

/** Runs a cheatcode; throws a refusal. */
function runCheatcode(execution: CheatExecution, data: Uint8Array): Later<Uint8Array> {
  // Made when one is called first, since hashes take time.
  rows ??= new Map(Object.entries(ALL).map(rowOf))
  const selector = bytesToHex(data.subarray(0, 4))
  const row = rows.get(selector)
  if (row === undefined) {
    const signatures = MISSING.trim().split(/\s+/)
    const name = signatures.find((signature) => selectorOf(signature) === selector) ?? selector
    execution.missing ??= name
    throw new CheatcodeRefusal(`the cheatcode ${name} is not there`)
  }
  const { signature, inputs, run, isPure } = row
  // It reads or changes more than its arguments.
  if (!isPure) execution.covering.reads.isPartial = true
  const args = decodeAbi(inputs, data.subarray(4))
  if (args === undefined) throw new CheatcodeRefusal(`the arguments of ${signature} are malformed`)
  try {
    return andThen(run(execution, ...(args as never[])) as Later<unknown>, (returned) =>
      encodeReturned(row, returned),
    )
  } catch (error) {
    if (!(error instanceof CheatcodeRefusal) || error.kind !== 'refused' || error.data) throw error
    throw new CheatcodeRefusal(`vm.${nameOf(signature)}: ${error.reason}`)
  }
}

/** Adds the cheatcodes to an EVM. */
export function installCheatcodes(covered: CoveredEvm): CheatExecution {
  return new CheatExecution(covered, runCheatcode)
}
