// A provider that advances the virtual clock with every poll: without it clients that poll would wait forever.

import { arrayOf, text } from '../rpc/codecs/basic.ts'
import { numberFrom } from '../rpc/codecs/codec.ts'
import { or } from '../rpc/codecs/object.ts'
import type { Emulator } from './api.ts'
import { readOptions, refuseUnlessEmulator } from './checks.ts'

/** The methods with which viem, ethers and web3.js poll. */
const POLLING_METHODS: readonly string[] = [
  'eth_blockNumber',
  'eth_getTransactionReceipt',
  'eth_getFilterChanges',
  'wallet_getCallsStatus',
]

/** The time that a poll takes, and the methods that count as polls. */
export interface AdvanceOnPollOptions {
  /** Virtual milliseconds that pass before each poll. Default the time of a partial block, 200. */
  readonly ms?: number
  /**
   * The methods that count as a poll. Default eth_blockNumber, eth_getTransactionReceipt, eth_getFilterChanges and
   * wallet_getCallsStatus.
   */
  readonly methods?: readonly string[]
}

/** The part of an emulator that clients use as a provider. */
export type Provider = Pick<Emulator, 'request' | 'on' | 'removeListener'>

/**
 * A provider over `chain` that advances virtual time before every poll, so that `waitForTransactionReceipt`,
 * `tx.wait()` and watchers end although no test moves the clock.
 *
 * @param chain The emulator.
 * @param options How much time passes, and for which methods.
 * @throws TickchainError `invalidOption`
 * @see EIP-1193
 * @example
 * const transport = custom(advanceOnPoll(chain), { retryCount: 0 })
 * const client = createPublicClient({ transport, pollingInterval: 1 })
 * const { blockNumber } = await client.waitForTransactionReceipt({ hash })
 * blockNumber // => 1n
 */
export function advanceOnPoll(chain: Emulator, options: AdvanceOnPollOptions = {}): Provider {
  refuseUnlessEmulator('advanceOnPoll', chain)
  const { methods, ms } = readOptions(options, {
    methods: or(arrayOf(text), POLLING_METHODS),
    ms: or(numberFrom(1), chain.settings.partialBlockTimeMs),
  })
  const request = async (first: unknown, second?: unknown): Promise<unknown> => {
    const method = typeof first === 'string' ? first : (first as { method?: unknown } | null)?.method
    // Not awaited: commands run in order, so it runs before the request.
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
