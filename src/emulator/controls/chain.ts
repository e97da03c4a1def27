// What a test does to the chain as a whole: take transactions and blocks back, begin anew, carry it elsewhere.

import { clearPool, dropTransaction } from '../../node/control/drop.ts'
import { rollBack } from '../../node/control/reorg.ts'
import { replaceState } from '../../node/control/replace-state.ts'
import type { Node } from '../../node/node.ts'
import type { Hash, Hex } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { asBytesArgument, asFields, asHashArgument, asWholeNumber } from './arguments.ts'
import { asReturning, type ImportMarksOptions, resolveMarks, resolveRlp } from './chain-arguments.ts'

export interface RollbackOptions {
  /** Whether the transactions of the blocks wait in the pool again. Default false. */
  readonly repool?: boolean
}

export interface ChainControls {
  /**
   * Drops a transaction that waits in the pool or is pre-confirmed, and answers whether there was one.
   *
   * @throws TickchainError `alreadySealed`, or `invalidCall`
   * @example
   * if (!(await chain.dropTransaction(hash))) throw new Error('it was waiting')
   */
  dropTransaction(hash: Hash): Promise<boolean>
  /**
   * Drops every transaction that is not sealed: those that wait and those that are pre-confirmed.
   *
   * @example
   * await chain.clearPool()
   * await chain.seal() // an empty block
   */
  clearPool(): Promise<void>
  /**
   * Takes the last `depth` blocks off the chain, and the block being built, without new ones in their place. Logs
   * are told as removed; the transactions are gone, unless they are to wait in the pool again. The clock stays.
   *
   * @throws TickchainError `invalidCall` or `reorgTooDeep`; nothing has changed then
   * @example
   * await chain.seal()
   * await chain.rollback(1)
   */
  rollback(depth?: number, options?: RollbackOptions): Promise<void>
  /**
   * Goes back to how the chain was created: blocks, pool, clock, settings and prevRandao. The ids of `evm_snapshot`
   * are used up; handles of `snapshot()` can still be gone back to.
   *
   * @example
   * await chain.advance(60_000)
   * await chain.reset()
   */
  reset(): Promise<void>
  /**
   * Executes foreign blocks on the head, checking every root, gas and hash: RLP, one block after another, as geth
   * exports them, as bytes or hex. Block numbers up to the new head may be marked safe and finalized.
   *
   * @throws TickchainError `invalidBlock`, saying which check failed, `undecodableBlocks`, or `invalidCall` for marks
   *   that cannot be; no block is taken then
   */
  importBlocks(rlp: Uint8Array | Hex, marks?: ImportMarksOptions): Promise<void>
  /**
   * The blocks above genesis as RLP, one after another: what `importBlocks` takes.
   *
   * @throws TickchainError `notExportable` where more than 8191 empty blocks were made in one call
   */
  exportBlocks(): Promise<Uint8Array>
  /**
   * The whole chain as bytes, the same for the same chain on every machine: gzip of JSON, described in
   * docs/state-format.md. What a test has set on the chain, and numbered snapshots, are not in it.
   *
   * @throws TickchainError `chainTooLong`
   * @example
   * const state = await chain.dump()
   * const copy = await createEmulator({ state })
   */
  dump(): Promise<Uint8Array>
  /**
   * Loads a dump, as bytes or hex. One of this library takes the place of the chain, clock and pool included; of one
   * of anvil the accounts come on top of those here, and the clock goes on to its block's time.
   *
   * @throws TickchainError `undecodableState` or `invalidCall`; nothing has changed then
   * @example
   * const state = await chain.dump()
   * await chain.advance(60_000)
   * await chain.load(state)
   */
  load(state: Uint8Array | Hex): Promise<void>
}

export function chainControls(node: Node): ChainControls {
  const { config } = node
  return {
    async dropTransaction(hash) {
      const checked = asHashArgument('dropTransaction', hash, 'a hash of 32 bytes')
      return node.execute((state) => dropTransaction(config, state, checked))
    },
    clearPool: () => node.execute((state) => clearPool(config, state)),
    async rollback(depth = 1, options) {
      const checked = asWholeNumber('rollback', 'depth', depth, 1)
      const returning = asReturning('rollback', asFields('rollback', options).repool, 'drop')
      await node.execute((state) => rollBack(config, state, checked, returning))
    },
    reset: () => node.execute((state) => replaceState(state, node.restart())),
    importBlocks: (rlp, marks) =>
      node.execute(async (state) => {
        const [bytes, checked] = [resolveRlp(rlp), resolveMarks(marks)]
        const { importBlocks } = await import('../../node/control/import.ts')
        return importBlocks(config, state, bytes, checked)
      }),
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
      const bytes = asBytesArgument('load', 'a state dump', state)
      await node.execute(async (current) => {
        const { loadState } = await import('../../node/control/dump.ts')
        return loadState(config, current, bytes)
      })
    },
  }
}
