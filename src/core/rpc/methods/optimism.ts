// What the node of a rollup says of it, in the shapes of op-node.

import { requireBlock } from '../../node/lookup.ts'
import { requireRollup } from '../../node/rollup/layer1.ts'
import { blockTagOrNumber } from '../codecs/block.ts'
import { required } from '../codecs/codec.ts'
import {
  formatOutput,
  formatRollupConfig,
  formatSyncStatus,
  type RollupView,
  type RpcOutput,
  type RpcRollupConfig,
  type RpcSyncStatus,
} from '../format/rollup-node.ts'
import { defineRead } from '../method.ts'
import { VERSION } from '../node-info.ts'
import type { ReadContext } from '../read-context.ts'

function rollupView({ config, state }: ReadContext, call: string): RollupView {
  const { config: settings, rollup } = requireRollup(config, state, call)
  return { config, state, settings, rollup }
}

export const optimism_outputAtBlock = defineRead({
  summary:
    'The output root of a block, which the layer 1 proves withdrawals against. Refused if the chain is no rollup.',
  params: [required('block', blockTagOrNumber, 'block')],
  result:
    'object with version, outputRoot, blockRef, withdrawalStorageRoot, stateRoot and syncStatus, with numbers as JSON numbers',
  example: { params: ['0x0'], error: 'notARollup' },
  handle(context, selector): RpcOutput {
    const view = rollupView(context, 'optimism_outputAtBlock')
    return formatOutput(view, requireBlock(context.config, context.state, selector).block())
  },
})

export const optimism_syncStatus = defineRead({
  summary:
    'The heads of both layers: `safe` and `finalized` of the layer 1 are the L1 origins of those of the layer 2. Refused if the chain is no rollup.',
  result:
    'object with current_l1, current_l1_finalized, head_l1, safe_l1, finalized_l1, unsafe_l2, safe_l2, finalized_l2, pending_safe_l2, cross_unsafe_l2 and local_safe_l2',
  example: { params: [], error: 'notARollup' },
  handle: (context): RpcSyncStatus => formatSyncStatus(rollupView(context, 'optimism_syncStatus')),
})

export const optimism_rollupConfig = defineRead({
  summary: 'The configuration of the rollup, as in its rollup.json. Refused if the chain is no rollup.',
  result: 'object with genesis, block_time, times of forks, addresses on the layer 1 and more',
  example: { params: [], error: 'notARollup' },
  handle: (context): RpcRollupConfig => formatRollupConfig(rollupView(context, 'optimism_rollupConfig')),
})

export const optimism_version = defineRead({
  summary: 'The version of the rollup node: that of this library. Refused if the chain is no rollup.',
  result: 'string',
  example: { params: [], error: 'notARollup' },
  handle(context) {
    rollupView(context, 'optimism_version')
    return `tickchain/v${VERSION}`
  },
})
