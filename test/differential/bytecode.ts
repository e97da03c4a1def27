// Hand-written EVM code: functions that give position-independent pieces, which can be joined in any order.

import { bigIntToBytes, bytesToHex, type Hex, hexToBytes } from '../../src/core/primitives/hex.ts'

/** EVM code: byte values. */
export type Code = readonly number[]

/** Opcodes by their names in the yellow paper. */
export const op = {
  STOP: 0x00,
  ADD: 0x01,
  ISZERO: 0x15,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATASIZE: 0x36,
  CODECOPY: 0x39,
  EXTCODESIZE: 0x3b,
  RETURNDATASIZE: 0x3d,
  EXTCODEHASH: 0x3f,
  SELFBALANCE: 0x47,
  POP: 0x50,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPI: 0x57,
  PC: 0x58,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  PUSH1: 0x60,
  DUP1: 0x80,
  LOG0: 0xa0,
  LOG1: 0xa1,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const

export function bytesOf(code: Code): Uint8Array {
  return Uint8Array.from(code)
}

/** Pushes a number, or some bytes. */
export function push(value: number | bigint | Hex): Code {
  const minimal = typeof value === 'string' ? hexToBytes(value) : bigIntToBytes(BigInt(value))
  const bytes = minimal.length === 0 ? [0] : [...minimal]
  return [op.PUSH1 + bytes.length - 1, ...bytes]
}

function push2(value: number): Code {
  return [op.PUSH1 + 1, value >> 8, value & 0xff]
}

/** `value` leaves one word on the stack. */
export function sstore(slot: number, value: Code): Code {
  return [...value, ...push(slot), op.SSTORE]
}

export function sload(slot: number): Code {
  return [...push(slot), op.SLOAD]
}

/** Logs one word. */
export function log(value: Code): Code {
  return [...value, ...push(0), op.MSTORE, ...push(32), ...push(0), op.LOG0]
}

/** Logs one word under a topic. */
export function logUnder(topic: Code, value: Code): Code {
  return [...value, ...push(0), op.MSTORE, ...topic, ...push(32), ...push(0), op.LOG1]
}

/** Ends the frame with one word, by `RETURN` or `REVERT`. */
export function finish(end: typeof op.RETURN | typeof op.REVERT, value: Code): Code {
  return [...value, ...push(0), op.MSTORE, ...push(32), ...push(0), end]
}

export function selfdestruct(beneficiary: Code): Code {
  return [...beneficiary, op.SELFDESTRUCT]
}

/** Runs `body` if `condition` leaves a word other than zero. */
export function when(condition: Code, body: Code): Code {
  // The target is counted from PC: over PC, ADD, JUMPI and the body.
  return [...condition, op.ISZERO, ...push2(body.length + 3), op.PC, op.ADD, op.JUMPI, ...body, op.JUMPDEST]
}

export interface CallParts {
  readonly kind: typeof op.CALL | typeof op.CALLCODE | typeof op.DELEGATECALL | typeof op.STATICCALL
  readonly to: Code
  readonly value?: number
  readonly gas: number
  readonly dataSize?: number
}

/** Leaves 1 or 0. */
export function call({ kind, to, value = 0, gas, dataSize = 0 }: CallParts): Code {
  const carriesValue = kind === op.CALL || kind === op.CALLCODE
  return [
    ...[...push(32), ...push(0), ...push(dataSize), ...push(0)],
    ...(carriesValue ? push(value) : []),
    ...to,
    ...push(gas),
    kind,
  ]
}

function toMemory(bytes: Code): Code {
  const pieces: number[] = []
  for (let offset = 0; offset < bytes.length; offset += 32) {
    const word = Uint8Array.from({ length: 32 }, (_, i) => bytes[offset + i] ?? 0)
    pieces.push(...push(bytesToHex(word)), ...push2(offset), op.MSTORE)
  }
  return pieces
}

/** Leaves the new contract's address, or 0. */
export function create(initCode: Code, value = 0): Code {
  return [...toMemory(initCode), ...push2(initCode.length), ...push(0), ...push(value), op.CREATE]
}

/** Leaves the new contract's address, or 0. */
export function create2(initCode: Code, salt: number, value = 0): Code {
  const tail = [...push2(initCode.length), ...push(0), ...push(value), op.CREATE2]
  return [...toMemory(initCode), ...push(salt), ...tail]
}

/** Init code that runs `setUp` and deploys `runtime`. */
export function deploying(runtime: Code, setUp: Code = []): Code {
  const header = 15
  return [
    ...setUp,
    ...push2(runtime.length),
    ...push2(setUp.length + header),
    ...push(0),
    op.CODECOPY,
    ...push2(runtime.length),
    ...push(0),
    op.RETURN,
    ...runtime,
  ]
}
