// The start of a call: transfer of value and lookup of the code, as in @ethereumjs for forks up to osaka. It works on
// this library's state, synchronously, and copies no account objects.

import { EVMError } from '@ethereumjs/evm'
import type { Address } from '../primitives/hex.ts'
import { MAX_UINT256 } from '../primitives/numbers.ts'
import { delegateOf } from '../state/account.ts'
import type { StateWriter } from '../state/state-writer.ts'
import { readAccount, updateAccount } from '../state/world-state.ts'
import type { EvmAddress } from './evm-address.ts'
import type { Precompile } from './evm-interface.ts'
import type { AccessJournal } from './journal.ts'

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
