// Waits that cannot end: a client polls, and nothing moves the clock.

import { findTransaction } from '../../node/lookup.ts'
import type { Node } from '../../node/node.ts'
import type { NodeConfig, NodeState } from '../../node/node-state.ts'
import { feeObstacleFor, nextStepForPooled, obstacleFor } from '../../node/production/submit.ts'
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

export interface WaitWatch {
  /** Is told of each read that was answered. */
  readonly notePoll: (method: string, params: unknown) => void
  /** Is told of a wait that does not poll, when it begins. */
  readonly noteWait: (hash: Hash) => void
}

/** Emulators whose users know, by the configuration that an emulator shares with its clones. */
const knowing = new WeakSet<NodeConfig>()

/** Notes that something moves the clock while clients poll. */
export function expectPolls({ config }: Node): void {
  knowing.add(config)
}

function pooledIn(state: NodeState, hash: Hash): PooledTransaction | undefined {
  const found = findTransaction(state, hash)
  return found !== undefined && 'pooled' in found ? found.pooled : undefined
}

interface PolledWait {
  readonly pooled: PooledTransaction
  polls: number
}

/** Tells of a client that waits in vain for a pooled transaction, once for an emulator and its clones. */
export function watchWaits(node: Node, report: (stalled: StalledWait) => void): WaitWatch {
  let unchanged: NodeState | undefined
  const waits = new Map<Hash, PolledWait>()
  const tell = ({ pooled }: Pick<PolledWait, 'pooled'>): void => {
    expectPolls(node)
    const { hash } = pooled.transaction
    const next = nextStepForPooled(node.state, pooled)
    const words = `a client waits for transaction ${hash}, which is in the pool`
    const isForClock = obstacleFor(node.state, pooled) === undefined && !node.state.settings.automines
    const way = "With createEmulator({ production: 'auto' }) each transaction is sealed at once."
    const told = isForClock ? `${words}, and nothing moves the clock: ${next}. ${way}` : `${words}: ${next}.`
    report({ transactionHash: hash, message: `${told} See ${PAGE}` })
  }
  const note = (wait: PolledWait): void => {
    wait.polls++
    if (wait.polls >= PATIENCE && !knowing.has(node.config)) tell(wait)
  }
  return {
    notePoll(method, params) {
      // Clients that are told of events ask at once, and wait for the clock.
      if (!POLLS.has(method) || node.waitsForClients || knowing.has(node.config)) return
      if (node.state !== unchanged) waits.clear()
      const asked = method === RECEIPT ? ((params as [string])[0].toLowerCase() as Hash) : undefined
      const pooled = asked && pooledIn(node.state, asked)
      if (pooled !== undefined) {
        unchanged = node.state
        const wait = waits.get(pooled.transaction.hash)
        if (wait === undefined) waits.set(pooled.transaction.hash, { pooled, polls: 0 })
        else note(wait)
      } else if (method !== RECEIPT) for (const wait of waits.values()) note(wait)
    },
    noteWait(hash) {
      if (knowing.has(node.config)) return
      const pooled = pooledIn(node.state, hash)
      // Moving the clock ends any other wait, or sending what it waits for.
      if (pooled !== undefined && feeObstacleFor(node.state, pooled) !== undefined) tell({ pooled })
    },
  }
}
