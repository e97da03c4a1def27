// Calls of a test as transactions of their own: with their gas, and accounts and slots that are cold again.

import type { CoveredEvm, EvmMessage, EvmResult } from '../../core/execution/evm/covered-evm.ts'
import { floorGas, intrinsicGas } from '../../core/execution/transaction/intrinsic-gas.ts'
import { type Address, bytesToHex } from '../../core/primitives/hex.ts'
import { readAccount, updateAccount } from '../../core/state/world-state.ts'
import type { CheatState } from './cheat-state.ts'

const NONE: readonly never[] = []
/** The depth of the calls of a test. */
const DEPTH = 1

/** The gas of an isolated call begins with that of a transaction; a refund is paid at its end. */
export class Isolation {
  private readonly covered: CoveredEvm
  private intrinsic: bigint | undefined
  private restore: (() => void) | undefined

  constructor(covered: CoveredEvm) {
    this.covered = covered
  }

  enter(message: EvmMessage, { accessList }: CheatState, coinbase: Address): void {
    const { caller, to, depth, data: input } = message
    const isSalted = to === undefined && message.salt !== undefined
    if (depth !== DEPTH || message.delegatecall || isSalted || message.ownCodeAddress !== undefined) return
    const { instance, evm } = this.covered
    if (message.isStatic) {
      // It is no transaction, but begins with everything cold. So ends the account, which only its own slots make warm.
      evm.access.isolate([[coinbase, NONE]])
      this.restore = () => evm.access.forget(to?.hex as Address)
      return
    }
    const { writer, rules } = instance
    const from = bytesToHex(caller.bytes)
    const listed = accessList.map(([address, storageKeys]) => ({ address, storageKeys }))
    this.intrinsic = intrinsicGas(rules, { to: to?.hex, input, accessList: listed, authorizationList: NONE })
    if (to !== undefined) {
      const { nonce } = readAccount(writer.current, from)
      writer.current = updateAccount(writer.current, from, { nonce: nonce + 1n })
    }
    writer.beginTransaction()
    evm.transient.clear()
    const parties = [from, coinbase, ...(to === undefined ? [] : [to.hex])].map(
      (address) => [address, NONE] as const,
    )
    this.restore = evm.access.isolate([...parties, ...accessList])
  }

  exit({ depth, data, gasRefund, gasLimit }: EvmMessage, { execResult }: EvmResult): void {
    if (depth !== DEPTH) return
    const { intrinsic } = this
    this.restore?.()
    this.restore = undefined
    this.intrinsic = undefined
    if (intrinsic === undefined) return
    const { writer, rules } = this.covered.instance
    writer.beginTransaction()
    this.covered.evm.transient.clear()
    const hasFailed = execResult.exceptionError !== undefined
    // No transaction, whose gas is not charged either.
    if (execResult.exceptionError?.error === 'insufficient balance') return
    const isHalt = hasFailed && execResult.executionGasUsed >= gasLimit
    const total = intrinsic + execResult.executionGasUsed
    const earned = hasFailed ? 0n : (execResult.gasRefund ?? 0n) - gasRefund
    const most = total / rules.gas.maxRefundQuotient
    const refund = earned < most ? earned : most
    const floor = floorGas(rules, data)
    const charged = total - refund < floor ? floor : total - refund
    // As in forge: what the call cannot pay is not charged, and the test gets the refund as well.
    execResult.executionGasUsed = charged <= gasLimit ? charged : isHalt ? gasLimit : 0n
    execResult.gasRefund = gasRefund + refund
  }
}
