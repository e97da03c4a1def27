// Calls that the module makes itself, in the build for coverage: of known code, without value. JavaScript is asked for the
// account once in a transaction; it takes over a frame that needs it (src/core/interpreter/callees.ts).

import { COVERING } from './covering'
import { edges, reachPlace } from './edges'
import * as L from './layout'
import { reserve } from './memory'
import * as S from './slots'
import * as W from './word'

// The state, of numbers of four bytes.
const IS_ON: usize = 0
/** Accounts with a code that is known. */
const COUNT: usize = 4
/** The frame that runs. */
const CURRENT: usize = 8
/** The number of the last checkpoint that was made here. */
const EPOCHS: usize = 12
/** Whether a frame has succeeded here. */
const HAS_SUCCEEDED: usize = 16
/** The account that JavaScript has to check. */
const ASKED: usize = 20
/** What JavaScript has checked holds as long as this stays the same. */
const STAMP: usize = 24
/** The gas of CALL, DELEGATECALL and STATICCALL to a warm account. */
const CALL_FEE: usize = 28
const DELEGATE_FEE: usize = 32
const STATIC_FEE: usize = 36
const MAX_DEPTH: usize = 40
/** Logs of frames that were begun here, which JavaScript has. */
const LOGS: usize = 44
/** Accounts that have become warm in frames that were begun here. */
const WARMED: usize = 48
const STATE: usize = COVERING ? memory.data(64, 16) : 0

// An account: its address, and what follows.
const CALLEE_BYTES: usize = 64
/** In the address, behind its bytes: another code has taken the place of the one that was known. */
const IS_GONE: usize = 20
const CODE: usize = 32
const CODE_LENGTH: usize = 36
const TARGETS: usize = 40
/** The place of the code in the map of edges. */
const PLACE: usize = 44
const CHECKED: usize = 48
/** Gas of the next call: more for an account that was cold. */
const EXTRA: usize = 52
const MOST_CALLEES: usize = 64
const CALLEES: usize = COVERING ? memory.data(64 * 64, 16) : 0

/** The output of the last call. */
const RETURN_BYTES: u32 = 1 << 12
const RETURNED: usize = COVERING ? memory.data(1 << 12, 16) : 0
/** Codes with their jump targets. */
export const codes: usize = COVERING ? memory.data(1 << 18, 16) : 0
export const calls: usize = STATE
export const callees: usize = CALLEES

/** Bit of the numbers of checkpoints that are made here. */
const OWN_EPOCH: u32 = 0x80000000
/** The length of Panic(uint256), of which JavaScript looks at those with the code of an assertion, 1. */
const PANIC_BYTES: u32 = 36

// In place of a frame.
export const REFUSED: usize = 0
export const UNCHECKED: usize = 1
export const TOO_EXPENSIVE: usize = 2

// @ts-ignore: decorator
@inline
function state(at: usize): u32 {
  return load<u32>(STATE + at)
}

// @ts-ignore: decorator
@inline
export function setCurrent(frame: usize): void {
  store<u32>(STATE + CURRENT, <u32>frame)
}

/** The number of an account, from 1 on; 0 if it is not known. */
function numberOf(address: usize): u32 {
  const count = state(COUNT)
  for (let number: u32 = 1; number <= count; number++) {
    const at = CALLEES + <usize>(number - 1) * CALLEE_BYTES
    if (load<u64>(at) != load<u64>(address) || load<u64>(at, 8) != load<u64>(address, 8)) continue
    if (load<u32>(at, 16) == load<u32>(address, 16) && load<u32>(at, IS_GONE) == 0) return number
  }
  return 0
}

// @ts-ignore: decorator
@inline
function aligned(at: usize): usize {
  return (at + 31) & ~31
}

/** Begins the call at the end of the stack: the frame to run, or why there is none. Memory is paid for. */
export function begin(frame: usize, gas: i64, pc: usize, sp: usize, opcode: u32): usize {
  if (state(IS_ON) == 0 || !S.isCaching() || opcode == 0xf2) return REFUSED
  if (opcode == 0xf1 && !W.isZero(sp - 96)) return REFUSED
  if (load<u32>(frame, L.HAS_SURPLUS) != 0 || load<u32>(frame, L.DEPTH) >= state(MAX_DEPTH)) return REFUSED
  // An operand for gas is exact up to FAR.
  if (gas > <i64>W.FAR) return REFUSED
  const number = numberOf(sp - 64)
  if (number == 0) return REFUSED
  const callee = CALLEES + <usize>(number - 1) * CALLEE_BYTES
  // The operand before the offset of the input.
  const last = opcode == 0xf1 ? sp - 96 : sp - 64
  const length = <usize>W.asIndex(last - 64)
  const child = aligned(<usize>load<u32>(frame, L.MEMORY) + <usize>load<u32>(frame, L.MEMORY_SIZE))
  const data = child + L.STACK + L.STACK_SIZE
  const memoryAt = aligned(data + length + L.PADDING)
  if (!reserve(<u64>memoryAt)) return REFUSED
  if (load<u32>(callee, CHECKED) != state(STAMP)) {
    store<u32>(STATE + ASKED, number)
    return UNCHECKED
  }
  gas -= <i64>state(opcode == 0xf1 ? CALL_FEE : opcode == 0xf4 ? DELEGATE_FEE : STATIC_FEE)
  gas -= <i64>load<u32>(callee, EXTRA)
  store<u32>(callee, 0, EXTRA)
  if (gas < 0) return TOO_EXPENSIVE
  const given = <f64>min<u64>(W.asIndex(sp - 32), <u64>(gas - gas / 64))

  // The caller, as JavaScript expects it of one that waits for a call.
  store<f64>(frame, <f64>gas, L.GAS)
  store<u32>(frame, <u32>pc, L.PROGRAM_COUNTER)
  store<u32>(frame, <u32>(last - 96), L.STACK_POINTER)
  store<u32>(frame, <u32>(sp - 32), L.OPERAND)
  store<u32>(frame, 0, L.RETURN_DATA_LENGTH)
  store<u32>(frame, 0, L.RETURN_DATA)

  if (length != 0) memory.copy(data, <usize>load<u32>(frame, L.MEMORY) + <usize>W.asIndex(last - 32), length)
  memory.fill(data + length, 0, L.PADDING)
  store<f64>(child, given, L.GAS)
  store<u64>(child, 0, L.MEMORY_COST)
  store<u32>(child, load<u32>(callee, CODE), L.PROGRAM_COUNTER)
  store<u32>(child, <u32>(child + L.STACK), L.STACK_POINTER)
  store<u32>(child, load<u32>(callee, CODE), L.CODE)
  store<u32>(child, load<u32>(callee, CODE_LENGTH), L.CODE_LENGTH)
  store<u32>(child, load<u32>(callee, TARGETS), L.JUMP_TARGETS)
  store<u32>(child, <u32>data, L.CALLDATA)
  store<u32>(child, <u32>length, L.CALLDATA_LENGTH)
  store<u32>(child, 0, L.RETURN_DATA_LENGTH)
  store<u32>(child, 0, L.RETURN_DATA)
  store<u32>(child, opcode == 0xfa ? 1 : load<u32>(frame, L.IS_STATIC), L.IS_STATIC)
  store<u32>(child, <u32>memoryAt, L.MEMORY)
  store<u32>(child, 0, L.MEMORY_SIZE)
  store<u32>(child, 0, L.GAS_READ)
  store<u32>(child, 0, L.FAULT)
  store<u32>(child, 0, L.OWNER)
  store<u32>(child, 0, L.HAS_SURPLUS)
  const isDelegated = opcode == 0xf4
  if (isDelegated) W.copyWord(child + L.ADDRESS, frame + L.ADDRESS)
  else W.copyWord(child + L.ADDRESS, callee)
  W.copyWord(child + L.CALLER, frame + (isDelegated ? L.CALLER : L.ADDRESS))
  if (isDelegated) W.copyWord(child + L.CALL_VALUE, frame + L.CALL_VALUE)
  else W.setNumber(child + L.CALL_VALUE, 0)
  store<f64>(child, load<f64>(frame, L.REFUND), L.REFUND)
  store<f64>(child, given, L.LIMIT)
  store<f64>(child, 0, L.MINIMUM)
  const place = load<u32>(callee, PLACE)
  store<u32>(child, place - (load<u32>(callee, CODE) << 1), L.COVERAGE)
  store<u32>(child, <u32>frame, L.PARENT)
  store<u32>(child, load<u32>(frame, L.DEPTH) + 1, L.DEPTH)
  store<u32>(child, number, L.CALLEE)
  store<u32>(child, S.journalLength(), L.CHECKPOINT)
  store<u32>(child, state(LOGS), L.LOGS_BEFORE)
  store<u32>(child, state(WARMED), L.WARMED_BEFORE)
  store<u32>(child, S.epoch(), L.OUTER_EPOCH)
  const epoch = state(EPOCHS) + 1
  store<u32>(STATE + EPOCHS, epoch)
  S.setEpoch(epoch | OWN_EPOCH)
  reachPlace(edges + <usize>place)
  setCurrent(child)
  return child
}

/** Ends a frame that was begun here: the caller, with the result; 0 if JavaScript has to end it. */
export function end(child: usize, gas: i64, reason: i32): usize {
  const frame = <usize>load<u32>(child, L.PARENT)
  if (frame == 0) return 0
  const length: u32 = reason == L.STOPPED ? 0 : load<u32>(child, L.OUTPUT_LENGTH)
  const hasSucceeded = reason != L.REVERTED
  if (length > RETURN_BYTES) return 0
  const output = <usize>load<u32>(child, L.MEMORY) + <usize>load<u32>(child, L.OUTPUT)
  if (!hasSucceeded && length == PANIC_BYTES && load<u8>(output, 35) == 1) return 0
  // JavaScript makes them cold again.
  if (!hasSucceeded && load<u32>(child, L.WARMED_BEFORE) != state(WARMED)) return 0
  if (hasSucceeded) {
    store<u32>(STATE + HAS_SUCCEEDED, 1)
    store<f64>(frame, load<f64>(child, L.REFUND), L.REFUND)
  } else {
    S.undo(load<u32>(child, L.CHECKPOINT))
    store<u32>(STATE + LOGS, load<u32>(child, L.LOGS_BEFORE))
  }
  S.setEpoch(load<u32>(child, L.OUTER_EPOCH))
  store<f64>(frame, load<f64>(frame, L.GAS) - (load<f64>(child, L.LIMIT) - <f64>gas), L.GAS)
  store<u32>(frame, length, L.RETURN_DATA_LENGTH)
  store<u32>(frame, <u32>RETURNED, L.RETURN_DATA)
  if (length != 0) {
    memory.copy(RETURNED, output, <usize>length)
    const opcode = <u32>load<u8>(<usize>load<u32>(frame, L.PROGRAM_COUNTER) - 1)
    const place = <usize>load<u32>(frame, L.OPERAND) - (opcode == 0xf1 ? 160 : 128)
    const wanted = <usize>min<u64>(<u64>length, W.asIndex(place - 32))
    if (wanted != 0) memory.copy(<usize>load<u32>(frame, L.MEMORY) + <usize>W.asIndex(place), RETURNED, wanted)
  }
  W.setNumber(<usize>load<u32>(frame, L.STACK_POINTER) - 32, <u64>hasSucceeded)
  setCurrent(frame)
  return frame
}
