// What the process of a test run and its workers tell each other for reports of gas and coverage.

import { NO_CUSTOM_ERRORS, withErrors } from '../../../core/execution/result/console-log.ts'
import { bytesToHex } from '../../../core/primitives/hex.ts'
import { readContracts } from '../../solidity/artifacts/read-contracts.ts'
import type { CompiledCode, CompiledContract } from '../../solidity/model/contract.ts'
import { contractIndex } from '../../solidity/model/contract-index.ts'
import type { UsageJson, UsageKinds } from '../../solidity/usage/usage.ts'
import type { RunResults, TestFacts } from '../../view/report/test-page.ts'

interface ProvidedReports extends UsageKinds {
  /** JSON of what workers need of each contract to count: names, ABI and code. Quick to read. */
  readonly codes: string
  /** JSON of the artifacts, for traces; read when the first one is made. */
  readonly artifacts: string
}

declare module 'vitest' {
  interface ProvidedContext {
    tickchain: ProvidedReports
    /** From the reporter of failed tests; `passing` if tests that pass have pages, too. */
    tickchainPages: { readonly passing: boolean }
  }
  interface TaskMeta {
    tickchain?: UsageJson
    /** The failure on the chains of a test, and the chains as markup. */
    tickchainPages?: Pick<TestFacts, 'cause' | 'chains' | 'actions'>
  }
}

function codeFields(code: CompiledCode | undefined) {
  return { object: code && bytesToHex(code.bytes), holes: { contract: code?.holes ?? [] } }
}

/** The parts of contracts that workers get; positions stay the same. */
export function codesOf(contracts: readonly CompiledContract[]): string {
  const objects = contracts.map(({ name, file, abi, creation, deployed }) => {
    const [init, code] = [codeFields(creation), codeFields(deployed)]
    return {
      contractName: name,
      sourceName: file,
      abi,
      bytecode: init.object,
      linkReferences: { all: init.holes },
      deployedBytecode: code.object,
      immutableReferences: code.holes,
    }
  })
  return JSON.stringify(objects)
}

export type WorkerContracts = ReturnType<typeof workerContracts>

export function workerContracts({ codes, artifacts }: ProvidedReports) {
  const contracts = readContracts(JSON.parse(codes))
  const errors = contracts.flatMap((each) => [...each.errors.values()])
  return {
    counted: contractIndex(contracts),
    /** With source maps and syntax trees. */
    known: contractIndex(() => readContracts(JSON.parse(artifacts))),
    customErrors: withErrors(NO_CUSTOM_ERRORS, errors),
  }
}

/** By the run, an object of vitest. */
const told = new WeakMap<object, (() => RunResults)[]>()

export function tellResults(run: object, results: () => RunResults): void {
  told.set(run, [...(told.get(run) ?? []), results])
}

export function resultsOf(run: object): RunResults[] {
  return (told.get(run) ?? []).map((results) => results())
}
