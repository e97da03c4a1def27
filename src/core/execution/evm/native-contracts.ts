// Base's native contracts in an EVM: precompiles with storage, for both interpreters. What they do is metered as code is,
// and observers are told of it as of code. Loaded with the first EVM of rules that have them.

import type { ExecResult } from '@ethereumjs/evm'
import { storageCostsOf } from '../../interpreter/costs.ts'
import { type Evm, outOfGas, type Precompile, reverted } from '../../interpreter/evm-interface.ts'
import { parameterOf } from '../../interpreter/fork-parameters.ts'
import type { AccessJournal } from '../../interpreter/journal.ts'
import type { Message } from '../../interpreter/message.ts'
import * as hex from '../../primitives/hex.ts'
import { activationAdmin } from '../../rollup/base/activation.ts'
import { callNative, nativeAt } from '../../rollup/base/natives.ts'
import { MARKER, NativeFailure, type NativePort } from '../../rollup/base/port.ts'
import * as world from '../../state/world-state.ts'
import { withSlot } from '../../state/world-state.ts'
import type { EvmInstance } from './pooled-evm.ts'

/** Warm accounts and slots of the transaction. Both functions make something warm, and return true if it was cold. */
type Warmth = Pick<AccessJournal, 'warmUp' | 'warmUpSlot'>

/** The parts of an EVM that native contracts need. */
export interface NativeSite extends Pick<EvmInstance, 'evm' | 'rules' | 'writer' | 'observed' | 'gasWatch'> {
  readonly warmth: Warmth
  readonly timestamp: () => bigint
  readonly chainId: () => bigint
  /** The message that has just begun, if the EVM does not pass it on. */
  readonly begun?: () => Message
  /** Called before storage is used. */
  readonly onStorage: () => void
}

const SLOAD = 0x54
const SSTORE = 0x55
/** A store needs more gas than this before it (EIP-2200). */
const STORE_RESERVE = 2300
/** The gas of a code of one byte, and that of a new account with the hash of its code. */
const MARK_GAS = 200
const CREATION_GAS = 32_000 + 36

const CODE = world.makeCode(MARKER)

function pricesOf({ common }: Evm) {
  const price = (name: string): number => parameterOf(common, name)
  return {
    warm: price('warmstoragereadGas'),
    coldAccount: price('coldaccountaccessGas'),
    coldSlot: price('coldsloadGas'),
    log: price('logGas'),
    logTopic: price('logTopicGas'),
    logByte: price('logDataGas'),
    store: storageCostsOf(common),
  }
}

type Prices = ReturnType<typeof pricesOf>

type Log = NonNullable<ExecResult['logs']>[number]

/** A call of a native contract while it runs. */
class NativeCall implements NativePort {
  readonly version: number
  readonly chainId: bigint
  readonly timestamp: bigint
  readonly isStatic: boolean
  readonly caller: hex.Address
  readonly logs: Log[] = []
  used = 0
  refund = 0
  /** The gas that the call needs for all stores, which need more than they take. */
  needed = 0
  /** The account whose storage the call uses, as it is now and as the transaction found it. */
  private held: { readonly address: hex.Address; readonly original: world.Storage } | undefined
  private storage: world.Storage = world.EMPTY_STORAGE
  private isWritten = false
  private readonly site: NativeSite
  private readonly prices: Prices
  private readonly limit: number

  constructor(site: NativeSite, prices: Prices, message: Message) {
    this.site = site
    this.prices = prices
    this.limit = Number(message.gasLimit)
    this.version = site.rules.rollup?.changes.natives ?? 1
    this.chainId = site.chainId()
    this.timestamp = site.timestamp()
    this.isStatic = message.isStatic
    this.caller = message.caller.toString() as hex.Address
  }

  get activationAdmin(): hex.Address {
    return activationAdmin(this.site.rules.chainId)
  }

  charge(gas: number): void {
    this.used += gas
    if (this.used > this.limit) throw new NativeFailure('outOfGas')
  }

  private tell(opcode: number, address: hex.Address, slot: hex.Hash, value?: bigint): void {
    const { evm, observed } = this.site
    evm.onSlot?.(address, slot, value === undefined ? undefined : hex.bigIntToBytes(value))
    const observer = observed.current?.observer
    if (observer?.access === undefined) return
    const operands = [BigInt(slot), value]
    observer.access({ opcode, address, peek: (depth) => operands[depth] })
  }

  /** Takes an account's storage, which saves going through the whole state for each slot. */
  private hold(address: hex.Address): world.Storage {
    if (this.held?.address !== address) {
      this.release()
      const { writer } = this.site
      this.held = { address, original: writer.originalStorageOf(address) }
      this.storage = world.readAccount(writer.current, address).storage
    }
    return this.held.original
  }

  /** Gives the state what the call has written. */
  release(): void {
    if (this.held === undefined || !this.isWritten) return
    const { writer } = this.site
    writer.current = world.updateAccount(writer.current, this.held.address, { storage: this.storage })
    this.isWritten = false
  }

  load(address: hex.Address, slot: hex.Hash): bigint {
    this.tell(SLOAD, address, slot)
    this.charge(this.site.warmth.warmUpSlot(address, slot) ? this.prices.coldSlot : this.prices.warm)
    this.hold(address)
    return hex.bytesToBigInt(this.storage.get(slot) ?? hex.EMPTY_BYTES)
  }

  store(address: hex.Address, slot: hex.Hash, value: bigint): void {
    const { warmth, evm, observed } = this.site
    if (this.isStatic) throw new NativeFailure('static')
    this.tell(SSTORE, address, slot, value)
    this.needed = Math.max(this.needed, this.used + STORE_RESERVE + 1)
    if (this.needed > this.limit) throw new NativeFailure('outOfGas')
    const next = hex.bigIntToBytes(value)
    const original = this.hold(address)
    const { gas, refund } = this.prices.store({
      original: original.get(slot) ?? hex.EMPTY_BYTES,
      current: this.storage.get(slot) ?? hex.EMPTY_BYTES,
      next,
      isWarm: !warmth.warmUpSlot(address, slot),
    })
    this.charge(gas)
    this.refund += refund
    this.storage = withSlot(this.storage, original, slot, next)
    this.isWritten = true
    // Who watches may read the state at the next access.
    if (evm.onSlot !== undefined || observed.current !== undefined) this.release()
  }

  log(address: hex.Address, topics: Uint8Array[], data: Uint8Array): void {
    if (this.isStatic) throw new NativeFailure('static')
    const { log, logTopic, logByte } = this.prices
    this.charge(log + logTopic * topics.length + logByte * data.length)
    const { evm, observed } = this.site
    this.logs.push([hex.hexToBytes(address), topics, data])
    observed.current?.observer.log?.({ address, topics: topics.map((topic) => hex.bytesToHex(topic)), data })
    evm.onLog?.(address, topics, data)
  }

  account(address: hex.Address) {
    const { warm, coldAccount } = this.prices
    this.charge(this.site.warmth.warmUp(address) ? coldAccount : warm)
    return world.readAccount(this.site.writer.current, address)
  }

  mark(address: hex.Address): void {
    const { warmth, writer } = this.site
    this.charge(MARK_GAS)
    warmth.warmUp(address)
    if (world.isDead(world.readAccount(writer.current, address))) this.charge(CREATION_GAS)
    writer.current = world.updateAccount(writer.current, address, { code: CODE })
  }
}

/** Runs the call that has just begun. */
function runNative(site: NativeSite, prices: Prices, message: Message): ExecResult {
  const { codeAddress, to, data, gasLimit, value } = message
  site.onStorage()
  const call = new NativeCall(site, prices, message)
  const address = codeAddress.toString() as hex.Address
  const contract = nativeAt(address) as NonNullable<ReturnType<typeof nativeAt>>
  const isDirect = !message.delegatecall && to !== undefined && hex.equalBytes(codeAddress.bytes, to.bytes)
  try {
    const returnValue = callNative(contract, call, address, data, { isDirect, value })
    call.release()
    message.gasRefund += BigInt(call.refund)
    if (site.gasWatch !== undefined) site.gasWatch.minimumGas = Math.max(call.needed, call.used)
    return { executionGasUsed: BigInt(call.used), returnValue, logs: call.logs }
  } catch (error) {
    if (!(error instanceof NativeFailure)) throw error
    if (error.kind === 'outOfGas') return outOfGas(gasLimit)
    if (site.gasWatch !== undefined) site.gasWatch.minimumGas = Math.max(call.needed, call.used)
    return reverted(BigInt(call.used), error.data)
  }
}

export { FIXED_NATIVES } from '../../rollup/base/natives.ts'

/** True for the address of a native contract, without its prefix. */
export function isNative(bare: string): boolean {
  const first = bare[0]
  return (first === 'b' || first === '8') && nativeAt(`0x${bare}`) !== undefined
}

/** Precompiles, and native contracts, of which there are as many as tokens. */
class NativePrecompiles extends Map<string, Precompile> {
  private readonly native: () => Precompile

  constructor(own: ReadonlyMap<string, Precompile>, native: () => Precompile) {
    super(own)
    this.native = native
  }

  override get(bare: string): Precompile | undefined {
    return isNative(bare) ? this.native() : super.get(bare)
  }

  override has(bare: string): boolean {
    return isNative(bare) || super.has(bare)
  }
}

/** Precompiles with native contracts beside them; the site is there when the first is called. */
export function withNatives(
  own: ReadonlyMap<string, Precompile>,
  siteOf: () => NativeSite,
): Map<string, Precompile> {
  let native: Precompile | undefined
  return new NativePrecompiles(own, () => {
    if (native === undefined) {
      const site = siteOf()
      const prices = pricesOf(site.evm)
      native = ({ message = site.begun?.() }) => runNative(site, prices, message as Message)
    }
    return native
  })
}
