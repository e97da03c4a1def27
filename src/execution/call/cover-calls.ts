// Calls in a row, each on the state that the one before has left, with the coverage of their code: for exploring. They
// are executed as transactions are, but pay no fees, raise no nonce of their sender, belong to no block, and nobody
// observes them.

import type { Coverage, Covering } from '../../interpreter/covering.ts'
import type { WasmEvm } from '../../interpreter/evm.ts'
import { ByteArena } from '../../primitives/byte-arena.ts'
import { isPromise, type Later } from '../../primitives/later.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { createCoveredEvm } from '../evm/evm-pool.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { type BareMessage, type BareResult, runBareMessage } from '../evm/run-bare-message.ts'
import { installCheatcodes } from './cheatcodes.ts'
import { type Reads, readsOf } from './reads.ts'

export type { Comparison, EvmLog, FailedAssertion } from '../../interpreter/covering.ts'
export { CHEATCODES, cheatcodeReason } from './cheatcodes.ts'
export { isSameFor, type Reads } from './reads.ts'

export interface CoveredCall {
  readonly result: BareResult
  /** The state after it: the same object as before it if nothing was written. */
  readonly after: WorldState
  /** The block after it: that before it, unless cheatcodes have moved the time. */
  readonly environment: BlockEnvironment
  /** What it has read, if that is wanted and known as a whole. */
  readonly reads: Reads | undefined
}

export interface CoveredCalls {
  readonly coverage: Coverage
  /**
   * Executes a call, whose gas limit must suffice for it to begin. On a fork, it may fail by a miss. `notesReads` asks for
   * what it reads.
   */
  readonly run: (
    state: WorldState,
    environment: BlockEnvironment,
    message: BareMessage,
    notesReads?: boolean,
  ) => Later<CoveredCall>
}

/** With Foundry's cheatcodes or without. Throws `coverageUnavailable` on a chain with the interpreter of @ethereumjs. */
export async function coverCalls(context: ExecutionContext, hasCheatcodes: boolean): Promise<CoveredCalls> {
  const copies = new ByteArena()
  const create = async (known?: Covering) => {
    const made = await createCoveredEvm(context, known, copies)
    // Cheatcodes change the senders of calls.
    if (hasCheatcodes) made.covering.callees.forbid()
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
  return {
    coverage: covering,
    run(state, environment, message, notesReads = false) {
      const { writer } = instance
      writer.reset(state)
      cheats?.begin(environment)
      let reads: Reads | undefined
      const noteReads = (): void => {
        const isKnown = !covering.isFull()
        if (isKnown) reads = readsOf(state, environment, covering.reads, slots.usedSlots())
      }
      covering.reads.isOn = notesReads
      if (notesReads) {
        covering.reads.begin(message.to)
        slots.watchUsed()
      }
      const ended = (result: BareResult): Later<CoveredCall> => {
        const called = { result, after: writer.current, environment: cheats?.end() ?? environment, reads }
        if (!covering.isLarge()) return called
        covering.renew()
        return replace().then(() => called)
      }
      try {
        const result = runBareMessage(instance, environment, message, notesReads ? noteReads : undefined)
        return isPromise(result) ? result.then(ended).catch(fail) : ended(result)
      } catch (error) {
        return fail(error)
      }
    },
  }
}
