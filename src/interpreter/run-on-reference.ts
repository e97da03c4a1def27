// Frames of a WebAssembly EVM that run on the interpreter of @ethereumjs, observed.

import type { EVM, ExecResult, InterpreterStep, Message } from '@ethereumjs/evm'
import type { StateWriter } from '../state/state-writer.ts'
import type { Observation } from './observation.ts'
import { ReferenceTranslator } from './reference-steps.ts'

/** Runs a frame, and tells of its steps and of those of the frames inside of it. */
export async function runOnReference(
  evm: EVM,
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
