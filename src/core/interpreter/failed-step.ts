// Cost and error of an opcode with which a frame fails, as geth tells them (core/vm/interpreter.go). The interpreters
// agree that the frame fails and consumes its gas, not on the order of checks. geth's is: the stack, static gas, the size
// of memory, other gas, and then what execution refuses.

import { operandsOf } from './costs.ts'
import type { FailedOpcode, Tariff } from './dynamic-gas.ts'
import * as gasOf from './dynamic-gas.ts'
import { operand } from './dynamic-gas.ts'
import { opcodeName } from './opcode-names.ts'

interface FailedStep {
  readonly cost: number
  /** Why the opcode could not begin; `undefined` if it failed in execution. */
  readonly error: string | undefined
  /** Why the frame failed; `undefined` if this opcode is not why. */
  readonly reason: string | undefined
}

/** Opcodes that a static frame refuses; CALL only with a value. */
const WRITES: ReadonlySet<number> = new Set([
  0x55, 0x5d, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf0, 0xf1, 0xf5, 0xff,
])

/** True if the fork has an opcode. */
export function isKnownOpcode({ evm }: Pick<Tariff, 'evm'>, opcode: number): boolean {
  return evm.opcodes.get(opcode)?.isInvalid === false
}

function stackError({ opcode, stackSize }: FailedOpcode): string | undefined {
  const [taken, given] = operandsOf(opcode)
  if (stackSize < taken) return `stack underflow (${stackSize} <=> ${taken})`
  const limit = 1024 + taken - given
  return stackSize > limit ? `stack limit reached ${stackSize} (${limit})` : undefined
}

type Beginning = Pick<FailedStep, 'cost' | 'error'>

/** The cost of an opcode, and why it cannot begin. */
function beginning(tariff: Tariff, failed: FailedOpcode): Beginning {
  const cost = gasOf.staticGas(tariff, failed.opcode)
  const error = stackError(failed)
  if (error !== undefined) return { cost, error }
  if (failed.gas < cost) return { cost, error: gasOf.OUT_OF_GAS_ERROR }
  let needed: bigint | undefined
  try {
    needed = gasOf.memoryNeeded(failed)
    const left = Number.isFinite(failed.gas) ? BigInt(failed.gas - cost) : 2n ** 63n
    const dynamic = gasOf.dynamicGas(tariff, failed, left, needed)
    const total = failed.cost ?? cost + Number(dynamic)
    return { cost: total, error: total > failed.gas ? gasOf.OUT_OF_GAS_ERROR : undefined }
  } catch (thrown) {
    if (!(thrown instanceof gasOf.GasError)) throw thrown
    // geth puts words before those of its gas functions, not before those of the memory's size.
    return {
      cost,
      error: needed === undefined ? thrown.message : `${gasOf.OUT_OF_GAS_ERROR}: ${thrown.message}`,
    }
  }
}

/** Describes the opcode with which a frame has failed; `ended` is the interpreter's reason. */
export function describeFailure(tariff: Tariff, failed: FailedOpcode, ended: string | undefined): FailedStep {
  const { opcode } = failed
  if (!isKnownOpcode(tariff, opcode))
    return { cost: 0, error: undefined, reason: `invalid opcode: ${opcodeName(opcode)}` }
  const { cost, error } = beginning(tariff, failed)
  if (error !== undefined) return { cost, error, reason: error }
  if (opcode === 0x3e && operand(failed, 1) + operand(failed, 2) > BigInt(failed.returnDataSize))
    return { cost, error, reason: 'return data out of bounds' }
  const isWrite = WRITES.has(opcode) && (opcode !== 0xf1 || operand(failed, 2) !== 0n)
  if (failed.isStatic && isWrite) return { cost, error, reason: 'write protection' }
  return { cost, error: ended === gasOf.OUT_OF_GAS_ERROR ? ended : undefined, reason: ended }
}
