// Memory that code may write, by the rules of forge 1.7.1, and the memory that opcodes read.

import * as observers from '../../core/execution/trace/observer.ts'
import { bytesToHex, type Hex } from '../../core/primitives/hex.ts'

type Range = readonly [from: bigint, to: bigint]

/** Solidity's scratch space and its pointer to free memory. */
const ALWAYS: Range = [0n, 0x60n]
/** `stopExpectSafeMemory()`, which code may write anywhere to call it. */
const STOP = 0x0956441bn

const [MCOPY, MSTORE, CALL] = [0x5e, 0x52, 0xf1]

function regionOf(
  { peek }: observers.ObservedStep,
  [at, length]: observers.MemoryUse,
): readonly [bigint, bigint] {
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

  inputOf(step: observers.ObservedStep): Hex {
    const use = observers.MEMORY_READ.get(step.opcode)
    if (use === undefined) return '0x'
    const [at, length] = regionOf(step, use).map(Number) as [number, number]
    return bytesToHex(step.memory(at, at + Math.min(length, step.memorySize)))
  }

  /** Why an opcode must not run, in the words of forge; `undefined` if it may. */
  check(step: observers.ObservedStep): string | undefined {
    const ranges = this.allowed.get(step.depth)
    const written = observers.MEMORY_WRITTEN.get(step.opcode)
    const use = written ?? observers.MEMORY_READ.get(step.opcode)
    // forge does not guard MCOPY.
    if (ranges === undefined || use === undefined || step.opcode === MCOPY) return undefined
    const [at, length] = regionOf(step, use)
    const end = length === 0n ? at : at + length - 1n
    const isIn = (place: bigint, [from, to]: Range) => place >= from && place < to
    if (ranges.some((range) => isIn(at, range) && isIn(end, range))) return undefined
    const lastWord = at + length < 32n ? 0n : at + length - 32n
    // Memory that is read is expanded, if it is not there.
    if (written === undefined && lastWord < BigInt(step.memorySize)) return undefined
    if (step.opcode === MSTORE && (step.peek(1) ?? 0n) >> 224n === STOP) return undefined
    if (step.opcode === CALL) {
      const data = Number(step.peek(3))
      if (BigInt(bytesToHex(step.memory(data, data + 4))) === STOP) return undefined
    }
    const safe = ranges.map(([from, to]) => `[${hex(from)}, ${hex(to)})`).join(' U ')
    return `memory write at offset ${hex(at)} of size ${hex(length)} not allowed; safe range: ${safe}`
  }
}
