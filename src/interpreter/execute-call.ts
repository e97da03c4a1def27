// What a call does before code runs: value moves, and the code is found. As @ethereumjs does it for the forks up to
// osaka, but on this library's own state, without a promise and without a copy of each account for each step.

import { EVMError, type PrecompileFunc } from '@ethereumjs/evm'
import { type Address, bytesToHex } from '../primitives/hex.ts'
import { MAX_UINT256 } from '../primitives/numbers.ts'
import type { StateWriter } from '../state/state-writer.ts'
import { readAccount, updateAccount } from '../state/world-state.ts'
import type { AccessJournal } from './journal.ts'

/** Touches an account that had so much, and is there from then on, be it empty (EIP-161). */
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

/** Moves the value of a call; what keeps it from being moved is what the call fails with, and is undone with it. */
export function moveValue(
  writer: StateWriter,
  journal: AccessJournal,
  from: Address,
  to: Address,
  value: bigint,
): EVMError | undefined {
  let error: EVMError | undefined
  const paying = writer.current.get(from)?.balance
  const rest = (paying ?? 0n) - value
  if (rest < 0n) error = new EVMError(EVMError.errorMessages.INSUFFICIENT_BALANCE)
  else setBalance(writer, journal, from, paying, rest)
  const paid = writer.current.get(to)?.balance
  const sum = (paid ?? 0n) + value
  if (sum > MAX_UINT256) error = new EVMError(EVMError.errorMessages.VALUE_OVERFLOW)
  else setBalance(writer, journal, to, paid, sum)
  return error
}

/** A prefix and an address: nothing longer or shorter is a delegation. */
const DELEGATION_BYTES = 23

/** Whose code a delegation stands for (EIP-7702). */
export function delegateOf(code: Uint8Array): Address | undefined {
  const isDelegation = code.length === DELEGATION_BYTES && code[0] === 0xef && code[1] === 1 && code[2] === 0
  return isDelegation ? bytesToHex(code.subarray(3)) : undefined
}

export interface CodeSource {
  readonly precompiles: ReadonlyMap<string, PrecompileFunc>
  readonly hasDelegations: boolean
}

/** What runs where `address` is called. Whom the first message of a transaction leads to is warm. */
export function findCode(
  writer: StateWriter,
  journal: AccessJournal,
  { precompiles, hasDelegations }: CodeSource,
  address: Address,
  depth: number,
): PrecompileFunc | Uint8Array {
  const precompile = precompiles.get(address.slice(2))
  if (precompile !== undefined) return precompile
  const { bytes } = readAccount(writer.current, address).code
  const delegate = hasDelegations ? delegateOf(bytes) : undefined
  if (delegate === undefined) return bytes
  if (depth === 0) journal.addAlwaysWarmAddress(delegate)
  return readAccount(writer.current, delegate).code.bytes
}
