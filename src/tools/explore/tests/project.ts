// The compilation of what has changed in a project. Its files are read by functions that are handed in.

import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { utf8ToBytes } from '../../../core/primitives/hex.ts'
import { memoizeMany } from '../../../core/primitives/lru-cache.ts'
import { isObject } from '../../solidity/artifacts/json.ts'
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

/** The sources that were compiled, by name: their digest, under which their artifacts are, and the name of the compilation. */
type CompiledFiles = Readonly<Record<string, readonly [digest: string, compilation: string]>>

const COMPILED = 'compiled.json'

const artifactsName = (digest: string) => `${digest}.json`
const wholeName = (compilation: string) => `${compilation}.whole.json`

function readCompiled(cache: ProjectCache): CompiledFiles {
  return (cache.read(COMPILED) ?? {}) as CompiledFiles
}

function explainedBy(cache: ProjectCache, compiled: CompiledFiles, names: readonly string[]) {
  const ids = new Set(names.flatMap((name) => compiled[name]?.[1] ?? []))
  return () => [...ids].flatMap((id) => cache.read(wholeName(id)) ?? [])
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
  { output, whole }: Omit<sources.Compilation, 'failures'>,
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
    after[name] = [digest, id]
  }
  cache.write(wholeName(id), whole)
  cache.write(COMPILED, JSON.stringify(after))
  const used = new Set(Object.values(after).map(([, each]) => each))
  for (const [, each] of Object.values(before)) if (!used.has(each)) cache.remove(wholeName(each))
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
  const digests = digestsOf(set, [solc.version(), remappings, code])
  const known = readCompiled(cache)
  const isKnown = (name: string): boolean => {
    const [digest] = known[name] ?? []
    return digest !== undefined && digest === digests.get(name) && cache.has(artifactsName(digest))
  }
  const changed = [...set.contents.keys()].filter((name) => !isKnown(name)).sort()
  const { output, whole, failures } = sources.compileSources(solc, set, changed, settings, remappings)
  const written = changed.filter((name) => !failures.has(name))
  const hasLayouts = settings.extra_output.includes('storageLayout')
  const compiled = isObject(output['contracts'])
    ? keepCompilation(cache, known, digests, written, { output, whole }, hasLayouts)
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
