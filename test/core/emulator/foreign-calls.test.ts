// Functions of other libraries on a chain: they say what it has instead, and are in nobody's way.

import { inspect } from 'node:util'
import { createEmulator, TickchainError } from 'tickchain'
import { expect, test } from 'vitest'
import { FOREIGN_CALLS } from '../../../src/core/emulator/foreign-calls.ts'
import { METHODS } from '../../../src/core/rpc/registry.ts'

test.each([...FOREIGN_CALLS])('%s of another library: %s', { tags: 'gate' }, async (name, right) => {
  const chain = await createEmulator()
  const call = Reflect.get(chain, name) as () => void
  expect(call).toThrow(
    new TickchainError(
      'invalidCall',
      -32602,
      `invalid call ${name}: a chain has no such function; for example: chain.${right}`,
    ),
  )
  const [, member = '', method = ''] = /^(\w+)(?:\('(eth_\w+)')?/.exec(right) ?? []
  expect(Object.keys(chain)).toContain(member)
  if (method !== '') expect(Object.keys(METHODS)).toContain(method)
})

test('what other libraries look for in a provider is not there', async () => {
  const chain = await createEmulator()
  for (const name of [
    'off',
    'once',
    'enable',
    'disconnect',
    'accounts',
    'chainId',
    'then',
    'toJSON',
    'isMetaMask',
  ])
    expect(name in chain, name).toBe(false)
})

test('prints and copies of an emulator have functions of its own alone', async () => {
  const chain = await createEmulator()
  expect(inspect(chain)).toMatch(/^\{\n {2}settings: /)
  const named: string[] = []
  for (const name in chain) named.push(name)
  expect(named).toEqual(Object.keys(chain))
  expect({ ...chain }).not.toHaveProperty('tick')
})

test('a test may give its chain what another library expects', async () => {
  const chain = await createEmulator()
  const legacy = Object.assign(chain, { send: (method: string) => chain.request(method) })
  expect(await legacy.send('net_version')).toBe('31337')
})

test('of the first names that one tries, each has an answer', async () => {
  const names = [
    'send',
    'tick',
    'sendTransaction',
    'getBalance',
    'getBlockNumber',
    'call',
    'takeSnapshot',
    'close',
    'sign',
    'getChainId',
    'getGasPrice',
    'readContract',
    'writeContract',
    'deployContract',
  ]
  expect(names.filter((name) => !FOREIGN_CALLS.has(name))).toEqual([])
})
