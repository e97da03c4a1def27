// @ts-check
// A small assembler: opcodes by name, and numbers, which are pushed. `LOOP` marks where the program jumps back to at its
// end.

/** @type {Readonly<Record<string, number>>} */
const OPCODES = {
  ...{ MUL: 0x02, SDIV: 0x05, MULMOD: 0x09, EXP: 0x0a, ADD: 0x01, SHL: 0x1b, KECCAK256: 0x20 },
  ...{ ADDRESS: 0x30, BALANCE: 0x31, CALLDATASIZE: 0x36, CALLDATACOPY: 0x37, EXTCODESIZE: 0x3b },
  ...{ EXTCODECOPY: 0x3c, RETURNDATACOPY: 0x3e, EXTCODEHASH: 0x3f, BLOCKHASH: 0x40, NUMBER: 0x43 },
  ...{ SELFBALANCE: 0x47, POP: 0x50, MSTORE: 0x52, SLOAD: 0x54, SSTORE: 0x55, JUMP: 0x56, GAS: 0x5a },
  ...{ LOOP: 0x5b, TLOAD: 0x5c, TSTORE: 0x5d, MCOPY: 0x5e, DUP1: 0x80, SWAP4: 0x93, LOG0: 0xa0, LOG4: 0xa4 },
  ...{ CREATE: 0xf0, CALL: 0xf1, RETURN: 0xf3, DELEGATECALL: 0xf4, CREATE2: 0xf5, STATICCALL: 0xfa },
  ...{ SELFDESTRUCT: 0xff },
}

/** @param {bigint | number | string} value @param {number} bytes */
export function toWord(value, bytes = 32) {
  return BigInt(value)
    .toString(16)
    .padStart(2 * bytes, '0')
}

/** Without PUSH0, so that it runs under old forks. @param {string} token */
function push(token) {
  const digits = BigInt(token).toString(16)
  const bytes = Math.ceil(digits.length / 2)
  return toWord(0x5f + bytes, 1) + digits.padStart(2 * bytes, '0')
}

/** The code in hex. @param {string} source @returns {string} */
export function assemble(source) {
  let code = ''
  let start
  for (const token of source.trim().split(/\s+/)) {
    if (token === 'LOOP') start = code.length / 2
    const opcode = OPCODES[token]
    code += opcode === undefined ? push(token) : toWord(opcode, 1)
  }
  return start === undefined ? code : code + assemble(`${start} JUMP`)
}
