// Matchers for transactions, for any runner whose `expect.extend` accepts jest's. None of them moves the clock.

import { type ChangeOptions, type ExpectedChange, matchBalance } from './testing/matchers/balance.ts'
import { type ExpectedEvent, matchEvent } from './testing/matchers/event.ts'
import { matchPlace } from './testing/matchers/place.ts'
import { type ExpectedRevert, matchRevert } from './testing/matchers/revert.ts'
import {
  beginMatching,
  type ChainOf,
  type MatcherContext,
  type MatchOptions,
  type MatchResult,
} from './testing/matchers/subject.ts'

export type { ChangeOptions, ExpectedChange } from './testing/matchers/balance.ts'
export type { EventAbi, EventSource, ExpectedEvent } from './testing/matchers/event.ts'
export type { ExpectedRevert } from './testing/matchers/revert.ts'
export type { ChainOf, MatcherContext, MatchOptions, MatchResult } from './testing/matchers/subject.ts'
export type { ExpectedArgs } from './testing/matchers/values.ts'

/**
 * What `expect` can do with transactions. Each takes a transaction by its hash, its receipt or what viem or ethers
 * answered when it was sent, or a promise or a function of one, is awaited, and can be negated with `.not`. One that
 * asks what a transaction has done fails either way as long as it is in no block.
 */
export interface ChainMatchers {
  /**
   * That it emitted an event, with arguments of which only those that are named count.
   *
   * @throws TickchainError `invalidCall` for an event that the ABI does not have, or arguments that it does not have
   */
  toEmit(event: ExpectedEvent, options?: MatchOptions): Promise<void>
  /**
   * That it reverted, with this reason if one is given. A promise or a function may also reject with the revert, as
   * tickchain, viem or ethers throw it.
   */
  toRevertWith(reason?: ExpectedRevert, options?: MatchOptions): Promise<void>
  /**
   * That it changed a balance by as much, in wei or in the units of `token`: it alone, whatever else its block did.
   * What the sender paid for gas is a part of it, unless `fees` is 'excluded'. A function that gives no transaction
   * is measured as a whole, from before it is called until it is done, on the pre-confirmed state.
   *
   * @throws TickchainError `invalidCall`, `tokenNotReadable`, `notRepeatable`
   */
  toChangeBalance(account: string | object, amount: ExpectedChange, options?: ChangeOptions): Promise<void>
  /** That a sealed block has it. */
  toBeSealed(options?: MatchOptions): Promise<void>
  /** That a partial block has it, and no sealed block yet. */
  toBePreconfirmed(options?: MatchOptions): Promise<void>
}

/** The same, as `expect.extend` takes them. */
export type ChainMatcherFunctions = {
  readonly [Name in keyof ChainMatchers]: (
    this: MatcherContext,
    received: unknown,
    ...expected: Parameters<ChainMatchers[Name]>
  ) => Promise<MatchResult>
}

/**
 * The matchers for jest, or for another runner whose `expect` can be extended as jest's: `chainOf` answers the chain of
 * the test that runs. With vitest, import `tickchain/vitest` instead.
 *
 * @example
 * expect.extend(chainMatchers(() => chain))
 * await chain.advance(200)
 * await expect(hash).toBePreconfirmed()
 */
export function chainMatchers(chainOf: ChainOf): ChainMatcherFunctions {
  return {
    async toEmit(received, event, options) {
      return matchEvent(beginMatching('toEmit', this, chainOf, options), received, event)
    },
    async toRevertWith(received, reason, options) {
      return matchRevert(beginMatching('toRevertWith', this, chainOf, options), received, reason)
    },
    async toChangeBalance(received, account, amount, options) {
      const matching = beginMatching('toChangeBalance', this, chainOf, options)
      return matchBalance(matching, received, account, amount, options)
    },
    async toBeSealed(received, options) {
      return matchPlace(beginMatching('toBeSealed', this, chainOf, options), received, 'sealed')
    },
    async toBePreconfirmed(received, options) {
      return matchPlace(beginMatching('toBePreconfirmed', this, chainOf, options), received, 'preconfirmed')
    },
  }
}
