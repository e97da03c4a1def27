// The Solidity stack trace of a failed execution, by the heuristics of Hardhat (EDR, crates/edr_solidity).

import { equalBytes } from '../../../core/primitives/hex.ts'
import type { Instruction } from '../model/code-map.ts'
import type { ContractIndex } from '../model/contract-index.ts'
import { withCheckedError } from './adjust.ts'
import { inferFromMessage } from './infer-call.ts'
import { inferFromCodeSize, inferFromEnd, type Walk } from './infer-end.ts'
import { inferFromLastMessage, inferFromUnsent, type LastMessage } from './infer-subcall.ts'
import {
  constructorSource,
  instructionAt,
  type KnownFrame,
  knownFrame,
  lastSource,
  namesWithoutSource,
} from './known-frame.ts'
import { entryAt } from './modifiers.ts'
import { JUMPDEST } from './opcodes.ts'
import { withoutRedundant } from './redundant-entries.ts'
import type { StackEntry } from './stack-entry.ts'
import { isCreation, type TracedFrame } from './traced-frame.ts'
import { inferUnmappedRevert } from './unmapped-reverts.ts'

/** The functions that a frame is in when it ends. */
function walk(known: KnownFrame): Walk {
  const { steps } = known.frame
  const entries: StackEntry[] = []
  const entered: Instruction[] = []
  let hasEntered = false
  for (let position = 0; position < steps.length; position++) {
    const pc = steps[position] as number
    const instruction = pc < 0 ? undefined : instructionAt(known, pc)
    if (instruction?.jump === 'into') {
      const nextPc = steps[position + 1] ?? -1
      const next = nextPc < 0 ? undefined : instructionAt(known, nextPc)
      if (next?.opcode !== JUMPDEST) continue
      entries.push(entryAt(known, instruction))
      entered.push(next)
      hasEntered ||= next.location !== undefined
    } else if (instruction?.jump === 'outOf') {
      entries.pop()
      entered.pop()
    }
  }
  return { entries, entered, hasEntered }
}

function lastMessage({ frame }: KnownFrame, index: ContractIndex): LastMessage | undefined {
  const position = frame.steps.lastIndexOf(-frame.frames.length)
  const last = frame.frames.at(-1)
  if (last === undefined || position < 0) return undefined
  return { position, frame: last, entries: stackTraceOf(last, index) }
}

function inferFromSteps(known: KnownFrame, index: ContractIndex): readonly StackEntry[] {
  const walked = walk(known)
  const { entries } = walked
  const last = lastMessage(known, index)
  const inferred =
    (last && inferFromLastMessage(known, index, entries, last)) ??
    inferFromUnsent(known, entries) ??
    inferFromEnd(known, walked) ??
    inferFromCodeSize(known, entries) ??
    inferUnmappedRevert(known, entries)
  if (inferred !== undefined) return inferred
  if (known.frame.exit === 'codeTooLarge') {
    return [{ kind: 'contractTooLargeError', source: constructorSource(known) }]
  }
  return [...entries, { kind: 'otherExecutionError', source: lastSource(known) }]
}

function unrecognised(frame: TracedFrame, index: ContractIndex): StackEntry[] {
  const { kind, address, output, exit } = frame
  const isNew = isCreation(kind)
  const names = namesWithoutSource(index, frame)
  const last = frame.frames.at(-1)
  // Most contracts pass on the error of a message.
  if (last !== undefined && last.exit !== 'success' && equalBytes(last.output, output)) {
    const entry: StackEntry = isNew
      ? { kind: 'unrecognizedCreateCallstackEntry', names }
      : { kind: 'unrecognizedContractCallstackEntry', names, address }
    return [entry, ...stackTraceOf(last, index)]
  }
  if (exit === 'codeTooLarge') return [{ kind: 'contractTooLargeError', source: undefined }]
  const isInvalidOpcode = exit === 'invalidOpcode'
  return isNew
    ? [{ kind: 'unrecognizedCreateError', names, returnData: output, isInvalidOpcode }]
    : [{ kind: 'unrecognizedContractError', names, address, returnData: output, isInvalidOpcode }]
}

/** The entries from the outermost call inwards; none for an execution that succeeded. */
export function stackTraceOf(frame: TracedFrame, index: ContractIndex): readonly StackEntry[] {
  if (frame.exit === 'success') return []
  if (frame.isPrecompile) return [{ kind: 'precompileError', precompile: Number(BigInt(frame.address)) }]
  const known = knownFrame(index, frame)
  if (known === undefined) return unrecognised(frame, index)
  const shown = inferFromMessage(known)
  if (shown !== undefined) return [shown]
  return withCheckedError(known, withoutRedundant(inferFromSteps(known, index)))
}
