// @ts-check
// Replay of traffic recorded by NomicFoundation/edr (js/benchmark/scenarios). In a `.jsonl` file, gzipped or not, the
// first line is the provider's configuration, each further line one request. `expected.json` beside the files lists
// the indexes of the requests that must fail; all others must succeed. The caller passes the emulator.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { gunzipSync } from 'node:zlib'

/**
 * @typedef {{ method: string, params?: readonly unknown[] }} Request
 * @typedef {{ name: string, options: any, requests: Request[], expectedFailures: number[] | undefined }} Scenario
 * @typedef {{ request: (method: string, params?: any) => Promise<unknown> }} Chain
 * @typedef {(options: any) => Promise<Chain>} StartChain
 * @typedef {{ index: number, error: unknown }} Failure
 * @typedef {{ index: number, request: Request, expected: string, got: string }} Mismatch
 * @typedef {{ count: number, ms: number }} Share
 * @typedef {{ failures: Failure[], shares: Map<string, Share>, ms: number }} Replay
 */

const EXTENSION = /\.jsonl(\.gz)?$/

/** The scenario files of a path: the file itself, or those in the folder. @param {string} path @returns {string[]} */
export function scenarioFiles(path) {
  if (!statSync(path).isDirectory()) return EXTENSION.test(path) ? [path] : []
  return readdirSync(path)
    .filter((file) => EXTENSION.test(file))
    .sort()
    .map((file) => join(path, file))
}

/** Hardforks that have another name here, or no rules of their own. */
const HARDFORKS = new Map([
  ['muirglacier', 'istanbul'],
  ['arrowglacier', 'london'],
  ['grayglacier', 'london'],
  ['merge', 'paris'],
])

/** @param {string} name as EDR has it: "Arrow Glacier", "Merge", "Shanghai" */
function hardforkOf(name) {
  const lower = name.replaceAll(' ', '').toLowerCase()
  return HARDFORKS.get(lower) ?? lower
}

/** A recorded account; null means absent. @param {Record<string, any>} account */
function allocationOf({ balance, nonce, code, storage }) {
  return { balance: balance ?? 0, nonce: nonce ?? 0, code: code ?? '0x', storage: storage ?? {} }
}

/** @param {any} mining */
function productionOf({ autoMine, interval }) {
  if (autoMine) return { production: 'auto' }
  if (interval === null || interval === undefined) return { production: 'manual' }
  // For a random interval of EDR, its minimum is used.
  return { production: 'interval', blockTimeMs: interval.Fixed ?? interval.Range?.min ?? interval }
}

/**
 * The options of an emulator that behaves like the recorded provider.
 * @param {any} recorded the first line of a file
 * @returns {any} checked by createEmulator
 */
export function optionsOf({ providerConfig: config }) {
  const { mining, network, genesisState = {}, ownedAccounts } = config
  if (network?.Fork !== undefined || (config.fork ?? null) !== null) {
    throw new Error('the recorded chain is a fork of another, whose state is not in the file')
  }
  const genesisTime = Date.parse(network?.Local?.genesisBlockTime ?? config.initialDate)
  return {
    flavor: 'hardhat',
    chainId: config.chainId,
    hardfork: hardforkOf(config.hardfork),
    coinbase: config.coinbase,
    accounts: { privateKeys: ownedAccounts, balance: 0 },
    genesis: {
      timestamp: Math.floor(genesisTime / 1000),
      gasLimit: network?.Local?.genesisBlockGasLimit ?? mining.blockGasLimit ?? config.blockGasLimit,
      baseFeePerGas: config.initialBaseFeePerGas ?? undefined,
      alloc: Object.fromEntries(
        Object.entries(genesisState).map(([address, account]) => [address, allocationOf(account)]),
      ),
    },
    ...productionOf(mining),
    ordering: mining.memPool.order.toLowerCase() === 'fifo' ? 'fifo' : 'fees',
    allowUnlimitedContractSize: config.allowUnlimitedContractSize,
    allowBlocksWithSameTimestamp: config.allowBlocksWithSameTimestamp,
    throwOnTransactionFailures: config.bailOnTransactionFailure,
    throwOnCallFailures: config.bailOnCallFailure,
    defaultTransactionGasLimit: config.defaultTransactionGasLimit ?? undefined,
    limits: { minimumTip: config.minGasPrice },
  }
}

/** @param {string} file @returns {Scenario} */
export function readScenario(file) {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const [first, ...requests] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
  if (first?.providerConfig === undefined) throw new Error(`${file}: the first line is no configuration`)
  const name = basename(file).replace(EXTENSION, '')
  return {
    name,
    options: optionsOf(first),
    requests,
    expectedFailures: expectedFailuresOf(dirname(file), name),
  }
}

/** @param {string} directory @param {string} name @returns {number[] | undefined} */
function expectedFailuresOf(directory, name) {
  const files = readdirSync(directory)
  if (!files.includes('expected.json')) return undefined
  return JSON.parse(readFileSync(join(directory, 'expected.json'), 'utf8'))[name]?.expectedFailures
}

/**
 * Sends the requests one after another; returns the failures and the time of each method.
 * @param {Scenario} scenario
 * @param {StartChain} startChain
 * @param {(answered: number) => void} [onProgress]
 * @returns {Promise<Replay>}
 */
export async function replayScenario({ options, requests }, startChain, onProgress = () => undefined) {
  const chain = await startChain(options)
  const failures = []
  const shares = new Map()
  const startMs = performance.now()
  let ms = 0
  for (const [index, { method, params }] of requests.entries()) {
    try {
      await chain.request(method, params)
    } catch (error) {
      failures.push({ index, error })
    }
    const beforeMs = ms
    ms = performance.now() - startMs
    const share = shares.get(method) ?? { count: 0, ms: 0 }
    shares.set(method, { count: share.count + 1, ms: share.ms + ms - beforeMs })
    if (index % 1000 === 0) onProgress(index)
  }
  return { failures, shares, ms }
}

/** An error in one line. @param {unknown} error */
export function describeError(error) {
  const { code, message } = /** @type {{ code?: number, message?: string }} */ (error)
  return `${code ?? 'no code'}: ${message ?? error}`
}

/**
 * Requests that failed but must not, or must fail but did not.
 * @param {Scenario} scenario
 * @param {Failure[]} failures
 * @returns {Mismatch[]}
 */
export function mismatchesOf({ requests, expectedFailures = [] }, failures) {
  const failed = new Map(failures.map(({ index, error }) => [index, error]))
  const expected = new Set(expectedFailures)
  return requests.flatMap((request, index) => {
    if (failed.has(index) === expected.has(index)) return []
    return failed.has(index)
      ? [{ index, request, expected: 'a result', got: `error ${describeError(failed.get(index))}` }]
      : [{ index, request, expected: 'an error', got: 'a result' }]
  })
}
