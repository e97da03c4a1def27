// The compiled contracts of a Hardhat project, which all its chains know. Build-infos have megabytes, so they are parsed
// when a failure is explained for the first time.

import type { HookContext } from 'hardhat/types/hooks'
import type { Emulator } from '../emulator/api.ts'
import { internalsOf } from '../emulator/internals.ts'
import { type CustomError, type CustomErrors, withErrors } from '../execution/result/custom-errors.ts'
import { utf8ToText } from '../primitives/gzip.ts'
import type { KnownContracts } from '../rpc/known-contracts.ts'
import { addContracts } from '../solidity/artifacts/add-contracts.ts'
import type { ContractIndex } from '../solidity/model/contract-index.ts'

export type ReadFile = (path: string) => Promise<Uint8Array>

/** The files of a build-info: Hardhat 3 keeps the output in one of its own, Hardhat 2 has one. */
type BuildFiles = readonly Uint8Array[]

async function readBuildFiles({ artifacts }: HookContext, readFile: ReadFile): Promise<BuildFiles[]> {
  const builds: BuildFiles[] = []
  for (const id of [...(await artifacts.getAllBuildInfoIds())].sort()) {
    const input = await artifacts.getBuildInfoPath(id)
    const output = await artifacts.getBuildInfoOutputPath(id)
    if (input === undefined || output === undefined) continue
    builds.push(await Promise.all([readFile(input), readFile(output)]))
  }
  return builds
}

interface ProjectContracts {
  readonly index: ContractIndex
  readonly errors: readonly CustomError[]
}

/** The contracts of build-infos, parsed with the first call. */
export function parseBuilds(builds: readonly BuildFiles[]): () => ProjectContracts {
  let parsed: ProjectContracts | undefined
  const read = (bytes: Uint8Array): object => JSON.parse(utf8ToText(bytes))
  return () => {
    if (parsed === undefined) {
      const sources = builds.map((files) => Object.assign({}, ...files.map(read)))
      const { index, added } = addContracts(undefined, sources)
      parsed = { index, errors: added.flatMap(({ errors }) => [...errors.values()]) }
    }
    return parsed
  }
}

/** Lets contracts be known from the first time on that somebody asks for them. */
export function knowLater(known: KnownContracts, contractsOf: () => ProjectContracts): void {
  let { contracts, customErrors } = known
  let isKnown = false
  const make = (): void => {
    if (isKnown) return
    isKnown = true
    const project = contractsOf()
    contracts = project.index
    customErrors = withErrors(customErrors, project.errors)
  }
  Object.defineProperties(known, {
    contracts: {
      enumerable: true,
      get() {
        make()
        return contracts
      },
      set(next: ContractIndex | undefined) {
        contracts = next
      },
    },
    customErrors: {
      enumerable: true,
      get() {
        make()
        return customErrors
      },
      set(next: CustomErrors) {
        customErrors = next
      },
    },
  })
}

/** Makes the contracts of a project known to a chain. */
export type MakeKnown = (context: HookContext, chain: Emulator) => Promise<void>

/** As in Hardhat, contracts that are compiled after the first connection was made are not known. */
export function projectContracts(readFile: ReadFile): MakeKnown {
  let reading: Promise<(() => ProjectContracts) | undefined> | undefined

  async function read(context: HookContext): Promise<(() => ProjectContracts) | undefined> {
    const builds = await readBuildFiles(context, readFile)
    return builds.length === 0 ? undefined : parseBuilds(builds)
  }

  return async (context, chain) => {
    reading ??= read(context)
    const contractsOf = await reading
    if (contractsOf !== undefined) knowLater(internalsOf('makeKnown', chain).session.known, contractsOf)
  }
}
