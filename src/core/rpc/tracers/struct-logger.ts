// geth's struct logger (eth/tracers/logger/logger.go). Hardhat's has fields that geth leaves out if empty.

import type { ObservedStep, StepEnd } from '../../execution/trace/observer.ts'
import { opcodeName } from '../../execution/trace/observer.ts'
import * as hex from '../../primitives/hex.ts'
import { readStorage, type WorldState } from '../../state/world-state.ts'
import type { StructLogOptions } from '../codecs/trace-config.ts'
import type { StartTracing, TraceSubject } from './tracer.ts'

const SLOAD = 0x54
const SSTORE = 0x55
/** A step takes about this, besides what is selected. */
const STEP_BYTES = 100
const WORD_BYTES = 32
const SMALL_WORDS = Array.from({ length: 1024 }, (_, value) => hex.toQuantity(value))

function formatWord(word: bigint): hex.Hex {
  return word < 1024n ? (SMALL_WORDS[Number(word)] as hex.Hex) : hex.toQuantity(word)
}

/** Formats stacks one after another; words that stay where they are keep their text. */
function createStackFormatter(): (stack: readonly bigint[]) => hex.Hex[] {
  let lastWords: readonly bigint[] = []
  let lastTexts: readonly hex.Hex[] = []
  return (stack) => {
    const texts = new Array<hex.Hex>(stack.length)
    for (let i = 0; i < stack.length; i++) {
      const word = stack[i] as bigint
      texts[i] = word === lastWords[i] ? (lastTexts[i] as hex.Hex) : formatWord(word)
    }
    lastWords = stack
    lastTexts = texts
    return texts
  }
}

function formatMemory(memory: Uint8Array): hex.Hex[] {
  const words: hex.Hex[] = []
  for (let at = 0; at + WORD_BYTES <= memory.length; at += WORD_BYTES)
    words.push(hex.bytesToHex(memory.subarray(at, at + WORD_BYTES)))
  return words
}

/** Slots of each account that the execution has used, by the last value at SLOAD or SSTORE. */
function createStorageRecord(state: () => WorldState) {
  const storages = new Map<hex.Address, Record<hex.Hash, hex.Hash>>()
  /** The slots of the account so far, with that of this step; `undefined` for other opcodes. */
  return ({ opcode, address, peek }: ObservedStep): Readonly<Record<hex.Hash, hex.Hash>> | undefined => {
    if (opcode !== SLOAD && opcode !== SSTORE) return undefined
    const [top, next] = [peek(0), peek(1)]
    if (top === undefined || (opcode === SSTORE && next === undefined)) return undefined
    const slot = hex.toWord(top)
    const storage = storages.get(address) ?? {}
    storages.set(address, storage)
    storage[slot] =
      opcode === SLOAD
        ? hex.bytesToHex(hex.padLeft(readStorage(state(), address, slot), WORD_BYTES))
        : hex.toWord(next as bigint)
    return { ...storage }
  }
}

function recordSteps(options: StructLogOptions, { state, budget, flavor }: TraceSubject) {
  const structLogs: object[] = []
  const formatStack = createStackFormatter()
  const storageAt = createStorageRecord(state)
  const showsEmpty = flavor === 'hardhat'
  let isOver = false
  let length = 0
  let begun: ReturnType<typeof begin> | undefined

  function begin(observed: ObservedStep) {
    const { pc, opcode, gas, refund } = observed
    const stack = options.stack ? observed.stack() : undefined
    const memory = options.memory ? observed.memory() : undefined
    const returnData = options.returnData ? observed.returnData() : undefined
    const storage = options.storage ? storageAt(observed) : undefined
    return { pc, opcode, gas, depth: observed.depth + 1, refund, stack, memory, returnData, storage }
  }

  function step(observed: ObservedStep): void {
    if (isOver) return
    const log = begin(observed)
    const { stack, memory, returnData, storage } = log
    const words = (stack?.length ?? 0) + (storage === undefined ? 0 : 2 * Object.keys(storage).length)
    const bytes = (memory?.length ?? 0) + (returnData?.length ?? 0)
    isOver = !budget.take(STEP_BYTES + WORD_BYTES * words + bytes)
    if (!isOver) begun = log
  }

  function stepEnd({ cost, error }: StepEnd): void {
    if (begun === undefined) return
    const { pc, opcode, gas, depth, stack, returnData, memory, storage, refund } = begun
    begun = undefined
    const log: Record<string, unknown> = { pc, op: opcodeName(opcode), gas, gasCost: cost, depth }
    if (error !== undefined) log['error'] = error
    if (stack !== undefined) log['stack'] = formatStack(stack)
    if (returnData !== undefined && (returnData.length > 0 || showsEmpty))
      log['returnData'] = hex.bytesToHex(returnData)
    if (memory !== undefined && (memory.length > 0 || showsEmpty)) log['memory'] = formatMemory(memory)
    if (storage !== undefined) log['storage'] = storage
    if (refund > 0 || showsEmpty) log['refund'] = refund
    structLogs.push(log)
    if (options.limit > 0) length += JSON.stringify(log).length
    isOver = options.limit > 0 && length > options.limit
  }
  return { observer: { step, stepEnd }, structLogs }
}

export const structLogger: StartTracing<StructLogOptions> = (options, subject) => {
  const { observer, structLogs } = recordSteps(options, subject)
  return {
    observer,
    result: ({ gasUsed, failure, returnData }) => ({
      gas: Number(gasUsed),
      failed: failure !== undefined,
      // A halt has no data.
      returnValue:
        failure === undefined || failure === 'execution reverted' ? hex.bytesToHex(returnData) : '0x',
      structLogs,
    }),
  }
}
