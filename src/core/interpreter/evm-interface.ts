// What the library asks of an EVM: of its own, and of that of @ethereumjs, the reference. Block and transaction values
// that opcodes read, such as NUMBER and GASPRICE. Failures of precompiles and creations: all gas is gone, and nothing is
// returned; the words are geth's.

import { EVMError, type EVMResult, type ExecResult, type InterpreterStep } from '@ethereumjs/evm'
import { type Address, bytesToBigInt, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { Later } from '../primitives/loading.ts'
import { type Core, writeWord } from './core.ts'
import type { EvmAddress } from './evm-address.ts'
import type { ForkParameters, OpcodeInfo } from './fork-parameters.ts'
import { ENVIRONMENT_FIRST, WORD } from './layout.ts'
import type { Message } from './message.ts'

type Words = typeof EVMError.errorMessages.OUT_OF_GAS

/** An error that @ethereumjs/evm passes on as it is; any other error of arithmetic it calls a revert. */
export function precompileError(words: string): EVMError {
  return new EVMError(words as Words)
}

export function failed(gasLimit: bigint, words: string): ExecResult {
  return { returnValue: EMPTY_BYTES, executionGasUsed: gasLimit, exceptionError: precompileError(words) }
}

export function outOfGas(gasLimit: bigint): ExecResult {
  return failed(gasLimit, EVMError.errorMessages.OUT_OF_GAS)
}

export function reverted(executionGasUsed: bigint, returnValue: Uint8Array): ExecResult {
  return { executionGasUsed, returnValue, exceptionError: new EVMError(EVMError.errorMessages.REVERT) }
}

interface PrecompileInput {
  readonly data: Uint8Array
  readonly gasLimit: bigint
  readonly common: ForkParameters
  /** The message, which the EVM of @ethereumjs does not pass on. */
  readonly message?: Message
}

export type Precompile = (input: PrecompileInput) => Later<ExecResult>

/** The events of an EVM. */
export interface EvmListeners {
  readonly beforeMessage: (message: Message) => void
  readonly afterMessage: (result: EVMResult) => void
  /** Only of the reference. */
  readonly step: (step: InterpreterStep) => void
}

interface EvmEvents {
  readonly on: <Name extends keyof EvmListeners>(name: Name, listener: EvmListeners[Name]) => unknown
  readonly off: <Name extends keyof EvmListeners>(name: Name, listener: EvmListeners[Name]) => unknown
  readonly listenerCount: (name: keyof EvmListeners) => number
}

/** Warm and touched accounts and slots of a transaction. */
interface Journal {
  readonly isWarmedAddress: (address: Uint8Array) => boolean
  readonly isWarmedStorage: (address: Uint8Array, slot: Uint8Array) => boolean
  readonly addAlwaysWarmAddress: (address: Address) => void
  readonly addAlwaysWarmSlot: (address: Address, slot: Hash) => void
  readonly cleanJournal: () => void
  readonly cleanup: () => Later<void>
}

/** A call or a creation on behalf of a transaction, whose sender's nonce is already incremented. */
export interface CallOptions {
  readonly block: Environment['block']
  readonly caller: EvmAddress
  /** Absent: a creation. */
  readonly to?: EvmAddress | undefined
  readonly value?: bigint
  readonly data?: Uint8Array
  readonly gasLimit: bigint
  readonly gasPrice?: bigint
  readonly blobVersionedHashes?: readonly `0x${string}`[]
  readonly skipNonceIncrement: true
}

export interface Evm {
  readonly common: ForkParameters
  readonly opcodes: ReadonlyMap<number, OpcodeInfo>
  /** By address without prefix. */
  readonly precompiles: Map<string, Precompile>
  /** True for those that are native contracts, with storage and logs, which are told of as code is. */
  isNative?: ((bare: string) => boolean) | undefined
  /** Who pays for a creation of this depth that an account sends, if somebody else does. */
  payerOf?: ((account: Address, depth: number) => Address | undefined) | undefined
  /** Told of a creation that may not begin; true if it begins. */
  onRefusedCreation?: ((account: Address, depth: number) => boolean) | undefined
  /** Gas that GAS returns instead of what is left, while metering is paused. Read where a frame begins or continues. */
  heldGas?: (() => bigint | undefined) | undefined
  /** Told of a log when code emits it, before it is known whether it stays. */
  onLog?: ((emitter: Address, topics: readonly Uint8Array[], data: Uint8Array) => void) | undefined
  /** Told of an access to storage that JavaScript makes, before it, with what is written; not of those of the module. */
  onSlot?: ((address: Address, slot: Hash, next?: Uint8Array) => void) | undefined
  readonly events: EvmEvents
  readonly journal: Journal
  readonly allowUnlimitedInitCodeSize: boolean
  readonly runCall: (options: CallOptions) => Later<EVMResult>
}

type Kept = { [Name in keyof EvmListeners]: EvmListeners[Name][] }

export class MessageEvents implements EvmEvents {
  private readonly listeners: Kept = { beforeMessage: [], afterMessage: [], step: [] }

  on<Name extends keyof EvmListeners>(name: Name, listener: EvmListeners[Name]): void {
    this.listeners[name] = [...this.listeners[name], listener] as Kept[Name]
  }

  off<Name extends keyof EvmListeners>(name: Name, listener: EvmListeners[Name]): void {
    this.listeners[name] = this.listeners[name].filter((other) => other !== listener) as Kept[Name]
  }

  listenerCount(name: keyof EvmListeners): number {
    return this.listeners[name].length
  }

  emit<Name extends keyof EvmListeners>(name: Name, told: Parameters<EvmListeners[Name]>[0]): void {
    for (const listener of this.listeners[name]) (listener as (told: unknown) => void)(told)
  }
}

/** The block and transaction in the form in which @ethereumjs holds them. */
export interface Environment {
  readonly block: {
    readonly header: {
      readonly number: bigint
      readonly coinbase: { readonly bytes: Uint8Array }
      readonly timestamp: bigint
      readonly difficulty: bigint
      readonly prevRandao: Uint8Array
      readonly gasLimit: bigint
      readonly baseFeePerGas?: bigint | undefined
      readonly getBlobGasPrice: () => bigint | undefined
    }
  }
  readonly transaction: {
    readonly gasPrice: bigint
    readonly origin: EvmAddress
    /** If a cheatcode has changed it. */
    readonly chainId?: bigint | undefined
  }
}

type ReadWord = (environment: Environment, common: ForkParameters) => bigint

/** The opcodes whose results stay the same in a transaction. */
const ENVIRONMENT_WORDS: Readonly<Record<number, ReadWord>> = {
  50: ({ transaction }) => bytesToBigInt(transaction.origin.bytes),
  58: ({ transaction }) => transaction.gasPrice,
  65: ({ block }) => bytesToBigInt(block.header.coinbase.bytes),
  66: ({ block }) => block.header.timestamp,
  67: ({ block }) => block.header.number,
  68: ({ block: { header } }, common) =>
    common.isActivatedEIP(4399) ? bytesToBigInt(header.prevRandao) : header.difficulty,
  69: ({ block }) => block.header.gasLimit,
  70: ({ transaction }, common) => transaction.chainId ?? common.chainId(),
  72: ({ block }) => block.header.baseFeePerGas ?? 0n,
  74: ({ block }) => block.header.getBlobGasPrice() ?? 0n,
}

/** Caches the result of an opcode in linear memory, for all frames of the same block and transaction. */
export function cacheWord(
  core: Core,
  environment: Environment,
  common: ForkParameters,
  opcode: number,
): void {
  const index = opcode - ENVIRONMENT_FIRST
  const { environment: words, environmentKnown } = core.exports
  // Cut to 256 bits, which it has: V8 of Node 20 ends the process when it compiles a choice between BigInts that come from
  // numbers and are stored as 64 bits.
  const word = BigInt.asUintN(256, (ENVIRONMENT_WORDS[opcode] as ReadWord)(environment, common))
  writeWord(core, words.value + WORD * index, word)
  core.bytes[environmentKnown.value + index] = 1
}

export function clearCachedWords({ bytes, exports }: Core): void {
  bytes.fill(0, exports.environmentKnown.value, exports.environmentKnown.value + 32)
}
