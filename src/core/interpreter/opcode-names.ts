// Names of opcodes, as geth has them.

function* numbered(name: string, first: number, count: number, from: number): Iterable<[number, string]> {
  for (let i = 0; i < count; i++) yield [first + i, `${name}${from + i}`]
}

function listed(first: number, names: string): [number, string][] {
  return names.split(' ').map((name, index) => [first + index, name])
}

const NAMES: ReadonlyMap<number, string> = new Map([
  ...listed(0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'),
  ...listed(0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'),
  ...listed(0x20, 'KECCAK256'),
  ...listed(0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY'),
  ...listed(0x38, 'CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY'),
  ...listed(0x3f, 'EXTCODEHASH BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID'),
  ...listed(0x47, 'SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE'),
  ...listed(0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST'),
  ...listed(0x5c, 'TLOAD TSTORE MCOPY'),
  ...numbered('PUSH', 0x5f, 33, 0),
  ...numbered('DUP', 0x80, 16, 1),
  ...numbered('SWAP', 0x90, 16, 1),
  ...numbered('LOG', 0xa0, 5, 0),
  ...listed(0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'),
  [0xfa, 'STATICCALL'],
  ...listed(0xfd, 'REVERT INVALID SELFDESTRUCT'),
])

const ALL = Array.from(
  { length: 256 },
  (_, opcode) => NAMES.get(opcode) ?? `opcode 0x${opcode.toString(16)} not defined`,
)

export function opcodeName(opcode: number): string {
  return ALL[opcode] as string
}
