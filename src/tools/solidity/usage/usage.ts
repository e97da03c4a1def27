// What ran of known contracts: how often each instruction, and the gas of each call. Plain data, so that runs in
// several processes can be added up.

/** Numbers and how often each occurred. */
export type Histogram = Map<number, number>

/** The usage of one contract. */
export interface ContractUsage {
  /** Counts of the instruction at each byte. */
  creation: Uint32Array | undefined
  deployed: Uint32Array | undefined
  /** Gas of calls that succeeded, by selector; by the whole calldata if it is shorter. */
  readonly calls: Map<string, Histogram>
  /** Gas of deployments. */
  readonly deployments: Histogram
}

/** By the position of the contract in the list of known ones. */
export type Usage = Map<number, ContractUsage>

export function usageOf(usage: Usage, contract: number): ContractUsage {
  let found = usage.get(contract)
  if (found === undefined) {
    found = { creation: undefined, deployed: undefined, calls: new Map(), deployments: new Map() }
    usage.set(contract, found)
  }
  return found
}

export function countValue(histogram: Histogram, value: number, times = 1): void {
  histogram.set(value, (histogram.get(value) ?? 0) + times)
}

/** The histogram under a key, which is created if there is none. */
export function histogramAt(histograms: Map<string, Histogram>, key: string): Histogram {
  const found = histograms.get(key) ?? new Map<number, number>()
  histograms.set(key, found)
  return found
}

/** A usage as JSON: counts as pairs of position and count. */
export interface UsageJson {
  readonly contracts: readonly {
    readonly contract: number
    readonly creation: readonly number[]
    readonly deployed: readonly number[]
    readonly calls: readonly (readonly [string, readonly (readonly [number, number])[]])[]
    readonly deployments: readonly (readonly [number, number])[]
  }[]
}

function pairsOf(counts: Uint32Array | undefined): number[] {
  const pairs: number[] = []
  for (const [pc, times] of counts?.entries() ?? []) if (times > 0) pairs.push(pc, times)
  return pairs
}

export function usageToJson(usage: Usage): UsageJson {
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
    for (const [selector, gas] of calls) {
      const histogram = histogramAt(into.calls, selector)
      for (const [value, times] of gas) countValue(histogram, value, times)
    }
    for (const [value, times] of deployments) countValue(into.deployments, value, times)
  }
}
