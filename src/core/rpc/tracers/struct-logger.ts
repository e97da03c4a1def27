// geth's struct logger: every step (eth/tracers/logger/logger.go). Hardhat's has fields that geth leaves out if they
// are empty (EDR 0.22).

import { recordSteps, type StructLog } from '../../execution/trace/struct-logs.ts'
import { bytesToHex, type Hash, type Hex, padLeft, toQuantity } from '../../primitives/hex.ts'
import type { StructLogOptions } from '../codecs/tracer.ts'
import type { Flavor } from '../flavor/flavor.ts'
import { opcodeName } from './opcode-names.ts'
import type { StartTracing } from './tracer.ts'

interface RpcStructLog {
  pc: number
  op: string
  gas: number
  gasCost: number
  depth: number
  error?: string
  stack?: readonly Hex[]
  returnData?: Hex
  memory?: readonly Hex[]
  storage?: Readonly<Record<Hash, Hash>>
  refund?: number
}

const WORD_BYTES = 32
const SMALL_WORDS = Array.from({ length: 1024 }, (_, value) => toQuantity(value))

function formatWord(word: bigint): Hex {
  return word < 1024n ? (SMALL_WORDS[Number(word)] as Hex) : toQuantity(word)
}

/** Formats stacks one after another; words that stay where they are keep their text. */
function createStackFormatter(): (stack: readonly bigint[]) => Hex[] {
  let lastWords: readonly bigint[] = []
  let lastTexts: readonly Hex[] = []
  return (stack) => {
    const texts = new Array<Hex>(stack.length)
    for (let i = 0; i < stack.length; i++) {
      const word = stack[i] as bigint
      texts[i] = word === lastWords[i] ? (lastTexts[i] as Hex) : formatWord(word)
    }
    lastWords = stack
    lastTexts = texts
    return texts
  }
}

function formatMemory(memory: Uint8Array): Hex[] {
  const words: Hex[] = []
  for (let at = 0; at + WORD_BYTES <= memory.length; at += WORD_BYTES)
    words.push(bytesToHex(memory.subarray(at, at + WORD_BYTES)))
  return words
}

function formatStorage(storage: ReadonlyMap<Hash, Hash | Uint8Array>): Record<Hash, Hash> {
  const formatted: Record<Hash, Hash> = {}
  for (const [slot, value] of storage)
    formatted[slot] = typeof value === 'string' ? value : bytesToHex(padLeft(value, WORD_BYTES))
  return formatted
}

function createFormatter(flavor: Flavor): (log: StructLog) => RpcStructLog {
  const formatStack = createStackFormatter()
  const showsEmpty = flavor === 'hardhat'
  return ({ pc, opcode, gas, cost, depth, error, stack, returnData, memory, storage, refund }) => {
    const log: RpcStructLog = { pc, op: opcodeName(opcode), gas, gasCost: cost, depth }
    if (error !== undefined) log.error = error
    if (stack !== undefined) log.stack = formatStack(stack)
    if (returnData !== undefined && (returnData.length > 0 || showsEmpty))
      log.returnData = bytesToHex(returnData)
    if (memory !== undefined && (memory.length > 0 || showsEmpty)) log.memory = formatMemory(memory)
    if (storage !== undefined) log.storage = formatStorage(storage)
    if (refund > 0 || showsEmpty) log.refund = refund
    return log
  }
}

/** Data of a success or a revert; a halt has none. */
function returnValueOf(failure: string | undefined, returnData: Uint8Array): Hex {
  return failure === undefined || failure === 'execution reverted' ? bytesToHex(returnData) : '0x'
}

export const structLogger: StartTracing<StructLogOptions> = (options, { state, budget, flavor }) => {
  const structLogs: RpcStructLog[] = []
  const format = createFormatter(flavor)
  const { limit } = options
  let length = 0
  const observer = recordSteps(options, state, budget, (step) => {
    const log = format(step)
    structLogs.push(log)
    if (limit > 0) length += JSON.stringify(log).length
    return limit === 0 || length <= limit
  })
  return {
    observer,
    result: ({ gasUsed, failure, returnData }) => ({
      gas: Number(gasUsed),
      failed: failure !== undefined,
      returnValue: returnValueOf(failure, returnData),
      structLogs,
    }),
  }
}
