// Decoding of recorded calls with known contracts, and of what they change in storage.

import { CHEATCODES, CONSOLE_ADDRESS } from '../../../core/execution/evm/pooled-evm.ts'
import { type CustomErrors, readConsoleCall } from '../../../core/execution/result/console-log.ts'
import { decodeRevert, revertReason } from '../../../core/execution/result/revert-reason.ts'
import { type FrameStart, isCreation, type ObservedLog } from '../../../core/execution/trace/observer.ts'
import { type AbiParameter, decodeParameters } from '../../../core/primitives/abi.ts'
import { decodeEvent, type EventType, isHashed } from '../../../core/primitives/abi-event.ts'
import { type Address, bytesToBigInt, bytesToHex, type Hex } from '../../../core/primitives/hex.ts'
import type {
  StorageChange,
  TracedCall,
  TracedError,
  TracedEvent,
  TracedValue,
} from '../../../core/rpc/call-trace.ts'
import { delegateOf, readAccount, readStorage, type WorldState } from '../../../core/state/world-state.ts'
import { hasEntry } from '../artifacts/abi.ts'
import type { AbiFunction, CompiledContract, StorageLayout } from '../model/contract.ts'
import * as indexes from '../model/contract-index.ts'
import { asPlainError, type RecordedCall, type RecordedWrite } from './record-calls.ts'
import { type NameOf, type Preimages, unnamedText, valueText, variablesIn } from './storage-names.ts'

/** A slot that was written, with the value that it had before and the one that it has now. */
interface WrittenSlot {
  readonly write: RecordedWrite
  readonly layout: StorageLayout | undefined
  readonly before: bigint
  after: bigint
}

/** The slots that a call or the whole execution wrote, in the order of the first writes. */
type WrittenSlots = Map<string, WrittenSlot>

/** Storage as the execution goes on. */
interface StorageNow {
  readonly before: WorldState
  /** All slots that were written, also by calls that failed. */
  readonly slots: WrittenSlots
  /** Values of slots before each write, for calls that fail. */
  readonly undo: (readonly [key: string, before: bigint])[]
}

/** Notes a write in the slots of its call and of the execution. */
function noteWrite(
  now: StorageNow,
  ofCall: WrittenSlots,
  write: RecordedWrite,
  layout: StorageLayout | undefined,
): void {
  const { address, slot, value } = write
  const key = `${address}${slot}`
  const before = now.slots.get(key)?.after ?? bytesToBigInt(readStorage(now.before, address, slot))
  now.undo.push([key, before])
  for (const written of [ofCall, now.slots]) {
    const known = written.get(key)
    if (known === undefined) written.set(key, { write, layout, before, after: value })
    else known.after = value
  }
}

/** The layout of what a frame writes. Code without variables, such as a library's, writes those of its caller. */
function layoutOf(
  { kind }: FrameStart,
  contract: CompiledContract | undefined,
  callers: StorageLayout | undefined,
): StorageLayout | undefined {
  const own = contract?.storageLayout
  const isInCaller = kind === 'DELEGATECALL' || kind === 'CALLCODE'
  return isInCaller && own?.variables.length === 0 ? callers : own
}

/** The slots whose value differs, as variables where their layout is known. */
function storageChangesOf(preimages: Preimages, nameOf: NameOf, written: WrittenSlots): StorageChange[] {
  return [...written.values()].flatMap(({ write, layout, before, after }): StorageChange[] => {
    if (before === after) return []
    const { address, slot } = write
    const named = variablesIn(layout, preimages, nameOf, BigInt(slot)).flatMap(({ name, partOf, textOf }) => {
      const [from, to] = [partOf(before), partOf(after)]
      return from === to ? [] : [{ address, slot, name, before: textOf(from), after: textOf(to) }]
    })
    if (named.length > 0) return named
    return [{ address, slot, name: undefined, before: unnamedText(before), after: unnamedText(after) }]
  })
}

/** Contracts, names and states that decoding reads. */
interface DecodingContext {
  readonly contracts: indexes.ContractIndex
  readonly nativeAt: (address: Address) => CompiledContract | undefined
  readonly errors: CustomErrors
  /** Names that a test or the chain has given. */
  readonly labels: NameOf
  readonly before: WorldState
  /** The state after it, with the delegations that it set (EIP-7702). */
  readonly after: WorldState
  readonly preimages: Preimages
  readonly precompiles: ReadonlyMap<Address, string>
}

/** Decoded frames and logs, for their steps. */
export interface DecodedParts {
  /** Frames by their start, with the number of their call in the tree. */
  readonly frames: Map<FrameStart, DecodedFrame>
  readonly events: Map<ObservedLog, string>
}

interface DecodedFrame {
  readonly call: number
  readonly contract: CompiledContract | undefined
  readonly layout: StorageLayout | undefined
}

interface Decoder extends DecodingContext {
  readonly parts: DecodedParts
  readonly created: Map<Address, CompiledContract | undefined>
  readonly storage: StorageNow
  readonly nameOf: NameOf
}

function contractAt(decoder: Decoder, address: Address): CompiledContract | undefined {
  const { before, after, contracts, created } = decoder
  if (created.has(address)) return created.get(address)
  const native = decoder.nativeAt(address)
  if (native !== undefined) return native
  const { bytes } = readAccount(before, address).code
  const delegate = delegateOf(readAccount(after, address).code.bytes) ?? delegateOf(bytes)
  const code = delegate === undefined ? bytes : readAccount(before, delegate).code.bytes
  return indexes.recogniseDeployed(contracts, code)
}

function decodeValues(
  { nameOf }: Decoder,
  parameters: readonly AbiParameter[] | undefined,
  bytes: Uint8Array,
): TracedValue[] | undefined {
  if (parameters === undefined) return undefined
  return decodeParameters(parameters, bytes)?.map((value, index) => {
    const { name, type } = parameters[index] as AbiParameter
    return { name, type: type.canonical, value, text: valueText(type, value, nameOf) }
  })
}

type KnownFunction = Pick<AbiFunction, 'name' | 'inputs' | 'outputs'>

function ownFunction(contract: CompiledContract | undefined, selector: Hex): KnownFunction | undefined {
  const declared = contract?.callable.get(selector)
  // A library's function with storage pointers is in no ABI.
  const withoutAbi = declared && { name: declared.name, inputs: undefined, outputs: undefined }
  return contract?.functions.get(selector) ?? withoutAbi
}

type Invocation = Pick<TracedCall, 'functionName' | 'args' | 'results'>

const UNKNOWN: Invocation = { functionName: undefined, args: [], results: undefined }

function invocationOf(
  decoder: Decoder,
  contract: CompiledContract | undefined,
  { start, end }: RecordedCall,
): Invocation {
  const { kind, input } = start
  if (kind === 'SELFDESTRUCT') return UNKNOWN
  const precompile = start.isPrecompile ? decoder.precompiles.get(start.to) : undefined
  if (precompile !== undefined) return { ...UNKNOWN, functionName: precompile }
  if (isCreation(start)) {
    const code = contract?.creation?.bytes
    const args = code && decodeValues(decoder, contract?.constructorInputs, input.subarray(code.length))
    return { ...UNKNOWN, functionName: 'constructor', args: args ?? [] }
  }
  if (input.length === 0) {
    const isFallback = hasEntry(contract, 'fallback') && !hasEntry(contract, 'receive')
    return { ...UNKNOWN, functionName: isFallback ? 'fallback' : 'receive' }
  }
  const selector = bytesToHex(input.subarray(0, 4))
  const own = ownFunction(contract, selector)
  // Of any contract, since the callee may be a proxy or be unknown.
  const known = own ?? indexes.functionWith(decoder.contracts, selector)
  const args = known && decodeValues(decoder, known.inputs, input.subarray(4))
  if (known !== undefined && args !== undefined) {
    const results = end.error === undefined ? decodeValues(decoder, known.outputs, end.output) : undefined
    return { functionName: known.name, args, results }
  }
  if (own !== undefined) return { ...UNKNOWN, functionName: own.name }
  return hasEntry(contract, 'fallback') ? { ...UNKNOWN, functionName: 'fallback' } : UNKNOWN
}

/** `name: value`, or the value alone. */
export function valuesText(values: readonly TracedValue[]): string {
  return values.map(({ name, text }) => (name === '' ? text : `${name}: ${text}`)).join(', ')
}

/** A custom error with its arguments as in a call. */
function customErrorText(decoder: Decoder, known: CustomErrors, output: Uint8Array): TracedError | undefined {
  const custom = known.get(bytesToHex(output.subarray(0, 4)))
  const values = custom && decodeValues(decoder, custom.inputs, output.subarray(4))
  if (custom === undefined || values === undefined) return undefined
  const { name } = custom
  const message = `${name}(${values.map((each) => each.text).join(', ')})`
  return { message, text: `${name}(${valuesText(values)})`, name, args: values.map(({ value }) => value) }
}

function errorOf(decoder: Decoder, { start, end }: RecordedCall): TracedError | undefined {
  const { errors, contracts } = decoder
  const { error } = end
  const output = asPlainError(end.output)
  if (error === undefined) return undefined
  if (error !== 'execution reverted') return { message: error, name: undefined, args: [], text: error }
  const known = new Map([...indexes.errorsOf(contracts), ...errors])
  const reason = decodeRevert(output, known)
  const custom = customErrorText(decoder, known, output)
  if (custom !== undefined) return custom
  const message = revertReason(output, known) ?? error
  if (reason.type === 'text')
    return { message: reason.text, name: 'Error', args: [reason.text], text: reason.text }
  if (reason.type === 'panic') {
    const text = `panic: ${message} (0x${reason.code.toString(16).padStart(2, '0')})`
    return { message, name: 'Panic', args: [reason.code], text }
  }
  // As Base's native contracts answer, whose functions come with forks.
  const isRefused = output.length === 4 && bytesToHex(start.input.subarray(0, 4)) === bytesToHex(output)
  const text = isRefused ? `${message}: no such function, or other arguments` : message
  return { message, name: undefined, args: [], text }
}

function valuesOfEvent({ nameOf }: Decoder, event: EventType, log: ObservedLog): TracedValue[] | undefined {
  return decodeEvent(event, log)?.map((value, index) => {
    const input = event.inputs[index] as EventType['inputs'][number]
    const { name, type } = input
    const text = isHashed(input) ? `${value}` : valueText(type, value, nameOf)
    return { name, type: type.canonical, value, text }
  })
}

function eventOf(decoder: Decoder, contract: CompiledContract | undefined, log: ObservedLog): TracedEvent {
  const { address, topics, data } = log
  const shown = { type: 'event', address, topics, data: bytesToHex(data) } as const
  const [topic = '0x'] = topics
  for (const event of indexes.eventsWith(decoder.contracts, contract, topic)) {
    const args = valuesOfEvent(decoder, event, log)
    if (args === undefined) continue
    decoder.parts.events.set(log, event.name)
    return { ...shown, name: event.name, args }
  }
  return { ...shown, name: undefined, args: [] }
}

/** The contract whose code runs in a frame; of a creation without known creation code, what it created. */
function contractOf(decoder: Decoder, { start, end }: RecordedCall): CompiledContract | undefined {
  const { to, input } = start
  if (!isCreation(start)) return contractAt(decoder, to)
  const { contracts, created } = decoder
  const contract = indexes.recogniseCreation(contracts, input)
  const isCreated = contract === undefined && end.error === undefined
  created.set(to, isCreated ? indexes.recogniseDeployed(contracts, end.output) : contract)
  return contract
}

function decodeCall(
  decoder: Decoder,
  recorded: RecordedCall,
  callersLayout: StorageLayout | undefined,
): TracedCall {
  const { start, end } = recorded
  const { nameOf, preimages } = decoder
  const contract = contractOf(decoder, recorded)
  const layout = layoutOf(start, contract, callersLayout)
  const { frames } = decoder.parts
  frames.set(start, { call: frames.size, contract, layout })
  const entries: TracedCall['entries'][number][] = []
  const written: WrittenSlots = new Map()
  const { slots, undo } = decoder.storage
  const mark = undo.length
  for (const entry of recorded.entries) {
    if (entry.type === 'log') entries.push(eventOf(decoder, contract, entry.log))
    else if (entry.type === 'write') noteWrite(decoder.storage, written, entry.write, layout)
    else if (entry.call.start.to === CONSOLE_ADDRESS) {
      const { from, input } = entry.call.start
      entries.push({ type: 'console', message: readConsoleCall({ from, input }).message })
    } else entries.push(decodeCall(decoder, entry.call, layout))
  }
  if (end.error !== undefined) {
    for (const [key, value] of undo.splice(mark).reverse()) (slots.get(key) as WrittenSlot).after = value
    if (isCreation(start)) decoder.created.delete(start.to)
  }
  const { kind, from, to, value, gas } = start
  return {
    type: 'call',
    kind,
    from,
    to,
    value,
    gas,
    // Cheatcodes are called as a contract is.
    name: start.isPrecompile && to !== CHEATCODES ? 'precompiles' : nameOf(to),
    fromName: nameOf(from),
    gasUsed: end.gasUsed,
    input: bytesToHex(start.input),
    output: bytesToHex(end.output),
    ...invocationOf(decoder, contract, recorded),
    error: errorOf(decoder, recorded),
    entries,
    storage: end.error === undefined ? storageChangesOf(preimages, nameOf, written) : [],
    stack: [],
  }
}

/** Decodes the outermost call of an execution, and what the execution changed in storage. */
export function decodeCalls(context: DecodingContext, root: RecordedCall) {
  const storage: StorageNow = { before: context.before, slots: new Map(), undo: [] }
  const nameOf: NameOf = (address) => context.labels(address) ?? contractAt(decoder, address)?.name
  const parts: DecodedParts = { frames: new Map(), events: new Map() }
  const decoder: Decoder = { ...context, created: new Map(), storage, nameOf, parts }
  const call = decodeCall(decoder, root, undefined)
  const changes = storageChangesOf(context.preimages, nameOf, storage.slots)
  return { decoded: { call, storage: changes }, parts, nameOf }
}
