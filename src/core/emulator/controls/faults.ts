// Functions of the emulator for the failures that tests need.

import type { FaultRule, Scheduler } from '../../node/control/controls.ts'
import { dropAtSeal, dropPreconfirmed } from '../../node/control/drop.ts'
import { addFault, removeFaults } from '../../node/faults/faults.ts'
import { delayTransaction, setOrdering, setScheduler } from '../../node/faults/scheduling.ts'
import { releaseTransaction, setPoolLimit } from '../../node/production/submit.ts'
import type { Ordering } from '../../pool/select.ts'
import type { Hash } from '../../primitives/hex.ts'
import { arrayOf, hash } from '../../rpc/codecs/basic.ts'
import { type Codec, number, numberFrom, refuseValue } from '../../rpc/codecs/codec.ts'
import { checkMethods, type FaultOptions, faultable, fault as faultRule } from '../../rpc/codecs/fault.ts'
import { ordering as anyOrdering, converted, delayOf, dropOptions } from '../../rpc/codecs/object.ts'
import { METHODS } from '../../rpc/registry.ts'
import type { Session } from '../../rpc/session.ts'
import { argument, refuseCall } from '../checks.ts'
import { arg, control } from './define.ts'

/** The fate of transactions that `dropPreconfirmed` drops. */
export interface DropOptions {
  /** True if the dropped transactions return to the pool. Default false. */
  readonly repool?: boolean
  /** The moment: at once, or when their block is sealed. Default 'now'. */
  readonly at?: 'now' | 'seal'
}

/** The delay of `delayTransaction`: one of the three. */
export interface DelayOptions {
  /** Partial blocks that the transaction misses, from 1. */
  readonly partials?: number
  /** Blocks that it misses, from 1, including the one being built. */
  readonly blocks?: number
  /** Virtual time in milliseconds, as `chain.now` counts it. */
  readonly untilMs?: number
}

/** A fault that was added. */
export interface Fault {
  /** Resolves to the number of requests that it has affected. */
  fired(): Promise<number>
  /** Removes it; does nothing if it is removed already. */
  clear(): Promise<void>
}

/** Makes things fail as they do on a real chain. Snapshots contain the faults, and a revert undoes them. */
export interface FaultControls {
  /**
   * Makes requests go wrong: they fail with an error or an HTTP status, wait on the virtual clock, get lost, or are
   * answered by a node that lags behind. If several faults match a request, the first applies. The functions of the
   * emulator are never affected, nor are methods whose names begin with `tickchain_`.
   *
   * @param options Which requests, how, and how often.
   * @throws TickchainError `invalidCall`
   * @see `tickchain_addFault`
   * @example
   * const error = { code: -32005, message: 'slow down' }
   * const fault = await chain.fault({ method: 'eth_chainId', error, times: 1 })
   * await chain.request({ method: 'eth_chainId' }) // throws injectedFault
   * await chain.request({ method: 'eth_chainId' }) // => '0x7a69'
   * await fault.fired() // => 1
   */
  fault(options: FaultOptions): Promise<Fault>
  /**
   * Removes all faults. Answers that are already delayed still arrive at their time.
   *
   * @see `tickchain_clearFaults`
   * @example
   * await chain.fault({ method: 'eth_*', error: { code: -32005, message: 'slow down' } })
   * await chain.clearFaults()
   * await chain.request({ method: 'eth_chainId' }) // => '0x7a69'
   */
  clearFaults(): Promise<void>
  /**
   * Drops pre-confirmed transactions before they are sealed, as a sequencer may. Later transactions of their senders
   * return to the pool. With `at: 'seal'` they stay visible until their block is sealed.
   *
   * @param hashes One hash of 32 bytes, or several.
   * @param options When they are dropped, and whether they return to the pool.
   * @throws TickchainError `invalidCall` or `notPreconfirmed`; nothing has changed then
   * @see `tickchain_dropPreconfirmed`
   * @example
   * await chain.advance(200)
   * await chain.dropPreconfirmed(hash)
   * await chain.advance(1800)
   * await chain.outcome(hash) // => undefined
   */
  dropPreconfirmed(hashes: Hash | readonly Hash[], options?: DropOptions): Promise<void>
  /**
   * Holds a transaction back in the pool, and with it the later ones of its sender.
   *
   * @param hash 32 bytes of hex.
   * @param delay How long. Default: until it is released.
   * @throws TickchainError `invalidCall` or `notPooled`
   * @see `tickchain_delayTransaction`
   * @example
   * await chain.delayTransaction(hash, { blocks: 1 })
   * await chain.advance(4000)
   * const outcome = await chain.outcome(hash)
   * outcome?.blockNumber // => 2
   */
  delayTransaction(hash: Hash, delay?: DelayOptions): Promise<void>
  /**
   * Ends a delay, and resolves to whether there was one. In `auto` production the transaction is sealed at once.
   *
   * @param hash 32 bytes of hex.
   * @throws TickchainError `invalidCall`
   * @see `tickchain_releaseTransaction`
   * @example
   * await chain.delayTransaction(hash)
   * await chain.releaseTransaction(hash) // => true
   */
  releaseTransaction(hash: Hash): Promise<boolean>
  /**
   * Lets a function choose the transactions of each partial block: it gets the candidates and returns hashes in the
   * order in which to try them. Candidates that it omits wait; those that cannot run or do not fit are skipped. It must
   * be pure, because snapshots keep it. If it throws or returns anything but candidates, the call that moved the clock
   * rejects with `callbackFailed` or `invalidSchedule`, and nothing has changed.
   *
   * @param scheduler The function. Default: none, so that the ordering decides.
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setScheduler(({ candidates }) => candidates.map(({ hash }) => hash).reverse())
   */
  setScheduler(scheduler?: Scheduler): Promise<void>
  /**
   * Sets the order in which pooled transactions are tried: highest tip first (`'fees'`), first come first (`'fifo'`),
   * last come first (`'lifo'`), or random from the chain's seed (`'random'`). Nonces of a sender always ascend.
   *
   * @param ordering One of the four.
   * @throws TickchainError `invalidCall`
   * @see `tickchain_setOrdering`
   * @example
   * await chain.setOrdering('random')
   * const { ordering } = await chain.nodeInfo()
   * ordering // => 'random'
   */
  setOrdering(ordering: Ordering): Promise<void>
  /**
   * Sets how many transactions the pool holds. Pooled ones stay; a full pool refuses new ones with `poolFull`, but
   * accepts replacements.
   *
   * @param transactions A whole number from 0. Default: the option `limits.poolTransactions`.
   * @throws TickchainError `invalidCall`
   * @see `tickchain_setPoolLimit`
   * @example
   * await chain.setPoolLimit(1)
   * const [from] = await chain.listAccounts()
   * await chain.request({ method: 'eth_sendTransaction', params: [{ from }] }) // throws poolFull
   */
  setPoolLimit(transactions?: number): Promise<void>
}

const hashes: Codec<Hash[], Hash | readonly Hash[]> = {
  name: 'hash or array of hash',
  decode(value, path) {
    if (!Array.isArray(value)) return [hash.decode(value, path)]
    if (value.length === 0) refuseValue(path, 'at least one transaction hash', value)
    return arrayOf(hash).decode(value, path)
  },
}

const anyScheduler: Codec<Scheduler> = {
  name: 'scheduler',
  decode: (value) =>
    typeof value === 'function' ? (value as Scheduler) : refuseCall('setScheduler', 'a function', value),
}

export const faultControls = {
  dropPreconfirmed: control(
    [arg('hashes', hashes), arg('options', dropOptions, { returning: 'drop', at: 'now' })],
    (state, dropped, { returning, at }) =>
      at === 'seal' ? dropAtSeal(state, dropped, returning) : dropPreconfirmed(state, dropped, returning),
  ),
  delayTransaction: control([arg('hash', hash), arg('delay', delayOf(numberFrom), {})], delayTransaction),
  releaseTransaction: control([arg('hash', hash)], releaseTransaction),
  setScheduler: control([arg('scheduler', anyScheduler, undefined)], setScheduler),
  setOrdering: control([arg('ordering', anyOrdering)], setOrdering),
  setPoolLimit: control([arg('transactions', number, undefined)], setPoolLimit),
  fault:
    ({ node, options: { chainPrefix } }: Session): FaultControls['fault'] =>
    async (options) => {
      const methods = faultable(Object.keys(METHODS), chainPrefix)
      const known = converted(faultRule, (rule, path) => checkMethods(rule, methods, path))
      const rule = argument('fault', 'options', options, known)
      node.expectFaults()
      await node.execute((state) => addFault(state, rule))
      const isOwn = (fault: { readonly rule: FaultRule }): boolean => fault.rule === rule
      return {
        fired: () => node.read(({ controls }) => controls.faults.find(isOwn)?.fired ?? 0),
        clear: () => node.execute((state) => ({ ...removeFaults(state, isOwn), result: undefined })),
      }
    },
  clearFaults: control([], (state) => ({ ...removeFaults(state, () => true), result: undefined })),
}
