// Execution of a message of which only the outcome counts, for exploring: as a transaction without a price, an access list
// or authorizations, and without what is charged for it. `runMessage` of run-message.ts does the rest.

import type { Log as EvmLog } from '@ethereumjs/evm'
import { andThen, type Later } from '../../primitives/loading.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { intrinsicGas } from '../transaction/intrinsic-gas.ts'
import type { EvmInstance } from './pooled-evm.ts'
import * as messageRuns from './run-message.ts'

export type BareMessage = Pick<messageRuns.MessageFields, 'from' | 'to' | 'value' | 'input' | 'gasLimit'>

export type BareResult = Omit<messageRuns.MessageResult, 'logs'> & {
  readonly logs: readonly EvmLog[]
  /** Less the refund, and without what a transaction of the message pays before it, but at least what makes up for its floor. */
  readonly executionGas: bigint
}

const NONE: readonly never[] = []

/**
 * Runs a message on the writer's state, which then is the state after it. The gas limit must suffice for it to begin.
 * `onEnd` is called before what was accessed is forgotten.
 */
export function runBareMessage(
  instance: EvmInstance,
  environment: BlockEnvironment,
  message: BareMessage,
  onEnd?: () => void,
): Later<BareResult> {
  const { evm, rules, writer } = instance
  const { from, to, input } = message
  const intrinsic = intrinsicGas(rules, { to, input, accessList: NONE, authorizationList: NONE })
  messageRuns.warmAddresses(instance, environment, from, to)
  const free = { ...message, gasPrice: 0n, blobVersionedHashes: NONE }
  return andThen(messageRuns.executeMessage(evm, environment, free, intrinsic), (ended) => {
    onEnd?.()
    const { logs = NONE } = ended.execResult
    const result = messageRuns.endOfMessage(instance, message, ended, intrinsic, 0n)
    for (const address of result.destroyed) writer.reset(writer.current.delete(address))
    const executionGas = result.gasUsed - intrinsic
    return andThen(evm.journal.cleanup(), () => ({ ...result, logs, executionGas }))
  })
}
