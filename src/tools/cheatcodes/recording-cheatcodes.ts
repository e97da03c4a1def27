// Cheatcodes of what an execution does: accesses to accounts, gas, steps, memory. Cheatcodes of the slots of mappings.

import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import { type Address, bytesToHex, type Hash, type Hex, toWord } from '../../core/primitives/hex.ts'
import { readAccount } from '../../core/state/world-state.ts'
import { artifactWith } from './artifact-cheatcodes.ts'
import type { MappedSlot } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { type Json, JsonNumber, writeJson } from './json.ts'
import * as recorder from './recorder.ts'
import { type SlotName, slotName, withValues } from './slot-names.ts'
import { takeLogs } from './state-cheatcodes.ts'

type Place = [address: Address, slot: Hash, index?: bigint]

function writtenIn({ cheats }: CheatExecution, ...[address, slot]: Place): readonly MappedSlot[] {
  const written = cheats.mappings?.get(address)?.written.values() ?? []
  return [...written].filter(({ parent }) => parent === slot)
}

function recordMappings(run: CheatExecution): void {
  run.watching.need('steps')
  run.change({ mappings: run.cheats.mappings ?? new Map() })
}

export const MAPPING_CHEATCODES: Cheatcodes = {
  'startMappingRecording()': recordMappings,
  'stopMappingRecording()': (run) => run.change({ mappings: undefined }),
  'getMappingLength(address,bytes32) returns (uint256)': (run, address: Address, slot: Hash) =>
    BigInt(writtenIn(run, address, slot).length),
  'getMappingSlotAt(address,bytes32,uint256) returns (bytes32)': (run, ...[address, slot, index]: Place) =>
    writtenIn(run, address, slot)[Number(index)]?.slot ?? toWord(0),
  'getMappingKeyAndParentOf(address,bytes32) returns (bool,bytes32,bytes32)': (
    { cheats },
    ...place: Place
  ) => {
    const [address, slot] = place
    const known = cheats.mappings?.get(address)
    const found = known?.written.get(slot) ?? known?.hashes.get(slot)
    return [found !== undefined, found?.key ?? toWord(0), found?.parent ?? toWord(0)]
  },
}

const ACCESS =
  '((uint256,uint256),uint8,address,address,bool,uint256,uint256,bytes,uint256,bytes,bool,(address,bytes32,bool,bytes32,bytes32,bool)[],uint64,uint64,uint64)[]'
const SLOT_ACCESS = '(address,bytes32,bool,bytes32,bytes32,bool)[]'
const STEP = '(uint256[],bytes,uint8,uint64,bool,address)[]'
const GAS = '(uint64,uint64,uint64,int64,uint64)'

function changesOf({ watching }: CheatExecution) {
  return recorder.accountChanges(watching.recorder.recording ?? [])
}

/** The artifact of the contract at an address. As in forge, a nonce alone has none. */
function artifactAt(run: CheatExecution, address: Address, { slots, balance }: recorder.AccountChange) {
  const { bytes } = readAccount(run.writer.current, address).code
  const isLooked = bytes.length > 0 && (slots.size > 0 || balance !== undefined)
  return isLooked ? artifactWith(run, bytes, 'deployedCode') : undefined
}

interface NamedChange {
  readonly slot: Hash
  readonly change: recorder.SlotChange
  readonly name: SlotName | undefined
}

function facts(run: CheatExecution, address: Address, change: recorder.AccountChange) {
  const artifact = artifactAt(run, address, change)
  const mapped = run.cheats.mappings?.get(address)?.written ?? new Map<Hash, MappedSlot>()
  const slots = [...change.slots]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([slot, values]): NamedChange => {
      const name = artifact?.layout && slotName(artifact.layout, slot, mapped, values.first)
      return { slot, change: values, name: name && withValues(name, slot, values, values.last) }
    })
  return {
    label: run.cheats.labels.get(address),
    contract: artifact && `${artifact.source}:${artifact.contract}`,
    slots,
  }
}

const arrow = (change?: { readonly before: unknown; readonly after: unknown }) =>
  `${change?.before} → ${change?.after}`

function changeText(run: CheatExecution, address: Address, change: recorder.AccountChange): string {
  const { balance, nonce } = change
  const { label, contract, slots } = facts(run, address, change)
  const lines = [
    toChecksumAddress(address),
    ...(label === undefined ? [] : [`label: ${label}`]),
    ...(contract === undefined ? [] : [`contract: ${contract}`]),
    ...(balance?.before === balance?.after ? [] : [`- balance diff: ${arrow(balance)}`]),
    ...(nonce?.before === nonce?.after ? [] : [`- nonce diff: ${arrow(nonce)}`]),
    ...(slots.length === 0 ? [] : ['- state diff:']),
    ...slots.map(({ slot, change: values, name }) => {
      const named = name === undefined ? slot : `${slot} (${name.label}, ${name.shown})`
      return `@ ${named}: ${arrow(name?.decoded ?? values)}`
    }),
  ]
  return `${lines.join('\n')}\n\n`
}

function pair(before: Json, after: Json): Json {
  return new Map(Object.entries({ previousValue: before, newValue: after }))
}

function numbers(change: recorder.AccountChange['balance'], isHex: boolean): Json {
  if (change === undefined) return null
  const show = (value: bigint) => (isHex ? `0x${value.toString(16)}` : new JsonNumber(`${value}`))
  return pair(show(change.before), show(change.after))
}

function nameJson({
  label,
  typeLabel,
  offset,
  slot,
  members = [],
  decoded,
  keys = [],
}: SlotName): [string, Json][] {
  return [
    ['label', label],
    ['type', typeLabel],
    ['offset', new JsonNumber(`${offset}`)],
    ['slot', `${slot}`],
    ...(members.length === 0 ? [] : [['members', members.map((each) => new Map(nameJson(each)))] as const]),
    ...(decoded === undefined ? [] : [['decoded', pair(decoded.before, decoded.after)] as const]),
    ...(keys.length === 0 ? [] : [keys.length === 1 ? ['key', keys[0]] : ['keys', keys]]),
  ] as [string, Json][]
}

function changeJson(run: CheatExecution, address: Address, change: recorder.AccountChange): Json {
  const { label, contract, slots } = facts(run, address, change)
  const slotJson = ({ change: { before, after }, name }: NamedChange): Json =>
    new Map([
      ...Object.entries({ previousValue: before, newValue: after }),
      ...(name === undefined ? [] : nameJson(name)),
    ])
  return new Map<string, Json>([
    ['label', label ?? null],
    ['contract', contract ?? null],
    ['balanceDiff', numbers(change.balance, true)],
    ['nonceDiff', numbers(change.nonce, false)],
    ['stateDiff', new Map(slots.map((each) => [each.slot, slotJson(each)]))],
  ])
}

const DIFFERENCES: Cheatcodes = {
  /** As in forge, it also begins to record the keys of mappings. */
  'startStateDiffRecording()': (run) => {
    recordMappings(run)
    run.watching.recorder.begin([])
  },
  /** As in forge, it empties the recording, and what follows is recorded. */
  [`stopAndReturnStateDiff() returns (${ACCESS})`]: ({ watching }) => {
    const accesses = recorder.accountAccesses(watching.recorder.recording ?? [])
    watching.need('accesses')
    watching.recorder.begin([])
    return accesses
  },
  [`getStorageAccesses() returns (${SLOT_ACCESS})`]: ({ watching }) =>
    recorder.storageAccesses(watching.recorder.recording ?? []),
  'getStateDiff() returns (string)': (run) =>
    changesOf(run)
      .map(([address, change]) => changeText(run, address, change))
      .join(''),
  'getStateDiffJson() returns (string)': (run) =>
    writeJson(
      new Map(changesOf(run).map(([address, change]) => [address, changeJson(run, address, change)])),
    ),
}

/** Notes a value of a group: those of a test contract have its name. */
function note(run: CheatExecution, group: string | undefined, name: string, value: bigint): void {
  const { noted, setting } = run.cheats
  const of = group ?? setting.contract
  run.change({ noted: new Map(noted).set(of, new Map(noted.get(of)).set(name, `${value}`)) })
}

function lastGas({ watching, gas, cheats }: CheatExecution) {
  watching.need('messages')
  return gas.last ?? cheats.lastGas ?? refuseWith('no external call was made yet')
}

function startGas(run: CheatExecution, group: string | undefined, name: string): void {
  const { gas, watching } = run
  watching.need('messages')
  if (gas.started !== undefined) {
    const [before, other] = gas.started.names
    refuseWith(`gas snapshot was already started with group: ${before} and name: ${other}`)
  }
  gas.start([group ?? run.cheats.setting.contract, name], run.sender)
}

function stopGas(run: CheatExecution, group?: string, name?: string): bigint {
  const { gas } = run
  const { started } = gas
  // As in forge, a name counts only with its group.
  if (group !== undefined && started?.names.join() !== [group, name].join())
    refuseWith(`no gas snapshot was started with the name: ${name} in group: ${group}`)
  if (started === undefined) refuseWith('no active gas snapshot; call `startGasSnapshot` first')
  const used = gas.stop(started, run.sender)
  note(run, ...started.names, used)
  return used
}

const GAS_CODES: Cheatcodes = {
  [`lastCallGas() returns (${GAS})`]: lastGas,
  'snapshotValue(string?,string,uint256)': note,
  'snapshotGasLastCall(string?,string) returns (uint256)': (run, group: string | undefined, name: string) => {
    const [, used] = lastGas(run)
    note(run, group, name, used)
    return used
  },
  'startSnapshotGas(string?,string)': startGas,
  'stopSnapshotGas(string?,string) returns (uint256)': stopGas,
  'stopSnapshotGas() returns (uint256)': (run) => stopGas(run),
  'pauseGasMetering()': (run) => {
    const { gas, message, watching, evm } = run
    watching.need('messages')
    gas.pauseAt(message)
    evm.heldGas = () => gas.heldIn(run.message)
  },
  'resumeGasMetering()': ({ gas, open }) => gas.resumeAt(open),
  'resetGasMetering()': ({ gas, watching, sender }) => {
    watching.need('messages')
    gas.reset(sender)
  },
}

const STEPS: Cheatcodes = {
  'startDebugTraceRecording()': ({ watching }) => {
    watching.need('steps')
    if (watching.steps !== undefined) refuseWith('debug trace recording was already started')
    watching.steps = []
  },
  [`stopAndReturnDebugTraceRecording() returns (${STEP})`]: ({ watching }) => {
    const { steps } = watching
    if (steps === undefined) refuseWith('nothing recorded')
    watching.steps = undefined
    return steps
  },
  'expectSafeMemory(uint64,uint64)': (run, from: bigint, to: bigint) =>
    allowMemory(run, run.message.depth - 1, from, to),
  'expectSafeMemoryCall(uint64,uint64)': (run, from: bigint, to: bigint) =>
    allowMemory(run, run.message.depth, from, to),
  'stopExpectSafeMemory()': ({ watching, message }) => watching.memory.stop(message.depth - 1),
}

function allowMemory({ watching }: CheatExecution, depth: number, from: bigint, to: bigint): void {
  if (from >= to) refuseWith(`memory range start (${from}) is greater than end (${to})`)
  watching.need('steps')
  watching.memory.allow(depth, from, to)
}

const LOGS: Cheatcodes = {
  'getRecordedLogsJson() returns (string)': (run) =>
    writeJson(
      takeLogs(run).map(
        ({ topics, data, emitter }) =>
          new Map<string, Json>([
            ['topics', topics.map((topic): Hex => bytesToHex(topic))],
            ['data', bytesToHex(data)],
            ['emitter', toChecksumAddress(emitter)],
          ]),
      ),
    ),
}

export const RECORDING_CHEATCODES: Cheatcodes = { ...DIFFERENCES, ...GAS_CODES, ...STEPS, ...LOGS }
