// Where the emulators disagree about calls: who makes one that names nobody, and what the caller must have.

import type { CallMessage } from '../../execution/call/run-call.ts'
import { heldAccounts } from '../../node/control/wallet.ts'
import { readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import type { ReadContext } from '../read-context.ts'

/** A request of a call with its caller: in hardhat the first account, where none is named. */
export function withCaller({ options, state }: ReadContext, request: TransactionRequest): TransactionRequest {
  const [first] = heldAccounts(state)
  const isNamed = request.from !== undefined || first === undefined
  return options.flavor !== 'hardhat' || isNamed ? request : { ...request, from: first }
}

/** The state that a call runs on: in hardhat one that names no fee may send what its caller does not have. */
export function fundedFor({ options }: ReadContext, state: WorldState, message: CallMessage): WorldState {
  const { from, value, feeCap } = message
  const isFunded = options.flavor !== 'hardhat' || feeCap > 0n || readAccount(state, from).balance >= value
  return isFunded ? state : updateAccount(state, from, { balance: value })
}
