// The steps of an execution as geth's struct logger has them (eth/tracers/logger/logger.go).

import { type Address, type Hash, toWord } from '../../primitives/hex.ts'
import { readStorage, type WorldState } from '../../state/world-state.ts'
import type { TraceBudget } from './budget.ts'
import type { ObservedStep, Observer, StepEnd } from './observer.ts'

/** What a step is recorded with, besides its place and its gas. */
export interface StepSelection {
  readonly stack: boolean
  readonly memory: boolean
  readonly storage: boolean
  readonly returnData: boolean
}

/** A step before its execution. */
export interface StructLog extends StepEnd {
  /** 1 for the frame of the transaction or call. */
  readonly depth: number
  readonly pc: number
  readonly opcode: number
  readonly gas: number
  readonly refund: number
  /** The top last. */
  readonly stack: readonly bigint[] | undefined
  readonly memory: Uint8Array | undefined
  readonly returnData: Uint8Array | undefined
  /** At SLOAD and SSTORE: slots of the account that the execution has used so far, with this one's result. */
  readonly storage: ReadonlyMap<Hash, Hash | Uint8Array> | undefined
}

const SLOAD = 0x54
const SSTORE = 0x55
/** A step takes about this, besides what is selected. */
const STEP_BYTES = 100
const WORD_BYTES = 32

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

function sizeOf({ stack, memory, returnData, storage }: StructLog): number {
  const words = (stack === undefined ? 0 : stack.length) + (storage === undefined ? 0 : 2 * storage.size)
  const bytes =
    (memory === undefined ? 0 : memory.length) + (returnData === undefined ? 0 : returnData.length)
  return STEP_BYTES + WORD_BYTES * words + bytes
}

/**
 * Tells each step, until the budget is exceeded or `onLog` returns false. `state` returns the state that the execution
 * has reached.
 */
export function recordSteps(
  select: StepSelection,
  state: () => WorldState,
  budget: TraceBudget,
  onLog: (log: StructLog) => boolean,
): Observer {
  const storages = new Map<Address, Map<Hash, Hash | Uint8Array>>()
  let isOver = false
  let begun: Mutable<StructLog> | undefined

  function storageAt({ opcode, address, peek }: ObservedStep): StructLog['storage'] {
    if (!select.storage || (opcode !== SLOAD && opcode !== SSTORE)) return undefined
    const [top, next] = [peek(0), peek(1)]
    if (top === undefined || (opcode === SSTORE && next === undefined)) return undefined
    const slot = toWord(top)
    const value = opcode === SLOAD ? readStorage(state(), address, slot) : toWord(next as bigint)
    let storage = storages.get(address)
    if (storage === undefined) {
      storage = new Map()
      storages.set(address, storage)
    }
    storage.set(slot, value)
    return new Map(storage)
  }

  function step(told: ObservedStep): void {
    if (isOver) return
    // One object for a step and its end, because there may be millions.
    const log = {
      depth: told.depth + 1,
      pc: told.pc,
      opcode: told.opcode,
      gas: told.gas,
      refund: told.refund,
      cost: 0,
      error: undefined,
      stack: select.stack ? told.stack() : undefined,
      memory: select.memory ? told.memory() : undefined,
      returnData: select.returnData ? told.returnData() : undefined,
      storage: storageAt(told),
    }
    isOver = !budget.take(sizeOf(log))
    if (!isOver) begun = log
  }

  function stepEnd({ cost, error }: StepEnd): void {
    if (begun === undefined) return
    begun.cost = cost
    begun.error = error
    isOver = !onLog(begun)
    begun = undefined
  }
  return { step, stepEnd }
}
