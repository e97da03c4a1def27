// The rollup entry: a layer 1 with the OP stack's contracts, and layers 2 over it.

export type { ContractAddress, RollupContracts } from './pair/contracts.ts'
export type { BatcherControls, ProposerControls, SequencerControls } from './pair/controls.ts'
export { createRollup } from './pair/create-rollup.ts'
export type {
  BatcherOptions,
  CreateRollupOptions,
  Layer1Options,
  Layer2Options,
  ProposerOptions,
  WithdrawalOptions,
} from './pair/options.ts'
export type { Rollup, RollupChain } from './pair/rollup.ts'
