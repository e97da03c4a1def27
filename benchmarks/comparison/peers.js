// @ts-check
// Installation of the other emulators into benchmarks/peers, with a Node that all of them support.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const peersFolder = new URL('../peers/', import.meta.url)

/** Hardhat's EDR needs Node 22. If this process is older, the latest LTS release is installed as a package. */
const LEAST_NODE = 22
const NODE_VERSION = '24.21.0'

/** @param {string} path */
const inFolder = (path) => fileURLToPath(new URL(path, peersFolder))

/** npm as a script for any Node. */
export function npmScript() {
  const script = process.env['npm_execpath']
  if (script === undefined)
    throw new Error('other emulators are installed by npm: start this with npm run or npx')
  return script
}

/** @param {string} node @param {string} folder @param {readonly string[]} args */
function npm(node, folder, args) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    execFileSync(node, [npmScript(), ...args, ...quiet], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } catch (cause) {
    throw new Error(`npm could not install what tickchain is compared with into ${folder}`, { cause })
  }
}

/** A Node for emulators that need a newer one. @param {(text: string) => void} progress */
export function findNode(progress) {
  if (Number.parseInt(process.versions.node, 10) >= LEAST_NODE) return process.execPath
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const binary = inFolder(
    `runtime/node_modules/${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`,
  )
  if (!existsSync(binary)) {
    progress(`installing Node ${NODE_VERSION}`)
    const install = ['install', '--prefix=runtime', '--no-save', '--no-package-lock']
    npm(process.execPath, inFolder('.'), [...install, `${name}@${NODE_VERSION}`])
  }
  return binary
}

/** Whether a package that package.json names is not there: it may have been added since the last installation. */
function isIncomplete() {
  const { dependencies } = JSON.parse(readFileSync(inFolder('package.json'), 'utf8'))
  return Object.keys(dependencies).some((name) => !existsSync(inFolder(`node_modules/${name}/package.json`)))
}

/**
 * Installs what is missing.
 * @param {(text: string) => void} progress
 * @returns {string} the Node that runs all of them
 */
export function installPeers(progress) {
  const node = findNode(progress)
  if (isIncomplete()) {
    progress('installing Hardhat, anvil, Ganache and supersim')
    // With the newer Node: npm skips optional packages that the running version does not support.
    // Not `npm ci`: it refuses a lock file without the packages of other platforms, which a registry may lack.
    npm(node, inFolder('.'), ['install', '--no-save'])
  }
  return node
}

/**
 * Installs tevm, which only its migration page needs, if it is missing.
 * @param {string} node
 */
export function installTevm(node) {
  const folder = fileURLToPath(new URL('../../test/migration/tevm/', import.meta.url))
  if (!existsSync(`${folder}node_modules/.package-lock.json`)) npm(node, folder, ['install', '--no-save'])
}
