// Why an execution failed, in geth's words (core/vm/errors.go).

import { EVMError } from '@ethereumjs/evm'

const { errorMessages } = EVMError

const WORDS: Record<string, string> = {
  [errorMessages.REVERT]: 'execution reverted',
  [errorMessages.OUT_OF_GAS]: 'out of gas',
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
  [errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [errorMessages.INVALID_JUMP]: 'invalid jump destination',
  [errorMessages.INVALID_OPCODE]: 'invalid opcode: INVALID',
  [errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [errorMessages.OUT_OF_RANGE]: 'return data out of bounds',
  [errorMessages.CREATE_COLLISION]: 'contract address collision',
  [errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
}

export function failureWords({ error }: EVMError): string {
  // @ethereumjs adds to this one, and to no other, where in the code it was.
  const kind = error.startsWith(errorMessages.INVALID_JUMP) ? errorMessages.INVALID_JUMP : error
  return WORDS[kind] ?? error
}
