// Artifacts that forge or Hardhat has built: which are read, and which of their files have changed since.

import { failure } from '../../../core/primitives/errors.ts'
import { memoizeMany, once } from '../../../core/primitives/lru-cache.ts'
import { artifactOf } from '../../solidity/artifacts/foundry.ts'
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textIn,
  valueWithin,
} from '../../solidity/artifacts/json.ts'
import { digestOfSource } from './project.ts'
import type { ProjectFiles } from './remappings.ts'
import type { ProjectSettings } from './settings.ts'
import { closureOf } from './sources.ts'
import { keyOf, ownPath, readTestArtifacts, type TestArtifact } from './suites.ts'

interface BuiltFile {
  readonly file: string
  readonly artifacts: readonly TestArtifact[]
  /** The texts of its sources or their hashes, in objects as solc has them. */
  readonly sources: JsonObject
}

/** The paths that each file imports, by its syntax tree. */
function importsIn(sources: JsonObject): Map<string, readonly string[]> {
  const pathsOf = (source: unknown) =>
    listOf(valueWithin(source, 'ast', 'nodes')).flatMap(
      (node) => textIn(objectOf(node), 'absolutePath') ?? [],
    )
  return new Map(Object.entries(sources).map(([name, source]) => [name, pathsOf(source)]))
}

/** The files of a build-info of Hardhat. Those for which it was made come last: others have settings of their own elsewhere. */
function filesOfBuildInfo(info: JsonObject, half: unknown): readonly [others: BuiltFile[], own: BuiltFile[]] {
  const { input, output, userSourceNameMap } = { ...objectOf(half), ...info }
  const imports = importsIn(objectOf(objectOf(output)['sources']))
  const sources = objectOf(objectOf(input)['sources'])
  const roots = Object.values(objectOf(userSourceNameMap))
  const isRoot = ([name]: readonly [string, unknown]) => roots.includes(name)
  const contracts = Object.entries(objectOf(objectOf(output)['contracts']))
  const fileOf = ([name, each]: readonly [string, unknown]): BuiltFile => ({
    file: ownPath(name),
    artifacts: readTestArtifacts({ input, output: { contracts: { [name]: each } } }),
    sources: Object.fromEntries(closureOf({ imports }, [name]).map((path) => [ownPath(path), sources[path]])),
  })
  return [contracts.filter((each) => !isRoot(each)).map(fileOf), contracts.filter(isRoot).map(fileOf)]
}

/** The files of Foundry's artifacts, one for each, or of Hardhat's build-infos. */
function builtFiles(values: readonly unknown[]): BuiltFile[] {
  const objects = values.filter(isObject)
  // Build-infos of Hardhat 3 have two halves with one id.
  const halves = new Map(objects.filter(({ input }) => isObject(input)).map((each) => [each['id'], each]))
  const infos = objects.filter(({ output }) => isObject(output))
  const read = infos.map((each) => filesOfBuildInfo(each, halves.get(each['id'])))
  const ofForge = objects
    .filter(({ abi }) => Array.isArray(abi))
    .map((each): BuiltFile => {
      const { path, metadata } = artifactOf(each)
      return { file: path, artifacts: readTestArtifacts(each), sources: objectOf(metadata['sources']) }
    })
  return [...ofForge, ...read.flatMap(([others]) => others), ...read.flatMap(([, own]) => own)]
}

function isSame(source: JsonObject, text: string): boolean {
  const { content, keccak256 } = source
  if (typeof content === 'string') return content === text
  return keccak256 === undefined || keccak256 === `0x${digestOfSource(text)}`
}

/** The artifacts of a project, by their names in its folder. */
interface BuiltFolder extends Pick<ProjectFiles, 'text'> {
  readonly root: string
  /** The JSON files in a folder, and in those in it. */
  readonly list: (folder: string) => readonly string[]
}

/** The artifact of a contract with tests has one of these, and one with places for libraries the other. */
const TEST_NAME = /"name":\s*"(?:test|table|invariant|statefulFuzz)/
const LINK = /"linkReferences":\s*\{\s*"/

/** The name of the source of one of forge's artifacts, which is that of its folder. */
function sourceOf(artifact: string): string {
  return artifact.split('/').at(-2) ?? ''
}

/** Artifacts that are read for the tests of sources with such names, or only for libraries, or not at first. */
type ArtifactUse = (source: string) => 'tests' | 'links' | undefined

/** The artifacts that tests need, and all of them. Each is read once. */
function openArtifacts({ root, text }: BuiltFolder, names: readonly string[], useOf?: ArtifactUse) {
  const values = new Map<string, unknown>()
  const read = (name: string, json = text(name) ?? ''): void => {
    try {
      values.set(name, JSON.parse(json))
    } catch (error) {
      const reason = `${root}/${name}: ${(error as Error).message}`
      throw failure('invalidOption', { option: 'solc', reason })
    }
  }
  const readOthers = (isWanted: (name: string) => boolean): unknown[] => {
    for (const name of names) if (!values.has(name) && isWanted(name)) read(name)
    return names.flatMap((name) => values.get(name) ?? [])
  }
  for (const name of names) {
    const use = useOf?.(sourceOf(name))
    if (use === undefined) continue
    const json = text(name) ?? ''
    if ((use === 'tests' && TEST_NAME.test(json)) || LINK.test(json)) read(name, json)
  }
  const contracts = readTestArtifacts([...values.values()])
  const linked = contracts.flatMap(({ links, deployedLinks }) => [...links, ...deployedLinks])
  const libraries = new Set(linked.map(({ library }) => library.replace(/^.*\/|:[^:]*$/g, '')))
  return {
    needed: readOthers((name) => useOf === undefined || libraries.has(sourceOf(name))),
    all: () => readOthers(() => true),
  }
}

/**
 * The contracts that were built from the sources as they are. A file of which something has changed since is a failure that
 * names the command that builds it.
 */
function readBuilt(
  values: readonly unknown[],
  command: string,
  textOf: (file: string) => string | undefined,
) {
  const built = builtFiles(values)
  const texts = Object.fromEntries(built.map(({ file }) => [file, textOf(file)]))
  // Of a contract that was compiled by two compilers, the one without a version in the name of its file comes last.
  const artifacts = new Map<string, TestArtifact>()
  const failures = new Map<string, string>()
  for (const { file, artifacts: own, sources } of built) {
    const source = texts[file]
    const changed = Object.keys(sources).find((name) => {
      const text = textOf(name)
      return text !== undefined && !isSame(objectOf(sources[name]), text)
    })
    if (source === undefined) failures.set(file, `${file}: its artifact is there, and its source is not`)
    else if (changed === undefined) for (const each of own) artifacts.set(keyOf(each), { ...each, source })
    else
      failures.set(file, `${changed} has changed since it was compiled: run ${command}\n --> ${changed}:1:1:`)
  }
  // What else was built of a file is left over from contracts that it had.
  for (const { file } of artifacts.values()) failures.delete(file)
  const closures = new Map(built.map(({ file, sources }) => [file, Object.keys(sources)]))
  return { artifacts: [...artifacts.values()], failures, closures, texts }
}

/** Folders of Hardhat's build-infos; the other one is that of tests with `splitTestsCompilation`. */
const BUILD_INFOS = ['artifacts/build-info', 'cache/test-artifacts/build-info']
const MOST_TEXTS = 4096

/** The artifacts that forge has written, or else Hardhat's. */
export function readBuiltProject(files: BuiltFolder, { out }: ProjectSettings, useOf?: ArtifactUse) {
  const textOf = memoizeMany(MOST_TEXTS, files.text)
  const ofForge = files.list(out).filter((name) => sourceOf(name).includes('.'))
  const [names, command] =
    ofForge.length > 0
      ? [ofForge, 'forge build']
      : [BUILD_INFOS.flatMap((folder) => files.list(folder)), 'npx hardhat build']
  const { needed, all } = openArtifacts(files, names, ofForge.length > 0 ? useOf : undefined)
  const read = readBuilt(needed, command, textOf)
  const whole = once(() => readBuilt(all(), command, textOf))
  if (Object.keys(read.texts).length === 0 && Object.keys(whole().texts).length === 0) {
    const reason = `${files.root} has no artifacts in ${out} or artifacts: pass the module solc, or run forge build or npx hardhat build`
    throw failure('invalidOption', { option: 'solc', reason })
  }
  const loaded = new Set(read.artifacts.map(keyOf))
  return {
    artifacts: read.artifacts,
    others: () => whole().artifacts.filter((each) => !loaded.has(keyOf(each))),
    failures: new Map([...read.failures].filter(([file]) => whole().failures.has(file))),
    closures: read.closures,
    explained: () => ({ artifacts: all(), sources: whole().texts }),
  }
}
