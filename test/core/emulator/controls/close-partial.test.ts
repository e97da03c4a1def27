// chain.closePartial: one partial block, at once.

import { createEmulator, type Emulator, type EmulatorEvents, type EmulatorOptions } from 'tickchain'
import { describe, expect, test } from 'vitest'

type Closed = EmulatorEvents['partialBlock']

async function start(options: EmulatorOptions = {}) {
  const chain = await createEmulator(options)
  const [alice = '0x', bob = '0x'] = await chain.listAccounts()
  const closed: Closed[] = []
  chain.on('partialBlock', (partial) => closed.push(partial))
  const send = (from: typeof alice, fields: object = {}) =>
    chain.request('eth_sendTransaction', [{ from, to: bob, value: '0x1', ...fields }])
  return { chain, alice, bob, closed, send }
}

const blockNumber = (chain: Emulator) => chain.request('eth_blockNumber')

describe('now', () => {
  test.each<EmulatorOptions>([
    {},
    { production: 'manual' },
    { partialBlockTimeMs: 2000 },
    { partialBlockTimeMs: 7, blockTimeMs: 12_000 },
  ])('it pre-confirms what fits and leaves the clock: %o', async (options) => {
    const { chain, alice, bob, closed, send } = await start(options)
    const before = chain.now
    const [first, second] = [await send(alice), await send(bob)]
    await chain.closePartial()
    expect(closed).toMatchObject([{ blockNumber: 1, index: 1, gasUsed: 42_000n, atMs: before }])
    expect([...(closed[0]?.transactionHashes ?? [])].sort()).toEqual([first, second].sort())
    expect(chain.now).toBe(before)
    expect(await blockNumber(chain)).toBe('0x0')
    await chain.closePartial()
    expect(closed[1]).toMatchObject({ index: 2, transactionHashes: [] })
  })

  test('partial blocks fall due as before, and the block when it would have been sealed', async () => {
    const { chain, closed, send, alice } = await start()
    const opened = chain.now
    await chain.advance(300)
    await send(alice)
    await chain.closePartial()
    await chain.advance(1700)
    expect(closed.map(({ index, atMs }) => [index, atMs - opened])).toEqual([
      [1, 200],
      [2, 300],
      ...[400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000].map((ms, position) => [position + 3, ms]),
    ])
    expect(await blockNumber(chain)).toBe('0x1')
  })
})

describe('with hashes', () => {
  test('it holds exactly these, in this order, whatever they tip', async () => {
    const { chain, alice, bob, closed, send } = await start()
    const low = await send(alice, { maxPriorityFeePerGas: '0x1' })
    const high = await send(bob, { maxPriorityFeePerGas: '0x3b9aca00' })
    const next = await send(alice)
    await chain.closePartial([low, high])
    await chain.closePartial([])
    await chain.closePartial([next])
    expect(closed.map(({ transactionHashes }) => transactionHashes)).toEqual([[low, high], [], [next]])
  })

  test('one that cannot execute there is refused, and nothing has changed', async () => {
    const { chain, alice, closed, send } = await start()
    const [first, second] = [await send(alice), await send(alice)]
    await expect(chain.closePartial([second, first])).rejects.toMatchObject({
      kind: 'partialNotExecutable',
      message: expect.stringContaining(second),
    })
    expect(closed).toEqual([])
    await chain.closePartial([first, second])
    expect(closed[0]?.transactionHashes).toEqual([first, second])
  })

  test('one that is not in the pool is refused', async () => {
    const { chain } = await start()
    await expect(chain.closePartial([`0x${'11'.repeat(32)}`])).rejects.toMatchObject({ kind: 'notPooled' })
  })
})
