// Numbered snapshots. A revert uses up its snapshot and the later ones, as in other emulators, unless it keeps them.

import { replaceState } from '../../node/control/replace-state.ts'
import { unchanged } from '../../node/events.ts'
import { saveSnapshot, useUpSnapshots } from '../../node/records.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { asFields, boolean, field } from '../codecs/basic.ts'
import { type Codec, optional, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { firstSnapshotId } from '../flavor/flavor.ts'
import { defineCommand } from '../method.ts'

const revertOptions: Codec<{ readonly isKept: boolean }, { keep?: boolean }> = {
  name: 'object with keep',
  decode: (value, path) => ({
    isKept: field(asFields(value, path, ['keep']), 'keep', boolean, path) ?? false,
  }),
}

export const evm_snapshot = defineCommand({
  summary: 'Remembers the chain as it is, under a number that is never used again.',
  params: [],
  result: 'snapshot id: they count up from 0x0, or from 0x1 in the flavors hardhat and ganache',
  example: { params: [] },
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
  params: [required('snapshotId', integer), optional('options', revertOptions, { isKept: false })],
  result: 'true, or false where there is no such snapshot',
  example: { params: ['0x1'] },
  handle: ({ node, options }, id, { isKept }) =>
    node.execute((state, before) => {
      const number = id + 1 - firstSnapshotId(options.flavor)
      const saved = before.snapshots.get(number)
      if (saved === undefined) return { ...unchanged(state), result: false }
      const records = isKept ? before : useUpSnapshots(before, number)
      return { ...replaceState(state, saved), records, result: true }
    }),
})

export { evm_revert as anvil_revert, evm_snapshot as anvil_snapshot }
