// Gas of messages for cheatcodes: of the last one, and between two cheatcodes; and frames that are not charged.

import type { CodeResult, EvmMessage, EvmResult } from '../../core/execution/evm/covered-evm.ts'

/** `Gas` of forge-std: limit, used, memory (always zero), refunded, remaining. */
type MessageGas = readonly [bigint, bigint, bigint, bigint, bigint]

interface Pause {
  readonly depth: number
  /** The gas that the frame of the depth had left. */
  left: bigint
}

/**
 * The refund counter of a transaction begins here, and not at zero: values that cheatcodes write into slots are not counted,
 * so what code writes afterwards may take more back than was refunded.
 */
export const NO_REFUND = 1n << 40n

/** Gives the result of a transaction its refund; one that fails, as for what was expected of it, has none. */
export function settleRefund(result: CodeResult): void {
  const { exceptionError, gasRefund = NO_REFUND } = result
  const refund = exceptionError === undefined ? gasRefund - NO_REFUND : 0n
  // As in forge, where the counter has no sign when it is capped.
  result.gasRefund = refund < 0n ? NO_REFUND : refund
}

/** Gas of the call that ends a pause, which is charged. */
const OWN_CALL = 100n

export class CallMeter {
  /** Gas of the senders of open messages, which have sent these but not paid for them. */
  private readonly left: number[] = []
  /** The last message that has ended. */
  last: MessageGas | undefined
  private pause: Pause | undefined
  /** The measurement that goes on, with what its caller had left. */
  started: { readonly names: readonly [group: string, name: string]; readonly left: bigint } | undefined
  /** The cost of the cheatcode that runs; less than nothing gives gas back. */
  private cost = 0n

  get isPaused(): boolean {
    return this.pause !== undefined
  }

  enter(leftOfSender: number): void {
    this.left.push(leftOfSender)
  }

  /** Gas of the frame that calls a cheatcode. */
  get ofCaller(): bigint {
    return BigInt(this.left.at(-1) ?? 0)
  }

  pauseAt(message: EvmMessage): void {
    this.pause ??= { depth: message.depth - 1, left: this.ofCaller }
  }

  resumeAt(message: EvmMessage): void {
    if (this.pause?.depth === message.depth - 1) this.cost = this.ofCaller - this.pause.left + OWN_CALL
    this.pause = undefined
  }

  /** Gives the frame that calls a cheatcode all its gas again. */
  reset(caller: EvmMessage): void {
    this.cost = this.ofCaller - caller.gasLimit
  }

  takeCost(): bigint {
    const { cost } = this
    this.cost = 0n
    return cost
  }

  exit({ gasLimit, depth, gasRefund }: EvmMessage, { execResult }: EvmResult, isForTest: boolean): void {
    const leftOfSender = BigInt(this.left.pop() ?? 0)
    const { pause } = this
    if (pause?.depth === depth) {
      execResult.executionGasUsed = gasLimit - pause.left
      this.pause = { depth: depth - 1, left: leftOfSender - execResult.executionGasUsed }
    }
    if (isForTest) return
    const used = execResult.executionGasUsed
    this.last = [gasLimit, used, 0n, (execResult.gasRefund ?? 0n) - gasRefund, gasLimit - used]
  }
}
