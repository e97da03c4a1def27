// @ts-check
// Instruction set of each fork, from the yellow paper and the EIPs. Independent of the tested interpreters.

/** Hardforks in order. */
export const FORKS = /** @type {const} */ ([
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
])

/** @typedef {typeof FORKS[number]} Fork */

/** @param {Fork} fork @param {Fork} since */
export function isSince(fork, since) {
  return FORKS.indexOf(fork) >= FORKS.indexOf(since)
}

/**
 * The purpose of an operand, which determines the values to try.
 * @typedef {'word' | 'shift' | 'byte' | 'exponent' | 'offset' | 'size' | 'source' | 'slot' | 'address' | 'gas' |
 *   'value' | 'topic' | 'block' | 'index' | 'salt' | 'target'} Operand
 * @typedef {object} Opcode
 * @property {number} code
 * @property {string} name
 * @property {readonly Operand[]} takes the top of the stack first
 * @property {number} leaves words on the stack
 * @property {Fork} since
 */

/** Code, name, operands (top of the stack first), number of results, fork. */
const ROWS = /** @type {const} */ ([
  [0x00, 'STOP', '', 0, 'chainstart'],
  [0x01, 'ADD', 'word word', 1, 'chainstart'],
  [0x02, 'MUL', 'word word', 1, 'chainstart'],
  [0x03, 'SUB', 'word word', 1, 'chainstart'],
  [0x04, 'DIV', 'word word', 1, 'chainstart'],
  [0x05, 'SDIV', 'word word', 1, 'chainstart'],
  [0x06, 'MOD', 'word word', 1, 'chainstart'],
  [0x07, 'SMOD', 'word word', 1, 'chainstart'],
  [0x08, 'ADDMOD', 'word word word', 1, 'chainstart'],
  [0x09, 'MULMOD', 'word word word', 1, 'chainstart'],
  [0x0a, 'EXP', 'word exponent', 1, 'chainstart'],
  [0x0b, 'SIGNEXTEND', 'byte word', 1, 'chainstart'],
  [0x10, 'LT', 'word word', 1, 'chainstart'],
  [0x11, 'GT', 'word word', 1, 'chainstart'],
  [0x12, 'SLT', 'word word', 1, 'chainstart'],
  [0x13, 'SGT', 'word word', 1, 'chainstart'],
  [0x14, 'EQ', 'word word', 1, 'chainstart'],
  [0x15, 'ISZERO', 'word', 1, 'chainstart'],
  [0x16, 'AND', 'word word', 1, 'chainstart'],
  [0x17, 'OR', 'word word', 1, 'chainstart'],
  [0x18, 'XOR', 'word word', 1, 'chainstart'],
  [0x19, 'NOT', 'word', 1, 'chainstart'],
  [0x1a, 'BYTE', 'byte word', 1, 'chainstart'],
  [0x1b, 'SHL', 'shift word', 1, 'constantinople'],
  [0x1c, 'SHR', 'shift word', 1, 'constantinople'],
  [0x1d, 'SAR', 'shift word', 1, 'constantinople'],
  [0x1e, 'CLZ', 'word', 1, 'osaka'],
  [0x20, 'KECCAK256', 'offset size', 1, 'chainstart'],
  [0x30, 'ADDRESS', '', 1, 'chainstart'],
  [0x31, 'BALANCE', 'address', 1, 'chainstart'],
  [0x32, 'ORIGIN', '', 1, 'chainstart'],
  [0x33, 'CALLER', '', 1, 'chainstart'],
  [0x34, 'CALLVALUE', '', 1, 'chainstart'],
  [0x35, 'CALLDATALOAD', 'source', 1, 'chainstart'],
  [0x36, 'CALLDATASIZE', '', 1, 'chainstart'],
  [0x37, 'CALLDATACOPY', 'offset source size', 0, 'chainstart'],
  [0x38, 'CODESIZE', '', 1, 'chainstart'],
  [0x39, 'CODECOPY', 'offset source size', 0, 'chainstart'],
  [0x3a, 'GASPRICE', '', 1, 'chainstart'],
  [0x3b, 'EXTCODESIZE', 'address', 1, 'chainstart'],
  [0x3c, 'EXTCODECOPY', 'address offset source size', 0, 'chainstart'],
  [0x3d, 'RETURNDATASIZE', '', 1, 'byzantium'],
  [0x3e, 'RETURNDATACOPY', 'offset source size', 0, 'byzantium'],
  [0x3f, 'EXTCODEHASH', 'address', 1, 'constantinople'],
  [0x40, 'BLOCKHASH', 'block', 1, 'chainstart'],
  [0x41, 'COINBASE', '', 1, 'chainstart'],
  [0x42, 'TIMESTAMP', '', 1, 'chainstart'],
  [0x43, 'NUMBER', '', 1, 'chainstart'],
  [0x44, 'PREVRANDAO', '', 1, 'chainstart'],
  [0x45, 'GASLIMIT', '', 1, 'chainstart'],
  [0x46, 'CHAINID', '', 1, 'istanbul'],
  [0x47, 'SELFBALANCE', '', 1, 'istanbul'],
  [0x48, 'BASEFEE', '', 1, 'london'],
  [0x49, 'BLOBHASH', 'index', 1, 'cancun'],
  [0x4a, 'BLOBBASEFEE', '', 1, 'cancun'],
  [0x50, 'POP', 'word', 0, 'chainstart'],
  [0x51, 'MLOAD', 'offset', 1, 'chainstart'],
  [0x52, 'MSTORE', 'offset word', 0, 'chainstart'],
  [0x53, 'MSTORE8', 'offset word', 0, 'chainstart'],
  [0x54, 'SLOAD', 'slot', 1, 'chainstart'],
  [0x55, 'SSTORE', 'slot word', 0, 'chainstart'],
  [0x56, 'JUMP', 'target', 0, 'chainstart'],
  [0x57, 'JUMPI', 'target word', 0, 'chainstart'],
  [0x58, 'PC', '', 1, 'chainstart'],
  [0x59, 'MSIZE', '', 1, 'chainstart'],
  [0x5a, 'GAS', '', 1, 'chainstart'],
  [0x5b, 'JUMPDEST', '', 0, 'chainstart'],
  [0x5c, 'TLOAD', 'slot', 1, 'cancun'],
  [0x5d, 'TSTORE', 'slot word', 0, 'cancun'],
  [0x5e, 'MCOPY', 'offset offset size', 0, 'cancun'],
  [0x5f, 'PUSH0', '', 1, 'shanghai'],
  [0xa0, 'LOG0', 'offset size', 0, 'chainstart'],
  [0xa1, 'LOG1', 'offset size topic', 0, 'chainstart'],
  [0xa2, 'LOG2', 'offset size topic topic', 0, 'chainstart'],
  [0xa3, 'LOG3', 'offset size topic topic topic', 0, 'chainstart'],
  [0xa4, 'LOG4', 'offset size topic topic topic topic', 0, 'chainstart'],
  [0xf0, 'CREATE', 'value offset size', 1, 'chainstart'],
  [0xf1, 'CALL', 'gas address value offset size offset size', 1, 'chainstart'],
  [0xf2, 'CALLCODE', 'gas address value offset size offset size', 1, 'chainstart'],
  [0xf3, 'RETURN', 'offset size', 0, 'chainstart'],
  [0xf4, 'DELEGATECALL', 'gas address offset size offset size', 1, 'homestead'],
  [0xf5, 'CREATE2', 'value offset size salt', 1, 'constantinople'],
  [0xfa, 'STATICCALL', 'gas address offset size offset size', 1, 'byzantium'],
  [0xfd, 'REVERT', 'offset size', 0, 'byzantium'],
  [0xfe, 'INVALID', '', 0, 'chainstart'],
  [0xff, 'SELFDESTRUCT', 'address', 0, 'chainstart'],
])

/** @typedef {typeof ROWS[number][1]} OpcodeName */

/** @type {readonly Opcode[]} */
export const OPCODES = ROWS.map(([code, name, takes, leaves, since]) => ({
  code,
  name,
  takes: /** @type {Operand[]} */ (takes.split(' ').filter((operand) => operand !== '')),
  leaves,
  since,
}))

const byName = new Map(OPCODES.map((opcode) => [opcode.name, opcode]))
const byCode = new Map(OPCODES.map((opcode) => [opcode.code, opcode]))

/** @param {OpcodeName} name @returns {Opcode} */
export function opcode(name) {
  return /** @type {Opcode} */ (byName.get(name))
}

/** The byte of an instruction. @param {OpcodeName} name */
export function code(name) {
  return opcode(name).code
}

/** @param {Fork} fork @param {OpcodeName} name */
export function isOffered(fork, name) {
  return isSince(fork, opcode(name).since)
}

export const PUSH1 = 0x60
export const DUP1 = 0x80
export const SWAP1 = 0x90

/** The bytes without an instruction in a fork. @param {Fork} fork @returns {readonly number[]} */
export function undefinedBytes(fork) {
  const isPushDupSwap = (/** @type {number} */ byte) => byte >= PUSH1 && byte < SWAP1 + 16
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => {
    const defined = byCode.get(byte)
    return !isPushDupSwap(byte) && (defined === undefined || !isSince(fork, defined.since))
  })
}

/** The name of a byte in code. @param {number} byte */
export function nameOf(byte) {
  if (byte >= PUSH1 && byte < DUP1) return `PUSH${byte - PUSH1 + 1}`
  if (byte >= DUP1 && byte < SWAP1) return `DUP${byte - DUP1 + 1}`
  if (byte >= SWAP1 && byte < SWAP1 + 16) return `SWAP${byte - SWAP1 + 1}`
  return byCode.get(byte)?.name ?? `UNDEFINED(0x${byte.toString(16).padStart(2, '0')})`
}
