// An EVM that records coverage, apart from the pool. Tools that change what it executes, such as cheatcodes, get it and the
// types of the interpreter from here.

import type { EVMResult, ExecResult } from '@ethereumjs/evm'
import type { Covering } from '../../interpreter/covering.ts'
import type { WasmEvm } from '../../interpreter/evm.ts'
import type { Message } from '../../interpreter/message.ts'
import type { FrameResult } from '../../interpreter/run-frame.ts'
import type { Hash } from '../../primitives/hex.ts'
import type { EvmInstance } from './pooled-evm.ts'

export type { Comparison, Coverage, Covering, EvmLog } from '../../interpreter/covering.ts'
export type { WasmEvm } from '../../interpreter/evm.ts'
export { toEvmAddress } from '../../interpreter/evm-address.ts'
export type { ReadLog } from '../../interpreter/host.ts'
export type { SlotAccess, UsedSlots } from '../../interpreter/slot-lists.ts'

/** A message as the EVM executes it. */
export type EvmMessage = Message

/** The result of a message, and that of code without what a creation adds. */
export type EvmResult = EVMResult
export type CodeResult = FrameResult

export interface CoveredEvm {
  readonly instance: EvmInstance
  /** Gives blocks other hashes than the context has; without a function, those of the context again. */
  readonly replaceBlockHashes: (hashOf: ((number: number) => Hash | undefined) | undefined) => void
  readonly evm: WasmEvm
  readonly covering: Covering
  /** The result of a message that reverts. */
  readonly reverted: (returnData: Uint8Array) => ExecResult
  /** Stack items that an opcode takes and gives. */
  readonly operandsOf: (opcode: number) => readonly [taken: number, given: number]
  readonly makeMessage: (fields: ConstructorParameters<typeof Message>[0]) => Message
}
