// RETURNDATACOPY: what calls give back stays with JavaScript until somebody copies it.

import { readNumber } from './core.ts'
import { memoryAt, operandAt } from './frame.ts'
import type { Operation } from './host.ts'

/** Bounds are checked and memory is paid for. */
export const copyReturnData: Operation = ({ core }, frame) => {
  const to = memoryAt(core, frame, readNumber(core, operandAt(core, frame, 0)))
  const from = readNumber(core, operandAt(core, frame, 1))
  const length = readNumber(core, operandAt(core, frame, 2))
  core.bytes.set(frame.returnData.subarray(from, from + length), to)
  return 0
}
