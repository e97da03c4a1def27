// Addresses that cheatcodes use, and their code.

import type { EvmMessage } from '../../core/execution/evm/covered-evm.ts'
import { CHEATCODES, CONSOLE_ADDRESS } from '../../core/execution/evm/pooled-evm.ts'
import * as hex from '../../core/primitives/hex.ts'
import type { StateWriter } from '../../core/state/world-state.ts'
import * as world from '../../core/state/world-state.ts'

/** Code for slots of the account that it runs for. An input of one word reads a slot, one of two words writes it. */
export const ACCESSOR: hex.Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12e'
const ACCESSOR_CODE = hex.hexToBytes('0x36604014601357' + '6000355460005260206000f3' + '5b6020356000355500')
/** The same for a native contract, whose storage is in the state. */
export function accessNative(writer: StateWriter, address: hex.Address, data: Uint8Array): Uint8Array {
  const slot = hex.bytesToHex(data.subarray(0, 32))
  if (data.length === 32) return hex.padLeft(world.readStorage(writer.current, address, slot), 32)
  writer.writeSlot(address, slot, hex.stripLeadingZeros(data.subarray(32)))
  return hex.EMPTY_BYTES
}

/** Creates for `new X{salt: …}()` in scripts. */
export const SCRIPT_FACTORY: hex.Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** In place of the code of a call that is mocked. */
export const MOCKED: hex.Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12f'

/** Gives cheatcodes their code: Solidity calls only accounts that have some. */
export function withCheatcodes(state: world.WorldState): world.WorldState {
  const marked = world.updateAccount(state, CHEATCODES, { code: world.makeCode(new Uint8Array(1)) })
  return world.updateAccount(marked, ACCESSOR, { code: world.makeCode(ACCESSOR_CODE) })
}

const CHEATCODE_BYTES = hex.hexToBytes(CHEATCODES)
const CONSOLE_BYTES = hex.hexToBytes(CONSOLE_ADDRESS)

/** True if a message is to cheatcodes or the console, and so not one that a test is about. */
export function isForTest({ to }: EvmMessage): boolean {
  return (
    to !== undefined && (hex.equalBytes(to.bytes, CHEATCODE_BYTES) || hex.equalBytes(to.bytes, CONSOLE_BYTES))
  )
}

/** The slot in which DSTest notes that a test has failed, of the address of cheatcodes. */
const FAILED: hex.Hex = `0x${hex.bytesToHex(hex.utf8ToBytes('failed')).slice(2).padEnd(64, '0')}`

export function isNotedAsFailed(state: world.WorldState): boolean {
  return world.readStorage(state, CHEATCODES, FAILED).length > 0
}

/** Code that reverts with the bytes behind it. */
export function revertTail(length: number): Uint8Array {
  const size = length.toString(16).padStart(6, '0')
  return hex.hexToBytes(`0x62${size}6010600039` + `62${size}6000fd`)
}
