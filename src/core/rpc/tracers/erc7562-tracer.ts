// geth's erc7562Tracer: frames with what the rules for user operations need (eth/tracers/native/erc7562.go, ERC-7562).

import type { TraceBudget } from '../../execution/trace/budget.ts'
import { type CallFrame, recordFrames } from '../../execution/trace/call-frames.ts'
import { combineObservers, type ObservedStep } from '../../execution/trace/observer.ts'
import { addressOfWord } from '../../primitives/address.ts'
import {
  type Address,
  bytesToHex,
  type Hash,
  type Hex,
  padLeft,
  toQuantity,
  toWord,
} from '../../primitives/hex.ts'
import { readAccount, readStorage, type WorldState } from '../../state/world-state.ts'
import type { TracerOptions } from '../codecs/tracer.ts'
import { formatFrame, type RpcFrame, withTransactionGas } from './call-tracer.ts'
import type { StartTracing, TraceSubject } from './tracer.ts'

const GAS = 0x5a
const ISZERO = 0x15
const EXTCODESIZE = 0x3b
const ENDS: ReadonlySet<number> = new Set([0xf3, 0xfd])
const EXT: ReadonlySet<number> = new Set([EXTCODESIZE, 0x3c, 0x3f])
const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
const [SLOAD, SSTORE, TLOAD, TSTORE] = [0x54, 0x55, 0x5c, 0x5d]

/** PUSH0 to SWAP16, POP, arithmetic and comparison. */
const IGNORED_BY_DEFAULT: ReadonlySet<number> = new Set([
  ...Array.from({ length: 0x9f - 0x5f + 1 }, (_, index) => 0x5f + index),
  ...[0x50, 0x01, 0x03, 0x02, 0x04, 0x14, 0x10, 0x11, 0x12, 0x13, 0x1b, 0x1c, 0x16, 0x17, 0x19, ISZERO],
])

const KECCAK256 = 0x20
/** The input takes this, besides itself. */
const ENTRY_BYTES = 64

/**
 * The input of KECCAK256; `undefined` for another opcode, without operands, or beyond what gas or the budget allow.
 */
export function readKeccakInput(step: ObservedStep, budget: TraceBudget): Uint8Array | undefined {
  if (step.opcode !== KECCAK256) return undefined
  const [offset, length] = [step.peek(0), step.peek(1)]
  if (offset === undefined || length === undefined) return undefined
  // Memory is paid for: a longer input ends the frame, out of gas.
  const most = BigInt(step.gas + step.memorySize) * 32n
  if (length > most || (length > 0n && offset > most)) return undefined
  if (!budget.take(ENTRY_BYTES + Number(length))) return undefined
  const start = length === 0n ? 0 : Number(offset)
  return step.memory(start, start + Number(length))
}

function emptyUse() {
  return {
    reads: {} as Record<Hash, readonly Hash[]>,
    writes: {} as Record<Hash, number>,
    transientReads: {} as Record<Hash, number>,
    transientWrites: {} as Record<Hash, number>,
    extCodeAccessInfo: [] as Address[],
    usedOpcodes: {} as Record<Hex, number>,
    contractSize: {} as Record<Address, { readonly contractSize: number; readonly opcode: number }>,
  }
}

type FrameUse = ReturnType<typeof emptyUse>

function count<Key extends string>(counts: Record<Key, number>, key: Key): void {
  counts[key] = (counts[key] ?? 0) + 1
}

function useStorage(use: FrameUse, { opcode, address, peek }: ObservedStep, state: () => WorldState): void {
  const top = peek(0)
  if (top === undefined) return
  const slot = toWord(top)
  if (opcode === SLOAD) {
    // A slot that the frame has written before says nothing about the state before it.
    if (slot in use.reads || slot in use.writes) return
    use.reads[slot] = [bytesToHex(padLeft(readStorage(state(), address, slot), 32))]
  } else if (opcode === SSTORE) count(use.writes, slot)
  else if (opcode === TLOAD) count(use.transientReads, slot)
  else if (opcode === TSTORE) count(use.transientWrites, slot)
}

function createStepUse(ignored: ReadonlySet<number>, state: () => WorldState) {
  /** The step before, as far as rules look back. */
  let last: { readonly opcode: number; readonly top: bigint | undefined } | undefined
  return (use: FrameUse, observed: ObservedStep): void => {
    const { opcode, peek } = observed
    if (ENDS.has(opcode)) last = undefined
    // [OP-051]
    const isSizeCheck = last?.opcode === EXTCODESIZE && opcode === ISZERO
    if (last?.top !== undefined && EXT.has(last.opcode) && !isSizeCheck)
      use.extCodeAccessInfo.push(addressOfWord(last.top))
    // [OP-041]
    const word = EXT.has(opcode) ? peek(0) : CALLS.has(opcode) ? peek(1) : undefined
    if (word !== undefined) {
      const address = addressOfWord(word)
      const { length: contractSize } = readAccount(state(), address).code.bytes
      use.contractSize[address] ??= { contractSize, opcode }
    }
    // [OP-012]
    if (last?.opcode === GAS && !CALLS.has(opcode)) count(use.usedOpcodes, toQuantity(GAS))
    if (opcode !== GAS && !ignored.has(opcode)) count(use.usedOpcodes, toQuantity(opcode))
    useStorage(use, observed, state)
    last = { opcode, top: peek(0) }
  }
}

interface RpcUseFrame extends RpcFrame {
  readonly calls?: readonly RpcUseFrame[]
}

/** A tree whose frames have their uses, which are in the order in which the frames began. */
function formatTree(
  frame: CallFrame,
  uses: Iterator<FrameUse>,
  isInReverted: boolean,
  subject: TraceSubject,
): RpcUseFrame {
  const isReverted = isInReverted || frame.error !== undefined
  const { reads, writes, transientReads, transientWrites, ...use } = uses.next().value as FrameUse
  const { depth, error } = frame
  const isOut = error === 'out of gas' || error === 'contract creation code storage out of gas'
  const calls = frame.calls.map((call) => formatTree(call, uses, isReverted, subject))
  return {
    ...formatFrame(frame, isReverted, subject),
    accessedSlots: { reads, writes, transientReads, transientWrites },
    ...use,
    outOfGas: depth > 0 && isOut,
    ...(calls.length === 0 ? {} : { calls }),
  } as RpcUseFrame
}

export const erc7562Tracer: StartTracing<TracerOptions['erc7562Tracer']> = (
  { ignored, withLog },
  subject,
) => {
  const { budget, state } = subject
  const logs = withLog ? 'recorded' : 'ignored'
  const frames = recordFrames({ frames: 'all', logs }, budget)
  const uses: FrameUse[] = []
  const open: FrameUse[] = []
  const preimages = new Set<Hex>()
  const useStep = createStepUse(ignored === undefined ? IGNORED_BY_DEFAULT : new Set(ignored), state)
  const own = {
    enter() {
      const use = emptyUse()
      uses.push(use)
      open.push(use)
    },
    exit() {
      open.pop()
    },
    step(observed: ObservedStep) {
      useStep(open.at(-1) as FrameUse, observed)
      const input = readKeccakInput(observed, budget)
      if (input !== undefined) preimages.add(bytesToHex(input))
    },
  }
  return {
    observer: combineObservers([frames.observer, own]),
    result(outcome) {
      const root = withTransactionGas(frames.root(), subject, outcome)
      const keccak = [...preimages].sort()
      return {
        ...formatTree(root, uses.values(), false, subject),
        ...(keccak.length === 0 ? {} : { keccak }),
      }
    },
  }
}
