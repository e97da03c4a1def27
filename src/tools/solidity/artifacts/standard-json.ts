// solc's standard JSON: input and output, alone or in the build-info of Hardhat 2, Hardhat 3 and Foundry
// (https://docs.soliditylang.org/en/latest/using-the-compiler.html#compiler-input-and-output-json-description).

import type { CompiledContract, Compiler } from '../model/contract.ts'
import { type SourceFile, sourceFile } from '../model/source.ts'
import * as compiled from './compilation.ts'
import { isObject, type JsonObject, listOf, objectOf, refuseContracts, textIn, valueWithin } from './json.ts'

export interface StandardJson {
  readonly input: JsonObject
  readonly output: JsonObject
  /** `undefined` if only the contracts' metadata says it. */
  readonly version: string | undefined
  /** The user's name of a file of the input. */
  readonly shown: (name: string) => string
}

/** Hardhat 3 puts the project's own files under this name. */
const PROJECT_PREFIX = 'project/'

/** The user's names by those in the input. */
export function shownNames(userNames: JsonObject): ReadonlyMap<unknown, string> {
  return new Map(Object.entries(userNames).map(([name, inputName]) => [inputName, name]))
}

/** Finds the user's name of a file, which build-infos of Hardhat 3 have. */
export function nameFinder(userNames: JsonObject): (name: string) => string {
  const names = shownNames(userNames)
  return (name) =>
    names.get(name) ?? (name.startsWith(PROJECT_PREFIX) ? name.slice(PROJECT_PREFIX.length) : name)
}

function filesOf({ input, output, shown }: StandardJson): Map<number, SourceFile> {
  const given = objectOf(input['sources'])
  const files = new Map<number, SourceFile>()
  for (const [name, value] of Object.entries(objectOf(output['sources']))) {
    const { id, ast } = objectOf(value)
    const content = textIn(objectOf(given[name]), 'content')
    if (typeof id === 'number') files.set(id, sourceFile(shown(name), content, ast))
  }
  return files
}

function compilerOf({ input, version }: StandardJson, contract: JsonObject): Compiler {
  const metadata = textIn(contract, 'metadata')
  const fromMetadata = metadata === undefined ? undefined : compilerVersion(parsed(metadata))
  return { version: version ?? fromMetadata, ...compilerSettings(input['settings']) }
}

export function compilerVersion(metadata: unknown): string | undefined {
  const version = valueWithin(metadata, 'compiler', 'version')
  return typeof version === 'string' ? version.replace(/[+-].*$/s, '') : undefined
}

export function compilerSettings(settings: unknown): Pick<Compiler, 'isOptimized' | 'isViaIr'> {
  const isOptimized = valueWithin(settings, 'optimizer', 'enabled')
  const isViaIr = valueWithin(settings, 'viaIR')
  return {
    isOptimized: typeof isOptimized === 'boolean' ? isOptimized : undefined,
    isViaIr: typeof isViaIr === 'boolean' ? isViaIr : undefined,
  }
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Code must have its source map, which solc leaves out unless asked for it. */
function mappedCode(value: unknown, part: string, of: string): compiled.CodeOutput | undefined {
  const code = compiled.codeOutput(value, of)
  if (code === undefined || code.sourceMap !== undefined) return code
  return refuseContracts(
    `the output has code of ${of} but no evm.${part}.sourceMap: add evm.${part} to outputSelection`,
  )
}

function contractOutputs(compilation: StandardJson): compiled.ContractOutput[] {
  const { shown } = compilation
  return Object.entries(objectOf(compilation.output['contracts'])).flatMap(([file, contracts]) =>
    Object.entries(objectOf(contracts)).map(([name, value]) => {
      const { abi, storageLayout, ...contract } = objectOf(value)
      const evm = objectOf(contract['evm'])
      const code = (part: string) => mappedCode(evm[part], part, `${file}:${name}`)
      return {
        file: shown(file),
        name,
        abi: listOf(abi),
        storageLayout,
        creation: code('bytecode'),
        deployed: code('deployedBytecode'),
        methodIdentifiers: objectOf(evm['methodIdentifiers']),
        compiler: compilerOf(compilation, contract),
      }
    }),
  )
}

/** The errors of a compilation, as solc words them. */
function checkOutput({ output }: StandardJson): void {
  if (isObject(output['contracts'])) return
  const errors = listOf(output['errors']).map(objectOf)
  const first = errors.find(({ severity }) => severity === 'error')
  const said = first && (textIn(first, 'formattedMessage') ?? textIn(first, 'message'))
  refuseContracts(
    said === undefined ? 'the output has no contracts' : `the compilation failed: ${said.trim()}`,
  )
}

/** The contracts in the order of the sources: of those with one code, Hardhat takes the last. Throws `invalidContracts`. */
export function readStandardJson(compilation: StandardJson): CompiledContract[] {
  checkOutput(compilation)
  const sources = compiled.sourcesOf(filesOf(compilation))
  const places = new Map([...sources.definitions.values()].map(({ location }, index) => [location, index]))
  const placeOf = ({ location }: CompiledContract) => (location && places.get(location)) ?? 0
  return contractOutputs(compilation)
    .map((output) => compiled.compiledContract(output, sources))
    .sort((a, b) => placeOf(a) - placeOf(b))
}
