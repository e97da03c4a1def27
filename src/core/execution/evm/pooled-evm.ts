// Types of EVM instances and their pools, and the settings of one execution. Block environments, in the form that
// @ethereumjs expects. Calls of console.log are recorded here: contracts send them to an address without code.

import { type EvmAddress, toEvmAddress } from '../../interpreter/evm-address.ts'
import type { Evm, Precompile } from '../../interpreter/evm-interface.ts'
import type { GasWatch } from '../../interpreter/gas-watch.ts'
import type { Message as EvmMessage, ObservedEvm } from '../../interpreter/message.ts'
import * as hex from '../../primitives/hex.ts'
import { memoizeLru, memoizeWeak } from '../../primitives/lru-cache.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import type { PrecompileTable } from '../../rollup/precompiles.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { StateWriter } from '../../state/world-state.ts'
import type { Probe } from '../trace/probe.ts'

export { environmentWith } from '../../rollup/header.ts'

/** `console.log` in ASCII, from Hardhat's console.sol. */
export const CONSOLE_ADDRESS: hex.Address = '0x000000000000000000636f6e736f6c652e6c6f67'
/** The address of Foundry's cheatcodes, of `hevm cheat code`, which tests call as they do the console. */
export const CHEATCODES: hex.Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d'
const CONSOLE = hex.hexToBytes(CONSOLE_ADDRESS)
/** Index of the first non-zero byte. */
const FIRST_BYTE = 9

export interface ConsoleCall {
  /** The calling contract; under DELEGATECALL the account whose storage the code uses. */
  readonly from: hex.Address
  readonly input: Uint8Array
}

/** Limits per execution; further calls are dropped. */
const MAX_CALLS = 10_000
const MAX_BYTES = 4 * 1024 * 1024

const NONE: readonly ConsoleCall[] = []

export interface ConsoleRecorder {
  /** Returns the calls since the last `take`. */
  readonly take: () => readonly ConsoleCall[]
}

/** Runs for every message, so it compares one byte first. */
function isToConsole(message: EvmMessage): boolean {
  // A creation has no address yet.
  if (message.to === undefined) return false
  const { bytes } = message.codeAddress
  return bytes[FIRST_BYTE] === CONSOLE[FIRST_BYTE] && hex.equalBytes(bytes, CONSOLE)
}

/** Starts to record an EVM's console calls. @internal */
export function recordConsole({ events }: Evm): ConsoleRecorder {
  let calls: ConsoleCall[] = []
  let byteCount = 0
  events.on('beforeMessage', (message) => {
    if (!isToConsole(message) || calls.length === MAX_CALLS) return
    const { caller, to, delegatecall, data } = message
    byteCount += data.length
    if (byteCount > MAX_BYTES) return
    const contract = delegatecall && to !== undefined ? to : caller
    // Copied: the data may be a view of memory that the contract writes to later.
    calls.push({ from: hex.bytesToHex(contract.bytes), input: data.slice() })
  })
  return {
    take() {
      const taken = calls.length === 0 ? NONE : calls
      if (calls.length > 0) calls = []
      byteCount = 0
      return taken
    },
  }
}

/** The environment with a base fee of zero; memoized, because many calls use the same few blocks. */
export const withoutBaseFee = memoizeWeak(
  (environment: BlockEnvironment): BlockEnvironment =>
    // Inherits the other fields, which are read only when they are asked for: some need the hashes of a run of empty blocks.
    Object.create(environment, { baseFeePerGas: { value: 0n, enumerable: true } }),
)

/** The hash of an earlier block; `undefined` if it does not exist. The EVM limits BLOCKHASH to 256 blocks. */
export type BlockHashOf = (blockNumber: number) => hex.Hash | undefined

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
export type SignerOverrides = PersistentMap<hex.Hex, hex.Address>

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
    return hex.hexToBytes(this.environment.prevRandao)
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
export const toEvmBlock = memoizeLru(
  REMEMBERED_BLOCKS,
  (environment: BlockEnvironment): EvmBlock => ({ header: new EvmHeader(environment) }),
)
