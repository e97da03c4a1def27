// Steps of the WebAssembly interpreter, told to a listener.

import { type Core, readNumber, readWord } from './core.ts'
import type { Frame } from './frame.ts'
import * as layout from './layout.ts'
import type { StepListener } from './step-watch.ts'

function tell(core: Core, { base, address }: Frame, opcode: number, onStep: StepListener): void {
  const top = readNumber(core, base + layout.OPERAND)
  const peek = (depth: number): bigint | undefined => {
    const at = top - layout.WORD * depth
    return at < base + layout.STACK ? undefined : readWord(core, at)
  }
  onStep({ opcode, address, peek })
}

/** Tells of what the WebAssembly code has returned: an opcode, or the end of the frame, maybe by a fault. */
export function tellStep(core: Core, frame: Frame, reason: number, onStep: StepListener): void {
  if (reason >= layout.FIRST_OPCODE) {
    tell(core, frame, reason, onStep)
    return
  }
  const isNoStep = reason === layout.PAUSED || reason === layout.INVALID_OPCODE
  const fault = readNumber(core, frame.base + layout.FAULT)
  if (!isNoStep && fault !== 0) tell(core, frame, fault, onStep)
}
