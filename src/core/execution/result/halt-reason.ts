// Reasons of exceptional halts and reverts, in geth's words (core/vm/errors.go).

import type { EVMError } from '@ethereumjs/evm'

const INVALID_JUMP = 'invalid JUMP'

/** Error of @ethereumjs → geth's. Literals, because the library only loads with the first EVM instance. */
const GETH_REASONS: Readonly<Record<string, string>> = {
  revert: 'execution reverted',
  'out of gas': 'out of gas',
  'code store out of gas': 'contract creation code storage out of gas',
  'code size to deposit exceeds maximum code size': 'max code size exceeded',
  'initcode exceeds max initcode size': 'max initcode size exceeded',
  'invalid bytecode deployed': 'invalid code: must not begin with 0xef',
  [INVALID_JUMP]: 'invalid jump destination',
  'invalid opcode': 'invalid opcode: INVALID',
  'static state change': 'write protection',
  'value out of range': 'return data out of bounds',
  'create collision': 'contract address collision',
  'insufficient balance': 'insufficient balance for transfer',
  // Of BLS12-381, whose points @ethereumjs calls so if bytes before a coordinate are not zero.
  'point not on curve': 'invalid field element top bytes',
  'input is empty': 'invalid input length',
}

export function haltReason({ error }: EVMError): string {
  // The only error to which @ethereumjs appends a position.
  const kind = error.startsWith(INVALID_JUMP) ? INVALID_JUMP : error
  return GETH_REASONS[kind] ?? error
}
