// Foundry's artifacts (`out/Vault.sol/Vault.json`). Texts of files, which these lack, are given beside them.

import type { CompiledContract } from '../model/contract.ts'
import { type SourceFile, sourceFile } from '../model/source.ts'
import { codeOutput, compiledContract, type Sources, sourcesOf } from './compilation.ts'
import { isObject, type JsonObject, listOf, numberIn, objectOf, textIn, valueWithin } from './json.ts'
import { compilerSettings, compilerVersion, parsed, type StandardJson } from './standard-json.ts'
import { type ContractDefinition, readSyntaxTree } from './syntax-tree.ts'

export function isFoundryArtifact(value: JsonObject): boolean {
  return Array.isArray(value['abi']) && isObject(value['deployedBytecode']) && isObject(value['bytecode'])
}

/** A contract's artifact; the path is that of the file that declares it. */
type Artifact = ReturnType<typeof artifactOf>

export function artifactOf(value: JsonObject) {
  const raw = textIn(value, 'rawMetadata')
  const metadata = objectOf(isObject(value['metadata']) ? value['metadata'] : parsed(raw ?? ''))
  const targets = Object.entries(objectOf(valueWithin(metadata, 'settings', 'compilationTarget')))
  const [path, name] = targets[0] ?? [valueWithin(value, 'ast', 'absolutePath'), undefined]
  const nodes = listOf(valueWithin(value, 'ast', 'nodes')).map(objectOf)
  const declared = nodes.filter(({ nodeType }) => nodeType === 'ContractDefinition')
  // Without metadata, that of a file with one.
  const sole = declared.length === 1 ? `${declared[0]?.['name']}` : ''
  return { value, metadata, path: `${path ?? ''}`, name: typeof name === 'string' ? name : sole }
}

type ShownName = StandardJson['shown']

function readFiles(artifacts: readonly Artifact[], given: JsonObject, shown: ShownName) {
  type ReadFile = { id: number; file: SourceFile; definitions: ContractDefinition[] }
  const files = new Map<string, ReadFile>()
  for (const artifact of artifacts) {
    const { value, metadata } = artifact
    const path = valueWithin(value, 'ast', 'absolutePath')
    const [, , number] = (textIn(objectOf(value['ast']), 'src') ?? '').split(':')
    const id = number === undefined ? numberIn(value, 'id') : Number(number)
    if (typeof path !== 'string' || id === undefined || files.has(path)) continue
    // `useLiteralContent` puts the text into the metadata.
    const inMetadata = objectOf(valueWithin(metadata, 'sources', path))
    const content = textIn(given, path) ?? textIn(inMetadata, 'content')
    const file = sourceFile(shown(path), content, value['ast'])
    files.set(path, { id, file, definitions: readSyntaxTree(file) })
  }
  return files
}

/** The files of a contract's compilation. Numbers may differ between compilations, whose artifacts lie side by side. */
function sourcesFor({ metadata }: Artifact, files: ReturnType<typeof readFiles>): Sources {
  const paths = Object.keys(objectOf(metadata['sources']))
  const own = paths.length === 0 ? [...files.values()] : paths.flatMap((path) => files.get(path) ?? [])
  const definitionsOf = new Map(own.map(({ file, definitions }) => [file, definitions]))
  return sourcesOf(new Map(own.map(({ id, file }) => [id, file])), (file) => definitionsOf.get(file) ?? [])
}

/** The contracts of artifacts that belong together; texts are given by path. Throws `invalidContracts`. */
export function readFoundryArtifacts(
  values: readonly JsonObject[],
  given: JsonObject,
  shown: ShownName,
): CompiledContract[] {
  const artifacts = values.map(artifactOf)
  const files = readFiles(artifacts, given, shown)
  return artifacts.map((artifact) => {
    const { value, metadata, path, name } = artifact
    const of = `${path}:${name}`
    const output = {
      file: shown(path),
      name,
      abi: listOf(value['abi']),
      creation: codeOutput(value['bytecode'], of),
      deployed: codeOutput(value['deployedBytecode'], of),
      methodIdentifiers: objectOf(value['methodIdentifiers']),
      storageLayout: value['storageLayout'],
      compiler: { version: compilerVersion(metadata), ...compilerSettings(metadata['settings']) },
    }
    return compiledContract(output, sourcesFor(artifact, files))
  })
}
