// Logs of ether transfers for eth_simulateV1 with traceTransfers: ERC-20 Transfer events of the ether address of
// ERC-7528, in order with the other logs. Receipts and blooms do not include them.

import { type Address, type Hash, hexToBytes, toWord } from '../../primitives/hex.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import type { MessageResult } from '../evm/run-message.ts'
import { observe } from '../trace/observe.ts'
import type { FrameKind, Observer } from '../trace/observer.ts'
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

/** Frames whose value goes to another account. */
const PAYING: ReadonlySet<FrameKind> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** Runs a message and returns its logs and transfer logs in the order of their execution. */
export async function runWithTransferLogs(
  instance: EvmInstance,
  run: () => Promise<MessageResult>,
): Promise<{ readonly result: MessageResult; readonly logs: readonly Log[] }> {
  /** The logs of each open frame, because a failed frame's logs are dropped. */
  const frames: Log[][] = [[]]
  const observer: Observer = {
    enter: ({ kind, from, to, value }) =>
      frames.push(value > 0n && PAYING.has(kind) ? [transferLog(from, to, value)] : []),
    exit({ error }) {
      const logs = frames.pop() ?? []
      if (error === undefined) frames.at(-1)?.push(...logs)
    },
    log: (log) => frames.at(-1)?.push(log),
  }
  const result = await observe(instance, observer, run)
  return { result, logs: frames[0] ?? [] }
}
