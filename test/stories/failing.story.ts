import type { Emulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorConfig } from 'tickchain/viem'
import { chainTest } from 'tickchain/vitest'
import { createPublicClient } from 'viem'
import { afterEach, expect } from 'vitest'

const test = chainTest({}, (chain) => chain.advance(2000))

async function pay(chain: Emulator): Promise<`0x${string}`> {
  const [from, to] = await chain.request({ method: 'eth_accounts' })
  const payment = { from: from as `0x${string}`, to: to as `0x${string}`, value: '0x1' } as const
  return chain.request({ method: 'eth_sendTransaction', params: [payment] })
}

afterEach(({ task }) => {
  if (task.name === 'a hook that throws') throw new Error('the hook throws')
})

test('a payment that arrives', async ({ chain }) => {
  const hash = await pay(chain)
  await chain.advance(2000)
  await expect(hash).toBeSealed()
})

test('a payment that is expected too early', async ({ chain }) => {
  const hash = await pay(chain)
  await chain.advance(200)
  await expect(hash).toBeSealed()
})

test('a hook that throws', async ({ chain }) => {
  await chain.advance(200)
})

test('a promise that rejects while the clock moves', async ({ chain }) => {
  await Promise.all([chain.advance(20_000), expect(pay(chain)).not.toRevertWith('no')])
})

test('watchers that are left behind', async ({ chain }) => {
  createPublicClient(emulatorConfig(chain)).watchBlockNumber({ onBlockNumber: () => undefined })
  await new EmulatorProvider(chain).on('block', () => undefined)
  chain.on('sealedBlock', () => expect.unreachable('of another test'))
  await expect(expect(chain.advance(200)).resolves.toBe(1)).rejects.toThrow()
})

test('a test after those that failed', async ({ chain }) => {
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x1')
  await chain.advance(2000)
})
