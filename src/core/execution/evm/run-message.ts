// Execution of a message with all steps of a transaction but its payment: warm addresses, authorizations, intrinsic gas
// and refund. Transactions, calls, estimates and access lists share it, and not runTx:
// docs/decisions/0013-transactions-run-without-runtx.md. EIP-7702 authorization lists, for transactions, calls and
// estimates.

import type { EVMResult } from '@ethereumjs/evm'
import { toEvmAddress } from '../../interpreter/evm-address.ts'
import { addressOfPublicKey, keccak256, recoverPublicKey } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/loading.ts'
import { HALF_CURVE_ORDER, MAX_UINT64 } from '../../primitives/numbers.ts'
import { encodeItems } from '../../primitives/rlp.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { EMPTY_CODE, makeCode, readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import { haltReason } from '../result/revert-reason.ts'
import { floorGas, intrinsicGas } from '../transaction/intrinsic-gas.ts'
import { type AccessListEntry, type Authorization, type Log, toLogs } from '../transaction/transaction.ts'
import { isExternallyOwned } from '../transaction/validity.ts'
import { type ConsoleCall, type EvmInstance, toEvmBlock } from './pooled-evm.ts'

const MAGIC = 0x05
/** The prefix of the code of a delegated account; the address of the contract follows. */
const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00)

interface AppliedAuthorizations {
  readonly state: WorldState
  readonly authorities: readonly hex.Address[]
  readonly gasRefund: bigint
}

/** The account that signed an authorization; `undefined` if the signature is invalid. */
export function recoverAuthority(authorization: Authorization): hex.Address | undefined {
  const { chainId, address, nonce, yParity, r, s } = authorization
  if (s > HALF_CURVE_ORDER || yParity > 1n) return undefined
  const digest = keccak256(encodeItems([chainId, address, nonce], MAGIC))
  const key = recoverPublicKey(digest, r, s, Number(yParity))
  return key === undefined ? undefined : addressOfPublicKey(key)
}

/** Applies valid authorizations and skips the others, as EIP-7702 specifies. */
export function applyAuthorizations(
  rules: Rules,
  state: WorldState,
  list: readonly Authorization[],
): AppliedAuthorizations {
  if (list.length === 0 || !isForkActive(rules, 'prague')) return { state, authorities: [], gasRefund: 0n }
  const refundPerAccount = rules.gas.perEmptyAccountCost - rules.gas.perAuthBaseGas
  const authorities: hex.Address[] = []
  let written = state
  let gasRefund = 0n
  for (const authorization of list) {
    const { chainId, nonce } = authorization
    if ((chainId !== 0n && chainId !== BigInt(rules.chainId)) || nonce >= MAX_UINT64) continue
    const authority = recoverAuthority(authorization)
    if (authority === undefined) continue
    authorities.push(authority)
    const account = readAccount(written, authority)
    if (!isExternallyOwned(account) || account.nonce !== nonce) continue
    if (written.has(authority)) gasRefund += refundPerAccount
    const code =
      authorization.address === hex.ZERO_ADDRESS
        ? EMPTY_CODE
        : makeCode(hex.concatBytes(DELEGATION_PREFIX, hex.hexToBytes(authorization.address)))
    written = updateAccount(written, authority, { nonce: nonce + 1n, code })
  }
  return { state: written, authorities, gasRefund }
}

/** The fields of a message that the EVM uses, with defaults filled in. */
export interface MessageFields {
  readonly from: hex.Address
  readonly to: hex.Address | undefined
  readonly value: bigint
  readonly input: Uint8Array
  readonly gasLimit: bigint
  /** The result of GASPRICE; zero if the sender names no fee. */
  readonly gasPrice: bigint
  readonly accessList: readonly AccessListEntry[]
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly hex.Hash[]
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
  readonly contractAddress: hex.Address | undefined
  /** Contracts to delete at the end of the transaction. */
  readonly destroyed: readonly hex.Address[]
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
  from: hex.Address,
  to: hex.Address | undefined,
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

const NONE: readonly hex.Address[] = []

/** Since cancun SELFDESTRUCT deletes only contracts of the same transaction (EIP-6780). @internal */
export function destroyedAccounts(
  rules: Rules,
  selfdestruct: ReadonlyMap<string, string> | undefined,
  created: ReadonlySet<string> | undefined,
): readonly hex.Address[] {
  if (selfdestruct === undefined || selfdestruct.size === 0) return NONE
  const marked = [...selfdestruct.keys()] as hex.Address[]
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
    contractAddress: createdAddress === undefined ? undefined : hex.bytesToHex(createdAddress.bytes),
    destroyed: destroyedAccounts(rules, execResult.selfdestruct, execResult.createdAddresses),
    consoleCalls: console.take(),
  }
}

/** The result of a message that has ended. @internal */
export function resultOfMessage(...message: Parameters<typeof endOfMessage>): MessageResult {
  return { ...endOfMessage(...message), logs: toLogs(message[2].execResult.logs ?? []) }
}
