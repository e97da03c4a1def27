// Execution of a message with all steps of a transaction but its payment: warm addresses, authorizations, intrinsic gas
// and refund. Transactions, calls, estimates and access lists share it, and not runTx:
// docs/decisions/0013-transactions-run-without-runtx.md.

import type { EVMResult } from '@ethereumjs/evm'
import { toEvmAddress } from '../../interpreter/evm-address.ts'
import { type Address, bytesToHex, type Hash } from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/loading.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { WorldState } from '../../state/world-state.ts'
import { haltReason } from '../result/revert-reason.ts'
import { floorGas, intrinsicGas } from '../transaction/intrinsic-gas.ts'
import { type AccessListEntry, type Authorization, type Log, toLogs } from '../transaction/transaction.ts'
import { applyAuthorizations } from './authorizations.ts'
import { type ConsoleCall, type EvmInstance, toEvmBlock } from './pooled-evm.ts'

/** The fields of a message that the EVM uses, with defaults filled in. */
export interface MessageFields {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasLimit: bigint
  /** The result of GASPRICE; zero if the sender names no fee. */
  readonly gasPrice: bigint
  readonly accessList: readonly AccessListEntry[]
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
}

export interface MessageResult {
  readonly outcome: 'success' | 'revert' | 'failure'
  readonly returnData: Uint8Array
  /** As charged to a transaction: with intrinsic gas, less the refund, at least the floor (EIP-7623). */
  readonly gasUsed: bigint
  /** The same before the refund. */
  readonly peakGas: bigint
  readonly gasRefund: bigint
  /** The reason of an exceptional halt, in geth's words. */
  readonly failure: string | undefined
  readonly logs: readonly Log[]
  /** The created contract, for a creation. */
  readonly contractAddress: Address | undefined
  /** Contracts to delete at the end of the transaction. */
  readonly destroyed: readonly Address[]
  readonly consoleCalls: readonly ConsoleCall[]
}

/**
 * Payments after a message has run, before empty touched accounts are deleted (EIP-161). What the message wrote to storage is
 * not in the state yet.
 */
export type Settlement = (state: WorldState, result: MessageResult) => WorldState

/** Warms addresses at the start (EIP-2929, 2930, 3651). As in geth, a moved precompile is cold at its new address. */
export function warmAddresses(
  instance: EvmInstance,
  environment: BlockEnvironment,
  from: Address,
  to: Address | undefined,
): void {
  const { evm, rules } = instance
  if (!isForkActive(rules, 'berlin')) return
  const { journal } = evm
  instance.warmPrecompiles()
  journal.addAlwaysWarmAddress(from)
  if (to !== undefined) journal.addAlwaysWarmAddress(to)
  if (isForkActive(rules, 'shanghai')) journal.addAlwaysWarmAddress(environment.coinbase)
}

/** Warms what an access list names (EIP-2930), which only forks that have them take. */
function warmAccessList({ evm: { journal }, rules }: EvmInstance, list: readonly AccessListEntry[]): void {
  if (list.length === 0 || !isForkActive(rules, 'berlin')) return
  for (const { address, storageKeys } of list) {
    journal.addAlwaysWarmAddress(address)
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key)
  }
}

interface ChargedGas {
  readonly gasUsed: bigint
  readonly peakGas: bigint
}

/** The gas that is refunded: it has a cap (EIP-3529). */
export function cappedRefund(rules: Rules, spent: bigint, refund: bigint): bigint {
  const maxRefund = refund === 0n ? 0n : spent / rules.gas.maxRefundQuotient
  return refund < maxRefund ? refund : maxRefund
}

/** Gas used after the refund, and the calldata floor (EIP-7623). */
function applyRefund(rules: Rules, input: Uint8Array, spent: bigint, refund: bigint): ChargedGas {
  const charged = spent - cappedRefund(rules, spent, refund)
  const floor = floorGas(rules, input)
  return { gasUsed: charged < floor ? floor : charged, peakGas: spent < floor ? floor : spent }
}

const NONE: readonly Address[] = []

/** Since cancun SELFDESTRUCT deletes only contracts of the same transaction (EIP-6780). */
function destroyedAccounts(
  rules: Rules,
  selfdestruct: ReadonlyMap<string, string> | undefined,
  created: ReadonlySet<string> | undefined,
): readonly Address[] {
  if (selfdestruct === undefined || selfdestruct.size === 0) return NONE
  const marked = [...selfdestruct.keys()] as Address[]
  return isForkActive(rules, 'cancun') ? marked.filter((address) => created?.has(address)) : marked
}

/** Gives a message to the EVM, with the gas that is left of its limit. @internal */
export function executeMessage(
  evm: EvmInstance['evm'],
  environment: BlockEnvironment,
  message: Omit<MessageFields, 'accessList' | 'authorizationList'>,
  intrinsic: bigint,
): Later<EVMResult> {
  const { from, to, value, input: data, gasLimit, gasPrice, blobVersionedHashes } = message
  return evm.runCall({
    block: toEvmBlock(environment),
    caller: toEvmAddress(from),
    to: to === undefined ? undefined : toEvmAddress(to),
    gasLimit: gasLimit - intrinsic,
    skipNonceIncrement: true,
    value,
    data,
    gasPrice,
    blobVersionedHashes,
  })
}

/**
 * Runs a message on the writer's state, in which the sender's nonce is already incremented. The gas limit must suffice
 * (`gasShortfall`). With a settlement, the writer then holds the state after it, without empty touched accounts
 * (EIP-161); without one, its state is undefined.
 */
export function runMessage(
  instance: EvmInstance,
  environment: BlockEnvironment,
  message: MessageFields,
  settle?: Settlement,
): Later<MessageResult> {
  const { evm, rules, writer } = instance
  const authorized = applyAuthorizations(rules, writer.current, message.authorizationList)
  writer.reset(authorized.state)
  const observation = instance.observed.current
  if (observation !== undefined) observation.authorizationRefund = Number(authorized.gasRefund)
  warmAddresses(instance, environment, message.from, message.to)
  warmAccessList(instance, message.accessList)
  for (const authority of authorized.authorities) evm.journal.addAlwaysWarmAddress(authority)
  const intrinsic = intrinsicGas(rules, message)
  return andThen(executeMessage(evm, environment, message, intrinsic), (ended) => {
    const result = resultOfMessage(instance, message, ended, intrinsic, authorized.gasRefund)
    if (settle === undefined) {
      evm.journal.cleanJournal()
      return result
    }
    writer.reset(settle(writer.current, result))
    return andThen(evm.journal.cleanup(), () => result)
  })
}

/** The outcome of a message, and the reason of an exceptional halt in geth's words. @internal */
export function messageOutcome({
  exceptionError,
}: EVMResult['execResult']): Pick<MessageResult, 'outcome' | 'failure'> {
  if (exceptionError === undefined) return { outcome: 'success', failure: undefined }
  const reason = haltReason(exceptionError)
  const isRevert = reason === 'execution reverted'
  return isRevert ? { outcome: 'revert', failure: undefined } : { outcome: 'failure', failure: reason }
}

/** The result of a message that has ended, but for its logs. @internal */
export function endOfMessage(
  { rules, console, meter }: Pick<EvmInstance, 'rules' | 'console' | 'meter'>,
  { input }: Pick<MessageFields, 'input'>,
  { execResult, createdAddress }: EVMResult,
  intrinsic: bigint,
  authorizationRefund: bigint,
): Omit<MessageResult, 'logs'> {
  const { returnValue, executionGasUsed } = execResult
  const gasRefund = (execResult.gasRefund ?? 0n) + authorizationRefund
  const { outcome, failure } = messageOutcome(execResult)
  const { gasUsed, peakGas } = applyRefund(rules, input, intrinsic + executionGasUsed, gasRefund)
  if (meter !== undefined) meter.gas += peakGas
  return {
    outcome,
    returnData: returnValue,
    gasUsed,
    peakGas,
    gasRefund,
    failure,
    contractAddress: createdAddress === undefined ? undefined : bytesToHex(createdAddress.bytes),
    destroyed: destroyedAccounts(rules, execResult.selfdestruct, execResult.createdAddresses),
    consoleCalls: console.take(),
  }
}

/** The result of a message that has ended. @internal */
export function resultOfMessage(...message: Parameters<typeof endOfMessage>): MessageResult {
  return { ...endOfMessage(...message), logs: toLogs(message[2].execResult.logs ?? []) }
}
