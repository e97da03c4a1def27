// @ts-check
// Test of docs/recipes/hardhat.md: installs the projects of test/hardhat and the packed package in a temporary folder,
// and runs them on Hardhat's own chain (EDR) and on tickchain. What the two answer is told side by side.
//
//   npm run recipe:hardhat

import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findNode, npm } from '../benchmarks/comparison/peers.js'

const root = fileURLToPath(new URL('../', import.meta.url))

/** @typedef {'edr' | 'tickchain'} Chain */

export const CHAINS = /** @type {const} */ (['edr', 'tickchain'])

/** The packed package as a dependency of a folder. @param {string} folder @param {string} tarball */
function addPackage(folder, tarball) {
  const target = join(folder, 'node_modules/tickchain')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
}

/** Packs this package. @param {string} folder */
function pack(folder) {
  npm(process.execPath, root, ['pack', '--pack-destination', folder])
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  return join(folder, /** @type {string} */ (file))
}

/**
 * Runs programs of a project with a Node, which is also on the PATH of its child processes.
 * @param {string} node @param {string} folder
 */
function runnerIn(node, folder) {
  const env = (/** @type {Record<string, string>} */ more) => ({
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    // Of a test runner around this program.
    NODE_OPTIONS: '',
    NODE_TEST_CONTEXT: '',
    ...more,
  })
  return {
    node,
    folder,
    env,
    /** @param {readonly string[]} args @param {Record<string, string>} [more] @returns {string} */
    run(args, more = {}) {
      try {
        return execFileSync(node, args, { cwd: folder, encoding: 'utf8', env: env(more), stdio: 'pipe' })
      } catch (cause) {
        const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (cause)
        throw new Error(`${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause })
      }
    },
  }
}

/**
 * Installs both projects.
 * @param {(text: string) => void} [progress]
 */
export function installProjects(progress = () => undefined) {
  const directory = mkdtempSync(join(tmpdir(), 'tickchain-hardhat-'))
  const node = findNode(progress)
  const tarball = pack(directory)
  const made = ['hardhat3', 'hardhat2'].map((name) => {
    progress(`installing ${name}`)
    const folder = join(directory, name)
    cpSync(join(root, 'test/hardhat', name), folder, { recursive: true })
    // With the newer Node: npm skips optional packages that the running version does not support. Not `npm ci`: it
    // refuses a lock file without the packages of other platforms, which a registry may lack.
    npm(node, folder, ['install', '--no-save'])
    addPackage(folder, tarball)
    return folder
  })
  const [hardhat3 = '', hardhat2 = ''] = made
  // What the plugin is compiled with, to be compared with Hardhat's own types.
  cpSync(join(root, 'test/stand-ins/hardhat/types'), join(hardhat3, 'stand-in'), { recursive: true })
  return {
    hardhat3: runnerIn(node, hardhat3),
    // The running Node, which may be the oldest that the package supports.
    hardhat2: runnerIn(process.execPath, hardhat2),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** @typedef {ReturnType<typeof installProjects>} Projects */
/** @typedef {Projects['hardhat3']} Project */

const HARDHAT_3 = 'node_modules/hardhat/dist/src/cli.js'
const HARDHAT_2 = 'node_modules/hardhat/internal/cli/cli.js'

/** The command line of Hardhat 3 with a toolbox. @param {'viem' | 'ethers'} toolbox @param {readonly string[]} args */
function hardhat3(toolbox, args) {
  return [HARDHAT_3, '--config', `${toolbox}.config.ts`, ...args]
}

/** Compiles the contracts and checks the types of the plugin. @param {Project} project */
export function prepare(project) {
  project.run(hardhat3('viem', ['build']))
  project.run(['node_modules/typescript/lib/tsc.js', '-p', '.'])
}

/** Runs the tests of a toolbox, and returns what it prints. @param {Project} project @param {'viem' | 'ethers'} toolbox @param {Chain} chain */
export function testWith(project, toolbox, chain) {
  return project.run(hardhat3(toolbox, ['test', '--no-compile']), { CHAIN: chain })
}

/** Deploys by Ignition, and returns what it prints. @param {Project} project @param {'viem' | 'ethers'} toolbox @param {Chain} chain */
export function deployWith(project, toolbox, chain) {
  return project.run(hardhat3(toolbox, ['ignition', 'deploy', 'ignition/modules/Counter.ts']), {
    CHAIN: chain,
  })
}

/** What connections answer under each setting. @param {Project} project @param {Chain} chain @returns {Record<string, unknown>} */
export function factsOf(project, chain) {
  const file = join(project.folder, `facts-${chain}.json`)
  project.run(hardhat3('viem', ['run', '--no-compile', 'facts.ts']), { CHAIN: chain, FACTS: file })
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The statistics of gas. @param {Project} project @param {Chain} chain @returns {unknown} */
export function gasOf(project, chain) {
  const file = join(project.folder, `gas-${chain}.json`)
  const tests = ['test', '--no-compile', 'nodejs', 'viem/reports.js', 'viem/counter.ts']
  project.run(hardhat3('viem', ['--gas-stats-json', file, ...tests]), { CHAIN: chain })
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The lines that ran, as lcov. @param {Project} project @param {Chain} chain */
export function coverageOf(project, chain) {
  project.run(hardhat3('viem', ['--coverage', 'test', 'nodejs', 'viem/reports.js', 'viem/counter.ts']), {
    CHAIN: chain,
  })
  return readFileSync(join(project.folder, 'coverage/lcov.info'), 'utf8')
}

/** The tests of the project of Hardhat 2. @param {Project} project @param {Chain} chain */
export function test2(project, chain) {
  return project.run([HARDHAT_2, 'test'], { CHAIN: chain })
}

/** Requests whose answers are errors, too. */
const ASKED = [
  ['eth_chainId', []],
  ['eth_unheardOf', []],
  ['eth_sendTransaction', [{ to: `0x${'00'.repeat(19)}b0`, value: '0x1' }]],
  ['eth_call', [{ data: '0x60006000fd' }]],
  ['eth_sendTransaction', [{ data: '0x60006000fd', gas: '0x20000' }]],
  ['eth_blockNumber', []],
]

/** What `hardhat node` answers. @param {Project} project @param {readonly string[]} args @param {Chain} chain @param {number} port */
async function answersOf({ node, folder, env }, args, chain, port) {
  const server = spawn(node, [...args, '--port', `${port}`], {
    cwd: folder,
    env: env({ CHAIN: chain }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  server.stdout.on('data', (text) => {
    printed += text
  })
  const ended = new Promise((resolve) => server.once('close', resolve))
  try {
    while (!/Started HTTP/.test(printed)) {
      if (server.exitCode !== null) throw new Error(`hardhat node ended:\n${printed}`)
      await wait(50)
    }
    const answers = []
    for (const [id, [method, params]] of ASKED.entries()) {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
      answers.push(await response.json())
    }
    // Blocks of an interval are made in real time.
    const ask = async (/** @type {string} */ method, /** @type {unknown[]} */ params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
      return /** @type {any} */ (await response.json()).result
    }
    const before = Number(await ask('eth_blockNumber', []))
    await ask('evm_setIntervalMining', [200])
    while (Number(await ask('eth_blockNumber', [])) < before + 2) await wait(50)
    return answers
  } finally {
    server.kill()
    await ended
  }
}

/** Answers of `hardhat node` of Hardhat 3. @param {Project} project @param {Chain} chain @param {number} port */
export function node3(project, chain, port) {
  return answersOf(project, hardhat3('viem', ['node']), chain, port)
}

/** Answers of `hardhat node` of Hardhat 2. @param {Project} project @param {Chain} chain @param {number} port */
export function node2(project, chain, port) {
  return answersOf(project, [HARDHAT_2, 'node'], chain, port)
}

async function main() {
  const projects = installProjects(console.log)
  const { hardhat3: project, hardhat2: project2 } = projects
  prepare(project)
  for (const toolbox of /** @type {const} */ (['viem', 'ethers'])) {
    /** @type {Record<string, number>} */
    const seconds = {}
    for (const chain of CHAINS) {
      console.log(`\n${toolbox} on ${chain}\n${testWith(project, toolbox, chain).trim()}`)
      deployWith(project, toolbox, chain)
      // The best of three.
      seconds[chain] = Math.min(...[1, 2, 3].map(() => timeOf(() => testWith(project, toolbox, chain))))
    }
    const { edr = 0, tickchain = 0 } = seconds
    console.log(
      `\n${toolbox}: ${tickchain.toFixed(2)} s against ${edr.toFixed(2)} s, ${(tickchain / edr).toFixed(2)} times`,
    )
  }
  const [facts, ours] = CHAINS.map((chain) => factsOf(project, chain))
  for (const [name, fact] of Object.entries(facts ?? {})) {
    const [there, here] = [JSON.stringify(fact), JSON.stringify(ours?.[name])]
    console.log(
      there === here ? `same       ${name}` : `different  ${name}\n  EDR       ${there}\n  tickchain ${here}`,
    )
  }
  for (const chain of CHAINS) console.log(`\nHardhat 2 on ${chain}\n${test2(project2, chain).trim()}`)
  projects.remove()
}

/** The seconds that something takes. @param {() => void} run */
function timeOf(run) {
  const from = performance.now()
  run()
  return (performance.now() - from) / 1000
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
