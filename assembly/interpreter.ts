// The interpreter of a frame. It runs until the frame ends or an opcode needs state; all of the frame is in linear
// memory then, so that JavaScript can execute the opcode, await messages, and call `run` again.

import { analyze } from './analyze'
import * as C from './calls'
import { COVERING } from './covering'
import { addModulo, divide, divideSigned, modulo, moduloSigned, multiplyModulo } from './divide'
import { compare, compareNegated, comparisonCount, comparisons, edges, found, foundCount, lastEdge, reach } from './edges'
import { keccak256 } from './keccak'
import * as L from './layout'
import { copyPadded, expand, NOT_ENOUGH_MEMORY, reserve } from './memory'
import { byteLength, multiply, power } from './multiply'
import { mustTell, noted, places } from './noting'
import * as S from './slots'
import { STEPPING } from './stepping'
import * as W from './word'

export { analyze, comparisonCount, comparisons, edges, found, foundCount, lastEdge, noted, places, reserve }
export { callees, calls, codes } from './calls'
export { accessCount, accesses, changes, forget, journal, missed, owners, slots, slotsState, undo, used } from './slots'

/** Addresses of the tables that JavaScript fills. */
export const opcodes: usize = L.OPCODES
export const parameters: usize = L.PARAMETERS
export const environment: usize = L.ENVIRONMENT
export const environmentKnown: usize = L.ENVIRONMENT_KNOWN
/** The address of the first frame. */
export const arena: usize = S.TABLES_END

const JUMP: u32 = 0x56
const JUMPI: u32 = 0x57
const JUMPDEST: u32 = 0x5b
/** Spreads the destinations of a jump over the map of edges. */
const SPREAD: u32 = 0x9e3779b2

/** Tells of an opcode before its execution: its frame, address, the end of the stack, and the gas. */
// @ts-ignore: decorator
@external("host", "step")
declare function step(frame: usize, pc: usize, sp: usize, gas: f64, opcode: u32): void

/** Jumps before `run` returns PAUSED. */
const TURN: i32 = 20000

/** True for opcodes whose gas depends on operands: for these, stack underflow takes precedence over out of gas. */
function hasDynamicGas(opcode: u32): bool {
  switch (opcode) {
    case 0x0a:
    case 0x20:
    case 0x31:
    case 0x37:
    case 0x39:
    case 0x3b:
    case 0x3c:
    case 0x3e:
    case 0x3f:
    case 0x51:
    case 0x52:
    case 0x53:
    case 0x54:
    case 0x5e:
    case 0xf3:
    case 0xfd:
      return true
    default:
      return false
  }
}

// @ts-ignore: decorator
@inline
function isCall(opcode: u32): bool {
  return opcode == 0xf1 || opcode == 0xf2 || opcode == 0xf4 || opcode == 0xfa
}

/** Notes an operation by which compilers tell words that differ: LT, GT, SLT, SGT, EQ. `pc` is behind it. */
// @ts-ignore: decorator
@inline
function noteComparison(frame: usize, pc: usize, sp: usize): void {
  if (COVERING && comparisonCount >= 0) compare(frame, pc - 1, sp)
}

/** True before ISZERO, and before the target of a conditional jump. */
function isDecision(pc: usize): bool {
  const next = <u32>load<u8>(pc)
  return next == 0x15 || (next == 0x60 && load<u8>(pc, 2) == 0x57) || (next == 0x61 && load<u8>(pc, 3) == 0x57)
}

/** The same of SUB and XOR, whose result is zero for equal words, and decides. */
// @ts-ignore: decorator
@inline
function noteDifference(frame: usize, pc: usize, sp: usize): void {
  if (COVERING && comparisonCount >= 0 && isDecision(pc)) compare(frame, pc - 1, sp)
}

/** The same of ADD: instead of an argument of EQ or SUB, solc's optimizer adds the negative of a constant. */
// @ts-ignore: decorator
@inline
function noteSum(frame: usize, pc: usize, sp: usize): void {
  if (COVERING && comparisonCount >= 0 && isDecision(pc)) compareNegated(frame, pc - 1, sp)
}

/** The error of an opcode with too little gas or a wrong stack height. */
function faultOf(opcode: u32, entry: u64, gas: i64, height: u32): i32 {
  const least = <u32>(entry >> 32) & 0xffff
  if (least == L.UNKNOWN) return L.INVALID_OPCODE
  const isUnderflow = height < least
  if (gas < 0 && !(isUnderflow && hasDynamicGas(opcode))) return L.OUT_OF_GAS
  return isUnderflow ? L.STACK_UNDERFLOW : L.STACK_OVERFLOW
}

/** The error for a failed memory expansion. */
function memoryFault(gas: i64): i32 {
  return gas == NOT_ENOUGH_MEMORY ? L.OUT_OF_MEMORY : L.OUT_OF_GAS
}

// @ts-ignore: decorator
@inline
function parameter(offset: usize): i64 {
  return load<i64>(L.PARAMETERS + offset)
}

// @ts-ignore: decorator
@inline
function wordsOf(bytes: u64): i64 {
  return <i64>((bytes + 31) >> 5)
}

/** The static gas of an opcode. */
// @ts-ignore: decorator
@inline
function costOf(opcode: u32): i64 {
  return <i64>load<u32>(L.OPCODES + (<usize>opcode << 3))
}

/** The address after the JUMPDEST at a destination; zero if the destination is invalid. */
// @ts-ignore: decorator
@inline
function landingOf(frame: usize, destination: u64): usize {
  if (destination >= <u64>load<u32>(frame, L.CODE_LENGTH)) return 0
  const offset = <u32>destination
  const targets = <u32>load<u8>(<usize>load<u32>(frame, L.JUMP_TARGETS) + (offset >> 3))
  return ((targets >> (offset & 7)) & 1) == 0 ? 0 : <usize>load<u32>(frame, L.CODE) + <usize>offset + 1
}

/** Stores the frame's state for JavaScript. `operand` is the address of the first operand. */
// @ts-ignore: decorator
@inline
function leave(frame: usize, gas: i64, pc: usize, sp: usize, operand: usize, reason: i32): i32 {
  store<f64>(frame, <f64>gas, L.GAS)
  store<u32>(frame, <u32>pc, L.PROGRAM_COUNTER)
  store<u32>(frame, <u32>sp, L.STACK_POINTER)
  store<u32>(frame, <u32>operand, L.OPERAND)
  return reason
}

/** A gas that `fault` cannot tell, because the opcode has charged a part of its cost. */
const PARTLY_CHARGED: i64 = i64.MAX_VALUE

/**
 * Stores the opcode with which a frame fails, for JavaScript that observes it: the address of its first operand, and the
 * gas after its static cost.
 */
function fault(frame: usize, gas: i64, sp: usize, opcode: u32, reason: i32): i32 {
  store<f64>(frame, <f64>gas, L.GAS)
  store<u32>(frame, opcode, L.FAULT)
  store<u32>(frame, <u32>(sp - 32), L.OPERAND)
  return reason
}

/** An access of storage that has not been executed: `left` says why. `after` is the end of the stack after it. */
function unfinished(frame: usize, left: i64, gas: i64, fee: i64, pc: usize, sp: usize, after: usize, opcode: u32): i32 {
  // JavaScript looks the slot up, and the opcode is executed again.
  if (left == S.MISSING) return leave(frame, gas + fee, pc - 1, sp, sp, L.MISSING)
  if (left == S.NOT_CACHED) return leave(frame, gas, pc, after, sp - 32, opcode)
  return left == S.REFUND_EXHAUSTED ? L.REFUND_EXHAUSTED : fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
}

/**
 * Continues a frame, after charging the gas of the opcode that JavaScript has executed. Returns a reason, or an opcode
 * for JavaScript: its operands are popped but still readable from OPERAND downwards, and a stack slot for its result is
 * pushed.
 */
export function run(first: usize, charge: u32): i32 {
  let frame = first
  if (COVERING) C.setCurrent(frame)
  let gas = <i64>load<f64>(frame, L.GAS) - <i64>charge
  if (gas < 0) return L.OUT_OF_GAS
  /** Address of the next opcode. */
  let pc: usize = load<u32>(frame, L.PROGRAM_COUNTER)
  /** Address of the first free stack slot; the top is 32 below it. */
  let sp: usize = load<u32>(frame, L.STACK_POINTER)
  let bottom = frame + L.STACK
  let start: usize = load<u32>(frame, L.MEMORY)
  let turn = TURN
  /** The slot of a branch, less twice the address after its opcode; one more for a branch that is taken. */
  let coverage: u32 = COVERING ? load<u32>(frame, L.COVERAGE) : 0

  for (;;) {
    const opcode = <u32>load<u8>(pc)
    if (STEPPING && mustTell(pc)) step(frame, pc, sp, <f64>gas, opcode)
    const entry = load<u64>(L.OPCODES + (<usize>opcode << 3))
    gas -= <i64>(entry & 0xffffffff)
    const height = <u32>(sp - bottom)
    if (gas < 0 || height - (<u32>(entry >> 32) & 0xffff) > <u32>(entry >> 48)) {
      return fault(frame, gas, sp, opcode, faultOf(opcode, entry, gas, height))
    }
    pc++
    // The second operand of a binary operation, and its result.
    const x = sp - 64
    switch (opcode) {
      // STOP, also after the end of the code.
      case 0x00:
        if (COVERING) {
          const caller = C.end(frame, gas, L.STOPPED)
          if (caller != 0) {
            frame = caller
            gas = <i64>load<f64>(frame, L.GAS)
            pc = load<u32>(frame, L.PROGRAM_COUNTER)
            sp = load<u32>(frame, L.STACK_POINTER)
            bottom = frame + L.STACK
            start = load<u32>(frame, L.MEMORY)
            coverage = load<u32>(frame, L.COVERAGE)
            break
          }
        }
        return leave(frame, gas, pc, sp, sp, L.STOPPED)

      // Arithmetic.
      case 0x01:
        noteSum(frame, pc, sp)
        W.add(x)
        sp -= 32
        break
      case 0x02:
        multiply(x)
        sp -= 32
        break
      case 0x03:
        noteDifference(frame, pc, sp)
        W.subtract(x)
        sp -= 32
        break
      case 0x04:
        divide(x)
        sp -= 32
        break
      case 0x05:
        divideSigned(x)
        sp -= 32
        break
      case 0x06:
        modulo(x)
        sp -= 32
        break
      case 0x07:
        moduloSigned(x)
        sp -= 32
        break
      case 0x08:
        addModulo(sp - 96)
        sp -= 64
        break
      case 0x09:
        multiplyModulo(sp - 96)
        sp -= 64
        break
      case 0x0a:
        gas -= parameter(L.EXP_BYTE_GAS) * <i64>byteLength(x)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
        power(x)
        sp -= 32
        break
      case 0x0b:
        W.extendSign(x)
        sp -= 32
        break

      // Comparisons and bits.
      case 0x10:
        noteComparison(frame, pc, sp)
        W.setNumber(x, <u64>W.isLess(sp - 32, x))
        sp -= 32
        break
      case 0x11:
        noteComparison(frame, pc, sp)
        W.setNumber(x, <u64>W.isLess(x, sp - 32))
        sp -= 32
        break
      case 0x12:
        noteComparison(frame, pc, sp)
        W.setNumber(x, <u64>W.isLessSigned(sp - 32, x))
        sp -= 32
        break
      case 0x13:
        noteComparison(frame, pc, sp)
        W.setNumber(x, <u64>W.isLessSigned(x, sp - 32))
        sp -= 32
        break
      case 0x14:
        noteComparison(frame, pc, sp)
        W.setNumber(x, <u64>W.isEqual(x, sp - 32))
        sp -= 32
        break
      case 0x15:
        W.setNumber(sp - 32, <u64>W.isZero(sp - 32))
        break
      case 0x16:
        store<u64>(x, load<u64>(x) & load<u64>(x, 32))
        store<u64>(x, load<u64>(x, 8) & load<u64>(x, 40), 8)
        store<u64>(x, load<u64>(x, 16) & load<u64>(x, 48), 16)
        store<u64>(x, load<u64>(x, 24) & load<u64>(x, 56), 24)
        sp -= 32
        break
      case 0x17:
        store<u64>(x, load<u64>(x) | load<u64>(x, 32))
        store<u64>(x, load<u64>(x, 8) | load<u64>(x, 40), 8)
        store<u64>(x, load<u64>(x, 16) | load<u64>(x, 48), 16)
        store<u64>(x, load<u64>(x, 24) | load<u64>(x, 56), 24)
        sp -= 32
        break
      case 0x18:
        noteDifference(frame, pc, sp)
        store<u64>(x, load<u64>(x) ^ load<u64>(x, 32))
        store<u64>(x, load<u64>(x, 8) ^ load<u64>(x, 40), 8)
        store<u64>(x, load<u64>(x, 16) ^ load<u64>(x, 48), 16)
        store<u64>(x, load<u64>(x, 24) ^ load<u64>(x, 56), 24)
        sp -= 32
        break
      case 0x19:
        store<u64>(x, ~load<u64>(x, 32), 32)
        store<u64>(x, ~load<u64>(x, 40), 40)
        store<u64>(x, ~load<u64>(x, 48), 48)
        store<u64>(x, ~load<u64>(x, 56), 56)
        break
      case 0x1a:
        W.pickByte(x)
        sp -= 32
        break
      case 0x1b:
        W.shiftLeft(x)
        sp -= 32
        break
      case 0x1c:
        W.shiftRight(x, 0)
        sp -= 32
        break
      case 0x1d:
        W.shiftRight(x, <u64>(<i64>load<u64>(x, 24) >> 63))
        sp -= 32
        break
      case 0x1e:
        W.setNumber(sp - 32, W.countLeadingZeros(sp - 32))
        break

      // KECCAK256.
      case 0x20: {
        const offset = W.asIndex(sp - 32)
        const length = W.asIndex(x)
        gas = expand(frame, gas, offset, length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        gas -= parameter(L.KECCAK_WORD_GAS) * wordsOf(length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
        // With a length of zero, the offset may be out of bounds.
        keccak256(x, length == 0 ? start : start + <usize>offset, <usize>length)
        sp -= 32
        break
      }

      // Fields of the frame.
      case 0x30:
        W.copyWord(sp, frame + L.ADDRESS)
        sp += 32
        break
      case 0x33:
        W.copyWord(sp, frame + L.CALLER)
        sp += 32
        break
      case 0x34:
        W.copyWord(sp, frame + L.CALL_VALUE)
        sp += 32
        break
      case 0x35: {
        const offset = W.asIndex(sp - 32)
        // 32 zeros follow the calldata.
        if (offset >= <u64>load<u32>(frame, L.CALLDATA_LENGTH)) W.setNumber(sp - 32, 0)
        else W.readBytes(sp - 32, <usize>load<u32>(frame, L.CALLDATA) + <usize>offset)
        break
      }
      case 0x36:
        W.setNumber(sp, <u64>load<u32>(frame, L.CALLDATA_LENGTH))
        sp += 32
        break
      case 0x37:
      case 0x39: {
        const to = W.asIndex(sp - 32)
        const length = W.asIndex(sp - 96)
        gas = expand(frame, gas, to, length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        gas -= parameter(L.COPY_WORD_GAS) * wordsOf(length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
        const source: usize = opcode == 0x37 ? load<u32>(frame, L.CALLDATA) : load<u32>(frame, L.CODE)
        const size: u32 = opcode == 0x37 ? load<u32>(frame, L.CALLDATA_LENGTH) : load<u32>(frame, L.CODE_LENGTH)
        if (length != 0) copyPadded(start + <usize>to, source, <u64>size, W.asIndex(x), <usize>length)
        sp -= 96
        break
      }
      case 0x38:
        W.setNumber(sp, <u64>load<u32>(frame, L.CODE_LENGTH))
        sp += 32
        break
      case 0x3d:
        W.setNumber(sp, <u64>load<u32>(frame, L.RETURN_DATA_LENGTH))
        sp += 32
        break
      // RETURNDATACOPY: JavaScript has the data.
      case 0x3e: {
        const length = W.asIndex(sp - 96)
        if (W.asIndex(x) + length > <u64>load<u32>(frame, L.RETURN_DATA_LENGTH)) return fault(frame, gas, sp, opcode, L.OUT_OF_GAS)
        gas = expand(frame, gas, W.asIndex(sp - 32), length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        gas -= parameter(L.COPY_WORD_GAS) * wordsOf(length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
        sp -= 96
        if (COVERING && length != 0 && load<u32>(frame, L.RETURN_DATA) != 0) {
          const source = <usize>load<u32>(frame, L.RETURN_DATA) + <usize>W.asIndex(sp + 32)
          memory.copy(start + <usize>W.asIndex(sp + 64), source, <usize>length)
          break
        }
        if (length != 0) return leave(frame, gas, pc, sp, sp + 64, opcode)
        break
      }

      // Fields of the block and the transaction, cached by JavaScript.
      case 0x32:
      case 0x3a:
      case 0x41:
      case 0x42:
      case 0x43:
      case 0x44:
      case 0x45:
      case 0x46:
      case 0x48:
      case 0x4a: {
        const index = <usize>(opcode - L.ENVIRONMENT_FIRST)
        if (load<u8>(L.ENVIRONMENT_KNOWN + index) == 0) {
          // Executes the opcode again after JavaScript has cached its result.
          return leave(frame, gas + <i64>(entry & 0xffffffff), pc - 1, sp, sp, opcode)
        }
        W.copyWord(sp, L.ENVIRONMENT + (index << 5))
        sp += 32
        break
      }

      // State reads: BALANCE, EXTCODESIZE, EXTCODEHASH, BLOCKHASH, BLOBHASH.
      case 0x31:
      case 0x3b:
      case 0x3f:
      case 0x40:
      case 0x49:
        return leave(frame, gas, pc, sp, sp - 32, opcode)
      // SLOAD, TLOAD.
      case 0x54: {
        if (!S.isCaching()) return leave(frame, gas, pc, sp, sp - 32, opcode)
        const left = S.loadSlot(frame, sp - 32, gas)
        if (left < 0) return unfinished(frame, left, gas, <i64>(entry & 0xffffffff), pc, sp, sp, opcode)
        gas = left
        break
      }
      case 0x5c:
        if (S.isCaching() && S.loadTransient(frame, sp - 32) != S.UNCACHED) break
        return leave(frame, gas, pc, sp, sp - 32, opcode)
      // SELFBALANCE.
      case 0x47:
        return leave(frame, gas, pc, sp + 32, sp, opcode)
      // EXTCODECOPY.
      case 0x3c: {
        const length = W.asIndex(sp - 128)
        // JavaScript charges its static gas as well, so a fault has to tell whether that could be paid.
        const before = gas
        gas = expand(frame, gas, W.asIndex(x), length)
        if (gas < 0) return fault(frame, before, sp, opcode, memoryFault(gas))
        gas -= parameter(L.COPY_WORD_GAS) * wordsOf(length)
        if (gas < 0) return fault(frame, before, sp, opcode, L.OUT_OF_GAS)
        return leave(frame, gas, pc, sp - 128, sp - 32, opcode)
      }

      // POP, memory, control flow.
      case 0x50:
        sp -= 32
        break
      case 0x51: {
        const offset = W.asIndex(sp - 32)
        gas = expand(frame, gas, offset, 32)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        W.readBytes(sp - 32, start + <usize>offset)
        break
      }
      case 0x52: {
        const offset = W.asIndex(sp - 32)
        gas = expand(frame, gas, offset, 32)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        W.writeBytes(start + <usize>offset, x)
        sp -= 64
        break
      }
      case 0x53: {
        const offset = W.asIndex(sp - 32)
        gas = expand(frame, gas, offset, 1)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        store<u8>(start + <usize>offset, load<u8>(x))
        sp -= 64
        break
      }
      case 0x56: {
        const landing = landingOf(frame, W.asIndex(sp - 32))
        if (landing == 0) return leave(frame, gas, pc, sp, sp, L.INVALID_JUMP)
        // The destination of a jump that is not fused is often computed.
        if (COVERING) reach(coverage + (<u32>pc << 1) + (<u32>landing - load<u32>(frame, L.CODE)) * SPREAD)
        if (STEPPING) pc = landing - 1
        else {
          gas -= costOf(JUMPDEST)
          if (gas < 0) return fault(frame, gas, sp - 32, JUMPDEST, L.OUT_OF_GAS)
          pc = landing
        }
        sp -= 32
        if (--turn == 0) return leave(frame, gas, pc, sp, sp, L.PAUSED)
        break
      }
      case 0x57: {
        sp -= 64
        const isTaken = !W.isZero(sp)
        if (COVERING) reach(coverage + (<u32>pc << 1) + <u32>isTaken)
        if (!isTaken) break
        const landing = landingOf(frame, W.asIndex(sp + 32))
        if (landing == 0) return leave(frame, gas, pc, sp, sp, L.INVALID_JUMP)
        if (STEPPING) pc = landing - 1
        else {
          gas -= costOf(JUMPDEST)
          if (gas < 0) return fault(frame, gas, sp, JUMPDEST, L.OUT_OF_GAS)
          pc = landing
        }
        if (--turn == 0) return leave(frame, gas, pc, sp, sp, L.PAUSED)
        break
      }
      case 0x58:
        W.setNumber(sp, <u64>(pc - 1 - <usize>load<u32>(frame, L.CODE)))
        sp += 32
        break
      case 0x59:
        W.setNumber(sp, <u64>load<u32>(frame, L.MEMORY_SIZE))
        sp += 32
        break
      case 0x5a:
        // GAS as the operand of a call only forwards all gas, so it does not make the outcome depend on the gas.
        if (!isCall(load<u8>(pc))) store<u32>(frame, 1, L.GAS_READ)
        if (load<u32>(frame, L.HAS_SURPLUS) != 0) return leave(frame, gas, pc, sp + 32, sp, opcode)
        W.setNumber(sp, <u64>gas)
        sp += 32
        break
      case 0x5b:
        break
      // MCOPY.
      case 0x5e: {
        const to = W.asIndex(sp - 32)
        const from = W.asIndex(x)
        const length = W.asIndex(sp - 96)
        gas = expand(frame, gas, max(to, from), length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        gas -= parameter(L.COPY_WORD_GAS) * wordsOf(length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
        if (length != 0) memory.copy(start + <usize>to, start + <usize>from, <usize>length)
        sp -= 96
        break
      }

      // PUSH0 to PUSH32. Zeros follow the code.
      case 0x5f:
        W.setNumber(sp, 0)
        sp += 32
        break
      case 0x60:
        W.setNumber(sp, <u64>load<u8>(pc))
        sp += 32
        pc += 1
        break
      case 0x61: {
        const number = (<u64>load<u8>(pc) << 8) | <u64>load<u8>(pc, 1)
        const next = <u32>load<u8>(pc, 2)
        pc += 2
        // Fuses a PUSH with its jump: most jumps have a constant destination.
        if (!STEPPING && (next == JUMP || (next == JUMPI && height >= 32)) && gas >= costOf(next)) {
          gas -= costOf(next)
          pc++
          if (next == JUMPI) {
            sp -= 32
            const isTaken = !W.isZero(sp)
            if (COVERING) reach(coverage + (<u32>pc << 1) + <u32>isTaken)
            if (!isTaken) break
          }
          const landing = landingOf(frame, number)
          if (landing == 0) return leave(frame, gas, pc, sp, sp, L.INVALID_JUMP)
          gas -= costOf(JUMPDEST)
          if (gas < 0) return fault(frame, gas, sp, JUMPDEST, L.OUT_OF_GAS)
          pc = landing
          if (--turn == 0) return leave(frame, gas, pc, sp, sp, L.PAUSED)
          break
        }
        W.setNumber(sp, number)
        sp += 32
        break
      }
      case 0x62:
      case 0x63:
      case 0x64:
      case 0x65:
      case 0x66:
      case 0x67: {
        const length = <usize>(opcode - 0x5f)
        W.setNumber(sp, bswap(load<u64>(pc)) >> (64 - (<u64>length << 3)))
        sp += 32
        pc += length
        break
      }
      case 0x68:
      case 0x69:
      case 0x6a:
      case 0x6b:
      case 0x6c:
      case 0x6d:
      case 0x6e:
      case 0x6f:
      case 0x70:
      case 0x71:
      case 0x72:
      case 0x73:
      case 0x74:
      case 0x75:
      case 0x76:
      case 0x77:
      case 0x78:
      case 0x79:
      case 0x7a:
      case 0x7b:
      case 0x7c:
      case 0x7d:
      case 0x7e:
      case 0x7f: {
        const length = opcode - 0x5f
        W.readImmediate(sp, pc, <i32>length)
        sp += 32
        pc += <usize>length
        break
      }

      // DUP1 to DUP16.
      case 0x80:
      case 0x81:
      case 0x82:
      case 0x83:
      case 0x84:
      case 0x85:
      case 0x86:
      case 0x87:
      case 0x88:
      case 0x89:
      case 0x8a:
      case 0x8b:
      case 0x8c:
      case 0x8d:
      case 0x8e:
      case 0x8f:
        W.copyWord(sp, sp - (<usize>(opcode - 0x7f) << 5))
        sp += 32
        break

      // SWAP1 to SWAP16.
      case 0x90:
      case 0x91:
      case 0x92:
      case 0x93:
      case 0x94:
      case 0x95:
      case 0x96:
      case 0x97:
      case 0x98:
      case 0x99:
      case 0x9a:
      case 0x9b:
      case 0x9c:
      case 0x9d:
      case 0x9e:
      case 0x9f: {
        const top = sp - 32
        const other = top - (<usize>(opcode - 0x8f) << 5)
        const w0 = load<u64>(top)
        const w1 = load<u64>(top, 8)
        const w2 = load<u64>(top, 16)
        const w3 = load<u64>(top, 24)
        W.copyWord(top, other)
        W.setWord(other, w0, w1, w2, w3)
        break
      }

      // State changes. The order of the checks is that of @ethereumjs.
      case 0x55:
        if (load<u32>(frame, L.IS_STATIC) != 0) return fault(frame, gas, sp, opcode, L.STATIC_STATE_CHANGE)
        if (height < 64) return fault(frame, gas, sp, opcode, L.STACK_UNDERFLOW)
        if (gas <= parameter(L.SSTORE_SENTRY)) return fault(frame, gas, sp, opcode, L.OUT_OF_GAS)
        if (S.isCaching()) {
          const left = S.storeSlot(frame, x, gas)
          if (left < 0) return unfinished(frame, left, gas, <i64>(entry & 0xffffffff), pc, sp, x, opcode)
          gas = left
          sp = x
          break
        }
        return leave(frame, gas, pc, x, sp - 32, opcode)
      case 0x5d:
        if (load<u32>(frame, L.IS_STATIC) != 0) return fault(frame, gas, sp, opcode, L.STATIC_STATE_CHANGE)
        if (height < 64) return fault(frame, gas, sp, opcode, L.STACK_UNDERFLOW)
        if (S.isCaching()) {
          const slot = S.storeTransient(frame, x)
          if (slot == S.MISS) return unfinished(frame, S.MISSING, gas, <i64>(entry & 0xffffffff), pc, sp, x, opcode)
          if (slot != S.UNCACHED) {
            sp = x
            break
          }
        }
        return leave(frame, gas, pc, x, sp - 32, opcode)
      case 0xa0:
      case 0xa1:
      case 0xa2:
      case 0xa3:
      case 0xa4: {
        if (load<u32>(frame, L.IS_STATIC) != 0) return fault(frame, gas, sp, opcode, L.STATIC_STATE_CHANGE)
        if (height < 64) return fault(frame, gas, sp, opcode, L.STACK_UNDERFLOW)
        const topics = opcode - 0xa0
        const length = W.asIndex(x)
        gas = expand(frame, gas, W.asIndex(sp - 32), length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        gas -= parameter(L.LOG_GAS) + parameter(L.LOG_TOPIC_GAS) * <i64>topics
        gas -= parameter(L.LOG_BYTE_GAS) * <i64>length
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
        if (height < 64 + (topics << 5)) return fault(frame, PARTLY_CHARGED, sp, opcode, L.STACK_UNDERFLOW)
        return leave(frame, gas, pc, x - (<usize>topics << 5), sp - 32, opcode)
      }
      // CREATE, CREATE2.
      case 0xf0:
      case 0xf5: {
        store<f64>(frame, <f64>gas, L.MESSAGE_GAS)
        if (load<u32>(frame, L.IS_STATIC) != 0) return fault(frame, gas, sp, opcode, L.STATIC_STATE_CHANGE)
        gas = expand(frame, gas, W.asIndex(x), W.asIndex(sp - 96))
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        return leave(frame, gas, pc, opcode == 0xf0 ? sp - 64 : sp - 96, sp - 32, opcode)
      }
      // CALL, CALLCODE.
      case 0xf1:
      case 0xf2: {
        store<f64>(frame, <f64>gas, L.MESSAGE_GAS)
        if (opcode == 0xf1 && load<u32>(frame, L.IS_STATIC) != 0 && !W.isZero(sp - 96)) return fault(frame, gas, sp, opcode, L.STATIC_STATE_CHANGE)
        gas = expand(frame, gas, W.asIndex(sp - 128), W.asIndex(sp - 160))
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        gas = expand(frame, gas, W.asIndex(sp - 192), W.asIndex(sp - 224))
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        if (COVERING) {
          const next = C.begin(frame, gas, pc, sp, opcode)
          if (next == C.UNCHECKED) return leave(frame, gas + <i64>(entry & 0xffffffff), pc - 1, sp, sp, L.UNCHECKED)
          if (next == C.TOO_EXPENSIVE) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
          if (next != C.REFUSED) {
            frame = next
            gas = <i64>load<f64>(frame, L.GAS)
            pc = load<u32>(frame, L.PROGRAM_COUNTER)
            sp = frame + L.STACK
            bottom = sp
            start = load<u32>(frame, L.MEMORY)
            coverage = load<u32>(frame, L.COVERAGE)
            break
          }
        }
        return leave(frame, gas, pc, sp - 192, sp - 32, opcode)
      }
      // DELEGATECALL, STATICCALL.
      case 0xf4:
      case 0xfa: {
        store<f64>(frame, <f64>gas, L.MESSAGE_GAS)
        gas = expand(frame, gas, W.asIndex(sp - 96), W.asIndex(sp - 128))
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        gas = expand(frame, gas, W.asIndex(sp - 160), W.asIndex(sp - 192))
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        if (COVERING) {
          const next = C.begin(frame, gas, pc, sp, opcode)
          if (next == C.UNCHECKED) return leave(frame, gas + <i64>(entry & 0xffffffff), pc - 1, sp, sp, L.UNCHECKED)
          if (next == C.TOO_EXPENSIVE) return fault(frame, PARTLY_CHARGED, sp, opcode, L.OUT_OF_GAS)
          if (next != C.REFUSED) {
            frame = next
            gas = <i64>load<f64>(frame, L.GAS)
            pc = load<u32>(frame, L.PROGRAM_COUNTER)
            sp = frame + L.STACK
            bottom = sp
            start = load<u32>(frame, L.MEMORY)
            coverage = load<u32>(frame, L.COVERAGE)
            break
          }
        }
        return leave(frame, gas, pc, sp - 160, sp - 32, opcode)
      }
      // RETURN, REVERT.
      case 0xf3:
      case 0xfd: {
        const offset = W.asIndex(sp - 32)
        const length = W.asIndex(x)
        gas = expand(frame, gas, offset, length)
        if (gas < 0) return fault(frame, PARTLY_CHARGED, sp, opcode, memoryFault(gas))
        store<u32>(frame, <u32>offset, L.OUTPUT)
        store<u32>(frame, <u32>length, L.OUTPUT_LENGTH)
        const reason = opcode == 0xf3 ? L.RETURNED : L.REVERTED
        if (COVERING) {
          const caller = C.end(frame, gas, reason)
          if (caller != 0) {
            frame = caller
            gas = <i64>load<f64>(frame, L.GAS)
            pc = load<u32>(frame, L.PROGRAM_COUNTER)
            sp = load<u32>(frame, L.STACK_POINTER)
            bottom = frame + L.STACK
            start = load<u32>(frame, L.MEMORY)
            coverage = load<u32>(frame, L.COVERAGE)
            break
          }
        }
        return leave(frame, gas, pc, sp, sp, reason)
      }
      // SELFDESTRUCT.
      case 0xff:
        if (load<u32>(frame, L.IS_STATIC) != 0) return fault(frame, gas, sp, opcode, L.STATIC_STATE_CHANGE)
        if (height < 32) return fault(frame, gas, sp, opcode, L.STACK_UNDERFLOW)
        return leave(frame, gas, pc, sp - 32, sp - 32, opcode)

      default:
        return L.INVALID_OPCODE
    }
  }
  // Unreachable, but the compiler requires a return.
  return L.STOPPED
}
