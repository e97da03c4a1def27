// The real-time clock as the driver of the virtual one. All tests but the first use fake timers.

import { createEmulator } from 'tickchain'
import { startRealtime } from 'tickchain/realtime'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const START_MS = 1_704_067_200_000

test('in real time blocks come by themselves, until the driver is stopped', async () => {
  const chain = await createEmulator()
  // A block of two virtual seconds each twenty real milliseconds.
  const driver = startRealtime(chain, { rate: 100, everyMs: 5 })
  const sealed: number[] = []
  chain.on('sealedBlock', ({ number }) => sealed.push(number))
  await vi.waitFor(() => expect(sealed.length).toBeGreaterThan(1), { interval: 5, timeout: 600_000 })
  await driver.stop()
  const stoppedAtMs = chain.now
  expect(sealed.slice(0, 2)).toEqual([1, 2])
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(chain.now).toBe(stoppedAtMs)
})

describe('on a fake wall', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  test('the virtual clock keeps up, and moves every 50 milliseconds', async () => {
    const chain = await createEmulator()
    const driver = startRealtime(chain)
    await vi.advanceTimersByTimeAsync(49)
    expect(chain.now).toBe(START_MS)
    await vi.advanceTimersByTimeAsync(1)
    expect(chain.now).toBe(START_MS + 50)
    await vi.advanceTimersByTimeAsync(1950)
    expect(chain.now).toBe(START_MS + 2000)
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
    await driver.stop()
  })

  test('a rate makes it faster or slower, and fractions are not lost', async () => {
    const chain = await createEmulator()
    const driver = startRealtime(chain, { rate: 0.3, everyMs: 1 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(chain.now).toBe(START_MS + 300)
    await driver.stop()
  })

  test('after a stop nothing moves, and what was moving has moved', async () => {
    const chain = await createEmulator()
    const driver = startRealtime(chain)
    vi.advanceTimersByTime(50)
    await driver.stop()
    expect(chain.now).toBe(START_MS + 50)
    expect(vi.getTimerCount()).toBe(0)
    await driver.stop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(chain.now).toBe(START_MS + 50)
  })

  test('the clock can be moved by hand besides', async () => {
    const chain = await createEmulator()
    const driver = startRealtime(chain)
    await chain.advance(1000)
    await vi.advanceTimersByTimeAsync(100)
    expect(chain.now).toBe(START_MS + 1100)
    await driver.stop()
  })

  test('the end of the chain ends the driver', async () => {
    const chain = await createEmulator()
    const driver = startRealtime(chain)
    chain.dispose()
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(0)
    await driver.stop()
  })

  test('a move that fails ends the driver, which tells why', async () => {
    const chain = await createEmulator({ limits: { stepsPerCall: 1 } })
    const driver = startRealtime(chain, { rate: 1000 })
    vi.advanceTimersByTime(50)
    await expect(driver.stop()).rejects.toMatchObject({ kind: 'tooManySteps' })
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([
    { rate: 0 },
    { rate: -1 },
    { rate: Number.NaN },
    { rate: '1' },
    { everyMs: 0 },
    { everyMs: 2 ** 31 },
  ])('%j is refused', async (options) => {
    const chain = await createEmulator()
    expect(() => startRealtime(chain, options as object)).toThrow('invalid option')
  })
})
