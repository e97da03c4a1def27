// The compilation of what has changed in a project. Its files are read by functions that are handed in.

import { keccakOfText } from '../../../core/primitives/crypto.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { memoizeMany } from '../../../core/primitives/lru-cache.ts'
import { isObject, type JsonObject, objectOf } from '../../solidity/artifacts/json.ts'
import { type CompilerChoice, chooseCompilers } from './compilers.ts'
import { type ProjectFiles, remappingsOf } from './remappings.ts'
import type { ProjectSettings } from './settings.ts'
import * as sources from './sources.ts'
import { readTestArtifacts, type TestArtifact } from './suites.ts'

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
  return keccakOfText(text).slice(2)
}

const MOST_DIGESTS = 4096

/** Of sources, most of which are the same when a watched project is compiled again. */
export const digestOfSource = memoizeMany(MOST_DIGESTS, digestOf)

/** Digests of the files: of everything that their compilation depends on. */
function digestsOf(set: sources.SourceSet, commonOf: (name: string) => unknown): Map<string, string> {
  const own = new Map([...set.contents].map(([name, content]) => [name, digestOfSource(content)]))
  return new Map(
    [...set.contents.keys()].map((name) => {
      const parts = sources.closureOf(set, [name]).map((each) => `${each} ${own.get(each)}`)
      return [name, digestOf([JSON.stringify(commonOf(name)), name, ...parts].join('\n'))]
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

/** The settings that decide about code. */
function codeOf({ settings }: CompilerChoice): unknown[] {
  const given = ['optimizer', 'optimizer_runs'].map((name) => settings.given.has(name))
  return [...CODE_SETTINGS.map((name) => settings[name]), ...given]
}

/** Compiles the files that have changed, with all that they import; the others are in the cache. */
export function compileProject(
  files: ProjectFiles,
  cache: ProjectCache,
  settings: ProjectSettings,
  compilers: readonly sources.Solc[],
  names: readonly string[],
): CompiledSources {
  const remappings = remappingsOf(files, settings, names)
  const parsed = remappings.flatMap((each) => sources.parseRemapping(each) ?? [])
  const set: sources.SourceSet = sources.collectSources(names, parsed, files.text)
  const { chosen, failures, choices } = chooseCompilers(set, compilers, settings)
  const commonOf = (choice: CompilerChoice | undefined) =>
    choice && [choice.solc.version(), remappings, codeOf(choice)]
  const digests = digestsOf(set, (name) => commonOf(chosen.get(name)))
  let known = readCompiled(cache)
  const isKnown = (name: string): boolean => {
    const [digest] = known[name] ?? []
    return digest !== undefined && digest === digests.get(name) && cache.has(artifactsName(digest))
  }
  const changed = [...chosen.keys()].filter((name) => !isKnown(name)).sort()
  const hasLayouts = settings.extra_output.includes('storageLayout')
  const ofProject = new Set(names)
  for (const choice of choices) {
    const isOwn = (name: string): boolean => chosen.get(name) === choice
    const own = changed.filter(isOwn)
    // Traces know the code that another compiler has made of a file as well.
    const others = sources.closureOf(set, own).filter((name) => set.contents.has(name) && !isOwn(name))
    const keptIn = (closure: readonly string[]): sources.KeptTrees | undefined => {
      const leading = sources.leadingLibraries(set, closure, ofProject)
      const parts = [commonOf(choice), leading.map((name) => digests.get(name))]
      const id = digestOf(JSON.stringify(parts)).slice(0, 24)
      return leading.length === 0 ? undefined : { id, names: cache.has(wholeName(id)) ? leading : [] }
    }
    const together = [...own, ...others]
    const compiled = sources.compileSources(choice.solc, set, together, choice.settings, remappings, keptIn)
    for (const name of own) {
      const reason = compiled.failures.get(name)
      if (reason !== undefined) failures.set(name, reason)
    }
    const written = own.filter((name) => !failures.has(name))
    if (isObject(compiled.output['contracts']))
      known = keepCompilation(cache, known, digests, written, compiled, hasLayouts)
  }
  const isUsable = (name: string) => known[name] !== undefined && !failures.has(name)
  const usable = [...set.contents.keys()].filter(isUsable)
  return {
    names: usable,
    failures: new Map([...failures, ...set.missing].sort(([a], [b]) => (a < b ? -1 : 1))),
    explained: explainedBy(cache, known, usable),
    closureOf: (name) => sources.closureOf(set, [name]),
  }
}
