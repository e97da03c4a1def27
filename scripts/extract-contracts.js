// Extracts contracts of the OP stack from their package into generated modules of src/, with those that contracts/src
// adds: `npm run predeploys`. What is extracted is listed in contract-lists.js.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'fflate'
import { EDITS, ERRORS_IN_ASSEMBLY, LISTINGS } from './contract-lists.js'

/** @typedef {import('./contract-lists.js').Listed} Listed */
/** @typedef {import('./contract-lists.js').Listing} Listing */

/** Positions of immutables in deployed code, by name. @typedef {Record<string, number[]>} Immutables */
/** A part of an ABI. @typedef {{ type: string, name: string, inputs: { name: string, type: string }[] }} AbiItem */
/** @typedef {{ name: string, code: Buffer, immutables: Immutables, errors: AbiItem[] }} Extracted */
/** @typedef {Record<string, { readonly start: number, readonly length: number }[]>} References by id of the variable */
/** @typedef {{ object: string, immutableReferences?: References }} Code */
/** @typedef {{ abi: AbiItem[], bytecode: Code, deployedBytecode: Code }} Compiled */

const root = new URL('../contracts/', import.meta.url)
const OUTPUTS = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode']
const RELEASE = '@eth-optimism/contracts-bedrock'

/** @param {string} path from contracts/ */
export function read(path) {
  const file = new URL(path, root)
  if (!existsSync(file)) throw new Error(`There is no contracts/${path}: run npm ci --prefix contracts first`)
  return readFileSync(file, 'utf8')
}

/** Names of variables by their ids, from syntax trees. @param {unknown} node @param {Map<string, string>} names */
function collectNames(node, names) {
  if (node === null || typeof node !== 'object') return
  if ('nodeType' in node && node.nodeType === 'VariableDeclaration') {
    const { id, name } = /** @type {{ id: number, name: string }} */ (/** @type {unknown} */ (node))
    names.set(String(id), name)
  }
  for (const child of Object.values(node)) collectNames(child, names)
}

/** Syntax trees of a source, as its artifacts have them. @param {string} folder of artifacts @param {string} source */
function treesOf(folder, source) {
  const artifacts = `${folder}/${basename(source)}`
  if (!existsSync(new URL(artifacts, root))) return []
  return readdirSync(new URL(artifacts, root)).map((file) => JSON.parse(read(`${artifacts}/${file}`)).ast)
}

/** @param {Code} code @param {Map<string, string>} names @returns {Immutables} */
function immutablesOf({ immutableReferences = {} }, names) {
  /** @type {Immutables} */
  const immutables = {}
  for (const [id, places] of Object.entries(immutableReferences)) {
    const name = names.get(id)
    if (name === undefined) throw new Error(`No syntax tree has the immutable ${id}`)
    // Private ones of two bases may have the same name.
    if (name in immutables) throw new Error(`Two immutables are called ${name}`)
    immutables[name] = places.map(({ start }) => start)
  }
  return immutables
}

/** @param {string} name @param {Code} code */
function bytesOf(name, { object }) {
  const hex = object.replace(/^0x/, '')
  if (!/^(?:[0-9a-f]{2})+$/.test(hex)) throw new Error(`${name} has no code, or libraries to link`)
  return Buffer.from(hex, 'hex')
}

/**
 * A contract of a package, or of contracts/src.
 * @param {Listed} listed @param {Compiled} compiled @param {() => Map<string, string>} namesOf variables
 * @returns {Extracted}
 */
function extracted({ name, creation }, { abi, bytecode, deployedBytecode }, namesOf) {
  const errors = abi.filter(({ type }) => type === 'error')
  if (creation) return { name, code: bytesOf(name, bytecode), immutables: {}, errors }
  const hasImmutables = Object.keys(deployedBytecode.immutableReferences ?? {}).length > 0
  const immutables = hasImmutables ? immutablesOf(deployedBytecode, namesOf()) : {}
  return { name, code: bytesOf(name, deployedBytecode), immutables, errors }
}

/** A contract of a package. @param {Listed & { artifact: string }} listed */
function fromArtifact(listed) {
  const { artifact, file = artifact, from = RELEASE } = listed
  const folder = `node_modules/${from}/forge-artifacts`
  const compiled = JSON.parse(read(`${folder}/${file}.sol/${artifact}.json`))
  return extracted(listed, compiled, () => {
    const names = new Map()
    for (const source of Object.keys(compiled.metadata.sources)) collectNames(treesOf(folder, source), names)
    return names
  })
}

/** Contracts that are not of the protocol, from the library that lists their code. @param {string} constant */
function preinstalled(constant) {
  const source = read(`node_modules/${RELEASE}/src/libraries/Preinstalls.sol`)
  const code = new RegExp(`bytes internal constant ${constant} =\\s*hex"([0-9a-f]+)";`).exec(source)?.[1]
  if (code === undefined) throw new Error(`Preinstalls has no ${constant}`)
  return Buffer.from(code, 'hex')
}

/** Where the package's sources find each other and their libraries. */
const REMAPPINGS = [`src/=${RELEASE}/src/`, '@solady/=solady-bedrock/src/']

/** A source that is imported, with the edits of contract-lists.js. @param {string} path */
function readImport(path) {
  const source = read(`node_modules/${path}`)
  const edit = EDITS[path]
  if (edit === undefined) return source
  const parts = source.split(edit.text)
  if (parts.length !== 2) throw new Error(`${path} has not exactly one ${edit.text}`)
  return parts.join(edit.replacement)
}

/**
 * What the compiler of the package makes of sources.
 * @param {Readonly<Record<string, string>>} sources @param {number} runs
 */
export function compileSources(sources, runs) {
  const solc = createRequire(root)('solc')
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
    settings: {
      evmVersion: 'london',
      optimizer: { enabled: true, runs },
      metadata: { bytecodeHash: 'none' },
      remappings: REMAPPINGS,
      outputSelection: { '*': { '': ['ast'], '*': OUTPUTS } },
    },
  }
  const findImport = (/** @type {string} */ path) => ({ contents: readImport(path) })
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }))
  const messages = (output.errors ?? []).map(
    (/** @type {{ formattedMessage: string }} */ e) => e.formattedMessage,
  )
  if (messages.length > 0) throw new Error(messages.join('\n'))
  return output
}

/** Contracts of contracts/src, compiled as the package's own are. @param {Listing} listing */
function compileOwn({ contracts, runs }) {
  const files = contracts.flatMap(({ own }) => (own === undefined ? [] : `${own.split(':')[0]}.sol`))
  const output = compileSources(Object.fromEntries(files.map((file) => [file, read(`src/${file}`)])), runs)
  /** @type {Map<string, string>} */
  const names = new Map()
  collectNames(output.sources, names)
  return (/** @type {Listed} */ listed) => {
    const [file = '', contract = ''] = listed.own?.split(':') ?? []
    const { abi, evm } = output.contracts[`${file}.sol`][contract]
    return extracted(listed, { abi, ...evm }, () => names)
  }
}

/** @param {Listing} listing @returns {Extracted[]} */
function extract(listing) {
  const { contracts } = listing
  const own = contracts.some((listed) => listed.own !== undefined) ? compileOwn(listing) : undefined
  return contracts.map((listed) => {
    const { name, artifact, preinstall, immutables = {} } = listed
    if (preinstall !== undefined) return { name, code: preinstalled(preinstall), immutables, errors: [] }
    if (artifact !== undefined) return fromArtifact({ ...listed, artifact })
    if (own === undefined || listed.own === undefined) throw new Error(`${name} comes from nowhere`)
    return own(listed)
  })
}

/** @param {Immutables} immutables */
function formatImmutables(immutables) {
  const entries = Object.entries(immutables).map(([name, places]) => `${name}: [${places.join(', ')}]`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/** The text of a generated module: where each contract is in the joined code, and that code, compressed. */
function format(/** @type {readonly Extracted[]} */ contracts) {
  const code = Buffer.concat(contracts.map((contract) => contract.code))
  const packed = Buffer.from(deflateSync(code, { level: 9, mem: 12 })).toString('base64')
  return [
    '// Written by scripts/extract-contracts.js from the packages of contracts/. Do not edit.',
    '',
    '/** Lengths of code, in the order of the code, and the places of immutables in each. */',
    'export const CONTRACTS = {',
    ...contracts.map(
      ({ name, code, immutables }) =>
        `  ${name}: { length: ${code.length}, immutables: ${formatImmutables(immutables)} },`,
    ),
    '} as const',
    '',
    'export const CODE =',
    `  '${packed}'`,
    '',
  ].join('\n')
}

/** The text of a generated module with the custom errors of contracts. @param {readonly Extracted[]} contracts */
function formatErrors(contracts) {
  const errors = [...contracts.flatMap((contract) => contract.errors), ...ERRORS_IN_ASSEMBLY]
  const lines = errors.map(({ type, name, inputs }) => {
    const bare = inputs.map((input) => ({ name: input.name, type: input.type }))
    return `  ${JSON.stringify({ type, name, inputs: bare })},`
  })
  return [
    '// Written by scripts/extract-contracts.js from the packages of contracts/. Do not edit.',
    '',
    '/** Custom errors of the contracts, as JSON ABI. */',
    'export const ERRORS = [',
    ...[...new Set(lines)].sort(),
    '] as const',
    '',
  ].join('\n')
}

/** The generated files and what they must contain. @returns {(readonly [file: URL, text: string])[]} */
export function extractContracts() {
  return LISTINGS.flatMap((listing) => {
    const contracts = extract(listing)
    /** @type {(readonly [path: string, text: string])[]} */
    const texts = [[listing.module, format(contracts)]]
    if (listing.errors !== undefined) texts.push([listing.errors, formatErrors(contracts)])
    return texts.map(([path, text]) => /** @type {const} */ ([new URL(`../${path}`, import.meta.url), text]))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of extractContracts()) writeFileSync(file, text)
}
