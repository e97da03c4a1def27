// @ts-check
// The compared chains behind one interface: a request that returns its result or throws.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { peersFolder } from './peers.js'

/**
 * @typedef {(method: string, params?: readonly unknown[]) => Promise<any>} Request
 * @typedef {object} Subject
 * @property {Request} request
 * @property {() => number} memory bytes of the process that the chain lives in
 * @property {() => unknown} close
 * @property {string} [version] where it does not tell by web3_clientVersion
 */

export const MNEMONIC = 'test test test test test test test test test test test junk'
const BLOCK_GAS_LIMIT = 100_000_000

/** A module of a separately installed package. @param {string} name @returns {Promise<any>} */
function importPeer(name) {
  const { resolve } = createRequire(new URL('package.json', peersFolder))
  return import(pathToFileURL(resolve(name)).href)
}

function ownMemory() {
  const { gc } = /** @type {{ gc?: () => void }} */ (globalThis)
  gc?.()
  return process.memoryUsage.rss()
}

/** @param {Record<string, unknown>} [options] @returns {Promise<Subject>} */
export async function startTickchain(options = {}) {
  const { createEmulator } = await import('tickchain')
  return tickchainSubject(createEmulator, options)
}

/** The same, of which only hashes and signatures are timed. @returns {Promise<Subject>} */
async function startLimit() {
  const { createTimedEmulator } = await import('./limit.js')
  return tickchainSubject(createTimedEmulator, {})
}

/** @param {typeof import('tickchain').createEmulator} create @param {Record<string, unknown>} options @returns {Promise<Subject>} */
async function tickchainSubject(create, options) {
  const chain = await create({
    production: 'auto',
    genesis: { gasLimit: BLOCK_GAS_LIMIT },
    ...options,
  })
  return {
    request: (method, params = []) => chain.request(method, params),
    memory: ownMemory,
    close: () => chain.dispose(),
  }
}

/**
 * @param {Record<string, unknown>} [network]
 * @param {Record<string, unknown>} [config] of the project, besides its networks
 * @returns {Promise<Subject>}
 */
export async function startHardhat(network = {}, config = {}) {
  const { createHardhatRuntimeEnvironment } = await importPeer('hardhat/hre')
  const defaults = { type: 'edr-simulated', chainType: 'l1', blockGasLimit: BLOCK_GAS_LIMIT }
  const hre = await createHardhatRuntimeEnvironment({
    ...config,
    networks: { bench: { ...defaults, ...network } },
  })
  const connection = await hre.network.create({ network: 'bench' })
  return {
    request: (method, params = []) => connection.provider.request({ method, params }),
    memory: ownMemory,
    close: () => connection.close(),
  }
}

/** The path of anvil's executable, in the package for this platform. */
export function anvilProgram() {
  const { resolve } = createRequire(new URL('package.json', peersFolder))
  const platform = process.platform === 'darwin' ? 'darwin' : process.platform === 'win32' ? 'win32' : 'linux'
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const suffix = platform === 'win32' ? '.exe' : ''
  return resolve(`@foundry-rs/anvil-${platform}-${architecture}/bin/anvil${suffix}`)
}

/** Memory of a process in kilobytes, from /proc. @param {number | undefined} pid */
function residentBytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024
  } catch {
    return Number.NaN
  }
}

/** JSON-RPC over HTTP. @param {string} url @returns {Request} */
export function requestOver(url) {
  let id = 0
  return async (method, params = []) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    const { error, result } = await response.json()
    if (error !== undefined) throw Object.assign(new Error(error.message), error)
    return result
  }
}

/** @returns {Promise<Subject>} */
export async function startAnvil() {
  const program = spawn(anvilProgram(), ['--port', '0', '--gas-limit', `${BLOCK_GAS_LIMIT}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It would outlive a process that fails.
  process.once('exit', () => program.kill())
  let printed = ''
  let url = ''
  for await (const chunk of program.stdout) {
    printed += chunk
    const found = /Listening on (\S+)/.exec(printed)
    if (found === null) continue
    url = `http://${found[1]}`
    break
  }
  if (url === '') throw new Error(`anvil did not start: ${printed}`)
  return {
    request: requestOver(url),
    memory: () => residentBytes(program.pid),
    async close() {
      program.kill()
      await once(program, 'exit')
    },
  }
}

/** @returns {Promise<Subject>} */
export async function startGanache() {
  const { default: ganache } = await importPeer('ganache')
  const provider = ganache.provider({
    wallet: { mnemonic: MNEMONIC, defaultBalance: 10_000 },
    chain: { chainId: 31_337 },
    miner: { blockGasLimit: BLOCK_GAS_LIMIT, defaultGasPrice: 2_000_000_000, callGasLimit: BLOCK_GAS_LIMIT },
    logging: { quiet: true },
  })
  return {
    request: (method, params = []) => provider.request({ method, params: [...params] }),
    memory: ownMemory,
    close: () => provider.disconnect(),
  }
}

/** @type {Readonly<Record<string, (options?: any) => Promise<Subject>>>} */
export const SUBJECTS = {
  tickchain: startTickchain,
  Hardhat: startHardhat,
  anvil: startAnvil,
  Ganache: startGanache,
  limit: startLimit,
}
