// Waits that cannot end: a client polls, and nothing moves the clock.

import { findTransaction } from '../../node/lookup.ts'
import type { Node } from '../../node/node.ts'
import type { NodeConfig, NodeState } from '../../node/node-state.ts'
import { nextStepForPooled } from '../../node/production/submit.ts'
import type { PooledTransaction } from '../../pool/pool.ts'
import type { Hash } from '../../primitives/hex.ts'

const RECEIPT = 'eth_getTransactionReceipt'

const PAGE = 'https://github.com/tickchain/tickchain/blob/main/docs/waiting.md'

/** The requests that viem, ethers and web3.js make, or repeat, after they have asked for a receipt in vain. */
const POLLS: ReadonlySet<string> = new Set([RECEIPT, 'eth_blockNumber', 'eth_getFilterChanges'])

/** A test that looks whether there is a receipt yet asks less. */
const PATIENCE = 2

/** A client that waits in vain. */
export interface StalledWait {
  readonly transactionHash: Hash
  /** Why the wait does not end, and what ends it. */
  readonly message: string
}

/** Is told of each read that was answered. */
export type PollWatch = (method: string, params: unknown) => void

/** Emulators whose users know, by the configuration that an emulator shares with its clones. */
const knowing = new WeakSet<NodeConfig>()

/** Notes that something moves the clock while clients poll. */
export function expectPolls({ config }: Node): void {
  knowing.add(config)
}

/** The transaction of the pool whose receipt was asked for in vain. */
function pooledIn(state: NodeState, method: string, params: unknown): PooledTransaction | undefined {
  if (method !== RECEIPT) return undefined
  const [hash] = params as readonly [string]
  const found = findTransaction(state, hash.toLowerCase() as Hash)
  return found !== undefined && 'pooled' in found ? found.pooled : undefined
}

interface PolledWait {
  readonly pooled: PooledTransaction
  polls: number
}

/** Tells of a client that polls for a pooled transaction while nothing changes, once for an emulator and its clones. */
export function watchPolls(node: Node, report: (stalled: StalledWait) => void): PollWatch {
  let unchanged: NodeState | undefined
  const waits = new Map<Hash, PolledWait>()
  const note = (wait: PolledWait): void => {
    wait.polls++
    if (wait.polls < PATIENCE || knowing.has(node.config)) return
    expectPolls(node)
    const { hash } = wait.pooled.transaction
    const next = nextStepForPooled(node.state, wait.pooled)
    const words = `a client waits for transaction ${hash}, which is in the pool, and nothing moves the clock: ${next}.`
    const way = "With createEmulator({ production: 'auto' }) each transaction is sealed at once."
    report({ transactionHash: hash, message: `${words} ${way} See ${PAGE}` })
  }
  return (method, params) => {
    // Clients that are told of events ask at once, and wait for the clock.
    if (!POLLS.has(method) || node.waitsForClients || knowing.has(node.config)) return
    if (node.state !== unchanged) waits.clear()
    const pooled = pooledIn(node.state, method, params)
    if (pooled !== undefined) {
      unchanged = node.state
      const wait = waits.get(pooled.transaction.hash)
      if (wait === undefined) waits.set(pooled.transaction.hash, { pooled, polls: 0 })
      else note(wait)
    } else if (method !== RECEIPT) for (const wait of waits.values()) note(wait)
  }
}
