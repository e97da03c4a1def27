// Frames of a WebAssembly EVM that run on the interpreter of @ethereumjs, observed.

import type { ExecResult, InterpreterStep } from '@ethereumjs/evm'
import type { StateWriter } from '../state/state-writer.ts'
import type { Evm } from './evm-interface.ts'
import type { Message } from './message.ts'
import type { Observation } from './observation.ts'
import { ReferenceTranslator } from './reference-steps.ts'

/** Runs a frame, and tells of its steps and of those of the frames inside of it. */
export async function runOnReference(
  evm: Evm,
  writer: StateWriter,
  observation: Observation,
  message: Message,
  run: () => Promise<ExecResult>,
): Promise<ExecResult> {
  // A frame inside of one that does.
  if (observation.reference !== undefined) return run()
  const translator = new ReferenceTranslator(evm, writer, observation)
  const listener = (step: InterpreterStep) => translator.step(step)
  observation.reference = translator
  translator.begin(message)
  evm.events.on('step', listener)
  try {
    const result = await run()
    translator.end(result)
    return result
  } finally {
    observation.reference = undefined
    evm.events.off('step', listener)
  }
}
