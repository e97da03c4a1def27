// Operations of an execution in the shape of OpenEthereum's `vmTrace`, with the names and indices that Erigon adds.

import type { VmFrame, VmOperation } from '../../execution/trace/vm-operations.ts'
import { type Address, bytesToHex, type Hex, toQuantity } from '../../primitives/hex.ts'
import { opcodeName } from '../tracers/opcode-names.ts'

interface RpcVmOperation {
  /** With the gas of the frame that it opened. */
  readonly cost: number
  /** Null for an operation that failed. */
  readonly ex: {
    readonly mem: { readonly data: Hex; readonly off: number } | null
    readonly push: readonly Hex[]
    readonly store: { readonly key: Hex; readonly val: Hex } | null
    /** The gas left after it, as in every implementation. */
    readonly used: number
  } | null
  readonly pc: number
  readonly sub: RpcVmTrace | null
  readonly op: string
  /** The place among the operations of its frame, after those of the operations that opened the frames around it. */
  readonly idx: string
}

export interface RpcVmTrace {
  readonly code: Hex
  readonly ops: readonly RpcVmOperation[]
}

function formatEffects(effects: VmOperation['effects']): RpcVmOperation['ex'] {
  if (effects === undefined) return null
  const { gasLeft, pushed, memory, store } = effects
  return {
    mem: memory === undefined ? null : { data: bytesToHex(memory.data), off: memory.offset },
    push: pushed.map(toQuantity),
    store: store === undefined ? null : { key: toQuantity(store.slot), val: toQuantity(store.value) },
    used: gasLeft,
  }
}

/** The operations of a frame; `codeOf` is the code of an account that the execution did not deploy. */
export function formatVmTrace(
  { start, code, operations }: VmFrame,
  codeOf: (address: Address) => Uint8Array,
  prefix = '',
): RpcVmTrace {
  return {
    code: bytesToHex(code ?? codeOf(start.to)),
    ops: operations.map(({ pc, opcode, cost, effects, sub }, place) => {
      const idx = `${prefix}${place}`
      return {
        cost,
        ex: formatEffects(effects),
        pc,
        sub: sub === undefined ? null : formatVmTrace(sub, codeOf, `${idx}-`),
        op: opcodeName(opcode),
        idx,
      }
    }),
  }
}
