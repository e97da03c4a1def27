// Runs a message on an EVM instance with what a transaction has around it, but for its payment: warm addresses,
// authorizations, intrinsic gas, the refund. Transactions, calls, estimates and access lists share it;
// docs/decisions/0004-calls-run-without-runtx.md and 0013 say why they do not go through runTx.

import type { Hash } from '../../primitives/hex.ts'
import { type Address, bytesToHex } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { WorldState } from '../../state/world-state.ts'
import { failureWords } from '../result/halt-reason.ts'
import { floorGas, intrinsicGas } from '../transaction/intrinsic-gas.ts'
import { type Log, toLogs } from '../transaction/receipt.ts'
import type { AccessListEntry, Authorization } from '../transaction/transaction.ts'
import { applyAuthorizations } from './authorizations.ts'
import type { ConsoleCall } from './console-calls.ts'
import type { BlockEnvironment } from './environment.ts'
import { toEvmAddress } from './evm-address.ts'
import { toEvmBlock } from './evm-block.ts'
import type { EvmInstance } from './pooled-evm.ts'

/** The fields of a message that matter to the EVM, resolved. */
export interface Message {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasLimit: bigint
  /** What GASPRICE answers; zero where the sender names no fee. */
  readonly gasPrice: bigint
  readonly accessList: readonly AccessListEntry[]
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
}

export interface MessageResult {
  readonly outcome: 'success' | 'revert' | 'failure'
  readonly returnData: Uint8Array
  /** As a transaction is charged: intrinsic gas included, refund subtracted, not below the floor. */
  readonly gasUsed: bigint
  /** The same before the refund. */
  readonly peakGas: bigint
  readonly gasRefund: bigint
  /** geth's words where it failed otherwise than by reverting. */
  readonly failure: string | undefined
  readonly logs: readonly Log[]
  /** The contract that it created, if it asked for one. */
  readonly contractAddress: Address | undefined
  /** Accounts that are gone at the end of a transaction. */
  readonly destroyed: readonly Address[]
  readonly consoleCalls: readonly ConsoleCall[]
}

/** What a message pays when it has run, before the accounts that it left empty go. */
export type Settlement = (state: WorldState, result: MessageResult) => WorldState

/** Why a message has not the gas to begin, and how much it takes; `undefined` where it has. */
export function gasShortfall(
  rules: Rules,
  message: Pick<Message, 'to' | 'input' | 'accessList' | 'authorizationList' | 'gasLimit'>,
): { readonly kind: 'intrinsicGasTooLow' | 'floorGasTooLow'; readonly least: bigint } | undefined {
  const intrinsic = intrinsicGas(rules, message)
  if (message.gasLimit < intrinsic) return { kind: 'intrinsicGasTooLow', least: intrinsic }
  const floor = floorGas(rules, message.input)
  return message.gasLimit < floor ? { kind: 'floorGasTooLow', least: floor } : undefined
}

/** EIP-2929, 2930 and 3651: what a transaction finds warm. A precompile that was moved is not warm there, as in geth. */
function warmAddresses(instance: EvmInstance, environment: BlockEnvironment, message: Message): void {
  const { evm, rules } = instance
  if (!isForkActive(rules, 'berlin')) return
  const { journal } = evm
  instance.warmPrecompiles()
  journal.addAlwaysWarmAddress(message.from)
  if (message.to !== undefined) journal.addAlwaysWarmAddress(message.to)
  if (isForkActive(rules, 'shanghai')) journal.addAlwaysWarmAddress(environment.coinbase)
  for (const { address, storageKeys } of message.accessList) {
    journal.addAlwaysWarmAddress(address)
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key)
  }
}

interface Charge {
  readonly gasUsed: bigint
  readonly peakGas: bigint
}

/** The refund is capped (EIP-3529), and calldata has a floor (EIP-7623). */
export function chargeGas(rules: Rules, input: Uint8Array, spent: bigint, refund: bigint): Charge {
  const mostRefund = spent / rules.gas.maxRefundQuotient
  const charged = spent - (refund < mostRefund ? refund : mostRefund)
  const floor = floorGas(rules, input)
  return { gasUsed: charged < floor ? floor : charged, peakGas: spent < floor ? floor : spent }
}

/** Since cancun only a contract that was created in the same transaction is destroyed (EIP-6780). */
function destroyedAccounts(
  rules: Rules,
  selfdestruct: ReadonlyMap<string, string> | undefined,
  created: ReadonlySet<string> | undefined,
): Address[] {
  const marked = [...(selfdestruct?.keys() ?? [])] as Address[]
  return isForkActive(rules, 'cancun') ? marked.filter((address) => created?.has(address)) : marked
}

/**
 * Runs a message that has the gas to begin, on the writer's state, where the sender's nonce counts it already. With a
 * settlement the writer then holds the state after it, without accounts that are left empty (EIP-161); without one the
 * state is nobody's.
 */
export async function runMessage(
  instance: EvmInstance,
  environment: BlockEnvironment,
  message: Message,
  settle?: Settlement,
): Promise<MessageResult> {
  const { evm, rules, writer } = instance
  const authorized = applyAuthorizations(rules, writer.current, message.authorizationList)
  writer.reset(authorized.state)
  warmAddresses(instance, environment, message)
  for (const authority of authorized.authorities) evm.journal.addAlwaysWarmAddress(authority)
  const intrinsic = intrinsicGas(rules, message)
  const { execResult, createdAddress } = await evm.runCall({
    block: toEvmBlock(environment),
    caller: toEvmAddress(message.from),
    ...(message.to === undefined ? {} : { to: toEvmAddress(message.to) }),
    value: message.value,
    data: message.input,
    gasLimit: message.gasLimit - intrinsic,
    gasPrice: message.gasPrice,
    blobVersionedHashes: [...message.blobVersionedHashes],
    skipNonceIncrement: true,
  })
  const { exceptionError, returnValue, executionGasUsed } = execResult
  const gasRefund = (execResult.gasRefund ?? 0n) + authorized.gasRefund
  const words = exceptionError === undefined ? undefined : failureWords(exceptionError)
  const isRevert = words === 'execution reverted'
  const result: MessageResult = {
    outcome: words === undefined ? 'success' : isRevert ? 'revert' : 'failure',
    returnData: returnValue,
    ...chargeGas(rules, message.input, intrinsic + executionGasUsed, gasRefund),
    gasRefund,
    failure: isRevert ? undefined : words,
    logs: toLogs(execResult.logs ?? []),
    contractAddress: createdAddress === undefined ? undefined : bytesToHex(createdAddress.bytes),
    destroyed: destroyedAccounts(rules, execResult.selfdestruct, execResult.createdAddresses),
    consoleCalls: instance.console.take(),
  }
  if (settle === undefined) evm.journal.cleanJournal()
  else {
    writer.reset(settle(writer.current, result))
    await evm.journal.cleanup()
  }
  return result
}
