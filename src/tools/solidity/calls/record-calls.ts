// Recorded calls: the tree of frames of one execution, with logs and writes to storage in order.

import type { FrameEnd, FrameStart, ObservedLog, Observer } from '../../../core/execution/trace/observer.ts'
import * as hex from '../../../core/primitives/hex.ts'

export interface RecordedWrite {
  readonly address: hex.Address
  readonly slot: hex.Hash
  readonly value: bigint
}

type RecordedEntry =
  | { readonly type: 'call'; readonly call: RecordedCall }
  | { readonly type: 'log'; readonly log: ObservedLog }
  | { readonly type: 'write'; readonly write: RecordedWrite }

export interface RecordedCall {
  readonly start: FrameStart
  readonly end: FrameEnd
  readonly entries: readonly RecordedEntry[]
}

/** Hashes that code computed of up to this many bytes name the places of mappings and arrays. */
const MOST_HASHED_BYTES = 128

const SSTORE = 0x55
const KECCAK256 = 0x20

/** Records one execution, up to `most` entries; those beyond are left out. */
export function recordCalls(most: number) {
  type OpenCall = { readonly start: FrameStart; readonly entries: RecordedEntry[]; readonly isKept: boolean }
  const open: OpenCall[] = []
  const hashed: Uint8Array[] = []
  let root: RecordedCall | undefined
  let count = 0
  const add = (entry: RecordedEntry): void => {
    if (count < most) open.at(-1)?.entries.push(entry)
    count++
  }
  const observer: Observer = {
    enter(start) {
      open.push({ start, entries: [], isKept: count < most })
    },
    exit(end) {
      const { start, entries, isKept } = open.pop() as OpenCall
      const call = { start, end, entries }
      if (open.length === 0) root = call
      // Calls that begin before the limit are kept, whatever happens in them.
      else if (isKept) open.at(-1)?.entries.push({ type: 'call', call })
      count++
    },
    log: (log) => add({ type: 'log', log }),
    access({ opcode, address, peek }) {
      const [slot, value] = [peek(0), peek(1)]
      if (opcode !== SSTORE || slot === undefined || value === undefined) return
      add({ type: 'write', write: { address, slot: hex.toWord(slot), value } })
    },
    step({ opcode, peek, memory }) {
      if (opcode !== KECCAK256 || hashed.length >= most) return
      const [from, length] = [peek(0), peek(1)]
      if (from === undefined || length === undefined || length > MOST_HASHED_BYTES) return
      hashed.push(length === 0n ? hex.EMPTY_BYTES : memory(Number(from), Number(from + length)))
    },
  }
  return {
    observer,
    /** The outermost call; `undefined` before its end. */
    root: (): RecordedCall | undefined => root,
    /** Short messages that code hashed, by their hash once it is needed. */
    hashed: hashed as readonly Uint8Array[],
    /** True if entries are missing, because there were too many. */
    isCut: () => count > most,
  }
}

/** Return data with `CheatcodeError(string)` of Foundry as `Error(string)`, as forge shows it. */
export function asPlainError(output: Uint8Array): Uint8Array {
  const data = hex.bytesToHex(output)
  return data.startsWith('0xeeaa9e6f') ? hex.hexToBytes(`0x08c379a0${data.slice(10)}`) : output
}
