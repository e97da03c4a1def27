// The opcodes by which errors are told apart.

export const ISZERO = 0x15
export const LT = 0x10
export const CALLDATASIZE = 0x36
export const CODESIZE = 0x38
export const CODECOPY = 0x39
export const EXTCODESIZE = 0x3b
export const JUMPDEST = 0x5b
export const DUP1 = 0x80
export const CREATE = 0xf0
export const CALL = 0xf1
export const DELEGATECALL = 0xf4
export const CREATE2 = 0xf5
export const REVERT = 0xfd
export const INVALID = 0xfe
