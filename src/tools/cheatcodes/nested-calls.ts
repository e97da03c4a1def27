// Messages that cheatcodes send themselves, while the one to the cheatcode runs.

import { type EvmResult, toEvmAddress } from '../../core/execution/evm/covered-evm.ts'
import { applyAuthorizations, cappedRefund } from '../../core/execution/evm/run-message.ts'
import { floorGas, intrinsicGas } from '../../core/execution/transaction/intrinsic-gas.ts'
import type { Transaction } from '../../core/execution/transaction/transaction.ts'
import type { Address } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { credit, readAccount, updateAccount } from '../../core/state/world-state.ts'
import { ACCESSOR, accessNative } from './addresses.ts'
import type { CheatExecution } from './execution.ts'
import { changeNonce } from './pranks.ts'

/** For the code of `ACCESSOR`. */
const ENOUGH_GAS = 100_000n

/** Storage is in the module while code runs, so that code reads and writes it: see `ACCESSOR`. */
export function accessSlot<Result>(
  run: CheatExecution,
  address: Address,
  data: Uint8Array,
  use: (returned: Uint8Array) => Result,
): Later<Result> {
  const { evm, covered, message: outer } = run
  const to = toEvmAddress(address)
  if (evm.isNative?.(to.bare) === true) return use(accessNative(run.writer, address, data))
  const message = covered.makeMessage({
    caller: to,
    to,
    codeAddress: toEvmAddress(ACCESSOR),
    delegatecall: true,
    value: 0n,
    gasLimit: ENOUGH_GAS,
    data,
    depth: outer.depth + 1,
  })
  // A slot that has its value of the start again may take gas back that was refunded elsewhere.
  message.gasRefund = ENOUGH_GAS
  run.fetchAccesses()
  run.isInternal = true
  return andThen(evm.runMessage(message), ({ execResult }) => {
    run.isInternal = false
    evm.access.slots.watchAccesses(run.cheats.recordsAccesses)
    return use(execResult.returnValue)
  })
}

/** A call, or a creation with code as the data. */
type SentMessage = [
  from: Address,
  to: Address | undefined,
  value: bigint,
  data: Uint8Array,
  salt?: Uint8Array,
]

export function sendMessage(
  run: CheatExecution,
  ...[from, to, value, data, salt]: SentMessage
): Later<EvmResult> {
  const { evm, covered, writer, message } = run
  const { gasLimit, depth, gasRefund } = message
  if (to === undefined) changeNonce(writer, from, 1n)
  const parties = { caller: toEvmAddress(from), to: to === undefined ? undefined : toEvmAddress(to) }
  const sent = covered.makeMessage({ value, data, salt, gasLimit, depth: depth + 1, ...parties })
  // It may have to give back what was refunded before it.
  sent.gasRefund = gasRefund
  return evm.runMessage(sent)
}

type Executed = Pick<
  Transaction,
  | 'sender'
  | 'to'
  | 'value'
  | 'input'
  | 'gasLimit'
  | 'accessList'
  | 'authorizationList'
  | 'blobVersionedHashes'
>

/** Executes a transaction with everything cold, and charges its gas at a price. */
export function runAsTransaction(
  run: CheatExecution,
  transaction: Executed,
  price: bigint,
  atEnd = (_parties: readonly Address[]): void => {},
): Later<EvmResult> {
  const { evm, covered, writer, message: outer, environment } = run
  const { rules } = covered.instance
  const { sender, to, value, input, gasLimit, accessList, authorizationList } = transaction
  run.watching.need('accesses')
  const { balance, nonce } = readAccount(writer.current, sender)
  const bought = updateAccount(writer.current, sender, {
    balance: balance - price * gasLimit,
    nonce: BigInt.asUintN(64, nonce + 1n),
  })
  const authorized = applyAuthorizations(rules, bought, authorizationList)
  writer.current = authorized.state
  writer.beginTransaction()
  evm.transient.clear()
  const parties = [sender, environment.coinbase, ...authorized.authorities, ...(to === undefined ? [] : [to])]
  const restore = evm.access.isolate([
    ...parties.map((address) => [address, []] as const),
    ...accessList.map(({ address, storageKeys }) => [address, storageKeys] as const),
  ])
  const intrinsic = intrinsicGas(rules, transaction)
  const caller = toEvmAddress(sender)
  const message = covered.makeMessage({
    caller,
    to: to === undefined ? undefined : toEvmAddress(to),
    value,
    data: input,
    gasLimit: gasLimit - intrinsic,
    depth: outer.depth + 1,
    blobVersionedHashes: transaction.blobVersionedHashes,
  })
  const before = (evm.environment as NonNullable<typeof evm.environment>).transaction
  evm.changeEnvironment({ origin: caller, gasPrice: price })
  return andThen(evm.runMessage(message), (result) => {
    evm.changeEnvironment(before)
    // As in forge, what a transaction that pays has loaded is cold after it.
    restore(() => price !== 0n)
    const { executionGasUsed, gasRefund = 0n } = result.execResult
    const spent = intrinsic + executionGasUsed
    const used = spent - cappedRefund(rules, spent, gasRefund + authorized.gasRefund)
    const floor = floorGas(rules, input)
    const charged = used < floor ? floor : used
    const tip = price === 0n ? 0n : price - environment.baseFeePerGas
    const refunded = credit(writer.current, sender, (gasLimit - charged) * price)
    writer.current = tip === 0n ? refunded : credit(refunded, environment.coinbase, charged * tip)
    writer.beginTransaction()
    atEnd(parties)
    return result
  })
}
