// Gas and refunds of SSTORE: before EIP-2200, EIP-1283 (constantinople only), and EIP-2200 with the changes of EIP-2929
// and EIP-3529.

import { type ForkParameters, parameterOf } from './fork-parameters.ts'

/** The value of a slot at the start of the transaction, now, and after SSTORE, each without leading zeros. */
export interface StorageChange {
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

export type StorageCosts = (change: StorageChange) => StorageCost

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

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

function netCost(costs: NetCosts, { original, current, next }: StorageChange): StorageCost {
  if (isSame(current, next)) return { gas: costs.noop, refund: 0 }
  if (isSame(original, current)) {
    if (original.length === 0) return { gas: costs.init, refund: 0 }
    return { gas: costs.clean, refund: next.length === 0 ? costs.clearRefund : 0 }
  }
  let refund = 0
  if (original.length > 0) {
    if (current.length === 0) refund -= costs.clearRefund
    else if (next.length === 0) refund += costs.clearRefund
  }
  if (isSame(original, next)) refund += original.length === 0 ? costs.initRefund : costs.cleanRefund
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
function warmCosts(param: (name: string) => number): NetCosts {
  const warm = param('warmstoragereadGas')
  return {
    ...netCosts2200(param),
    noop: warm,
    initRefund: param('sstoreInitEIP2200Gas') - warm,
    cleanRefund: param('sstoreResetGas') - param('coldsloadGas') - warm,
  }
}

/** The costs of a slot that is warm and of one that is not, from EIP-2929 on, as assembly/layout.ts has them. */
export function storeParametersOf(common: ForkParameters): number[] {
  const param = (name: string): number => parameterOf(common, name)
  const firstRead = param('coldsloadGas')
  const cold = netCosts2200(param)
  const { noop, init, clean, dirty } = cold
  const first = {
    noop: noop + firstRead,
    init: init + firstRead,
    clean: clean + firstRead,
    dirty: dirty + firstRead,
  }
  return [warmCosts(param), { ...cold, ...first }].flatMap((costs) => [
    ...[costs.noop, costs.init, costs.clean, costs.dirty],
    ...[costs.clearRefund, costs.initRefund, costs.cleanRefund],
  ])
}

export function storageCostsOf(common: ForkParameters): StorageCosts {
  const param = (name: string): number => parameterOf(common, name)
  if (common.gteHardfork('istanbul')) {
    const cold = netCosts2200(param)
    if (!common.isActivatedEIP(2929)) return (change) => netCost(cold, change)
    const warm = warmCosts(param)
    const firstRead = param('coldsloadGas')
    return (change) => {
      if (change.isWarm) return netCost(warm, change)
      const { gas, refund } = netCost(cold, change)
      return { gas: gas + firstRead, refund }
    }
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
