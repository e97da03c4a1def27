// Gas costs of a fork, as the interpreter takes them.

import { equalBytes } from '../primitives/hex.ts'
import type { Core } from './core.ts'
import type { Evm } from './evm-interface.ts'
import { type ForkParameters, parameterOf } from './fork-parameters.ts'
import { UNKNOWN, WORD } from './layout.ts'

// Gas and refunds of SSTORE: before EIP-2200, EIP-1283 (constantinople only), and EIP-2200 with the changes of EIP-2929
// and EIP-3529.

/** The value of a slot at the start of the transaction, now, and after SSTORE, each without leading zeros. */
export interface SlotValues {
  readonly original: Uint8Array
  readonly current: Uint8Array
  readonly next: Uint8Array
  readonly isWarm: boolean
}

/** A negative refund takes an earlier one back. */
interface StorageCost {
  readonly gas: number
  readonly refund: number
}

export type StorageCosts = (change: SlotValues) => StorageCost

/** Parameters of net gas metering (EIP-1283, EIP-2200), in the order of assembly/layout.ts, with their names there. */
const NET_PARAMETERS = {
  noop: ['netSstoreNoopGas', 'sstoreNoopEIP2200Gas'],
  init: ['netSstoreInitGas', 'sstoreInitEIP2200Gas'],
  clean: ['netSstoreCleanGas', 'sstoreCleanEIP2200Gas'],
  dirty: ['netSstoreDirtyGas', 'sstoreDirtyEIP2200Gas'],
  clearRefund: ['netSstoreClearRefundGas', 'sstoreClearRefundEIP2200Gas'],
  /** For a slot that was zero at the start of the transaction and is zero again. */
  initRefund: ['netSstoreResetClearRefundGas', 'sstoreInitRefundEIP2200Gas'],
  /** For a slot that has its original non-zero value again. */
  cleanRefund: ['netSstoreResetRefundGas', 'sstoreCleanRefundEIP2200Gas'],
} as const

type NetName = keyof typeof NET_PARAMETERS
type NetCosts = Readonly<Record<NetName, number>>

const NET_NAMES = Object.keys(NET_PARAMETERS) as NetName[]

function netCostsOf(param: (name: string) => number, eip: 1283 | 2200): NetCosts {
  const entries = NET_NAMES.map((name) => [name, param(NET_PARAMETERS[name][eip === 1283 ? 0 : 1])])
  return Object.fromEntries(entries) as NetCosts
}

function netCost(costs: NetCosts, { original, current, next }: SlotValues): StorageCost {
  if (equalBytes(current, next)) return { gas: costs.noop, refund: 0 }
  if (equalBytes(original, current)) {
    if (original.length === 0) return { gas: costs.init, refund: 0 }
    return { gas: costs.clean, refund: next.length === 0 ? costs.clearRefund : 0 }
  }
  let refund = 0
  if (original.length > 0) {
    if (current.length === 0) refund -= costs.clearRefund
    else if (next.length === 0) refund += costs.clearRefund
  }
  if (equalBytes(original, next)) refund += original.length === 0 ? costs.initRefund : costs.cleanRefund
  return { gas: costs.dirty, refund }
}

/** EIP-2929: a warm slot has smaller refunds; a cold slot costs its first access on top. */
function accessCosts(param: (name: string) => number): Readonly<Record<'warm' | 'cold', NetCosts>> {
  const net = netCostsOf(param, 2200)
  const read = param('warmstoragereadGas')
  const firstRead = param('coldsloadGas')
  const cleanRefund = param('sstoreResetGas') - firstRead - read
  const [noop, init, clean, dirty] = [net.noop, net.init, net.clean, net.dirty].map((gas) => gas + firstRead)
  return {
    warm: { ...net, noop: read, initRefund: net.init - read, cleanRefund },
    cold: { ...net, ...({ noop, init, clean, dirty } as Pick<NetCosts, 'noop'>) },
  }
}

/** The costs of a slot that is warm and of one that is not, from EIP-2929 on, as assembly/layout.ts has them. */
function storeParametersOf(common: ForkParameters): number[] {
  const { warm, cold } = accessCosts((name) => parameterOf(common, name))
  return [warm, cold].flatMap((costs) => NET_NAMES.map((name) => costs[name]))
}

export function storageCostsOf(common: ForkParameters): StorageCosts {
  const param = (name: string): number => parameterOf(common, name)
  if (common.gteHardfork('istanbul')) {
    const costs = netCostsOf(param, 2200)
    if (!common.isActivatedEIP(2929)) return (change) => netCost(costs, change)
    const { warm, cold } = accessCosts(param)
    return (change) => netCost(change.isWarm ? warm : cold, change)
  }
  if (common.hardfork() === 'constantinople') {
    const costs = netCostsOf(param, 1283)
    return (change) => netCost(costs, change)
  }
  const reset = param('sstoreResetGas')
  const set = param('sstoreSetGas')
  const clearRefund = param('sstoreRefundGas')
  return ({ current, next }) => {
    if (next.length > 0 && current.length === 0) return { gas: set, refund: 0 }
    return { gas: reset, refund: next.length === 0 && current.length > 0 ? clearRefund : 0 }
  }
}

/** Stack items that an opcode removes and adds. An opcode that is not listed removes none and adds one. */
const OPERANDS: Readonly<Record<number, readonly [taken: number, given: number]>> = {
  ...rows([0x00, 0x5b, 0xfe], 0, 0),
  ...rows([0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b], 2, 1),
  ...rows([0x08, 0x09], 3, 1),
  ...rows([0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d, 0x20], 2, 1),
  ...rows([0x15, 0x19, 0x1e, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x51, 0x54, 0x5c], 1, 1),
  ...rows([0x37, 0x39, 0x3e, 0x5e], 3, 0),
  ...rows([0x3c], 4, 0),
  ...rows([0x50, 0x56, 0xff], 1, 0),
  ...rows([0x52, 0x53, 0x55, 0x57, 0x5d, 0xf3, 0xfd], 2, 0),
  ...Object.fromEntries(Array.from({ length: 16 }, (_, i) => [0x80 + i, [i + 1, i + 2] as const])),
  ...Object.fromEntries(Array.from({ length: 16 }, (_, i) => [0x90 + i, [i + 2, i + 2] as const])),
  ...Object.fromEntries(Array.from({ length: 5 }, (_, i) => [0xa0 + i, [i + 2, 0] as const])),
  ...rows([0xf0], 3, 1),
  ...rows([0xf1, 0xf2], 7, 1),
  ...rows([0xf4, 0xfa], 6, 1),
  ...rows([0xf5], 4, 1),
}

export function operandsOf(opcode: number): readonly [taken: number, given: number] {
  return OPERANDS[opcode] ?? [0, 1]
}

/** These check for a static frame before they check the stack. */
const CHECKED_LATER: ReadonlySet<number> = new Set([0x55, 0x5d, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xff])

function rows(opcodes: readonly number[], taken: number, given: number) {
  return Object.fromEntries(opcodes.map((opcode) => [opcode, [taken, given] as const]))
}

/** Their static gas is charged with their dynamic gas, after other checks, as in @ethereumjs. */
const CHARGED_LATER: ReadonlySet<number> = new Set([
  ...[0x55, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],
  ...[0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xff],
])

function writeEntry(core: Core, opcode: number, fee: number, least: number, most: number): void {
  const at = core.exports.opcodes.value + 8 * opcode
  core.numbers[at >>> 2] = fee
  core.numbers[(at >>> 2) + 1] = least | ((most - least) << 16)
}

/** SSTORE fails if no more gas than this is left (EIP-2200); -1 before istanbul. */
function storeSentryOf(common: ForkParameters): number {
  return common.gteHardfork('istanbul') ? parameterOf(common, 'sstoreSentryEIP2200Gas') : -1
}

/** Writes opcodes and their static costs into an instance. */
export function writeOpcodes(core: Core, opcodes: Evm['opcodes']): void {
  for (let opcode = 0; opcode < 256; opcode++) {
    const known = opcodes.get(opcode)
    if (known === undefined || known.isInvalid) {
      writeEntry(core, opcode, 0, UNKNOWN, UNKNOWN)
      continue
    }
    const [taken, given] = CHECKED_LATER.has(opcode) ? [0, 0] : operandsOf(opcode)
    const fee = CHARGED_LATER.has(opcode) ? 0 : known.fee
    writeEntry(core, opcode, fee, taken * WORD, Math.min(1024, 1024 + taken - given) * WORD)
  }
}

/** Writes the opcodes of the fork and all costs into an instance. */
export function writeCosts(core: Core, { common, opcodes }: Pick<Evm, 'common' | 'opcodes'>): void {
  writeOpcodes(core, opcodes)
  const names =
    'memoryGas quadCoefficientDivGas keccak256WordGas copyGas expByteGas logGas logTopicGas logDataGas'
  const at = core.exports.parameters.value >>> 3
  const all = [
    ...names.split(' ').map((name) => parameterOf(common, name)),
    storeSentryOf(common),
    parameterOf(common, 'coldsloadGas'),
    ...storeParametersOf(common),
  ]
  for (const [index, value] of all.entries()) core.limbs[at + index] = BigInt.asUintN(64, BigInt(value))
}

/** Costs that JavaScript charges, not the WebAssembly code. */
export function costsOf(evm: Pick<Evm, 'common' | 'opcodes'>) {
  const { common } = evm
  const param = (name: string): number => parameterOf(common, name)
  const fee = (opcode: number): number => evm.opcodes.get(opcode)?.fee ?? 0
  return {
    hasAccessLists: common.isActivatedEIP(2929),
    hasDelegations: common.isActivatedEIP(7702),
    tracksCreations: common.isActivatedEIP(6780),
    limitsInitCode: common.isActivatedEIP(3860),
    coldAccount: param('coldaccountaccessGas'),
    coldSlot: param('coldsloadGas'),
    warmRead: param('warmstoragereadGas'),
    store: fee(0x55),
    storeSentry: storeSentryOf(common),
    callFee: { 241: fee(0xf1), 242: fee(0xf2), 244: fee(0xf4), 250: fee(0xfa) },
    callValue: param('callValueTransferGas'),
    callStipend: param('callStipendGas'),
    newAccount: param('callNewAccountGas'),
    create: fee(0xf0),
    create2: fee(0xf5),
    initCodeWord: param('initCodeWordGas'),
    keccakWord: param('keccak256WordGas'),
    maxInitCodeSize: param('maxInitCodeSize'),
    maxCallDepth: param('stackLimit'),
    selfDestruct: fee(0xff),
    selfDestructRefund: param('selfdestructRefundGas'),
  }
}

export type Costs = ReturnType<typeof costsOf>
