// Gas of messages for cheatcodes: of the last one, and between two cheatcodes; and frames that are not charged.

import type { CodeResult, EvmMessage, EvmResult } from '../../core/execution/evm/covered-evm.ts'

/** `Gas` of forge-std: limit, used, memory (always zero), refunded, remaining. */
export type MessageGas = readonly [bigint, bigint, bigint, bigint, bigint]

interface Pause {
  readonly depth: number
  /** The gas that the frame of the depth had left. */
  readonly left: bigint
  /** The refund counter, which a pause leaves as it was. */
  readonly refund: bigint
}

/** Where the refund counter of a transaction begins: what cheatcodes have written may take back more than was refunded. */
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

/** Gas of a measurement itself, which forge leaves out. */
const OF_MEASUREMENT = 171n

/** Gas of the first opcode, a PUSH1, which forge leaves out of frames that begin while they are measured. */
const OF_BEGINNING = 3n

/** Sums up what frames of one depth spend. */
interface Measurement {
  readonly names: readonly [group: string, name: string]
  /** The frame that has begun it, and what that had spent then. */
  readonly frame: EvmMessage
  readonly before: bigint
  used: bigint
}

export class CallMeter {
  /** Gas of the senders of open messages, which have sent these but not paid for them. */
  private readonly left: number[] = []
  /** The last call that has ended, and the one before. */
  last: MessageGas | undefined
  private lastBefore: MessageGas | undefined
  private pause: Pause | undefined
  started: Measurement | undefined
  /** Gas that the frame which was measured last had spent. */
  private spentBefore: bigint | undefined
  /** The cost of the cheatcode that runs; less than nothing gives gas back. */
  private cost = 0n
  /** The refund counter after the cheatcode that runs, if it changes it. */
  private refund: bigint | undefined
  /** Gas that open frames have paid for what a pause covers, by their depths. */
  private readonly overpaid = new Map<number, bigint>()

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

  /** Gas that a frame which is not metered has left, from the pause on. */
  heldIn({ depth, gasLimit }: EvmMessage): bigint | undefined {
    const { pause } = this
    if (pause === undefined || depth < pause.depth) return undefined
    return depth === pause.depth ? pause.left : gasLimit
  }

  /** As in forge, a measurement begins where the one before has ended. */
  start(names: Measurement['names'], frame: EvmMessage): void {
    const spent = frame.gasLimit - (this.heldIn(frame) ?? this.ofCaller)
    const before = this.spentBefore ?? spent
    this.started = { names, frame, before: before < spent ? before : spent, used: 0n }
  }

  stop(started: Measurement, frame: EvmMessage): bigint {
    this.measure(frame, frame.gasLimit - (this.heldIn(frame) ?? this.ofCaller + OWN_CALL))
    this.started = undefined
    return started.used < OF_MEASUREMENT ? 0n : started.used - OF_MEASUREMENT
  }

  private measure(frame: EvmMessage, spent: bigint): void {
    const { started } = this
    if (started?.frame.depth !== frame.depth) return
    const before = started.frame === frame ? started.before : OF_BEGINNING
    if (spent > before) started.used += spent - before
    this.spentBefore = spent
  }

  pauseAt({ depth, gasRefund }: EvmMessage): void {
    this.pause ??= { depth: depth - 1, left: this.ofCaller, refund: gasRefund }
  }

  /** Ends a pause, maybe in a frame that another one has called: what those between have paid is given back at their ends. */
  resumeAt(open: readonly EvmMessage[]): void {
    const { pause } = this
    if (pause === undefined) return
    for (let depth = pause.depth; depth < open.length - 1; depth++) {
      const before = depth === pause.depth ? pause.left : (open[depth] as EvmMessage).gasLimit
      const paid = before - OWN_CALL - BigInt(this.left[depth + 1] ?? 0)
      if (depth === open.length - 2) this.cost = -paid
      else this.overpaid.set(depth, paid)
    }
    this.refund = pause.refund
    this.pause = undefined
  }

  /** Gives the frame that calls a cheatcode all its gas again. */
  reset(caller: EvmMessage): void {
    this.pause = undefined
    this.cost = this.ofCaller - caller.gasLimit
    this.refund = caller.gasRefund
  }

  /** As in forge, a message whose end was changed, for what was expected of it, is not the last call. */
  forgetLast(): void {
    this.last = this.lastBefore
  }

  takeCost(): bigint {
    const { cost } = this
    this.cost = 0n
    return cost
  }

  exit(message: EvmMessage, { execResult, createdAddress }: EvmResult, isForTest: boolean): void {
    const leftOfSender = BigInt(this.left.pop() ?? 0)
    if (isForTest) {
      if (this.refund !== undefined) execResult.gasRefund = this.refund
      this.refund = undefined
      return
    }
    const { gasLimit, depth, gasRefund } = message
    const { pause } = this
    if (pause?.depth === depth) {
      execResult.executionGasUsed = gasLimit - pause.left
      execResult.gasRefund = pause.refund
      this.pause = { ...pause, depth: depth - 1, left: leftOfSender - execResult.executionGasUsed }
    } else if (pause !== undefined && depth > pause.depth) execResult.executionGasUsed = 0n
    execResult.executionGasUsed -= this.overpaid.get(depth) ?? 0n
    this.overpaid.delete(depth)
    const refunded = (execResult.gasRefund ?? 0n) - gasRefund
    const used = execResult.executionGasUsed
    this.measure(message, used)
    this.lastBefore = this.last
    if (createdAddress === undefined) this.last = [gasLimit, used, 0n, refunded, gasLimit - used]
  }
}
