// Transfers of ether told as logs among the others (eth_simulateV1, traceTransfers): an ERC-20 Transfer of the
// address that stands for ether in ERC-7528. Receipts and blooms know nothing of them.

import type { EVMResult, Message as EvmMessage } from '@ethereumjs/evm'
import { type Address, bytesToHex, type Hash, hexToBytes, toWord } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import type { MessageResult } from '../evm/run-message.ts'
import { addressOfWord, type Step, watchSteps } from '../evm/watch-steps.ts'
import type { Log } from './receipt.ts'

const ETHER: Address = `0x${'ee'.repeat(20)}`
/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

function topicOf(address: Address): Hash {
  return `0x${address.slice(2).padStart(64, '0')}`
}

function transferLog(from: Address, to: Address, value: bigint): Log {
  return { address: ETHER, topics: [TRANSFER, topicOf(from), topicOf(to)], data: hexToBytes(toWord(value)) }
}

/** A transfer, or the place of a log that a contract has emitted. */
type Entry = Log | 'emitted'

interface Frame {
  readonly message: EvmMessage
  readonly entries: Entry[]
}

/** What a message moves when it begins; delegated code runs on a value that moved before. */
function transferOf({ delegatecall, caller, to, codeAddress, value }: EvmMessage): Log[] {
  const isMoved = value > 0n && !delegatecall && to !== undefined && codeAddress === to
  return isMoved ? [transferLog(bytesToHex(caller.bytes), bytesToHex(to.bytes), value)] : []
}

/** Gathers entries frame by frame, because what a failed frame did has not happened. */
function createRecorder({ writer }: EvmInstance) {
  const entries: Entry[] = []
  const frames: Frame[] = []
  return {
    entries,
    begin(message: EvmMessage): void {
      frames.push({ message, entries: [] })
    },
    end({ execResult }: EVMResult): void {
      const frame = frames.pop()
      if (frame === undefined || execResult.exceptionError !== undefined) return
      const outer = frames.at(-1)?.entries ?? entries
      // A created contract has its address by now.
      outer.push(...transferOf(frame.message), ...frame.entries)
    },
    step({ opcode, address, peek }: Step): void {
      const inner = frames.at(-1)?.entries
      if (opcode.startsWith('LOG')) inner?.push('emitted')
      if (opcode !== 'SELFDESTRUCT') return
      const { balance } = readAccount(writer.current, address)
      const beneficiary = peek(0)
      if (balance > 0n && beneficiary !== undefined) {
        inner?.push(transferLog(address, addressOfWord(beneficiary), balance))
      }
    },
  }
}

/** Runs a message and gives its logs with the transfers between them, in the order in which they happened. */
export async function runWithTransferLogs(
  instance: EvmInstance,
  run: () => Promise<MessageResult>,
): Promise<{ readonly result: MessageResult; readonly logs: readonly Log[] }> {
  const { events } = instance.evm
  const { entries, begin, end, step } = createRecorder(instance)
  events.on('beforeMessage', begin)
  events.on('afterMessage', end)
  try {
    const result = await watchSteps(instance, step, run)
    const emitted = result.logs.values()
    const logs = entries.map((entry) => (entry === 'emitted' ? emitted.next().value : entry))
    return { result, logs: logs.filter((log) => log !== undefined) }
  } finally {
    events.off('beforeMessage', begin)
    events.off('afterMessage', end)
  }
}
