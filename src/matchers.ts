// Matchers for transactions, for any runner whose `expect.extend` accepts jest's. None of them moves the clock.

import { type ExpectedEvent, matchEvent } from './tools/testing/matchers/event.ts'
import { type ExpectedRevert, matchRevert } from './tools/testing/matchers/revert.ts'
import {
  beginMatching,
  type ChainOf,
  type ChangeOptions,
  type ExpectedChange,
  type MatcherContext,
  type MatchOptions,
  type MatchResult,
  matchBalance,
  matchGas,
  matchInclusion,
} from './tools/testing/matchers/subject.ts'

export type { EventAbi, EventSource, ExpectedEvent } from './tools/testing/matchers/event.ts'
export type { ExpectedRevert } from './tools/testing/matchers/revert.ts'
export type {
  ChainOf,
  ChangeOptions,
  ExpectedChange,
  MatcherContext,
  MatchOptions,
  MatchResult,
} from './tools/testing/matchers/subject.ts'
export type { ExpectedArgs } from './tools/testing/matchers/values.ts'

/**
 * Matchers of `expect` for transactions: a hash, a receipt or a response of viem or ethers, or a promise or a function
 * of one. Each is awaited and can be negated with `.not`. Matchers of a transaction's execution fail, with `.not` too,
 * while it is in no block.
 */
export interface ChainMatchers {
  /**
   * Expects that the transaction emitted an event; arguments that are not given may have any value.
   *
   * @param event Its declaration, or `{ abi, eventName }` or `{ event }` with `args` and `address`.
   * @param options The chain, if it is not that of the test.
   * @throws TickchainError `invalidCall` for an event or arguments that the ABI does not have
   * @see hardhat-chai-matchers' `emit`
   * @example
   * await chain.advance(200)
   * await expect(hash).not.toEmit('event Transfer(address indexed from, address indexed to, uint256 value)')
   */
  toEmit(event: ExpectedEvent, options?: MatchOptions): Promise<void>
  /**
   * Expects that the transaction reverted, with this reason if one is given. A promise or a function may also reject
   * with the revert, as tickchain, viem or ethers throw it. Any other failure fails the test, with `.not`, too.
   *
   * @param reason The text of an `Error`, the meaning of a `Panic`, a custom error as a call, or its parts.
   * @param options The chain, if it is not that of the test.
   * @throws TickchainError `invalidCall`
   * @see hardhat-chai-matchers' `revertedWith`
   * @example
   * const contract = '0xcccccccccccccccccccccccccccccccccccccccc'
   * await chain.setCode(contract, '0x60006000fd') // reverts without a reason
   * await expect(chain.request('eth_call', [{ to: contract }])).toRevertWith()
   */
  toRevertWith(reason?: ExpectedRevert, options?: MatchOptions): Promise<void>
  /**
   * Expects that the transaction alone changed a balance by an amount, in wei or in the units of `token`. What the
   * sender paid for gas counts, unless `fees` is 'excluded'. For a function that returns no transaction, the
   * pre-confirmed balance is compared before and after the call.
   *
   * @param account An address, or an object with one: an account, a contract, a signer.
   * @param amount The change, negative for a loss.
   * @param options The token, whether fees count, and the chain.
   * @throws TickchainError `invalidCall`, `tokenNotReadable`, `stateNotAvailable`, `replayDiffers`
   * @see hardhat-chai-matchers' `changeEtherBalance` and `changeTokenBalance`
   * @example
   * await chain.advance(200)
   * await expect(hash).toChangeBalance('0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1n)
   */
  toChangeBalance(account: string | object, amount: ExpectedChange, options?: ChangeOptions): Promise<void>
  /**
   * Expects that the transaction used exactly this gas, as its receipt says.
   *
   * @param gas Units of gas.
   * @param options The chain, if it is not that of the test.
   * @throws TickchainError `invalidCall`
   * @see `eth_getTransactionReceipt`, `gasUsed`
   * @example
   * await chain.advance(200)
   * await expect(hash).toMatchGas(21_000)
   */
  toMatchGas(gas: number | bigint, options?: MatchOptions): Promise<void>
  /**
   * Expects that the transaction is in a sealed block.
   *
   * @param options The chain, if it is not that of the test.
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.advance(2000)
   * await expect(hash).toBeSealed()
   */
  toBeSealed(options?: MatchOptions): Promise<void>
  /**
   * Expects that the transaction is in a partial block, and in no sealed block yet.
   *
   * @param options The chain, if it is not that of the test.
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.advance(200)
   * await expect(hash).toBePreconfirmed()
   */
  toBePreconfirmed(options?: MatchOptions): Promise<void>
}

/** The matchers as `expect.extend` takes them. */
export type ChainMatcherFunctions = {
  readonly [Name in keyof ChainMatchers]: (
    this: MatcherContext,
    received: unknown,
    ...expected: Parameters<ChainMatchers[Name]>
  ) => Promise<MatchResult>
}

/**
 * The matchers for jest, or for another runner whose `expect` can be extended as jest's. With vitest, import
 * `tickchain/vitest` instead.
 *
 * @param chainOf Returns the chain of the test that runs.
 * @see jest's `expect.extend`
 * @example
 * expect.extend(chainMatchers(() => chain))
 * await chain.advance(200)
 * await expect(hash).toBePreconfirmed()
 */
export function chainMatchers(chainOf: ChainOf): ChainMatcherFunctions {
  return {
    async toEmit(received, event, options) {
      return matchEvent(beginMatching('toEmit', this, chainOf, received, options), received, event)
    },
    async toRevertWith(received, reason, options) {
      return matchRevert(beginMatching('toRevertWith', this, chainOf, received, options), received, reason)
    },
    async toChangeBalance(received, account, amount, options) {
      const matching = beginMatching('toChangeBalance', this, chainOf, received, options)
      return matchBalance(matching, received, account, amount, options)
    },
    async toMatchGas(received, gas, options) {
      return matchGas(beginMatching('toMatchGas', this, chainOf, received, options), received, gas)
    },
    async toBeSealed(received, options) {
      return matchInclusion(beginMatching('toBeSealed', this, chainOf, received, options), received, 'sealed')
    },
    async toBePreconfirmed(received, options) {
      return matchInclusion(
        beginMatching('toBePreconfirmed', this, chainOf, received, options),
        received,
        'preconfirmed',
      )
    },
  }
}
