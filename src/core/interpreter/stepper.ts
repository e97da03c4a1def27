// Steps that the stepping build of the WebAssembly module tells, as an observer sees them.

import { type Core, createCore, readNumber, readWord, refreshViews } from './core.ts'
import { storageChange, type Tariff } from './dynamic-gas.ts'
import { isKnownOpcode } from './failed-step.ts'
import { type Frame, refundOf as gasRefundOf } from './frame.ts'
import * as layout from './layout.ts'
import { type Observation, STATE_OPCODES } from './observation.ts'
import type { ObservedStep } from './observer.ts'
import { createStackReader } from './stack-reader.ts'

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

const NO_STEP = -1
const SSTORE = 0x55
const SELFDESTRUCT = 0xff

export interface Stepper {
  /** The step that was told last. */
  readonly last: ObservedStep
  /** Continues a frame. */
  readonly resume: (tariff: Tariff, observation: Observation, frame: Frame) => void
  /** Ends a step by its cost, unless it has ended. */
  readonly end: (cost: number, error?: string) => void
  /** Ends a step by the gas that is left, unless it has ended. */
  readonly endAt: (gasLeft: number) => void
}

/** What SSTORE and SELFDESTRUCT add to the refund counter: geth does so before it tells of them. */
function refundOf(tariff: Tariff, { address, selfdestruct }: Frame, step: ObservedStep): number {
  const { costs, storageCosts } = tariff
  if (step.opcode === SELFDESTRUCT) {
    return step.stackSize < 1 || selfdestruct?.has(address) === true ? 0 : costs.selfDestructRefund
  }
  const [slot, value] = [step.peek(0), step.peek(1)]
  if (slot === undefined || value === undefined || step.gas <= costs.storeSentry) return 0
  return storageCosts(storageChange(tariff, address, slot, value)).refund
}

/** Creates a core of the stepping build with its stepper. */
export function createSteppingCore(): { readonly core: Core; readonly stepper: Stepper } {
  let tariff: Tariff
  let frame: Frame
  let observation: Observation
  /** Gas before the step that has not ended. */
  let open = NO_STEP
  /** Address of the first free stack slot. */
  let top = 0
  const readStack = createStackReader()

  const step: Mutable<ObservedStep> = {
    ...{ depth: 0, pc: 0, opcode: 0, gas: 0, address: '0x', stackSize: 0, memorySize: 0 },
    get refund() {
      const { opcode } = step
      const own = opcode === SSTORE || opcode === SELFDESTRUCT ? refundOf(tariff, frame, step) : 0
      return observation.authorizationRefund + gasRefundOf(core, frame) + own
    },
    peek(depth) {
      const at = top - layout.WORD * (depth + 1)
      return depth < step.stackSize ? readWord(core, at) : undefined
    },
    stack: () => readStack(core, frame.base + layout.STACK, step.stackSize),
    memory(from = 0, to = step.memorySize) {
      const start = readNumber(core, frame.base + layout.MEMORY)
      const part = new Uint8Array(to - from)
      part.set(core.bytes.subarray(start + from, start + Math.max(from, Math.min(to, step.memorySize))))
      return part
    },
    returnData: () => frame.returnData.slice(),
  }

  function end(cost: number, error?: string): void {
    if (open === NO_STEP) return
    open = NO_STEP
    observation.observer.stepEnd?.({ cost, error })
  }

  const core = createCore((base, pc, sp, gas, opcode) => {
    // An opcode of block or transaction runs again once its result is cached.
    if (gas === open) return
    if (open !== NO_STEP) end(open - gas)
    // Growing linear memory detaches the buffer of the views.
    if (core.numbers.length === 0) refreshViews(core)
    const place = base >>> 2
    const { numbers } = core
    open = gas
    top = sp
    step.pc = pc - (numbers[place + layout.CODE / 4] as number)
    step.opcode = opcode
    step.gas = gas
    step.stackSize = (sp - base - layout.STACK) / layout.WORD
    step.memorySize = numbers[place + layout.MEMORY_SIZE / 4] as number
    const { observer } = observation
    if (observer.access !== undefined && STATE_OPCODES.has(opcode) && isKnownOpcode(tariff, opcode)) {
      observer.access(step)
    }
    observer.place?.(step.pc)
    observer.step?.(step)
  })

  const stepper: Stepper = {
    last: step,
    resume(nextTariff, nextObservation, nextFrame) {
      tariff = nextTariff
      observation = nextObservation
      frame = nextFrame
      step.depth = frame.message.depth
      step.address = frame.address
    },
    end,
    endAt: (gasLeft) => end(open - gasLeft),
  }
  return { core, stepper }
}
