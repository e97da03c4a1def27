// Gas and refunds of SSTORE: before EIP-2200, EIP-1283 (constantinople only), and EIP-2200 with the changes of EIP-2929
// and EIP-3529.

import { equalBytes } from '../primitives/hex.ts'
import { type ForkParameters, parameterOf } from './fork-parameters.ts'

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

/** Parameters of net gas metering (EIP-1283, EIP-2200). */
interface NetCosts {
  readonly noop: number
  readonly init: number
  readonly clean: number
  readonly dirty: number
  readonly clearRefund: number
  /** For a slot that was zero at the start of the transaction and is zero again. */
  readonly initRefund: number
  /** For a slot that has its original non-zero value again. */
  readonly cleanRefund: number
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

function netCosts1283(param: (name: string) => number): NetCosts {
  return {
    noop: param('netSstoreNoopGas'),
    init: param('netSstoreInitGas'),
    clean: param('netSstoreCleanGas'),
    dirty: param('netSstoreDirtyGas'),
    clearRefund: param('netSstoreClearRefundGas'),
    initRefund: param('netSstoreResetClearRefundGas'),
    cleanRefund: param('netSstoreResetRefundGas'),
  }
}

function netCosts2200(param: (name: string) => number): NetCosts {
  return {
    noop: param('sstoreNoopEIP2200Gas'),
    init: param('sstoreInitEIP2200Gas'),
    clean: param('sstoreCleanEIP2200Gas'),
    dirty: param('sstoreDirtyEIP2200Gas'),
    clearRefund: param('sstoreClearRefundEIP2200Gas'),
    initRefund: param('sstoreInitRefundEIP2200Gas'),
    cleanRefund: param('sstoreCleanRefundEIP2200Gas'),
  }
}

/** EIP-2929: a warm slot has smaller refunds; a cold slot costs its first access on top. */
function accessCosts(param: (name: string) => number): Readonly<Record<'warm' | 'cold', NetCosts>> {
  const net = netCosts2200(param)
  const read = param('warmstoragereadGas')
  const firstRead = param('coldsloadGas')
  const cleanRefund = param('sstoreResetGas') - firstRead - read
  const [noop, init, clean, dirty] = [net.noop, net.init, net.clean, net.dirty].map((gas) => gas + firstRead)
  return {
    warm: { ...net, noop: read, initRefund: net.init - read, cleanRefund },
    cold: {
      ...net,
      ...({ noop, init, clean, dirty } as Pick<NetCosts, 'noop' | 'init' | 'clean' | 'dirty'>),
    },
  }
}

/** The costs of a slot that is warm and of one that is not, from EIP-2929 on, as assembly/layout.ts has them. */
export function storeParametersOf(common: ForkParameters): number[] {
  const { warm, cold } = accessCosts((name) => parameterOf(common, name))
  return [warm, cold].flatMap((costs) => [
    ...[costs.noop, costs.init, costs.clean, costs.dirty],
    ...[costs.clearRefund, costs.initRefund, costs.cleanRefund],
  ])
}

export function storageCostsOf(common: ForkParameters): StorageCosts {
  const param = (name: string): number => parameterOf(common, name)
  if (common.gteHardfork('istanbul')) {
    const costs = netCosts2200(param)
    if (!common.isActivatedEIP(2929)) return (change) => netCost(costs, change)
    const { warm, cold } = accessCosts(param)
    return (change) => netCost(change.isWarm ? warm : cold, change)
  }
  if (common.hardfork() === 'constantinople') {
    const costs = netCosts1283(param)
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
