// A compilation: source files with their syntax trees, and the contracts of its output.

import { type Hex, hexToBytes } from '../../../core/primitives/hex.ts'
import { once } from '../../../core/primitives/lru-cache.ts'
import { describe, shorten } from '../../../core/primitives/text-of.ts'
import { type CodeMap, decodeCodeMap } from '../model/code-map.ts'
import { releaseIn } from '../model/code-masks.ts'
import type * as models from '../model/contract.ts'
import type { SolidityFunction, SourceFile } from '../model/source.ts'
import { abiErrors, abiEvents, abiFunctions, constructorInputs } from './abi.ts'
import { type JsonObject, listOf, numberIn, objectOf, refuseContracts, textIn } from './json.ts'
import { type ContractDefinition, type Declaration, readSyntaxTree } from './syntax-tree.ts'

type Encoding = models.StorageType['encoding']

const ENCODINGS: ReadonlySet<unknown> = new Set<Encoding>(['inplace', 'mapping', 'dynamic_array', 'bytes'])

/** Refuses a value, by the contract that the layout is of. */
type Refuse = (what: string, value: unknown) => never

/** A whole number, which solc writes as text. */
function wholeNumber(object: JsonObject, key: string, least: bigint, refuse: Refuse): bigint {
  const value = object[key]
  const isWritten = typeof value === 'string' && /^\d{1,78}$/.test(value)
  if (!isWritten || BigInt(value) < least) refuse(`${key} of ${textIn(object, 'label') ?? '?'}`, value)
  return BigInt(value as string)
}

function variableOf(value: unknown, refuse: Refuse): models.StorageVariable {
  const variable = objectOf(value)
  const label = textIn(variable, 'label') ?? ''
  const offset = variable['offset']
  if (!Number.isInteger(offset) || (offset as number) < 0 || (offset as number) > 31)
    refuse(`offset of ${label}`, offset)
  const slot = wholeNumber(variable, 'slot', 0n, refuse)
  return { label, slot, offset: offset as number, type: textIn(variable, 'type') ?? '' }
}

function typeOf(type: JsonObject, refuse: Refuse): models.StorageType {
  const label = textIn(type, 'label') ?? ''
  const { encoding, members } = type
  if (!ENCODINGS.has(encoding)) refuse(`encoding of ${label}`, encoding)
  return {
    label,
    encoding: encoding as Encoding,
    bytes: Number(wholeNumber(type, 'numberOfBytes', 1n, refuse)),
    key: textIn(type, 'key'),
    value: textIn(type, 'value'),
    base: textIn(type, 'base'),
    members: members === undefined ? undefined : listOf(members).map((each) => variableOf(each, refuse)),
  }
}

/** Refuses a type that has itself as a part, at any depth. */
function checkParts(types: ReadonlyMap<string, models.StorageType>, refuse: Refuse): void {
  const checked = new Set<string>()
  const open = new Set<string>()
  const check = (key: string): void => {
    const type = types.get(key)
    if (type === undefined || checked.has(key)) return
    if (open.has(key)) refuse('a type that contains itself', key)
    open.add(key)
    for (const member of type.members ?? []) check(member.type)
    if (type.encoding === 'inplace' && type.base !== undefined) check(type.base)
    open.delete(key)
    checked.add(key)
  }
  for (const key of types.keys()) check(key)
}

/** `undefined` without a layout. Throws `invalidContracts`, with the name of the contract. */
function storageLayoutOf(value: unknown, of: string): models.StorageLayout | undefined {
  const layout = objectOf(value)
  if (!Array.isArray(layout['storage'])) return undefined
  const refuse: Refuse = (what, got) =>
    refuseContracts(`the storage layout of ${of} has ${what}: ${describe(got)}`)
  const types = new Map(
    Object.entries(objectOf(layout['types'])).map(([key, type]) => [key, typeOf(objectOf(type), refuse)]),
  )
  checkParts(types, refuse)
  return { variables: layout['storage'].map((each) => variableOf(each, refuse)), types }
}

export interface Sources {
  /** By the number that source maps use. */
  readonly files: ReadonlyMap<number, SourceFile>
  readonly definitions: ReadonlyMap<number, ContractDefinition>
}

/** Files with the contracts that their trees define. */
export function sourcesOf(
  files: ReadonlyMap<number, SourceFile>,
  read: (file: SourceFile) => readonly ContractDefinition[] = readSyntaxTree,
): Sources {
  const all = [...new Set(files.values())].flatMap(read)
  return { files, definitions: new Map(all.map((definition) => [definition.id, definition])) }
}

/** Code as the standard JSON output has it, with zeros where libraries are not linked. */
export interface CodeOutput {
  readonly bytes: Uint8Array
  readonly sourceMap: string | undefined
  readonly linkReferences: JsonObject
  readonly immutableReferences: JsonObject
}

export interface ContractOutput {
  readonly file: string
  readonly name: string
  readonly abi: readonly unknown[]
  readonly creation: CodeOutput | undefined
  readonly deployed: CodeOutput | undefined
  readonly methodIdentifiers: JsonObject
  readonly storageLayout: unknown
  readonly compiler: models.Compiler
}

/** A library's address in code that is not linked: `__$…$__`, or `__file:name____` before 0.5. */
const UNLINKED = /__.{36}__/gs

function bytesOf(object: string, of: string): Uint8Array {
  try {
    return hexToBytes(`0x${object.replace(UNLINKED, '0'.repeat(40))}`)
  } catch {
    return refuseContracts(`the code of ${of} is not hex: ${shorten(object)}`)
  }
}

/** `undefined` without code. Throws `invalidContracts`. */
export function codeOutput(value: unknown, of: string): CodeOutput | undefined {
  const code = objectOf(value)
  const object = textIn(code, 'object')?.replace(/^0x/, '')
  if (object === undefined || object === '') return undefined
  return {
    bytes: bytesOf(object, of),
    sourceMap: textIn(code, 'sourceMap'),
    linkReferences: objectOf(code['linkReferences']),
    immutableReferences: objectOf(code['immutableReferences']),
  }
}

function compiledCode(
  output: CodeOutput,
  { files }: Sources,
  kind: 'creation' | 'deployed',
): models.CompiledCode {
  const { bytes, sourceMap, linkReferences, immutableReferences } = output
  const links = Object.values(linkReferences).flatMap((file) => Object.values(objectOf(file)))
  const references = [...links, ...Object.values(immutableReferences)].flatMap(listOf).map(objectOf)
  const holes = references.flatMap((reference): models.CodeHole[] => {
    const [start, length] = [numberIn(reference, 'start'), numberIn(reference, 'length')]
    return start === undefined || length === undefined ? [] : [{ start, length }]
  })
  // An artifact may be linked already.
  for (const { start, length } of holes) bytes.fill(0, start, start + length)
  let map: CodeMap | undefined
  return {
    bytes,
    holes,
    map: () => {
      if (sourceMap !== undefined) map ??= decodeCodeMap(bytes, sourceMap, files, kind)
      return map
    },
  }
}

function isExactly({ declared, selector, types }: Declaration, signature: string, identifier: string) {
  if (selector !== undefined) return selector === identifier
  return !types.includes(undefined) && `${declared.name}(${types.join(',')})` === signature
}

/** The function that each identifier means: the one nearest in the line of inheritance. */
function callableFunctions(
  line: readonly ContractDefinition[],
  identifiers: ReadonlyMap<string, string>,
): ReadonlyMap<Hex, SolidityFunction> {
  const declarations = line
    .flatMap(({ functions }) => functions)
    .filter(({ declared: { kind, visibility } }) => {
      const isFunction = kind === 'function' || kind === 'getter'
      return isFunction && (visibility === 'public' || visibility === 'external')
    })
  const found = new Map<Hex, SolidityFunction>()
  for (const [signature, identifier] of identifiers) {
    const name = signature.slice(0, signature.indexOf('('))
    const match =
      declarations.find((each) => isExactly(each, signature, identifier)) ??
      // With types that the tree does not name as the ABI does, such as structs before solc 0.6.
      declarations.find(({ declared, selector }) => selector === undefined && declared.name === name)
    if (match !== undefined) found.set(`0x${identifier}`, match.declared)
  }
  return found
}

function ofKind(line: readonly ContractDefinition[], kind: SolidityFunction['kind']) {
  return line.flatMap(({ functions }) => functions).find(({ declared }) => declared.kind === kind)?.declared
}

/** Joins the output of a contract with its definition in the sources, if that is known. Throws `invalidContracts`. */
export function compiledContract(output: ContractOutput, sources: Sources): models.CompiledContract {
  const { file, name, abi, creation, deployed, compiler } = output
  const definition = [...sources.definitions.values()].find(
    (each) => each.name === name && each.location.file.name === file,
  )
  const line = definition?.linearized.flatMap((id) => sources.definitions.get(id) ?? []) ?? []
  const functions = once(() => abiFunctions(abi, output.methodIdentifiers))
  const events = once(() => abiEvents(abi))
  const given = Object.entries(output.methodIdentifiers).map(
    ([signature, each]) => [signature, `${each}`] as const,
  )
  const callable = once(() => {
    const known = [...functions().values()].map(
      ({ signature, selector }) => [signature, selector.slice(2)] as const,
    )
    return callableFunctions(line, new Map([...known, ...given]))
  })
  return {
    name,
    file,
    abi,
    get functions() {
      return functions()
    },
    get events() {
      return events()
    },
    get callable() {
      return callable()
    },
    kind: definition?.kind ?? 'contract',
    compiler: { ...compiler, version: compiler.version ?? (deployed && releaseIn(deployed.bytes)) },
    errors: abiErrors(abi),
    constructorInputs: constructorInputs(abi),
    location: definition?.location,
    constructorFunction: definition && ofKind([definition], 'constructor'),
    fallback: ofKind(line, 'fallback'),
    receive: ofKind(line, 'receive'),
    creation: creation && compiledCode(creation, sources, 'creation'),
    deployed: deployed && compiledCode(deployed, sources, 'deployed'),
    storageLayout: storageLayoutOf(output.storageLayout, `${file}:${name}`),
    sources: sources.files,
  }
}
