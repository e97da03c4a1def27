// What Hardhat's reports of gas and coverage are told of a chain: top-level calls with their gas, and hits of statements.

import type { GasMeasurement } from 'hardhat/types/hooks'
import { type FrameStart, isCreation, type Observer } from '../../core/execution/trace/observer.ts'
import type { CodeOf, Probe } from '../../core/execution/trace/probe.ts'
import { bytesToHex, equalBytes } from '../../core/primitives/hex.ts'
import { calledSignature } from '../solidity/artifacts/abi.ts'
import type { CompiledContract } from '../solidity/model/contract.ts'
import { type ContractIndex, recognise } from '../solidity/model/contract-index.ts'

const SELECTOR_BYTES = 4

function nameOf({ file, name }: CompiledContract): string {
  return `${file}:${name}`
}

/** Observes an execution: its outermost frame, and the contracts that pass its calldata on. */
function observeExecution(index: ContractIndex, codeOf: CodeOf) {
  const contracts: CompiledContract[] = []
  let open = 0
  let outermost: FrameStart | undefined
  let isSuccess = false
  let runtimeSize = 0

  /** True if a frame is the implementation of the proxy around it. */
  function passesOn({ kind, depth, input }: FrameStart): boolean {
    const isNext = kind === 'DELEGATECALL' && depth === contracts.length
    return isNext && outermost !== undefined && equalBytes(input, outermost.input)
  }

  const observer: Observer = {
    enter(start) {
      if (start.depth === 0) outermost = start
      if ((start.depth === 0 || passesOn(start)) && !start.isPrecompile) {
        const code = isCreation(start) ? start.input : codeOf(start.to)
        const contract = recognise(index, start, code)
        if (contract !== undefined) contracts.push(contract)
      }
      open++
    },
    exit({ error, output }) {
      open--
      if (open > 0) return
      isSuccess = error === undefined
      runtimeSize = output.length
    },
  }

  function measurement(gas: number): GasMeasurement | undefined {
    const last = contracts.at(-1)
    if (last === undefined || outermost === undefined || !isSuccess) return undefined
    const contractFqn = nameOf(last)
    if (isCreation(outermost)) return { type: 'deployment', contractFqn, gas, runtimeSize }
    const called = calledSignature(last, bytesToHex(outermost.input.subarray(0, SELECTOR_BYTES)))
    const functionSig = called.includes('(') ? called : `${called}()`
    const proxyChain = contracts.length > 1 ? contracts.map(nameOf) : []
    return { type: 'function', contractFqn, functionSig, gas, proxyChain }
  }
  return { observer, measurement }
}

/** A probe for `--gas-stats`. Estimates do not count, and neither does what fails. */
export function gasProbe(
  indexOf: () => ContractIndex | undefined,
  tell: (measurement: GasMeasurement) => void,
): Probe {
  return {
    begin(kind, codeOf) {
      const index = indexOf()
      if (kind === 'estimate' || index === undefined) return { observer: {}, end: () => undefined }
      const { observer, measurement } = observeExecution(index, codeOf)
      const end = (gasUsed: bigint): void => {
        const measured = measurement(Number(gasUsed))
        if (measured !== undefined) tell(measured)
      }
      return { observer, end }
    },
  }
}

/** The address that instrumented code calls with the tag of each statement. */
const COVERAGE_ADDRESS = '0xc0bec0bec0bec0bec0bec0bec0bec0bec0bec0be'

/** A probe for `--coverage`, which collects the tags of statements that ran. */
export function coverageProbe(): { readonly probe: Probe; readonly take: () => string[] } {
  let tags = new Set<string>()
  const observer: Observer = {
    enter({ to, input }) {
      if (to === COVERAGE_ADDRESS) tags.add(bytesToHex(input).slice(2))
    },
  }
  return {
    probe: { begin: () => ({ observer, end: () => undefined }) },
    take() {
      const taken = [...tags]
      tags = new Set()
      return taken
    },
  }
}
