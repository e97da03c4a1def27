// SELFDESTRUCT (EIP-161, EIP-2929, EIP-3529, EIP-6780).

import { EVMError } from '@ethereumjs/evm'
import { isDead } from '../state/account.ts'
import { credit, updateAccount } from '../state/world-state.ts'
import { readAddress } from './core.ts'
import { type Frame, gasOf, operandAt, refundOf, setGas, setRefund } from './frame.ts'
import { accountAt, type Host } from './host.ts'
import { tellSelfDestruct } from './observation.ts'

/** Transfers the balance and marks the contract; the caller ends the frame. */
export function selfDestruct(host: Host, frame: Frame): void {
  const { core, costs, journal, writer } = host
  const { address } = frame
  const beneficiary = readAddress(core, operandAt(core, frame, 0))
  host.gasWatch.readsBalance = true
  if (host.covering !== undefined) host.covering.reads.isPartial = true
  const { balance } = accountAt(host, address)
  let cost = costs.selfDestruct
  if (costs.hasAccessLists && !journal.isWarm(beneficiary)) {
    cost += costs.coldAccount
    journal.warmUp(beneficiary)
  }
  if (balance > 0n && isDead(accountAt(host, beneficiary))) cost += costs.newAccount
  const left = gasOf(core, frame) - cost
  if (host.observation !== undefined) host.observation.failedCost = cost
  if (left < 0) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  setGas(core, frame, left)
  if (host.observation !== undefined) {
    host.stepper?.endAt(left)
    tellSelfDestruct(host.observation, frame.message.depth, address, beneficiary, balance)
  }

  frame.selfdestruct ??= new Map()
  if (!frame.selfdestruct.has(address)) {
    setRefund(core, frame, refundOf(core, frame) + costs.selfDestructRefund)
  }
  frame.selfdestruct.set(address, beneficiary)
  if (beneficiary !== address) {
    journal.touch(beneficiary)
    writer.current = credit(writer.current, beneficiary, balance)
  }
  // EIP-6780: a contract of an earlier transaction is not destroyed, so it keeps what it sends to itself.
  const isEmptied =
    !costs.tracksCreations || beneficiary !== address || frame.createdAddresses?.has(address) === true
  if (isEmptied) writer.current = updateAccount(writer.current, address, { balance: 0n })
}
