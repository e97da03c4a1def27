// Context of a read handler: one immutable state, the options of the session, and the contracts that a test has made
// known. Compiled contracts are read by tools: the core asks an explainer, which is handed in with the emulator.

import type { BlockView } from '../chain/view.ts'
import type { CallMessage } from '../execution/call/run-call.ts'
import type { ConsoleCall } from '../execution/evm/console-calls.ts'
import type { BlockEnvironment } from '../execution/evm/environment.ts'
import type { ExecutionContext } from '../execution/evm/pooled-evm.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import type { NodeConfig, NodeState } from '../node/node-state.ts'
import { TickchainError } from '../primitives/errors.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import type { WorldState } from '../state/world-state.ts'
import type { CallTrace } from './call-trace.ts'
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
  /** Read when it is needed: a project's contracts may be read only then. */
  readonly known: Readonly<KnownContracts>
}

interface NamedAbi {
  readonly name: string
  readonly abi: readonly object[]
}

/** Native contracts, which are recognised by their addresses. */
export interface KnownNatives {
  readonly at: (address: Address) => NamedAbi | undefined
  readonly all: readonly NamedAbi[]
}

/** Contracts and accounts that a test has made known. They are no part of the chain: a revert does not undo it. */
export interface KnownContracts {
  /** Custom errors of the registered ABIs and contracts. */
  customErrors: CustomErrors
  /** Compiled contracts, in the form of the explainer; `undefined` as long as there are none. */
  contracts: object | undefined
  /** Contracts of the chain's own, if it has some. */
  readonly natives?: KnownNatives | undefined
  /** Names of accounts. */
  labels: ReadonlyMap<Address, string>
  /** Loads the explainer with the first call. */
  readonly explainer: () => Explainer | Promise<Explainer>
}

/** A call as it ran. */
export interface RunCall {
  readonly site: { readonly execution: ExecutionContext; readonly state: WorldState }
  readonly environment: BlockEnvironment
  readonly message: CallMessage
}

/** Decoding and explaining with compiled contracts. */
export interface Explainer {
  /** Adds the contracts of a source and their custom errors. Throws `invalidContracts`; nothing has changed then. */
  addContracts(known: KnownContracts, source: unknown): void
  /** The trace of a transaction in a sealed block or in the block being built. Throws `transactionNotFound`. */
  traceOfTransaction(context: ReadContext, hash: Hash): Promise<CallTrace>
  /** The trace of a call as it ran. */
  traceOfCall(context: ReadContext, call: RunCall): Promise<CallTrace>
  /** The error of a call, with a Solidity stack trace if it is one of the execution. */
  explainCall(context: ReadContext, call: RunCall, error: unknown): Promise<unknown>
  /** The error of a transaction in a block, with a Solidity stack trace. */
  explainTransaction(context: ReadContext, hash: Hash, error: TickchainError): Promise<TickchainError>
  describeAccount(context: ReadContext, address: Address): RpcAccountDescription
  /** The first storage slots of an account, with the variables in them. */
  describeStorage(context: ReadContext, state: WorldState, address: Address): RpcSlot[]
}

export interface RpcAccountDescription {
  readonly address: Address
  readonly name: string | null
  readonly contract: string | null
}

export interface RpcSlot {
  readonly slot: Hash
  readonly value: Hash
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

/** A call that failed, as it ran. */
export interface FailedCall {
  readonly context: ReadContext
  readonly call: RunCall
}

/** By the error that told of it. */
const FAILED = new WeakMap<object, FailedCall>()

export function failedCallOf(error: object): FailedCall | undefined {
  return FAILED.get(error)
}

/** Lets an error that replaces another one tell of the same call. */
export function inheritFailedCall(from: object, to: object): FailedCall | undefined {
  const failed = FAILED.get(from)
  if (failed !== undefined) FAILED.set(to, failed)
  return failed
}

/** Runs a call; its failure is kept, and gets a Solidity stack trace if contracts are known. */
export async function withExplainedFailure<Result>(
  context: ReadContext,
  call: RunCall,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    FAILED.set(error, { context, call })
    if (context.known.contracts === undefined) throw error
    throw await (await context.known.explainer()).explainCall(context, call, error)
  }
}
