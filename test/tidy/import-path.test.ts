import { expect, test, vi } from 'vitest'
import { createEmulator } from '../../src/index.ts'
import { blankComments, read } from './repository.ts'

const loaded = vi.hoisted((): string[] => [])
vi.mock('../../src/core/execution/evm/create-evm.ts', (importOriginal) => {
  loaded.push('the EVM')
  return importOriginal()
})
const statements = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm

/** What importing a file of src/ loads: itself and all that it imports, but for types and for `import()`. */
function loadedBy(entry: string): {
  readonly own: ReadonlySet<string>
  readonly packages: readonly string[]
} {
  const own = new Set([entry])
  const packages = new Set<string>()
  for (const path of own) {
    for (const [, specifier = ''] of blankComments(read(path)).matchAll(statements)) {
      if (specifier.startsWith('.')) own.add(new URL(specifier, `file:///${path}`).pathname.slice(1))
      else packages.add(specifier)
    }
  }
  return { own, packages: [...packages].sort() }
}

test('importing the package loads what a first answer needs, and not the EVM', () => {
  const { own, packages } = loadedBy('src/index.ts')
  // Each is a few small modules. The rest of @ethereumjs, with the curves of its precompiles, is some 250.
  expect(packages).toEqual(['@ethereumjs/rlp'])
  // A module takes about as long to load as a request takes to answer.
  expect(own.size).toBeLessThanOrEqual(341)
  for (const lazy of [
    'src/core/execution/evm/create-evm.ts',
    'src/core/execution/call/access-list.ts',
    'src/core/chain/simulate/simulate.ts',
    'src/core/node/control/dump.ts',
    'src/core/node/control/import.ts',
    'src/core/emulator/options/mnemonic.ts',
  ]) {
    expect(own, lazy).not.toContain(lazy)
  }
})

test('the EVM is loaded when it is first used, not by reads or empty blocks', async () => {
  const chain = await createEmulator()
  const [account = '0x'] = await chain.request('eth_accounts')
  expect(await chain.request('eth_blockNumber')).toBe('0x0')
  expect(await chain.request('eth_getBalance', [account, 'latest'])).toBe('0x21e19e0c9bab2400000')
  await chain.request('eth_getProof', [account, [], 'latest'])
  await chain.request('eth_getBlockByNumber', ['pending', true])
  await chain.request('eth_sign', [account, '0x'])
  await chain.advance(4000)
  expect(loaded).toEqual([])
  expect(await chain.request('eth_call', [{ to: account }])).toBe('0x')
  expect(loaded).toEqual(['the EVM'])
})
