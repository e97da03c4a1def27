// @ts-check
// Test runners and code generators with the packed package: installs each project of samples/runners into a temporary
// directory, checks its types as strictly as a user can, and runs its tests. Removes the directory if everything passes.
//
//   npm run try:runners [-- NAME…]

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Token } from '../site/examples/contracts.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const samples = join(root, 'samples/runners')
const compiler = join(root, 'node_modules/typescript/lib/tsc.js')

const npm = process.env['npm_execpath']
if (npm === undefined) throw new Error('run it as npm run try:runners')

/** The name of a platform in packages of binaries. */
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
const DENO = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`

const node = process.execPath
const TSX = [node, '--import', 'tsx', '--test', 'token.test.ts']
const VITEST = [node, 'node_modules/vitest/vitest.mjs', 'run']
const JEST = 'node_modules/jest/bin/jest.js'

/**
 * The commands of each project, without those of installation and types.
 * @type {Record<string, readonly (readonly string[])[]>}
 */
const COMMANDS = {
  'jest-cjs': [[node, JEST]],
  'jest-esm': [[node, '--experimental-vm-modules', JEST]],
  mocha: [[node, '--import', 'tsx', 'node_modules/mocha/bin/mocha.js', 'token.test.ts']],
  'node-test': [TSX, [node, '--test', 'required.test.cjs']],
  bun: [[`node_modules/@oven/bun-${PLATFORM}/bin/bun`, 'test']],
  deno: [[`node_modules/@deno/${DENO}/deno`, 'test', '--allow-env', '--allow-read']],
  vitest: [VITEST],
  'account-abstraction': [VITEST],
  web3: [TSX],
  ethers: [TSX],
  typechain: [TSX],
  'wagmi-cli': [TSX],
}

/** @type {Record<string, readonly string[]>} */
const GENERATORS = {
  typechain: [
    node,
    'node_modules/typechain/dist/cli/cli.js',
    '--target',
    'ethers-v6',
    '--node16-modules',
    '--out-dir',
    'types',
    'token.json',
  ],
  'wagmi-cli': [node, 'node_modules/@wagmi/cli/dist/esm/cli.js', 'generate'],
}

/** Both kinds of module resolution of a project that TypeScript checks. */
const RESOLUTIONS = [
  ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
]

/** @param {string} folder @param {readonly string[]} command */
function run(folder, [program = '', ...args]) {
  execFileSync(program, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '' } })
}

/** The compiled contract, as text of a module and as an artifact. @param {string} folder */
function writeToken(folder) {
  const literal = (/** @type {unknown} */ value) => `${JSON.stringify(value)} as const`
  const text = `export const Token = { abi: ${literal(Token.abi)}, bytecode: ${literal(Token.bytecode)} }\n`
  writeFileSync(join(folder, 'token.ts'), text)
  writeFileSync(join(folder, 'token.json'), JSON.stringify({ contractName: 'Token', ...Token }))
}

/**
 * Fences of a page of docs/recipes, as files: those with a name in their first line, and the first that imports a module.
 * @param {string} folder @param {string} page @param {Record<string, string>} files where to write which
 */
function writeFences(folder, page, files) {
  const text = readFileSync(join(root, 'docs/recipes', page), 'utf8')
  const fences = [...text.matchAll(/^```(?:ts|js)\b.*\n([\s\S]*?)^```/gm)].map(([, source = '']) => source)
  for (const [key, file] of Object.entries(files)) {
    const found = fences.find(
      (source) => source.startsWith(`// ${key}\n`) || source.includes(`from '${key}'`),
    )
    if (found === undefined) throw new Error(`${page} has no ${key}`)
    writeFileSync(join(folder, file), found)
  }
}

/** What is taken from the recipes. @param {string} name @param {string} folder */
function writeRecipes(name, folder) {
  const setup = { 'chain.setup.ts': 'chain.setup.ts' }
  if (name.startsWith('jest'))
    writeFences(folder, 'shared-setup.md', { ...setup, 'vault.jest.ts': 'vault.test.ts' })
  if (name === 'jest-esm') writeFences(folder, 'other-runners.md', { '@jest/globals': 'recipe.test.js' })
  if (name === 'account-abstraction') {
    const files = ['entry-point.ts', 'bundler.ts', 'account.test.ts'].map((file) => [file, file])
    writeFences(folder, 'account-abstraction.md', Object.fromEntries(files))
  }
  if (name === 'vitest') {
    const files = { 'vitest.config.ts': 'vitest.config.ts', 'vault.test.ts': 'vault.test.ts' }
    writeFences(folder, 'shared-setup.md', { ...setup, ...files })
  }
}

/** @param {string} name @param {string} directory @param {string} tarball */
function tryProject(name, directory, tarball) {
  const folder = join(directory, name)
  cpSync(join(samples, name), folder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const file of readdirSync(join(samples, 'shared'))) {
    const isForIt = file === 'scenario.ts' ? 'viem' in dependencies : name !== 'deno'
    if (isForIt && !existsSync(join(folder, file))) cpSync(join(samples, 'shared', file), join(folder, file))
  }
  writeToken(folder)
  writeRecipes(name, folder)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run(folder, [node, /** @type {string} */ (npm), 'ci', ...quiet, '--prefer-offline'])
  const installed = join(folder, 'node_modules/tickchain')
  mkdirSync(installed, { recursive: true })
  run(folder, ['tar', '-xzf', tarball, '-C', installed, '--strip-components=1'])
  const generator = GENERATORS[name]
  if (generator !== undefined) run(folder, generator)
  // Deno has a compiler of its own, and types that only it knows.
  for (const resolution of name === 'deno' ? [] : RESOLUTIONS)
    run(folder, [node, compiler, '-p', '.', ...resolution])
  for (const command of COMMANDS[name] ?? []) run(folder, command)
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => COMMANDS[name] === undefined)
if (unknown.length > 0)
  throw new Error(`no project is named ${unknown.join(', ')}: there are ${Object.keys(COMMANDS).join(', ')}`)

const directory = mkdtempSync(join(tmpdir(), 'tickchain-runners-'))
run(root, [node, npm, 'pack', '--silent', '--pack-destination', directory])
const tarball = join(directory, readdirSync(directory).find((file) => file.endsWith('.tgz')) ?? '')
const failed = []
for (const name of asked.length > 0 ? asked : Object.keys(COMMANDS)) {
  const startedAt = Date.now()
  console.log(`\n${name}`)
  try {
    tryProject(name, directory, tarball)
    console.log(`${name} passed, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  } catch (error) {
    console.error(/** @type {Error} */ (error).message)
    failed.push(name)
  }
}
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}, in ${directory}`)
  process.exitCode = 1
} else {
  rmSync(directory, { recursive: true })
  console.log('\nAll of it passed.')
}
