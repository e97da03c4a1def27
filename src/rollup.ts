// The rollup entry: a layer 1 with the OP stack's contracts, and layers 2 over it.

export { createRollup } from './pair/create-rollup.ts'
export type { Rollup, RollupChain } from './pair/rollup.ts'
