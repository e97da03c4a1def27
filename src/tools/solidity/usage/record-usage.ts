// The probe that counts what runs of known contracts.

import { type FrameStart, isCreation, type Observer } from '../../../core/execution/trace/observer.ts'
import type { CodeOf, Probe, ProbedKind } from '../../../core/execution/trace/probe.ts'
import { bytesToHex } from '../../../core/primitives/hex.ts'
import type { CompiledContract } from '../model/contract.ts'
import { type ContractIndex, recognise } from '../model/contract-index.ts'
import { addUsage, countValue, histogramAt, type Usage, usageOf, usageToJson } from './usage.ts'

/** The kinds of usage that are counted. */
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
  if (kind === 'transaction') return true
  const called = contract?.functions.get(selectorIn(start.input) as `0x${string}`)
  return kind === 'call' && called?.isReadOnly === true
}

/** Records usage. `usage` is the count so far; `take` ends that count, and begins another. */
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
