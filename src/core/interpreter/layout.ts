// Layout of linear memory: the same numbers as in assembly/layout.ts, which describes them.

/** Offsets from the start of a frame. */
export const GAS = 0
export const MEMORY_COST = 8
export const PROGRAM_COUNTER = 16
export const STACK_POINTER = 20
export const OPERAND = 24
export const CODE = 28
export const CODE_LENGTH = 32
export const JUMP_TARGETS = 36
export const CALLDATA = 40
export const CALLDATA_LENGTH = 44
export const RETURN_DATA_LENGTH = 48
export const IS_STATIC = 52
export const MEMORY = 56
export const MEMORY_SIZE = 60
export const OUTPUT = 64
export const OUTPUT_LENGTH = 68
export const GAS_READ = 72
export const FAULT = 76
export const MESSAGE_GAS = 80
export const OWNER = 88
export const HAS_SURPLUS = 92
export const ADDRESS = 96
export const CALLER = 128
export const CALL_VALUE = 160
export const REFUND = 192
export const LIMIT = 200
export const MINIMUM = 208
export const COVERAGE = 216
export const PARENT = 220
export const DEPTH = 224
export const RETURN_DATA = 228
export const CHECKPOINT = 232
export const OUTER_EPOCH = 236
export const CALLEE = 240
export const LOGS_BEFORE = 244
export const WARMED_BEFORE = 248
export const STACK = 256

export const WORD = 32
export const STACK_SIZE = 1024 * WORD

/** Zeros after code and calldata, for a PUSH or CALLDATALOAD that reads past the end. */
export const PADDING = 40

/** Results of `run`; from FIRST_OPCODE on, the opcode for JavaScript to execute. */
export const STOPPED = 0
export const RETURNED = 1
export const REVERTED = 2
export const OUT_OF_GAS = 3
export const STACK_UNDERFLOW = 4
export const STACK_OVERFLOW = 5
export const INVALID_JUMP = 6
export const INVALID_OPCODE = 7
export const STATIC_STATE_CHANGE = 8
export const OUT_OF_MEMORY = 9
export const PAUSED = 10
export const MISSING = 11
export const REFUND_EXHAUSTED = 12
export const UNCHECKED = 13
export const FIRST_OPCODE = 0x20

/** Minimum stack height of an opcode that the fork does not have. */
export const UNKNOWN = 0xffff

export const ENVIRONMENT_FIRST = 0x30
