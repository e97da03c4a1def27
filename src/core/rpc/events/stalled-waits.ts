// Waits that cannot end: a client polls or waits, and nothing moves the clock.

import { type FoundTransaction, findTransaction } from '../../node/lookup.ts'
import type { Node } from '../../node/node.ts'
import { type NodeConfig, type NodeState, sealDueAt } from '../../node/node-state.ts'
import { feeObstacleFor, nextStepForPooled, obstacleFor } from '../../node/production/submit.ts'
import type { Hash } from '../../primitives/hex.ts'

const RECEIPT = 'eth_getTransactionReceipt'

const PAGE = 'https://github.com/tickchain/tickchain/blob/main/docs/waiting.md'

/** The requests that viem, ethers and web3.js make, or repeat, after they have asked for a receipt in vain. */
const POLLS: ReadonlySet<string> = new Set([RECEIPT, 'eth_blockNumber', 'eth_getFilterChanges'])

/** A test that looks whether there is a receipt yet asks less. */
const PATIENCE = 2

/** A test may ask more often for one that it has taken out. */
const PATIENCE_WITH_UNKNOWN = 6

/** A test that has read a receipt may look at the head more often; a client that counts confirmations does not stop. */
const PATIENCE_WITH_INCLUDED = 40

/** A client that waits in vain. */
export interface StalledWait {
  readonly transactionHash: Hash
  /** Why the wait does not end, and what ends it. */
  readonly message: string
}

export interface WaitWatch {
  readonly notePoll: (method: string, params: unknown) => void
  /** Is told of a wait that does not poll, when it begins; returns a function to call when it is over. */
  readonly noteWait: (hash: Hash) => () => void
}

/** Emulators whose users know, by the configuration that an emulator shares with its clones. */
const knowing = new WeakSet<NodeConfig>()

/** Notes that something moves the clock while clients poll. */
export function expectPolls({ config }: Node): void {
  knowing.add(config)
}

/** Tell of the waits that do not poll and have not ended, each in its turn; `undefined` if no test runner asks. */
let open: Set<() => Promise<void>> | undefined

/** Keeps the waits that do not poll, so that a test runner can tell of those that a test has timed out in. */
export function keepWaits() {
  // A setup file and chainTest may both ask.
  open ??= new Set()
  const kept = open
  return {
    tell: async (): Promise<void> => {
      for (const tell of kept) await tell()
    },
    forget: (): void => kept.clear(),
  }
}

function reasonFor(state: NodeState, hash: Hash, found: FoundTransaction | undefined): string {
  const words = `a client waits for transaction ${hash}, which`
  if (found === undefined)
    return `${words} is neither in the pool nor in a block: it is of another chain, or was taken out.`
  const { automines } = state.settings
  if ('pooled' in found) {
    const next = nextStepForPooled(state, found.pooled)
    const isForClock = obstacleFor(state, found.pooled) === undefined && !automines
    const way = "With createEmulator({ production: 'auto' }) each transaction is sealed at once."
    const of = `${words} is in the pool`
    return isForClock ? `${of}, and nothing moves the clock: ${next}. ${way}` : `${of}: ${next}.`
  }
  const { isPending, environment } = found.view
  const [place, ends] = isPending ? ['pre-confirmed in', 'seals it'] : ['in', 'makes the next']
  const sealAt = sealDueAt(state)
  const call =
    sealAt === undefined ? `chain.${isPending ? 'seal' : 'mine'}()` : `chain.advance(${sealAt - state.nowMs})`
  return `${words} is ${place} block ${environment.number}, and waits for more: ${call} ${ends}.`
}

/** Tells of a client that waits in vain for a transaction, once for an emulator and its clones. */
export function watchWaits(node: Node, report: (stalled: StalledWait) => void): WaitWatch {
  let unchanged: NodeState | undefined
  /** How often each transaction that has no receipt was asked for. */
  const polls = new Map<Hash, number>()
  /** The transaction that was last found in a block, and how often the head was asked for since. */
  let confirming: { readonly hash: Hash; polls: number } | undefined
  const tell = (state: NodeState, hash: Hash): void => {
    const message = `${reasonFor(state, hash, findTransaction(state, hash))} See ${PAGE}`
    // Only now: on a fork, what the message needs may have to be loaded, and this is called again.
    expectPolls(node)
    report({ transactionHash: hash, message })
  }
  const note = (hash: Hash, found: FoundTransaction | undefined): void => {
    const count = (polls.get(hash) ?? -1) + 1
    polls.set(hash, count)
    if (count < (found === undefined ? PATIENCE_WITH_UNKNOWN : PATIENCE)) return
    if (!knowing.has(node.config)) tell(node.state, hash)
  }
  return {
    notePoll(method, params) {
      // Clients that are told of events ask at once, and wait for the clock.
      if (!POLLS.has(method) || node.waitsForClients || knowing.has(node.config)) return
      if (node.state !== unchanged) {
        polls.clear()
        confirming = undefined
      }
      unchanged = node.state
      const hashes = method === RECEIPT ? [(params as [string])[0].toLowerCase() as Hash] : [...polls.keys()]
      for (const hash of hashes) {
        const found = findTransaction(unchanged, hash)
        if (found === undefined || 'pooled' in found) note(hash, found)
        else confirming = { hash, polls: 0 }
      }
      if (method === RECEIPT || confirming === undefined || ++confirming.polls < PATIENCE_WITH_INCLUDED)
        return
      if (!knowing.has(node.config)) tell(unchanged, confirming.hash)
    },
    noteWait(hash) {
      if (knowing.has(node.config)) return () => {}
      const found = findTransaction(node.state, hash)
      // Moving the clock does not end it.
      if (
        found !== undefined &&
        'pooled' in found &&
        feeObstacleFor(node.state, found.pooled) !== undefined
      ) {
        tell(node.state, hash)
        return () => {}
      }
      const tellOpen = () =>
        node
          .read((state) => {
            if (!knowing.has(node.config)) tell(state, hash)
          })
          // Of an emulator that is disposed of, or a fork whose upstream fails: others are told of it.
          .catch(() => undefined)
      open?.add(tellOpen)
      return () => open?.delete(tellOpen)
    },
  }
}
