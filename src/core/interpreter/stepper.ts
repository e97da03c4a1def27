// Steps and places of opcodes that the stepping build of the WebAssembly module tells, as an observer sees them.

import { type Core, createCore, readNumber, readWord, refreshViews } from './core.ts'
import { refundOfStep, type Tariff } from './dynamic-gas.ts'
import { isKnownOpcode } from './failed-step.ts'
import { type Frame, refundOf } from './frame.ts'
import * as layout from './layout.ts'
import { type Observation, STATE_OPCODES } from './message.ts'
import { instantiateInterpreter, type TellStep } from './module.ts'
import type { ObservedStep } from './observer.ts'

const DIGITS = layout.WORD / 4

/** Reads the words of a stack that begins at an address, the top last. */
type ReadStack = (core: Core, bottom: number, size: number) => bigint[]

function createStackReader(): ReadStack {
  const words: bigint[] = []
  const bits = new Uint32Array(1024 * DIGITS)

  function isSame(numbers: Uint32Array, at: number, from: number): boolean {
    for (let i = 0; i < DIGITS; i++) if (numbers[at + i] !== bits[from + i]) return false
    return true
  }

  return (core, bottom, size) => {
    const { numbers } = core
    for (let i = 0; i < size; i++) {
      const at = (bottom >>> 2) + DIGITS * i
      const from = DIGITS * i
      if (i < words.length && isSame(numbers, at, from)) continue
      for (let digit = 0; digit < DIGITS; digit++) bits[from + digit] = numbers[at + digit] as number
      words[i] = readWord(core, 4 * at)
    }
    return words.slice(0, size)
  }
}

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

/** A part of a frame's memory, with zeros for what is beyond its size. */
function copyMemory(core: Core, { base }: Frame, size: number, from: number, to: number): Uint8Array {
  const start = readNumber(core, base + layout.MEMORY)
  const part = new Uint8Array(to - from)
  part.set(core.bytes.subarray(start + from, start + Math.max(from, Math.min(to, size))))
  return part
}

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
    depth: 0,
    pc: 0,
    opcode: 0,
    gas: 0,
    address: '0x',
    stackSize: 0,
    memorySize: 0,
    get refund() {
      const { opcode } = step
      const own =
        opcode === SSTORE || opcode === SELFDESTRUCT ? refundOfStep(tariff, step, frame.selfdestruct) : 0
      return observation.authorizationRefund + refundOf(core, frame) + own
    },
    peek(depth) {
      const at = top - layout.WORD * (depth + 1)
      return depth < step.stackSize ? readWord(core, at) : undefined
    },
    stack: () => readStack(core, frame.base + layout.STACK, step.stackSize),
    memory: (from = 0, to = step.memorySize) => copyMemory(core, frame, step.memorySize, from, to),
    returnData: () => frame.returnData.slice(),
  }

  function end(cost: number, error?: string): void {
    if (open === NO_STEP) return
    open = NO_STEP
    observation.observer.stepEnd?.({ cost, error })
  }

  const tell: TellStep = (base, pc, sp, gas, opcode) => {
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
    step.gas = frame.surplus === 0n ? gas : Number(frame.surplus + BigInt(gas))
    step.stackSize = (sp - base - layout.STACK) / layout.WORD
    step.memorySize = numbers[place + layout.MEMORY_SIZE / 4] as number
    const { observer } = observation
    if (observer.access !== undefined && STATE_OPCODES.has(opcode) && isKnownOpcode(tariff, opcode))
      observer.access(step)
    observer.place?.(step.pc)
    observer.step?.(step)
  }
  const core = createCore(instantiateInterpreter('stepping', tell))

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

export interface Noter {
  /** Continues a frame. */
  readonly resume: (observation: Observation, frame: Frame) => void
  /** Tells of what has been noted. */
  readonly flush: () => void
}

export function createNotingCore(): { readonly core: Core; readonly noter: Noter } {
  let observation: Observation
  let frame: Frame | undefined
  let last = 0

  function flush(): void {
    const { noted, places, memory } = core.exports
    if (frame === undefined || noted.value === 0) return
    // Growing linear memory detaches the buffer of the views.
    if (core.numbers.length === 0) refreshViews(core)
    const { place } = observation.observer
    const code = readNumber(core, frame.base + layout.CODE)
    for (const pc of new Uint32Array(memory.buffer, places.value, noted.value)) {
      // An opcode of block or transaction runs again once its result is cached.
      if (pc !== last) place?.(pc - code)
      last = pc
    }
    noted.value = 0
  }

  const core = createCore(instantiateInterpreter('stepping', flush))
  core.exports.noted.value = 0
  return {
    core,
    noter: {
      flush,
      resume(nextObservation, nextFrame) {
        if (nextFrame !== frame) last = 0
        observation = nextObservation
        frame = nextFrame
      },
    },
  }
}
