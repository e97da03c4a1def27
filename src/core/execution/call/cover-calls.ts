// Calls in a row, each on the state that the one before has left, with the coverage of their code: for exploring. They
// are executed as transactions are, but pay no fees, raise no nonce of their sender, belong to no block, and nobody
// observes them.

import type { Coverage, Covering } from '../../interpreter/covering.ts'
import type { WasmEvm } from '../../interpreter/evm.ts'
import { ByteArena } from '../../primitives/byte-arena.ts'
import type { Address } from '../../primitives/hex.ts'
import { isPromise, type Later } from '../../primitives/later.ts'
import type { WorldState } from '../../state/world-state.ts'
import { installCheatcodes } from '../cheatcodes/cheat-run.ts'
import type { Cheated, FailedTest } from '../cheatcodes/cheats.ts'
import { createCoveredEvm } from '../evm/evm-pool.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { type BareMessage, type BareResult, runBareMessage } from '../evm/run-bare-message.ts'
import { type Message, type MessageResult, runMessage, type Settlement } from '../evm/run-message.ts'
import { runTransfer } from '../evm/run-transfer.ts'
import { observe } from '../trace/observe.ts'
import type { Observer } from '../trace/observer.ts'
import { type Reads, readsOf } from './reads.ts'

export type { Comparison, EvmLog, FailedAssertion } from '../../interpreter/covering.ts'
export { withCheatcodes } from '../cheatcodes/addresses.ts'
export type { FailedTest } from '../cheatcodes/cheats.ts'
export { cheatcodeReason, isAssumption } from '../cheatcodes/errors.ts'
export { NOTHING_LEFT } from '../cheatcodes/left.ts'
export { cheatcodeAbi } from '../cheatcodes/table.ts'
export { CHEATCODES } from '../evm/console-calls.ts'
export { isSameFor, type Reads } from './reads.ts'

/** Where a sequence of calls has come to: a state, the block, and what cheatcodes have left behind. */
export interface Moment extends Cheated {
  readonly state: WorldState
}

export interface CoveredCall<Result = BareResult> {
  readonly result: Result
  /** After it. The state is the same object as before it if nothing was written. */
  readonly after: Moment
  /** The assertion of cheatcodes by which it has failed. */
  readonly failedTest: FailedTest | undefined
  /** Its reads, if they are wanted and known as a whole. */
  readonly reads: Reads | undefined
}

export interface CoveredCalls {
  readonly coverage: Coverage
  /**
   * Executes a call, whose gas limit must suffice for it to begin. On a fork, it may fail by a miss. `notesReads` asks for
   * what it reads.
   */
  readonly run: (before: Moment, message: BareMessage, notesReads?: boolean) => Later<CoveredCall>
  /** The same under an observer, and without coverage. */
  readonly observe: (
    before: Moment,
    message: Message,
    observer: Observer,
  ) => Promise<CoveredCall<MessageResult>>
}

const deleteDestroyed: Settlement = (state, { destroyed }) =>
  destroyed.length === 0 ? state : destroyed.reduce((left, address) => left.delete(address), state)

/** With Foundry's cheatcodes or without. Throws `coverageUnavailable` on a chain with the interpreter of @ethereumjs. */
export async function coverCalls(context: ExecutionContext, hasCheatcodes: boolean): Promise<CoveredCalls> {
  const copies = new ByteArena()
  const create = async (known?: Covering) => {
    const made = await createCoveredEvm(context, known, copies)
    return {
      ...made,
      slots: (made.instance.evm as unknown as WasmEvm).access.slots,
      cheats: hasCheatcodes ? installCheatcodes(made.instance, made.covering, made.tools) : undefined,
    }
  }
  let { instance, covering, cheats, slots } = await create()
  const replace = async (): Promise<void> => {
    ;({ instance, covering, cheats, slots } = await create(covering))
  }
  /** The journal of an execution that was thrown out of may have open checkpoints. */
  const fail = async (error: unknown): Promise<never> => {
    await replace()
    throw error
  }
  const begin = (before: Moment): void => {
    instance.writer.reset(before.state)
    cheats?.begin(before)
  }
  const execute = ({ environment }: Moment, message: Message): Later<MessageResult> =>
    runTransfer(instance, message, deleteDestroyed) ??
    runMessage(instance, environment, message, deleteDestroyed)
  const end = <Result extends Pick<BareResult, 'outcome' | 'returnData'>>(
    before: Moment,
    result: Result,
    reads?: Reads,
  ): CoveredCall<Result> => {
    const state = instance.writer.current
    const { environment, left } = cheats?.end() ?? before
    const failedTest = cheats?.failedTest(result.outcome !== 'success', result.returnData, state)
    return { result, after: { state, environment, left }, failedTest, reads }
  }
  /** The reads of the present call. */
  let noted: Reads | undefined
  const noteReads = (moment: Moment): void => {
    if (!covering.isFull()) noted = readsOf(moment, covering.reads, slots.usedSlots())
  }
  const finish = (before: Moment, result: BareResult): Later<CoveredCall> => {
    const called = end(before, result, noted)
    if (!covering.isLarge()) return called
    covering.renew()
    return replace().then(() => called)
  }
  return {
    coverage: covering,
    run(before, message, notesReads) {
      begin(before)
      const isNoted = notesReads === true && message.to !== undefined
      noted = undefined
      covering.reads.isOn = isNoted
      if (isNoted) {
        covering.reads.begin(message.to as Address)
        slots.watchUsed()
      }
      try {
        const onEnd = isNoted ? () => noteReads(before) : undefined
        const result = runBareMessage(instance, before.environment, message, onEnd)
        return isPromise(result)
          ? result.then((later) => finish(before, later)).catch(fail)
          : finish(before, result)
      } catch (error) {
        return fail(error)
      }
    },
    async observe(before, message, observer) {
      begin(before)
      try {
        return end(before, await observe(instance, observer, () => execute(before, message)))
      } catch (error) {
        return fail(error)
      }
    },
  }
}
