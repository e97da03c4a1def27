// Controls of the chain as a whole: drop transactions, roll back, reset, import and export, dump and load.

import { clearPool, dropTransaction } from '../../node/control/drop.ts'
import type { ImportMarks } from '../../node/control/import.ts'
import { rollBack } from '../../node/control/reorg.ts'
import { resetState } from '../../node/control/replace-state.ts'
import type { Node } from '../../node/node.ts'
import type { Returning } from '../../node/production/rerun.ts'
import type { Hash, Hex } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { asFields, bytesOf, hash } from '../../rpc/codecs/basic.ts'
import type { Codec } from '../../rpc/codecs/codec.ts'
import { number, numberFrom } from '../../rpc/codecs/numbers.ts'
import { returning } from '../../rpc/codecs/scheduling.ts'
import { argument, option, optionalArgument } from '../checks.ts'

/** What `safe` and `finalized` mean after an import. */
export interface ImportMarksOptions {
  /** Number of the `safe` block. */
  readonly safe?: number
  /** Number of the `finalized` block. */
  readonly finalized?: number
}

/** What happens to transactions that `rollback` removes. */
export interface RollbackOptions {
  /** Whether transactions of the removed blocks return to the pool. Default false. */
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

const NO_MARKS: ImportMarks = { safe: undefined, finalized: undefined }

const importMarks: Codec<ImportMarks, ImportMarksOptions> = {
  name: 'object with safe and finalized',
  decode(value, path) {
    const marks = asFields(value, path, ['safe', 'finalized'])
    return {
      safe: option(marks, 'safe', number, undefined, path),
      finalized: option(marks, 'finalized', number, undefined, path),
    }
  },
}

const rollbackOptions: Codec<Returning, RollbackOptions> = {
  name: 'object with repool',
  decode: (value, path) => option(asFields(value, path, ['repool']), 'repool', returning, 'drop', path),
}

export function chainControls(node: Node): ChainControls {
  const { config } = node
  return {
    async dropTransaction(given) {
      const checked = argument('dropTransaction', 'hash', given, hash)
      return node.execute((state) => dropTransaction(config, state, checked))
    },
    clearPool: () => node.execute((state) => clearPool(config, state)),
    async rollback(depth = 1, options) {
      const checked = argument('rollback', 'depth', depth, numberFrom(1))
      const fate = optionalArgument('rollback', 'options', options, rollbackOptions, 'drop')
      await node.execute((state) => rollBack(config, state, checked, fate))
    },
    reset: () => node.execute((state, records) => resetState(node.initial, state, records)),
    async importBlocks(rlp, marks) {
      const bytes = argument('importBlocks', 'rlp', rlp, bytesOf('RLP'))
      const checked = optionalArgument('importBlocks', 'marks', marks, importMarks, NO_MARKS)
      await node.execute(async (state) => {
        const { importBlocks } = await import('../../node/control/import.ts')
        return importBlocks(config, state, bytes, checked)
      })
    },
    exportBlocks: () =>
      node.read(async (state) => {
        const { exportBlocks } = await load(import('../../node/control/import.ts'))
        return exportBlocks(state)
      }),
    async dump() {
      const state = await node.read((current) => current)
      const { dumpState } = await load(import('../../node/control/dump.ts'))
      return dumpState(state)
    },
    async load(state) {
      const bytes = argument('load', 'state', state, bytesOf('a state dump'))
      await node.execute(async (current) => {
        const { loadState } = await import('../../node/control/dump.ts')
        return loadState(config, current, bytes)
      })
    },
  }
}
