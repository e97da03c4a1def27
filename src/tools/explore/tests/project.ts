// A project's remappings, and the compilation of what has changed. Its files are read by functions that are handed in.

import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { utf8ToBytes } from '../../../core/primitives/hex.ts'
import { isObject } from '../../solidity/artifacts/json.ts'
import type { ProjectSettings } from './settings.ts'
import {
  closureOf,
  collectSources,
  compileSources,
  importsOf,
  parseRemapping,
  type Solc,
  type SourceSet,
} from './sources.ts'
import { readTestArtifacts, type TestArtifact } from './suites.ts'

/** The files of a project, by their paths from its root. */
export interface ProjectFiles {
  /** The text of a file; `undefined` if it is not there. */
  readonly text: (path: string) => string | undefined
  /** The folders in a folder; `undefined` if it is not there. */
  readonly folders: (path: string) => readonly string[] | undefined
}

/** What is kept from one run to the next, as JSON by name. */
export interface ProjectCache {
  readonly read: (name: string) => unknown
  readonly write: (name: string, value: unknown) => void
}

/** The contracts of a project. */
export interface CompiledProject {
  readonly artifacts: readonly TestArtifact[]
  /** The compilations or artifacts, as traces take them. */
  readonly explained: () => unknown
  /** Why files have no contracts. */
  readonly failures: ReadonlyMap<string, string>
}

function digestOf(text: string): string {
  return keccak256Hex(utf8ToBytes(text)).slice(2)
}

/** The folder of a library's sources, as forge guesses it. */
function sourcesOfLibrary({ folders }: ProjectFiles, folder: string): string {
  const found = ['src', 'contracts'].find((each) => folders(`${folder}/${each}`) !== undefined)
  return found === undefined ? `${folder}/` : `${folder}/${found}/`
}

/** Remappings that a library brings along, with paths from the root. */
function remappingsOfLibrary({ text }: ProjectFiles, folder: string): string[] {
  const own = (text(`${folder}/remappings.txt`) ?? '').split('\n')
  return own.flatMap((line) => {
    const mapping = parseRemapping(line)
    return mapping === undefined ? [] : [`${mapping.prefix}=${folder}/${mapping.target}`]
  })
}

function detectedRemappings(files: ProjectFiles, { libs }: ProjectSettings): string[] {
  return libs.map(String).flatMap((lib) => {
    if (lib.includes('node_modules')) return []
    return (files.folders(lib) ?? []).flatMap((name) => [
      `${name}/=${sourcesOfLibrary(files, `${lib}/${name}`)}`,
      ...remappingsOfLibrary(files, `${lib}/${name}`),
    ])
  })
}

/** Remappings of packages of npm that are imported. */
function packageRemappings(
  { folders }: ProjectFiles,
  settings: ProjectSettings,
  paths: readonly string[],
  known: readonly string[],
): string[] {
  const libs = [...settings.libs.map(String), 'node_modules']
  return [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].flatMap((first) => {
    if (first === '' || first.startsWith('.') || known.some((each) => each.startsWith(`${first}/`))) return []
    const lib = libs.find((each) => folders(`${each}/${first}`) !== undefined)
    return lib === undefined || folders(first) !== undefined ? [] : [`${first}/=${lib}/${first}/`]
  })
}

/** Remappings of foundry.toml, of remappings.txt, and of libraries that are there; the first for a prefix counts. */
function remappingsOf(files: ProjectFiles, settings: ProjectSettings, names: readonly string[]): string[] {
  const { text } = files
  const written = [...settings.remappings.map(String), ...(text('remappings.txt') ?? '').split('\n')]
  const all = [...written, ...(settings.auto_detect_remappings ? detectedRemappings(files, settings) : [])]
  const byPrefix = new Map<string, string>()
  for (const line of all.map((each) => each.trim())) {
    const mapping = parseRemapping(line)
    const key = mapping && `${mapping.context}:${mapping.prefix}`
    if (key !== undefined && !byPrefix.has(key)) byPrefix.set(key, line)
  }
  const found = [...byPrefix.values()]
  const paths = names.flatMap((name) => importsOf(text(name) ?? ''))
  return [...found, ...packageRemappings(files, settings, paths, found)].sort()
}

/** Digests of the files: of everything that their compilation depends on. */
function digestsOf(set: SourceSet, common: unknown): Map<string, string> {
  const own = new Map([...set.contents].map(([name, content]) => [name, digestOf(content)]))
  const before = JSON.stringify(common)
  return new Map(
    [...set.contents.keys()].map((name) => {
      const parts = closureOf(set, [name]).map((each) => `${each} ${own.get(each)}`)
      return [name, digestOf([before, ...parts].join('\n'))]
    }),
  )
}

/** The files that a compilation has written, by name: their digest and the name of the compilation. */
type CompiledFiles = Readonly<Record<string, readonly [digest: string, compilation: string]>>

const COMPILED = 'compiled.json'

/** Settings that decide about the code. */
function codeSettings(settings: ProjectSettings): unknown {
  const { evm_version, optimizer, optimizer_runs, optimizer_details, via_ir, use_literal_content } = settings
  const { bytecode_hash, cbor_metadata, revert_strings, libraries, given } = settings
  return [
    ...[evm_version, optimizer, optimizer_runs, optimizer_details, via_ir, use_literal_content],
    ...[
      bytecode_hash,
      cbor_metadata,
      revert_strings,
      libraries,
      given.has('optimizer'),
      given.has('optimizer_runs'),
    ],
  ]
}

/** Compiles the files that have changed, with all that they import; the others are in the cache. */
export function compileProject(
  files: ProjectFiles,
  cache: ProjectCache,
  settings: ProjectSettings,
  solc: Solc,
  names: readonly string[],
): CompiledProject {
  const remappings = remappingsOf(files, settings, names)
  const parsed = remappings.flatMap((each) => parseRemapping(each) ?? [])
  const set: SourceSet = collectSources(names, parsed, files.text)
  const digests = digestsOf(set, [solc.version(), remappings, codeSettings(settings)])
  const known = (cache.read(COMPILED) ?? {}) as CompiledFiles
  const isKnown = (name: string): boolean => known[name]?.[0] === digests.get(name)
  const changed = [...set.contents.keys()].filter((name) => !isKnown(name)).sort()
  const written: Record<string, readonly [string, string]> = { ...known }
  const compilations = new Map<string, unknown>()
  const artifacts = new Map<string, readonly TestArtifact[]>()
  const { input, output, failures } = compileSources(solc, set, changed, settings, remappings)
  if (isObject(output['contracts'])) {
    const id = digestOf(changed.map((name) => digests.get(name)).join()).slice(0, 24)
    for (const name of changed) if (!failures.has(name)) written[name] = [digests.get(name) as string, id]
    compilations.set(id, { input, output })
    artifacts.set(id, readTestArtifacts({ input, output }))
    cache.write(`${id}.whole.json`, { input, output })
    cache.write(`${id}.json`, artifacts.get(id))
    cache.write(COMPILED, written)
  }
  const used = [...set.contents.keys()].filter((name) => written[name] !== undefined && !failures.has(name))
  const ids = new Set(used.map((name) => written[name]?.[1] as string))
  const ofId = (id: string): readonly TestArtifact[] =>
    artifacts.get(id) ?? ((cache.read(`${id}.json`) ?? []) as readonly TestArtifact[])
  return {
    artifacts: [...ids].flatMap((id) =>
      ofId(id).filter(({ file }) => written[file]?.[1] === id && set.contents.has(file)),
    ),
    failures: new Map([...failures, ...set.missing]),
    explained: () => [...ids].flatMap((id) => compilations.get(id) ?? cache.read(`${id}.whole.json`) ?? []),
  }
}
