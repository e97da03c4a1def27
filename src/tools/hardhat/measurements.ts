// What Hardhat's reports of gas and coverage are told of a chain: top-level calls with their gas, and hits of statements.

import type { GasMeasurement } from 'hardhat/types/hooks'
import { type FrameStart, isCreation, type Observer } from '../../core/execution/trace/observer.ts'
import type { CodeOf, Probe } from '../../core/execution/trace/probe.ts'
import { bytesToHex, equalBytes } from '../../core/primitives/hex.ts'
import { type CompiledContract, calledSignature } from '../solidity/model/contract.ts'
import { type ContractIndex, recogniseCreation, recogniseDeployed } from '../solidity/model/contract-index.ts'

const SELECTOR_BYTES = 4

function nameOf({ file, name }: CompiledContract): string {
  return `${file}:${name}`
}

/** An execution as it is observed: its outermost frame, and the contracts that pass its calldata on. */
class Execution {
  readonly #index: ContractIndex
  readonly #codeOf: CodeOf
  readonly #contracts: CompiledContract[] = []
  #open = 0
  #outermost: FrameStart | undefined
  #isSuccess = false
  #runtimeSize = 0

  constructor(index: ContractIndex, codeOf: CodeOf) {
    this.#index = index
    this.#codeOf = codeOf
  }

  readonly observer: Observer = {
    enter: (start) => {
      if (start.depth === 0) {
        this.#outermost = start
        this.#push(isCreation(start) ? recogniseCreation(this.#index, start.input) : this.#deployedAt(start))
      } else if (this.#passesOn(start)) this.#push(this.#deployedAt(start))
      this.#open += 1
    },
    exit: ({ error, output }) => {
      this.#open -= 1
      if (this.#open > 0) return
      this.#isSuccess = error === undefined
      this.#runtimeSize = output.length
    },
  }

  #deployedAt(start: FrameStart): CompiledContract | undefined {
    return start.isPrecompile ? undefined : recogniseDeployed(this.#index, this.#codeOf(start.to))
  }

  #push(contract: CompiledContract | undefined): void {
    if (contract !== undefined) this.#contracts.push(contract)
  }

  /** True if a frame is the implementation of the proxy around it. */
  #passesOn({ kind, depth, input }: FrameStart): boolean {
    const isNext = kind === 'DELEGATECALL' && depth === this.#contracts.length
    return isNext && this.#outermost !== undefined && equalBytes(input, this.#outermost.input)
  }

  measurement(gas: number): GasMeasurement | undefined {
    const last = this.#contracts.at(-1)
    if (last === undefined || this.#outermost === undefined || !this.#isSuccess) return undefined
    const contractFqn = nameOf(last)
    if (isCreation(this.#outermost))
      return { type: 'deployment', contractFqn, gas, runtimeSize: this.#runtimeSize }
    const called = calledSignature(last, bytesToHex(this.#outermost.input.subarray(0, SELECTOR_BYTES)))
    const functionSig = called.includes('(') ? called : `${called}()`
    const proxyChain = this.#contracts.length > 1 ? this.#contracts.map(nameOf) : []
    return { type: 'function', contractFqn, functionSig, gas, proxyChain }
  }
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
      const execution = new Execution(index, codeOf)
      const end = (gasUsed: bigint): void => {
        const measurement = execution.measurement(Number(gasUsed))
        if (measurement !== undefined) tell(measurement)
      }
      return { observer: execution.observer, end }
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
