// @ts-check
// Hardhat's cases of stack traces (NomicFoundation/edr, hardhat-tests, stack-traces/test-files): a folder with
// Solidity sources and `test.json`, the transactions to send and the frames of those that fail. The folders are those
// of solc's minor versions. The caller passes the compilers and the emulator.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AbiCoder, Interface } from 'ethers'
import { consoleLibrary } from './console-library.js'

/**
 * @typedef {{ contract?: string, file: string, function?: string, line: number }} Reference
 * @typedef {{ type: string, sourceReference?: Reference, message?: string, value?: string | number, errorCode?: string }} Frame
 * @typedef {{
 *   file?: string, contract?: string, libraries?: Record<string, Record<string, number>>, imports?: string[],
 *   to?: number, function?: string, data?: string, params?: any[], value?: string | number, gas?: number,
 *   stackTrace?: Frame[], consoleLogs?: string[][],
 * }} Step
 * @typedef {{ transactions: Step[], solc?: string, skip?: boolean }} Definition
 * @typedef {{ name: string, minor: string, directory: string, definition: Definition }} Case
 * @typedef {{ version: string, compile: (input: string) => string }} Compiler
 * @typedef {{ data: string, to?: string, value: string, gas: string }} Transaction
 * @typedef {{ isSuccess: boolean, contractAddress: string | null, consoleLogs: string[], frames: Frame[] }} Outcome
 * @typedef {{ send: (transaction: Transaction) => Promise<Outcome> }} Chain
 * @typedef {(compilation: { input: any, output: any }) => Promise<Chain>} StartChain
 */

const FRAMES_FILE = 'test.json'
const ANY_VERSION = 'version-independent'
/** Enough for every case that names none, as in Hardhat's runs. */
const GAS = 4_000_000
const OUTPUT = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers']

/** Folders of cases, by the minor version of solc: 0_5, 0_6 … @param {string} directory */
export function hasStackTraces(directory) {
  return existsSync(join(directory, ANY_VERSION)) && existsSync(join(directory, '0_8'))
}

/** @param {string} directory @param {string} minor @param {string} [root] @returns {Case[]} */
function casesUnder(directory, minor, root = directory) {
  const entries = readdirSync(directory, { withFileTypes: true })
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => casesUnder(join(directory, name), minor, root))
  if (!entries.some(({ name }) => name === FRAMES_FILE)) return inner
  const definition = JSON.parse(readFileSync(join(directory, FRAMES_FILE), 'utf8'))
  const name = [minor, ...relative(root, directory).split(sep)].join('/')
  return [{ name, minor, directory, definition }, ...inner]
}

/** All cases of a folder, in order. @param {string} directory @returns {Case[]} */
export function stackTraceCases(directory) {
  const minors = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return minors
    .flatMap(({ name }) => casesUnder(join(directory, name), name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** @param {string} path of a package of solc @returns {Compiler} */
function loadCompiler(path) {
  const require = createRequire(import.meta.url)
  const { version } = require(join(path, 'package.json'))
  return { version, compile: (input) => require(path).compile(input) }
}

/**
 * The compiler of this repository, and those that npm has installed into a folder as `solc-0.5.17` and the like.
 * @param {string | undefined} folder
 */
export function compilersIn(folder) {
  const own = fileURLToPath(new URL('../../node_modules/solc', import.meta.url))
  const modules = folder === undefined ? undefined : join(resolve(folder), 'node_modules')
  const others = modules !== undefined && existsSync(modules) ? readdirSync(modules) : []
  const paths = others.filter((name) => /^solc-\d/.test(name)).map((name) => join(modules ?? '', name))
  return [own, ...paths].map(loadCompiler).sort((a, b) => numberOf(a.version) - numberOf(b.version))
}

/** @param {string} version */
function numberOf(version) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 1_000_000 + minor * 1000 + patch
}

/** The ranges that cases have: alternatives of comparisons. @param {string} version @param {string} range */
export function satisfies(version, range) {
  const number = numberOf(version)
  return range.split('||').some((part) =>
    [...part.matchAll(/(\^|[<>]=?)\s*([\d.]+)/g)].every(([, comparison, text = '']) => {
      const bound = numberOf(text)
      if (comparison === '<') return number < bound
      if (comparison === '<=') return number <= bound
      if (comparison === '>') return number > bound
      // Below 1.0 a caret holds the minor version.
      return (
        number >= bound && (comparison === '>=' || Math.floor(number / 1000) === Math.floor(bound / 1000))
      )
    }),
  )
}

/** Whether a case is one of a compiler. @param {Case} each @param {string} version */
export function isFor({ minor, definition }, version) {
  const isOfMinor = minor === ANY_VERSION || version.startsWith(`${minor.replace('_', '.')}.`)
  return isOfMinor && definition.skip !== true && satisfies(version, definition.solc ?? '>=0.5.0')
}

/** @param {Case} each @param {Compiler} compiler */
function compileCase({ directory, definition }, { version, compile }) {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sol'))
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(join(directory, file), 'utf8') }]),
  )
  for (const path of definition.transactions.flatMap(({ imports = [] }) => imports)) {
    const isConsole = basename(path) === 'console.sol'
    const content = isConsole ? consoleLibrary() : readFileSync(join(directory, path), 'utf8')
    sources[basename(path)] = { content }
  }
  const settings = { optimizer: { enabled: false }, outputSelection: { '*': { '*': OUTPUT, '': ['ast'] } } }
  const input = { language: 'Solidity', sources, settings }
  const output = JSON.parse(compile(JSON.stringify(input)))
  const error = (output.errors ?? []).find((/** @type {any} */ { severity }) => severity === 'error')
  if (error !== undefined) throw new Error(error.formattedMessage)
  return { input, output, solcVersion: version }
}

/** @param {any} bytecode @param {Step} step @param {(string | null)[]} addresses */
function link({ object, linkReferences }, { libraries = {} }, addresses) {
  let code = object
  for (const [file, names] of Object.entries(linkReferences)) {
    for (const [name, places] of Object.entries(/** @type {any} */ (names))) {
      const address = addresses[libraries[file]?.[name] ?? -1]
      if (typeof address !== 'string') throw new Error(`no library ${file}:${name}`)
      for (const { start } of places) {
        code = `${code.slice(0, 2 * start)}${address.slice(2)}${code.slice(2 * start + 40)}`
      }
    }
  }
  return code
}

/** A parameter in the form that ethers takes: bytes may be lists, and negative numbers unsigned words. */
function toParameter(/** @type {{ type: string }} */ { type }, /** @type {any} */ value) {
  if (type === 'bytes' && Array.isArray(value)) return Uint8Array.from(value)
  const [, size] = /^bytes(\d+)$/.exec(type) ?? []
  if (size !== undefined) {
    const digits = value.slice(2)
    return `0x${(digits.length % 2 === 0 ? digits : `0${digits}`).padEnd(2 * Number(size), '0')}`
  }
  const [, bits] = /^int(\d+)$/.exec(type) ?? []
  return bits === undefined ? value : BigInt.asIntN(Number(bits), BigInt(value))
}

/** @param {any} inputs @param {any[]} params */
function toParameters(inputs, params) {
  return params.map((value, index) => toParameter(inputs[index], value))
}

/** @param {any} abi @param {any[]} params */
function encodeConstructor(abi, params) {
  const entry = abi.find((/** @type {any} */ { type }) => type === 'constructor')
  if (entry === undefined || params.length === 0) return ''
  return AbiCoder.defaultAbiCoder().encode(entry.inputs, toParameters(entry.inputs, params)).slice(2)
}

/** @param {any} abi @param {string} name @param {any[]} params */
function encodeFunction(abi, name, params) {
  const entry = abi.find(
    (/** @type {any} */ each) => each.name === name && each.inputs.length === params.length,
  )
  return new Interface([entry]).encodeFunctionData(name, toParameters(entry.inputs, params))
}

/**
 * The first difference between frames; `undefined` if there is none.
 * @param {readonly Frame[]} expected @param {readonly Frame[]} got
 */
function differenceOf(expected, got) {
  const show = (/** @type {readonly Frame[]} */ frames) => JSON.stringify(frames.map(normalised))
  return show(expected) === show(got) ? undefined : `expected ${show(expected)}, got ${show(got)}`
}

/** Hardhat leaves the name of a receive function with a modifier empty. @param {string | undefined} name */
function nameOf(name) {
  return name === '' ? '<receive>' : (name ?? '')
}

/** @param {Frame} frame */
function normalised({ type, sourceReference, message, value, errorCode }) {
  const { contract, file, function: name, line } = sourceReference ?? {}
  return {
    type,
    ...(sourceReference === undefined ? {} : { at: `${contract ?? ''}.${nameOf(name)} ${file}:${line}` }),
    message: message ?? '',
    ...(value === undefined ? {} : { value: `${value}` }),
    ...(errorCode === undefined ? {} : { errorCode }),
  }
}

/**
 * Sends the transactions of a case. Returns how it differs; `undefined` if it does not.
 * @param {Case} each @param {Compiler} compiler @param {StartChain} startChain
 * @returns {Promise<string | undefined>}
 */
export async function runStackTraceCase(each, compiler, startChain) {
  /** @type {ReturnType<typeof compileCase>} */
  let compilation
  try {
    compilation = compileCase(each, compiler)
  } catch (error) {
    return `it does not compile: ${/** @type {Error} */ (error).message}`
  }
  const { contracts } = compilation.output
  const chain = await startChain(compilation)
  /** @type {(string | null)[]} */
  const addresses = []
  /** @type {any[]} */
  const deployed = []
  for (const [index, step] of each.definition.transactions.entries()) {
    const { params = [], value = 0, gas = GAS } = step
    const isCreation = step.file !== undefined
    const contract = isCreation ? contracts[step.file ?? '']?.[step.contract ?? ''] : deployed[step.to ?? -1]
    if (contract === undefined) return `transaction ${index}: there is no contract for it`
    deployed.push(contract)
    const data = isCreation
      ? `0x${link(contract.evm.bytecode, step, addresses)}${encodeConstructor(contract.abi, params)}`
      : (step.data ??
        (step.function === undefined ? '0x' : encodeFunction(contract.abi, step.function, params)))
    const to = isCreation ? {} : { to: addresses[step.to ?? -1] ?? '' }
    const quantity = (/** @type {string | number} */ number) => `0x${BigInt(number).toString(16)}`
    const outcome = await chain.send({ data, ...to, value: quantity(value), gas: quantity(gas) })
    addresses.push(outcome.contractAddress)
    const difference = differenceOf(step.stackTrace ?? [], outcome.frames)
    if (outcome.isSuccess !== (step.stackTrace === undefined)) {
      return `transaction ${index}: ${outcome.isSuccess ? 'succeeded' : `failed: ${difference}`}`
    }
    if (difference !== undefined) return `transaction ${index}: ${difference}`
    const logs = step.consoleLogs?.map((parts) => parts.join(' '))
    if (logs !== undefined && logs.join('\n') !== outcome.consoleLogs.join('\n')) {
      return `transaction ${index}: expected the logs ${JSON.stringify(logs)}, got ${JSON.stringify(outcome.consoleLogs)}`
    }
  }
  return undefined
}
