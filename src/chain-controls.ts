// What a test does to the chain as a whole: take transactions and blocks back, begin anew, carry it elsewhere.

import { asReturning, refuse } from './call-arguments.ts'
import { clearPool, dropTransaction } from './node/drop.ts'
import { dumpState, loadState } from './node/dump.ts'
import type { Node } from './node/node.ts'
import { rollBack } from './node/reorg.ts'
import { replaceState } from './node/replace-state.ts'
import { type Hash, type Hex, hexToBytes, isHexBytes } from './primitives/hex.ts'

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
   * Goes back to how the chain was created: blocks, pool, clock, settings and randomness. The ids of `evm_snapshot`
   * are used up; handles of `snapshot()` can still be gone back to.
   *
   * @example
   * await chain.advance(60_000)
   * await chain.reset()
   */
  reset(): Promise<void>
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

function asDepth(depth: unknown): number {
  if (Number.isSafeInteger(depth) && (depth as number) >= 1) return depth as number
  return refuse('rollback', 'depth to be a whole number from 1', depth)
}

function asHash(call: string, hash: unknown): Hash {
  return isHexBytes(hash, 32) ? (hash.toLowerCase() as Hash) : refuse(call, 'a hash of 32 bytes', hash)
}

/** Checks the argument of `load`. */
function asDump(state: unknown): Uint8Array {
  if (state instanceof Uint8Array) return state
  return isHexBytes(state) ? hexToBytes(state) : refuse('load', 'a state dump as bytes or hex', state)
}

export function chainControls(node: Node): ChainControls {
  const { config } = node
  return {
    async dropTransaction(hash) {
      const checked = asHash('dropTransaction', hash)
      return node.execute((state) => dropTransaction(config, state, checked))
    },
    clearPool: () => node.execute((state) => clearPool(config, state)),
    async rollback(depth = 1, options = {}) {
      const checked = asDepth(depth)
      const returning = asReturning('rollback', options?.repool, 'drop')
      await node.execute((state) => rollBack(config, state, checked, returning))
    },
    reset: () => node.execute((state) => replaceState(state, node.restart())),
    dump: () => node.read(dumpState),
    async load(state) {
      const bytes = asDump(state)
      await node.execute((current) => loadState(config, current, bytes))
    },
  }
}
