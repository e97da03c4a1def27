// Numbered snapshots. A revert uses up its snapshot and the later ones, as in other emulators, unless it keeps them.

import { replaceState } from '../../node/control/replace-state.ts'
import { unchanged } from '../../node/events.ts'
import { saveSnapshot, useUpSnapshots } from '../../node/records.ts'
import { bytesToHex, toQuantity } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { boolean, data } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { or, recordCodec } from '../codecs/object.ts'
import { firstSnapshotId } from '../flavor/flavor.ts'
import { defineCommand, defineRead } from '../method.ts'

const revertOptions = recordCodec({ keep: or(boolean, false) })

export const evm_snapshot = defineCommand({
  summary: 'Remembers the chain as it is, under a number that is never used again.',
  hardhat: { params: [] },
  result: 'snapshot id: they count up from 0x0, or from 0x1 in the flavors hardhat and ganache',
  handle: ({ node, options }) =>
    node.execute((state, before) => {
      const records = saveSnapshot(before, state)
      const id = records.lastSnapshotNumber - 1 + firstSnapshotId(options.flavor)
      return { ...unchanged(state), records, result: toQuantity(id) }
    }),
})

export const evm_revert = defineCommand({
  summary:
    'Goes back to a snapshot; deletes it and later ones, unless `keep` is true. Subscriptions and filters are told what is gone.',
  params: [required('snapshotId', integer), optional('options', revertOptions, { keep: false })],
  hardhat: { params: ['u64'] },
  result: 'true, or false where there is no such snapshot',
  example: { params: ['0x1'] },
  handle: ({ node, options }, id, { keep }) =>
    node.execute((state, before) => {
      const number = id + 1 - firstSnapshotId(options.flavor)
      const saved = before.snapshots.get(number)
      if (saved === undefined) return { ...unchanged(state), result: false }
      const records = keep ? before : useUpSnapshots(before, number)
      return { ...replaceState(state, saved), records, result: true }
    }),
})

export { evm_revert as anvil_revert, evm_snapshot as anvil_snapshot }

export const hardhat_dumpState = defineRead({
  summary: 'The whole chain as gzipped JSON for hardhat_loadState. anvil can load the accounts at its head.',
  // anvil's parameter; a dump always has the history.
  params: [optional('preserveHistoricalStates', boolean, true)],
  beforeFork: 'handler',
  result: 'data',
  example: { params: [] },
  async handle({ state }, _history) {
    const { dumpState } = await load(import('../../node/control/dump.ts'))
    return bytesToHex(dumpState(state))
  },
})

export const hardhat_loadState = defineCommand({
  summary:
    'Loads a dump. One of our own replaces the whole chain, with clock and pool. The accounts of a dump of anvil are merged into the present ones.',
  params: [required('state', data)],
  result: 'true',
  // The JSON {"accounts":{}}
  example: { params: ['0x7b226163636f756e7473223a7b7d7d'] },
  async handle({ node }, bytes): Promise<true> {
    await node.execute(async (state) => {
      const { loadState } = await import('../../node/control/dump.ts')
      return loadState(node.config, state, bytes)
    })
    return true
  },
})

export {
  hardhat_dumpState as anvil_dumpState,
  hardhat_dumpState as ganache_dumpState,
  hardhat_loadState as anvil_loadState,
  hardhat_loadState as ganache_loadState,
}
