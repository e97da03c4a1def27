import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, TickchainError } from 'tickchain'
import { type SharedChainFile, sharedChain } from 'tickchain/shared'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tickchain-shared-'))
const file = join(folder, 'kept/chain')

beforeEach(() => {
  // As in a run whose global set-up has not been called.
  vi.stubEnv('TICKCHAIN_SHARED_CHAINS', undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(file, { force: true })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** A shared chain of three blocks, and how often it was set up. */
function threeBlocks(kept: SharedChainFile = {}) {
  const setUps: Emulator[] = []
  const shared = sharedChain(
    { chainId: 5, production: 'manual' },
    async (chain) => {
      setUps.push(chain)
      await chain.mine(3)
      return { big: 10n ** 30n, list: [1, 'two', true, null], nested: { big: 0n } }
    },
    { file, ...kept },
  )
  return { shared, setUps }
}

test('each file loads a chain of its own, as the set-up left it', async () => {
  const { shared, setUps } = threeBlocks()
  await shared()
  const [first, second] = [await shared.load(), await shared.load()]
  expect(setUps).toHaveLength(1)
  expect(first.context).toEqual({ big: 10n ** 30n, list: [1, 'two', true, null], nested: { big: 0n } })
  await first.chain.mine(1)
  expect(await first.chain.request('eth_blockNumber')).toBe('0x4')
  expect(await second.chain.request('eth_blockNumber')).toBe('0x3')
  expect(await second.chain.request('eth_chainId')).toBe('0x5')
})

test('a context comes back as it was, whatever its fields are named', async () => {
  const fields = {
    $bigint: '1',
    $$bigint: 2n,
    $undefined: true,
    list: [undefined, { $bigint: [3n] }],
    none: undefined,
  }
  const shared = sharedChain({}, () => fields, { file })
  await shared()
  expect((await shared.load()).context).toStrictEqual(fields)
})

test('a set-up that returns nothing has no context', async () => {
  const shared = sharedChain({}, () => undefined, { file })
  await shared()
  expect((await shared.load()).context).toBeUndefined()
})

test('without inputs each run sets the chain up anew', async () => {
  const { shared, setUps } = threeBlocks()
  await shared()
  await shared()
  expect(setUps).toHaveLength(2)
})

describe('with inputs', () => {
  const input = join(folder, 'input.txt')

  test('the file of an earlier run is used while their contents are the same', async () => {
    writeFileSync(input, 'one')
    const { shared, setUps } = threeBlocks({ inputs: [input] })
    await shared()
    expect(setUps).toHaveLength(1)
    const written = statSync(file).mtimeMs
    writeFileSync(input, 'one')
    await shared()
    expect(setUps).toHaveLength(1)
    expect(statSync(file).mtimeMs).toBe(written)
    writeFileSync(input, 'two')
    await shared()
    expect(setUps).toHaveLength(2)
  })

  test('and it is the same to the byte on every machine', async () => {
    writeFileSync(input, 'one')
    const { shared } = threeBlocks({ inputs: [input] })
    await shared()
    const bytes = readFileSync(file)
    rmSync(file)
    await shared()
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  test('a file that is not there is refused', async () => {
    const { shared } = threeBlocks({ inputs: [join(folder, 'absent')] })
    await expect(shared()).rejects.toMatchObject({ kind: 'invalidOption' })
  })
})

test.each([
  ['a set-up that is none', 'invalidCall', [{}, 5]],
  ['a misspelt option', 'invalidOption', [{}, () => {}, { input: ['src'] }]],
  ['inputs that are no list', 'invalidOption', [{}, () => {}, { inputs: 'src' }]],
  ['a path that is none', 'invalidOption', [{}, () => {}, { file: 5 }]],
])('%s is refused', (_, kind, given) => {
  const [options, setUp, kept] = given as Parameters<typeof sharedChain>
  expect(() => sharedChain(options, setUp, kept)).toThrowError(expect.objectContaining({ kind }))
})

test('a file of an earlier run that is broken is written anew', async () => {
  const { shared, setUps } = threeBlocks({ inputs: [import.meta.filename] })
  await shared()
  writeFileSync(file, '{"fingerprint"')
  await shared()
  expect(setUps).toHaveLength(2)
  expect(await (await shared.load()).chain.request('eth_blockNumber')).toBe('0x3')
})

test('a file that no global set-up of this run has written is not loaded', async () => {
  const { shared } = threeBlocks()
  await shared()
  vi.stubEnv('TICKCHAIN_SHARED_CHAINS', undefined)
  const refusal = await shared.load().catch((error) => error)
  expect(refusal).toBeInstanceOf(TickchainError)
  expect(refusal.message).toContain("the module of the shared chain in the runner's globalSetup")
})

test.each([
  ['a function', { make: () => 1 }, 'context.make'],
  ['a map', [new Map()], 'context[0]'],
  ['an object of a class', { chain: new TypeError('no data') }, 'context.chain'],
  ['a number that JSON has not', { share: Number.NaN }, 'context.share'],
  ['a zero that JSON has not', { share: -0 }, 'context.share'],
])('a context with %s is refused', async (_, context, path) => {
  const shared = sharedChain({}, () => context as unknown, { file })
  const refusal = await shared().catch((error) => error)
  expect(refusal).toMatchObject({ kind: 'invalidCall' })
  expect(refusal.message).toContain(path)
})
