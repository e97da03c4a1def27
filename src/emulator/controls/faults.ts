// Functions of the emulator for the failures that tests need.

import { dropAtSeal, dropPreconfirmed } from '../../node/faults/drop-preconfirmed.ts'
import type { FaultRule } from '../../node/faults/fault.ts'
import { addFault, removeFaults } from '../../node/faults/faults.ts'
import type { Scheduler } from '../../node/faults/scheduler.ts'
import { delayTransaction, setOrdering, setScheduler } from '../../node/faults/scheduling.ts'
import type { Node } from '../../node/node.ts'
import { releaseTransaction, setPoolLimit } from '../../node/production/submit.ts'
import type { Ordering } from '../../pool/select.ts'
import type { Hash } from '../../primitives/hex.ts'
import { arrayOf, hash } from '../../rpc/codecs/basic.ts'
import { type Codec, refuseValue } from '../../rpc/codecs/codec.ts'
import { checkMeant, type FaultOptions, faultable, fault as faultRule } from '../../rpc/codecs/fault.ts'
import { number, numberFrom } from '../../rpc/codecs/numbers.ts'
import { ordering as anyOrdering, type Drop, delayOf, dropOptions } from '../../rpc/codecs/scheduling.ts'
import { METHODS } from '../../rpc/registry.ts'
import type { Session } from '../../rpc/session.ts'
import { argument, optionalArgument, refuseCall } from '../checks.ts'

/** What becomes of transactions that `dropPreconfirmed` drops. */
export interface DropOptions {
  /** Whether the dropped transactions wait in the pool again. Default false. */
  readonly repool?: boolean
  /** When they vanish: at once, or when the block is sealed that they would be in. Default 'now'. */
  readonly at?: 'now' | 'seal'
}

/** For how long `delayTransaction` holds back: one of the three. */
export interface DelayOptions {
  /** Partial blocks that the transaction misses. */
  readonly partials?: number
  /** Blocks that it misses, with the one that is being built. */
  readonly blocks?: number
  /** Virtual time in milliseconds, as `chain.now` counts it. */
  readonly untilMs?: number
}

/** A fault that was added. */
export interface Fault {
  /** How many requests have gone wrong by it. */
  fired(): Promise<number>
  /** Ends it; nothing happens where it has ended. */
  clear(): Promise<void>
}

/** Lets go wrong what goes wrong on a real chain. All of it is part of a snapshot, and undone by a revert. */
export interface FaultControls {
  /**
   * Lets requests go wrong: they fail with an error or an HTTP status, wait on the virtual clock, get lost, or are
   * answered by a node that lags behind. Of several faults, the first that a request meets decides. The chain's own
   * functions never fail, and neither do the methods whose names begin with `tickchain_`.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * const fault = await chain.fault({ method: 'eth_getBalance', error: { code: -32005, message: 'slow down' }, times: 1 })
   * const [account] = await chain.request({ method: 'eth_accounts' })
   * const error = await chain.request({ method: 'eth_getBalance', params: [account] }).catch((thrown) => thrown)
   * if (error.code !== -32005 || (await fault.fired()) !== 1) throw error
   */
  fault(options: FaultOptions): Promise<Fault>
  /**
   * Ends all faults. Answers that are on their way arrive when they would have.
   *
   * @example
   * await chain.clearFaults()
   */
  clearFaults(): Promise<void>
  /**
   * Lets pre-confirmed transactions vanish before they are sealed, as a sequencer may: they are in no later
   * block unless they are sent again, or `repool` keeps them waiting. Later transactions of their senders
   * return to the pool. With `at: 'seal'` they vanish only from the block that is sealed.
   *
   * @throws TickchainError `invalidCall` or `notPreconfirmed`; nothing has changed then
   * @example
   * await chain.advance(200)
   * await chain.dropPreconfirmed(hash, { at: 'seal' })
   */
  dropPreconfirmed(hashes: Hash | readonly Hash[], options?: DropOptions): Promise<void>
  /**
   * Holds a transaction back in the pool, and with it the later ones of its sender: for so many partial blocks or
   * blocks, until a time, or, without any of these, until it is released.
   *
   * @throws TickchainError `invalidCall` or `notPooled`
   * @example
   * await chain.delayTransaction(hash, { blocks: 1 })
   */
  delayTransaction(hash: Hash, delay?: DelayOptions): Promise<void>
  /**
   * Ends a delay, and answers whether there was one. In `auto` production the transaction is sealed at once.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.delayTransaction(hash)
   * await chain.releaseTransaction(hash)
   */
  releaseTransaction(hash: Hash): Promise<boolean>
  /**
   * Lets a function decide what each partial block takes: it gets the candidates and answers hashes in the order
   * in which they are to be tried. What it leaves out waits; what cannot run or does not fit is passed over. It has
   * to be a pure function, for a snapshot keeps it and a revert asks it again. Where it throws, or answers anything
   * but candidates, what moved the clock is refused with `callbackFailed` or `invalidSchedule`, and nothing has
   * changed. Without a function, the ordering decides again.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setScheduler(({ candidates }) => candidates.map(({ hash }) => hash).reverse())
   */
  setScheduler(scheduler?: Scheduler): Promise<void>
  /**
   * Decides in which order waiting transactions are tried: best tip first (`'fees'`), first come first (`'fifo'`),
   * last come first (`'lifo'`), or by lot, from the chain's seed (`'random'`).
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setOrdering('random')
   */
  setOrdering(ordering: Ordering): Promise<void>
  /**
   * Decides how many transactions the pool holds; what waits already stays. A full pool refuses with `poolFull`,
   * and takes replacements. Without a number, the option `limits.poolTransactions` decides again.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setPoolLimit(0)
   */
  setPoolLimit(transactions?: number): Promise<void>
}

/** A fault whose names and patterns all match a method. */
function meantFault(chainPrefix: string): Codec<FaultRule, FaultOptions> {
  return {
    name: faultRule.name,
    decode(value, path) {
      const rule = faultRule.decode(value, path)
      checkMeant(rule, faultable(Object.keys(METHODS), chainPrefix), path)
      return rule
    },
  }
}

const hashList = arrayOf(hash)

/** One hash, or an array of them. */
const hashes: Codec<Hash[], Hash | readonly Hash[]> = {
  name: 'hash or array of hash',
  decode(value, path) {
    if (!Array.isArray(value)) return [hash.decode(value, path)]
    if (value.length === 0) refuseValue(path, 'at least one transaction hash', value)
    return hashList.decode(value, path)
  },
}

const delayOptions = delayOf(numberFrom)

const KEPT_OUT: Drop = { returning: 'drop', at: 'now' }

function handleOf(node: Node, rule: FaultRule): Fault {
  return {
    fired: () =>
      node.read(({ controls }) => controls.faults.find((fault) => fault.rule === rule)?.fired ?? 0),
    async clear() {
      await node.execute((state) => removeFaults(state, (fault) => fault.rule === rule))
    },
  }
}

/** The controls of a node's failures. */
export function faultControls({ node, options: { chainPrefix } }: Session): FaultControls {
  const { config } = node
  return {
    async fault(options) {
      const rule = argument('fault', 'options', options, meantFault(chainPrefix))
      node.expectFaults()
      await node.execute((state) => addFault(state, rule))
      return handleOf(node, rule)
    },
    async clearFaults() {
      await node.execute((state) => removeFaults(state, () => true))
    },
    async dropPreconfirmed(given, options) {
      const call = 'dropPreconfirmed'
      const dropped = argument(call, 'hashes', given, hashes)
      const { returning, at } = optionalArgument(call, 'options', options, dropOptions, KEPT_OUT)
      await node.execute((state) =>
        at === 'seal'
          ? dropAtSeal(state, dropped, returning)
          : dropPreconfirmed(config, state, dropped, returning),
      )
    },
    async delayTransaction(given, delay) {
      const held = argument('delayTransaction', 'hash', given, hash)
      const asked = optionalArgument('delayTransaction', 'delay', delay, delayOptions, {})
      await node.execute((state) => delayTransaction(state, held, asked))
    },
    async releaseTransaction(given) {
      const held = argument('releaseTransaction', 'hash', given, hash)
      return node.execute((state) => releaseTransaction(config, state, held))
    },
    async setScheduler(scheduler) {
      if (scheduler !== undefined && typeof scheduler !== 'function') {
        refuseCall('setScheduler', 'a function', scheduler)
      }
      await node.execute((state) => setScheduler(state, scheduler))
    },
    async setOrdering(ordering) {
      const asked = argument('setOrdering', 'ordering', ordering, anyOrdering)
      await node.execute((state) => setOrdering(state, asked))
    },
    async setPoolLimit(transactions) {
      const limit = optionalArgument('setPoolLimit', 'transactions', transactions, number, undefined)
      await node.execute((state) => setPoolLimit(state, limit))
    },
  }
}
