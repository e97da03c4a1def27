// Execution of a message of which only the outcome counts, for exploring: as a transaction without a price, an access list
// or authorizations, and without what is charged for it. `runMessage` of run-message.ts does the rest.

import type { EVMResult, Log as EvmLog } from '@ethereumjs/evm'
import { bytesToHex } from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/loading.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { floorGas, intrinsicGas } from '../transaction/intrinsic-gas.ts'
import type { EvmInstance } from './pooled-evm.ts'
import * as messageRuns from './run-message.ts'

export type BareMessage = Pick<messageRuns.MessageFields, 'from' | 'to' | 'value' | 'input' | 'gasLimit'>

export type BareResult = Pick<
  messageRuns.MessageResult,
  'outcome' | 'returnData' | 'failure' | 'contractAddress' | 'consoleCalls'
> & {
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
  const { evm, rules } = instance
  const { from, to, input } = message
  const intrinsic = intrinsicGas(rules, { to, input, accessList: NONE, authorizationList: NONE })
  messageRuns.warmAddresses(instance, environment, from, to)
  const free = { ...message, gasPrice: 0n, blobVersionedHashes: NONE }
  return andThen(messageRuns.executeMessage(evm, environment, free, intrinsic), (ended) => {
    onEnd?.()
    return end(instance, ended, intrinsic, floorGas(rules, input))
  })
}

function end(
  instance: EvmInstance,
  { execResult, createdAddress }: EVMResult,
  intrinsic: bigint,
  floor: bigint,
): Later<BareResult> {
  const { evm, rules, writer, console } = instance
  const { returnValue, selfdestruct, createdAddresses, logs, executionGasUsed, gasRefund } = execResult
  for (const address of messageRuns.destroyedAccounts(rules, selfdestruct, createdAddresses))
    writer.reset(writer.current.delete(address))
  const { outcome, failure } = messageRuns.messageOutcome(execResult)
  const spent = intrinsic + executionGasUsed
  const charged = spent - messageRuns.cappedRefund(rules, spent, gasRefund ?? 0n)
  const result: BareResult = {
    outcome,
    returnData: returnValue,
    failure,
    logs: logs ?? NONE,
    consoleCalls: console.take(),
    executionGas: (charged < floor ? floor : charged) - intrinsic,
    contractAddress: createdAddress === undefined ? undefined : bytesToHex(createdAddress.bytes),
  }
  return andThen(evm.journal.cleanup(), () => result)
}
