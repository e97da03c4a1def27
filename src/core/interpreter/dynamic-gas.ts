// Gas of opcodes beyond their static gas, as geth computes it (core/vm/gas_table.go, operations_acl.go). For opcodes that
// fail: for others the interpreters know what they have charged.

import { addressOfWord } from '../primitives/crypto.ts'
import { type Address, bigIntToBytes, hexToBytes, padLeft, toWord } from '../primitives/hex.ts'
import { MAX_UINT64 } from '../primitives/numbers.ts'
import type { StateWriter } from '../state/world-state.ts'
import * as world from '../state/world-state.ts'
import type { Costs, SlotValues, StorageCosts } from './costs.ts'
import type { Evm } from './evm-interface.ts'
import { parameterOf } from './fork-parameters.ts'
import { MEMORY_READ, MEMORY_WRITTEN } from './memory-use.ts'
import { type CallAccess, SENDERS } from './message.ts'
import type { ObservedStep } from './observer.ts'

/** Where costs come from: the fork and the state. */
export interface Tariff {
  readonly evm: Evm
  readonly costs: Costs
  readonly storageCosts: StorageCosts
  readonly writer: StateWriter
  /** The state before the opcode, if that of the writer is another one. */
  readonly state?: world.WorldState
  /** Accounts, and slots (the account followed by the word), that count as warm beside those of the journal. */
  readonly warm?: ReadonlySet<string>
}

/** An opcode at which a frame has failed, and the frame before it. */
export interface FailedOpcode
  extends Pick<ObservedStep, 'opcode' | 'gas' | 'address' | 'stackSize' | 'peek' | 'memorySize'> {
  readonly isStatic: boolean
  readonly returnDataSize: number
  /** The cost, if the interpreter has computed it. */
  readonly cost?: number | undefined
  /** The accesses of a message, if the interpreter has made the accounts warm. */
  readonly access?: CallAccess | undefined
}

/** geth gives up the computation of the gas. */
export class GasError extends Error {}

export const OUT_OF_GAS_ERROR = 'out of gas'
const OVERFLOW = 'gas uint64 overflow'
/** Beyond this size geth does not compute the gas of memory. */
const MAX_MEMORY = 0x1fffffffe0n

/** Positions of the lengths by which copies are charged. */
const COPIED: Readonly<Record<number, number>> = { 55: 2, 57: 2, 60: 3, 62: 2, 94: 2 }

function wordsOf(bytes: bigint): bigint {
  return (bytes + 31n) / 32n
}

/** An operand; the stack is known to have it. */
export function operand({ peek }: Pick<FailedOpcode, 'peek'>, depth: number): bigint {
  return peek(depth) as bigint
}

/** The size of the memory that an opcode needs, in bytes of whole words. Throws if it has more than 64 bits. */
export function memoryNeeded(failed: FailedOpcode): bigint {
  let most = 0n
  for (const use of [MEMORY_READ.get(failed.opcode), MEMORY_WRITTEN.get(failed.opcode)]) {
    if (use === undefined) continue
    const offset = operand(failed, use[0])
    const length = typeof use[1] === 'bigint' ? use[1] : operand(failed, use[1])
    const end = length === 0n ? 0n : offset + length
    if (length > MAX_UINT64 || 32n * wordsOf(end) > MAX_UINT64) throw new GasError(OVERFLOW)
    if (end > most) most = end
  }
  return 32n * wordsOf(most)
}

function memoryGas({ evm }: Tariff, { memorySize }: FailedOpcode, needed: bigint): bigint {
  if (needed > MAX_MEMORY) throw new GasError(OVERFLOW)
  const before = BigInt(memorySize)
  if (needed <= before) return 0n
  const divisor = BigInt(parameterOf(evm.common, 'quadCoefficientDivGas'))
  const fee = BigInt(parameterOf(evm.common, 'memoryGas'))
  const total = (words: bigint) => words * fee + (words * words) / divisor
  return total(needed / 32n) - total(before / 32n)
}

function accountAt({ writer, state = writer.current }: Tariff, address: Address): world.Account {
  return world.readAccount(state, address)
}

function isWarm({ evm, costs, warm }: Tariff, address: Address): boolean {
  return (
    !costs.hasAccessLists || warm?.has(address) === true || evm.journal.isWarmedAddress(hexToBytes(address))
  )
}

/** The gas to access an account beyond that of a warm one; zero before EIP-2929. */
function coldGas(tariff: Tariff, address: Address): number {
  return isWarm(tariff, address) ? 0 : tariff.costs.coldAccount - tariff.costs.warmRead
}

/** The account whose code a message to an account executes instead (EIP-7702). */
export function delegateFor(tariff: Tariff, to: Address): Address | undefined {
  return tariff.costs.hasDelegations ? world.delegateOf(accountAt(tariff, to).code.bytes) : undefined
}

/** The gas that a message to an account will pay for accesses. */
export function callAccess(tariff: Tariff, to: Address): CallAccess {
  const { costs } = tariff
  const delegate = delegateFor(tariff, to)
  return {
    account: coldGas(tariff, to),
    delegate: delegate === undefined ? 0 : costs.warmRead + coldGas(tariff, delegate),
  }
}

/** The gas that a message pays for its value. */
function valueGas(tariff: Tariff, failed: FailedOpcode, to: Address): number {
  const { evm, costs, writer, state = writer.current } = tariff
  const { opcode } = failed
  const hasValue = (opcode === 0xf1 || opcode === 0xf2) && operand(failed, 2) !== 0n
  const isNew = evm.common.gteHardfork('spuriousDragon')
    ? hasValue && world.isDead(accountAt(tariff, to))
    : !state.has(to)
  return (hasValue ? costs.callValue : 0) + (opcode === 0xf1 && isNew ? costs.newAccount : 0)
}

/** As makeCallVariantGasCallEIP7702, with its numbers of 64 bits, which wrap around. */
function callGas(tariff: Tariff, failed: FailedOpcode, left: bigint, memory: bigint): bigint {
  const { evm } = tariff
  const to = addressOfWord(operand(failed, 1))
  const { account, delegate } = failed.access ?? callAccess(tariff, to)
  if (left < BigInt(account) || left < BigInt(account + delegate)) throw new GasError(OUT_OF_GAS_ERROR)
  const base = memory + BigInt(valueGas(tariff, failed, to))
  const requested = operand(failed, 0)
  const available = BigInt.asUintN(64, left - BigInt(account + delegate) - base)
  const isLimited = evm.common.gteHardfork('tangerineWhistle')
  const allowed = available - available / 64n
  if (!isLimited && requested > MAX_UINT64) throw new GasError(OVERFLOW)
  const gas = isLimited && requested > allowed ? allowed : requested
  if (base + gas > MAX_UINT64) throw new GasError(OVERFLOW)
  return BigInt(account + delegate) + base + gas
}

function createGas({ evm, costs }: Tariff, failed: FailedOpcode): bigint {
  const size = operand(failed, 2)
  if (costs.limitsInitCode && size > BigInt(costs.maxInitCodeSize) && !evm.allowUnlimitedInitCodeSize)
    throw new GasError(`max initcode size exceeded: size ${size}`)
  const hashed = failed.opcode === 0xf5 ? costs.keccakWord : 0
  return wordsOf(size) * BigInt(hashed + (costs.limitsInitCode ? costs.initCodeWord : 0))
}

/** The change that an SSTORE makes. */
function storageChange(tariff: Tariff, address: Address, slot: bigint, value: bigint): SlotValues {
  const { evm, costs, writer, state = writer.current, warm } = tariff
  const place = toWord(slot)
  const key = padLeft(bigIntToBytes(slot), 32)
  const isRead = warm?.has(address + place) === true
  return {
    original: writer.originalStorage(address, place),
    current: world.readStorage(state, address, place),
    next: bigIntToBytes(value),
    isWarm: !costs.hasAccessLists || isRead || evm.journal.isWarmedStorage(hexToBytes(address), key),
  }
}

/** The refund of SSTORE or SELFDESTRUCT, which geth counts before it tells of them. */
export function refundOfStep(
  tariff: Tariff,
  { opcode, address, gas, peek }: Pick<FailedOpcode, 'opcode' | 'address' | 'gas' | 'peek'>,
  destroyed: ReadonlyMap<Address, Address> | undefined,
): number {
  const { costs, storageCosts } = tariff
  const [first, second] = [peek(0), peek(1)]
  if (first === undefined) return 0
  if (opcode === 0xff) return destroyed?.has(address) === true ? 0 : costs.selfDestructRefund
  if (opcode !== 0x55 || second === undefined || gas <= costs.storeSentry) return 0
  return storageCosts(storageChange(tariff, address, first, second)).refund
}

function storeGas(tariff: Tariff, failed: FailedOpcode, left: bigint): bigint {
  const { costs, storageCosts } = tariff
  if (left <= BigInt(costs.storeSentry)) throw new GasError('not enough gas for reentrancy sentry')
  const change = storageChange(tariff, failed.address, operand(failed, 0), operand(failed, 1))
  return BigInt(storageCosts(change).gas + costs.store)
}

function selfDestructGas(tariff: Tariff, failed: FailedOpcode): bigint {
  const { costs } = tariff
  const beneficiary = addressOfWord(operand(failed, 0))
  const isNew = accountAt(tariff, failed.address).balance > 0n && world.isDead(accountAt(tariff, beneficiary))
  const own = costs.hasAccessLists ? 0 : costs.selfDestruct
  return BigInt(own + (isWarm(tariff, beneficiary) ? 0 : costs.coldAccount) + (isNew ? costs.newAccount : 0))
}

function expGas({ evm }: Tariff, failed: FailedOpcode): bigint {
  const bytes = bigIntToBytes(operand(failed, 1)).length
  return BigInt((evm.opcodes.get(failed.opcode)?.fee ?? 0) + bytes * parameterOf(evm.common, 'expByteGas'))
}

function copyGas(tariff: Tariff, failed: FailedOpcode, lengthAt: number): bigint {
  const length = operand(failed, lengthAt)
  if (length > MAX_UINT64) throw new GasError(OVERFLOW)
  const cold = failed.opcode === 0x3c ? coldGas(tariff, addressOfWord(operand(failed, 0))) : 0
  return wordsOf(length) * BigInt(parameterOf(tariff.evm.common, 'copyGas')) + BigInt(cold)
}

function logGas({ evm }: Tariff, failed: FailedOpcode): bigint {
  const param = (name: string): bigint => BigInt(parameterOf(evm.common, name))
  const topics = BigInt(failed.opcode - 0xa0)
  return param('logGas') + topics * param('logTopicGas') + operand(failed, 1) * param('logDataGas')
}

/** The gas beyond the static gas, of which `left` is left. Throws what geth's computation refuses. */
export function dynamicGas(tariff: Tariff, failed: FailedOpcode, left: bigint, needed: bigint): bigint {
  const { opcode } = failed
  if (opcode === 0x55) return storeGas(tariff, failed, left)
  const memory = memoryGas(tariff, failed, needed)
  const copied = COPIED[opcode]
  if (copied !== undefined) return memory + copyGas(tariff, failed, copied)
  if (opcode === 0x0a) return expGas(tariff, failed)
  if (opcode === 0x20) return memory + wordsOf(operand(failed, 1)) * BigInt(tariff.costs.keccakWord)
  if (opcode >= 0xa0 && opcode <= 0xa4) return memory + logGas(tariff, failed)
  if (opcode === 0xf0 || opcode === 0xf5) return memory + createGas(tariff, failed)
  if (SENDERS.has(opcode)) return callGas(tariff, failed, left, memory)
  return opcode === 0xff ? selfDestructGas(tariff, failed) : memory
}

/** The static gas of an opcode. geth charges that of some opcodes with their other gas. */
export function staticGas({ evm, costs }: Tariff, opcode: number): number {
  const isLog = opcode >= 0xa0 && opcode <= 0xa4
  if (isLog || opcode === 0x0a || opcode === 0x55) return 0
  if (!costs.hasAccessLists) return opcode === 0xff ? 0 : (evm.opcodes.get(opcode)?.fee ?? 0)
  if (opcode === 0x54) return 0
  const isAccess = [0x31, 0x3b, 0x3c, 0x3f, 0xf1, 0xf2, 0xf4, 0xfa].includes(opcode)
  return isAccess ? costs.warmRead : (evm.opcodes.get(opcode)?.fee ?? 0)
}
