// SELFDESTRUCT (EIP-161, EIP-2929, EIP-3529, EIP-6780).

import { EVMError } from '@ethereumjs/evm'
import { credit, updateAccount } from '../state/world-state.ts'
import { readAddress } from './core.ts'
import { type Frame, gasOf, operandAt, setGas } from './frame.ts'
import { accountAt, type Host, isDead } from './host.ts'

/** Gives the balance away and ends the frame. */
export function destroy(host: Host, frame: Frame): void {
  const { core, costs, journal, writer } = host
  const { address } = frame
  const heir = readAddress(core, operandAt(core, frame, 0))
  host.gasWatch.isBalanceSeen = true
  const { balance } = accountAt(host, address)
  let cost = costs.selfDestruct
  if (costs.hasAccessLists && !journal.isWarm(heir)) {
    cost += costs.coldAccount
    journal.warmUp(heir)
  }
  if (balance > 0n && isDead(accountAt(host, heir))) cost += costs.newAccount
  const left = gasOf(core, frame) - cost
  if (left < 0) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  setGas(core, frame, left)

  if (!frame.selfdestruct.has(address)) frame.gasRefund += costs.selfDestructRefund
  frame.selfdestruct.set(address, heir)
  if (heir !== address) {
    journal.touch(heir)
    writer.current = credit(writer.current, heir, balance)
  }
  // Since cancun only what the same transaction created is destroyed, and only then is what it leaves itself lost.
  const isEmptied =
    !costs.tracksCreations || heir !== address || frame.createdAddresses?.has(address) === true
  if (isEmptied) writer.current = updateAccount(writer.current, address, { balance: 0n })
}
