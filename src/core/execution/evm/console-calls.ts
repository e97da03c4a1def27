// Recorder of console.log calls, which contracts send to an address without code. It only listens, so gas, warm
// addresses and results are those of calls to an empty account.

import type { Evm } from '../../interpreter/evm-interface.ts'
import type { Message as EvmMessage } from '../../interpreter/message.ts'
import { type Address, bytesToHex, equalBytes, hexToBytes } from '../../primitives/hex.ts'

/** `console.log` in ASCII, from Hardhat's console.sol. */
export const CONSOLE_ADDRESS: Address = '0x000000000000000000636f6e736f6c652e6c6f67'
/** The address of Foundry's cheatcodes, of `hevm cheat code`, which tests call as they do the console. */
export const CHEATCODES: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d'
const CONSOLE = hexToBytes(CONSOLE_ADDRESS)
/** Index of the first non-zero byte. */
const FIRST_BYTE = 9

export interface ConsoleCall {
  /** The calling contract; under DELEGATECALL the account whose storage the code uses. */
  readonly from: Address
  readonly input: Uint8Array
}

/** Limits per execution; further calls are dropped. */
const MAX_CALLS = 10_000
const MAX_BYTES = 4 * 1024 * 1024

const NONE: readonly ConsoleCall[] = []

export interface ConsoleRecorder {
  /** Returns the calls since the last `take`. */
  readonly take: () => readonly ConsoleCall[]
}

/** Runs for every message, so it compares one byte first. */
function isToConsole(message: EvmMessage): boolean {
  // A creation has no address yet.
  if (message.to === undefined) return false
  const { bytes } = message.codeAddress
  return bytes[FIRST_BYTE] === CONSOLE[FIRST_BYTE] && equalBytes(bytes, CONSOLE)
}

/** Starts to record an EVM's console calls. @internal */
export function recordConsole({ events }: Evm): ConsoleRecorder {
  let calls: ConsoleCall[] = []
  let byteCount = 0
  events.on('beforeMessage', (message) => {
    if (!isToConsole(message) || calls.length === MAX_CALLS) return
    const { caller, to, delegatecall, data } = message
    byteCount += data.length
    if (byteCount > MAX_BYTES) return
    const contract = delegatecall && to !== undefined ? to : caller
    // Copied: the data may be a view of memory that the contract writes to later.
    calls.push({ from: bytesToHex(contract.bytes), input: data.slice() })
  })
  return {
    take() {
      const taken = calls.length === 0 ? NONE : calls
      if (calls.length > 0) calls = []
      byteCount = 0
      return taken
    },
  }
}
