// The failures that tests need, as functions of the emulator.

import { dropAtSeal, dropPreconfirmed } from '../../node/faults/drop-preconfirmed.ts'
import type { FaultRule } from '../../node/faults/fault.ts'
import { addFault, removeFaults } from '../../node/faults/faults.ts'
import type { Scheduler } from '../../node/faults/scheduler.ts'
import { type Delay, delayTransaction, setOrdering, setScheduler } from '../../node/faults/scheduling.ts'
import type { Node } from '../../node/node.ts'
import { releaseTransaction, setPoolLimit } from '../../node/production/submit.ts'
import { ORDERINGS, type Ordering } from '../../pool/select.ts'
import type { Hash } from '../../primitives/hex.ts'
import { type FaultOptions, faultable, readFault, unmeant } from '../../rpc/codecs/fault.ts'
import { METHODS } from '../../rpc/registry.ts'
import type { Session } from '../../rpc/session.ts'
import { asFields, asHashArgument, asOneOf, asWholeNumber, refuseArgument } from './arguments.ts'
import { type DropOptions, resolveDrop, resolveHashes } from './chain-arguments.ts'

/** For how long `delayTransaction` holds back: one of the three. */
export interface DelayOptions {
  /** Partial blocks that the transaction misses, from 1. */
  readonly partials?: number
  /** Blocks that it misses, from 1, the one being built included. */
  readonly blocks?: number
  /** Virtual time in milliseconds, as `chain.now` counts it. */
  readonly untilMs?: number
}

/** A fault that was added. */
export interface Fault {
  /** Resolves to how many requests have gone wrong by it. */
  fired(): Promise<number>
  /** Ends it; nothing happens where it has ended. */
  clear(): Promise<void>
}

/** Makes things fail as they do on a real chain. Faults are part of a snapshot, and undone by a revert. */
export interface FaultControls {
  /**
   * Makes requests go wrong: they fail with an error or an HTTP status, wait on the virtual clock, get lost, or are
   * answered by a node that lags behind. Of several faults, the first that matches a request decides. The functions of
   * the emulator never fail by it, nor do methods whose names begin with `tickchain_`.
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
   * Ends all faults. Delayed answers that are on their way arrive in their time.
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
   * return to the pool. With `at: 'seal'` they are dropped from the block that is sealed, and visible until then.
   *
   * @param hashes One hash of 32 bytes, or several.
   * @param options When they are dropped, and whether they wait in the pool again.
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
   * @param delay For how long. Default: until it is released.
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
   * Lets a function decide what each partial block takes: it gets the candidates and returns hashes in the order in
   * which they are tried. What it leaves out waits; what cannot run or does not fit is passed over. It must be pure,
   * since a snapshot keeps it. Where it throws or returns anything but candidates, the call that moved the clock
   * rejects with `callbackFailed` or `invalidSchedule`, and nothing has changed.
   *
   * @param scheduler The function. Default: the ordering decides again.
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
   * Sets how many transactions the pool holds. Pooled ones stay; a full pool refuses new ones with `poolFull`, and
   * takes replacements.
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

function resolveFault(options: FaultOptions, chainPrefix: string): FaultRule {
  const rule = readFault(options, (field, expected, value) =>
    refuseArgument('fault', field === '' ? expected : `${field} to be ${expected}`, value),
  )
  const unknown = unmeant(rule, faultable(Object.keys(METHODS), chainPrefix))
  if (unknown !== undefined) refuseArgument('fault', 'method to be one that there is', unknown)
  return rule
}

function resolveDelay(delay: DelayOptions | undefined): Delay {
  const { partials, blocks, untilMs } = asFields('delayTransaction', delay)
  const whole = (name: string, value: number | undefined, least: number): number | undefined =>
    value === undefined ? undefined : asWholeNumber('delayTransaction', name, value, least)
  const resolved = {
    partials: whole('partials', partials, 1),
    blocks: whole('blocks', blocks, 1),
    untilMs: whole('untilMs', untilMs, 0),
  }
  if (Object.values(resolved).filter((value) => value !== undefined).length > 1) {
    refuseArgument('delayTransaction', 'one of partials, blocks and untilMs', delay)
  }
  return resolved
}

function handleOf(node: Node, rule: FaultRule): Fault {
  return {
    fired: () =>
      node.read(({ controls }) => controls.faults.find((fault) => fault.rule === rule)?.fired ?? 0),
    async clear() {
      await node.execute((state) => removeFaults(state, (fault) => fault.rule === rule))
    },
  }
}

/** The failures of a node. */
export function faultControls({ node, options: { chainPrefix } }: Session): FaultControls {
  const { config } = node
  return {
    async fault(options) {
      const rule = resolveFault(options, chainPrefix)
      node.expectFaults()
      await node.execute((state) => addFault(state, rule))
      return handleOf(node, rule)
    },
    async clearFaults() {
      await node.execute((state) => removeFaults(state, () => true))
    },
    async dropPreconfirmed(hashes, options) {
      const dropped = resolveHashes(hashes)
      const { returning, at } = resolveDrop(options)
      await node.execute((state) =>
        at === 'seal'
          ? dropAtSeal(state, dropped, returning)
          : dropPreconfirmed(config, state, dropped, returning),
      )
    },
    async delayTransaction(hash, delay) {
      const [held, resolved] = [asHashArgument('delayTransaction', hash), resolveDelay(delay)]
      await node.execute((state) => delayTransaction(state, held, resolved))
    },
    async releaseTransaction(hash) {
      const held = asHashArgument('releaseTransaction', hash)
      return node.execute((state) => releaseTransaction(config, state, held))
    },
    async setScheduler(scheduler) {
      if (scheduler !== undefined && typeof scheduler !== 'function') {
        refuseArgument('setScheduler', 'a function', scheduler)
      }
      await node.execute((state) => setScheduler(state, scheduler))
    },
    async setOrdering(ordering) {
      const asked = asOneOf('setOrdering', ORDERINGS, ordering)
      await node.execute((state) => setOrdering(state, asked))
    },
    async setPoolLimit(transactions) {
      const limit =
        transactions === undefined ? undefined : asWholeNumber('setPoolLimit', 'the limit', transactions)
      await node.execute((state) => setPoolLimit(state, limit))
    },
  }
}
