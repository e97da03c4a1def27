// Recorded steps with the changes of stack, memory and storage; named and placed in the sources after decoding.

import * as observers from '../../../core/execution/trace/observer.ts'
import { toChecksumAddress } from '../../../core/primitives/crypto.ts'
import * as hex from '../../../core/primitives/hex.ts'
import { readStorage, type WorldState } from '../../../core/state/world-state.ts'
import { functionAround, lineOf, type SourceFile } from '../model/source.ts'
import type { DecodedParts } from './decode-calls.ts'
import { placeText } from './format-trace.ts'
import { type NameOf, type Preimages, unnamedText, variablesIn } from './storage-names.ts'
import type { TracedInstruction, TracedSteps } from './traced-steps.ts'

const SLOAD = 0x54
const SSTORE = 0x55

interface OpenFrame {
  readonly index: number
  /** The number of accesses when it began. */
  readonly mark: number
  stack: readonly bigint[]
  memory: Uint8Array
  opcode: number
}

interface RecordedStep {
  readonly frame: number
  readonly pc: number
  readonly opcode: number
  readonly gas: number
  cost: number
  readonly kept: number
  readonly pushed: readonly bigint[]
}

/** A read or a write of a slot, or the end of a failed frame, which takes back the writes since a mark. */
type Access = SlotAccess | { readonly step: number; readonly since: number }

interface SlotAccess {
  readonly step: number
  readonly address: hex.Address
  readonly slot: hex.Hash
  /** `undefined` for a read. */
  readonly value: bigint | undefined
}

/** The bytes from the first to the last difference, and where they begin; a grown memory differs up to its end. */
function differenceOf(before: Uint8Array, after: Uint8Array) {
  let from = 0
  while (from < before.length && before[from] === after[from]) from++
  let to = after.length
  while (to > from && to <= before.length && before[to - 1] === after[to - 1]) to--
  return { from, bytes: after.slice(from, to) }
}

type StepRecording = ReturnType<typeof recordSteps>

export function recordSteps(most: number) {
  const open: OpenFrame[] = []
  const frames: observers.FrameStart[] = []
  const steps: RecordedStep[] = []
  const memory: { readonly step: number; readonly from: number; readonly bytes: Uint8Array }[] = []
  const accesses: Access[] = []
  const logs: { readonly step: number; readonly log: observers.ObservedLog }[] = []
  let begun: RecordedStep | undefined
  let isCut = false

  function enter(start: observers.FrameStart): void {
    open.push({ index: frames.length, mark: accesses.length, stack: [], memory: hex.EMPTY_BYTES, opcode: 0 })
    frames.push(start)
  }

  function exit({ error }: observers.FrameEnd): void {
    const frame = open.pop()
    if (frame !== undefined && error !== undefined && !isCut)
      accesses.push({ step: steps.length - 1, since: frame.mark })
  }

  function noteMemory(frame: OpenFrame, { memorySize, memory: copy }: observers.ObservedStep): void {
    if (memorySize === frame.memory.length && !observers.MEMORY_WRITTEN.has(frame.opcode)) return
    const now = copy()
    const { from, bytes } = differenceOf(frame.memory, now)
    if (bytes.length > 0) memory.push({ step: steps.length, from, bytes })
    frame.memory = now
  }

  function step(observed: observers.ObservedStep): void {
    begun = undefined
    isCut ||= steps.length >= most
    const frame = open.at(-1)
    if (isCut || frame === undefined) return
    const { pc, opcode, gas, address, peek } = observed
    const stack = observed.stack()
    let kept = 0
    while (kept < stack.length && stack[kept] === frame.stack[kept]) kept++
    noteMemory(frame, observed)
    const [slot, value] = [peek(0), opcode === SSTORE ? peek(1) : undefined]
    const isAccess = opcode === SLOAD || (opcode === SSTORE && value !== undefined)
    if (isAccess && slot !== undefined)
      accesses.push({ step: steps.length, address, slot: hex.toWord(slot), value })
    begun = { frame: frame.index, pc, opcode, gas, cost: 0, kept, pushed: stack.slice(kept) }
    steps.push(begun)
    frame.stack = stack
    frame.opcode = opcode
  }

  function stepEnd({ cost }: observers.StepEnd): void {
    if (begun !== undefined) begun.cost = cost
  }

  function log(each: observers.ObservedLog): void {
    if (!isCut) logs.push({ step: steps.length - 1, log: each })
  }

  return {
    observer: { enter, exit, step, stepEnd, log } satisfies observers.Observer,
    recorded: () => ({ frames, steps, memory, accesses, logs, isCut }),
  }
}

interface StepNames {
  readonly before: WorldState
  readonly preimages: Preimages
  readonly parts: DecodedParts
  readonly nameOf: NameOf
}

type Recorded = ReturnType<StepRecording['recorded']>

/** Numbers things in the order in which they come. */
function numbered<Key, Value>(make: (key: Key) => Value) {
  const numbers = new Map<unknown, number>()
  const all: Value[] = []
  const numberOf = (key: Key, identity: unknown = key): number => {
    const known = numbers.get(identity)
    if (known !== undefined) return known
    numbers.set(identity, all.length)
    return all.push(make(key)) - 1
  }
  return { all, numberOf }
}

/** The instructions that ran, each once for a code, and the files that they come from. */
function instructionsOf({ frames, steps }: Recorded, { parts }: StepNames) {
  const files = numbered(({ name, content = '' }: SourceFile) => ({ name, content }))
  const codes = frames.map((start) => {
    const contract = parts.frames.get(start)?.contract
    return (observers.isCreation(start) ? contract?.creation : contract?.deployed)?.map()
  })
  const instructions = numbered(({ frame, pc, opcode }: RecordedStep): TracedInstruction => {
    const { location, jump } = codes[frame]?.at(pc) ?? {}
    const line = location && lineOf(location)
    const around = location && functionAround(location)
    const isWhole = around === undefined || around.location === location
    return {
      pc,
      opcode: observers.opcodeName(opcode),
      ...(location === undefined || line === undefined ? {} : { file: files.numberOf(location.file), line }),
      ...(isWhole ? { isWhole } : {}),
      ...(jump === 'into' || jump === 'outOf' ? { jump } : {}),
    }
  })
  const maps = numbered((code: (typeof codes)[number]) => code)
  const numberOf = (step: RecordedStep): number => {
    const { frame, pc, opcode } = step
    return instructions.numberOf(step, `${maps.numberOf(codes[frame])} ${pc} ${opcode}`)
  }
  return { numbers: steps.map(numberOf), instructions: instructions.all, files: files.all }
}

type StorageStep = TracedSteps['storage'][number]

/** The accesses to storage with the names of variables, in their order, and what failed frames take back. */
function storageOf({ accesses, frames, steps }: Recorded, names: StepNames) {
  const { before, preimages, parts, nameOf } = names
  const places = numbered(({ address, name }: { address: hex.Address; name: string }) => {
    return { account: nameOf(address) ?? toChecksumAddress(address), name }
  })
  const values = new Map<string, bigint>()
  const undo: { readonly access: SlotAccess; readonly index: number; readonly value: bigint }[] = []
  const storage: StorageStep[] = []
  const wordAt = ({ address, slot }: SlotAccess): bigint =>
    values.get(address + slot) ?? hex.bytesToBigInt(readStorage(before, address, slot))
  /** Notes the value of a slot after a step. Its layout is that of the code which used it. */
  const note = (step: number, kind: StorageStep['kind'], access: SlotAccess, word: bigint): void => {
    const { address, slot } = access
    const start = frames[(steps[access.step] as RecordedStep).frame] as observers.FrameStart
    const named = variablesIn(parts.frames.get(start)?.layout, preimages, nameOf, BigInt(slot))
    const shown = named.map(({ name, partOf, textOf }) => ({ name, value: textOf(partOf(word)) }))
    const unnamed = { name: placeText({ name: undefined, slot }), value: unnamedText(word) }
    for (const { name, value } of shown.length > 0 ? shown : [unnamed])
      storage.push({ step, kind, place: places.numberOf({ address, name }, `${address} ${name}`), value })
    values.set(address + slot, word)
  }
  const takeBack = (step: number, since: number): void => {
    for (let last = undo.at(-1); last !== undefined && last.index >= since; last = undo.at(-1)) {
      undo.pop()
      note(step, 'undone', last.access, last.value)
    }
  }
  for (const [index, access] of accesses.entries()) {
    if ('since' in access) {
      takeBack(access.step, access.since)
      continue
    }
    const { step, value } = access
    const known = wordAt(access)
    if (value !== undefined) undo.push({ access, index, value: known })
    note(step, value === undefined ? 'read' : 'written', access, value ?? known)
  }
  return { storage, places: places.all }
}

export function packSteps(recorded: Recorded, names: StepNames): TracedSteps {
  const { frames, steps, memory, logs, isCut } = recorded
  const { numbers, instructions, files } = instructionsOf(recorded, names)
  const words = numbered(hex.toQuantity as (word: bigint) => `0x${string}`)
  const { parts } = names
  let call = 0
  return {
    files,
    instructions,
    words: words.all,
    isCut,
    frames: frames.map((start) => {
      // A frame that the tree of calls leaves out counts as the call before it.
      call = parts.frames.get(start)?.call ?? call
      return { call, depth: start.depth }
    }),
    steps: steps.map(({ frame, gas, cost, kept, pushed }, index) => {
      const number = numbers[index] as number
      return [frame, number, gas, cost, kept, ...pushed.map((word) => words.numberOf(word))]
    }),
    memory: memory.map(({ step, from, bytes }) => ({ step, from, bytes: hex.bytesToHex(bytes) })),
    ...storageOf(recorded, names),
    events: logs.map(({ step, log }) => ({ step, name: parts.events.get(log) ?? 'an unknown event' })),
  }
}
