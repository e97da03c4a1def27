// @ts-check
// Test of docs/recipes/hardhat.md: installs the projects of test/tools/hardhat and the packed package in a temporary folder,
// and runs them on Hardhat's own chain (EDR) and on tickchain. What the two answer is told side by side.
//
//   npm run recipe:hardhat

import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findNode, npmScript } from '../benchmarks/comparison/peers.js'

/** Nothing blocks: a test runner around this program would lose it. */
const execute = promisify(execFile)

const root = fileURLToPath(new URL('../', import.meta.url))

/** @typedef {'edr' | 'tickchain'} Chain */

export const CHAINS = /** @type {const} */ (['edr', 'tickchain'])

/** The packed package as a dependency of a folder. @param {string} folder @param {string} tarball */
async function addPackage(folder, tarball) {
  const target = join(folder, 'node_modules/tickchain')
  mkdirSync(target, { recursive: true })
  await execute('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
}

/** @param {string} node @param {string} cwd @param {readonly string[]} args */
async function npm(node, cwd, args) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await execute(node, [npmScript(), ...args, ...quiet], { cwd, maxBuffer: 1e8 })
}

/** Packs this package. @param {string} folder */
async function pack(folder) {
  await npm(process.execPath, root, ['pack', '--pack-destination', folder])
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
    /** @param {readonly string[]} args @param {Record<string, string>} [more] @returns {Promise<string>} */
    async run(args, more = {}) {
      try {
        const { stdout } = await execute(node, args, { cwd: folder, env: env(more), maxBuffer: 1e8 })
        return stdout
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
export async function installProjects(progress = () => undefined) {
  const directory = mkdtempSync(join(tmpdir(), 'tickchain-hardhat-'))
  const node = findNode(progress)
  const tarball = await pack(directory)
  const made = []
  for (const name of ['hardhat3', 'hardhat2']) {
    progress(`installing ${name}`)
    const folder = join(directory, name)
    cpSync(join(root, 'test/tools/hardhat', name), folder, { recursive: true })
    // Those that both have.
    cpSync(join(root, 'test/tools/hardhat/contracts'), join(folder, 'contracts'), { recursive: true })
    // With the newer Node: npm skips optional packages that the running version does not support. Of EDR's binaries the
    // lock file names those for Linux on x64 only: `npm ci` refuses one with packages that the registry lacks.
    await npm(node, folder, ['ci'])
    await addPackage(folder, tarball)
    made.push(folder)
  }
  const [hardhat3 = '', hardhat2 = ''] = made
  // What the plugin is compiled with, to be compared with Hardhat's own types.
  cpSync(join(root, 'test/stand-ins/hardhat/types'), join(hardhat3, 'stand-in'), { recursive: true })
  return {
    hardhat3: runnerIn(node, hardhat3),
    // The running Node, which may be the oldest that the package supports.
    hardhat2: runnerIn(process.execPath, hardhat2),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** The configuration on the page, by its first line. @param {string} name */
function configOnPage(name) {
  const page = readFileSync(join(root, 'docs/recipes/hardhat.md'), 'utf8')
  const fences = [...page.matchAll(/^```(?:ts|js)(?: project)?\n([\s\S]*?)^```/gm)].map(
    (fence) => fence[1] ?? '',
  )
  const found = fences.find((source) => source.startsWith(`// ${name}\n`))
  if (found === undefined) throw new Error(`docs/recipes/hardhat.md has no ${name}`)
  return found
}

/** @typedef {Awaited<ReturnType<typeof installProjects>>} Projects */
/** @typedef {Projects['hardhat3']} Project */

const HARDHAT_3 = 'node_modules/hardhat/dist/src/cli.js'
const HARDHAT_2 = 'node_modules/hardhat/internal/cli/cli.js'

/** The command line of Hardhat 3 with a toolbox. @param {'viem' | 'ethers'} toolbox @param {readonly string[]} args */
function hardhat3(toolbox, args) {
  return [HARDHAT_3, '--config', `${toolbox}.config.ts`, ...args]
}

/** Compiles the contracts and checks the types of the plugin. @param {Project} project */
export async function prepare(project) {
  await project.run(hardhat3('viem', ['build']))
  await project.run(['node_modules/typescript/lib/tsc.js', '-p', '.'])
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

/** What connections answer under each setting. @param {Project} project @param {Chain} chain @returns {Promise<Record<string, unknown>>} */
export async function factsOf(project, chain) {
  const file = join(project.folder, `facts-${chain}.json`)
  await project.run(hardhat3('viem', ['run', '--no-compile', 'facts.ts']), { CHAIN: chain, FACTS: file })
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The statistics of gas. @param {Project} project @param {Chain} chain @returns {Promise<unknown>} */
export async function gasOf(project, chain) {
  const file = join(project.folder, `gas-${chain}.json`)
  const tests = ['test', 'nodejs', '--no-compile', 'viem/reports.js', 'viem/counter.ts']
  await project.run(hardhat3('viem', ['--gas-stats-json', file, ...tests]), { CHAIN: chain })
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The lines that ran, as lcov. @param {Project} project @param {Chain} chain */
export async function coverageOf(project, chain) {
  await project.run(
    hardhat3('viem', ['--coverage', 'test', 'nodejs', 'viem/reports.js', 'viem/counter.ts']),
    {
      CHAIN: chain,
    },
  )
  return readFileSync(join(project.folder, 'coverage/lcov.info'), 'utf8')
}

/** Runs tests by the configurations of the page, with the compiler of npm. @param {Projects} projects */
export async function testPage({ hardhat3: project, hardhat2: project2 }) {
  const compiler = JSON.stringify(join(project.folder, 'node_modules/solc/soljson.js'))
  const solidity = `solidity: { version: '0.8.34', path: ${compiler} }`
  const config = configOnPage('hardhat.config.ts').replace("solidity: '0.8.34'", solidity)
  writeFileSync(join(project.folder, 'page.config.ts'), config)
  const tests = ['test', 'nodejs', '--no-compile', 'viem/counter.ts']
  const printed = await project.run([HARDHAT_3, '--config', 'page.config.ts', ...tests])
  writeFileSync(join(project2.folder, 'page.config.js'), configOnPage('hardhat.config.js'))
  const args = ['--config', 'page.config.js', 'test', '--no-compile', 'test/network-helpers.js']
  return [printed, await project2.run([HARDHAT_2, ...args], { CHAIN: 'tickchain' })]
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

/** Writes the configurations without the plugin. @param {Project} project */
function writePlainConfigs({ folder }) {
  for (const name of ['base', 'viem', 'ethers']) {
    const source = readFileSync(join(folder, `${name}.config.ts`), 'utf8')
    const plain = source
      .replace(/^import tickchain.*\n/m, '')
      .replace(', tickchain]', ']')
      .replace('./base.', './plain-base.')
      .replace(/^ {2}networks: \{[\s\S]*?^ {2}\},\n/m, '')
    writeFileSync(join(folder, `plain-${name}.config.ts`), plain)
  }
}

/** Writes the seconds of the processor that a process has used. */
const COUNTER = `
  import { writeFileSync } from 'node:fs'
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeFileSync(process.env.SECONDS, String((user + system) / 1e6))
  })`

/**
 * The seconds, of the processor and of the wall, of a run of the tests: on EDR without the plugin.
 * @param {Project} project @param {'viem' | 'ethers'} toolbox @param {Chain} chain
 */
async function timesOf(project, toolbox, chain) {
  const config = chain === 'edr' ? `plain-${toolbox}` : toolbox
  const file = join(project.folder, 'seconds')
  const counter = ['--import', `data:text/javascript,${encodeURIComponent(COUNTER)}`]
  const args = [...counter, HARDHAT_3, '--config', `${config}.config.ts`, 'test', '--no-compile']
  const from = performance.now()
  await project.run(args, { CHAIN: chain, SECONDS: file })
  return { wall: (performance.now() - from) / 1000, processor: Number(readFileSync(file, 'utf8')) }
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** Medians of several runs on both chains in turn. @param {Project} project @param {'viem' | 'ethers'} toolbox */
async function compareTimes(project, toolbox) {
  writePlainConfigs(project)
  /** @type {Record<Chain, { wall: number, processor: number }>[]} */
  const runs = []
  for (let round = 0; round < 7; round++)
    runs.push({
      edr: await timesOf(project, toolbox, 'edr'),
      tickchain: await timesOf(project, toolbox, 'tickchain'),
    })
  for (const kind of /** @type {const} */ (['processor', 'wall'])) {
    const [edr, tickchain] = CHAINS.map((chain) => median(runs.map((run) => run[chain][kind])))
    const ratio = Number(tickchain) / Number(edr)
    console.log(
      `${toolbox}, ${kind}: ${tickchain?.toFixed(2)} s against ${edr?.toFixed(2)} s, ${ratio.toFixed(2)} times`,
    )
  }
}

async function main() {
  const projects = await installProjects(console.log)
  const { hardhat3: project, hardhat2: project2 } = projects
  await prepare(project)
  for (const toolbox of /** @type {const} */ (['viem', 'ethers'])) {
    for (const chain of CHAINS) {
      console.log(`\n${toolbox} on ${chain}\n${(await testWith(project, toolbox, chain)).trim()}`)
      await deployWith(project, toolbox, chain)
    }
    await compareTimes(project, toolbox)
  }
  const [facts, ours] = [await factsOf(project, 'edr'), await factsOf(project, 'tickchain')]
  for (const [name, fact] of Object.entries(facts)) {
    const [there, here] = [JSON.stringify(fact), JSON.stringify(ours[name])]
    console.log(
      there === here ? `same       ${name}` : `different  ${name}\n  EDR       ${there}\n  tickchain ${here}`,
    )
  }
  for (const chain of CHAINS) console.log(`\nHardhat 2 on ${chain}\n${(await test2(project2, chain)).trim()}`)
  await projects.remove()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
