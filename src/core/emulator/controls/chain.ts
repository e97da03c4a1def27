// Functions of the emulator for the chain as a whole.

import { clearPool, dropTransaction } from '../../node/control/drop.ts'
import { type Replacement, reorganise, rollBack } from '../../node/control/reorg.ts'
import { resetState } from '../../node/control/replace-state.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { type Hash, type Hex, isHexBytes } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { arrayOf, bytesOf, data, hash } from '../../rpc/codecs/basic.ts'
import { type Codec, number, numberFrom } from '../../rpc/codecs/codec.ts'
import { need, objectCodec, or, returning } from '../../rpc/codecs/object.ts'
import type { Session } from '../../rpc/session.ts'
import { arg, control, reading } from './define.ts'

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
    (state, depth, { repool }) => rollBack(state, depth, repool),
  ),
  importBlocks: control(
    [arg('rlp', bytesOf('RLP')), arg('marks', importMarks, { safe: undefined, finalized: undefined })],
    async (...asked) => (await import('../../node/control/import.ts')).importBlocks(...asked),
  ),
  load: control([arg('state', bytesOf('a state dump'))], async (...asked) =>
    (await import('../../node/control/dump.ts')).loadState(...asked),
  ),
  reorg: control([arg('options', reorgOptions)], (state, { repool, ...order }) =>
    reorganise(state, { ...order, returning: repool }),
  ),
  reset:
    ({ node }: Session) =>
    () =>
      node.execute((state, records) => resetState(node.initial, state, records)),
  exportBlocks: reading(async (state) =>
    (await load(import('../../node/control/import.ts'))).exportBlocks(state),
  ),
  dump: reading(async (state) => (await load(import('../../node/control/dump.ts'))).dumpState(state)),
}
