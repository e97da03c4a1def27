// A second node, without a sequencer: it derives the layers 2 from the blocks of the layer 1 alone.

import assert from 'node:assert/strict'
import type { Emulator } from '../../../src/index.ts'
import { createRollup } from '../../../src/rollup.ts'
import type { CreateRollupOptions } from '../../../src/tools/pair/options.ts'
import type { Rollup } from '../../../src/tools/pair/rollup.ts'

async function blockOf(chain: Emulator, tag: 'safe' | 'latest') {
  const block = await chain.request('eth_getBlockByNumber', [tag, false])
  return { number: Number(block?.number), hash: block?.hash }
}

/** The safe chain of each layer 2 is what a verifier derives. */
export async function checkVerifier(rollup: Rollup, options: CreateRollupOptions): Promise<void> {
  const verifier = await createRollup({ ...options, l1: { ...options.l1, production: 'manual' } })
  for (const { sequencer, batcher, proposer } of verifier.chains) {
    await sequencer.stop()
    await batcher.withhold()
    await proposer.withhold()
  }
  await verifier.l1.importBlocks(await rollup.l1.exportBlocks())
  for (const [index, { l2 }] of rollup.chains.entries()) {
    const derived = await blockOf(verifier.chains[index]!.l2, 'latest')
    assert.deepEqual(derived, await blockOf(l2, 'safe'), 'the safe chain follows from the layer 1')
  }
  verifier.dispose()
}
