// Memory that code may write, by the rules of forge 1.7.1, and the memory that opcodes read.

import type { ObservedStep } from '../../core/execution/trace/observer.ts'
import { bytesToHex, type Hex } from '../../core/primitives/hex.ts'

type Range = readonly [from: bigint, to: bigint]

/** Solidity's scratch space and its pointer to free memory. */
const ALWAYS: Range = [0n, 0x60n]
/** `stopExpectSafeMemory()`, which code may write anywhere to call it. */
const STOP = 0x0956441bn

interface MemoryUse {
  /** The places on the stack of the offset and, if that is no constant, the length. */
  readonly at: number
  readonly length: number | bigint
  /** Memory that is read is expanded, if it is not there. */
  readonly isWritten: boolean
}

function rows(isWritten: boolean, table: Readonly<Record<number, readonly [number, number | bigint]>>) {
  return Object.entries(table).map(([opcode, [at, length]]): [number, MemoryUse] => [
    Number(opcode),
    { at, length, isWritten },
  ])
}

const USES: ReadonlyMap<number, MemoryUse> = new Map([
  ...rows(true, {
    82: [0, 32n],
    83: [0, 1n],
    55: [0, 2],
    57: [0, 2],
    62: [0, 2],
    60: [1, 3],
    241: [5, 6],
    242: [5, 6],
    244: [4, 5],
    250: [4, 5],
  }),
  ...rows(false, {
    81: [0, 32n],
    32: [0, 1],
    160: [0, 1],
    161: [0, 1],
    162: [0, 1],
    163: [0, 1],
    164: [0, 1],
    240: [1, 2],
    245: [1, 2],
    243: [0, 1],
    253: [0, 1],
  }),
])
/** The inputs of calls, for which `USES` has the outputs, and of MCOPY, which forge does not guard. */
const INPUTS: ReadonlyMap<number, MemoryUse> = new Map(
  rows(false, { 94: [1, 2], 241: [3, 4], 242: [3, 4], 244: [2, 3], 250: [2, 3] }),
)
const [MSTORE, CALL] = [82, 241]

function regionOf({ peek }: ObservedStep, { at, length }: MemoryUse): readonly [bigint, bigint] {
  return [peek(at) ?? 0n, typeof length === 'bigint' ? length : (peek(length) ?? 0n)]
}

const hex = (value: bigint) => `0x${value.toString(16).toUpperCase().padStart(2, '0')}`

export class MemoryGuard {
  /** The ranges that frames of a depth may write. */
  private readonly allowed = new Map<number, readonly Range[]>()

  allow(depth: number, from: bigint, to: bigint): void {
    this.allowed.set(depth, [...(this.allowed.get(depth) ?? [ALWAYS]), [from, to]])
  }

  stop(depth: number): void {
    this.allowed.delete(depth)
  }

  /** Memory that an opcode reads. */
  inputOf(step: ObservedStep): Hex {
    const use = INPUTS.get(step.opcode) ?? USES.get(step.opcode)
    if (use === undefined || use.isWritten) return '0x'
    const [at, length] = regionOf(step, use).map(Number) as [number, number]
    return bytesToHex(step.memory(at, at + Math.min(length, step.memorySize)))
  }

  /** Why an opcode must not run, in the words of forge; `undefined` if it may. */
  check(step: ObservedStep): string | undefined {
    const ranges = this.allowed.get(step.depth)
    const use = USES.get(step.opcode)
    if (ranges === undefined || use === undefined) return undefined
    const [at, length] = regionOf(step, use)
    const end = length === 0n ? at : at + length - 1n
    const isIn = (place: bigint, [from, to]: Range) => place >= from && place < to
    if (ranges.some((range) => isIn(at, range) && isIn(end, range))) return undefined
    const lastWord = at + length < 32n ? 0n : at + length - 32n
    if (!use.isWritten && lastWord < BigInt(step.memorySize)) return undefined
    if (step.opcode === MSTORE && (step.peek(1) ?? 0n) >> 224n === STOP) return undefined
    if (step.opcode === CALL) {
      const data = Number(step.peek(3))
      if (BigInt(bytesToHex(step.memory(data, data + 4))) === STOP) return undefined
    }
    const safe = ranges.map(([from, to]) => `[${hex(from)}, ${hex(to)})`).join(' U ')
    return `memory write at offset ${hex(at)} of size ${hex(length)} not allowed; safe range: ${safe}`
  }
}
