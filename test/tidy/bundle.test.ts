// What is published: the entries of package.json in as few modules as there can be, as scripts/bundle.js writes them.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBundle } from '../../scripts/bundle.js'
import { read, sourceFiles } from './repository.ts'

type Chunk = Awaited<ReturnType<typeof writeBundle>>[number]

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder = ''
let chunks: readonly Chunk[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickchain-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  chunks = await writeBundle(join(folder, 'dist'))
})

afterAll(() => rm(folder, { recursive: true }))

const isOwn = (chunk: Chunk | undefined): chunk is Chunk => chunk !== undefined
const chunkOf = (fileName: string) => chunks.find((chunk) => chunk.fileName === fileName)

/** What importing a file of the bundle loads, but for `import()`: files of the bundle, and names in packages. */
function loadedBy(fileName: string): {
  readonly files: readonly string[]
  readonly packages: readonly string[]
} {
  const files = new Set([fileName])
  const packages = new Set<string>()
  for (const file of files) {
    for (const imported of chunkOf(file)?.imports ?? [])
      (isOwn(chunkOf(imported)) ? files : packages).add(imported)
  }
  return { files: [...files].sort(), packages: [...packages].sort() }
}

/** The sources in a file of the bundle, from the root. */
function sourcesIn(fileName: string): string[] {
  return (chunkOf(fileName)?.moduleIds ?? [])
    .filter((id) => id.startsWith(root))
    .map((id) => id.slice(root.length))
}

/** Runs a program beside the bundle in a process of its own. */
async function run(program: string, ...flags: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--input-type=module', '--eval', program],
    { cwd: folder },
  )
  return stdout
}

test.each([
  ['index.js', ['core.js', 'index.js'], ['@ethereumjs/rlp']],
  ['realtime.js', ['core.js', 'realtime.js'], ['@ethereumjs/rlp']],
  ['viem.js', ['subscribe.js', 'viem.js'], ['viem', 'viem/actions']],
  ['ethers.js', ['ethers.js', 'subscribe.js'], ['ethers']],
])('importing %s loads %j', (entry, files, packages) => {
  expect(loadedBy(entry)).toEqual({ files, packages })
})

test.each(['vitest.js', 'matchers.js'])('importing %s adds one file to those of the library', (entry) => {
  const { files } = loadedBy(entry)
  expect(files).toContain('core.js')
  expect(files).toHaveLength(3)
})

test('every export of package.json is in the bundle', () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { default?: string }> }
  const targets = Object.values(exports).flatMap(({ default: target }) => target ?? [])
  const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => `./dist/bundle/${fileName}`)
  expect(entries.sort()).toEqual(targets.sort())
})

test('every source is in one file of the bundle, so that what it keeps is there once', () => {
  const sources = chunks.flatMap(({ fileName }) => sourcesIn(fileName))
  expect(sources.length).toBeGreaterThan(sourceFiles().length / 2)
  expect(new Set(sources).size).toBe(sources.length)
})

test('what is loaded when it is first used is apart', () => {
  const core = sourcesIn('core.js')
  expect(core).toContain('src/emulator.ts')
  for (const lazy of [
    'src/execution/create-machine.ts',
    'src/execution/access-list.ts',
    'src/interpreter/generated.ts',
    'src/chain/simulate.ts',
    'src/node/dump.ts',
    'src/node/import.ts',
    'src/primitives/gzip.ts',
    'src/mnemonic.ts',
  ]) {
    expect(core, lazy).not.toContain(lazy)
    expect(
      chunks.flatMap(({ fileName }) => sourcesIn(fileName)),
      lazy,
    ).toContain(lazy)
  }
})

test('nothing in it is for Node alone', () => {
  for (const { imports, dynamicImports, code, fileName } of chunks) {
    expect([...imports, ...dynamicImports].filter((specifier) => specifier.startsWith('node:'))).toEqual([])
    expect(code, fileName).not.toMatch(/import\.meta|\brequire\(/)
  }
})

test('its entries share what they keep, and what is loaded late works', async () => {
  const program = `
    import { createEmulator, TickchainError } from './dist/index.js'
    import { chainMatchers } from './dist/matchers.js'
    import { startRealtime } from './dist/realtime.js'
    const chain = await createEmulator({ production: 'auto' })
    const [from, to] = await chain.request('eth_accounts')
    const hash = await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
    const { status } = await chain.request('eth_getTransactionReceipt', [hash])
    const { pass } = await chainMatchers(() => chain).toBeSealed.call({}, hash)
    const copy = await createEmulator({ state: await chain.dump() })
    const blockNumber = await copy.request('eth_blockNumber')
    let refused
    try { startRealtime(chain, { rate: -1 }) } catch (error) { refused = error }
    console.log(JSON.stringify([status, pass, blockNumber, refused instanceof TickchainError, refused.constructor.name]))
  `
  expect(JSON.parse(await run(program))).toEqual(['0x1', true, '0x1', true, 'TickchainError'])
})

test('a stack trace names the lines of src/', async () => {
  const program = `
    import { createEmulator } from './dist/index.js'
    try { await createEmulator({ chainId: 0 }) } catch (error) { console.log(error.stack) }
  `
  const stack = await run(program, '--enable-source-maps')
  const [, line = ''] = /at resolveOptions \(.*\/src\/options\.ts:(\d+):\d+\)/.exec(stack) ?? []
  const source = await readFile(join(root, 'src/options.ts'), 'utf8')
  expect(source.split('\n')[Number(line) - 1]).toMatch(/chainId/)
})
