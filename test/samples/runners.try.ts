// docs/recipes/other-runners.md: test runners, clients and code generators, with types as strict as a user can have.

import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Token } from '../../site/examples/contracts.js'
import { nodeOf } from '../node-versions.ts'
import { read } from '../tidy/repository.ts'
import { COMPILER, filesWithErrors, installProject, type Project, SAMPLES } from './project.ts'

/** The names of a platform in packages of binaries. */
const isArm = process.arch === 'arm64'
const BUN = `${process.platform === 'win32' ? 'windows' : process.platform}-${isArm ? 'aarch64' : process.arch}`
const DENO = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`

const TSX = ['node', '--import', 'tsx', '--test', 'token.test.ts']
const VITEST = ['node', 'node_modules/vitest/vitest.mjs', 'run']
const JEST = 'node_modules/jest/bin/jest.js'
const TYPECHAIN = ['--target', 'ethers-v6', '--node16-modules', '--out-dir', 'types', 'token.json']

interface Sample {
  /** Writes sources that its tests import. */
  readonly generator?: readonly string[]
  readonly commands: readonly (readonly string[])[]
  /** Fences of pages of docs/recipes, as files: a name in their first line, or a module that they import, to a file. */
  readonly recipes?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const setUp = (test: string, files = {}) => ({
  'shared-setup.md': { 'chain.setup.ts': 'chain.setup.ts', [test]: 'vault.test.ts', ...files },
})

const RUNNERS: Record<string, Sample> = {
  'jest-cjs': { commands: [['node', JEST]], recipes: setUp('vault.jest.ts') },
  'jest-esm': {
    commands: [['node', '--experimental-vm-modules', JEST]],
    recipes: {
      ...setUp('vault.jest.ts'),
      'other-runners.md': { '@jest/globals': 'recipe.test.js' },
    },
  },
  mocha: { commands: [['node', '--import', 'tsx', 'node_modules/mocha/bin/mocha.js', 'token.test.ts']] },
  'node-test': { commands: [TSX, ['node', '--test', 'required.test.cjs']] },
  bun: { commands: [[`node_modules/@oven/bun-${BUN}/bin/bun`, 'test']] },
  deno: { commands: [[`node_modules/@deno/${DENO}/deno`, 'test', '--allow-env', '--allow-read']] },
  vitest: {
    commands: [VITEST],
    recipes: setUp('vault.test.ts', { 'vitest.config.ts': 'vitest.config.ts' }),
  },
  // The oldest that is supported.
  'vitest-3': {
    commands: [VITEST],
    recipes: setUp('vault.test.ts', { 'vitest.config.ts': 'vitest.config.ts' }),
  },
  // It needs Node 22.
  'vitest-5': {
    commands: [['node24', ...VITEST.slice(1)]],
    recipes: setUp('vault.test.ts', { 'vitest.config.ts': 'vitest.config.ts' }),
  },
  'account-abstraction': {
    commands: [VITEST],
    recipes: {
      'account-abstraction.md': {
        'entry-point.ts': 'entry-point.ts',
        'bundler.ts': 'bundler.ts',
        'account.test.ts': 'account.test.ts',
      },
    },
  },
  web3: { commands: [TSX] },
  ethers: { commands: [TSX] },
  typechain: { generator: ['node', 'node_modules/typechain/dist/cli/cli.js', ...TYPECHAIN], commands: [TSX] },
  'wagmi-cli': {
    generator: ['node', 'node_modules/@wagmi/cli/dist/esm/cli.js', 'generate'],
    commands: [TSX],
  },
}

/** The compiled contract, as text of a module and as an artifact. */
async function writeToken(folder: string): Promise<void> {
  const literal = (value: unknown): string => `${JSON.stringify(value)} as const`
  const text = `export const Token = { abi: ${literal(Token.abi)}, bytecode: ${literal(Token.bytecode)} }\n`
  await writeFile(join(folder, 'token.ts'), text)
  await writeFile(join(folder, 'token.json'), JSON.stringify({ contractName: 'Token', ...Token }))
}

async function writeFences(folder: string, page: string, files: Readonly<Record<string, string>>) {
  const fences = [...read(`docs/recipes/${page}`).matchAll(/^```(?:ts|js)\b.*\n([\s\S]*?)^```/gm)]
  for (const [key, file] of Object.entries(files)) {
    const found = fences.find(
      ([, source = '']) => source.startsWith(`// ${key}\n`) || source.includes(`from '${key}'`),
    )
    if (found === undefined) throw new Error(`${page} has no ${key}`)
    await writeFile(join(folder, file), found[1] ?? '')
  }
}

/** Files that several samples have in common. */
async function writeShared(folder: string, name: string): Promise<void> {
  const shared = (file: string): Promise<void> =>
    cp(join(SAMPLES, 'runners/shared', file), join(folder, file.replace(/^.*\//, '')))
  const manifest = await readFile(join(SAMPLES, 'runners', name, 'package.json'), 'utf8')
  if ('viem' in JSON.parse(manifest).dependencies) await shared('scenario.ts')
  for (const runner of ['jest', 'vitest'])
    if (name.startsWith(runner)) await shared(`${runner}/token.test.ts`)
  // Deno has a compiler of its own, and types that only it knows.
  if (name !== 'deno') for (const file of ['strict.json', 'tsconfig.json']) await shared(file)
}

/** The module resolutions in which the types of a sample are checked. */
function resolutionsOf(name: string): string[][] {
  const nodenext = ['-p', '.', '--module', 'nodenext', '--moduleResolution', 'nodenext']
  const bundler = ['-p', '.', '--module', 'esnext', '--moduleResolution', 'bundler']
  // The declarations of vitest 3 and of its chai do not fit each other.
  if (name === 'deno' || name === 'vitest-3') return []
  return name === 'jest-cjs' ? [nodenext, bundler, ['-p', 'tsconfig.node16.json']] : [nodenext, bundler]
}

async function tryProject({ folder, execute }: Project, { generator, commands }: Sample): Promise<void> {
  const start = async ([program = '', ...args]: readonly string[]): Promise<string> => {
    if (program === 'node') return execute(process.execPath, ...args)
    return execute(program === 'node24' ? await nodeOf('24.21.0', folder) : join(folder, program), ...args)
  }
  if (generator !== undefined) await start(generator)
  for (const command of commands) await expect(start(command)).resolves.toBeTypeOf('string')
}

test.for(Object.keys(RUNNERS))('%s works with the packed package, and its types are right', async (name) => {
  const sample = RUNNERS[name] as Sample
  const project = await installProject(`runners/${name}`, async (folder) => {
    await writeShared(folder, name)
    await writeToken(folder)
    for (const [page, files] of Object.entries(sample.recipes ?? {})) await writeFences(folder, page, files)
  })
  try {
    await tryProject(project, sample)
    for (const flags of resolutionsOf(name))
      expect(await filesWithErrors(project, flags, COMPILER), flags.join(' ')).toEqual([])
  } finally {
    await project.close()
  }
})
