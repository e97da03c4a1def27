// The steps of a trace, unpacked: what is there before each, and where the ways of stepping lead.

import type { TracedInstruction, TracedSteps } from '../../solidity/calls/traced-steps.ts'

/** A way of stepping: by one opcode; to the next line, also into calls and functions, or over them; out; to a breakpoint. */
export type Move = 'step' | 'into' | 'over' | 'out' | 'run'

export interface Breakpoints {
  /** Such as `0:12`: the number of a file, and a line. */
  readonly lines: ReadonlySet<string>
  readonly events: ReadonlySet<string>
  /** Numbers of places in storage. */
  readonly places: ReadonlySet<number>
}

export type StepView = ReturnType<StepReader['at']>

export type StepReader = ReturnType<typeof readSteps>

/** A frame that has begun and not ended. */
interface FrameNow {
  readonly frame: number
  readonly stack: readonly number[]
  readonly memory: Uint8Array
}

/** The frames and storage before a step. */
interface Moment {
  step: number
  /** The frames, each in the one before it. */
  readonly frames: FrameNow[]
  /** Values of places in storage. */
  readonly values: string[]
}

/** Steps from one kept moment to the next: the most that a step back runs again. */
const KEPT_EVERY = 512

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 - 1 }, (_, at) =>
    Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16),
  )
}

function written(memory: Uint8Array, from: number, bytes: Uint8Array): Uint8Array {
  const next = new Uint8Array(Math.max(memory.length, from + bytes.length))
  next.set(memory)
  next.set(bytes, from)
  return next
}

function byStep<Entry extends { readonly step: number }>(entries: readonly Entry[]): Map<number, Entry[]> {
  const map = new Map<number, Entry[]>()
  for (const entry of entries) map.set(entry.step, [...(map.get(entry.step) ?? []), entry])
  return map
}

/** The moment before each step, from the first step on or from one that is kept. */
function createMoments({ steps, frames, memory, storage }: TracedSteps) {
  const patches = byStep(memory)
  const changes = byStep(storage)
  const kept: Moment[] = []
  const copy = ({ step, frames: open, values }: Moment): Moment => ({
    ...{ step, frames: [...open], values: [...values] },
  })
  let now: Moment = { step: -1, frames: [], values: [] }
  function forward(): void {
    for (const { place, value } of changes.get(now.step) ?? []) now.values[place] = value
    const step = now.step + 1
    const [frame = 0, , , , stays = 0, ...pushed] = steps[step] as readonly number[]
    const { depth } = frames[frame] as TracedSteps['frames'][number]
    const open = now.frames[depth]
    const isSame = open?.frame === frame
    const stack = [...(isSame ? open.stack : []).slice(0, stays), ...pushed]
    let bytes = isSame ? open.memory : new Uint8Array()
    for (const patch of patches.get(step) ?? []) bytes = written(bytes, patch.from, bytesOf(patch.bytes))
    now.frames.splice(depth, now.frames.length, { frame, stack, memory: bytes })
    now.step = step
    if (step === kept.length * KEPT_EVERY) kept.push(copy(now))
  }
  return (step: number): Moment => {
    const from = Math.min(Math.floor(step / KEPT_EVERY), kept.length - 1)
    const isNear = now.step <= step && now.step >= from * KEPT_EVERY
    if (!isNear && from >= 0) now = copy(kept[from] as Moment)
    while (now.step < step) forward()
    return now
  }
}

function levelsOf({ steps, instructions, frames }: TracedSteps): Uint32Array {
  const open: { frame: number; base: number; level: number }[] = []
  return Uint32Array.from(steps, ([frame = 0, instruction = 0]) => {
    const { depth } = frames[frame] as TracedSteps['frames'][number]
    if (open[depth]?.frame !== frame) {
      const base = (open[depth - 1]?.level ?? 0) + 1
      open.splice(depth, open.length, { frame, base, level: base })
    } else open.length = depth + 1
    const at = open[depth] as (typeof open)[number]
    const { level } = at
    const { jump } = instructions[instruction] as TracedInstruction
    if (jump === 'into') at.level++
    else if (jump === 'outOf') at.level = Math.max(at.base, level - 1)
    return level
  })
}

/** Opcodes that end a call without failure. */
const ENDS = new Set(['RETURN', 'STOP', 'SELFDESTRUCT'])

/**
 * The step where the failure began that ended the outermost call. The first step if that call did not fail, or if its end
 * is cut off.
 */
function findStart({ steps, instructions, isCut }: TracedSteps): number {
  if (isCut || steps.length === 0) return 0
  const frameOf = (step: number) => steps[step]?.[0]
  const instructionOf = (step: number) => instructions[steps[step]?.[1] ?? 0]
  const isEnd = (step: number): boolean => ENDS.has(instructionOf(step)?.opcode ?? 'STOP')
  let end = steps.length - 1
  while (!isEnd(end)) {
    let innerEnd = end
    while (frameOf(innerEnd) === frameOf(end)) innerEnd--
    let call = innerEnd
    while (call >= 0 && frameOf(call) !== frameOf(end)) call--
    // What fails at another line than that of its last call fails by itself, as after a catch.
    if (call < 0 || instructionOf(call)?.line !== instructionOf(end)?.line || isEnd(innerEnd)) return end
    end = innerEnd
  }
  return 0
}

export function readSteps(packed: TracedSteps) {
  const { steps, instructions, frames, words, places, events, storage } = packed
  const levels = levelsOf(packed)
  const momentBefore = createMoments(packed)
  const hasSource = frames.map(() => false)
  const instructionAt = (step: number): TracedInstruction =>
    instructions[steps[step]?.[1] ?? 0] as TracedInstruction
  const frameAt = (step: number): number => steps[step]?.[0] ?? 0
  const lines = steps.map((_, step) => {
    const { file, line } = instructionAt(step)
    if (line !== undefined) hasSource[frameAt(step)] = true
    return line === undefined ? undefined : `${file}:${line}`
  })
  const eventsAt = byStep(events)
  const accessesAt = byStep(storage.filter(({ kind }) => kind !== 'undone'))

  const level = (step: number): number => levels[step] as number

  /** True if a step is at another line than one before; without sources, each step is. */
  function isElsewhere(step: number, from: number): boolean {
    if (lines[step] === undefined) return hasSource[frameAt(step)] !== true
    if (instructionAt(step).isWhole) return false
    return lines[step] !== lines[from] || frameAt(step) !== frameAt(from)
  }

  function isStop(step: number, { lines: marked, events: named, places: watched }: Breakpoints): boolean {
    const line = lines[step]
    const isBegun = line !== undefined && marked.has(line) && line !== lines[step - 1]
    if (isBegun || eventsAt.get(step)?.some(({ name }) => named.has(name))) return true
    return accessesAt.get(step)?.some(({ place }) => watched.has(place)) === true
  }

  function stops(move: Move, step: number, from: number, breakpoints: Breakpoints): boolean {
    if (move === 'step') return true
    if (move === 'run') return isStop(step, breakpoints)
    if (move === 'out') return level(step) < level(from) && isElsewhere(step, from)
    // What chooses the function that is called is not its caller.
    const isInto = move === 'into' || instructionAt(from).isWhole
    return (isInto || level(step) <= level(from)) && isElsewhere(step, from)
  }

  return {
    packed,
    count: steps.length,
    start: findStart(packed),
    opcodeAt: (step: number): string => instructionAt(step).opcode,
    gasAt: (step: number): number => steps[step]?.[2] ?? 0,
    level,
    callAt: (step: number): number => frames[frameAt(step)]?.call ?? 0,
    /** The first step of a call; `undefined` if none of its steps is there, as for a precompile. */
    firstOf(call: number): number | undefined {
      const frame = frames.findIndex((each) => each.call === call)
      const step = steps.findIndex(([each]) => each === frame)
      return step < 0 ? undefined : step
    },
    /** Where a move leads, forwards or backwards; the last or the first step if nothing stops it. */
    moved(from: number, move: Move, by: 1 | -1, breakpoints: Breakpoints): number {
      let step = from + by
      while (step > 0 && step < steps.length - 1 && !stops(move, step, from, breakpoints)) step += by
      return Math.min(steps.length - 1, Math.max(0, step))
    },
    /** The stack, memory, storage and place before a step. */
    at(step: number) {
      const { frames: open, values } = momentBefore(step)
      const { stack, memory } = open.at(-1) as FrameNow
      const { pc, opcode, file, line } = instructionAt(step)
      const [, , gas = 0, cost = 0] = steps[step] as readonly number[]
      return {
        ...{ step, depth: open.length - 1, pc, opcode, file, line, gas, cost, memory },
        stack: stack.map((word) => words[word] as string),
        storage: places.flatMap((place, index) => {
          const value = values[index]
          return value === undefined ? [] : [{ ...place, value, index }]
        }),
        /** The places that this step reads or writes. */
        used: new Set((accessesAt.get(step) ?? []).map(({ place }) => place)),
      }
    },
  }
}
