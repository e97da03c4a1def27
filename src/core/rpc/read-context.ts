// Context of a read handler: one immutable state, and the options of the session.

import type { BlockView } from '../chain/view.ts'
import type { ConsoleCall } from '../execution/evm/console-calls.ts'
import type { NodeConfig, NodeState } from '../node/node-state.ts'
import type { Hash } from '../primitives/hex.ts'
import type { PresentedBlock } from './format/present.ts'
import type { KnownContracts } from './known-contracts.ts'
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
  /** Read when it is needed: a project's contracts may be read only then. */
  readonly known: Readonly<KnownContracts>
}
