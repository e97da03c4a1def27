// Test contracts: read from artifacts, linked, with their tests and the `forge-config:` lines of these.

import { createAddress } from '../../../core/primitives/crypto.ts'
import { type Address, bytesToHex, hexToBytes } from '../../../core/primitives/hex.ts'
import { abiFunctions } from '../../solidity/artifacts/abi.ts'
import { artifactOf, isFoundryArtifact } from '../../solidity/artifacts/foundry.ts'
import * as json from '../../solidity/artifacts/json.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'
import { isChosen } from './patterns.ts'
import type { ProjectSettings } from './settings.ts'
import { COMMENT_OR_TEXT } from './sources.ts'

/** The place of a library's address in code. */
interface Link {
  /** `file:name`. */
  readonly library: string
  /** Bytes. */
  readonly start: number
}

/** A contract as tests need it: its ABI, its code and where it comes from. */
export interface TestArtifact {
  readonly file: string
  readonly name: string
  readonly abi: readonly unknown[]
  /** Creation code as hex without a prefix, with anything in place of libraries; empty for what cannot be deployed. */
  readonly code: string
  readonly deployedCode: string
  readonly links: readonly Link[]
  readonly deployedLinks: readonly Link[]
  /** The text of its file, if it is known. */
  readonly source: string | undefined
  /** solc's `storageLayout`. */
  readonly layout?: json.JsonObject | undefined
}

type TestKind = 'unit' | 'fuzz' | 'table' | 'invariant'

export interface TestFunction {
  readonly fn: AbiFunction
  readonly kind: TestKind
  /** `forge-config:` lines. */
  readonly inline: readonly string[]
}

export interface TestSuite {
  readonly artifact: TestArtifact
  readonly functions: readonly AbiFunction[]
  readonly tests: readonly TestFunction[]
}

function linksIn(value: unknown): Link[] {
  return Object.entries(json.objectOf(value)).flatMap(([file, names]) =>
    Object.entries(json.objectOf(names)).flatMap(([name, places]) =>
      json.listOf(places).map((place) => ({
        library: `${ownPath(file)}:${name}`,
        start: json.numberIn(json.objectOf(place), 'start') ?? 0,
      })),
    ),
  )
}

function codeIn(value: unknown): string {
  const object = typeof value === 'string' ? value : json.textIn(json.objectOf(value), 'object')
  return (object ?? '').replace(/^0x/, '')
}

/** Hardhat 3 compiles the files of a project in a folder of that name. */
export function ownPath(file: string): string {
  return file.replace(/^project\//, '')
}

/** A contract with these codes, which have their links in them or beside them. */
function testArtifact(
  file: string,
  name: string,
  value: json.JsonObject,
  codes: json.JsonObject,
  source?: string,
) {
  const { bytecode, deployedBytecode } = codes
  const linksOf = (key: string, code: unknown) => linksIn(value[key] ?? json.objectOf(code)['linkReferences'])
  return {
    file,
    name,
    abi: json.listOf(value['abi']),
    code: codeIn(bytecode),
    deployedCode: codeIn(deployedBytecode),
    links: linksOf('linkReferences', bytecode),
    deployedLinks: linksOf('deployedLinkReferences', deployedBytecode),
    source,
    layout: json.objectOf(value['storageLayout']),
  }
}

function ofStandardJson(input: json.JsonObject, output: json.JsonObject): TestArtifact[] {
  const sources = json.objectOf(input['sources'])
  return Object.entries(json.objectOf(output['contracts'])).flatMap(([file, contracts]) =>
    Object.entries(json.objectOf(contracts)).map(([name, each]) => {
      const value = json.objectOf(each)
      const source = json.textIn(json.objectOf(sources[file]), 'content')
      return testArtifact(ownPath(file), name, value, json.objectOf(value['evm']), source)
    }),
  )
}

function ofArtifact(value: json.JsonObject): TestArtifact {
  const { path, name } = isFoundryArtifact(value)
    ? artifactOf(value)
    : { path: json.textIn(value, 'sourceName') ?? '', name: json.textIn(value, 'contractName') ?? '' }
  return testArtifact(path, name, value, value)
}

/** The contracts of standard JSON, build-infos or artifacts of Foundry or Hardhat, alone or in arrays. */
export function readTestArtifacts(value: unknown): TestArtifact[] {
  if (Array.isArray(value)) {
    // Build-infos of Hardhat 3 have two halves with one id.
    const inputs = new Map(value.filter(json.isObject).map(({ id, input }) => [input && id, input]))
    return value.flatMap((each) =>
      readTestArtifacts(
        json.isObject(each) && json.isObject(each['output'])
          ? { input: inputs.get(each['id']), ...each }
          : each,
      ),
    )
  }
  if (!json.isObject(value)) return []
  if (json.isObject(value['output'])) return ofStandardJson(json.objectOf(value['input']), value['output'])
  if (Array.isArray(value['artifacts'])) {
    const sources = json.objectOf(value['sources'])
    return readTestArtifacts(value['artifacts']).map((each) => ({
      ...each,
      source: each.source ?? json.textIn(sources, each.file),
    }))
  }
  return Array.isArray(value['abi']) ? [ofArtifact(value)] : []
}

/** The account that deploys libraries with forge. */
export const LIBRARY_DEPLOYER: Address = '0x1f95d37f27ea0dea9c252fc09d5a6eaa97647353'

export function keyOf({ file, name }: TestArtifact): string {
  return `${file}:${name}`
}

/** The order of forge: that of its artifacts' files. */
function artifactPath({ file, name }: TestArtifact): string {
  return `${file.slice(file.lastIndexOf('/') + 1)}/${name}.json`
}

function withLinks(code: string, links: readonly Link[], addresses: ReadonlyMap<string, Address>): string {
  let linked = code
  for (const { library, start } of links) {
    const address = addresses.get(library)
    if (address === undefined) continue
    linked = linked.slice(0, 2 * start) + address.slice(2) + linked.slice(2 * start + 40)
  }
  return linked
}

/** Linked artifacts, and the libraries, which have to be deployed in this order. */
export function linkArtifacts(artifacts: readonly TestArtifact[]) {
  const needed = new Set(
    artifacts.flatMap(({ links, deployedLinks }) => [...links, ...deployedLinks].map((each) => each.library)),
  )
  if (needed.size === 0) return { linked: artifacts, libraries: [] }
  const found = artifacts
    .filter((each) => needed.has(keyOf(each)))
    .sort((a, b) => (artifactPath(a) < artifactPath(b) ? -1 : 1))
  const deployer = hexToBytes(LIBRARY_DEPLOYER)
  const addresses = new Map(
    found.map((each, nonce) => [keyOf(each), bytesToHex(createAddress(deployer, BigInt(nonce)))] as const),
  )
  const link = (each: TestArtifact): TestArtifact => ({
    ...each,
    code: withLinks(each.code, each.links, addresses),
    deployedCode: withLinks(each.deployedCode, each.deployedLinks, addresses),
    links: each.links.filter(({ library }) => !addresses.has(library)),
    deployedLinks: each.deployedLinks.filter(({ library }) => !addresses.has(library)),
  })
  return { linked: artifacts.map(link), libraries: found.map(link) }
}

export function creationCodeOf({ code, links }: TestArtifact): Uint8Array | string {
  try {
    return hexToBytes(`0x${code}`)
  } catch {
    const names = [...new Set(links.map(({ library }) => library))].join(', ')
    return `its code is not linked: there is no artifact of the library ${names}`
  }
}

/** A comment's line, or a declaration that it may belong to. */
const DECLARATION =
  /(?<tool>forge|hardhat)-config:[ \t]*(?<line>[^\n*]+)|^[ \t]*(?:abstract[ \t]+)?(?:contract|library|interface)[ \t]+(?<contract>\w+)|\bfunction[ \t\n]+(?<fn>\w+)/gm

/** Keys that a line of Hardhat may begin with, without a profile. */
const WITHOUT_PROFILE = /^(allowInternalExpectRevert|evmVersion|fuzz|invariant|isolate)\b/

/** The `forge-config:` lines of a file, by `Contract` and by `Contract.function`; those of Hardhat are before them. */
function inlineIn(source: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  if (!/(forge|hardhat)-config:/.test(source)) return found
  let [contract, lines]: [string, string[]] = ['', []]
  for (const { groups = {} } of source.matchAll(DECLARATION)) {
    if (groups['line'] !== undefined) {
      const line = groups['line'].trim()
      if (groups['tool'] === 'forge') lines.push(line)
      else lines.unshift(line.replace(WITHOUT_PROFILE, 'default.$1'))
      continue
    }
    contract = groups['contract'] ?? contract
    const key = groups['contract'] ?? `${contract}.${groups['fn']}`
    if (lines.length > 0) found.set(key, [...(found.get(key) ?? []), ...lines])
    lines = []
  }
  return found
}

const BLANK = /[^\n]/g
const NAMED = /\b(?<kind>contract|function)\s+(?<name>\w+)/g

/** The lines of the contracts and functions of a file, by `Contract` and `Contract.function`. */
export function linesIn(source: string): ReadonlyMap<string, number> {
  const code = source.replace(COMMENT_OR_TEXT, (found) => found.replace(BLANK, ' '))
  const lines = new Map<string, number>()
  let contract = ''
  for (const { index, groups } of code.matchAll(NAMED)) {
    const { kind, name } = groups as { readonly kind: string; readonly name: string }
    if (kind === 'contract') contract = name
    const key = kind === 'contract' ? name : `${contract}.${name}`
    if (!lines.has(key)) lines.set(key, code.slice(0, index).split('\n').length)
  }
  return lines
}

function kindOf({ name, inputs }: AbiFunction): TestKind {
  if (/^(invariant|statefulFuzz)/.test(name)) return 'invariant'
  if (name.startsWith('table')) return 'table'
  return inputs?.length === 0 ? 'unit' : 'fuzz'
}

const TEST_NAME = /^(test|table|invariant|statefulFuzz)/

function suiteOf(artifact: TestArtifact): TestSuite | undefined {
  const entries = artifact.abi.map(json.objectOf)
  const hasTests = entries.some(({ type, name }) => type === 'function' && TEST_NAME.test(`${name}`))
  const takesArguments = entries.some(
    ({ type, inputs }) => type === 'constructor' && json.listOf(inputs).length > 0,
  )
  if (!hasTests || takesArguments || artifact.code === '') return undefined
  const functions = [...abiFunctions(artifact.abi, {}).values()]
  const inline = inlineIn(artifact.source ?? '')
  const ofContract = inline.get(artifact.name) ?? []
  const tests = functions
    .filter(({ name }) => TEST_NAME.test(name))
    .map((fn): TestFunction => {
      const own = inline.get(`${artifact.name}.${fn.name}`) ?? []
      return { fn, kind: kindOf(fn), inline: [...ofContract, ...own] }
    })
    .sort((a, b) => (a.fn.signature < b.fn.signature ? -1 : 1))
  // As in forge, which fails these and runs no others beside them.
  const removed = tests.filter(({ fn }) => fn.name.startsWith('testFail'))
  return { artifact, functions, tests: removed.length > 0 ? removed : tests }
}

/** The contracts with tests, in the order of their files and names. */
export function suitesOf(artifacts: readonly TestArtifact[]): TestSuite[] {
  const sorted = [...artifacts].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return sorted.flatMap((each) => suiteOf(each) ?? [])
}

/** Contracts with tests, and the lines of both where they are known. */
export function placedTests(artifacts: readonly TestArtifact[], settings: ProjectSettings) {
  const [first] = artifacts
  const lines = linesIn(first?.source ?? '')
  const suites = suitesOf(artifacts).map(({ artifact: { name, file }, tests }) => ({
    contract: name,
    line: lines.get(name),
    tests: tests
      .filter(({ fn }) => isChosen(settings, file, name, fn.signature))
      .map(({ fn }) => ({ test: fn.signature, line: lines.get(`${name}.${fn.name}`) })),
  }))
  return suites.filter(({ tests }) => tests.length > 0)
}
