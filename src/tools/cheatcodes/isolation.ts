// Calls of a test as transactions of their own: with their gas, and accounts and slots that are cold again.

import type { CodeResult, EvmMessage, EvmResult } from '../../core/execution/evm/covered-evm.ts'
import { CHEATCODES } from '../../core/execution/evm/pooled-evm.ts'
import { destroyedAccounts } from '../../core/execution/evm/run-message.ts'
import { floorGas, gasShortfall, intrinsicGas } from '../../core/execution/transaction/intrinsic-gas.ts'
import { type Address, bytesToHex, EMPTY_BYTES, type Hash } from '../../core/primitives/hex.ts'
import type { WorldState } from '../../core/state/world-state.ts'
import { MOCKED } from './addresses.ts'
import type { CheatRun, CheatState } from './cheat-state.ts'
import { changeNonce, prankAt } from './pranks.ts'

const NONE: readonly never[] = []
/** The depth of the calls of a test. */
const DEPTH = 1

/** True for a call of a test that is a transaction, if the test is isolated. */
export function isTransactionCall({ depth, delegatecall, isStatic }: EvmMessage): boolean {
  return depth === DEPTH && !delegatecall && !isStatic
}

/** The gas of an isolated call begins with that of a transaction; a refund is paid at its end. */
export class Isolation {
  private readonly run: CheatRun
  private intrinsic: bigint | undefined
  /** The least gas of the call, by its data: a creation that runs has none any more. */
  private floor = 0n
  /** Gas of the call that its frame does not get: as in forge, that of its data. */
  private withheld = 0n
  private restore: (() => void) | undefined
  /** Values that storage of the test itself is compared with for gas: a transaction does not change them. */
  private origin: WorldState | undefined
  /** Accounts and slots that static calls have left cold. As in forge, no isolated call makes the accounts warm again, only the test itself. */
  readonly cooled = new Map<Address, ReadonlySet<Hash>>()

  /** The access list of a test that is not isolated, once it has made a call under it. */
  private listed: CheatState['accessList'] = NONE

  constructor(run: CheatRun) {
    this.run = run
  }

  enter(message: EvmMessage): void {
    const { caller, to, depth, data: input } = message
    if (to?.hex === CHEATCODES) return
    if (!this.run.cheats.setting.isIsolated) {
      this.listed = this.run.cheats.accessList
      return
    }
    const isSalted = to === undefined && message.salt !== undefined
    if (depth !== DEPTH || message.delegatecall || isSalted || message.ownCodeAddress?.hex === MOCKED) return
    const { covered, environment } = this.run
    const { accessList, pranks } = this.run.cheats
    const { coinbase } = environment
    const { evm } = covered
    const { writer, rules } = covered.instance
    if (message.isStatic) {
      // It is no transaction, but begins as one does: everything is cold, and no slot is dirty. So ends the account, which
      // only its own slots make warm.
      writer.beginTransaction()
      this.coolAll()
      evm.access.isolate([[coinbase, NONE]])
      this.restore = () => {
        this.coolAll()
        evm.access.forget(to?.hex as Address)
      }
      return
    }
    const from = bytesToHex(caller.bytes)
    const listed = accessList.map(([address, storageKeys]) => ({ address, storageKeys }))
    const fields = { to: to?.hex, input, accessList: listed, authorizationList: NONE }
    const given = { ...fields, gasLimit: message.gasLimit + rules.gas.txGas }
    if (to !== undefined && gasShortfall(rules, given) !== undefined) {
      this.run.mocking.refuse(message, EMPTY_BYTES)
      return
    }
    this.intrinsic = intrinsicGas(rules, fields)
    this.floor = floorGas(rules, input)
    const least = this.intrinsic - rules.gas.txGas
    this.withheld = least < message.gasLimit ? least : message.gasLimit
    message.gasLimit -= this.withheld
    const prank = prankAt(pranks, depth)
    // A creation has raised the nonce, and so has a broadcast.
    if (to !== undefined && !(prank?.isBroadcast && prank.depth === depth)) changeNonce(writer, from, 1n)
    this.origin = writer.transactionStart
    writer.beginTransaction()
    evm.transient.clear()
    if (to !== undefined) this.forgetMarks(message)
    const parties = [from, coinbase, ...(to === undefined ? [] : [to.hex])].map(
      (address) => [address, NONE] as const,
    )
    const restore = evm.access.isolate([...parties, ...accessList])
    this.restore = () => {
      restore((address, wasWarm) => !wasWarm && this.cooled.has(address))
      // The block stays as the call leaves it, but for its fee.
      this.run.moveTo({ ...this.run.environment, baseFeePerGas: environment.baseFeePerGas })
      this.run.setTransaction()
    }
    this.run.moveTo({ ...environment, baseFeePerGas: 0n })
    evm.changeEnvironment({ gasPrice: 0n })
  }

  /** A call destroys what it has created itself, and at its end. */
  private forgetMarks(of: { selfdestruct?: unknown; createdAddresses?: unknown }): void {
    of.selfdestruct = undefined
    of.createdAddresses = undefined
  }

  /** As in forge, the gas of the list counts as the transaction's, though it has not paid it. */
  private deductList(execResult: EvmResult['execResult']): void {
    const { accessListAddressGas, accessListStorageKeyGas } = this.run.covered.instance.rules.gas
    for (const [, slots] of this.listed)
      execResult.executionGasUsed -= accessListAddressGas + accessListStorageKeyGas * BigInt(slots.length)
  }

  private coolAll(): void {
    for (const [address, slots] of this.run.covered.evm.access.warmAccounts)
      this.cooled.set(address, new Set([...(this.cooled.get(address) ?? []), ...slots]))
  }

  exit(message: EvmMessage, { execResult }: EvmResult): void {
    const { depth, gasRefund } = message
    if (depth === 0 && this.listed.length > 0) this.deductList(execResult)
    if (depth !== DEPTH) return
    const { intrinsic } = this
    const isHalt = execResult.executionGasUsed >= message.gasLimit
    message.gasLimit += this.withheld
    const { gasLimit } = message
    this.withheld = 0n
    this.restore?.()
    this.restore = undefined
    this.intrinsic = undefined
    if (intrinsic === undefined) return
    const { writer, rules } = this.run.covered.instance
    if (this.origin !== undefined) writer.transactionStart = this.origin
    this.run.covered.evm.transient.clear()
    const hasFailed = execResult.exceptionError !== undefined
    if (message.to !== undefined) {
      for (const address of destroyedAccounts(rules, execResult.selfdestruct, execResult.createdAddresses))
        writer.current = writer.current.delete(address)
      this.forgetMarks(execResult)
    }
    // No transaction, whose gas is not charged either.
    if (execResult.exceptionError?.error === 'insufficient balance') return
    const total = intrinsic + execResult.executionGasUsed
    const earned = hasFailed ? 0n : (execResult.gasRefund ?? 0n) - gasRefund
    const most = total / rules.gas.maxRefundQuotient
    const capped = earned < most ? earned : most
    // A transaction that pays the least gas has no refund (EIP-7623).
    const isLeast = total - capped < this.floor
    const refund = isLeast ? 0n : capped
    const charged = isLeast ? this.floor : total - refund
    // As in forge: what the call cannot pay is not charged, and the test gets the refund as well.
    // What it cannot pay, it has left if it was expected to fail.
    if (hasFailed && isHalt) (execResult as CodeResult).gasLeft = gasLimit
    execResult.executionGasUsed = charged <= gasLimit ? charged : hasFailed && isHalt ? gasLimit : 0n
    execResult.gasRefund = gasRefund + refund
  }
}
