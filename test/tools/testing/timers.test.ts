// Fake timers in step with the virtual clock. No test takes real time.

import FakeTimers from '@sinonjs/fake-timers'
import { BrowserProvider } from 'ethers'
import { coupleTimers, createEmulator, type Emulator } from 'tickchain'
import { createWalletClient, custom, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const START_MS = 1_704_067_200_000

let chain: Emulator
beforeEach(async () => {
  chain = await createEmulator()
})

/** A client with viem's own pauses: it polls every two seconds, for foundry has no block time. */
function connect() {
  const settings = { chain: foundry, transport: custom(chain, { retryCount: 0 }), account: ALICE } as const
  return createWalletClient(settings).extend(publicActions)
}

describe('the steps', () => {
  /** The ticks for a duration. */
  async function ticksOf(passing: number[], options?: { readonly stepMs?: number }): Promise<number[]> {
    const ticks: number[] = []
    const clock = coupleTimers(chain, async (ms) => void ticks.push(ms), options)
    for (const ms of passing) await clock.advance(ms)
    return ticks
  }

  test('end with each partial block, wherever they begin', async () => {
    expect(await ticksOf([500, 300])).toEqual([200, 200, 100, 100, 200])
    expect(chain.now).toBe(START_MS + 800)
  })

  test('have the time of a partial block, or what is asked for', async () => {
    expect(await ticksOf([100], { stepMs: 50 })).toEqual([50, 50])
    chain = await createEmulator({ partialBlockTimeMs: 500 })
    expect(await ticksOf([1000])).toEqual([500, 500])
  })

  test('of no time is one that ticks all the same', async () => {
    expect(await ticksOf([0])).toEqual([0])
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('of %d milliseconds is refused', async (ms) => {
    const tick = vi.fn()
    await expect(coupleTimers(chain, tick).advance(ms)).rejects.toMatchObject({ kind: 'invalidCall' })
    expect(tick).not.toHaveBeenCalled()
  })

  test.each([0, -200, 0.5])('cannot have %d milliseconds', (stepMs) => {
    const couple = () => coupleTimers(chain, async () => undefined, { stepMs })
    expect(couple).toThrow('invalid option stepMs')
  })
})

describe('with the fake timers of vitest', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: chain.now })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  const couple = (options?: { readonly stepMs?: number }) =>
    coupleTimers(chain, (ms) => vi.advanceTimersByTimeAsync(ms), options)

  test('both clocks show the same, and the chain goes first', async () => {
    const clock = couple({ stepMs: 50 })
    const seen: string[] = []
    chain.on('partialBlock', ({ index, atMs }) => seen.push(`partial ${index} at ${atMs - START_MS}`))
    const timer = setInterval(() => seen.push(`timer at ${Date.now() - START_MS}`), 100)
    await clock.advance(400)
    clearInterval(timer)
    expect(Date.now()).toBe(chain.now)
    expect(seen).toEqual([
      'timer at 100',
      'partial 1 at 200',
      'timer at 200',
      'timer at 300',
      'partial 2 at 400',
      'timer at 400',
    ])
  })

  test('a wait of viem ends within the time that passes', async () => {
    const client = connect()
    const hash = await client.sendTransaction({ to: BOB, value: 1n })
    const waiting = client.waitForTransactionReceipt({ hash })
    await couple().advance(6000)
    expect(await waiting).toMatchObject({ status: 'success', blockNumber: 1n })
  })

  test('a watcher of viem sees every block', async () => {
    const numbers: bigint[] = []
    const unwatch = connect().watchBlockNumber({
      emitMissed: true,
      pollingInterval: 1000,
      onBlockNumber: (number) => numbers.push(number),
    })
    await couple().advance(8000)
    unwatch()
    expect(numbers).toEqual([0n, 1n, 2n, 3n, 4n])
  })

  test('a retry of viem takes no real time', async () => {
    const client = createWalletClient({ chain: foundry, transport: custom(chain) }).extend(publicActions)
    // A revert has a code that viem does not know: it asks again after 150, 300 and 600 milliseconds.
    const data = '0x60006000fd'
    const failing = expect(client.call({ data })).rejects.toThrow('reverted')
    await couple({ stepMs: 10 }).advance(1200)
    await failing
  })
})

describe('with the fake timers of sinon', () => {
  test('ethers sends and waits within the time that passes', async () => {
    const fake = FakeTimers.install({ now: chain.now })
    try {
      const clock = coupleTimers(chain, (ms) => fake.tickAsync(ms))
      const provider = new BrowserProvider(chain)
      const sending = (async () => {
        const signer = await provider.getSigner()
        const response = await signer.sendTransaction({ to: BOB, value: 1n })
        return response.wait(2)
      })()
      // ethers polls every four seconds.
      await clock.advance(20_000)
      expect(await sending).toMatchObject({ status: 1, blockNumber: 1 })
      expect(Date.now()).toBe(chain.now)
      provider.destroy()
    } finally {
      fake.uninstall()
    }
  })
})
