// What the process of a test run and its workers tell each other for reports of gas and coverage.

import { NO_CUSTOM_ERRORS, withErrors } from '../../../core/execution/result/custom-errors.ts'
import { bytesToHex } from '../../../core/primitives/hex.ts'
import { readContracts } from '../../solidity/artifacts/read-contracts.ts'
import type { CompiledCode, CompiledContract } from '../../solidity/model/contract.ts'
import { type ContractIndex, contractIndex } from '../../solidity/model/contract-index.ts'
import type { UsageKinds } from '../../solidity/usage/record-usage.ts'
import type { UsageJson } from '../../solidity/usage/usage.ts'

/** Data for workers. */
export interface ProvidedReports extends UsageKinds {
  /** JSON of what workers need of each contract to count: names, ABI and code. Quick to read. */
  readonly codes: string
  /** JSON of the artifacts, for traces; read when the first one is made. */
  readonly artifacts: string
}

/** Data from the reporter of failed tests for workers. */
interface ProvidedPages {
  /** True if tests that pass have pages, too. */
  readonly passing: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    tickchain: ProvidedReports
    tickchainPages: ProvidedPages
  }
  interface TaskMeta {
    tickchain?: UsageJson
    /** The chains of a test, as markup. */
    tickchainPages?: string
  }
}

function codeFields(code: CompiledCode | undefined): { object: string | undefined; holes: object } {
  return {
    object: code === undefined ? undefined : bytesToHex(code.bytes),
    holes: { contract: code?.holes ?? [] },
  }
}

/** The parts of contracts that workers get; positions stay the same. */
export function codesOf(contracts: readonly CompiledContract[]): string {
  const objects = contracts.map(({ name, file, abi, creation, deployed }) => {
    const [init, code] = [codeFields(creation), codeFields(deployed)]
    return {
      ...{ contractName: name, sourceName: file, abi },
      ...{ bytecode: init.object, linkReferences: { all: init.holes } },
      ...{ deployedBytecode: code.object, immutableReferences: code.holes },
    }
  })
  return JSON.stringify(objects)
}

export interface WorkerContracts {
  readonly counted: ContractIndex
  /** With source maps and syntax trees. */
  readonly known: ContractIndex
  readonly customErrors: typeof NO_CUSTOM_ERRORS
}

/** The contracts in a worker. */
export function workerContracts({ codes, artifacts }: ProvidedReports): WorkerContracts {
  const contracts = readContracts(JSON.parse(codes))
  return {
    counted: contractIndex(contracts),
    known: contractIndex(() => readContracts(JSON.parse(artifacts))),
    customErrors: withErrors(
      NO_CUSTOM_ERRORS,
      contracts.flatMap(({ errors }) => [...errors.values()]),
    ),
  }
}
