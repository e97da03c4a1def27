// Opcodes that JavaScript executes without sending a message. The WebAssembly code has
// checked the stack, static frames and bounds, and has charged for memory and words.

import { hexToBytes, ZERO_HASH } from '../primitives/hex.ts'
import * as accounts from './accounts.ts'
import { copyWord, readNumber, readWord, writeBytes, writeInteger, writeWord } from './core.ts'
import { cacheWord } from './environment.ts'
import { gasLeftOf, memoryAt, operandAt, readMemory, resultAt } from './frame.ts'
import type { Operation } from './host.ts'
import { loadSlot, loadTransient, storeSlot, storeTransient } from './storage.ts'
import { tellLog } from './tell-frame.ts'

/** RETURNDATACOPY. Return data stays in JavaScript until code copies it. */
const copyReturnData: Operation = ({ core }, frame) => {
  const to = memoryAt(core, frame, readNumber(core, operandAt(core, frame, 0)))
  const from = readNumber(core, operandAt(core, frame, 1))
  const length = readNumber(core, operandAt(core, frame, 2))
  core.bytes.set(frame.returnData.subarray(from, from + length), to)
  return 0
}

const readBlockHash: Operation = ({ core, covering, environment, blockHashOf }, frame) => {
  if (covering !== undefined) covering.reads.readsBlock = true
  const number = readWord(core, operandAt(core, frame, 0))
  const distance = environment().block.header.number - number
  const isRecent = distance > 0n && distance <= 256n
  const hash = isRecent ? (blockHashOf(Number(number)) ?? ZERO_HASH) : ZERO_HASH
  writeBytes(core, resultAt(core, frame), hexToBytes(hash))
  return 0
}

const readBlobHash: Operation = ({ core }, frame) => {
  const index = Number(readWord(core, operandAt(core, frame, 0)))
  const hash = frame.message.blobVersionedHashes?.[index]
  if (hash === undefined) writeInteger(core, resultAt(core, frame), 0)
  else writeBytes(core, resultAt(core, frame), hexToBytes(hash))
  return 0
}

/** GAS, of a frame that has more than its linear memory holds. */
const readGas: Operation = ({ core }, frame) => {
  writeWord(core, resultAt(core, frame), gasLeftOf(core, frame))
  return 0
}

/** Caches the result of a block or transaction opcode; the WebAssembly code then executes it on its own. */
function cacheResult(opcode: number): Operation {
  return ({ core, covering, environment, evm }) => {
    if (covering !== undefined) covering.reads.readsBlock = true
    cacheWord(core, environment(), evm.common, opcode)
    return 0
  }
}

function emitLog(topicCount: number): Operation {
  return (host, frame) => {
    const { core } = host
    const topics: Uint8Array[] = []
    for (let i = 0; i < topicCount; i++) topics.push(copyWord(core, operandAt(core, frame, 2 + i)))
    const data = readMemory(core, frame, operandAt(core, frame, 0), operandAt(core, frame, 1))
    if (host.observation !== undefined) tellLog(host, frame, topics, data)
    host.evm.onLog?.(frame.account.hex, topics, data)
    frame.logs.push([frame.account.bytes, topics, data])
    return 0
  }
}

const BY_OPCODE: ReadonlyMap<number, Operation> = new Map([
  [0x31, accounts.readBalance],
  [0x3b, accounts.readCodeSize],
  [0x3c, accounts.copyCode],
  [0x3e, copyReturnData],
  [0x3f, accounts.readCodeHash],
  [0x40, readBlockHash],
  [0x47, accounts.readOwnBalance],
  [0x49, readBlobHash],
  [0x54, loadSlot],
  [0x55, storeSlot],
  [0x5c, loadTransient],
  [0x5a, readGas],
  [0x5d, storeTransient],
  ...[0, 1, 2, 3, 4].map((topics) => [0xa0 + topics, emitLog(topics)] as const),
  ...[0x32, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x4a].map(
    (opcode) => [opcode, cacheResult(opcode)] as const,
  ),
])

/** The same as an array, because every such opcode is looked up here. */
export const OPERATIONS: readonly (Operation | undefined)[] = Array.from({ length: 256 }, (_, opcode) =>
  BY_OPCODE.get(opcode),
)
