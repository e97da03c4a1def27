// Where things are in linear memory. src/interpreter/layout.ts has the same numbers for JavaScript, and
// docs/interpreter.md a picture of them.

// What an instance has once: filled by JavaScript when it is made.

/** Eight bytes for each opcode: static gas (u32), the least stack in bytes (u16), how much more it may be (u16). */
export const OPCODES: usize = memory.data(256 * 8, 16)
/** The least stack of an opcode that the fork does not have. */
export const UNKNOWN: u32 = 0xffff

/** What else the fork says about gas: numbers of eight bytes at the offsets below. */
export const PARAMETERS: usize = memory.data(10 * 8, 16)
export const MEMORY_GAS: usize = 0
export const MEMORY_DIVISOR: usize = 8
export const KECCAK_WORD_GAS: usize = 16
export const COPY_WORD_GAS: usize = 24
export const EXP_BYTE_GAS: usize = 32
export const LOG_GAS: usize = 40
export const LOG_TOPIC_GAS: usize = 48
export const LOG_BYTE_GAS: usize = 56
/** SSTORE fails where no more gas than this is left (EIP-2200); minus one where the fork knows no such thing. */
export const SSTORE_SENTRY: usize = 64

/** Words of the block and the transaction, by opcode from ENVIRONMENT_FIRST on, and a byte each: is it there? */
export const ENVIRONMENT: usize = memory.data(32 * 32, 16)
export const ENVIRONMENT_KNOWN: usize = memory.data(32, 16)
export const ENVIRONMENT_FIRST: u32 = 0x30

// What each frame has: offsets from its start. Numbers that JavaScript reads are u32, but gas, which is exact below
// 2^53 as a double, and so costs it no bigint.

export const GAS: usize = 0
export const MEMORY_COST: usize = 8
export const PROGRAM_COUNTER: usize = 16
export const STACK_POINTER: usize = 20
/** The first operand of the opcode that JavaScript is asked for; the others are below it. */
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
/** What RETURN and REVERT give back: offset and length in the frame's memory. */
export const OUTPUT: usize = 64
export const OUTPUT_LENGTH: usize = 68
/** Whether the code has seen how much gas there is. */
export const GAS_READ: usize = 72
export const ADDRESS: usize = 96
export const CALLER: usize = 128
export const CALL_VALUE: usize = 160
/** 1024 words. */
export const STACK: usize = 192

// Why `run` returns. Anything else is the opcode that JavaScript is asked for.

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
/** The turn is over: a run that never returned would never get into the code that the engine has optimised since. */
export const PAUSED: i32 = 10
