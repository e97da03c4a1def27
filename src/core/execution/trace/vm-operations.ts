// Recorder of the operations of an execution: what each pushed, wrote to memory and stored, with the operations of the
// frames that it opened. What is recorded is what OpenEthereum's vmTrace shows.

import { operandsOf } from '../../interpreter/costs.ts'
import type { Address } from '../../primitives/hex.ts'
import type { TraceBudget } from './call-frames.ts'
import * as observers from './observer.ts'

interface MemoryWrite {
  readonly offset: number
  readonly data: Uint8Array
}

interface StorageWrite {
  readonly slot: bigint
  readonly value: bigint
}

/** The effects of an operation that did not fail. */
interface VmEffects {
  /** After the operation, and after the frame that it opened. */
  readonly gasLeft: number
  /** The words that it left on the stack, the top last. */
  readonly pushed: readonly bigint[]
  readonly memory: MemoryWrite | undefined
  readonly store: StorageWrite | undefined
}

export interface VmOperation {
  readonly pc: number
  readonly opcode: number
  /** With the gas of the frame that it opened. */
  cost: number
  effects: VmEffects | undefined
  sub: VmFrame | undefined
}

export interface VmFrame {
  readonly start: observers.FrameStart
  /** Init code, or the code that this execution deployed; `undefined` for code that was there before. */
  readonly code: Uint8Array | undefined
  readonly operations: readonly VmOperation[]
}

/** An operation before its end. */
interface Unfinished {
  readonly operation: VmOperation
  readonly gas: number
  readonly memory: MemoryRange | undefined
  readonly store: StorageWrite | undefined
  hasBegun: boolean
  child: { readonly gas: number; readonly gasUsed: number } | undefined
}

interface OpenFrame extends VmFrame {
  readonly operations: VmOperation[]
  readonly deployed: Address[]
  last: Unfinished | undefined
}

type MemoryRange = readonly [offset: bigint, length: bigint]
type Peek = observers.ObservedStep['peek']

const STOP = 0x00
const MLOAD = 0x51
const SSTORE = 0x55
const RETURN = 0xf3
const REVERTED = 'execution reverted'

/** The memory that an opcode writes; that which MLOAD reads counts as written. */
function writtenMemory(opcode: number, peek: Peek): MemoryRange | undefined {
  const use = opcode === MLOAD ? observers.MEMORY_READ.get(MLOAD) : observers.MEMORY_WRITTEN.get(opcode)
  if (use === undefined) return undefined
  const offset = peek(use[0])
  const length = typeof use[1] === 'bigint' ? use[1] : peek(use[1])
  if (offset === undefined || length === undefined || length === 0n) return undefined
  return [offset, length]
}

function storedValue(opcode: number, peek: Peek): StorageWrite | undefined {
  const [slot, value] = opcode === SSTORE ? [peek(0), peek(1)] : []
  return slot === undefined || value === undefined ? undefined : { slot, value }
}

/** Completes an operation with the step after it, in the same frame. */
function complete(
  { operation, gas, memory, store, child }: Unfinished,
  next: observers.ObservedStep,
  budget: TraceBudget,
): void {
  if (child !== undefined) operation.cost = gas - next.gas + child.gas - child.gasUsed
  const pushed: bigint[] = []
  // For DUPn and SWAPn, all words that it reached.
  for (let place = operandsOf(operation.opcode)[1] - 1; place >= 0; place--)
    pushed.push(next.peek(place) ?? 0n)
  const [offset = 0, length = 0] = memory?.map(Number) ?? []
  const isKept = budget.take(length)
  const written = memory && isKept ? { offset, data: next.memory(offset, offset + length) } : undefined
  operation.effects = { gasLeft: next.gas, pushed, memory: written, store }
}

/** Completes the last operation of a frame. After RETURN, it is the frame that fails: its code is refused. */
function completeLast({ operation, gas, store, hasBegun }: Unfinished, { error }: observers.FrameEnd): void {
  const { opcode, cost } = operation
  const isOver = opcode === RETURN || opcode === STOP
  if (!hasBegun || (error !== undefined && error !== REVERTED && !isOver)) return
  operation.effects = { gasLeft: gas - cost, pushed: [], memory: undefined, store }
}

/** An operation takes about this, besides the words that it pushes and the memory that it writes. */
const OPERATION_BYTES = 300
const WORD_BYTES = 32

/** Records operations; beyond the budget, none. `root` is the frame of the message, after it has ended. */
export function recordOperations(budget: TraceBudget): {
  readonly observer: observers.Observer
  readonly root: () => VmFrame
} {
  const open: OpenFrame[] = []
  const deployed = new Map<Address, Uint8Array>()
  let root: VmFrame | undefined

  function enter(start: observers.FrameStart): void {
    const code = observers.isCreation(start) ? start.input : deployed.get(start.to)
    const frame: OpenFrame = { start, code, operations: [], deployed: [], last: undefined }
    const caller = open.at(-1)?.last?.operation
    if (caller !== undefined && start.kind !== 'SELFDESTRUCT') caller.sub = frame
    open.push(frame)
  }

  function exit(end: observers.FrameEnd): void {
    const frame = open.pop() as OpenFrame
    const { start, last } = frame
    if (last !== undefined) completeLast(last, end)
    frame.last = undefined
    const parent = open.at(-1)
    if (parent === undefined) root = frame
    else if (parent.last !== undefined && start.kind !== 'SELFDESTRUCT')
      parent.last.child = { gas: start.gas, gasUsed: end.gasUsed }
    if (end.error !== undefined) {
      for (const address of frame.deployed) deployed.delete(address)
      return
    }
    if (observers.isCreation(start)) {
      deployed.set(start.to, end.output)
      frame.deployed.push(start.to)
    }
    parent?.deployed.push(...frame.deployed)
  }

  function step(observed: observers.ObservedStep): void {
    const { opcode } = observed
    if (!budget.take(OPERATION_BYTES + WORD_BYTES * operandsOf(opcode)[1])) return
    const frame = open.at(-1) as OpenFrame
    if (frame.last !== undefined) complete(frame.last, observed, budget)
    const { pc, gas, peek } = observed
    const operation: VmOperation = { pc, opcode, cost: 0, effects: undefined, sub: undefined }
    frame.operations.push(operation)
    frame.last = {
      operation,
      gas,
      memory: writtenMemory(opcode, peek),
      store: storedValue(opcode, peek),
      hasBegun: true,
      child: undefined,
    }
  }

  function stepEnd({ cost, error }: observers.StepEnd): void {
    const last = open.at(-1)?.last
    if (last === undefined || budget.isExceeded()) return
    last.operation.cost = cost
    last.hasBegun = error === undefined
  }
  return {
    observer: { enter, exit, step, stepEnd },
    root: () => root as VmFrame,
  }
}
