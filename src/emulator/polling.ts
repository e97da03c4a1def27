// Clients poll on real timers, while the virtual clock stands. A provider that lets time pass a little with every
// poll makes their waiting end by itself.

import type { Emulator } from './emulator.ts'
import { asInteger } from './options/checks.ts'

/** The methods with which viem, ethers and web3.js ask whether something has happened. */
const POLLING_METHODS: readonly string[] = [
  'eth_blockNumber',
  'eth_getTransactionReceipt',
  'eth_getFilterChanges',
  'wallet_getCallsStatus',
]

/** How much time a poll lets pass, and what a poll is. */
export interface AdvanceOnPollOptions {
  /** Virtual milliseconds that pass before each poll. Default the time of a partial block, 200. */
  readonly ms?: number
  /**
   * The methods that count as a poll. Default eth_blockNumber, eth_getTransactionReceipt, eth_getFilterChanges and
   * wallet_getCallsStatus.
   */
  readonly methods?: readonly string[]
}

/** The part of an emulator that clients take as a provider. */
export type Provider = Pick<Emulator, 'request' | 'on' | 'removeListener'>

/**
 * A provider over `chain` on which every poll lets virtual time pass first, so that `waitForTransactionReceipt`,
 * `tx.wait()` and watchers end without anybody moving the clock.
 *
 * @param chain The emulator.
 * @param options How much time passes, and with which methods.
 * @throws TickchainError `invalidOption`
 * @see EIP-1193
 * @example
 * const transport = custom(advanceOnPoll(chain), { retryCount: 0 })
 * const client = createPublicClient({ transport, pollingInterval: 1 })
 * const { blockNumber } = await client.waitForTransactionReceipt({ hash })
 * blockNumber // => 1n
 */
export function advanceOnPoll(chain: Emulator, options: AdvanceOnPollOptions = {}): Provider {
  const { methods = POLLING_METHODS } = options
  const ms = asInteger('ms', options.ms, chain.settings.partialBlockTimeMs, 0, Number.MAX_SAFE_INTEGER)
  const request = async (first: unknown, second?: unknown): Promise<unknown> => {
    const method = typeof first === 'string' ? first : (first as { method?: unknown } | null)?.method
    // Not awaited: it takes its turn before the request that follows it.
    const passing = methods.includes(method as string) ? chain.advance(ms) : undefined
    const answer = (chain.request as (first: unknown, second: unknown) => Promise<unknown>)(first, second)
    const [result] = await Promise.all([answer, passing])
    return result
  }
  return {
    request: request as Emulator['request'],
    on: chain.on.bind(chain) as Emulator['on'],
    removeListener: chain.removeListener.bind(chain),
  }
}
