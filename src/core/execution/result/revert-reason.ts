// Decoding of revert data: Error(string) and Panic(uint256) as in geth's abi.UnpackRevert, and custom errors of
// registered ABIs.

import type { EVMError } from '@ethereumjs/evm'
import { type AbiValue, decodeParameters, showAbiValues } from '../../primitives/abi.ts'
import { bytesToBigInt, bytesToHex, bytesToText } from '../../primitives/hex.ts'
import { type CustomErrors, NO_CUSTOM_ERRORS } from './console-log.ts'

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

const ERROR_SELECTOR = '0x08c379a0'
const PANIC_SELECTOR = '0x4e487b71'

/** Solidity's panic codes in geth's words (accounts/abi/abi.go). */
const PANICS: Record<string, string> = {
  '0': 'generic panic',
  '1': 'assert(false)',
  '17': 'arithmetic underflow or overflow',
  '18': 'division or modulo by zero',
  '33': 'enum overflow',
  '34': 'invalid encoded storage byte array accessed',
  '49': 'out-of-bounds array access; popping on an empty array',
  '50': 'out-of-bounds access of an array or bytesN',
  '65': 'out of memory',
  '81': 'uninitialized function',
}

/** A custom error, decoded by a registered ABI. */
interface DecodedError {
  readonly name: string
  readonly args: readonly AbiValue[]
  /** In the form of a call: `InsufficientBalance(1, 2)`. */
  readonly text: string
}

/** Decoded revert data. */
export type RevertReason =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'panic'; readonly code: bigint }
  /** Anything else; `decoded` is `undefined` if no registered ABI has the error. */
  | { readonly type: 'custom'; readonly decoded: DecodedError | undefined }
  | { readonly type: 'empty' }

/** Accepts a string without its padding, as geth does. */
function errorText(payload: Uint8Array): string | undefined {
  if (payload.length < 64) return undefined
  const offset = bytesToBigInt(payload.subarray(0, 32))
  if (offset + 32n > BigInt(payload.length)) return undefined
  const start = Number(offset) + 32
  const length = bytesToBigInt(payload.subarray(Number(offset), start))
  if (BigInt(start) + length > BigInt(payload.length)) return undefined
  return bytesToText(payload.subarray(start, start + Number(length)))
}

function decodeCustomError(data: Uint8Array, errors: CustomErrors): DecodedError | undefined {
  const error = errors.get(bytesToHex(data.subarray(0, 4)))
  if (error === undefined) return undefined
  const { name, inputs } = error
  const args = decodeParameters(inputs, data.subarray(4))
  return args === undefined ? undefined : { name, args, text: `${name}(${showAbiValues(inputs, args)})` }
}

export function decodeRevert(data: Uint8Array, errors: CustomErrors = NO_CUSTOM_ERRORS): RevertReason {
  if (data.length === 0) return { type: 'empty' }
  const selector = bytesToHex(data.subarray(0, 4))
  const payload = data.subarray(4)
  if (selector === PANIC_SELECTOR && payload.length >= 32)
    return { type: 'panic', code: bytesToBigInt(payload.subarray(0, 32)) }
  const text = selector === ERROR_SELECTOR ? errorText(payload) : undefined
  if (text !== undefined) return { type: 'text', text }
  return { type: 'custom', decoded: decodeCustomError(data, errors) }
}

/** The text of `Error(string)`, the meaning of `Panic(uint256)` or a known custom error; otherwise `undefined`. */
export function revertReason(data: Uint8Array, errors?: CustomErrors): string | undefined {
  const reason = decodeRevert(data, errors)
  switch (reason.type) {
    case 'text':
      return reason.text
    case 'panic':
      return PANICS[reason.code.toString()] ?? `unknown panic code: 0x${reason.code.toString(16)}`
    case 'custom':
      return reason.decoded?.text
    case 'empty':
      return undefined
  }
}
