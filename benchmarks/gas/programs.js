// @ts-check
// Programs that spend all their gas on one thing.

import { assemble } from './assemble.js'
import { precompiles } from './precompiles.js'

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string} hardfork a fork in which it is cheap
 * @property {string} code in hex
 * @property {string} [data] calldata, in hex
 */

const MOST = `0x${'ff'.repeat(32)}`
/** Increments the number on the stack and copies it. */
const NEXT = '1 ADD DUP1'
/** Memory: init code that returns 24,576 zeros, `PUSH2 0x6000 PUSH1 0 RETURN`. */
const DEPLOY_ZEROS = '0x6160006000f3 208 SHL 0 MSTORE'
/** Memory: init code that destroys its contract, `ADDRESS SELFDESTRUCT`. */
const DESTROY_ITSELF = '0x30ff 240 SHL 0 MSTORE'

/** @type {readonly (readonly [name: string, source: string])[]} */
const PATTERNS = [
  ['JUMPDEST PUSH JUMP', 'LOOP'],
  ['EXP, 32 bytes', `LOOP ${MOST} ${MOST} EXP POP`],
  ['MULMOD', `LOOP ${MOST} ${MOST} ${MOST} MULMOD POP`],
  ['SDIV', `LOOP 3 ${MOST} SDIV POP`],
  ['KECCAK256, nothing', 'LOOP 0 0 KECCAK256 POP'],
  ['KECCAK256, 136 bytes', 'LOOP 136 0 KECCAK256 POP'],
  ['KECCAK256, 64 kB', 'LOOP 65536 0 KECCAK256 POP'],
  ['MCOPY, 1 MB', 'LOOP 1000000 0 1 MCOPY'],
  ['CALLDATACOPY, 1 MB', 'LOOP 1000000 0 0 CALLDATACOPY'],
  ['MSTORE, growing memory', '0 LOOP 4096 ADD DUP1 DUP1 MSTORE'],
  ['TLOAD, new slots', `0 LOOP ${NEXT} TLOAD POP`],
  ['TLOAD, one slot', 'LOOP 1 TLOAD POP'],
  ['TSTORE, new slots', `0 LOOP ${NEXT} DUP1 TSTORE`],
  ['TSTORE, one slot', 'LOOP 1 1 TSTORE'],
  ['SLOAD, new slots', `0 LOOP ${NEXT} SLOAD POP`],
  ['SLOAD, one slot', 'LOOP 1 SLOAD POP'],
  ['SSTORE, new slots', `0 LOOP ${NEXT} DUP1 SSTORE`],
  ['SSTORE, one slot', `0 LOOP ${NEXT} 1 SSTORE`],
  ['SSTORE, same value', 'LOOP 0 1 SSTORE'],
  ['BALANCE, new accounts', `0 LOOP ${NEXT} BALANCE POP`],
  ['BALANCE, own account', 'LOOP ADDRESS BALANCE POP'],
  ['SELFBALANCE', 'LOOP SELFBALANCE POP'],
  ['EXTCODESIZE', 'LOOP ADDRESS EXTCODESIZE POP'],
  ['EXTCODEHASH', 'LOOP ADDRESS EXTCODEHASH POP'],
  ['EXTCODECOPY, 24 kB', 'LOOP 24576 0 0 ADDRESS EXTCODECOPY'],
  ['BLOCKHASH', 'LOOP NUMBER BLOCKHASH POP'],
  ['LOG0, nothing', 'LOOP 0 0 LOG0'],
  ['LOG4, nothing', 'LOOP 1 2 3 4 0 0 LOG4'],
  ['LOG0, 8 kB', 'LOOP 8192 0 LOG0'],
  ['CREATE, nothing', 'LOOP 0 0 0 CREATE POP'],
  ['CREATE, 48 kB of init code', 'LOOP 49152 0 0 CREATE POP'],
  ['CREATE, 24 kB of code', `${DEPLOY_ZEROS} LOOP 6 0 0 CREATE POP`],
  ['CREATE2, nothing', `0 LOOP ${NEXT} 0 0 0 CREATE2 POP`],
  ['CREATE and SELFDESTRUCT', `${DESTROY_ITSELF} LOOP 2 0 0 CREATE POP`],
  ['STATICCALL, no code', 'LOOP 0 0 0 0 0x1234 GAS STATICCALL POP'],
  ['STATICCALL, new accounts', `0 LOOP ${NEXT} 0 0 0 0 0x123400 SWAP4 POP GAS STATICCALL POP`],
  ['CALL with value, one account', 'LOOP 0 0 0 0 1 0x1234 GAS CALL POP'],
  ['DELEGATECALL, 64 kB in and out', 'LOOP 65536 0 65536 0 4 GAS DELEGATECALL POP'],
  ['RETURNDATACOPY, 64 kB', '0 0 65536 0 4 GAS STATICCALL POP LOOP 65536 0 0 RETURNDATACOPY'],
  ['CALL of itself, as deep as gas lasts', '0 0 0 0 0 ADDRESS GAS CALL'],
  ['CALL of itself, 2 each time', '0 0 0 0 0 ADDRESS 30000 CALL 0 0 0 0 0 ADDRESS GAS CALL'],
]

/** @returns {Program[]} */
export function allPrograms() {
  return [
    ...precompiles(),
    ...PATTERNS.map(([name, source]) => ({ name, hardfork: 'prague', code: assemble(source) })),
  ]
}
