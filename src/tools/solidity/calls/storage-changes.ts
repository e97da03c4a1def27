// Changes of storage while calls are decoded: of each call, and of the whole execution.

import type { FrameStart } from '../../../core/execution/trace/observer.ts'
import { bytesToBigInt, toWord } from '../../../core/primitives/hex.ts'
import type { StorageChange } from '../../../core/rpc/call-trace.ts'
import { readAccount, type WorldState } from '../../../core/state/world-state.ts'
import type { CompiledContract, StorageLayout } from '../model/contract.ts'
import type { RecordedWrite } from './record-calls.ts'
import { type Preimages, variablesIn } from './storage-names.ts'
import type { NameOf } from './value-text.ts'

/** A slot that was written, with the value that it had before and the one that it has now. */
interface WrittenSlot {
  readonly write: RecordedWrite
  readonly layout: StorageLayout | undefined
  readonly before: bigint
  after: bigint
}

/** The slots that a call or the whole execution wrote, in the order of the first writes. */
export type WrittenSlots = Map<string, WrittenSlot>

/** Storage as the execution goes on. */
export interface StorageNow {
  readonly before: WorldState
  /** All slots that were written, also by calls that failed. */
  readonly slots: WrittenSlots
  /** Values of slots before each write, for calls that fail. */
  readonly undo: (readonly [key: string, before: bigint])[]
}

/** Notes a write in the slots of its call and of the execution. */
export function noteWrite(
  now: StorageNow,
  ofCall: WrittenSlots,
  write: RecordedWrite,
  layout: StorageLayout | undefined,
): void {
  const { address, slot, value } = write
  const key = `${address}${slot}`
  const bytes = readAccount(now.before, address).storage.get(slot)
  const before = now.slots.get(key)?.after ?? (bytes === undefined ? 0n : bytesToBigInt(bytes))
  now.undo.push([key, before])
  for (const written of [ofCall, now.slots]) {
    const known = written.get(key)
    if (known === undefined) written.set(key, { write, layout, before, after: value })
    else known.after = value
  }
}

/** Takes back the writes since a mark, the length of `undo` then. */
export function undoWrites({ slots, undo }: StorageNow, mark: number): void {
  for (const [key, value] of undo.splice(mark).reverse()) {
    const written = slots.get(key)
    if (written !== undefined) written.after = value
  }
}

/** The layout of what a frame writes. Code without variables, such as a library's, writes those of its caller. */
export function layoutOf(
  { kind }: FrameStart,
  contract: CompiledContract | undefined,
  callers: StorageLayout | undefined,
): StorageLayout | undefined {
  const own = contract?.storageLayout
  const isInCaller = kind === 'DELEGATECALL' || kind === 'CALLCODE'
  return isInCaller && own?.variables.length === 0 ? callers : own
}

/** A word of unknown type: small ones are numbers. */
function unnamedText(value: bigint): string {
  return value < 1n << 64n ? `${value}` : toWord(value)
}

/** The slots whose value differs, as variables where their layout is known. */
export function storageChangesOf(
  preimages: Preimages,
  nameOf: NameOf,
  written: WrittenSlots,
): StorageChange[] {
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
