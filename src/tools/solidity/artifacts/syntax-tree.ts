// Contracts and functions in solc's syntax trees.

import type { FunctionKind, SolidityFunction, SourceFile, SourceRange } from '../model/source.ts'
import { type JsonObject, listOf, numberIn, objectOf, textIn, valueWithin } from './json.ts'

/** A public function or variable as the tree declares it. */
export interface Declaration {
  readonly declared: SolidityFunction
  /** Without 0x; `undefined` before solc 0.6. */
  readonly selector: string | undefined
  /** Types as in a signature; `undefined` where the tree does not say how the ABI encodes one, as for a struct. */
  readonly types: readonly (string | undefined)[]
}

/** A contract as its file declares it, without what it inherits. */
export interface ContractDefinition {
  readonly id: number
  readonly name: string
  readonly kind: 'contract' | 'library' | 'interface'
  readonly location: SourceRange
  /** Identifiers of contracts, from itself to its remotest base. */
  readonly linearized: readonly number[]
  readonly functions: readonly Declaration[]
}

const KINDS: readonly unknown[] = ['constructor', 'fallback', 'receive'] satisfies FunctionKind[]
const VISIBILITIES: readonly unknown[] = ['private', 'internal', 'public']

export function rangeOf(file: SourceFile, node: JsonObject): SourceRange {
  const [start = '0', length = '0'] = (textIn(node, 'src') ?? '').split(':')
  return file.rangeAt(Number(start), Number(length))
}

/** A type in a signature, of the name that the compiler gives it; `undefined` if that does not say. */
function signatureType(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const [, base = '', dimensions = ''] = /^(.*?)((?:\[\d*\])*)$/s.exec(name) ?? []
  if (base.startsWith('contract ') || base === 'address payable') return `address${dimensions}`
  // An enum with more than 256 members is larger, in old versions of the language.
  if (base.startsWith('enum ')) return `uint8${dimensions}`
  if (base.startsWith('function ')) return `function${dimensions}`
  return /^[a-z]+\d*$/.test(base) ? `${base}${dimensions}` : undefined
}

function typeName(node: unknown): string | undefined {
  const type = valueWithin(node, 'typeDescriptions', 'typeString')
  return typeof type === 'string'
    ? type.replace(/ (memory|calldata|storage( ref| pointer)?)$/, '')
    : undefined
}

/** Parameters of a getter: the stack of the EVM has no room for more. */
const MOST_GETTER_TYPES = 16

/** The parameters of a getter: keys of mappings and indexes of arrays. */
function getterTypes(variable: JsonObject): (string | undefined)[] {
  const types: (string | undefined)[] = []
  let type = objectOf(variable['typeName'])
  while (types.length < MOST_GETTER_TYPES) {
    if (type['nodeType'] === 'Mapping') {
      types.push(signatureType(typeName(type['keyType'])))
      type = objectOf(type['valueType'])
    } else if (type['nodeType'] === 'ArrayTypeName') {
      types.push('uint256')
      type = objectOf(type['baseType'])
    } else break
  }
  return types
}

/** The declaration of a function with a body, a modifier or a public variable. */
function declarationOf(
  file: SourceFile,
  contract: string | undefined,
  node: JsonObject,
): Declaration | undefined {
  const named = { name: textIn(node, 'name') ?? '', contract, location: rangeOf(file, node) }
  const selector = textIn(node, 'functionSelector')
  switch (node['nodeType']) {
    case 'FunctionDefinition': {
      if (node['implemented'] === false) return undefined
      const other = contract === undefined ? 'free' : 'function'
      const kind = KINDS.includes(node['kind']) ? (node['kind'] as FunctionKind) : other
      const isKnown = VISIBILITIES.includes(node['visibility'])
      const visibility = isKnown ? (node['visibility'] as 'public') : 'external'
      const isPayable = node['stateMutability'] === 'payable'
      const parameters = listOf(valueWithin(node, 'parameters', 'parameters'))
      const types = parameters.map((parameter) => signatureType(typeName(parameter)))
      return { declared: { ...named, kind, visibility, isPayable }, selector, types }
    }
    case 'ModifierDefinition': {
      const declared = { ...named, kind: 'modifier', visibility: undefined, isPayable: false } as const
      return { declared, selector: undefined, types: [] }
    }
    case 'VariableDeclaration': {
      if (node['visibility'] !== 'public') return undefined
      const declared = { ...named, kind: 'getter', visibility: 'public', isPayable: false } as const
      return { declared, selector, types: getterTypes(node) }
    }
    default:
      return undefined
  }
}

function contractOf(file: SourceFile, node: JsonObject): ContractDefinition {
  const name = textIn(node, 'name') ?? ''
  const kind = node['contractKind']
  return {
    id: numberIn(node, 'id') ?? -1,
    name,
    kind: kind === 'library' || kind === 'interface' ? kind : 'contract',
    location: rangeOf(file, node),
    linearized: listOf(node['linearizedBaseContracts']) as readonly number[],
    functions: listOf(node['nodes']).flatMap((each) => declarationOf(file, name, objectOf(each)) ?? []),
  }
}

/** The contracts of a file. Fills in the functions of the file. */
export function readSyntaxTree(file: SourceFile): ContractDefinition[] {
  const contracts: ContractDefinition[] = []
  for (const node of listOf(valueWithin(file.ast, 'nodes')).map(objectOf)) {
    if (node['nodeType'] === 'ContractDefinition') {
      const contract = contractOf(file, node)
      contracts.push(contract)
      for (const { declared } of contract.functions) file.functions.push(declared)
    } else if (node['nodeType'] === 'FunctionDefinition') {
      const free = declarationOf(file, undefined, node)
      if (free !== undefined) file.functions.push(free.declared)
    }
  }
  return contracts
}
