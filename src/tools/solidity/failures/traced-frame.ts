// The frames on the way to a failure. Of what succeeded, only that it ran is kept, to bound memory.

import * as observers from '../../../core/execution/trace/observer.ts'
import { type Address, EMPTY_BYTES } from '../../../core/primitives/hex.ts'
import { delegateOf } from '../../../core/state/world-state.ts'

type FrameExit = 'success' | 'revert' | 'outOfGas' | 'invalidOpcode' | 'codeTooLarge' | 'otherHalt'

export interface TracedFrame {
  readonly kind: Exclude<observers.FrameKind, 'SELFDESTRUCT'>
  readonly depth: number
  /** The account whose storage the code uses; of a creation, the new contract. */
  readonly address: Address
  readonly isPrecompile: boolean
  /** The code that runs; of a creation, the init code. */
  readonly code: Uint8Array
  /** Calldata, or the init code. */
  readonly input: Uint8Array
  readonly value: bigint
  /** In order: the pc of an instruction, or `-1 - i` for the frame at `i` of `frames`. */
  readonly steps: readonly number[]
  readonly frames: readonly TracedFrame[]
  readonly exit: FrameExit
  /** Empty after a halt. */
  readonly output: Uint8Array
}

interface OpenFrame extends TracedFrame {
  /** Whose code runs; `undefined` for init code and precompiles. */
  readonly codeAddress: Address | undefined
  code: Uint8Array
  steps: number[]
  frames: OpenFrame[]
  exit: FrameExit
  output: Uint8Array
}

/** Limit on the steps of a frame, which an endless loop reaches; beyond it, its first half is dropped. */
const MOST_STEPS = 4_000_000

/** Errors of messages that were not sent: for Hardhat these are no frames. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  'max call depth exceeded',
  'insufficient balance for transfer',
  'nonce uint64 overflow',
])

export function isNotSent(error: string | undefined): boolean {
  return NOT_SENT.has(error)
}

/** A lack of gas by other words than `out of gas`, which may have a reason behind it. */
const OUT_OF_GAS: ReadonlySet<unknown> = new Set([
  'contract creation code storage out of gas',
  'gas uint64 overflow',
])

function exitOf(error: string | undefined): FrameExit {
  if (error === undefined) return 'success'
  if (error === 'execution reverted') return 'revert'
  if (error.startsWith('out of gas') || OUT_OF_GAS.has(error)) return 'outOfGas'
  if (error === 'max code size exceeded') return 'codeTooLarge'
  return error.startsWith('invalid opcode') ? 'invalidOpcode' : 'otherHalt'
}

function forget(frame: OpenFrame): void {
  frame.steps = []
  frame.frames = []
}

/** The frame that begins in one of `caller`; `undefined` is the outermost one's. */
function openFrame(start: observers.FrameStart, caller: Address | undefined): OpenFrame {
  const { kind, depth, from, to, value, input, isPrecompile } = start
  const isNew = observers.isCreation({ kind })
  const isOfCaller = kind === 'DELEGATECALL' || kind === 'CALLCODE'
  return {
    kind: kind as OpenFrame['kind'],
    depth,
    address: isOfCaller ? (caller ?? from) : to,
    isPrecompile,
    codeAddress: isNew || isPrecompile ? undefined : to,
    code: isNew ? input : EMPTY_BYTES,
    input,
    value,
    steps: [],
    frames: [],
    exit: 'success',
    output: EMPTY_BYTES,
  }
}

export function recordFailurePath() {
  const open: OpenFrame[] = []
  /** Code of contracts that the execution has created. */
  const created = new Map<Address, Uint8Array>()
  let outermost: OpenFrame | undefined
  /** Frames of SELFDESTRUCT, which runs no code. */
  let ignored = 0

  function enter(start: observers.FrameStart): void {
    if (start.kind === 'SELFDESTRUCT') {
      ignored++
      return
    }
    const frame = openFrame(start, open.at(-1)?.address)
    const parent = open.at(-1)
    if (parent === undefined) outermost = frame
    else {
      parent.steps.push(-1 - parent.frames.length)
      parent.frames.push(frame)
    }
    open.push(frame)
  }

  function exit({ output, error }: observers.FrameEnd): void {
    if (ignored > 0) {
      ignored--
      return
    }
    const frame = open.pop()
    if (frame === undefined) return
    const parent = open.at(-1)
    if (parent !== undefined && isNotSent(error)) {
      parent.steps.pop()
      parent.frames.pop()
      return
    }
    // Only the last of the frames in a frame can be why it failed.
    const before = parent?.frames.at(-2)
    if (before !== undefined) forget(before)
    frame.exit = exitOf(error)
    frame.output = error === undefined || frame.exit === 'revert' ? output : EMPTY_BYTES
    if (error !== undefined) return
    if (observers.isCreation(frame)) created.set(frame.address, output)
    forget(frame)
  }

  function step({ pc }: observers.ObservedStep): void {
    const steps = open.at(-1)?.steps
    if (steps === undefined) return
    if (steps.length === MOST_STEPS) steps.splice(0, MOST_STEPS / 2)
    steps.push(pc)
  }

  function withCode(frame: OpenFrame, codeAt: (address: Address) => Uint8Array): TracedFrame {
    const { codeAddress } = frame
    if (codeAddress !== undefined) {
      const code = created.get(codeAddress) ?? codeAt(codeAddress)
      // EIP-7702; a delegation to a delegation is not followed.
      const delegate = delegateOf(code)
      frame.code = delegate === undefined ? code : codeAt(delegate)
    }
    for (const inner of frame.frames) withCode(inner, codeAt)
    return frame
  }

  return {
    observer: { enter, exit, step } satisfies observers.Observer,
    /** The outermost frame, if any ran, with codes from before the execution or, if it failed, after it. */
    frame: (codeAt: (address: Address) => Uint8Array): TracedFrame | undefined =>
      outermost && withCode(outermost, codeAt),
  }
}
