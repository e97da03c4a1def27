// A reusable EVM instance and what it is set to while it runs.

import type { EVM, PrecompileFunc } from '@ethereumjs/evm'
import type { GasWatch } from '../../interpreter/gas-watch.ts'
import type { PrecompileTable } from '../../rollup/precompile-table.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { StateWriter } from '../../state/state-writer.ts'
import type { ConsoleRecorder } from './console-calls.ts'
import type { BlockHashOf } from './environment.ts'
import type { SignerOverrides } from './impersonated-signatures.ts'

export interface EvmInstance {
  readonly rules: Rules
  /** @internal */
  readonly evm: EVM
  /** @internal */
  readonly writer: StateWriter
  readonly console: ConsoleRecorder
  /** What is learnt of gas while it runs; the interpreter of @ethereumjs does not tell. */
  readonly gasWatch: GasWatch | undefined
  /** Makes the precompiles of the rules warm for a transaction. */
  readonly warmPrecompiles: () => void
  /**
   * The precompiles of the rules, by unprefixed address; `evm.precompiles` has them as a request moved them.
   * @internal
   */
  readonly ownPrecompiles: ReadonlyMap<string, PrecompileFunc>
}

/** What an EVM needs to know besides the state: the rules, the past, and what a request makes of precompiles. */
export interface ExecutionContext {
  readonly evmPool: EvmPool
  readonly blockHashOf: BlockHashOf
  /** Where precompiles answer; absent, as the rules have them. */
  readonly precompiles?: PrecompileTable | undefined
  /** What ecrecover answers instead of the truth. */
  readonly signers?: SignerOverrides | undefined
}

/** An EVM instance with its settings for one execution. */
export interface PooledEvm extends EvmInstance {
  blockHashOf: BlockHashOf
  precompiles: PrecompileTable | undefined
  signers: SignerOverrides | undefined
}

/** What executes code: WebAssembly (src/interpreter), or the interpreter of @ethereumjs/evm. */
export type InterpreterKind = 'wasm' | 'reference'

/** What the EVMs of a chain have in common. */
export interface EvmSettings {
  /** Whether the limits on code and init code size are lifted (EIP-170, EIP-3860). */
  readonly allowUnlimitedContractSize: boolean
  readonly interpreter: InterpreterKind
}

/** The EVMs of one set of rules. */
export interface EvmPool {
  readonly rules: Rules
  readonly settings: EvmSettings
  readonly idle: PooledEvm[]
}

/** The EVMs of a chain: a pool for each set of rules that it has run under. */
export interface EvmPools {
  readonly settings: EvmSettings
  readonly pools: Map<Rules, EvmPool>
}
