// A recording of gas by itself. A module of its own, because it is loaded on first use.

import type { Probe } from '../../../core/execution/trace/probe.ts'
import type { ContractIndex } from '../model/contract-index.ts'
import { type GasReport, gasReport } from './gas-report.ts'
import { recordUsage } from './record-usage.ts'

export interface GasUsage {
  readonly probe: Probe
  readonly report: () => GasReport
}

/** `indexOf` returns the known contracts, which stay in their places when more are added. */
export function recordGasUsage(indexOf: () => ContractIndex | undefined): GasUsage {
  const { probe, usage } = recordUsage(indexOf, { gas: true, coverage: false })
  return { probe, report: () => gasReport(indexOf()?.contracts ?? [], usage()) }
}
