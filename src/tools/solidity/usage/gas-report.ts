// Gas reports: what deployments and calls of known contracts cost.

import type { Probe } from '../../../core/execution/trace/probe.ts'
import type { CompiledContract } from '../model/contract.ts'
import type { ContractIndex } from '../model/contract-index.ts'
import {
  addValues,
  type ContractUsage,
  type Histogram,
  histogramAt,
  recordUsage,
  type Usage,
} from './usage.ts'

/** The gas of several executions. */
export interface GasStatistics {
  readonly count: number
  readonly min: number
  readonly mean: number
  readonly median: number
  readonly max: number
}

/** The gas of calls of a function. */
export interface FunctionGas extends GasStatistics {
  /** Such as `transfer(address,uint256)`, or `receive` or `fallback`. */
  readonly name: string
}

/** The gas of a contract. */
export interface ContractGas {
  readonly name: string
  /** Its source file; empty if that is not known. */
  readonly file: string
  /** `undefined` if it was not deployed. */
  readonly deployments: GasStatistics | undefined
  /** Bytes of its deployed code. */
  readonly codeSize: number
  readonly functions: readonly FunctionGas[]
}

/** Contracts that ran, by file and name. */
export type GasReport = readonly ContractGas[]

function statisticsOf(gas: Histogram): GasStatistics {
  const sorted = [...gas].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, times]) => sum + times, 0)
  const sum = sorted.reduce((all, [value, times]) => all + value * times, 0)
  const at = (position: number): number => {
    let passed = 0
    for (const [value, times] of sorted) {
      passed += times
      if (passed > position) return value
    }
    return 0
  }
  const median = (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2
  const mean = Math.round(sum / total)
  return { count: total, min: at(0), mean, median: Math.round(median), max: at(total - 1) }
}

/** The name of the function that calldata with this selector calls. */
function functionName({ functions, abi }: CompiledContract, selector: string): string {
  const called = functions.get(selector as `0x${string}`)
  if (called !== undefined) return called.signature
  const hasReceive = abi.some((item) => (item as { type?: unknown }).type === 'receive')
  return selector === '0x' && hasReceive ? 'receive' : 'fallback'
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The report of a usage; contracts that are given several times are one. */
export function gasReport(contracts: readonly CompiledContract[], usage: Usage): GasReport {
  type Gathered = Pick<ContractUsage, 'deployments'> & { readonly functions: ContractUsage['calls'] }
  const gathered = new Map<string, Gathered & { readonly contract: CompiledContract }>()
  for (const [number, { calls, deployments }] of usage) {
    const contract = contracts[number]
    if (contract === undefined || (calls.size === 0 && deployments.size === 0)) continue
    const key = `${contract.file}:${contract.name}`
    const entry = gathered.get(key) ?? { contract, deployments: new Map(), functions: new Map() }
    gathered.set(key, entry)
    addValues(entry.deployments, deployments)
    for (const [selector, gas] of calls) {
      addValues(histogramAt(entry.functions, functionName(contract, selector)), gas)
    }
  }
  return [...gathered]
    .sort(([a], [b]) => compare(a, b))
    .map(([, { contract, deployments, functions }]) => ({
      name: contract.name,
      file: contract.file,
      deployments: deployments.size === 0 ? undefined : statisticsOf(deployments),
      codeSize: contract.deployed?.bytes.length ?? 0,
      functions: [...functions]
        .sort(([a], [b]) => compare(a, b))
        .map(([name, gas]) => ({ name, ...statisticsOf(gas) })),
    }))
}

/**
 * Records the gas of known contracts.
 * @param indexOf returns the known contracts, which stay in their places when more are added
 */
export function recordGasUsage(indexOf: () => ContractIndex | undefined): {
  readonly probe: Probe
  readonly report: () => GasReport
} {
  const { probe, usage } = recordUsage(indexOf, { gas: true, coverage: false })
  return { probe, report: () => gasReport(indexOf()?.contracts ?? [], usage()) }
}
