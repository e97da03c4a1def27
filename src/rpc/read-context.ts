// What a read works on: one immutable state, with the options of the session that asks.

import type { BlockView } from '../chain/view.ts'
import type { ConsoleCall } from '../execution/evm/console-calls.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import type { NodeConfig, NodeState } from '../node/node-state.ts'
import type { Hash } from '../primitives/hex.ts'
import type { PresentedBlock } from './format/present.ts'
import type { RpcOptions } from './options.ts'

/** What was executed when a contract called console.log. */
export interface ConsoleSource {
  /** A transaction in a block, or a run of which nothing stays: eth_call, an estimate of gas, eth_simulateV1. */
  readonly origin: 'transaction' | 'call' | 'estimate' | 'simulation'
  /** Of a transaction in a block. */
  readonly transactionHash: Hash | undefined
  /** The number that the contract saw. */
  readonly blockNumber: number
}

/** Tells the listeners what contracts said with console.log. */
export type ConsoleOutlet = (calls: readonly ConsoleCall[], source: ConsoleSource) => void

/** What a read works on: one immutable state. */
export interface ReadContext {
  readonly config: NodeConfig
  readonly state: NodeState
  readonly options: RpcOptions
  /** Names a block as the options want it. */
  readonly present: (view: BlockView) => PresentedBlock
  readonly tellConsole: ConsoleOutlet
  /** Those of the ABIs that were registered. */
  readonly customErrors: CustomErrors
}
