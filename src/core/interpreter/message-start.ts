// Creation of a contract under byzantium to osaka: its address, its account, its code, and what the code costs.

import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { create2Address, createAddress } from '../primitives/crypto.ts'
import { type Address, EMPTY_BYTES } from '../primitives/hex.ts'
import { MAX_UINT256 } from '../primitives/numbers.ts'
import { delegateOf, makeCode, readAccount, type StateWriter, updateAccount } from '../state/world-state.ts'
import { EvmAddress } from './evm-address.ts'
import { failed, type Precompile } from './evm-interface.ts'
import type { AccessJournal } from './journal.ts'
import type { Message } from './message.ts'

/** Sets a balance and touches the account (EIP-161); creates an account that does not exist. */
function setBalance(
  writer: StateWriter,
  journal: AccessJournal,
  address: Address,
  before: bigint | undefined,
  balance: bigint,
): void {
  journal.touch(address)
  if (before !== balance) writer.current = updateAccount(writer.current, address, { balance })
}

/** Transfers the value of a call, and touches its accounts. After an error the state is partly written; the caller reverts it. */
export function moveValue(
  writer: StateWriter,
  journal: AccessJournal,
  from: Address,
  to: Address,
  value: bigint,
): EVMError | undefined {
  if (value === 0n) {
    journal.touch(from)
    journal.touch(to)
    return undefined
  }
  let error: EVMError | undefined
  const fromBalance = writer.current.get(from)?.balance
  const rest = (fromBalance ?? 0n) - value
  if (rest < 0n) error = new EVMError(EVMError.errorMessages.INSUFFICIENT_BALANCE)
  else setBalance(writer, journal, from, fromBalance, rest)
  const toBalance = writer.current.get(to)?.balance
  const sum = (toBalance ?? 0n) + value
  if (sum > MAX_UINT256) error = new EVMError(EVMError.errorMessages.VALUE_OVERFLOW)
  else setBalance(writer, journal, to, toBalance, sum)
  return error
}

export interface CodeSource {
  readonly precompiles: ReadonlyMap<string, Precompile>
  readonly hasDelegations: boolean
}

/** The code or precompile at `address`, through a delegation. The delegate of a top-level call becomes warm. */
export function findCode(
  writer: StateWriter,
  journal: AccessJournal,
  { precompiles, hasDelegations }: CodeSource,
  address: EvmAddress,
  depth: number,
): Precompile | Uint8Array {
  const precompile = precompiles.get(address.bare)
  if (precompile !== undefined) return precompile
  const { bytes } = readAccount(writer.current, address.hex).code
  const delegate = hasDelegations ? delegateOf(bytes) : undefined
  if (delegate === undefined) return bytes
  if (depth === 0) journal.addAlwaysWarmAddress(delegate)
  return readAccount(writer.current, delegate).code.bytes
}

/** The first byte of code that EIP-3541 refuses. */
const EOF_BYTE = 0xef

export interface CreationRules {
  readonly tracksCreations: boolean
  /** `undefined` where there is none (EIP-3860). */
  readonly maxInitCodeSize: number | undefined
  /** `undefined` where there is none (EIP-170). */
  readonly maxCodeSize: number | undefined
  readonly refusesEof: boolean
  /** For each byte of the contract. */
  readonly byteGas: bigint
}

export interface CreationSite {
  readonly writer: StateWriter
  readonly access: AccessJournal
  readonly creations: CreationRules
}

/** Called after the creator's nonce has been incremented. */
export function createdAddress(writer: StateWriter, { caller, salt, data }: Message): EvmAddress {
  if (salt !== undefined) return new EvmAddress(create2Address(caller.bytes, salt, data))
  const { nonce } = readAccount(writer.current, caller.hex)
  return new EvmAddress(createAddress(caller.bytes, nonce - 1n))
}

/** Charges for the contract and checks it, after code that has not failed. */
function deposit(rules: CreationRules, gasLimit: bigint, result: ExecResult): ExecResult {
  const { errorMessages } = EVMError
  const { returnValue, executionGasUsed } = result
  const gas = executionGasUsed + BigInt(returnValue.length) * rules.byteGas
  const { maxCodeSize } = rules
  if (maxCodeSize !== undefined && returnValue.length > maxCodeSize)
    return { ...result, ...failed(gasLimit, errorMessages.CODESIZE_EXCEEDS_MAXIMUM) }
  if (gas > gasLimit) return { ...result, ...failed(gasLimit, errorMessages.OUT_OF_GAS) }
  if (rules.refusesEof && returnValue[0] === EOF_BYTE)
    return { ...result, ...failed(gasLimit, errorMessages.INVALID_BYTECODE_RESULT) }
  return { ...result, executionGasUsed: gas }
}

/** Takes the value from the creator and opens the account; tells whether the address was free (EIP-7610). */
function openAccount({ writer, access }: CreationSite, { caller, value }: Message, to: EvmAddress): boolean {
  const [creator, created] = [caller.hex, to.hex]
  access.touch(creator)
  if (value > 0n) {
    const balance = readAccount(writer.current, creator).balance - value
    writer.current = updateAccount(writer.current, creator, { balance })
  }
  const before = readAccount(writer.current, created)
  if (before.nonce > 0n || before.code.bytes.length > 0 || !before.storage.isEmpty) return false
  access.touch(created)
  return true
}

/** Begins a creation, in a checkpoint. Its result, if it ends without code; the address is `createdAddress`. */
export function beginCreation(site: CreationSite, message: Message, to: EvmAddress): ExecResult | undefined {
  const { writer, creations } = site
  const { caller, gasLimit, value, data, gasRefund } = message
  const { errorMessages } = EVMError
  if (readAccount(writer.current, caller.hex).balance < value)
    throw new EVMError(errorMessages.INSUFFICIENT_BALANCE)
  const { maxInitCodeSize } = creations
  if (maxInitCodeSize !== undefined && data.length > maxInitCodeSize)
    return failed(gasLimit, errorMessages.INITCODE_SIZE_VIOLATION)
  message.to = to
  message.data = EMPTY_BYTES
  const address = to.hex
  if (creations.tracksCreations) {
    message.createdAddresses ??= new Set()
    message.createdAddresses.add(address)
  }
  if (!openAccount(site, message, to)) return failed(gasLimit, errorMessages.CREATE_COLLISION)
  const balance = readAccount(writer.current, address).balance + value
  if (balance > MAX_UINT256) return failed(0n, errorMessages.VALUE_OVERFLOW)
  writer.current = updateAccount(writer.current, address, { nonce: 1n, balance })
  return data.length === 0 ? { executionGasUsed: 0n, gasRefund, returnValue: EMPTY_BYTES } : undefined
}

/** Ends a creation whose code, if there was any, had this result. */
export function endCreation(
  { writer, creations }: CreationSite,
  to: EvmAddress,
  gasLimit: bigint,
  ran: ExecResult,
): ExecResult {
  const result = ran.exceptionError === undefined ? deposit(creations, gasLimit, ran) : ran
  const { returnValue } = result
  if (result.exceptionError === undefined && returnValue.length > 0) {
    // The state keeps it, and not what it may share its memory with.
    const isAlone = returnValue.buffer.byteLength === returnValue.length
    const code = makeCode(isAlone ? returnValue : returnValue.slice())
    writer.current = updateAccount(writer.current, to.hex, { code })
  }
  return result
}
