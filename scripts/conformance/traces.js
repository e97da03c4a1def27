// @ts-check
// Replay of geth's tracer vectors (eth/tracers/internal/tracetest/testdata): the accounts before, the block, a raw
// transaction, and its trace. The caller passes the emulator.
//
// The transaction is traced in a block of these fields by debug_traceBlock: no pool takes one from before EIP-155, and
// no setting gives a block a difficulty.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromRlp, numberToHex, toRlp } from 'viem'
import { difference } from './vectors.js'

/** @typedef {`0x${string}`} Hex */

/**
 * @typedef {{
 *   genesis: Record<string, any>,
 *   context: Record<string, string>,
 *   input: string,
 *   tracerConfig?: object,
 *   result: any,
 * }} Recorded
 * @typedef {{ tracer: string, folder: string, name: string, recorded: Recorded }} TraceVector
 * @typedef {{ request: (method: string, params?: any) => Promise<any> }} Chain
 * @typedef {(options: any) => Promise<Chain>} StartChain
 */

/** Folder → tracer. */
const TRACERS = new Map([
  ['call_tracer', 'callTracer'],
  ['call_tracer_withLog', 'callTracer'],
  ['call_tracer_flat', 'flatCallTracer'],
  ['prestate_tracer', 'prestateTracer'],
  ['prestate_tracer_with_diff_mode', 'prestateTracer'],
  ['erc7562_tracer', 'erc7562Tracer'],
])

/** Whether a folder has vectors, in folders by tracer. @param {string} directory */
export function hasTraceVectors(directory) {
  return [...TRACERS.keys()].some((folder) => existsSync(join(directory, folder)))
}

/** @param {string} directory @returns {TraceVector[]} */
export function readTraceVectors(directory) {
  return [...TRACERS].flatMap(([folder, tracer]) => {
    const path = join(directory, folder)
    if (!existsSync(path)) return []
    const files = readdirSync(path).filter((file) => file.endsWith('.json'))
    return files.sort().map((file) => ({
      tracer,
      folder,
      name: file.slice(0, -'.json'.length),
      recorded: JSON.parse(readFileSync(join(path, file), 'utf8')),
    }))
  })
}

/** The fields of a recorded genesis that are options; its hashes follow from them. */
const GENESIS_FIELDS = [
  'alloc',
  'number',
  'timestamp',
  'gasLimit',
  'baseFeePerGas',
  'difficulty',
  'excessBlobGas',
  'blobGasUsed',
]

/** `eip155Block`, `shanghaiTime` and so on; Go reads them in any case. The DAO's move is at none of these blocks. */
const FORK = /^(?!dao|rip)[a-z0-9]+(Block|Time)$/i

/** A recorded chain configuration without engines. @param {Record<string, any>} config */
function configOf({ chainId, ...config }) {
  const forks = Object.entries(config).filter(([name]) => FORK.test(name))
  /** @type {Record<string, number>} */
  const named = Object.fromEntries(
    forks.map(([name, at]) => [`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`, at]),
  )
  // One is recorded with byzantium before it.
  const spuriousDragon = Math.min(
    named['eip158Block'] ?? 0,
    named['byzantiumBlock'] ?? Number.MAX_SAFE_INTEGER,
  )
  return { chainId, ...named, eip155Block: spuriousDragon, eip158Block: spuriousDragon }
}

/** The options of a chain whose next block has the recorded number. @param {Recorded} recorded */
function optionsOf({ genesis }) {
  const fields = GENESIS_FIELDS.filter((name) => genesis[name] !== undefined)
  return {
    accounts: [],
    production: 'manual',
    genesis: {
      ...Object.fromEntries(fields.map((name) => [name, genesis[name]])),
      config: configOf(genesis['config']),
    },
  }
}

const ZERO_HASH = `0x${'00'.repeat(32)}`

/** @param {string | number | undefined} value */
function quantity(value) {
  const number = BigInt(value ?? 0)
  return number === 0n ? '0x' : numberToHex(number)
}

/** How many fields a header has, by its forks. @param {Recorded} recorded */
function fieldCountOf({ genesis: { config }, context }) {
  const isAt = (/** @type {string} */ name, /** @type {string} */ place) =>
    config[name] !== undefined && BigInt(config[name]) <= BigInt(context[place] ?? 0)
  if (isAt('pragueTime', 'timestamp')) return 21
  if (isAt('cancunTime', 'timestamp')) return 20
  if (isAt('shanghaiTime', 'timestamp')) return 17
  return isAt('londonBlock', 'number') ? 16 : 15
}

/** The recorded block with its transaction as RLP; its roots are not checked. @param {Recorded} recorded @param {any} parent */
function blockOf(recorded, parent) {
  const { context, input } = recorded
  const raw = /** @type {Hex} */ (input.startsWith('0x') ? input : `0x${input}`)
  const header = [
    ...[parent.hash, ZERO_HASH, context['miner'], ZERO_HASH, ZERO_HASH, ZERO_HASH, `0x${'00'.repeat(256)}`],
    ...[quantity(context['difficulty']), quantity(context['number']), quantity(context['gasLimit']), '0x'],
    ...[quantity(context['timestamp']), '0x', ZERO_HASH, `0x${'00'.repeat(8)}`],
    ...[quantity(context['baseFeePerGas']), ZERO_HASH, '0x', '0x', ZERO_HASH, ZERO_HASH],
  ].slice(0, fieldCountOf(recorded))
  // A legacy transaction is a list in the list, a typed one a byte string.
  const transaction = raw.startsWith('0x0') ? raw : fromRlp(raw)
  const withdrawals = header.length >= 17 ? [[]] : []
  return toRlp(/** @type {any} */ ([header, [transaction], [], ...withdrawals]))
}

const ZERO_ADDRESS = `0x${'00'.repeat(20)}`

/** @param {unknown} value */
function isZero(value) {
  return value === ZERO_ADDRESS || value === '0x0' || value === '0x' || value === null
}

/**
 * The part of a flat frame that geth's test compares: its types have zeros for what is absent, and not the place of the
 * transaction.
 * @param {any} frame
 */
function comparedFrame({ action, result, error, subtraces, traceAddress, type }) {
  const nonZero = (/** @type {object} */ record) =>
    Object.fromEntries(Object.entries(record).filter(([, value]) => !isZero(value)))
  return { action: nonZero(action), result: nonZero(result ?? {}), error, subtraces, traceAddress, type }
}

/** A tree of calls whose first logs may lack their index, which is zero. @param {any} frame @returns {any} */
function comparedTree({ logs, calls, ...frame }) {
  return {
    ...frame,
    logs: logs?.map((/** @type {object} */ log) => ({ index: '0x0', ...log })),
    calls: calls?.map(comparedTree),
  }
}

/** @param {string} tracer @param {any} trace */
function compared(tracer, trace) {
  if (tracer === 'callTracer') return comparedTree(trace)
  return tracer === 'flatCallTracer' ? trace.map(comparedFrame) : trace
}

/**
 * Runs a vector on a chain of its own; what is wrong, or `undefined`.
 * @param {StartChain} startChain
 * @param {TraceVector} vector
 */
export async function runTraceVector(startChain, { tracer, recorded }) {
  const { tracerConfig = {}, result } = recorded
  const chain = await startChain(optionsOf(recorded))
  const parent = await chain.request('eth_getBlockByNumber', ['latest', false])
  const traces = await chain.request('debug_traceBlock', [
    blockOf(recorded, parent),
    { tracer, tracerConfig },
  ])
  const [{ result: trace }] = JSON.parse(JSON.stringify(traces))
  return difference(compared(tracer, result), compared(tracer, trace))
}
