// Addresses that cheatcodes use, and their code.

import { CHEATCODES, CONSOLE_ADDRESS } from '../../core/execution/evm/pooled-evm.ts'
import type { EvmMessage } from '../../core/execution/evm/covered-evm.ts'
import {
  type Address,
  bytesToHex,
  EMPTY_BYTES,
  equalBytes,
  type Hex,
  hexToBytes,
  padLeft,
  stripLeadingZeros,
  utf8ToBytes,
} from '../../core/primitives/hex.ts'
import {
  makeCode,
  readStorage,
  type StateWriter,
  updateAccount,
  type WorldState,
} from '../../core/state/world-state.ts'

/**
 * Code for slots of the account that it runs for. An input of one word reads a slot, one of two words writes it, and one of
 * three writes a slot of transient storage.
 */
export const ACCESSOR: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12e'
const ACCESSOR_CODE = hexToBytes(
  '0x36604014601a5736606014602357' + '6000355460005260206000f3' + '5b6020356000355500' + '5b6020356000355d',
)
/** The same for a native contract, whose storage is in the state; it has none that is transient. */
export function accessNative(writer: StateWriter, address: Address, data: Uint8Array): Uint8Array {
  const slot = bytesToHex(data.subarray(0, 32))
  if (data.length === 32) return padLeft(readStorage(writer.current, address, slot), 32)
  if (data.length === 64) writer.writeSlot(address, slot, stripLeadingZeros(data.subarray(32)))
  return EMPTY_BYTES
}

/** Creates for `new X{salt: …}()` in scripts. */
export const SCRIPT_FACTORY: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** In place of the code of a call that is mocked. */
export const MOCKED: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12f'

/** Gives cheatcodes their code: Solidity calls only accounts that have some. */
export function withCheatcodes(state: WorldState): WorldState {
  const marked = updateAccount(state, CHEATCODES, { code: makeCode(new Uint8Array(1)) })
  return updateAccount(marked, ACCESSOR, { code: makeCode(ACCESSOR_CODE) })
}

const CHEATCODE_BYTES = hexToBytes(CHEATCODES)
const CONSOLE_BYTES = hexToBytes(CONSOLE_ADDRESS)

/** True if a message is to cheatcodes or the console, and so not one that a test is about. */
export function isForTest({ to }: EvmMessage): boolean {
  return to !== undefined && (equalBytes(to.bytes, CHEATCODE_BYTES) || equalBytes(to.bytes, CONSOLE_BYTES))
}

/** The slot in which DSTest notes that a test has failed, of the address of cheatcodes. */
const FAILED: Hex = `0x${bytesToHex(utf8ToBytes('failed')).slice(2).padEnd(64, '0')}`

export function isNotedAsFailed(state: WorldState): boolean {
  return readStorage(state, CHEATCODES, FAILED).length > 0
}

/** Code that reverts with the bytes behind it. */
export function revertTail(length: number): Uint8Array {
  const size = length.toString(16).padStart(6, '0')
  return hexToBytes(`0x62${size}6010600039` + `62${size}6000fd`)
}
