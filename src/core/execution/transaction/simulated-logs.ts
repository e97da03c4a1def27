// Logs of eth_simulateV1, with ether transfers among them if they are traced: ERC-20 Transfer events of the ether address
// of ERC-7528. Receipts and blooms do not include those.

import { type Address, type Hash, hexToBytes, toWord } from '../../primitives/hex.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import type { MessageResult } from '../evm/run-message.ts'
import { observe } from '../trace/observe.ts'
import type { FrameKind, Observer } from '../trace/observer.ts'
import type { Log } from './receipt.ts'

const ETHER: Address = `0x${'ee'.repeat(20)}`
/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** True if the logs include ether transfers (`traceTransfers`). */
export type TransferLogs = 'traced' | 'untraced'

interface SimulatedLog extends Log {
  /** Among all logs of the transaction, also of calls that failed, as in geth (internal/ethapi/logtracer.go). */
  readonly index: number
}

export interface SimulatedLogs {
  /** In the order of their execution, without those of calls that failed. */
  readonly logs: readonly SimulatedLog[]
  /** The number of indices that they take. */
  readonly logCount: number
}

function topicOf(address: Address): Hash {
  return `0x${address.slice(2).padStart(64, '0')}`
}

function transferLog(from: Address, to: Address, value: bigint): Log {
  return { address: ETHER, topics: [TRANSFER, topicOf(from), topicOf(to)], data: hexToBytes(toWord(value)) }
}

/** Frames whose value goes to another account. */
const PAYING: ReadonlySet<FrameKind> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** Runs a message and returns its result with its logs. */
export async function runWithLogs(
  instance: EvmInstance,
  transferLogs: TransferLogs,
  run: () => Promise<MessageResult>,
): Promise<SimulatedLogs & { readonly result: MessageResult }> {
  /** The logs of each open frame, because a failed frame's logs are dropped. */
  const frames: SimulatedLog[][] = [[]]
  let logCount = 0
  const add = (log: Log): void => {
    frames.at(-1)?.push({ ...log, index: logCount++ })
  }
  const observer: Observer = {
    enter({ kind, from, to, value }) {
      frames.push([])
      if (transferLogs === 'traced' && value > 0n && PAYING.has(kind)) add(transferLog(from, to, value))
    },
    exit({ error }) {
      const logs = frames.pop() ?? []
      if (error === undefined) frames.at(-1)?.push(...logs)
    },
    log: add,
  }
  const result = await observe(instance, observer, run)
  return { result, logs: frames[0] ?? [], logCount }
}
