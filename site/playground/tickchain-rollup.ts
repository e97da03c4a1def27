// The entry of rollups, as a scene imports it: the page is told of all layers.

import { type CreateRollupOptions, createRollup as create, type Rollup } from 'tickchain/rollup'
import { keep } from './chains.ts'

export * from 'tickchain/rollup'

export async function createRollup(options?: CreateRollupOptions): Promise<Rollup> {
  const rollup = await create(options)
  keep(rollup.l1, 'layer 1')
  rollup.chains.forEach(({ l2 }, index) => {
    keep(l2, rollup.chains.length === 1 ? 'layer 2' : `layer 2, chain id ${l2.settings.chainId}`)
  })
  return rollup
}
