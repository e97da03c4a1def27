// Functions of the emulator for what the chain was forked from.

import type { Fork, ForkStats } from '../../fork/fork.ts'
import type { Node } from '../../node/node.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash, Hex } from '../../primitives/hex.ts'
import { address, arrayOf, asFields, storageKey } from '../../rpc/codecs/basic.ts'
import type { Codec } from '../../rpc/codecs/codec.ts'
import { argument, option } from '../checks.ts'

/** Where a chain was forked, and what that has cost so far. */
export interface ForkInfo {
  /** The chain id of the upstream. */
  readonly chainId: number
  /** The number of the block. */
  readonly blockNumber: number
  /** The hash of the block. */
  readonly blockHash: Hash
  /** Requests, hits of what is known, and time: what the fork has cost so far. */
  stats(): ForkStats
}

/** An account to read ahead, by its address, or with slots. */
export type PrefetchedAccount = Hex | { readonly address: Hex; readonly slots: readonly Hex[] }

/** Reads ahead on a fork. */
export interface ForkControls {
  /**
   * Reads accounts and slots of a fork from the upstream, all at once, so that executions need not wait for them.
   *
   * @param accounts Addresses, or addresses with slots of up to 32 bytes of hex.
   * @throws TickchainError `invalidCall`, also if the chain is no fork; `upstreamFailed` or `upstreamAnswer`
   * @example
   * const fork = await createEmulator({ fork: { upstream: chain } })
   * const token = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
   * await fork.prefetch([{ address: token, slots: ['0x0', '0x1'] }])
   * fork.fork?.stats().slots // => 2
   */
  prefetch(accounts: readonly PrefetchedAccount[]): Promise<void>
}

const MOST = 100_000
const slots = arrayOf(storageKey, MOST)

const prefetchedAccount: Codec<readonly [Address, readonly Hash[]]> = {
  name: 'address, or object with address and slots',
  decode(value, path) {
    if (typeof value === 'string') return [address.decode(value, path), []]
    const fields = asFields(value, path, ['address', 'slots'])
    return [address.decode(fields.address, `${path}.address`), option(fields, 'slots', slots, [], path)]
  },
}

export function forkInfo(fork: Fork | undefined): ForkInfo | undefined {
  if (fork === undefined) return undefined
  const { number, hash } = fork.header
  return { chainId: fork.chainId, blockNumber: number, blockHash: hash, stats: fork.stats }
}

export function forkControls(node: Node): ForkControls {
  return {
    async prefetch(accounts) {
      const wanted = argument('prefetch', 'accounts', accounts, arrayOf(prefetchedAccount, MOST))
      const keys = new Map<Address, Set<Hash>>()
      for (const [each, asked] of wanted) {
        const known = keys.get(each) ?? new Set()
        for (const slot of asked) known.add(slot)
        keys.set(each, known)
      }
      await node.read(({ chain }) => {
        if (chain.fork === undefined)
          throw failure('invalidCall', { call: 'prefetch', reason: 'the chain is no fork' })
        return chain.fork.prefetch(keys)
      })
    },
  }
}
