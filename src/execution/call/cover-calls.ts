// Calls in a row, each on the state that the one before has left, with the coverage of their code: for exploring. They
// are executed as transactions are, but pay no fees, belong to no block, and nobody observes them.

import type { Coverage } from '../../interpreter/covering.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { createCoveredEvm } from '../evm/evm-pool.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { type Message, type MessageResult, runMessage } from '../evm/run-message.ts'
import { runTransfer } from '../evm/run-transfer.ts'
import { beginMessage } from './run-call.ts'

export type { Comparison, Coverage } from '../../interpreter/covering.ts'

export interface CoveredCall {
  readonly result: MessageResult
  readonly after: WorldState
}

export interface CoveredCalls {
  readonly coverage: Coverage
  /** Executes a call; its gas limit must suffice for it to begin, and the sender must have its value. */
  readonly run: (state: WorldState, environment: BlockEnvironment, message: Message) => Promise<CoveredCall>
}

const FREE = { feeCap: 0n, maxFeePerBlobGas: 0n } as const

/** Throws `coverageUnavailable` on a chain with the interpreter of @ethereumjs. */
export async function coverCalls(context: ExecutionContext): Promise<CoveredCalls> {
  const { instance, coverage } = await createCoveredEvm(context)
  const { writer } = instance
  return {
    coverage,
    async run(state, environment, message) {
      writer.reset(beginMessage(state, environment, { ...message, ...FREE }))
      const settle = (reached: WorldState): WorldState => reached
      const result =
        runTransfer(instance, message, settle) ?? (await runMessage(instance, environment, message, settle))
      return { result, after: writer.current }
    },
  }
}
