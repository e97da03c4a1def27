// Calls in a row, each on the state that the one before has left, with the coverage of their code: for exploring. They
// are executed as transactions are, but pay no fees, raise no nonce of their sender, belong to no block, and nobody
// observes them.

import type { Coverage, Covering } from '../../interpreter/covering.ts'
import { isPromise, type Later } from '../../primitives/later.ts'
import type { WorldState } from '../../state/world-state.ts'
import { createCoveredEvm } from '../evm/evm-pool.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { type Message, type MessageResult, runMessage, type Settlement } from '../evm/run-message.ts'
import { runTransfer } from '../evm/run-transfer.ts'
import { observe } from '../trace/observe.ts'
import type { Observer } from '../trace/observer.ts'
import { type Cheated, type FailedTest, installCheatcodes } from './cheatcodes.ts'

export type { Comparison, FailedAssertion } from '../../interpreter/covering.ts'
export { CHEATCODES } from '../evm/console-calls.ts'
export { cheatcodeReason, isAssumption } from './cheatcode-errors.ts'
export { cheatcodeAbi } from './cheatcode-table.ts'
export type { FailedTest } from './cheatcodes.ts'
export { withCheatcodes } from './cheatcodes.ts'
export { NO_PRANKS } from './pranks.ts'

/** Where a sequence of calls has come to: a state, the block, and what cheatcodes have left behind. */
export interface Moment extends Cheated {
  readonly state: WorldState
}

export interface CoveredCall {
  readonly result: MessageResult
  /** After it. The state is the same object as before it if nothing was written. */
  readonly after: Moment
  /** The assertion of cheatcodes by which it has failed. */
  readonly failedTest: FailedTest | undefined
}

export interface CoveredCalls {
  readonly coverage: Coverage
  /** Executes a call, whose gas limit must suffice for it to begin. On a fork, it may fail by a miss. */
  readonly run: (before: Moment, message: Message) => Later<CoveredCall>
  /** The same under an observer, and without coverage. */
  readonly observe: (before: Moment, message: Message, observer: Observer) => Promise<CoveredCall>
}

const deleteDestroyed: Settlement = (state, { destroyed }) =>
  destroyed.length === 0 ? state : destroyed.reduce((left, address) => left.delete(address), state)

/** With Foundry's cheatcodes or without. Throws `coverageUnavailable` on a chain with the interpreter of @ethereumjs. */
export async function coverCalls(context: ExecutionContext, hasCheatcodes: boolean): Promise<CoveredCalls> {
  const create = async (known?: Covering) => {
    const made = await createCoveredEvm(context, known)
    return {
      ...made,
      cheats: hasCheatcodes ? installCheatcodes(made.instance, made.covering, made.tools) : undefined,
    }
  }
  let { instance, covering, cheats } = await create()
  const replace = async (): Promise<void> => {
    ;({ instance, covering, cheats } = await create(covering))
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
  const end = (before: Moment, result: MessageResult): CoveredCall => {
    const state = instance.writer.current
    const { environment, pranks } = cheats?.end() ?? before
    const failedTest = cheats?.failedTest(result.outcome !== 'success', result.returnData, state)
    return { result, after: { state, environment, pranks }, failedTest }
  }
  return {
    coverage: covering,
    run(before, message) {
      begin(before)
      const ended = (result: MessageResult): Later<CoveredCall> => {
        const called = end(before, result)
        if (!covering.isLarge()) return called
        covering.renew()
        return replace().then(() => called)
      }
      try {
        const result = execute(before, message)
        return isPromise(result) ? result.then(ended).catch(fail) : ended(result)
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
