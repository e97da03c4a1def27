// Functions of the emulator for the chain as a whole, what it was forked from, and the failures that tests need.

import type { Fork, ForkStats } from '../../fork/fork.ts'
import { clearPool, dropAtSeal, dropPreconfirmed, dropTransaction } from '../../node/control/drop.ts'
import { resetState } from '../../node/control/edit-state.ts'
import { type Replacement, reorganise, rollBack } from '../../node/control/reorg.ts'
import type { FaultRule, Scheduler } from '../../node/faults/fault.ts'
import { addFault, removeFaults } from '../../node/faults/faults.ts'
import { delayTransaction, setOrdering, setScheduler } from '../../node/faults/scheduling.ts'
import type { Node } from '../../node/node.ts'
import { releaseTransaction, setPoolLimit } from '../../node/production/submit.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import type { Ordering } from '../../pool/select.ts'
import { failure, load } from '../../primitives/errors.ts'
import { type Address, type Hash, type Hex, isHexBytes } from '../../primitives/hex.ts'
import { address, arrayOf, asFields, bytesOf, data, hash, storageKey } from '../../rpc/codecs/basic.ts'
import { type Codec, number, numberFrom, refuseValue } from '../../rpc/codecs/codec.ts'
import { checkMethods, type FaultOptions, faultable, fault as faultRule } from '../../rpc/codecs/fault.ts'
import {
  ordering as anyOrdering,
  converted,
  delayOf,
  dropOptions,
  need,
  objectCodec,
  or,
  returning,
} from '../../rpc/codecs/object.ts'
import { METHODS } from '../../rpc/registry.ts'
import type { Session } from '../../rpc/session.ts'
import { argument, option, refuseCall } from '../checks.ts'
import { arg, control } from './define.ts'

/** The blocks that `safe` and `finalized` name after an import. */
export interface ImportMarksOptions {
  /** Number of the `safe` block. */
  readonly safe?: number
  /** Number of the `finalized` block. */
  readonly finalized?: number
}

/** The fate of transactions that `rollback` removes. */
export interface RollbackOptions {
  /** True if transactions of the removed blocks return to the pool. Default false. */
  readonly repool?: boolean
}

/** The blocks that `reorg` replaces, and their replacements. */
export interface ReorgOptions {
  /** Sealed blocks to replace, a whole number from 1. */
  readonly depth: number
  /**
   * The transactions of each new block, in order: an orphaned or pooled one by its hash, or a signed transaction as
   * hex. A rollup's blocks open with their own deposits, and those given are left out. Fewer blocks shorten the chain.
   * More blocks lengthen it; these fall due one block time apart, and the clock moves along. Default: as many empty
   * blocks as are replaced.
   */
  readonly blocks?: readonly (readonly (Hash | Hex)[])[]
  /** True if orphaned transactions return to the pool, and pre-confirmed ones stay so. Default true. */
  readonly repool?: boolean
}

/** Drops transactions, rolls back, resets, imports and exports, dumps and loads. */
export interface ChainControls {
  /**
   * Drops a pooled or pre-confirmed transaction, and resolves to whether there was one.
   *
   * @param hash 32 bytes of hex.
   * @throws TickchainError `invalidCall`, or `alreadySealed`
   * @see `anvil_dropTransaction`, `hardhat_dropTransaction`
   * @example
   * await chain.dropTransaction(hash) // => true
   * await chain.dropTransaction(hash) // => false
   */
  dropTransaction(hash: Hash): Promise<boolean>
  /**
   * Drops all pooled and pre-confirmed transactions.
   *
   * @see `anvil_dropAllTransactions`
   * @example
   * await chain.clearPool()
   * await chain.request({ method: 'txpool_status' }) // => { pending: '0x0', queued: '0x0' }
   */
  clearPool(): Promise<void>
  /**
   * Removes the last blocks without replacing them. Subscriptions get their logs as removed; transactions, also
   * pre-confirmed ones, are dropped unless `repool` is set; the clock stays.
   *
   * @param depth Blocks, a whole number from 1. Default 1.
   * @param options What happens to the transactions.
   * @throws TickchainError `invalidCall` or `reorgTooDeep`; nothing has changed then
   * @see `anvil_rollback`, `debug_setHead`
   * @example
   * await chain.mine(3)
   * await chain.rollback(2)
   * await chain.request({ method: 'eth_blockNumber' }) // => '0x1'
   */
  rollback(depth?: number, options?: RollbackOptions): Promise<void>
  /**
   * Resets the chain to how it was created: blocks, pool, clock, settings and prevRandao. Ids of `evm_snapshot` become
   * invalid; handles of `snapshot()` stay valid.
   *
   * @see `anvil_reset`, `hardhat_reset`
   * @example
   * await chain.advance(60_000)
   * await chain.reset()
   * chain.now // => 1704067200000
   */
  reset(): Promise<void>
  /**
   * Executes foreign blocks on the head and verifies every root, gas amount and hash.
   *
   * @param rlp Blocks one after another, as geth exports them, as bytes or hex.
   * @param marks Blocks, up to the new head, that become `safe` and `finalized`.
   * @throws TickchainError `invalidBlock` with the failed check, `undecodableBlocks`, `layersApart` on a
   *   layer 2 with a real layer 1 for other L1 origins or deposits, or `invalidCall` for the marks; no block is imported
   *   then
   * @see geth's `import`
   * @example
   * const copy = chain.clone()
   * await chain.mine(2)
   * await copy.importBlocks(await chain.exportBlocks())
   * await copy.request({ method: 'eth_blockNumber' }) // => '0x2'
   */
  importBlocks(rlp: Uint8Array | Hex, marks?: ImportMarksOptions): Promise<void>
  /**
   * Resolves to the RLP of the blocks above genesis, one after another: the input of `importBlocks`.
   *
   * @throws TickchainError `notExportable` if more than 8191 empty blocks were made in one call
   * @see geth's `export`
   * @example
   * const genesisOnly = await chain.exportBlocks()
   * genesisOnly.length // => 0
   */
  exportBlocks(): Promise<Uint8Array>
  /**
   * Resolves to the whole chain as bytes, the same for the same chain on every machine: gzip of JSON, see
   * https://github.com/tickchain/tickchain/blob/main/docs/state-format.md. Faults, schedulers and numbered snapshots are
   * not included.
   *
   * @throws TickchainError `chainTooLong`
   * @see `anvil_dumpState`
   * @example
   * await chain.mine(2)
   * const copy = await createEmulator({ state: await chain.dump() })
   * await copy.request({ method: 'eth_blockNumber' }) // => '0x2'
   */
  dump(): Promise<Uint8Array>
  /**
   * Loads a dump. A dump of this library replaces the chain, with its clock and pool. A dump of anvil adds its accounts
   * to the present ones and moves the clock forward to the time of its block.
   *
   * @param state Bytes or hex.
   * @throws TickchainError `undecodableState` or `invalidCall`; nothing has changed then
   * @see `anvil_loadState`
   * @example
   * const state = await chain.dump()
   * await chain.advance(60_000)
   * await chain.load(state)
   * chain.now // => 1704067200000
   */
  load(state: Uint8Array | Hex): Promise<void>
}

const importMarks = objectCodec({ safe: number, finalized: number })

const replacement: Codec<Replacement, Hash | Hex> = {
  name: 'hash or signed transaction',
  decode: (value, path) =>
    isHexBytes(value, 32) ? hash.decode(value, path) : decodeTransaction(data.decode(value, path)),
}

const reorgOptions = objectCodec({
  depth: need(numberFrom(1)),
  blocks: arrayOf(arrayOf(replacement)),
  repool: or(returning, 'repool'),
})

const rollbackOptions = objectCodec({ repool: or(returning, 'drop') })

export const chainControls = {
  dropTransaction: control([arg('hash', hash)], dropTransaction),
  clearPool: control([], clearPool),
  rollback: control(
    [arg('depth', numberFrom(1), 1), arg('options', rollbackOptions, { repool: 'drop' })],
    (config, state, depth, { repool }) => rollBack(config, state, depth, repool),
  ),
  importBlocks: control(
    [arg('rlp', bytesOf('RLP')), arg('marks', importMarks, { safe: undefined, finalized: undefined })],
    async (config, state, rlp, marks) => {
      const { importBlocks } = await import('../../node/control/import.ts')
      return importBlocks(config, state, rlp, marks)
    },
  ),
  load: control([arg('state', bytesOf('a state dump'))], async (config, state, dump) => {
    const { loadState } = await import('../../node/control/dump.ts')
    return loadState(config, state, dump)
  }),
  reorg: control([arg('options', reorgOptions)], (config, state, { repool, ...order }) =>
    reorganise(config, state, { ...order, returning: repool }),
  ),
  reset:
    ({ node }: Session) =>
    () =>
      node.execute((state, records) => resetState(node.initial, state, records)),
  exportBlocks:
    ({ node }: Session) =>
    () =>
      node.read(async (state) => {
        const { exportBlocks } = await load(import('../../node/control/import.ts'))
        return exportBlocks(state)
      }),
  dump:
    ({ node }: Session) =>
    () =>
      node.read(async (state) => {
        const { dumpState } = await load(import('../../node/control/dump.ts'))
        return dumpState(node.config, state)
      }),
}

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

const hashList = arrayOf(hash)

const hashes: Codec<Hash[], Hash | readonly Hash[]> = {
  name: 'hash or array of hash',
  decode(value, path) {
    if (!Array.isArray(value)) return [hash.decode(value, path)]
    if (value.length === 0) refuseValue(path, 'at least one transaction hash', value)
    return hashList.decode(value, path)
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
    (config, state, dropped, { returning, at }) =>
      at === 'seal'
        ? dropAtSeal(state, dropped, returning)
        : dropPreconfirmed(config, state, dropped, returning),
  ),
  delayTransaction: control(
    [arg('hash', hash), arg('delay', delayOf(numberFrom), {})],
    (_, state, held, delay) => delayTransaction(state, held, delay),
  ),
  releaseTransaction: control([arg('hash', hash)], releaseTransaction),
  setScheduler: control([arg('scheduler', anyScheduler, undefined)], (_, state, scheduler) =>
    setScheduler(state, scheduler),
  ),
  setOrdering: control([arg('ordering', anyOrdering)], (_, state, ordering) => setOrdering(state, ordering)),
  setPoolLimit: control([arg('transactions', number, undefined)], (_, state, most) =>
    setPoolLimit(state, most),
  ),
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
  clearFaults: control([], (_, state) => ({ ...removeFaults(state, () => true), result: undefined })),
}

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

const MOST_SLOTS = 100_000
const MOST_ACCOUNTS = 100_000
const slots = arrayOf(storageKey, MOST_SLOTS)

const prefetchedAccount: Codec<readonly [Address, readonly Hash[]]> = {
  name: 'address, or object with address and slots',
  decode(value, path) {
    if (typeof value === 'string') return [address.decode(value, path), []]
    const fields = asFields(value, path, ['address', 'slots'])
    return [address.decode(fields.address, `${path}.address`), option(fields, 'slots', slots, [], path)]
  },
}

const accountsCodec = arrayOf(prefetchedAccount, MOST_ACCOUNTS)

export function forkInfo(fork: Fork | undefined): ForkInfo | undefined {
  if (fork === undefined) return undefined
  const { number, hash } = fork.header
  return { chainId: fork.chainId, blockNumber: number, blockHash: hash, stats: fork.stats }
}

export function forkControls(node: Node): ForkControls {
  return {
    async prefetch(accounts) {
      const wanted = argument('prefetch', 'accounts', accounts, accountsCodec)
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
