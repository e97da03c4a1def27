// Types of EVM instances and their pools, and the settings of one execution. Block environments, in the form that
// @ethereumjs expects.

import { type EvmAddress, type GasWatch, toEvmAddress } from '../../interpreter/evm-address.ts'
import type { Evm, Precompile } from '../../interpreter/evm-interface.ts'
import type { ObservedEvm } from '../../interpreter/message.ts'
import { type Address, type Hash, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { memoizeLast, memoizeWeak } from '../../primitives/memoize-last.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import type { PrecompileTable } from '../../rollup/precompiles.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { StateWriter } from '../../state/world-state.ts'
import type { Probe } from '../trace/probe.ts'
import type { ConsoleRecorder } from './console-calls.ts'

export { environmentWith } from '../../rollup/header.ts'

/** The environment with a base fee of zero; memoized, because many calls use the same few blocks. */
export const withoutBaseFee = memoizeWeak(
  (environment: BlockEnvironment): BlockEnvironment =>
    // Inherits the other fields, which are read only when they are asked for: some need the hashes of a run of empty blocks.
    Object.create(environment, { baseFeePerGas: { value: 0n, enumerable: true } }),
)

/** The hash of an earlier block; `undefined` if it does not exist. The EVM limits BLOCKHASH to 256 blocks. */
export type BlockHashOf = (blockNumber: number) => Hash | undefined

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

/**
 * Not the class of @ethereumjs, whose construction costs more than a transaction. A class, because an object with
 * getters of its own takes several times as much memory and time.
 */
class EvmHeader {
  readonly coinbase: EvmAddress
  readonly gasLimit: bigint
  readonly gasUsed = 0n
  readonly baseFeePerGas: bigint
  readonly difficulty: bigint
  readonly slotNumber = 0n
  private readonly environment: BlockEnvironment

  constructor(environment: BlockEnvironment) {
    this.coinbase = toEvmAddress(environment.coinbase)
    this.gasLimit = environment.gasLimit
    this.baseFeePerGas = environment.baseFeePerGas
    this.difficulty = environment.difficulty
    this.environment = environment
  }

  // Read when they are needed: most calls need none, and exploring has a block for each of many calls.

  get number(): bigint {
    return BigInt(this.environment.number)
  }

  get timestamp(): bigint {
    return BigInt(this.environment.timestamp)
  }

  /** In a run of empty blocks it takes hashes that are computed on demand. */
  get prevRandao(): Uint8Array {
    return hexToBytes(this.environment.prevRandao)
  }

  getBlobGasPrice(): bigint {
    return this.environment.blobBaseFee
  }
}

/** The block being built, and those that clients call at the same time. */
const REMEMBERED_BLOCKS = 8

export interface EvmBlock {
  readonly header: EvmHeader
}

/** One per environment: the calls and transactions of a block share it. */
export const toEvmBlock = memoizeLast(
  REMEMBERED_BLOCKS,
  (environment: BlockEnvironment): EvmBlock => ({ header: new EvmHeader(environment) }),
)
