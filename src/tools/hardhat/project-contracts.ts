// The compiled contracts of a Hardhat project, which all its chains know. Build-infos have megabytes, so they are parsed
// when a failure is explained for the first time.

import type { HookContext } from 'hardhat/types/hooks'
import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { withErrors } from '../../core/execution/result/console-log.ts'
import { memoizeLru } from '../../core/primitives/lru-cache.ts'
import type { KnownContracts } from '../../core/rpc/session.ts'
import { readContracts } from '../solidity/artifacts/read-contracts.ts'
import { contractIndex } from '../solidity/model/contract-index.ts'

/** The contents of a file, decoded when they are needed, such as a `Buffer` of Node. */
export interface FileContents {
  readonly toString: () => string
}

export type ReadFile = (path: string) => Promise<FileContents>

/** The files of a build-info: Hardhat 3 keeps the output in one of its own, Hardhat 2 has one. */
type BuildFiles = readonly FileContents[]

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
  readonly index: ReturnType<typeof contractIndex>
  readonly errors: Parameters<typeof withErrors>[1]
}

/** The contracts of build-infos, parsed with the first call. */
export function parseBuilds(builds: readonly BuildFiles[]): () => ProjectContracts {
  const read = (file: FileContents): object => JSON.parse(file.toString())
  const parse = memoizeLru(1, (all: readonly BuildFiles[]): ProjectContracts => {
    const contracts = readContracts(all.map((files) => Object.assign({}, ...files.map(read))))
    const errors = contracts.flatMap((each) => [...each.errors.values()])
    return { index: contractIndex(contracts), errors }
  })
  return () => parse(builds)
}

/** Lets contracts be known from the first time on that somebody asks for them. */
export function knowLater(known: KnownContracts, contractsOf: () => ProjectContracts): void {
  const held = { contracts: known.contracts, customErrors: known.customErrors }
  let isKnown = false
  const make = (): void => {
    if (isKnown) return
    isKnown = true
    const project = contractsOf()
    held.contracts = project.index
    held.customErrors = withErrors(held.customErrors, project.errors)
  }
  for (const name of ['contracts', 'customErrors'] as const) {
    Object.defineProperty(known, name, {
      enumerable: true,
      get() {
        make()
        return held[name]
      },
      set(next: never) {
        held[name] = next
      },
    })
  }
}

/** The contracts of projects, by their artifacts: those that are compiled later are not known, as in Hardhat. */
const READ = new WeakMap<HookContext['artifacts'], Promise<(() => ProjectContracts) | undefined>>()

async function read(context: HookContext, readFile: ReadFile): Promise<(() => ProjectContracts) | undefined> {
  const builds = await readBuildFiles(context, readFile)
  return builds.length === 0 ? undefined : parseBuilds(builds)
}

export async function makeKnown(context: HookContext, readFile: ReadFile, chain: Emulator): Promise<void> {
  const { artifacts } = context
  const reading = READ.get(artifacts) ?? read(context, readFile)
  READ.set(artifacts, reading)
  const contractsOf = await reading
  if (contractsOf !== undefined) knowLater(internalsOf('makeKnown', chain).session.known, contractsOf)
}
