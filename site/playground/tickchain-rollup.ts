// The entry of rollups, as a scene imports it: the page is told of all layers.

import { type CreateRollupOptions, createRollup as create, type Rollup } from 'tickchain/rollup'
import { showRollup } from './chains.ts'

export * from 'tickchain/rollup'

export async function createRollup(options?: CreateRollupOptions): Promise<Rollup> {
  const rollup = await create(options)
  await showRollup(rollup)
  return rollup
}
