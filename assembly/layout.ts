// Layout of linear memory. src/core/interpreter/layout.ts has the same numbers for JavaScript, docs/interpreter.md a
// picture.

// Tables of an instance, which JavaScript fills.

/** Eight bytes per opcode: static gas (u32), minimum stack height in bytes (u16), maximum minus minimum (u16). */
export const OPCODES: usize = memory.data(256 * 8, 16)
/** Minimum stack height of an opcode that the fork does not have. */
export const UNKNOWN: u32 = 0xffff

/** Other gas parameters of the fork: numbers of eight bytes at the offsets below. */
export const PARAMETERS: usize = memory.data(25 * 8, 16)
export const MEMORY_GAS: usize = 0
export const MEMORY_DIVISOR: usize = 8
export const KECCAK_WORD_GAS: usize = 16
export const COPY_WORD_GAS: usize = 24
export const EXP_BYTE_GAS: usize = 32
export const LOG_GAS: usize = 40
export const LOG_TOPIC_GAS: usize = 48
export const LOG_BYTE_GAS: usize = 56
/** SSTORE fails if no more gas than this is left (EIP-2200); -1 before istanbul. */
export const SSTORE_SENTRY: usize = 64
/** From EIP-2929 on: the first access of a slot. */
export const FIRST_READ: usize = 72
/**
 * SSTORE to a slot that is warm, and to one that is not, from EIP-2929 on: seven numbers each, in the order of NetCosts in
 * src/core/interpreter/storage-costs.ts. The first of a warm slot is the cost of SLOAD, too.
 */
export const STORE_WARM: usize = 80
export const STORE_COLD: usize = 136

/** The state of assembly/slots.ts. */
export const SLOTS_STATE: usize = memory.data(32, 16)

/** Cached words of block and transaction, by opcode from ENVIRONMENT_FIRST on, and a byte each whether it is cached. */
export const ENVIRONMENT: usize = memory.data(32 * 32, 16)
export const ENVIRONMENT_KNOWN: usize = memory.data(32, 16)
export const ENVIRONMENT_FIRST: u32 = 0x30

// Offsets in a frame. Numbers are u32 for JavaScript, except gas: an f64, which is exact below 2^53 and needs no
// bigint.

export const GAS: usize = 0
export const MEMORY_COST: usize = 8
export const PROGRAM_COUNTER: usize = 16
export const STACK_POINTER: usize = 20
/** Address of the first operand of the opcode for JavaScript; the others are below it. */
export const OPERAND: usize = 24
export const CODE: usize = 28
export const CODE_LENGTH: usize = 32
export const JUMP_TARGETS: usize = 36
export const CALLDATA: usize = 40
export const CALLDATA_LENGTH: usize = 44
export const RETURN_DATA_LENGTH: usize = 48
export const IS_STATIC: usize = 52
export const MEMORY: usize = 56
export const MEMORY_SIZE: usize = 60
/** Output of RETURN and REVERT: offset and length in the frame's memory. */
export const OUTPUT: usize = 64
export const OUTPUT_LENGTH: usize = 68
/** Whether code has read the remaining gas. */
export const GAS_READ: usize = 72
/** The opcode that needs state and with which the frame has failed; 0 otherwise. */
export const FAULT: usize = 76
/** Gas before the last opcode that sends a message; an f64. */
export const MESSAGE_GAS: usize = 80
/** The number of the account in assembly/slots.ts; 0 if it has none yet. */
export const OWNER: usize = 88
/** Whether the frame has more gas than GAS says. */
export const HAS_SURPLUS: usize = 92
export const ADDRESS: usize = 96
export const CALLER: usize = 128
export const CALL_VALUE: usize = 160
/** Refunds; an f64. */
export const REFUND: usize = 192
/** Gas at the start; an f64. */
export const LIMIT: usize = 200
/** The least gas at the start with which the frame's storage writes would have been the same; an f64. */
export const MINIMUM: usize = 208
/** In the build for coverage: the place of the code in the map of edges, less twice the code's address. */
export const COVERAGE: usize = 216
/** Of a frame that the module has begun (assembly/calls.ts): the frame that has called it; 0 of others. */
export const PARENT: usize = 220
export const DEPTH: usize = 224
/** The address of the output of the last call; 0 if JavaScript has it. */
export const RETURN_DATA: usize = 228
/** Of a frame that the module has begun: the length of the journal and the checkpoint before it, and the account. */
export const CHECKPOINT: usize = 232
export const OUTER_EPOCH: usize = 236
export const CALLEE: usize = 240
/** How many logs there were before it. */
export const LOGS_BEFORE: usize = 244
/** How many accounts had become warm in such frames before it. */
export const WARMED_BEFORE: usize = 248
/** 1024 words. */
export const STACK: usize = 256
export const STACK_SIZE: usize = 32768
/** Zeros after code and calldata. */
export const PADDING: usize = 40

// Results of `run`. Any other value is an opcode for JavaScript to execute.

export const STOPPED: i32 = 0
export const RETURNED: i32 = 1
export const REVERTED: i32 = 2
export const OUT_OF_GAS: i32 = 3
export const STACK_UNDERFLOW: i32 = 4
export const STACK_OVERFLOW: i32 = 5
export const INVALID_JUMP: i32 = 6
export const INVALID_OPCODE: i32 = 7
export const STATIC_STATE_CHANGE: i32 = 8
export const OUT_OF_MEMORY: i32 = 9
/** Returned at intervals, because engines switch to optimised code only when `run` is called again. */
export const PAUSED: i32 = 10
/** JavaScript has to look up the slot of `missed`, and to call `run` again. */
export const MISSING: i32 = 11
export const REFUND_EXHAUSTED: i32 = 12
/** JavaScript has to check the account of a call, and to call `run` again. */
export const UNCHECKED: i32 = 13
