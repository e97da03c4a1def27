// Faults of requests on forks: what is not known yet is loaded all the same.

import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator } from '../../../src/index.ts'
import { ask } from './upstreams.ts'

const account = (digit: string): Hex => `0x${digit.repeat(40)}`
const ONE = '0x1'

/** A chain on which accounts have one wei each, and a fork of it that knows none of them. */
async function scene() {
  const alloc = Object.fromEntries(
    ['a', 'c', 'd', 'e', 'f'].map((digit) => [account(digit), { balance: ONE }]),
  )
  const upstream = await createEmulator({ genesis: { alloc } })
  await upstream.mine(3)
  return { upstream, fork: await createEmulator({ production: 'auto', fork: { upstream } }) }
}

test('reads and commands find what they miss, while there are faults and once there have been', async () => {
  const { fork } = await scene()
  const asked: unknown[] = []
  await fork.fault({
    method: 'eth_sendTransaction',
    params: (params) => asked.push(params) === 0,
    error: { code: -32005, message: 'busy' },
  })
  expect(await ask(fork, 'eth_getBalance', account('a'), 'latest')).toBe(ONE)
  const [from] = (await ask(fork, 'eth_accounts')) as Hex[]
  await ask(fork, 'eth_sendTransaction', { from, to: account('c'), value: ONE })
  expect(asked).toHaveLength(1)
  await fork.clearFaults()
  expect(await ask(fork, 'eth_getBalance', account('c'), 'latest')).toBe('0x2')
  expect(await ask(fork.clone(), 'eth_getBalance', account('d'), 'latest')).toBe(ONE)
})

test('a request that is answered late or from a stale head finds what it misses', async () => {
  const { fork } = await scene()
  await fork.mine(2)
  await fork.fault({ method: 'eth_getBalance', blocksBehind: 1, times: 1 })
  expect(await ask(fork, 'eth_getBalance', account('e'), 'latest')).toBe(ONE)
  await fork.fault({ method: 'eth_getBalance', delayMs: 500 })
  const late = ask(fork, 'eth_getBalance', account('f'), 'latest')
  await fork.advance(500)
  expect(await late).toBe(ONE)
})
