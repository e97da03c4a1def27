// Why an execution failed, in geth's words (core/vm/errors.go).

import type { EVMError } from '@ethereumjs/evm'

const INVALID_JUMP = 'invalid JUMP'

/** By the words of @ethereumjs, spelled out because the library is loaded with the first EVM instance. */
const WORDS: Readonly<Record<string, string>> = {
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
}

export function failureWords({ error }: EVMError): string {
  // @ethereumjs adds to this one, and to no other, where in the code it was.
  const kind = error.startsWith(INVALID_JUMP) ? INVALID_JUMP : error
  return WORDS[kind] ?? error
}
