// One clock for all layers, whichever of them is called.
import { expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import { blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'
const START = 1_704_067_200_000
const DAY_MS = 86_400_000

test('advance of any layer moves all', async () => {
  const { l1, l2, advance } = await createRollup()
  for (const move of [advance, l1.advance, l2.advance]) await move(12_000)
  expect([l1.now, l2.now]).toEqual([START + 36_000, START + 36_000])
  expect([await numberOf(l1, 'latest'), await numberOf(l2, 'latest')]).toEqual([3, 18])
})

test('at equal times the layer 1 comes first, and a block of the layer 2 keeps the origin that it has begun with', async () => {
  const { l1, l2, advance } = await createRollup()
  const told: string[] = []
  l1.on('sealedBlock', ({ number }) => told.push(`l1 ${number}`))
  l2.on('sealedBlock', ({ number }) => told.push(`l2 ${number}`))
  l2.on('partialBlock', ({ blockNumber, index }) => {
    if (index === 0) told.push(`l2 opens ${blockNumber}`)
  })
  await advance(10_000)
  told.length = 0
  await advance(4000)
  expect(told).toEqual(['l1 1', 'l2 6', 'l2 opens 7', 'l2 7', 'l2 opens 8'])
})

test('next goes to the next step of any layer', async () => {
  const { l1, l2, next, advance } = await createRollup({ l1: { blockTimeMs: 1000, partialBlockTimeMs: 300 } })
  const times: number[] = []
  for (let step = 0; step < 5; step++) {
    await next()
    times.push(l2.now - START)
  }
  expect(times).toEqual([200, 300, 400, 600, 800])
  await advance(200)
  expect([await numberOf(l1, 'latest'), l1.now]).toEqual([1, l2.now])
})

test('a jump lands with a block on each layer, with the transactions that waited', async () => {
  const rollup = await createRollup()
  const { l1, l2, jump } = rollup
  const { wallet1, wallet2 } = clientsOf(rollup)
  const hashes = [
    await wallet1.sendTransaction({ to: TO, value: 1n }),
    await wallet2.sendTransaction({ to: TO, value: 1n }),
  ]
  await jump(7 * DAY_MS)
  expect([l1.now, l2.now]).toEqual([START + 7 * DAY_MS, START + 7 * DAY_MS])
  for (const [index, chain] of [l1, l2].entries()) {
    const block = await blockOf(chain, 'latest')
    expect([Number(block.number), Number(block.timestamp)]).toEqual([1, (START + 7 * DAY_MS) / 1000])
    expect(block.transactions.map(({ hash }) => hash)).toContain(hashes[index])
  }
})

test('a block mined on the layer 1 takes the layer 2 along, which adopts it', async () => {
  const { l1, l2, advance } = await createRollup()
  await advance(3000)
  await l1.request('evm_mine', [])
  expect([l1.now, l2.now]).toEqual([START + 12_000, START + 12_000])
  expect(await numberOf(l2, 'latest')).toBe(6)
  await l1.request('anvil_mine', ['0x3'])
  expect([l1.now, l2.now]).toEqual([START + 48_000, START + 48_000])
  expect(await numberOf(l2, 'latest')).toBe(24)
  await advance(2000)
  const status = (await l2.request('optimism_syncStatus', [])) as {
    unsafe_l2: { l1origin: { number: number } }
  }
  expect(status.unsafe_l2.l1origin.number).toBe(4)
})

test('blocks mined on the layer 2 take the layer 1 along', async () => {
  const { l1, l2 } = await createRollup()
  await l2.mine(20)
  expect([l1.now, l2.now]).toEqual([START + 40_000, START + 40_000])
  expect(await numberOf(l1, 'latest')).toBe(3)
})

test('what is mined on the layer 2 becomes safe, however far it is ahead of the layer 1', {
  tags: 'gate',
}, async () => {
  const rollup = await createRollup({ batcher: { intervalS: 24 } })
  // Blocks may be 1800 s ahead of their origin by the protocol.
  await rollup.l2.mine(1000)
  expect(rollup.now).toBe(START + 2_000_000)
  const { hash } = await blockOf(rollup.l2, 1000)
  await rollup.advance(60_000)
  expect(await numberOf(rollup.l2, 'safe')).toBeGreaterThan(1000)
  expect((await blockOf(rollup.l2, 1000)).hash).toBe(hash)
})

test.each(['l1', 'l2'] as const)(
  'a leap of %s by a timestamp is one of all, with a block each',
  async (layer) => {
    const rollup = await createRollup({ batcher: { intervalS: 24 } })
    const { wallet2, public2 } = clientsOf(rollup)
    await rollup.advance(14_000)
    const timestamp = START / 1000 + 7 * 86_400
    await rollup[layer].request('evm_setNextBlockTimestamp', [timestamp])
    await rollup[layer].request('evm_mine')
    expect([await numberOf(rollup.l1, 'latest'), await numberOf(rollup.l2, 'latest')]).toEqual([2, 8])
    expect(rollup.now).toBe(timestamp * 1000)
    const sent = await wallet2.sendTransaction({ to: TO, value: 1n })
    await rollup.advance(2000)
    expect((await public2.getTransactionReceipt({ hash: sent })).blockNumber).toBe(9n)
    await rollup.advance(58_000)
    expect(await numberOf(rollup.l2, 'safe')).toBeGreaterThan(9)
  },
)

test('increaseTime of a layer is one of all, and transactions go on', async () => {
  const rollup = await createRollup()
  const { l1, l2 } = rollup
  const { wallet2, public2 } = clientsOf(rollup)
  await l2.increaseTime({ seconds: 86_400 })
  expect([l1.now, l2.now]).toEqual([START + DAY_MS, START + DAY_MS])
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  await l2.mine(1)
  expect((await public2.getTransactionReceipt({ hash })).status).toBe('success')
  await l1.request('evm_increaseTime', [3600])
  await l1.request('evm_mine', [])
  expect(l2.now).toBe(l1.now)
  await expect(l2.setTime(START / 1000)).rejects.toThrow(/before/)
  expect(l2.now).toBe(l1.now)
})

test('a layer 2 that seals each transaction at once stays with the clock', async () => {
  const rollup = await createRollup({ l2: { production: 'auto' } })
  const { l1, l2, advance } = rollup
  const { wallet2 } = clientsOf(rollup)
  for (let round = 0; round < 3; round++) await wallet2.sendTransaction({ to: TO, value: 1n })
  expect(await numberOf(l2, 'latest')).toBe(3)
  expect(l1.now).toBe(l2.now)
  await advance(24_000)
  expect(l1.now).toBe(l2.now)
  await wallet2.sendTransaction({ to: TO, value: 1n })
  // One for each transaction, and one for each of two L1 blocks, since no L1 origin may be left out.
  expect(await numberOf(l2, 'latest')).toBe(6)
})

test('a disposed layer takes the others along', async () => {
  const { l1, l2 } = await createRollup()
  l2.dispose()
  await expect(l1.request('eth_blockNumber', [])).rejects.toMatchObject({ kind: 'disposed' })
})

test('the arguments of the clock are checked', async () => {
  const rollup = await createRollup()
  await expect(rollup.advance(-1)).rejects.toMatchObject({ kind: 'invalidCall' })
  await expect(rollup.jump(0.5)).rejects.toMatchObject({ kind: 'invalidCall' })
  await expect(rollup.jump(Number.MAX_SAFE_INTEGER - START)).rejects.toMatchObject({ kind: 'timeOutOfRange' })
  expect(rollup.now).toBe(START)
})

test('blocks of the layer 1 are the same whether the pair seals each of them or the layer 1 many empty ones', {
  tags: 'gate',
}, async () => {
  const [each, many] = await Promise.all([createRollup(), createRollup()])
  for (const { batcher, proposer } of [each, many]) {
    await batcher.withhold()
    await proposer.withhold()
  }
  await each.advance(600_000)
  await many.l1.advance(600_000)
  for (const number of [1, 2, 25, 50])
    expect(await blockOf(each.l1, number)).toEqual(await blockOf(many.l1, number))
  for (const number of [1, 6, 299, 300]) {
    const [one, other] = [await blockOf(each.l2, number), await blockOf(many.l2, number)]
    expect(one.timestamp).toBe(other.timestamp)
  }
  expect(await each.l1.request('eth_blockNumber')).toBe('0x32')
})

test('clocks go back as far as the head of each layer, and no further', async () => {
  const { l1, l2, advance } = await createRollup()
  await advance(1000)
  await l2.setTime(START / 1000)
  expect([l1.now, l2.now]).toEqual([START, START])
})

test('a clock does not go back before the head of another layer', async () => {
  const { l1, l2, advance } = await createRollup()
  // The layer 1 has no block yet, the layer 2 has one.
  await advance(3000)
  await l1.setTime(START / 1000 + 2)
  expect([l1.now, l2.now]).toEqual([START + 2000, START + 2000])
  await expect(l1.setTime(START / 1000 + 1)).rejects.toMatchObject({ kind: 'clockBeforeHead' })
  expect([l1.now, l2.now]).toEqual([START + 2000, START + 2000])
})
