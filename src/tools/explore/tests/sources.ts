// The sources of a project and their compilation as forge does it; files that do not compile are set apart.

import { failure } from '../../../core/primitives/errors.ts'
import { memoizeMany } from '../../../core/primitives/lru-cache.ts'
import { isObject, type JsonObject, listOf, objectOf, textIn } from '../../solidity/artifacts/json.ts'
import { knownEvmVersion, type ProjectSettings } from './settings.ts'

/** The module `solc` of npm. */
export interface Solc {
  readonly compile: (input: string, callbacks?: { readonly import: (path: string) => object }) => string
  readonly version: () => string
}

/** The module in what was imported: itself, or with `import * as solc` the default; otherwise `undefined`. */
export function compilerIn(imported: unknown): Solc | undefined {
  const candidates = [imported, (Object(imported) as { readonly default?: unknown }).default]
  return candidates.find((each): each is Solc => {
    const { compile, version } = Object(each) as Partial<Solc>
    return typeof compile === 'function' && typeof version === 'function'
  })
}

export type ReadSource = (path: string) => string | undefined

type Remapping = NonNullable<ReturnType<typeof parseRemapping>>

const REMAPPING = /^(?:(?<context>[^:=]*):)?(?<prefix>[^=]+)=(?<target>.*)$/

/** A path that ends as that of a folder, unless it is that of a file. */
function slashAfter(path: string): string {
  return path.endsWith('/') || path.endsWith('.sol') ? path : `${path}/`
}

/** A remapping; as in forge, folders need no slash at their ends. */
export function parseRemapping(text: string) {
  const { context = '', prefix, target = '' } = REMAPPING.exec(text.trim())?.groups ?? {}
  if (prefix === undefined) return undefined
  return { context, prefix: slashAfter(prefix), target: slashAfter(target) }
}

/** A path without `.` and, as far as it can be, without `..`. */
function plainPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The name of an imported source, as solc finds it. */
function resolveImport(remappings: readonly Remapping[], from: string, path: string): string {
  const isRelative = path.startsWith('./') || path.startsWith('../')
  const name = isRelative ? plainPath(from.slice(0, from.lastIndexOf('/') + 1) + path) : path
  let best: Remapping | undefined
  for (const each of remappings) {
    if (!name.startsWith(each.prefix) || !from.startsWith(each.context)) continue
    const [length, most] = [each, best].map((one) => one?.context.length ?? -1) as [number, number]
    const isBetter = length > most || (length === most && each.prefix.length >= (best?.prefix.length ?? 0))
    if (isBetter) best = each
  }
  return best === undefined ? name : best.target + name.slice(best.prefix.length)
}

/** Comments and texts of a source, each with its marks. */
export const COMMENT_OR_TEXT = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g
const MOST_SOURCES = 4096
const IMPORT = /\bimport\b[^;"']*?(["'])([^"'\n]+)\1/g

/** A source with blanks for its comments; lines stay where they are. */
export function withoutComments(source: string): string {
  return source.replace(COMMENT_OR_TEXT, (found) =>
    found.startsWith('/') ? found.replace(/[^\n]+/g, ' ') : found,
  )
}

/** The paths that a source imports. */
export const importsOf = memoizeMany(MOST_SOURCES, (source: string): readonly string[] =>
  [...withoutComments(source).matchAll(IMPORT)].map(([, , path]) => path as string),
)

export type SourceSet = ReturnType<typeof collectSources>

export function collectSources(names: readonly string[], remappings: readonly Remapping[], read: ReadSource) {
  const contents = new Map<string, string>()
  const imports = new Map<string, readonly string[]>()
  /** Imports that are not there, by the file that has them. */
  const missing = new Map<string, string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (contents.has(name)) continue
    const content = read(name)
    if (content === undefined) continue
    contents.set(name, content)
    const imported = importsOf(content).map((path) => [path, resolveImport(remappings, name, path)] as const)
    for (const [path, target] of imported) {
      if (contents.has(target) || read(target) !== undefined) open.push(target)
      else {
        const said = `it imports ${path}, and there is no file ${target}: a remapping or a library is missing`
        const line = content.slice(0, content.indexOf(path)).split('\n').length
        missing.set(name, `${said}\n --> ${name}:${line}:1:`)
      }
    }
    const targets = imported.map(([, target]) => target)
    imports.set(name, targets)
  }
  return { contents, imports, missing }
}

/** A file with everything that it imports, in order of names. */
export function closureOf({ imports }: Pick<SourceSet, 'imports'>, names: readonly string[]): string[] {
  const reached = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    open.push(...(imports.get(name) ?? []))
  }
  return [...reached].sort()
}

const OUTPUT = [
  ...['abi', 'evm.bytecode.object', 'evm.bytecode.sourceMap', 'evm.bytecode.linkReferences'],
  ...['evm.deployedBytecode.object', 'evm.deployedBytecode.sourceMap', 'evm.deployedBytecode.linkReferences'],
  ...['evm.deployedBytecode.immutableReferences', 'evm.methodIdentifiers', 'metadata', 'storageLayout'],
]

/** Syntax trees that are kept: their name, and the files that have them, or none if they are still to be made. */
export interface KeptTrees {
  readonly id: string
  readonly names: readonly string[]
}

/**
 * The libraries, where a compilation begins with all of them, in the compiler's order: each that does so gives their nodes the
 * same numbers. Their trees, which take as long as the rest, are then asked for once.
 */
export function leadingLibraries(set: SourceSet, closure: readonly string[], own: ReadonlySet<string>) {
  const libraries = closure.filter((name) => !own.has(name))
  const isApart = libraries.every(
    (name, index) => name === closure[index] && !set.imports.get(name)?.some((target) => own.has(target)),
  )
  return isApart ? libraries : []
}

/** Files of forge-std whose syntax trees take two thirds of a compilation. Traces do without them. */
const WITHOUT_TREE = /(^|\/)(Vm|console2?|safeconsole)\.sol$/

/** `file:name:address` as solc takes it. */
function librariesOf(libraries: readonly unknown[]): JsonObject {
  const byFile: Record<string, Record<string, string>> = {}
  for (const each of libraries) {
    const [file = '', name = '', address = ''] = `${each}`.split(':')
    byFile[file] = { ...byFile[file], [name]: address }
  }
  return byFile
}

/** The standard JSON input for some files. */
function standardInput(
  set: SourceSet,
  names: readonly string[],
  settings: ProjectSettings,
  remappings: readonly string[],
  version: string,
  kept: KeptTrees | undefined,
): JsonObject {
  const sources = Object.fromEntries(
    closureOf(set, names).flatMap((name) => {
      const content = set.contents.get(name)
      return content === undefined ? [] : [[name, { content }]]
    }),
  )
  const isWithoutTree = (name: string) => WITHOUT_TREE.test(name) || kept?.names.includes(name)
  const selected = Object.fromEntries(
    Object.keys(sources).map((name) => [
      name,
      { ...(!isWithoutTree(name) && { '': ['ast'] }), ...(names.includes(name) && { '*': OUTPUT }) },
    ]),
  )
  const { optimizer, optimizer_runs: runs, optimizer_details: details, revert_strings } = settings
  // A project that names runs has the optimizer, as in forge.
  const enabled = settings.given.has('optimizer') ? optimizer : settings.given.has('optimizer_runs')
  return {
    language: 'Solidity',
    sources,
    settings: {
      remappings,
      optimizer: { enabled, runs: Number(runs), ...(Object.keys(details).length > 0 && { details }) },
      // What is as compilers have it by themselves is left out: older ones refuse what they do not know.
      metadata: {
        ...(settings.use_literal_content && { useLiteralContent: true }),
        ...(settings.bytecode_hash !== 'ipfs' && { bytecodeHash: settings.bytecode_hash }),
        ...(!settings.cbor_metadata && { appendCBOR: false }),
      },
      outputSelection: selected,
      evmVersion: knownEvmVersion(settings.evm_version, version),
      ...(settings.via_ir && { viaIR: true }),
      libraries: librariesOf(settings.libraries),
      ...(revert_strings !== '' && { debug: { revertStrings: revert_strings } }),
    },
  }
}

/** A compilation, and the files that did not compile. */
export interface Compilation {
  /** The output, without syntax trees. */
  readonly output: JsonObject
  /** The whole input and output, as JSON, but for kept trees. */
  readonly whole: string
  /** The kept trees, and their JSON if it is new. */
  readonly trees?: { readonly id: string; readonly json: string | undefined } | undefined
  /** The compiler's words, by file. */
  readonly failures: ReadonlyMap<string, string>
}

/** Errors by the file that they name; those without one under the empty name. */
export function compilerErrorsIn(output: JsonObject): Map<string, string> {
  const errors = new Map<string, string>()
  for (const error of listOf(output['errors']).map(objectOf)) {
    if (error['severity'] !== 'error') continue
    const file = textIn(objectOf(error['sourceLocation']), 'file') ?? ''
    const said = textIn(error, 'formattedMessage') ?? textIn(error, 'message') ?? 'unknown error'
    if (!errors.has(file)) errors.set(file, said.trim())
  }
  return errors
}

/** Takes an output apart: syntax trees come last and are most of it, and only traces need them. Within texts, quotes are escaped. */
function apart(given: string, output: string, kept: KeptTrees | undefined): Omit<Compilation, 'failures'> {
  const end = output.indexOf(',"sources":{')
  const head = end < 0 ? output : `${output.slice(0, end)}}`
  const parsed: unknown = JSON.parse(head)
  const isNew = end >= 0 && kept?.names.length === 0
  return {
    output: isObject(parsed) ? parsed : {},
    whole: `{"input":${given},"output":${isNew ? head : output},"trees":${JSON.stringify(kept?.id ?? '')}}`,
    trees: kept && { id: kept.id, json: isNew ? `{${output.slice(end + 1)}` : undefined },
  }
}

/** Characters of an input that are too many to hand over at once. */
const LONG_INPUT = 1_000_000

/** Hands over the sources one by one: solc of npm holds its whole input on a stack of 5 MB, four bytes a character. */
function compileFromCallbacks(solc: Solc, input: JsonObject): string {
  const sources = objectOf(input['sources'])
  const urls = Object.fromEntries(Object.keys(sources).map((name) => [name, { urls: [name] }]))
  const find = (name: string) => {
    const contents = textIn(objectOf(sources[name]), 'content')
    return contents === undefined ? { error: 'not found' } : { contents }
  }
  return solc.compile(JSON.stringify({ ...input, sources: urls }), { import: find })
}

/** Words of solc without callbacks, as of a function around it that takes the input alone. */
const WITHOUT_CALLBACKS = 'File import callback not supported'

function compileInput(solc: Solc, input: JsonObject, kept: KeptTrees | undefined) {
  const given = JSON.stringify(input)
  try {
    const asked = given.length < LONG_INPUT ? undefined : compileFromCallbacks(solc, input)
    const isWhole = asked !== undefined && !asked.includes(WITHOUT_CALLBACKS)
    const output = isWhole ? asked : solc.compile(given)
    return apart(given, output, kept)
  } catch (error) {
    const reason = `the compiler failed: ${(error as Error).message}`
    throw failure('invalidOption', { option: 'solc', reason })
  }
}

const NO_OUTPUT = { output: {}, whole: '{}' }

/** Compiles files. One that has an error, and all that import it, are left out and reported; the others are compiled. */
export function compileSources(
  solc: Solc,
  set: SourceSet,
  names: readonly string[],
  settings: ProjectSettings,
  remappings: readonly string[],
  keptIn: (closure: readonly string[]) => KeptTrees | undefined = () => undefined,
): Compilation {
  const failures = new Map(set.missing)
  const isBroken = (name: string): string | undefined => {
    const at = closureOf(set, [name]).find((each) => failures.has(each))
    return at === undefined || at === name ? failures.get(name) : `${at}: ${failures.get(at)}`
  }
  for (;;) {
    const whole = names.filter((name) => isBroken(name) === undefined)
    const kept = keptIn(closureOf(set, whole))
    const input = standardInput(set, whole, settings, remappings, solc.version(), kept)
    const compiled = whole.length === 0 ? NO_OUTPUT : compileInput(solc, input, kept)
    const errors = compilerErrorsIn(compiled.output)
    const told = new Map(names.flatMap((name) => (isBroken(name) ? [[name, isBroken(name) as string]] : [])))
    if (errors.size === 0) return { ...compiled, failures: told }
    const general = errors.get('')
    // Each round leaves something out.
    const isNew = [...errors.keys()].some((file) => set.contents.has(file) && !failures.has(file))
    if (general !== undefined || !isNew) {
      const said = general ?? [...errors.values()][0]
      return { ...NO_OUTPUT, failures: new Map(names.map((name) => [name, told.get(name) ?? `${said}`])) }
    }
    for (const [file, said] of errors) failures.set(file, said)
  }
}
