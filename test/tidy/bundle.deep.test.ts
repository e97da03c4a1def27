// The published bundle: its modules, what each entry loads, and that it runs without installed packages.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { parseSync, Visitor } from 'rolldown/utils'
import { concat, type Hex, pad, sha256, size, toBytes, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBundle, writeRequired } from '../../scripts/bundle.js'
import { contractPackages } from '../../scripts/contract-licenses.js'
import { MOST_COLUMNS } from '../../scripts/short-lines.js'
import { METHODS, type MethodName } from '../../src/core/rpc/registry.ts'
import { createEmulator, type Emulator } from '../../src/index.ts'
import { PRECOMPILES, words } from '../contracts/precompile-calls.ts'
import { read, sourceFiles } from './repository.ts'

type Bundle = Awaited<ReturnType<typeof writeBundle>>
type Chunk = Bundle['chunks'][number]

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Nothing is installed there. */
let folder = ''
let chunks: readonly Chunk[] = []
let packages: Bundle['packages'] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickchain-'))
  ;({ chunks, packages } = await writeBundle(join(folder, 'dist')))
  await writeRequired(join(folder, 'dist/require'))
})

afterAll(() => rm(folder, { recursive: true }))

const isOwn = (chunk: Chunk | undefined): chunk is Chunk => chunk !== undefined
const chunkOf = (fileName: string) => chunks.find((chunk) => chunk.fileName === fileName)

/** The dynamic imports of the main chunk, which loads it. */
const LAZY = 'lazy.js'

/** What importing a file of the bundle loads, but for `import()`: files of the bundle, and names in packages. */
function loadedBy(fileName: string): {
  readonly files: readonly string[]
  readonly packages: readonly string[]
} {
  const files = new Set([fileName])
  const packages = new Set<string>()
  for (const file of files) {
    for (const imported of chunkOf(file)?.imports ?? [])
      if (imported !== LAZY) (isOwn(chunkOf(imported)) ? files : packages).add(imported)
  }
  return { files: [...files].sort(), packages: [...packages].sort() }
}

/** The sources in a file of the bundle, from the root. */
function sourcesIn(fileName: string): string[] {
  return (chunkOf(fileName)?.moduleIds ?? [])
    .filter((id) => id.startsWith(root))
    .map((id) => id.slice(root.length).replaceAll(sep, '/'))
}

/** The packages in a file of the bundle. */
function packagesIn(fileName: string): string[] {
  const names = (chunkOf(fileName)?.moduleIds ?? []).flatMap(
    (id) => /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]?.replace('\\', '/') ?? [],
  )
  return [...new Set(names)].sort()
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
  ['index.js', ['core.js', 'index.js'], []],
  ['realtime.js', ['core.js', 'realtime.js'], []],
  [
    'rollup.js',
    ['contracts.js', 'core.js', 'fflate.js', 'found-layers.js', 'l1-genesis-options.js', 'rollup.js'],
    [],
  ],
  ['create-evm.js', ['core.js', 'create-evm.js', 'rolldown-runtime.js'], []],
  [
    'reference-evm.js',
    ['core.js', 'create-evm.js', 'noble.js', 'reference-evm.js', 'rolldown-runtime.js'],
    [],
  ],
  ['viem.js', ['client-access.js', 'contracts.js', 'core.js', 'viem.js'], ['viem']],
  ['ethers.js', ['client-access.js', 'core.js', 'ethers.js'], ['ethers']],
  [
    'explore.js',
    [
      ...['core.js', 'decode-block.js', 'dump.js', 'encode-abi.js', 'explore.js', 'numbers.js'],
      ...['options.js', 'prepare.js', 'replay.js', 'rolldown-runtime.js', 'testing.js', 'typed-data.js'],
    ],
    ['fast-check'],
  ],
  [
    'explorer.js',
    ['debugger-styles.js', 'explorer.js', 'numbers.js', 'parts.js', 'styles.js', 'theme.js'],
    [],
  ],
])('importing %s loads %j', (entry, files, packages) => {
  expect(loadedBy(entry)).toEqual({ files, packages })
})

test.each(['vitest.js', 'matchers.js'])('importing %s adds one file to those of the library', (entry) => {
  const { files } = loadedBy(entry)
  expect(files).toContain('core.js')
  expect(files).toHaveLength(3)
})

test('what a first transaction loads is as small as docs/dependencies.md says', () => {
  const [, kilobytes] =
    /a first transaction loads less than (\d+) kB/.exec(read('docs/dependencies.md')) ?? []
  const files = new Set(['index.js', 'create-evm.js'].flatMap((entry) => loadedBy(entry).files))
  const sizes = [...files].map((file) => gzipSync(chunkOf(file)?.code ?? '', { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThan(Number(kilobytes))
})

test('the explorer is as small as docs/explorer.md says', () => {
  const [, kilobytes] = /`explorer\.js`[^.]*?(\d+) kB/.exec(read('docs/explorer.md')) ?? []
  const sizes = loadedBy('explorer.js').files.map((file) => gzipSync(chunkOf(file)?.code ?? '').length)
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThan(Number(kilobytes))
})

test('an explorer of a chain elsewhere loads nothing of a chain for its timeline and its debugger', () => {
  const files = ['timeline-strip.js', 'debugged.js'].flatMap((entry) => loadedBy(entry).files)
  expect(
    files.filter((file) => loadedBy('index.js').files.includes(file) && file !== 'rolldown-runtime.js'),
  ).toEqual([])
})

test('it needs nothing that is not its users’ own', () => {
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  const fromPackages = imported.filter((specifier) => chunkOf(specifier) === undefined)
  const others = fromPackages.filter((specifier) => !specifier.startsWith('node:') && specifier !== LAZY)
  const packageNames = new Set(others.map((specifier) => specifier.replace(/^(hardhat|vitest)\/.*/, '$1')))
  expect([...packageNames].sort()).toEqual(['ethers', 'fast-check', 'hardhat', 'piscina', 'viem', 'vitest'])
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  expect(Object.keys(manifest['peerDependencies'] ?? {}).sort()).toEqual([
    'ethers',
    'fast-check',
    'hardhat',
    'piscina',
    'viem',
    'vitest',
  ])
  expect(manifest['dependencies']).toBeUndefined()
})

/** The licences that allow the bundle, with words of their texts. */
const WORDS_OF_LICENCES = new Map([
  ['MIT', 'THE SOFTWARE IS PROVIDED'],
  ['BSD-3-Clause', 'THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS'],
  ['MPL-2.0', 'Mozilla Public License Version 2.0'],
])

test('the packages in it are named with licences that allow it, and with where their source is to be had', async () => {
  const notice = await readFile(join(folder, 'dist/LICENSES.txt'), 'utf8')
  const inBundle = new Set(chunks.flatMap(({ fileName }) => packagesIn(fileName)))
  expect(inBundle).toContain('@ethereumjs/evm')
  const ofContracts = contractPackages().map(({ name }) => name)
  const ofModules = packages.map(({ name }) => name).filter((name) => !ofContracts.includes(name))
  expect(new Set(ofModules)).toEqual(inBundle)
  for (const { name, version, license, repository, text } of packages) {
    // The MPL requires an offer of the source; the code under it is unmodified.
    const words = WORDS_OF_LICENCES.get(license)
    expect(words, `${name}: ${license}`).toBeDefined()
    expect(text, name).toContain(words)
    expect(repository).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/)
    expect(notice).toContain(`${name} ${version}\n  Licence: ${license}\n  Source: ${repository}`)
    expect(notice).toContain(text)
  }
})

test('every export of package.json is in the bundle', () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { default?: string }> }
  const targets = Object.values(exports).flatMap(({ default: target }) => target ?? [])
  const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => `./dist/bundle/${fileName}`)
  expect(entries.sort()).toEqual(targets.sort())
})

test('every entry that imports no ES module is there for require, and works', async () => {
  const manifest = JSON.parse(read('package.json')) as {
    exports: Record<string, { require?: { default: string } }>
  }
  const required = Object.entries(manifest.exports).flatMap(([name, { require: target }]) =>
    target === undefined ? [] : [[name, target.default.replace('./dist/bundle/', './dist/')] as const],
  )
  // vitest itself is not for require, nor is package.json a module. Node requires Hardhat's entries as ES modules, and
  // an entry that starts workers knows its place by `import.meta`.
  const others = Object.keys(manifest.exports).filter((name) => !required.some(([other]) => other === name))
  expect(
    others.filter((name) => !/vitest|hardhat|explore-node|solidity-tests|package.json/.test(name)),
  ).toEqual([])
  const paths = required.flatMap(([name, path]) => (/ethers|viem|explore$/.test(name) ? [] : path))
  const program = `
    import { createRequire } from 'node:module'
    const require = createRequire(${JSON.stringify(pathToFileURL(join(folder, 'program.js')).href)})
    for (const path of ${JSON.stringify(paths)}) require(path)
    const { createEmulator, TickchainError } = require('./dist/require/index.cjs')
    const { startRealtime } = require('./dist/require/realtime.cjs')
    const chain = await createEmulator({ production: 'auto' })
    const [from, to] = await chain.listAccounts()
    const hash = await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
    const { status } = await chain.request('eth_getTransactionReceipt', [hash])
    const copy = await createEmulator({ state: await chain.dump() })
    let refused
    try { startRealtime(chain, { rate: -1 }) } catch (error) { refused = error }
    console.log(JSON.stringify([status, await copy.request('eth_blockNumber'), refused instanceof TickchainError]))
  `
  expect(paths.length).toBeGreaterThan(5)
  expect(JSON.parse(await run(program))).toEqual(['0x1', '0x1', true])
})

test('every source is in one file of the bundle, so that what it keeps is there once', () => {
  const sources = chunks.flatMap(({ fileName }) => sourcesIn(fileName))
  expect(sources.length).toBeGreaterThan(sourceFiles().length / 2)
  expect(new Set(sources).size).toBe(sources.length)
})

test('what is loaded when it is first used is apart', () => {
  const core = sourcesIn('core.js')
  expect(core).toContain('src/core/emulator/emulator.ts')
  expect(packagesIn('core.js')).toEqual(['@ethereumjs/rlp'])
  // Its errors, which both EVMs share.
  expect(packagesIn('create-evm.js')).toEqual(['@ethereumjs/evm'])
  expect(packagesIn('reference-evm.js')).toContain('@ethereumjs/common')
  for (const lazy of [
    'src/core/execution/evm/create-evm.ts',
    'src/core/execution/evm/reference-evm.ts',
    'src/core/execution/call/access-list.ts',
    'src/core/interpreter/generated.ts',
    'src/core/chain/simulate/simulate.ts',
    'src/core/node/control/dump.ts',
    'src/core/node/control/import.ts',
    'src/core/primitives/gzip.ts',
    'src/core/emulator/options/mnemonic.ts',
  ]) {
    expect(core, lazy).not.toContain(lazy)
    expect(
      chunks.flatMap(({ fileName }) => sourcesIn(fileName)),
      lazy,
    ).toContain(lazy)
  }
})

test('what only the documentation says of methods is not in it', () => {
  const { code } = chunkOf('core.js') as Chunk
  expect(code).toContain('eth_getBalance')
  for (const { summary } of Object.values(METHODS)) expect(code).not.toContain(summary)
})

test('tsx, which rewrites files with dynamic imports, leaves what every test loads', () => {
  for (const file of ['core.js', 'create-evm.js']) {
    const { code } = chunkOf(file) as Chunk
    expect(code.length, file).toBeGreaterThan(100_000)
    expect(code, file).not.toMatch(/\bimport\(/)
  }
})

test('nothing in it is for Node alone, or for browsers alone', () => {
  for (const { code, fileName } of chunks) {
    // Plugins of vitest and Hardhat, files of recordings, shared chains and stories, and workers, which are in Node.
    const ofNode = [
      'vitest-config',
      'vitest-reporter',
      'recording',
      'shared',
      'explore-node',
      'solidity-tests',
      'solidity-tests2',
      'hardhat',
      'hardhat2',
    ]
    if (ofNode.includes(fileName.replace(/\.js$/, ''))) continue
    expect(code, fileName).not.toMatch(/\bfrom *["']node:/)
    // Messages name Node's Buffer, and its hex decoder is used where it is (src/core/primitives/web-assembly.ts).
    expect(code, fileName).not.toMatch(/import\.meta|\brequire\(|\bprocess\.\w|\bBuffer[.(]|\blocalStorage\b/)
  }
})

test('its entries share what they keep, and what is loaded late works', async () => {
  const mnemonic = `${'abandon '.repeat(11)}about`
  const program = `
    // Browsers have none of them.
    for (const name of ['process', 'Buffer', 'require', 'global']) delete globalThis[name]
    const { createEmulator, TickchainError } = await import('./dist/index.js')
    const { chainMatchers } = await import('./dist/matchers.js')
    const { startRealtime } = await import('./dist/realtime.js')
    const chain = await createEmulator({ production: 'auto', accounts: { mnemonic: '${mnemonic}', count: 2 } })
    const [from, to] = await chain.request('eth_accounts')
    const hash = await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
    const { status } = await chain.request('eth_getTransactionReceipt', [hash])
    const { pass } = await chainMatchers(() => chain).toBeSealed.call({}, hash)
    const copy = await createEmulator({ state: await chain.dump() })
    const blockNumber = await copy.request('eth_blockNumber')
    let refused
    try { startRealtime(chain, { rate: -1 }) } catch (error) { refused = error }
    const isShared = refused instanceof TickchainError
    console.log(JSON.stringify([from, status, pass, blockNumber, isShared, refused.constructor.name]))
  `
  // The first address of BIP-39's first test vector, as every wallet derives it.
  const account = '0x9858effd232b4033e47d90003d41ec34ecaeda94'
  expect(JSON.parse(await run(program))).toEqual([account, '0x1', true, '0x1', true, 'TickchainError'])
})

/** The bundle's own `createEmulator`. */
async function bundledCreate(): Promise<typeof createEmulator> {
  const module = await import(pathToFileURL(join(folder, 'dist/index.js')).href)
  return module.createEmulator
}

/** The answer, or how it is refused. */
async function outcomeOf(chain: Emulator, method: MethodName, params: readonly unknown[]): Promise<unknown> {
  try {
    return await (chain.request as (method: string, params: readonly unknown[]) => Promise<unknown>)(
      method,
      params,
    )
  } catch (error) {
    const { code, message, data } = error as Error & { code?: number; data?: unknown }
    return { code, message, data }
  }
}

/** A valid input of each precompile of osaka, by address. */
function precompileInputs(): [address: number, data: Hex][] {
  const key = new Uint8Array(32).fill(7)
  const hash = new Uint8Array(32).fill(9)
  const signed = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
  const v = toHex(27 + (signed[0] as number), { size: 32 })
  const recovery = concat([toHex(hash), v, toHex(signed.subarray(1))])
  const point = p256.Point.fromBytes(p256.getPublicKey(key)).toAffine()
  const ofP256 = [
    hash,
    p256.sign(hash, key, { prehash: false }),
    toBytes(point.x, { size: 32 }),
    toBytes(point.y, { size: 32 }),
  ]
  const bnG1 = ({ x, y }: { x: bigint; y: bigint }) =>
    concat([toHex(x, { size: 32 }), toHex(y, { size: 32 })])
  const { G1, G2 } = bn254
  const bnQ = G2.Point.BASE.toAffine()
  const bnG2 = concat([bnQ.x.c1, bnQ.x.c0, bnQ.y.c1, bnQ.y.c0].map((value) => toHex(value, { size: 32 })))
  const bnP = bnG1(G1.Point.BASE.toAffine())
  const fp = (value: bigint) => toHex(value, { size: 64 })
  const blsP = bls12_381.G1.Point.BASE.toAffine()
  const blsQ = bls12_381.G2.Point.BASE.toAffine()
  const p = concat([fp(blsP.x), fp(blsP.y)])
  const negated = concat([fp(blsP.x), fp(bls12_381.fields.Fp.neg(blsP.y))])
  const q = concat([blsQ.x.c0, blsQ.x.c1, blsQ.y.c0, blsQ.y.c1].map(fp))
  const three = toHex(3n, { size: 32 })
  const infinity = `0xc0${'00'.repeat(47)}` as const
  const versioned = `0x01${sha256(infinity).slice(4)}` as const
  return [
    [1, recovery],
    [2, '0x1234'],
    [3, '0x1234'],
    [4, '0x1234'],
    [5, concat([toHex(1n, { size: 32 }), toHex(1n, { size: 32 }), toHex(1n, { size: 32 }), '0x050307'])],
    [6, concat([bnP, bnP])],
    [7, concat([bnP, three])],
    [8, concat([bnP, bnG2, bnG1(G1.Point.BASE.negate().toAffine()), bnG2])],
    [9, concat(['0x0000000c', pad('0x01', { size: 208 }), '0x01'])],
    [10, concat([versioned, toHex(5n, { size: 32 }), toHex(0n, { size: 32 }), infinity, infinity])],
    [11, concat([p, p])],
    [12, concat([p, three])],
    [13, concat([q, q])],
    [14, concat([q, three])],
    [15, concat([p, q, negated, q])],
    [16, fp(5n)],
    [17, concat([fp(5n), fp(6n)])],
    [0x100, concat(ofP256.map((part) => toHex(part)))],
  ]
}

test.each(['wasm', 'reference'] as const)(
  'it has all precompiles, with the interpreter %s',
  async (interpreter) => {
    const chain = await (await bundledCreate())({ hardfork: 'osaka', interpreter })
    const own = await createEmulator({ hardfork: 'osaka', interpreter })
    for (const [address, data] of precompileInputs()) {
      const to = pad(toHex(address), { size: 20 })
      // The second has no valid point, and is too short.
      for (const input of [data, `${data.slice(0, -4)}ff` as Hex]) {
        const answer = await outcomeOf(chain, 'eth_call', [{ to, data: input }])
        expect(answer, `${to} of ${input}`).toEqual(await outcomeOf(own, 'eth_call', [{ to, data: input }]))
        if (input === data) expect(answer, to).toMatch(/^0x(..)+$/)
      }
    }
  },
)

test('it takes authorizations', async () => {
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const [sender = '0x'] = await (await createEmulator()).request('eth_accounts')
  const authorization = await account.signAuthorization({
    chainId: 31_337,
    nonce: 0,
    address: `0x${'22'.repeat(20)}`,
  })
  const request = {
    from: sender,
    to: account.address,
    authorizationList: [
      { ...authorization, chainId: '0x7a69', nonce: '0x0', yParity: toHex(authorization.yParity ?? 0) },
    ],
  }
  const { v: _, ...item } = request.authorizationList[0] as Record<string, unknown>
  for (const interpreter of ['wasm', 'reference'] as const) {
    const chain = await (await bundledCreate())({ production: 'auto', interpreter })
    await outcomeOf(chain, 'eth_sendTransaction', [{ ...request, authorizationList: [item] }])
    expect(await chain.request('eth_getCode', [account.address])).toBe(`0xef0100${'22'.repeat(20)}`)
  }
})

test('it answers the examples of all methods as the sources do', async () => {
  const create = await bundledCreate()
  expect(create).not.toBe(createEmulator)
  for (const [name, { example }] of Object.entries(METHODS)) {
    const [own, bundled] = [await createEmulator(), await create()]
    const method = name as MethodName
    expect(await outcomeOf(bundled, method, example.params), name).toEqual(
      await outcomeOf(own, method, example.params),
    )
  }
})

test.each(['wasm', 'reference'] as const)('its EVM has all of its parts: %s', async (interpreter) => {
  const options = { interpreter, hardfork: 'osaka', production: 'auto' } as const
  const own = await createEmulator(options)
  const bundled = await (await bundledCreate())(options)
  for (const [number, data, expected] of PRECOMPILES) {
    const call = { to: toHex(number, { size: 20 }), data }
    const answer = await bundled.request('eth_call', [call])
    if (typeof expected === 'number') expect(size(answer), `precompile ${number}`).toBe(expected)
    else expect(answer, `precompile ${number}`).toBe(expected)
    expect(answer).toBe(await own.request('eth_call', [call]))
    const gas = await own.request('eth_estimateGas', [call])
    expect(await bundled.request('eth_estimateGas', [call])).toBe(gas)
  }
  // Stores 1 in slot 0 and returns the ten bytes of code that answer 42.
  const data = '0x6001600055600a6011600039600a6000f3602a60005260206000f3'
  for (const chain of [own, bundled]) {
    const [from = '0x'] = await chain.request('eth_accounts')
    const hash = await chain.request('eth_sendTransaction', [{ from, data }])
    const { contractAddress: to } = (await chain.request('eth_getTransactionReceipt', [hash])) as {
      contractAddress: Hex
    }
    expect(await chain.request('eth_getCode', [to, 'latest'])).toBe('0x602a60005260206000f3')
    expect(await chain.request('eth_call', [{ to }])).toBe(words(42))
  }
  const [block, same] = [bundled, own].map((chain) => chain.request('eth_getBlockByNumber', ['latest', true]))
  expect(await block).toEqual(await same)
})

/** What Node prints of a program that ends with an error which nobody catches. */
async function printedBy(program: string, ...flags: string[]): Promise<string> {
  return await run(program, ...flags).then(
    () => '',
    ({ stderr }: { stderr: string }) => stderr,
  )
}

test.each([
  ['import', `import { createEmulator } from './dist/index.js'`],
  [
    'require',
    `import { createRequire } from 'node:module'
     const { createEmulator } = createRequire(process.cwd() + '/')('./dist/require/index.cjs')`,
  ],
])('an uncaught error is a page of text at most, with %s', async (_, load) => {
  for (const [call, words] of [
    [`await chain.setBalance('0x12', 1n)`, 'invalid call setBalance'],
    [`await chain.request('eth_getBlance')`, 'eth_getBlance'],
    [`await chain.request('eth_call', [{ data: '0xfe' }])`, 'invalid opcode'],
  ]) {
    const printed = await printedBy(`${load}\nconst chain = await createEmulator()\n${call}`)
    expect(printed, call).toContain(words)
    expect(printed.length, call).toBeLessThan(4000)
  }
})

/** Code without its strings, which may be as long as they are. */
function withoutStrings(fileName: string, code: string): string {
  const ranges: { readonly start: number; readonly end: number }[] = []
  new Visitor({
    TemplateElement: (node) => ranges.push(node),
    Literal: (node) => ranges.push(node),
  }).visit(parseSync(fileName, code).program)
  ranges.sort((a, b) => a.start - b.start)
  const starts = [0, ...ranges.map(({ end }) => end)]
  return starts.map((start, index) => code.slice(start, ranges[index]?.start)).join('')
}

test('its lines are short, but for strings', () => {
  for (const { fileName, code } of chunks) {
    const lines = withoutStrings(fileName, code).split('\n')
    expect(
      lines.filter((line) => line.length > MOST_COLUMNS),
      fileName,
    ).toEqual([])
  }
})

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent: readonly (string | null)[]
}

async function mapOf(fileName: string): Promise<SourceMap> {
  return JSON.parse(await readFile(join(folder, 'dist', `${fileName}.map`), 'utf8'))
}

test('its source maps bring the sources that a debugger shows', async () => {
  const { sources, sourcesContent } = await mapOf('core.js')
  for (const [index, source] of sources.entries()) {
    const [, path] = /^(?:\.\.\/)+(src\/.*)$/.exec(source) ?? []
    expect(sourcesContent[index], source).toBe(path === undefined ? null : read(path))
  }
  const { sourcesContent: ofData } = await mapOf('generated-covering.js')
  expect(ofData).toEqual([null])
})

test('a stack trace names the lines of src/, where Node is told to look for them', async () => {
  const program = `
    import { createEmulator } from './dist/index.js'
    const chain = await createEmulator()
    chain.on('sealedBlock', () => console.log(new Error('told').stack))
    await chain.seal()
  `
  const stack = await run(program, '--enable-source-maps')
  const [, path = '', line = ''] = /at Object\.emit \(.*[\\/](src[\\/].*?):(\d+):\d+\)/.exec(stack) ?? []
  expect(read(path.replaceAll('\\', '/')).split('\n')[Number(line) - 1]).toContain('(listener as Listener<')
})

/** What the folder of the bundle may hold: a third more in either is a decision, not an accident. */
const BUDGET = { files: 295, megabytes: 11.5 }

test(`it is up to ${BUDGET.files} files of ${BUDGET.megabytes} MB, with its source maps and what is for require`, async () => {
  const entries = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  expect(files.length).toBeLessThanOrEqual(BUDGET.files)
  expect(sizes.reduce((sum, { size }) => sum + size, 0) / 1e6).toBeLessThanOrEqual(BUDGET.megabytes)
})
