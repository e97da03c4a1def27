// Context of a read handler: one immutable state, and the options of the session.

import type { BlockView } from '../chain/view.ts'
import type { ConsoleCall } from '../execution/evm/console-calls.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import type { NodeConfig, NodeState } from '../node/node-state.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import type { ContractIndex } from '../solidity/model/contract-index.ts'
import type { PresentedBlock } from './format/present.ts'
import type { RpcOptions } from './options.ts'

/** The execution in which a contract called console.log. */
export interface ConsoleSource {
  /** A transaction in a block, eth_call, a gas estimate, or eth_simulateV1. */
  readonly origin: 'transaction' | 'call' | 'estimate' | 'simulation'
  /** Only for a transaction in a block. */
  readonly transactionHash: Hash | undefined
  /** The value of NUMBER in that execution. */
  readonly blockNumber: number
}

/** Publishes console.log calls as events. */
export type ConsoleOutlet = (calls: readonly ConsoleCall[], source: ConsoleSource) => void

export interface ReadContext {
  readonly config: NodeConfig
  readonly state: NodeState
  readonly options: RpcOptions
  /** The number and hash that a block shows, by the option `pendingIdentity`. */
  readonly present: (view: BlockView) => PresentedBlock
  readonly tellConsole: ConsoleOutlet
  /** The custom errors of the registered ABIs. */
  readonly customErrors: CustomErrors
  /** Compiled contracts; `undefined` as long as there are none. */
  readonly contracts: ContractIndex | undefined
  /** Names of accounts. */
  readonly labels: ReadonlyMap<Address, string>
}
