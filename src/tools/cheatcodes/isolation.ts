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
    const { caller, to, depth, data: input, delegatecall, isStatic } = message
    const isCall = to !== undefined && !delegatecall && !isStatic && message.ownCodeAddress === undefined
    if (depth !== DEPTH || !(isCall || to === undefined)) return
    const { instance, evm } = this.covered
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

  exit({ depth, data, gasRefund }: EvmMessage, { execResult }: EvmResult): void {
    const { intrinsic } = this
    if (depth !== DEPTH || intrinsic === undefined) return
    this.intrinsic = undefined
    this.restore?.()
    const { writer, rules } = this.covered.instance
    writer.beginTransaction()
    const total = intrinsic + execResult.executionGasUsed
    const refund = (execResult.gasRefund ?? 0n) - gasRefund
    const most = total / rules.gas.maxRefundQuotient
    const charged = total - (refund < most ? refund : most)
    const floor = floorGas(rules, data)
    execResult.executionGasUsed = charged < floor ? floor : charged
    execResult.gasRefund = gasRefund
  }
}
