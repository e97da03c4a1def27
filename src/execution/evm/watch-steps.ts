// Observation of the opcodes that need the world state, for what results do not show.

import { referenceListener, type StepListener } from '../../interpreter/step-watch.ts'
import type { Address } from '../../primitives/hex.ts'
import type { EvmInstance } from './pooled-evm.ts'

/** Calls `onStep` for the opcodes of a run; the interpreter of @ethereumjs tells of all. */
export async function watchSteps<Result>(
  { evm, stepWatch }: EvmInstance,
  onStep: StepListener,
  run: () => Promise<Result>,
): Promise<Result> {
  const listener = referenceListener(onStep)
  if (stepWatch === undefined) evm.events.on('step', listener)
  else stepWatch.onStep = onStep
  try {
    return await run()
  } finally {
    if (stepWatch === undefined) evm.events.off('step', listener)
    else stepWatch.onStep = undefined
  }
}

/** The address in the low 20 bytes of a word. */
export function addressOfWord(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}
