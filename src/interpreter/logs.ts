// LOG0 to LOG4. Everything is paid for when they are asked for.

import { readBytes } from './core.ts'
import { operandAt, readMemory } from './frame.ts'
import type { Operation } from './host.ts'

function emitLog(topicCount: number): Operation {
  return ({ core }, frame) => {
    const topics: Uint8Array[] = []
    for (let i = 0; i < topicCount; i++) topics.push(readBytes(core, operandAt(core, frame, 2 + i), 32))
    const data = readMemory(core, frame, operandAt(core, frame, 0), operandAt(core, frame, 1))
    frame.logs.push([frame.account.bytes, topics, data])
    return 0
  }
}

export const LOG_OPERATIONS: readonly Operation[] = [0, 1, 2, 3, 4].map(emitLog)
