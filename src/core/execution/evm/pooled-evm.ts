// Types of EVM instances and their pools, and the settings of one execution.

import type { Evm, Precompile } from '../../interpreter/evm-interface.ts'
import type { GasWatch } from '../../interpreter/gas-watch.ts'
import type { ObservedEvm } from '../../interpreter/observation.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import type { PrecompileTable } from '../../rollup/precompiles.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { StateWriter } from '../../state/state-writer.ts'
import type { Probe } from '../trace/probe.ts'
import type { ConsoleRecorder } from './console-calls.ts'
import type { BlockHashOf } from './environment.ts'

/** Counts the gas of executions, before refunds. */
export interface GasMeter {
  gas: bigint
}

export interface EvmInstance {
  readonly rules: Rules
  /** @internal */
  readonly evm: Evm
  /** @internal */
  readonly writer: StateWriter
  readonly console: ConsoleRecorder
  /** Counts the gas of messages. */
  readonly meter: GasMeter | undefined
  /** Gas observations of the last execution; the interpreter of @ethereumjs has none. */
  readonly gasWatch: GasWatch | undefined
  /** For `observe`. @internal */
  readonly observed: ObservedEvm
  /** Makes the precompiles of the fork warm for a transaction. */
  readonly warmPrecompiles: () => void
  /**
   * The fork's precompiles by unprefixed address; in `evm.precompiles`, state overrides may have moved them.
   * @internal
   */
  readonly ownPrecompiles: ReadonlyMap<string, Precompile>
}

/** Impersonated signatures, as in anvil: a signature of 65 bytes (r, s, v), for any digest → signer to return. */
export type SignerOverrides = PersistentMap<Hex, Address>

/** The context of an execution besides the state: rules, block hashes, overridden precompiles and signers. */
export interface ExecutionContext {
  readonly evmPool: EvmPool
  readonly blockHashOf: BlockHashOf
  /** Addresses of precompiles under state overrides; absent: those of the fork. */
  readonly precompiles?: PrecompileTable | undefined
  /** Signers that ecrecover returns for impersonated signatures. */
  readonly signers?: SignerOverrides | undefined
  /** Observes transactions and calls, but no repetitions of them. */
  readonly probe?: Probe | undefined
  /** Counts the gas of all messages, those of repetitions too. */
  readonly meter?: GasMeter | undefined
}

/** An EVM instance with the settings of its current execution. */
export interface PooledEvm extends EvmInstance {
  blockHashOf: BlockHashOf
  precompiles: PrecompileTable | undefined
  signers: SignerOverrides | undefined
  meter: GasMeter | undefined
}

/** The interpreter: WebAssembly (src/core/interpreter), or that of @ethereumjs/evm. */
export type InterpreterKind = 'wasm' | 'reference'

/** Settings that all EVMs of a chain share. */
export interface EvmSettings {
  /** True if the limits on code and init code size are lifted (EIP-170, EIP-3860). */
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
