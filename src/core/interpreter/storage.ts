// SLOAD and SSTORE, TLOAD and TSTORE (EIP-1153), where the module leaves them to JavaScript: under forks before berlin, under
// an observer, and when its tables are full.

import { EVMError } from '@ethereumjs/evm'
import { equalBytes } from '../primitives/hex.ts'
import { readStorage } from '../state/world-state.ts'
import { readShortest, readSlot, readWord, writeBytes, writeWord } from './core.ts'
import { operandAt, refundOf, requireGas, resultAt, setRefund } from './frame.ts'
import type { Operation } from './host.ts'

export const loadSlot: Operation = ({ core, covering, evm, writer, journal, costs }, frame) => {
  if (covering !== undefined) covering.reads.isPartial = true
  const slot = readSlot(core, operandAt(core, frame, 0))
  evm.onSlot?.(frame.address, slot, false)
  writeBytes(core, resultAt(core, frame), readStorage(writer.current, frame.address, slot))
  if (!costs.hasAccessLists) return 0
  if (journal.isWarmSlot(frame.address, slot)) return costs.warmRead
  journal.warmUpSlot(frame.address, slot)
  return costs.coldSlot
}

export const storeSlot: Operation = (
  { core, covering, evm, writer, journal, costs, storageCosts },
  frame,
) => {
  const { address } = frame
  if (covering !== undefined) covering.reads.isPartial = true
  requireGas(core, frame, costs.storeSentry + 1)
  const slot = readSlot(core, operandAt(core, frame, 0))
  const next = readShortest(core, operandAt(core, frame, 1))
  evm.onSlot?.(address, slot, true)
  const isWarm = !costs.hasAccessLists || journal.isWarmSlot(address, slot)
  if (!isWarm) journal.warmUpSlot(address, slot)
  const current = readStorage(writer.current, address, slot)
  const original = writer.originalStorage(address, slot)
  const { gas, refund } = storageCosts({ original, current, next, isWarm })
  if (refund !== 0) {
    const total = refundOf(core, frame) + refund
    setRefund(core, frame, total)
    if (total < 0) throw new EVMError(EVMError.errorMessages.REFUND_EXHAUSTED)
  }
  // Contracts often write the value that is there, and a new version of the state costs more than the comparison.
  if (!equalBytes(current, next)) writer.writeSlot(address, slot, next)
  return gas + costs.store
}

export const loadTransient: Operation = ({ core, transient }, frame) => {
  const key = readWord(core, operandAt(core, frame, 0))
  writeWord(core, resultAt(core, frame), transient.read(frame.address, key))
  return 0
}

export const storeTransient: Operation = ({ core, transient }, frame) => {
  const key = readWord(core, operandAt(core, frame, 0))
  transient.write(frame.address, key, readWord(core, operandAt(core, frame, 1)))
  return 0
}
