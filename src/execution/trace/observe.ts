// Runs under an observer.

import type { EVMResult, InterpreterStep, Message } from '@ethereumjs/evm'
import { create2Address, createAddress } from '../../primitives/address.ts'
import { type Address, bytesToHex, type Hash, toWord } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { addressOfWord } from '../evm/watch-steps.ts'
import { haltReason } from '../result/halt-reason.ts'
import type { FrameKind, FrameStart, Observer } from './observer.ts'

const CALL_KINDS: Readonly<Record<number, FrameKind>> = {
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  250: 'STATICCALL',
}
const LOG0 = 0xa0
const LOG4 = 0xa4
const SELFDESTRUCT = 0xff
/** Opcodes that access the world state; see `StateAccess`. */
const STATE_OPCODES: ReadonlySet<number> = new Set([
  ...[0x31, 0x3b, 0x3c, 0x3f, 0x47, 0x54, 0x55, 0x5c, 0x5d],
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xff],
])

interface OpenFrame {
  readonly start: FrameStart
  opcode: number
}

/** Translates the events of @ethereumjs for an observer. */
function createTranslator({ evm, writer }: EvmInstance, observer: Observer) {
  const frames: OpenFrame[] = []

  function kindOf(message: Message): FrameKind {
    if (message.to === undefined) return message.salt === undefined ? 'CREATE' : 'CREATE2'
    return CALL_KINDS[frames.at(-1)?.opcode ?? 241] ?? 'CALL'
  }

  function created(message: Message): Address {
    const { caller, salt, data } = message
    if (salt !== undefined) return bytesToHex(create2Address(caller.bytes, salt, data))
    const { nonce } = readAccount(writer.current, bytesToHex(caller.bytes))
    return bytesToHex(createAddress(caller.bytes, nonce - 1n))
  }

  function begin(message: Message): void {
    const kind = kindOf(message)
    const { caller, to, value, data, gasLimit, depth } = message
    const own = kind === 'DELEGATECALL' && to !== undefined ? to : caller
    const target = to === undefined ? created(message) : bytesToHex(message.codeAddress.bytes)
    const start: FrameStart = {
      kind,
      depth,
      from: bytesToHex(own.bytes),
      to: target,
      value,
      input: data.slice(),
      gas: Number(gasLimit),
      isPrecompile: to !== undefined && evm.precompiles.has(target.slice(2)),
    }
    frames.push({ start, opcode: 0 })
    observer.enter?.(start)
  }

  function end({ execResult }: EVMResult): void {
    frames.pop()
    const { exceptionError, executionGasUsed, returnValue } = execResult
    const error = exceptionError === undefined ? undefined : haltReason(exceptionError)
    observer.exit?.({ output: returnValue, gasUsed: Number(executionGasUsed), error })
  }

  function selfDestruct(step: InterpreterStep): void {
    const address = bytesToHex(step.address.bytes)
    const beneficiary = addressOfWord(step.stack.at(-1) ?? 0n)
    const { balance } = readAccount(writer.current, address)
    const nothing = new Uint8Array(0)
    observer.enter?.({
      ...{ kind: 'SELFDESTRUCT', depth: step.depth + 1, from: address, to: beneficiary, value: balance },
      ...{ input: nothing, gas: 0, isPrecompile: false },
    })
    observer.exit?.({ output: nothing, gasUsed: 0, error: undefined })
  }

  function log({ opcode, stack, memory, address }: InterpreterStep): void {
    const [at, length] = [Number(stack.at(-1)), Number(stack.at(-2))]
    const topics: Hash[] = []
    for (let i = 0; i < opcode.code - LOG0; i++) topics.push(toWord(stack.at(-3 - i) ?? 0n))
    const data = new Uint8Array(length)
    data.set(memory.subarray(at, at + length))
    observer.log?.({ address: bytesToHex(address.bytes), topics, data })
  }

  function step(told: InterpreterStep): void {
    const frame = frames.at(-1)
    const { opcode, stack, memory, address, pc, depth, gasLeft, gasRefund } = told
    if (frame !== undefined) frame.opcode = opcode.code
    const view = {
      ...{ depth, pc, opcode: opcode.code, gas: Number(gasLeft), address: bytesToHex(address.bytes) },
      ...{ stackSize: stack.length, memorySize: memory.length, refund: Number(gasRefund) },
      peek: (place: number) => stack[stack.length - 1 - place],
      stack: () => [...stack],
      memory: (from = 0, to = memory.length) => {
        const part = new Uint8Array(to - from)
        part.set(memory.subarray(from, to))
        return part
      },
      returnData: () => new Uint8Array(0),
    }
    if (STATE_OPCODES.has(opcode.code)) observer.access?.(view)
    observer.step?.(view)
    observer.stepEnd?.({ cost: Number(opcode.dynamicFee ?? opcode.fee), error: undefined })
    if (opcode.code >= LOG0 && opcode.code <= LOG4) log(told)
    if (opcode.code === SELFDESTRUCT) selfDestruct(told)
  }
  return { begin, end, step }
}

/** Runs with an observer; `run` must execute on the instance. */
export async function observe<Result>(
  instance: EvmInstance,
  observer: Observer,
  run: () => Promise<Result>,
): Promise<Result> {
  const { events } = instance.evm
  const { begin, end, step } = createTranslator(instance, observer)
  events.on('beforeMessage', begin)
  events.on('afterMessage', end)
  events.on('step', step)
  instance.isObserved = true
  try {
    return await run()
  } finally {
    events.off('beforeMessage', begin)
    events.off('afterMessage', end)
    events.off('step', step)
    instance.isObserved = false
  }
}
