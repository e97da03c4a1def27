// The contracts of a project: the compilation of what has changed, or artifacts that are there. Files are read by functions
// that are handed in.

import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { utf8ToBytes } from '../../../core/primitives/hex.ts'
import { memoizeMany, once } from '../../../core/primitives/lru-cache.ts'
import { artifactOf } from '../../solidity/artifacts/foundry.ts'
import { isObject, type JsonObject, objectOf } from '../../solidity/artifacts/json.ts'
import { type ProjectFiles, remappingsOf } from './remappings.ts'
import type { ProjectSettings } from './settings.ts'
import * as sources from './sources.ts'
import { keyOf, readTestArtifacts, type TestArtifact } from './suites.ts'

/** What is kept from one run to the next, as JSON by name. */
export interface ProjectCache {
  readonly has: (name: string) => boolean
  /** `undefined` for what is not there, or was cut off. */
  readonly read: (name: string) => unknown
  readonly write: (name: string, json: string) => void
  readonly remove: (name: string) => void
}

/** A cache that ends with the run. */
export function memoryCache(): ProjectCache {
  const values = new Map<string, string>()
  return {
    has: (name) => values.has(name),
    read: (name) => (values.has(name) ? JSON.parse(values.get(name) as string) : undefined),
    write: (name, json) => void values.set(name, json),
    remove: (name) => void values.delete(name),
  }
}

export interface CompiledProject {
  readonly artifacts: readonly TestArtifact[]
  /** The compilations or artifacts, as traces take them. */
  readonly explained: () => unknown
  /** Why files have no contracts. */
  readonly failures: ReadonlyMap<string, string>
}

/** Sources that are compiled, and what their compilation has left in the cache. */
export interface CompiledSources extends Pick<CompiledProject, 'failures' | 'explained'> {
  /** The sources that have contracts. */
  readonly names: readonly string[]
  /** A file with all that it imports. */
  readonly closureOf: (name: string) => readonly string[]
}

function digestOf(text: string): string {
  return keccak256Hex(utf8ToBytes(text)).slice(2)
}

const MOST_DIGESTS = 4096

/** Of sources, most of which are the same when a watched project is compiled again. */
const digestOfSource = memoizeMany(MOST_DIGESTS, digestOf)

/** Digests of the files: of everything that their compilation depends on. */
function digestsOf(set: sources.SourceSet, common: unknown): Map<string, string> {
  const own = new Map([...set.contents].map(([name, content]) => [name, digestOfSource(content)]))
  const before = JSON.stringify(common)
  return new Map(
    [...set.contents.keys()].map((name) => {
      const parts = sources.closureOf(set, [name]).map((each) => `${each} ${own.get(each)}`)
      return [name, digestOf([before, name, ...parts].join('\n'))]
    }),
  )
}

/** The sources that were compiled, by name: their digest, under which their artifacts are, and the names of their compilation and its trees. */
type CompiledFiles = Readonly<Record<string, readonly [digest: string, ...kept: string[]]>>

const COMPILED = 'compiled.json'

const artifactsName = (digest: string) => `${digest}.json`
const wholeName = (compilation: string) => `${compilation}.whole.json`

function readCompiled(cache: ProjectCache): CompiledFiles {
  return (cache.read(COMPILED) ?? {}) as CompiledFiles
}

/** A compilation with the trees that are kept apart. */
function readWhole(cache: ProjectCache, id: string): JsonObject | undefined {
  const whole = cache.read(wholeName(id))
  if (!isObject(whole)) return undefined
  const output = objectOf(whole['output'])
  const trees = objectOf(objectOf(cache.read(wholeName(`${whole['trees']}`)))['sources'])
  const own = Object.entries(objectOf(output['sources'] ?? trees))
  const sources = own.map(([name, source]) => [name, { ...objectOf(trees[name]), ...objectOf(source) }])
  return { ...whole, output: { ...output, sources: Object.fromEntries(sources) } }
}

function explainedBy(cache: ProjectCache, compiled: CompiledFiles, names: readonly string[]) {
  const ids = new Set(names.flatMap((name) => compiled[name]?.[1] ?? []))
  return () => [...ids].flatMap((id) => readWhole(cache, id) ?? [])
}

/** The sources in a cache that are still there. */
export function compiledNames({ text }: ProjectFiles, cache: ProjectCache): string[] {
  return Object.keys(readCompiled(cache)).filter((name) => text(name) !== undefined)
}

/** The artifacts of compiled sources, whose texts are as they were compiled. */
export function readCompiledProject(
  { text }: ProjectFiles,
  cache: ProjectCache,
  names: readonly string[],
): Pick<CompiledProject, 'artifacts' | 'explained'> {
  const compiled = readCompiled(cache)
  const artifacts = names.flatMap((name) => {
    const [digest] = compiled[name] ?? []
    if (digest === undefined) return []
    const own = cache.read(artifactsName(digest))
    if (own === undefined) {
      const reason = `what was compiled of ${name} cannot be read: delete the folder of the cache`
      throw failure('invalidOption', { option: 'cache', reason })
    }
    return (own as readonly TestArtifact[]).map((each) => ({ ...each, source: text(name) }))
  })
  return { artifacts, explained: explainedBy(cache, compiled, names) }
}

/** Writes what a compilation of sources has given, and drops compilations that no source is of any more. */
function keepCompilation(
  cache: ProjectCache,
  before: CompiledFiles,
  digests: ReadonlyMap<string, string>,
  names: readonly string[],
  { output, whole, trees }: Omit<sources.Compilation, 'failures'>,
  hasLayouts: boolean,
): CompiledFiles {
  const id = digestOf(names.map((name) => digests.get(name)).join()).slice(0, 24)
  const after = { ...before }
  const artifacts = readTestArtifacts({ output })
  for (const name of names) {
    const digest = digests.get(name) as string
    const own = artifacts
      .filter(({ file }) => file === name)
      .map(({ source: _, layout, ...artifact }) => ({ ...artifact, ...(hasLayouts && { layout }) }))
    cache.write(artifactsName(digest), JSON.stringify(own))
    if (before[name] !== undefined && before[name]?.[0] !== digest)
      cache.remove(artifactsName(before[name][0]))
    after[name] = trees === undefined ? [digest, id] : [digest, id, trees.id]
  }
  if (trees?.json !== undefined) cache.write(wholeName(trees.id), trees.json)
  cache.write(wholeName(id), whole)
  cache.write(COMPILED, JSON.stringify(after))
  const used = new Set(Object.values(after).flatMap(([, ...each]) => each))
  for (const each of Object.values(before).flatMap(([, ...each]) => each))
    if (!used.has(each)) cache.remove(wholeName(each))
  return after
}

/** Settings that decide about the code, besides whether two of them are given. */
const CODE_SETTINGS = [
  ...(['evm_version', 'optimizer', 'optimizer_runs', 'optimizer_details', 'via_ir', 'libraries'] as const),
  ...(['use_literal_content', 'bytecode_hash', 'cbor_metadata', 'revert_strings', 'extra_output'] as const),
]

/** Compiles the files that have changed, with all that they import; the others are in the cache. */
export function compileProject(
  files: ProjectFiles,
  cache: ProjectCache,
  settings: ProjectSettings,
  solc: sources.Solc,
  names: readonly string[],
): CompiledSources {
  const remappings = remappingsOf(files, settings, names)
  const parsed = remappings.flatMap((each) => sources.parseRemapping(each) ?? [])
  const set: sources.SourceSet = sources.collectSources(names, parsed, files.text)
  const given = ['optimizer', 'optimizer_runs'].map((name) => settings.given.has(name))
  const code = [...CODE_SETTINGS.map((name) => settings[name]), ...given]
  const common = [solc.version(), remappings, code]
  const digests = digestsOf(set, common)
  const known = readCompiled(cache)
  const isKnown = (name: string): boolean => {
    const [digest] = known[name] ?? []
    return digest !== undefined && digest === digests.get(name) && cache.has(artifactsName(digest))
  }
  const changed = [...set.contents.keys()].filter((name) => !isKnown(name)).sort()
  const own = new Set(names)
  const keptIn = (closure: readonly string[]): sources.KeptTrees | undefined => {
    const names = sources.leadingLibraries(set, closure, own)
    const id = digestOf(JSON.stringify([common, names.map((name) => digests.get(name))])).slice(0, 24)
    return names.length === 0 ? undefined : { id, names: cache.has(wholeName(id)) ? names : [] }
  }
  const { failures, ...made } = sources.compileSources(solc, set, changed, settings, remappings, keptIn)
  const written = changed.filter((name) => !failures.has(name))
  const hasLayouts = settings.extra_output.includes('storageLayout')
  const compiled = isObject(made.output['contracts'])
    ? keepCompilation(cache, known, digests, written, made, hasLayouts)
    : known
  const isUsable = (name: string) => compiled[name] !== undefined && !failures.has(name)
  const usable = [...set.contents.keys()].filter(isUsable)
  return {
    names: usable,
    failures: new Map([...failures, ...set.missing]),
    explained: explainedBy(cache, compiled, usable),
    closureOf: (name) => sources.closureOf(set, [name]),
  }
}

/** The artifacts of a project, by their names in its folder. */
interface BuiltFiles extends Pick<ProjectFiles, 'text'> {
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
function openArtifacts({ root, text }: BuiltFiles, names: readonly string[], useOf?: ArtifactUse) {
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

/** The contracts of artifacts, with the texts of their sources; `undefined` for what is not there. */
function contractsIn({ text }: BuiltFiles, values: readonly unknown[]): TestArtifact[] {
  // Of a contract that was compiled by two compilers, the one without a version in the name of its file comes last.
  const artifacts = new Map(readTestArtifacts(values).map((each) => [keyOf(each), each]))
  return [...artifacts.values()].map((each) => ({ ...each, source: each.source ?? text(each.file) }))
}

/** The sources of each file of forge's artifacts. */
function closuresOf(values: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  const read = values.filter(isObject).map(artifactOf)
  return new Map(read.map(({ path, metadata }) => [path, Object.keys(objectOf(metadata['sources']))]))
}

/** The artifacts that forge has written, or else Hardhat's. */
export function readBuiltProject(files: BuiltFiles, { out }: ProjectSettings, useOf?: ArtifactUse) {
  const built = files.list(out).filter((name) => sourceOf(name).includes('.'))
  const { needed, all } =
    built.length > 0
      ? openArtifacts(files, built, useOf)
      : openArtifacts(files, files.list('artifacts/build-info'))
  const found = contractsIn(files, needed)
  const whole = once(() => contractsIn(files, all()))
  if (found.length === 0 && whole().length === 0) {
    const reason = `${files.root} has no artifacts in ${out} or artifacts: pass the module solc, or run forge build`
    throw failure('invalidOption', { option: 'solc', reason })
  }
  const missing = found.filter(({ source }) => source === undefined)
  const loaded = new Set(found.map(keyOf))
  return {
    artifacts: found.filter(({ source }) => source !== undefined),
    others: () => whole().filter((each) => each.source !== undefined && !loaded.has(keyOf(each))),
    failures: new Map(
      missing.map(({ file }) => [file, `${file}: its artifact is there, and its source is not`] as const),
    ),
    closures: closuresOf(needed),
    explained: () => ({
      artifacts: all(),
      sources: Object.fromEntries(whole().map(({ file, source }) => [file, source])),
    }),
  }
}
