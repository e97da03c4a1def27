// The rollup entry: a layer 1 with the OP stack's contracts, and layers 2 over it.

export type { ContractAddress, RollupContracts } from './tools/pair/contracts.ts'
export { createRollup } from './tools/pair/create-rollup.ts'
export type {
  BatcherOptions,
  CreateRollupOptions,
  Layer1Options,
  Layer2Options,
  ProposerOptions,
  WithdrawalOptions,
} from './tools/pair/options.ts'
export type {
  BatcherControls,
  ProposerControls,
  Rollup,
  RollupChain,
  SequencerControls,
} from './tools/pair/rollup.ts'
