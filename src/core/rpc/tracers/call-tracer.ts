// geth's callTracer, and its erc7562Tracer for user operations (eth/tracers/native/erc7562.go, ERC-7562).

import { revertReason } from '../../execution/result/revert-reason.ts'
import type { CallFrame } from '../../execution/trace/call-frames.ts'
import * as callFrames from '../../execution/trace/call-frames.ts'
import { combineObservers, isCreation, type ObservedStep } from '../../execution/trace/observer.ts'
import { addressOfWord } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import { readAccount, readStorage, type WorldState } from '../../state/world-state.ts'
import type { TracerOptions } from '../codecs/trace-config.ts'
import { describeFrame, parityError } from '../format/trace.ts'
import type { StartTracing, TraceOutcome, TraceSubject } from './tracer.ts'

/** The transaction's own frame has the gas limit and the gas of the receipt, with the intrinsic gas. */
function withTransactionGas(root: CallFrame, { gasLimit }: TraceSubject, { gasUsed }: TraceOutcome) {
  return { ...root, gas: Number(gasLimit), gasUsed: Number(gasUsed) }
}

function formatFrame(frame: CallFrame, isReverted: boolean, { firstLogIndex }: TraceSubject) {
  const { kind, from, to, gas, gasUsed, input, output, error, logs, value } = frame
  const hasNoContract = isCreation(frame) && error !== undefined
  const hasReverted = error === 'execution reverted'
  const hasOutput = (error === undefined || hasReverted) && output.length > 0
  const reason = hasReverted ? revertReason(output) : undefined
  // The index is in the block, as in the receipt; from zero for a call.
  const formatLog = ({ address, topics, data, index, position }: callFrames.FrameLog) => ({
    address,
    topics: [...topics],
    data: hex.bytesToHex(data),
    index: hex.toQuantity(firstLogIndex + index),
    position: hex.toQuantity(position),
  })
  return {
    from,
    gas: hex.toQuantity(gas),
    gasUsed: hex.toQuantity(gasUsed),
    ...(hasNoContract ? {} : { to }),
    input: hex.bytesToHex(input),
    ...(hasOutput ? { output: hex.bytesToHex(output) } : {}),
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined ? {} : { revertReason: reason }),
    ...(logs.length === 0 || isReverted ? {} : { logs: logs.map(formatLog) }),
    ...(kind === 'STATICCALL' ? {} : { value: hex.toQuantity(value) }),
    type: kind,
  }
}

/** `own` is called in the order in which frames began. Logs in a frame that failed do not count. */
function formatTree(
  frame: CallFrame,
  subject: TraceSubject,
  own?: (frame: CallFrame) => object,
  isInReverted = false,
): object {
  const isReverted = isInReverted || frame.error !== undefined
  const formatted = { ...formatFrame(frame, isReverted, subject), ...own?.(frame) }
  if (frame.calls.length === 0) return formatted
  return { ...formatted, calls: frame.calls.map((call) => formatTree(call, subject, own, isReverted)) }
}

export const callTracer: StartTracing<TracerOptions['callTracer']> = ({ onlyTopCall, withLog }, subject) => {
  const frames = onlyTopCall ? 'top' : 'all'
  const logs = withLog ? 'recorded' : 'ignored'
  const { observer, root } = callFrames.recordFrames({ frames, logs }, subject.budget)
  return {
    observer,
    result: (outcome) => formatTree(withTransactionGas(root(), subject, outcome), subject),
  }
}

type FlatOptions = TracerOptions['flatCallTracer']

/** Only a success or a revert has a result, and a creation that reverted made no account. */
function resultOf({ error }: CallFrame, result: ReturnType<typeof describeFrame>['result']): object {
  if (result === null || (error !== undefined && error !== 'execution reverted')) return {}
  if (error === undefined || !('address' in result)) return { result }
  const { address, ...others } = result
  return { result: others }
}

function formatFlat(root: CallFrame, options: FlatOptions, { place, environment }: TraceSubject): object[] {
  // OpenEthereum leaves out calls of precompiles.
  const passes = ({ kind, isPrecompile }: CallFrame): boolean =>
    options.includePrecompiles || !isPrecompile || (kind !== 'CALL' && kind !== 'STATICCALL')
  const { blockHash = null, transactionHash = null, transactionPosition = 0 } = place ?? {}
  return callFrames.listFrames(root, passes).map(({ frame, path }) => {
    const { error, calls } = frame
    const shown =
      error === undefined ? {} : { error: options.convertParityErrors ? parityError(error) : error }
    const { action, type, result } = describeFrame(frame)
    const { number: blockNumber } = environment
    return {
      action,
      blockHash,
      blockNumber,
      ...shown,
      ...resultOf(frame, result),
      subtraces: calls.filter(passes).length,
      traceAddress: path,
      transactionHash,
      transactionPosition,
      type,
    }
  })
}

export const flatCallTracer: StartTracing<FlatOptions> = (options, subject) => {
  const { observer, root } = callFrames.recordFrames({ frames: 'all', logs: 'ignored' }, subject.budget)
  return {
    observer,
    result: (outcome) => formatFlat(withTransactionGas(root(), subject, outcome), options, subject),
  }
}

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

/** The input of KECCAK256; `undefined` without one, or beyond what gas or the budget allow. */
export function readKeccakInput(step: ObservedStep, budget: callFrames.TraceBudget): Uint8Array | undefined {
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
    reads: {} as Record<hex.Hash, readonly hex.Hash[]>,
    writes: {} as Record<hex.Hash, number>,
    transientReads: {} as Record<hex.Hash, number>,
    transientWrites: {} as Record<hex.Hash, number>,
    extCodeAccessInfo: [] as hex.Address[],
    usedOpcodes: {} as Record<hex.Hex, number>,
    contractSize: {} as Record<hex.Address, { readonly contractSize: number; readonly opcode: number }>,
  }
}

type FrameUse = ReturnType<typeof emptyUse>

function count<Key extends string>(counts: Record<Key, number>, key: Key): void {
  counts[key] = (counts[key] ?? 0) + 1
}

function useStorage(use: FrameUse, { opcode, address, peek }: ObservedStep, state: () => WorldState): void {
  const top = peek(0)
  if (top === undefined) return
  const slot = hex.toWord(top)
  if (opcode === SLOAD) {
    // A slot that the frame has written before says nothing about the state before it.
    if (slot in use.reads || slot in use.writes) return
    use.reads[slot] = [hex.bytesToHex(hex.padLeft(readStorage(state(), address, slot), 32))]
  } else if (opcode === SSTORE) count(use.writes, slot)
  else if (opcode === TLOAD) count(use.transientReads, slot)
  else if (opcode === TSTORE) count(use.transientWrites, slot)
}

function createStepUse(ignored: ReadonlySet<number>, state: () => WorldState) {
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
    if (last?.opcode === GAS && !CALLS.has(opcode)) count(use.usedOpcodes, hex.toQuantity(GAS))
    if (opcode !== GAS && !ignored.has(opcode)) count(use.usedOpcodes, hex.toQuantity(opcode))
    useStorage(use, observed, state)
    last = { opcode, top: peek(0) }
  }
}

function formatUse({ depth, error }: CallFrame, used: FrameUse) {
  const { reads, writes, transientReads, transientWrites, ...use } = used
  const isOut = error === 'out of gas' || error === 'contract creation code storage out of gas'
  const accessedSlots = { reads, writes, transientReads, transientWrites }
  return { accessedSlots, ...use, outOfGas: depth > 0 && isOut }
}

export const erc7562Tracer: StartTracing<TracerOptions['erc7562Tracer']> = (
  { ignoredOpcodes, withLog },
  subject,
) => {
  const { budget, state } = subject
  const logs = withLog ? 'recorded' : 'ignored'
  const frames = callFrames.recordFrames({ frames: 'all', logs }, budget)
  const uses: FrameUse[] = []
  const open: FrameUse[] = []
  const preimages = new Set<hex.Hex>()
  const useStep = createStepUse(
    ignoredOpcodes ? new Set(ignoredOpcodes.map(Number)) : IGNORED_BY_DEFAULT,
    state,
  )
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
      if (input !== undefined) preimages.add(hex.bytesToHex(input))
    },
  }
  return {
    observer: combineObservers([frames.observer, own]),
    result(outcome) {
      const root = withTransactionGas(frames.root(), subject, outcome)
      const keccak = [...preimages].sort()
      const inOrder = uses.values()
      return {
        ...formatTree(root, subject, (frame) => formatUse(frame, inOrder.next().value as FrameUse)),
        ...(keccak.length === 0 ? {} : { keccak }),
      }
    },
  }
}
