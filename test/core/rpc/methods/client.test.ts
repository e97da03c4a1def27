import { createEmulator, type EmulatorOptions } from 'tickchain'
import { expect, test } from 'vitest'
import { METHODS } from '../../../../src/core/rpc/registry.ts'
import { startScene } from '../scene.ts'

const coinbase = `0x${'c0'.repeat(20)}`

test.each<[method: string, options: EmulatorOptions, answer: unknown]>([
  ['eth_syncing', {}, false],
  // The fee vault of an OP-stack chain.
  ['eth_coinbase', {}, '0x4200000000000000000000000000000000000011'],
  ['eth_coinbase', { genesis: { coinbase } }, coinbase],
  ['eth_mining', {}, true],
  ['eth_mining', { production: 'auto' }, true],
  ['eth_mining', { production: 'manual' }, false],
  ['eth_hashrate', {}, '0x0'],
  ['eth_protocolVersion', {}, '0x45'],
  ['net_listening', {}, true],
  ['net_peerCount', {}, '0x0'],
])('%s with %o', async (method, options, answer) => {
  expect(await (await createEmulator(options)).request(method)).toBe(answer)
})

test('rpc_modules names every group of methods', async () => {
  const prefixes = Object.keys(METHODS).map((name) => name.replace(/_.*/, ''))
  const modules = await (await startScene()).ask<Record<string, string>>('rpc_modules')
  expect(Object.keys(modules)).toEqual([...new Set(prefixes)].sort())
  expect(new Set(Object.values(modules))).toEqual(new Set(['1.0']))
})

test("rpc_modules gives the chain's own group the name of the chain", async () => {
  const modules = await (await startScene({ chainPrefix: 'mine' })).ask<object>('rpc_modules')
  expect(modules).toHaveProperty('mine')
  expect(modules).not.toHaveProperty('base')
})
