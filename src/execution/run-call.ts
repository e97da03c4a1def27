// Runs a message that is not a transaction: eth_call and the probes of eth_estimateGas. Nothing is kept.

import { Address as EvmAddress } from '@ethereumjs/util'
import { failure, revertFailure } from '../primitives/errors.ts'
import { type Address, bytesToHex, hexToBytes } from '../primitives/hex.ts'
import { isForkActive, type Rules } from '../rollup/forks.ts'
import { readAccount, updateAccount, type WorldState } from '../state/world-state.ts'
import { applyAuthorizations } from './authorizations.ts'
import { type BlockEnvironment, toEvmBlock } from './environment.ts'
import { failureWords } from './failure-words.ts'
import { floorGas, intrinsicGas } from './intrinsic-gas.ts'
import { type ExecutionContext, type Machine, useMachine } from './machine.ts'
import { revertReason } from './revert-reason.ts'
import type { AccessListEntry, Authorization } from './transaction.ts'

/** The fields of a call that matter to the EVM, resolved. */
export interface CallMessage {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasLimit: bigint
  /** What GASPRICE answers; zero where the caller names no fee. */
  readonly gasPrice: bigint
  readonly accessList: readonly AccessListEntry[]
  readonly authorizationList: readonly Authorization[]
}

export interface CallResult {
  readonly outcome: 'success' | 'revert' | 'failure'
  readonly returnData: Uint8Array
  /** As a transaction would be charged: intrinsic gas included, refund subtracted, not below the floor. */
  readonly gasUsed: bigint
  readonly gasRefund: bigint
  /** geth's words where it failed otherwise than by reverting. */
  readonly failure: string | undefined
}

/** EIP-2929, 2930 and 3651: what a transaction finds warm. */
function warmAddresses({ evm, rules }: Machine, environment: BlockEnvironment, call: CallMessage): void {
  if (!isForkActive(rules, 'berlin')) return
  const { journal } = evm
  for (const precompile of evm.precompiles.keys()) journal.addAlwaysWarmAddress(precompile)
  journal.addAlwaysWarmAddress(call.from)
  if (call.to !== undefined) journal.addAlwaysWarmAddress(call.to)
  if (isForkActive(rules, 'shanghai')) journal.addAlwaysWarmAddress(environment.coinbase)
  for (const { address, storageKeys } of call.accessList) {
    journal.addAlwaysWarmAddress(address)
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key)
  }
}

function chargedGas(rules: Rules, call: CallMessage, spent: bigint, refund: bigint): bigint {
  const mostRefund = spent / rules.common.param('maxRefundQuotient')
  const charged = spent - (refund < mostRefund ? refund : mostRefund)
  const floor = floorGas(rules, call.input)
  return charged < floor ? floor : charged
}

/** A sender that names a fee must be able to pay it; the value must be covered in any case. */
function checkFunds(state: WorldState, call: CallMessage): void {
  const { balance } = readAccount(state, call.from)
  const cost = call.value + call.gasLimit * call.gasPrice
  if (balance < cost) throw failure('insufficientFunds', { balance, cost })
}

/** As in a transaction, the sender has bought its gas and counted the message before anything else happens. */
function beginMessage(state: WorldState, { from, gasLimit, gasPrice }: CallMessage): WorldState {
  const { nonce, balance } = readAccount(state, from)
  return updateAccount(state, from, { nonce: nonce + 1n, balance: balance - gasLimit * gasPrice })
}

/** Executes a call on a state; throws only for what keeps it from starting. */
export async function runCall(
  context: ExecutionContext,
  state: WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
): Promise<CallResult> {
  const { rules } = context.machines
  const intrinsic = intrinsicGas(rules, call)
  if (call.gasLimit < intrinsic) throw failure('intrinsicGasTooLow', { gas: call.gasLimit, least: intrinsic })
  const floor = floorGas(rules, call.input)
  if (call.gasLimit < floor) throw failure('floorGasTooLow', { gas: call.gasLimit, least: floor })
  checkFunds(state, call)
  const authorized = applyAuthorizations(rules, beginMessage(state, call), call.authorizationList)
  return useMachine(context, authorized.state, async (machine) => {
    warmAddresses(machine, environment, call)
    for (const authority of authorized.authorities) machine.evm.journal.addAlwaysWarmAddress(authority)
    const { execResult } = await machine.evm.runCall({
      block: toEvmBlock(environment),
      caller: new EvmAddress(hexToBytes(call.from)),
      ...(call.to === undefined ? {} : { to: new EvmAddress(hexToBytes(call.to)) }),
      value: call.value,
      data: call.input,
      gasLimit: call.gasLimit - intrinsic,
      gasPrice: call.gasPrice,
      skipNonceIncrement: true,
    })
    machine.evm.journal.cleanJournal()
    const { exceptionError, returnValue, executionGasUsed } = execResult
    const gasRefund = (execResult.gasRefund ?? 0n) + authorized.gasRefund
    const isRevert = exceptionError !== undefined && failureWords(exceptionError) === 'execution reverted'
    return {
      outcome: exceptionError === undefined ? 'success' : isRevert ? 'revert' : 'failure',
      returnData: returnValue,
      gasUsed: chargedGas(rules, call, intrinsic + executionGasUsed, gasRefund),
      gasRefund,
      failure: exceptionError === undefined || isRevert ? undefined : failureWords(exceptionError),
    }
  })
}

/** The return bytes of a call that succeeded; throws the error that geth answers for one that did not. */
export function returnDataOrThrow(result: CallResult): Uint8Array {
  if (result.outcome === 'revert') {
    throw revertFailure(revertReason(result.returnData), bytesToHex(result.returnData))
  }
  if (result.outcome === 'failure') throw failure('executionFailed', { reason: result.failure ?? 'unknown' })
  return result.returnData
}
