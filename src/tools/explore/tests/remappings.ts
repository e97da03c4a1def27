// The remappings of a project: those that are written, and those of the libraries in its folders, found as forge 1.7.1 finds them.

import { type ProjectSettings, readSettings } from './settings.ts'
import { collectSources, importsOf, parseRemapping } from './sources.ts'

export interface ProjectFiles {
  /** The text of a file; `undefined` if it is not there. */
  readonly text: (path: string) => string | undefined
  /** The folders in a folder, in order, and whether it has Solidity files itself; `undefined` if it is not there. */
  readonly folder: (
    path: string,
  ) => { readonly folders: readonly string[]; readonly hasSources: boolean } | undefined
}

/** A folder with sources, and the library that it belongs to. */
interface Candidate {
  /** The folder whose name the remapping has. */
  readonly library: string
  readonly sources: string
  /** How many libraries it lies in. */
  readonly level: number
}

const NOT_SEARCHED = ['test', 'tests', 'demo']

function isNamed(path: string, names: readonly string[]): boolean {
  return names.includes(path.slice(path.lastIndexOf('/') + 1))
}

const isSources = (path: string): boolean => isNamed(path, ['src', 'contracts'])
const isLibraries = (path: string): boolean => isNamed(path, ['lib', 'node_modules'])

const depthOf = (path: string): number => path.split('/').filter((part) => part !== '').length

/** The library in a folder of libraries that a path leads into; the library itself if it is one. */
function libraryOf(open: string, current: string): string {
  if (!isLibraries(open) || open === current) return open
  return `${open}/${current.slice(open.length + 1).split('/')[0]}`
}

/** The nearest folder named as one of sources, from a folder out to a library, which is the last. */
function sourcesAround(library: string, folder: string): string {
  let path = folder
  while (path !== library && !isSources(path)) path = path.slice(0, path.lastIndexOf('/'))
  return path
}

/** Joins the candidates of a library to one: its only folder `src`, or else the folder around all of them. */
function merged(found: readonly Candidate[], current: string, library: string, level: number): Candidate[] {
  const [first, ...others] = found.filter(({ sources }) => isNamed(sources, ['src']))
  if (first !== undefined && others.length === 0) return [first]
  const rest = found.filter((each) => each.level !== level)
  const isNone = level > 0 && current === library && (isSources(current) || isLibraries(current))
  return isNone ? rest : [...rest, { library, sources: current, level }]
}

function candidatesIn(files: ProjectFiles, current: string, open: string, level: number): Candidate[] {
  const { folders, hasSources } = files.folder(current) ?? { folders: [], hasSources: false }
  const found = folders.flatMap((name) => {
    if (name.startsWith('.') || NOT_SEARCHED.includes(name)) return []
    const path = `${current}/${name}`
    return isLibraries(path)
      ? candidatesIn(files, path, path, level + 1)
      : candidatesIn(files, path, open, level)
  })
  const library = libraryOf(open, current)
  const isOwn = (each: Candidate): boolean => each.level === level && each.library === library
  if (hasSources || found.filter(isOwn).length > 1) return merged(found, current, library, level)
  const only = found.find((each) => each.level === level)
  if (only === undefined || only.sources === only.library) return found
  const isDeep = depthOf(only.sources) - depthOf(only.library) > 1
  const isPackage = isDeep && /\/contracts(\/src)?$/.test(only.sources)
  const sources = isPackage ? library : sourcesAround(open, only.sources)
  return found.map((each) => (each === only ? { ...only, sources } : each))
}

/** The folders of libraries by their names; of two with a name the one that is nearer to the root, or that is named `src`. */
function librariesIn(files: ProjectFiles, lib: string): Map<string, string> {
  const byName = new Map<string, string>()
  for (const folder of files.folder(lib)?.folders ?? []) {
    if (folder.startsWith('.')) continue
    for (const { library, sources } of candidatesIn(files, `${lib}/${folder}`, `${lib}/${folder}`, 0)) {
      const name = `${library.slice(library.lastIndexOf('/') + 1)}/`
      const known = byName.get(name)
      const isBetter =
        known === undefined ||
        depthOf(known) > depthOf(sources) ||
        (isNamed(sources, ['src']) && !isNamed(known, ['src']))
      if (isBetter && !['lib/', 'src/', 'contracts/'].includes(name)) byName.set(name, sources)
    }
  }
  return byName
}

interface Remapping {
  readonly context: string
  readonly prefix: string
  readonly target: string
}

function firstOfEach(remappings: readonly Remapping[]): Remapping[] {
  const byKey = new Map<string, Remapping>()
  for (const each of remappings) {
    const key = `${each.context}:${each.prefix}`
    if (!byKey.has(key)) byKey.set(key, each)
  }
  return [...byKey.values()]
}

function writtenIn({ text }: ProjectFiles, root: string, { remappings }: ProjectSettings): Remapping[] {
  const lines = [...(text(`${root}remappings.txt`) ?? '').split('\n'), ...remappings.map(String)]
  return lines
    .flatMap((line) => parseRemapping(line) ?? [])
    .map((each) => ({ ...each, target: `${root}${each.target}` }))
}

/** The remappings of a library that is a project itself, and the one to its sources. */
function ofLibrary(files: ProjectFiles, folder: string): Remapping[] {
  const toml = files.text(`${folder}/foundry.toml`)
  if (toml === undefined) return []
  const { settings } = readSettings(toml)
  const { folders = [] } = files.folder(folder) ?? {}
  const isPackage = !settings.given.has('src') && !folders.includes('src') && folders.includes('contracts')
  const target = `${folder}/${isPackage ? 'contracts' : settings.src}/`
  const prefix = `${folder.slice(folder.lastIndexOf('/') + 1)}/`
  return [...ofProject(files, `${folder}/`, settings), { context: '', prefix, target }]
}

/** Remappings to libraries, in the order of their prefixes; of two with a prefix the one that is nearer to the root. */
function detected(files: ProjectFiles, root: string, { libs }: ProjectSettings): Remapping[] {
  const folders = libs.map((lib) => `${root}${lib}`).filter((lib) => !lib.includes('node_modules'))
  const ofProjects = folders.flatMap((lib) =>
    (files.folder(lib)?.folders ?? []).flatMap((name) => ofLibrary(files, `${lib}/${name}`)),
  )
  const found = folders.flatMap((lib) =>
    [...librariesIn(files, lib)].map(([prefix, path]) => ({ context: '', prefix, target: `${path}/` })),
  )
  const nearestFirst = [...ofProjects, ...found].sort((a, b) => depthOf(a.target) - depthOf(b.target))
  return firstOfEach(nearestFirst).sort((a, b) => (a.prefix < b.prefix ? -1 : 1))
}

/** The remappings of a project: those that it has written, then those found that neither they nor its own folders cover. */
function ofProject(files: ProjectFiles, root: string, settings: ProjectSettings): Remapping[] {
  const all = firstOfEach(writtenIn(files, root, settings))
  const named = (['src', 'test', 'script'] as const).filter((name) => settings.given.has(name))
  const own = named.map((name) => `${settings[name]}/`)
  for (const each of settings.auto_detect_remappings ? detected(files, root, settings) : []) {
    const isCovered = all.some(
      ({ context, prefix }) =>
        context === each.context &&
        (each.prefix.startsWith(prefix.replace(/\/?$/, '/')) || prefix.startsWith(each.prefix)),
    )
    if (!isCovered && !own.includes(each.prefix)) all.push(each)
  }
  return all
}

/** Folders in which packages are looked for: the project's, and those around it, where npm keeps them for a workspace. */
const MOST_AROUND = 4

/** Remappings of packages of npm that are imported. */
function ofPackages(
  { folder, text }: ProjectFiles,
  settings: ProjectSettings,
  paths: readonly string[],
  known: readonly Remapping[],
): Remapping[] {
  const around = Array.from({ length: MOST_AROUND }, (_, up) => `${'../'.repeat(up)}node_modules`)
  const libs = [...settings.libs.map(String), ...around]
  return [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].flatMap((first) => {
    const isKnown = known.some(({ prefix }) => prefix.startsWith(`${first}/`))
    if (first === '' || first.startsWith('.') || isKnown) return []
    const lib = libs.find((each) => folder(`${each}/${first}`) !== undefined)
    if (lib === undefined || folder(first) !== undefined) return []
    const own = { context: '', prefix: `${first}/`, target: `${lib}/${first}/` }
    // Hardhat finds the sources of forge-std, which are in a folder of its package.
    const sources = `${own.target}src/`
    const isIn = (path: string): boolean =>
      path.startsWith(own.prefix) && text(sources + path.slice(own.prefix.length)) !== undefined
    const isInFolder = paths.some((path) => text(`${lib}/${path}`) === undefined && isIn(path))
    return isInFolder
      ? [
          { ...own, target: sources },
          { ...own, prefix: `${first}/src/`, target: sources },
        ]
      : [own]
  })
}

/** The remappings of a project, as solc takes them. */
export function remappingsOf(
  files: ProjectFiles,
  settings: ProjectSettings,
  names: readonly string[],
): string[] {
  const written = ofProject(files, '', settings)
  // Those of all rounds, so that there is a last one.
  const paths = new Set<string>()
  let all = written
  for (;;) {
    const { contents } = collectSources(names, all, files.text)
    for (const path of [...contents.values()].flatMap(importsOf)) paths.add(path)
    const found = [...written, ...ofPackages(files, settings, [...paths], written)]
    // Packages import others.
    if (found.length === all.length) break
    all = found
  }
  return all
    .map(({ context, prefix, target }) => `${context === '' ? '' : `${context}:`}${prefix}=${target}`)
    .sort()
}
