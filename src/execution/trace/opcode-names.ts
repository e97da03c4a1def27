// Names of opcodes, as geth prints them.

const BLOCKS: readonly (readonly [number, string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY'],
  [0x3a, 'GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
  [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE'],
  [0x49, 'BLOBHASH BLOBBASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0'],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
]

/** Opcodes with a number in their name: the first of them, how many, and the number of the first. */
const SERIES: readonly (readonly [number, string, number, number])[] = [
  [0x60, 'PUSH', 32, 1],
  [0x80, 'DUP', 16, 1],
  [0x90, 'SWAP', 16, 1],
  [0xa0, 'LOG', 5, 0],
]

const NAMES = new Map<number, string>([
  ...BLOCKS.flatMap(([first, names]) =>
    names.split(' ').map((name, offset) => [first + offset, name] as const),
  ),
  ...SERIES.flatMap(([first, name, count, from]) =>
    Array.from({ length: count }, (_, offset) => [first + offset, `${name}${from + offset}`] as const),
  ),
])

export function opcodeName(opcode: number): string {
  return NAMES.get(opcode) ?? `opcode 0x${opcode.toString(16)} not defined`
}
