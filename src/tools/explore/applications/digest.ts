// A digest of everything that a later answer of a chain may depend on. States with the same digest go on alike.

import { blockAt } from '../../../core/chain/chain.ts'
import { dumpOpenBlock } from '../../../core/chain/dump/block.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import type { NodeState } from '../../../core/node/node-state.ts'
import { dumpRollup } from '../../../core/node/rollup/dump.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { bytesToHex, type Hash, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { PersistentMap } from '../../../core/primitives/persistent-map.ts'
import { stateRoot } from '../../../core/state/state-tries.ts'
import { type Stage, stateOf } from './stage.ts'

/** Numbers for functions and other values without contents: equal only if they are the same. */
export type Identities = ReturnType<typeof createIdentities>

export function createIdentities() {
  const numbers = new Map<object, number>()
  return {
    of(value: object): number {
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return number
    },
  }
}

/** A replacer of JSON for the values in a state. */
function plain(identities: Identities) {
  return (_: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`
    if (typeof value === 'function') return identities.of(value)
    if (value instanceof Uint8Array) return bytesToHex(value)
    if (value instanceof Set || value instanceof Map) return [...value]
    // Its order depends on how it came about.
    if (value instanceof PersistentMap) return [...value.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
    return value
  }
}

/** The sealed blocks that may differ, with their states, which edits change. */
function blocksOf({ chain }: NodeState, floor: number): string[] {
  const { number } = chain.head.header
  const numbers = Array.from({ length: Math.max(0, number - floor) }, (_, index) => floor + 1 + index)
  const above = numbers.flatMap((each) => blockAt(chain, each) ?? [])
  return [chain.head.hash, ...above.map(({ hash, committed }) => `${hash}:${stateRoot(committed)}`)]
}

function partsOf(state: NodeState, floor: number, identities: Identities): unknown {
  const { chain, pool, settings, rollup, prevRandaoSource } = state
  const { nowMs, openedAtMs, partialsClosed, shiftedMs, nextTimestamp, controls } = state
  const waiting = [...pool.byHash.values()].sort((a, b) => a.arrival - b.arrival)
  const open = chain.open ?? rollup?.opening
  return {
    clock: [nowMs, openedAtMs, partialsClosed, shiftedMs, nextTimestamp],
    blocks: blocksOf(state, floor),
    root: stateRoot(chain.head.committed),
    open: open === undefined ? undefined : dumpOpenBlock(open),
    edits: open?.edits === undefined ? undefined : identities.of(open.edits),
    pool: waiting.map(({ transaction, cost }) => [transaction.hash, cost]),
    replaced: [...pool.replaced.entries()].map(([hash]) => hash).sort(),
    prevRandao: prevRandaoSource.prevRandao,
    settings,
    controls,
    rollup: rollup === undefined ? undefined : [dumpRollup(rollup), rollup.isOpeningTold],
  }
}

/** The snapshots that a test has taken. */
function recordsOf({ layers }: Stage, identities: Identities): Promise<unknown[]> {
  return Promise.all(
    layers.map(({ session }) =>
      session.node.read((_, { snapshots, lastSnapshotNumber, resetCount }) => [
        ...[lastSnapshotNumber, resetCount],
        ...[...snapshots.entries()].map(([number, state]) => [number, identities.of(state)]),
      ]),
    ),
  )
}

export async function digestOf(stage: Stage, identities: Identities): Promise<Hash> {
  const { layers, floors } = stage
  const parts = layers.map((layer, index) => {
    const isLayer1 = index === 0 && layers.length > 1
    return partsOf(stateOf(layer), isLayer1 ? floors.layer1 : floors.layer2, identities)
  })
  const roles = layers.map(({ emulator }) => internalsOf('explore', emulator).roles?.())
  const all = [parts, roles, await recordsOf(stage, identities)]
  return keccak256Hex(utf8ToBytes(JSON.stringify(all, plain(identities))))
}
