// The addresses that cheatcodes have, and what is there.

import type { Message } from '../../interpreter/message.ts'
import {
  type Address,
  bytesToHex,
  equalBytes,
  type Hex,
  hexToBytes,
  utf8ToBytes,
} from '../../primitives/hex.ts'
import { makeCode } from '../../state/account.ts'
import { readStorage, updateAccount, type WorldState } from '../../state/world-state.ts'
import { CHEATCODES, CONSOLE_ADDRESS } from '../evm/console-calls.ts'

/**
 * Code for slots of the account that it runs for. An input of one word reads a slot, one of two words writes it, and one of
 * three writes a slot of transient storage.
 */
export const ACCESSOR: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12e'
const ACCESSOR_CODE = hexToBytes(
  '0x36604014601a5736606014602357' + '6000355460005260206000f3' + '5b6020356000355500' + '5b6020356000355d',
)
/** For that code. */
export const ENOUGH_GAS = 100_000n
/** In place of the code of a call that is mocked. */
export const MOCKED: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12f'
/** Solidity calls only what has code. */
export function withCheatcodes(state: WorldState): WorldState {
  const marked = updateAccount(state, CHEATCODES, { code: makeCode(new Uint8Array(1)) })
  return updateAccount(marked, ACCESSOR, { code: makeCode(ACCESSOR_CODE) })
}

const CHEATCODE_BYTES = hexToBytes(CHEATCODES)
const CONSOLE_BYTES = hexToBytes(CONSOLE_ADDRESS)

function isTo({ to }: Message, address: Uint8Array): boolean {
  return to !== undefined && equalBytes(to.bytes, address)
}

/** True if a message is none of the test's: to cheatcodes, or to the console. */
export function isOwn(message: Message): boolean {
  return isTo(message, CHEATCODE_BYTES) || isTo(message, CONSOLE_BYTES)
}

/** True if a message is to the cheatcodes, not by DELEGATECALL. */
export function isCheatcode(message: Message): boolean {
  return isTo(message, CHEATCODE_BYTES)
}

/** Where DSTest notes that a test has failed: a slot of the address of cheatcodes. */
const FAILED: Hex = `0x${bytesToHex(utf8ToBytes('failed')).slice(2).padEnd(64, '0')}`

export function isNotedAsFailed(state: WorldState): boolean {
  return readStorage(state, CHEATCODES, FAILED).length > 0
}
