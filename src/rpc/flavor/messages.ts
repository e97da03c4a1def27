// Flavor messages: error texts of failed executions and of some refusals, as each emulator words them.
// Tests compare them. Error kind and revert data do not depend on the flavor.

import type { CustomErrors } from '../../execution/result/custom-errors.ts'
import { decodeRevert, type RevertReason } from '../../execution/result/revert-reason.ts'
import {
  ERROR_TABLE,
  type ErrorKind,
  reworded,
  type TickchainError,
  withData,
} from '../../primitives/errors.ts'
import { hexToBytes } from '../../primitives/hex.ts'
import type { Flavor } from './flavor.ts'

const VM_EXCEPTION = 'VM Exception while processing transaction:'

/** Solidity's panic codes in Hardhat's words. */
const HARDHAT_PANICS: Record<string, string> = {
  '1': 'Assertion error',
  '17': 'Arithmetic operation overflowed outside of an unchecked block',
  '18': 'Division or modulo division by zero',
  '33': 'Tried to convert a value into an enum, but the value was too big or negative',
  '34': 'Incorrectly encoded storage byte array',
  '49': '.pop() was called on an empty array',
  '50': 'Array accessed at an out-of-bounds or negative index',
  '65': 'Too much memory was allocated, or an array was created that is too large',
  '81': 'Called a zero-initialized variable of internal function type',
}

function hardhatRevert(reason: RevertReason, data: string): string {
  switch (reason.type) {
    case 'text':
      return `${VM_EXCEPTION} reverted with reason string '${reason.text}'`
    case 'panic': {
      const code = `0x${reason.code.toString(16)}`
      const name = HARDHAT_PANICS[reason.code.toString()]
      return name === undefined
        ? `${VM_EXCEPTION} reverted with unknown panic code ${code}`
        : `${VM_EXCEPTION} reverted with panic code ${code} (${name})`
    }
    case 'custom':
      return reason.decoded === undefined
        ? `${VM_EXCEPTION} reverted with an unrecognized custom error (return data: ${data})`
        : `${VM_EXCEPTION} reverted with custom error '${reason.decoded.text}'`
    case 'empty':
      return 'Transaction reverted without a reason string'
  }
}

/** Hardhat's messages, by geth's, that are not geth's with the prefix "VM Exception". */
const HARDHAT_HALTS: Record<string, string> = {
  'out of gas': 'Transaction ran out of gas',
  'invalid opcode: INVALID': `${VM_EXCEPTION} invalid opcode`,
  'max code size exceeded': 'Transaction reverted: trying to deploy a contract whose code is too large',
}

/** Hardhat answers any failed execution with the code of a revert; its test matchers expect that. */
const REVERT_CODE = 3

function withHardhatMessage(error: TickchainError, errors: CustomErrors): TickchainError {
  if (error.kind === 'reverted') {
    const { data = '0x' } = error
    return reworded(error, error.code, hardhatRevert(decodeRevert(hexToBytes(data), errors), data))
  }
  const words = HARDHAT_HALTS[error.message] ?? `${VM_EXCEPTION} ${error.message}`
  return withData(reworded(error, REVERT_CODE, words), '0x')
}

function withGanacheMessage(error: TickchainError, errors: CustomErrors): TickchainError {
  if (error.kind === 'reverted') {
    const reason = decodeRevert(hexToBytes(error.data ?? '0x'), errors)
    const text =
      reason.type === 'custom' ? reason.decoded?.text : reason.type === 'text' ? reason.text : undefined
    return reworded(error, error.code, `${VM_EXCEPTION} revert${text === undefined ? '' : ` ${text}`}`)
  }
  const words = error.message === 'invalid opcode: INVALID' ? 'invalid opcode' : error.message
  return reworded(error, error.code, `${VM_EXCEPTION} ${words}`)
}

/** geth's message has no custom errors. A registered one takes the place of the revert reason. */
function withGethMessage(error: TickchainError, errors: CustomErrors): TickchainError {
  if (error.kind !== 'reverted' || errors.size === 0) return error
  const reason = decodeRevert(hexToBytes(error.data ?? '0x'), errors)
  if (reason.type !== 'custom' || reason.decoded === undefined) return error
  return reworded(error, error.code, ERROR_TABLE.reverted.message({ reason: reason.decoded.text }))
}

type Words = (message: string) => string

/** Other messages that differ from geth's. */
const REFUSALS: Readonly<Record<Flavor, Partial<Record<ErrorKind, Words>>>> = {
  anvil: {},
  hardhat: { unknownAccount: (message) => message.replace('unknown', 'Unknown') },
  ganache: { unknownAccount: () => 'sender account not recognized' },
}

/** An error with the message of a flavor, decoded with custom errors. anvil's messages are geth's. */
export function withFlavorMessage(
  flavor: Flavor,
  error: TickchainError,
  errors: CustomErrors,
): TickchainError {
  if (error.kind !== 'reverted' && error.kind !== 'executionFailed') {
    const words = REFUSALS[flavor][error.kind]
    return words === undefined ? error : reworded(error, error.code, words(error.message))
  }
  if (flavor === 'hardhat') return withHardhatMessage(error, errors)
  return flavor === 'ganache' ? withGanacheMessage(error, errors) : withGethMessage(error, errors)
}
