// Logs of ether transfers for eth_simulateV1 with traceTransfers: ERC-20 Transfer events of the ether address of
// ERC-7528, in order with the other logs. Receipts and blooms do not include them.

import type { EVMResult, Message as EvmMessage } from '@ethereumjs/evm'
import type { Step } from '../../interpreter/step-watch.ts'
import { type Address, bytesToHex, type Hash, hexToBytes, toWord } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import type { MessageResult } from '../evm/run-message.ts'
import { addressOfWord, watchSteps } from '../evm/watch-steps.ts'
import type { Log } from './receipt.ts'

const ETHER: Address = `0x${'ee'.repeat(20)}`
/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const LOG0 = 0xa0
const LOG4 = 0xa4
const SELFDESTRUCT = 0xff

function topicOf(address: Address): Hash {
  return `0x${address.slice(2).padStart(64, '0')}`
}

function transferLog(from: Address, to: Address, value: bigint): Log {
  return { address: ETHER, topics: [TRANSFER, topicOf(from), topicOf(to)], data: hexToBytes(toWord(value)) }
}

/** A transfer log, or a placeholder for a log that a contract has emitted. */
type Entry = Log | 'emitted'

interface Frame {
  readonly message: EvmMessage
  readonly entries: Entry[]
}

/** The transfer of a message's value; DELEGATECALL and CALLCODE transfer nothing to another account. */
function transferOf({ delegatecall, caller, to, codeAddress, value }: EvmMessage): Log[] {
  const isMoved = value > 0n && !delegatecall && to !== undefined && codeAddress === to
  return isMoved ? [transferLog(bytesToHex(caller.bytes), bytesToHex(to.bytes), value)] : []
}

/** Collects entries by frame, because a failed frame's entries are dropped. */
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
      // At the end of the frame, because a creation only then has its address.
      outer.push(...transferOf(frame.message), ...frame.entries)
    },
    step({ opcode, address, peek }: Step): void {
      const inner = frames.at(-1)?.entries
      if (opcode >= LOG0 && opcode <= LOG4) inner?.push('emitted')
      if (opcode !== SELFDESTRUCT) return
      const { balance } = readAccount(writer.current, address)
      const beneficiary = peek(0)
      if (balance > 0n && beneficiary !== undefined) {
        inner?.push(transferLog(address, addressOfWord(beneficiary), balance))
      }
    },
  }
}

/** Runs a message and returns its logs and transfer logs in the order of their execution. */
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
