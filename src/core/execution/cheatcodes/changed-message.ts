// Changes of a message that begins.

import { toEvmAddress } from '../../interpreter/evm-address.ts'
import type { Message } from '../../interpreter/message.ts'
import { type Address, bytesToHex } from '../../primitives/hex.ts'
import type { StateWriter } from '../../state/state-writer.ts'
import { readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'

/** Gives a message the code of another account. */
export function setCodeAddress(message: Message, address: Address): void {
  message.ownCodeAddress = toEvmAddress(address)
}

/** The nonce of a creation, which its frame has raised, is that of the pranked account. */
function moveNonce(state: WorldState, from: Address, to: Address): WorldState {
  const lowered = updateAccount(state, from, { nonce: readAccount(state, from).nonce - 1n })
  return updateAccount(lowered, to, { nonce: readAccount(lowered, to).nonce + 1n })
}

/** Has a message come from an account. */
export function disguise(writer: StateWriter, message: Message, as: Address): void {
  if (message.to === undefined) {
    writer.current = moveNonce(writer.current, bytesToHex(message.caller.bytes), as)
  }
  message.caller = toEvmAddress(as)
}
