// Error texts as each emulator words them; tests compare them. Kind and revert data do not depend on the flavor.

import type { CustomErrors } from '../../execution/result/console-log.ts'
import { decodeRevert, type RevertReason } from '../../execution/result/revert-reason.ts'
import type { ErrorRow } from '../../primitives/error-table.ts'
import * as errorOf from '../../primitives/errors.ts'
import { reworded, type TickchainError, withName } from '../../primitives/errors.ts'
import { hexToBytes } from '../../primitives/hex.ts'
import type { Flavor } from './flavor.ts'
import { HARDHAT_TABLE, INVALID_INPUT, INVALID_PARAMS } from './hardhat-messages.ts'

export const VM_EXCEPTION = 'VM Exception while processing transaction:'

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
  if (reason.type === 'empty') return NO_REASON
  if (reason.type === 'text') return `${VM_EXCEPTION} reverted with reason string '${reason.text}'`
  if (reason.type === 'panic') {
    const code = `0x${reason.code.toString(16)}`
    const name = HARDHAT_PANICS[reason.code.toString()]
    const known = name === undefined ? `unknown panic code ${code}` : `panic code ${code} (${name})`
    return `${VM_EXCEPTION} reverted with ${known}`
  }
  return reason.decoded === undefined
    ? `${VM_EXCEPTION} reverted with an unrecognized custom error (return data: ${data})`
    : `${VM_EXCEPTION} reverted with custom error '${reason.decoded.text}'`
}

/** Hardhat answers most failed executions with the code of a revert; its test matchers expect that. */
const REVERT_CODE = 3

export const NO_REASON = 'Transaction reverted without a reason string'

/** Hardhat's messages of exceptional halts, by geth's. It tells no other halt from an empty revert. */
const HARDHAT_HALTS: Readonly<Record<string, { readonly code: number; readonly words: string }>> = {
  'out of gas': { code: INVALID_INPUT, words: 'Transaction ran out of gas' },
  'invalid opcode': { code: REVERT_CODE, words: `${VM_EXCEPTION} invalid opcode` },
  'invalid opcode: INVALID': { code: REVERT_CODE, words: `${VM_EXCEPTION} invalid opcode` },
  'max code size exceeded': {
    code: REVERT_CODE,
    words: 'Transaction reverted: trying to deploy a contract whose code is too large',
  },
  'max initcode size exceeded': { code: INVALID_INPUT, words: 'create initcode size limit' },
}

function withHardhatMessage(error: TickchainError, errors: CustomErrors): TickchainError {
  if (error.kind === 'reverted') {
    const { data = '0x' } = error
    return reworded(error, error.code, hardhatRevert(decodeRevert(hexToBytes(data), errors), data))
  }
  const made = errorOf.madeOf(error)
  // It has Hardhat's words already.
  if (made === undefined) return error
  const { reason } = made.detail as errorOf.DetailOf<'executionFailed'>
  const { code, words } = HARDHAT_HALTS[reason] ?? { code: REVERT_CODE, words: NO_REASON }
  return errorOf.withData(reworded(error, code, words), '0x')
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

const GANACHE_TABLE: { readonly [Kind in errorOf.ErrorKind]?: ErrorRow<errorOf.DetailOf<Kind>> } = {
  unknownAccount: {
    code: errorOf.ERROR_TABLE.unknownAccount.code,
    message: () => 'sender account not recognized',
  },
}

type Table = { readonly [Kind in errorOf.ErrorKind]?: ErrorRow<never> }

/** Rows that take the place of geth's. */
const TABLES: Readonly<Record<Flavor, Table>> = { anvil: {}, hardhat: HARDHAT_TABLE, ganache: GANACHE_TABLE }

/** As Hardhat throws it. Its server passes on marked errors; every other is an internal one to it. */
function namedAsInHardhat(error: TickchainError): TickchainError {
  if (error.code === REVERT_CODE) return withName(error, 'SolidityError')
  if (error.kind === 'internalOutOfGas') return withName(error, 'InternalCallOutOfGasError')
  const named = withName(error, error.code === INVALID_PARAMS ? 'InvalidArgumentsError' : 'ProviderError')
  return Object.defineProperty(named, '_isProviderError', { value: true })
}

/** Hardhat's server sends an object, except for a revert: that has its return data, as for geth. */
export function errorDataOf(flavor: Flavor, { code, message, data, transactionHash }: TickchainError) {
  if (flavor !== 'hardhat' || code === REVERT_CODE) return data
  return {
    message,
    ...(transactionHash === undefined ? {} : { txHash: transactionHash }),
    ...(data === undefined ? {} : { data }),
  }
}

interface Explanation {
  /** Says more than the return data; `undefined` if nothing does. */
  readonly sentence: string | undefined
  /** Hardhat's message; `undefined` if it is made of the return data. */
  readonly hardhatMessage: string | undefined
}

const EXPLANATIONS = new WeakMap<TickchainError, Explanation>()

export function explain(error: TickchainError, explanation: Explanation): TickchainError {
  EXPLANATIONS.set(error, explanation)
  return error
}

/** The end of a message that says no more than that something reverted. */
const BARE = /\brevert(ed)?$/

function withSentence(flavor: Flavor, error: TickchainError, { sentence, hardhatMessage }: Explanation) {
  const { code, message } = error
  if (flavor === 'hardhat') {
    // Hardhat has a code and words of its own for what ran out of gas.
    const isReplaced = hardhatMessage !== undefined && code === errorOf.ERROR_TABLE.reverted.code
    return isReplaced ? reworded(error, code, hardhatMessage) : error
  }
  if (sentence === undefined || !BARE.test(message)) return error
  return reworded(error, code, `${message}${flavor === 'ganache' ? '' : ':'} ${sentence}`)
}

function wordedIn(flavor: Flavor, error: TickchainError, errors: CustomErrors): TickchainError {
  const { kind, code } = error
  if (kind !== 'reverted' && kind !== 'executionFailed') {
    const { [kind]: row } = TABLES[flavor]
    const made = errorOf.madeOf(error)
    if (row === undefined || made === undefined) return error
    return reworded(error, row.code, row.message(made.detail as never))
  }
  if (flavor === 'hardhat') return withHardhatMessage(error, errors)
  if (flavor === 'ganache') return withGanacheMessage(error, errors)
  // geth's message has no custom errors. A registered one takes the place of the revert reason.
  if (kind !== 'reverted' || errors.size === 0) return error
  const reason = decodeRevert(hexToBytes(error.data ?? '0x'), errors)
  if (reason.type !== 'custom' || reason.decoded === undefined) return error
  return reworded(error, code, errorOf.ERROR_TABLE.reverted.message({ reason: reason.decoded.text }))
}

/** An error with the message of a flavor, decoded with custom errors. anvil's messages are geth's. */
export function withFlavorMessage(flavor: Flavor, error: TickchainError, errors: CustomErrors) {
  const explanation = EXPLANATIONS.get(error)
  const worded = wordedIn(flavor, error, errors)
  const told = explanation === undefined ? worded : withSentence(flavor, worded, explanation)
  return flavor === 'hardhat' ? namedAsInHardhat(told) : told
}
