// Calls of console.log: what contracts send to an address where, on a real network, nothing is. They are overheard
// and otherwise left alone, so gas, warm addresses and results are those of calls to an empty account.

import type { EVM, Message as EvmMessage } from '@ethereumjs/evm'
import { type Address, bytesToHex, equalBytes, hexToBytes } from '../../primitives/hex.ts'

/** `console.log` in ASCII, as hardhat's console.sol has it. */
export const CONSOLE_ADDRESS: Address = '0x000000000000000000636f6e736f6c652e6c6f67'
const CONSOLE = hexToBytes(CONSOLE_ADDRESS)
/** Where it has its first letter. */
const FIRST_LETTER = 9

export interface ConsoleCall {
  /** The contract that called; inside a delegated call, the one on whose behalf the code runs. */
  readonly from: Address
  readonly input: Uint8Array
}

/** What is kept of one execution: what is beyond is not. */
const MOST_CALLS = 10_000
const MOST_BYTES = 4 * 1024 * 1024

const NONE: readonly ConsoleCall[] = []

export interface ConsoleRecorder {
  /** The calls since it was last asked. */
  readonly take: () => readonly ConsoleCall[]
}

/** Asked of every message, so most of them are told apart by one byte. */
function isToConsole(message: EvmMessage): boolean {
  // A creation has no address yet.
  if (message.to === undefined) return false
  const { bytes } = message.codeAddress
  return bytes[FIRST_LETTER] === CONSOLE[FIRST_LETTER] && equalBytes(bytes, CONSOLE)
}

/** Overhears an EVM from now on. @internal */
export function recordConsole({ events }: EVM): ConsoleRecorder {
  let calls: ConsoleCall[] = []
  let byteCount = 0
  events.on('beforeMessage', (message) => {
    if (!isToConsole(message) || calls.length === MOST_CALLS) return
    const { caller, to, delegatecall, data } = message
    byteCount += data.length
    if (byteCount > MOST_BYTES) return
    const contract = delegatecall && to !== undefined ? to : caller
    // The data may be a view of memory that is written to afterwards.
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
