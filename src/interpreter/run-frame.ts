// Runs a frame to its end: the interpreter as far as it gets by itself, then what it asks for, and on.

import { EVMError } from '@ethereumjs/evm'
import { keccak256 } from '../primitives/crypto.ts'
import { bytesToHex } from '../primitives/hex.ts'
import * as accounts from './accounts.ts'
import { readBlobHash, readBlockHash } from './blocks.ts'
import { type CallOpcode, call } from './calls.ts'
import { readNumber, refreshViews } from './core.ts'
import { type CreateOpcode, create } from './creations.ts'
import { destroy } from './destruction.ts'
import { rememberWord } from './environment.ts'
import type { Frame } from './frame.ts'
import type { Host, Operation } from './host.ts'
import * as layout from './layout.ts'
import { LOG_OPERATIONS } from './logs.ts'
import { copyReturnData } from './return-data.ts'
import { loadSlot, loadTransient, storeSlot, storeTransient } from './storage.ts'

function remember(opcode: number): Operation {
  return ({ core, environment, evm }) => {
    rememberWord(core, environment(), evm.common, opcode)
    return 0
  }
}

/** What needs no message, and so no promise. */
const OPERATIONS: ReadonlyMap<number, Operation> = new Map([
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
  [0x5d, storeTransient],
  ...LOG_OPERATIONS.map((operation, topics) => [0xa0 + topics, operation] as const),
  ...[0x32, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x4a].map(
    (opcode) => [opcode, remember(opcode)] as const,
  ),
])

const SYNCHRONOUS: readonly (Operation | undefined)[] = Array.from({ length: 256 }, (_, opcode) =>
  OPERATIONS.get(opcode),
)

/** Ends with STOPPED, RETURNED, REVERTED or what went wrong. */
export async function runFrame(host: Host, frame: Frame): Promise<number> {
  const { core } = host
  const { run } = core.exports
  let charge = 0
  for (;;) {
    const reason = run(frame.base, charge)
    // Linear memory that has grown is another buffer.
    if (core.bytes.length === 0) refreshViews(core)
    charge = 0
    if (reason < layout.FIRST_OPCODE) {
      if (reason !== layout.PAUSED) return reason
      continue
    }
    const operation = SYNCHRONOUS[reason]
    if (operation !== undefined) charge = operation(host, frame)
    else if (reason === 0xff) {
      destroy(host, frame)
      return layout.STOPPED
    } else if (reason === 0xf0 || reason === 0xf5) await create(host, frame, reason as CreateOpcode)
    else await call(host, frame, reason as CallOpcode)
  }
}

const { errorMessages } = EVMError

const ERRORS: Readonly<Record<number, string>> = {
  [layout.REVERTED]: errorMessages.REVERT,
  [layout.OUT_OF_GAS]: errorMessages.OUT_OF_GAS,
  [layout.STACK_UNDERFLOW]: errorMessages.STACK_UNDERFLOW,
  [layout.STACK_OVERFLOW]: errorMessages.STACK_OVERFLOW,
  [layout.INVALID_OPCODE]: errorMessages.INVALID_OPCODE,
  [layout.STATIC_STATE_CHANGE]: errorMessages.STATIC_STATE_CHANGE,
}

/** The error of a frame that ended so; `undefined` for one that ended well. */
export function errorOf(
  { core }: Host,
  { base, code, address }: Frame,
  reason: number,
): EVMError | undefined {
  if (reason === layout.STOPPED || reason === layout.RETURNED) return undefined
  if (reason === layout.OUT_OF_MEMORY) throw new RangeError('out of memory')
  if (reason === layout.INVALID_JUMP) {
    const at = readNumber(core, base + layout.PROGRAM_COUNTER) - readNumber(core, base + layout.CODE) - 1
    // With the place, as @ethereumjs has it.
    const place = `${bytesToHex(keccak256(code))}/${address}:${at}`
    return new EVMError(`${errorMessages.INVALID_JUMP} at ${place}` as typeof errorMessages.INVALID_JUMP)
  }
  return new EVMError(ERRORS[reason] as typeof errorMessages.REVERT)
}
