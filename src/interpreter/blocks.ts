// BLOCKHASH and BLOBHASH.

import { hexToBytes, ZERO_HASH } from '../primitives/hex.ts'
import { readWord, writeBytes, writeInteger } from './core.ts'
import { operandAt, resultAt } from './frame.ts'
import type { Operation } from './host.ts'

export const readBlockHash: Operation = ({ core, environment, blockHashOf }, frame) => {
  const asked = readWord(core, operandAt(core, frame, 0))
  const distance = environment().block.header.number - asked
  const isKnown = distance > 0n && distance <= 256n
  const hash = isKnown ? (blockHashOf(Number(asked)) ?? ZERO_HASH) : ZERO_HASH
  writeBytes(core, resultAt(core, frame), hexToBytes(hash))
  return 0
}

export const readBlobHash: Operation = ({ core }, frame) => {
  const index = Number(readWord(core, operandAt(core, frame, 0)))
  const hash = frame.message.blobVersionedHashes?.[index]
  if (hash === undefined) writeInteger(core, resultAt(core, frame), 0)
  else writeBytes(core, resultAt(core, frame), hexToBytes(hash))
  return 0
}
