// Counts of executed instructions and gas of known contracts, which several processes can add up; and the gas report.

import { type FrameStart, isCreation, type Observer } from '../../../core/execution/trace/observer.ts'
import type { CodeOf, Probe, ProbedKind } from '../../../core/execution/trace/probe.ts'
import { bytesToHex } from '../../../core/primitives/hex.ts'
import { calledSignature } from '../artifacts/abi.ts'
import type { CompiledContract } from '../model/contract.ts'
import { type ContractIndex, recognise } from '../model/contract-index.ts'

/** Numbers and how often each occurred. */
export type Histogram = Map<number, number>

export interface ContractUsage {
  /** Counts of the instruction at each byte. */
  creation: Uint32Array | undefined
  deployed: Uint32Array | undefined
  /** Gas of calls that succeeded, by selector; by the whole calldata if it is shorter. */
  readonly calls: Map<string, Histogram>
  readonly deployments: Histogram
}

/** By the position of the contract in the list of known ones. */
export type Usage = Map<number, ContractUsage>

function usageOf(usage: Usage, contract: number): ContractUsage {
  const none = { creation: undefined, deployed: undefined, calls: new Map(), deployments: new Map() }
  const found = usage.get(contract) ?? none
  usage.set(contract, found)
  return found
}

function countValue(histogram: Histogram, value: number, times = 1): void {
  histogram.set(value, (histogram.get(value) ?? 0) + times)
}

export function addValues(into: Histogram, from: Iterable<readonly [value: number, times: number]>): void {
  for (const [value, times] of from) countValue(into, value, times)
}

export function histogramAt(histograms: Map<string, Histogram>, key: string): Histogram {
  const found = histograms.get(key) ?? new Map<number, number>()
  histograms.set(key, found)
  return found
}

/** A usage as JSON: counts as pairs of position and count. */
export type UsageJson = ReturnType<typeof usageToJson>

function pairsOf(counts: Uint32Array | undefined): number[] {
  const pairs: number[] = []
  for (const [pc, times] of counts?.entries() ?? []) if (times > 0) pairs.push(pc, times)
  return pairs
}

export function usageToJson(usage: Usage) {
  return {
    contracts: [...usage].map(([contract, { creation, deployed, calls, deployments }]) => ({
      contract,
      creation: pairsOf(creation),
      deployed: pairsOf(deployed),
      calls: [...calls].map(([selector, gas]) => [selector, [...gas]] as const),
      deployments: [...deployments],
    })),
  }
}

function addPairs(counts: Uint32Array | undefined, pairs: readonly number[]): Uint32Array | undefined {
  if (pairs.length === 0) return counts
  const length = Math.max(counts?.length ?? 0, (pairs.at(-2) as number) + 1)
  const sum = new Uint32Array(length)
  if (counts !== undefined) sum.set(counts)
  for (let at = 0; at < pairs.length; at += 2) {
    const pc = pairs[at] as number
    sum[pc] = (sum[pc] as number) + (pairs[at + 1] as number)
  }
  return sum
}

/** Adds what another process has counted. */
export function addUsage(usage: Usage, { contracts }: UsageJson): void {
  for (const { contract, creation, deployed, calls, deployments } of contracts) {
    const into = usageOf(usage, contract)
    into.creation = addPairs(into.creation, creation)
    into.deployed = addPairs(into.deployed, deployed)
    for (const [selector, gas] of calls) addValues(histogramAt(into.calls, selector), gas)
    addValues(into.deployments, deployments)
  }
}

export interface UsageKinds {
  readonly gas: boolean
  readonly coverage: boolean
}

interface Frame {
  readonly start: FrameStart
  readonly contract: CompiledContract | undefined
  readonly counts: Uint32Array | undefined
}

const SELECTOR_BYTES = 4

function selectorIn(input: Uint8Array): string {
  return bytesToHex(input.subarray(0, SELECTOR_BYTES))
}

/** True if the gas of an execution counts: `eth_call` of a function that writes only simulates a transaction. */
function countsGas(kind: ProbedKind, { contract, start }: Frame): boolean {
  if (kind === 'transaction' || kind === 'test') return true
  const called = contract?.functions.get(selectorIn(start.input) as `0x${string}`)
  return kind === 'call' && called?.isReadOnly === true
}

/** Records usage of the known contracts, which keep their places when more are added. `take` begins another count. */
export function recordUsage(indexOf: () => ContractIndex | undefined, kinds: UsageKinds) {
  let usage: Usage = new Map()
  const numbers = new WeakMap<CompiledContract, number>()

  function numberOf(index: ContractIndex, contract: CompiledContract): number {
    const known = numbers.get(contract) ?? index.contracts.indexOf(contract)
    numbers.set(contract, known)
    return known
  }

  function open(into: Usage, index: ContractIndex | undefined, start: FrameStart, codeOf: CodeOf): Frame {
    if (index === undefined || start.isPrecompile || start.kind === 'SELFDESTRUCT')
      return { start, contract: undefined, counts: undefined }
    const contract = recognise(index, start, isCreation(start) ? start.input : codeOf(start.to))
    if (contract === undefined || !kinds.coverage) return { start, contract, counts: undefined }
    const used = usageOf(into, numberOf(index, contract))
    const part = isCreation(start) ? 'creation' : 'deployed'
    used[part] ??= new Uint32Array(contract[part]?.bytes.length ?? 0)
    return { start, contract, counts: used[part] }
  }

  function countGas(index: ContractIndex, { contract, start }: Frame, gas: number): void {
    if (contract === undefined) return
    const used = usageOf(usage, numberOf(index, contract))
    if (isCreation(start)) countValue(used.deployments, gas)
    else countValue(histogramAt(used.calls, selectorIn(start.input)), gas)
  }

  const probe: Probe = {
    countsGas: kinds.gas,
    begin(kind, codeOf) {
      const index = indexOf()
      // An estimate that succeeds is followed by its transaction, so only one that fails counts.
      const into: Usage = kind === 'estimate' ? new Map() : usage
      const frames: Frame[] = []
      const done: { readonly frame: Frame; readonly gas: number }[] = []
      let outermost: { readonly frame: Frame; readonly isSuccess: boolean } | undefined
      let counts: Uint32Array | undefined
      const observer: Observer = {
        enter(start) {
          const frame = open(into, index, start, codeOf)
          frames.push(frame)
          counts = frame.counts
        },
        exit({ gasUsed, error }) {
          const frame = frames.pop() as Frame
          counts = frames.at(-1)?.counts
          if (frames.length === 0) outermost = { frame, isSuccess: error === undefined }
          else if (error === undefined && kinds.gas) done.push({ frame, gas: gasUsed })
        },
        place: kinds.coverage
          ? (pc) => {
              if (counts !== undefined) counts[pc] = (counts[pc] as number) + 1
            }
          : undefined,
      }
      const end = (gasUsed: bigint): void => {
        if (kind === 'estimate' && outermost?.isSuccess === false) addUsage(usage, usageToJson(into))
        if (!kinds.gas || index === undefined || outermost === undefined) return
        if (!countsGas(kind, outermost.frame)) return
        if (outermost.isSuccess) countGas(index, outermost.frame, Number(gasUsed))
        for (const { frame, gas } of done) countGas(index, frame, gas)
      }
      return { observer, end }
    },
  }
  return {
    probe,
    usage: (): Usage => usage,
    take(): Usage {
      const taken = usage
      usage = new Map()
      return taken
    },
  }
}

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
    for (const [selector, gas] of calls)
      addValues(histogramAt(entry.functions, calledSignature(contract, selector)), gas)
  }
  return [...gathered]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { contract, deployments, functions }]) => ({
      name: contract.name,
      file: contract.file,
      deployments: deployments.size === 0 ? undefined : statisticsOf(deployments),
      codeSize: contract.deployed?.bytes.length ?? 0,
      functions: [...functions]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, gas]) => ({ name, ...statisticsOf(gas) })),
    }))
}
