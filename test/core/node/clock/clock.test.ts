// The virtual clock: advance, jump, next and seal, time shifts, snapshots and reverts.

import fc from 'fast-check'
import { type Hex, hexToNumber, numberToHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'
import { readBlock, readChain, readReceipts, transactionsOf } from '../../chain/reads.ts'
import { makeWallets, privateKeys, type Wallet, type Wallets } from '../../chain/wallet.ts'
import { stranger } from '../../chain/workload.ts'

/** 2024-01-01T00:00:00Z, the default start of the clock. */
const START = Date.UTC(2024, 0, 1)
const START_SECONDS = START / 1000
const somebody = stranger(1)

let chain: Emulator
let wallets: Wallets
let wallet: Wallet

async function setUp(options: EmulatorOptions = {}): Promise<void> {
  chain = await createEmulator({ accounts: { privateKeys }, ...options })
  wallets = makeWallets(chain)
  wallet = wallets[0]
}

beforeEach(() => setUp())

async function headNumber(of: Emulator = chain): Promise<number> {
  return hexToNumber(await of.request({ method: 'eth_blockNumber' }))
}

/** Timestamps of the sealed blocks after genesis, in seconds after the start. */
async function timestamps(): Promise<number[]> {
  return (await readChain(chain)).slice(1).map(({ timestamp }) => hexToNumber(timestamp) - START_SECONDS)
}

async function pendingTimestamp(): Promise<number> {
  return hexToNumber((await readBlock(chain, 'pending')).timestamp) - START_SECONDS
}

async function pendingCount(of: Emulator = chain): Promise<number> {
  return (await readBlock(of, 'pending')).transactions.length
}

/** The visible state of a chain: its clock, its blocks, the open block, and its transactions. */
async function portrait(of: Emulator) {
  const blocks = await readChain(of)
  return {
    now: of.now,
    hashes: blocks.map(({ hash }) => hash),
    pending: await readBlock(of, 'pending'),
    balance: await of.request({ method: 'eth_getBalance', params: [somebody, 'pending'] }),
  }
}

describe('the clock', () => {
  test('starts at the genesis timestamp', async () => {
    expect(chain.now).toBe(START)
    await setUp({ genesis: { timestamp: 1_000_000 } })
    expect(chain.now).toBe(1_000_000_000)
    expect((await readBlock(chain, 0)).timestamp).toBe(numberToHex(1_000_000))
  })
})

describe('advance', () => {
  test('performs what falls due: nine partial blocks, then the tenth and the seal', async () => {
    const seen: string[] = []
    chain.on('partialBlock', ({ index, atMs }) => void seen.push(`partial ${index} at ${atMs - START}`))
    chain.on('sealedBlock', ({ number, atMs }) => void seen.push(`block ${number} at ${atMs - START}`))
    await chain.advance(2399)
    expect(seen).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `partial ${i + 1} at ${200 * (i + 1)}`),
      'block 1 at 2000',
      'partial 1 at 2200',
    ])
    expect(chain.now).toBe(START + 2399)
  })

  test('does nothing before anything is due, and performs it at its millisecond', async () => {
    await wallet.send({ to: somebody })
    await chain.advance(199)
    expect(await pendingCount()).toBe(0)
    await chain.advance(1)
    expect(await pendingCount()).toBe(1)
    await chain.advance(1799)
    expect(await headNumber()).toBe(0)
    await chain.advance(1)
    expect(await headNumber()).toBe(1)
  })

  test('by zero changes nothing', async () => {
    await chain.advance(777)
    const before = await portrait(chain)
    await chain.advance(0)
    expect(await portrait(chain)).toEqual(before)
  })

  test('gives every block the second at which it is due as its timestamp', async () => {
    await chain.advance(7000)
    expect(await timestamps()).toEqual([2, 4, 6])
    await setUp({ blockTimeMs: 1500, partialBlockTimeMs: 500 })
    await chain.advance(6000)
    // Due at 1.5, 3, 4.5 and 6 seconds.
    expect(await timestamps()).toEqual([1, 3, 4, 6])
  })

  test('gives the same chain for any steps', async () => {
    const send = async (of: Emulator, at: number): Promise<void> => {
      await of.request({
        method: 'eth_sendTransaction',
        params: [{ from: wallet.address, to: somebody, value: numberToHex(at + 1), gas: '0x5208' }],
      })
    }
    const pause = fc.integer({ min: 0, max: 2500 })
    await fc.assert(
      fc.asyncProperty(fc.array(pause, { maxLength: 6 }), fc.array(pause, { maxLength: 6 }), async (a, b) => {
        const [whole, split] = [chain.clone(), chain.clone()]
        for (const [at, pauses] of [a, b].entries()) {
          await send(whole, at)
          await whole.advance(pauses.reduce((sum, ms) => sum + ms, 0))
          await send(split, at)
          for (const ms of pauses) await split.advance(ms)
        }
        expect(await portrait(split)).toEqual(await portrait(whole))
      }),
      { seed: 20261122, numRuns: 15 },
    )
  })
})

describe('jump', () => {
  test('seals one block at most, at the time of arrival', async () => {
    await wallet.send({ to: somebody })
    await chain.jump(3_600_500)
    expect(chain.now).toBe(START + 3_600_500)
    expect(await timestamps()).toEqual([3600])
    expect((await readBlock(chain, 1)).transactions).toHaveLength(1)
    // The next block is due a block time after the landing.
    await chain.advance(1999)
    expect(await headNumber()).toBe(1)
    await chain.advance(1)
    expect(await timestamps()).toEqual([3600, 3602])
  })

  test('keeps the time that pre-confirmed transactions have seen', async () => {
    await wallet.send({ to: somebody })
    await chain.advance(200)
    await chain.jump(60_000)
    expect(await timestamps()).toEqual([2])
    expect(chain.now).toBe(START + 60_200)
    await chain.advance(2000)
    expect(await timestamps()).toEqual([2, 62])
  })

  test('before a seal closes one partial block, with the gas budget at that time', async () => {
    await setUp({ genesis: { gasLimit: 210_000 } })
    for (const each of wallets) await each.send({ to: somebody })
    const seen: number[] = []
    chain.on('partialBlock', ({ transactionHashes }) => void seen.push(transactionHashes.length))
    // Past the fourth: 4 × 21,000.
    await chain.jump(900)
    expect(seen).toEqual([4])
    expect(chain.now).toBe(START + 900)
  })

  test('before a partial block only moves the clock', async () => {
    const closed: unknown[] = []
    chain.on('partialBlock', (event) => closed.push(event))
    await chain.jump(0)
    expect(closed).toEqual([])
    await wallet.send({ to: somebody })
    await chain.jump(199)
    expect([chain.now, await pendingCount()]).toEqual([START + 199, 0])
  })
})

describe('next', () => {
  test('goes from step to step', async () => {
    const times: number[] = []
    for (let step = 0; step < 11; step++) {
      await chain.next()
      times.push(chain.now - START)
    }
    expect(times).toEqual([200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200])
    expect(await headNumber()).toBe(1)
  })

  test('goes to the seal if that comes before the partial block', async () => {
    await setUp({ blockTimeMs: 500, partialBlockTimeMs: 300 })
    const times: number[] = []
    for (let step = 0; step < 4; step++) {
      await chain.next()
      times.push(chain.now - START)
    }
    expect(times).toEqual([300, 500, 800, 1000])
    expect(await headNumber()).toBe(2)
  })

  test('does nothing if nothing is ever due', async () => {
    await setUp({ production: 'auto' })
    await chain.next()
    expect([chain.now, await headNumber()]).toEqual([START, 0])
  })
})

describe('seal', () => {
  test('seals pre-confirmed transactions and all that still fit, and the clock follows to the timestamp', async () => {
    const first = await wallet.send({ to: somebody })
    await chain.advance(200)
    const second = await wallet.send({ to: somebody })
    await chain.seal()
    const block = await readBlock(chain, 'latest')
    expect(transactionsOf(block).map(({ hash }) => hash)).toEqual([first, second])
    expect(await timestamps()).toEqual([2])
    expect(chain.now).toBe(START + 2000)
  })

  test('opens the next block, which is due a block time later', async () => {
    await chain.seal()
    await chain.advance(1999)
    expect(await headNumber()).toBe(1)
    await chain.advance(1)
    expect(await timestamps()).toEqual([2, 4])
  })

  test('never gives two blocks the same second, unless blocks are shorter than that', async () => {
    await setUp({ production: 'manual' })
    for (let i = 0; i < 3; i++) await chain.seal()
    expect(await timestamps()).toEqual([1, 2, 3])
    await setUp({ production: 'manual', blockTimeMs: 500 })
    for (let i = 0; i < 3; i++) await chain.seal()
    expect(await timestamps()).toEqual([0, 0, 0])
  })
})

describe('blocks shorter than a second', () => {
  test('share timestamps with their neighbours, and differ by number', async () => {
    await setUp({ blockTimeMs: 200 })
    await chain.advance(2200)
    expect(await timestamps()).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
    const blocks = await readChain(chain)
    expect(blocks.map(({ number }) => hexToNumber(number))).toEqual(blocks.map((_, number) => number))
    expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(blocks.length)
  })

  test('may be given the timestamp of their parent', async () => {
    await setUp({ blockTimeMs: 200 })
    await chain.advance(1000)
    await chain.request({ method: 'evm_setNextBlockTimestamp', params: [START_SECONDS + 1] })
    await chain.advance(200)
    expect(await timestamps()).toEqual([0, 0, 0, 0, 1, 1])
    await expect(
      chain.request({ method: 'evm_setNextBlockTimestamp', params: [START_SECONDS] }),
    ).rejects.toMatchObject({ kind: 'timestampTooLow' })
  })

  test('have a single partial block', async () => {
    await setUp({ blockTimeMs: 200 })
    for (let i = 0; i < 3; i++) {
      await wallet.send({ to: somebody })
      await chain.advance(200)
    }
    const blocks = await readChain(chain)
    expect(blocks.map(({ transactions }) => transactions.length)).toEqual([0, 1, 1, 1])
  })
})

describe('evm_increaseTime', () => {
  test('moves the clock, seals nothing, and returns the sum of all increases', async () => {
    expect(await chain.request({ method: 'evm_increaseTime', params: [3600] })).toBe(3600)
    expect(await chain.request({ method: 'evm_increaseTime', params: ['0x3c'] })).toBe(3660)
    expect(chain.now).toBe(START + 3_660_000)
    expect(await headNumber()).toBe(0)
    expect(await pendingTimestamp()).toBe(3662)
    await chain.advance(2000)
    expect(await timestamps()).toEqual([3662])
  })

  test('delays what was due by as much', async () => {
    await wallet.send({ to: somebody })
    await chain.advance(150)
    await chain.request({ method: 'evm_increaseTime', params: [100] })
    await chain.advance(49)
    expect(await pendingCount()).toBe(0)
    await chain.advance(1)
    expect(await pendingCount()).toBe(1)
  })
})

describe('evm_setNextBlockTimestamp', () => {
  test('sets the timestamp of the next block only, and the clock follows when it is sealed', async () => {
    const timestamp = START_SECONDS + 1000
    expect(await chain.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] })).toBeNull()
    expect([await pendingTimestamp(), chain.now]).toEqual([1000, START])
    await chain.advance(2000)
    expect([chain.now, await timestamps()]).toEqual([START + 1_000_000, [1000]])
    await chain.advance(2000)
    expect(await timestamps()).toEqual([1000, 1002])
  })

  test('is not used up by a partial block or a failed call', async () => {
    await chain.request({ method: 'evm_setNextBlockTimestamp', params: [numberToHex(START_SECONDS + 50)] })
    await wallet.send({ to: somebody })
    await chain.advance(200)
    await expect(chain.advance(-1)).rejects.toMatchObject({ kind: 'invalidCall' })
    await chain.seal()
    expect(await timestamps()).toEqual([50])
  })

  test('may be behind the clock, as long as it is after the parent', async () => {
    await chain.advance(1900)
    await chain.request({ method: 'evm_setNextBlockTimestamp', params: [START_SECONDS + 1] })
    await chain.advance(100)
    expect([await timestamps(), chain.now]).toEqual([[1], START + 2000])
  })

  test.each([
    ['of the parent', START_SECONDS, 'timestampTooLow', -32000, 'hardhat'],
    ['before the parent', START_SECONDS - 1, 'timestampTooLow', -32000, 'hardhat'],
    ['beyond the year 9999', 253_402_300_800, 'timestampTooHigh', -32602, 'anvil'],
  ] as const)('%s is refused, and nothing has changed', async (_, timestamp, kind, code, flavor) => {
    await setUp({ flavor })
    const before = await portrait(chain)
    await expect(
      chain.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] }),
    ).rejects.toMatchObject({ kind, code })
    expect(await portrait(chain)).toEqual(before)
  })

  test('is refused once transactions have seen the time of the block', async () => {
    await wallet.send({ to: somebody })
    await chain.advance(200)
    const before = await portrait(chain)
    await expect(
      chain.request({ method: 'evm_setNextBlockTimestamp', params: [START_SECONDS + 100] }),
    ).rejects.toMatchObject({ kind: 'blockBegun', code: -32000 })
    expect(await portrait(chain)).toEqual(before)
  })
})

describe('evm_mine', () => {
  test('seals a block now, or several', async () => {
    await wallet.send({ to: somebody })
    expect(await chain.request({ method: 'evm_mine' })).toBe('0x0')
    await chain.request({ method: 'evm_mine', params: [{ blocks: 3 }] })
    expect(await timestamps()).toEqual([2, 4, 6, 8])
    expect(chain.now).toBe(START + 8000)
    expect((await readBlock(chain, 1)).transactions).toHaveLength(1)
  })

  test.each([[START_SECONDS + 60], [numberToHex(START_SECONDS + 60)], [{ timestamp: START_SECONDS + 60 }]])(
    'gives the block the timestamp %j',
    async (parameter) => {
      await chain.request({ method: 'evm_mine', params: [parameter] })
      expect([await timestamps(), chain.now]).toEqual([[60], START + 60_000])
    },
  )

  test('gives the first of several the timestamp, and the others the block time', async () => {
    await chain.request({ method: 'evm_mine', params: [{ timestamp: START_SECONDS + 60, blocks: 3 }] })
    expect(await timestamps()).toEqual([60, 62, 64])
  })

  test('with a past timestamp is refused, and nothing is mined', async () => {
    await wallet.send({ to: somebody })
    const before = await portrait(chain)
    await expect(
      chain.request({ method: 'evm_mine', params: [{ timestamp: START_SECONDS - 1, blocks: 3 }] }),
    ).rejects.toMatchObject({ kind: 'timestampTooLow' })
    expect(await portrait(chain)).toEqual(before)
  })
})

describe('limits', () => {
  const calls = ['advance', 'jump'] as const

  test.each(
    calls.flatMap((call) =>
      [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined, 2 ** 53].map(
        (given) => [call, given] as const,
      ),
    ),
  )('%s(%s) is refused, and nothing has changed', async (call, given) => {
    await wallet.send({ to: somebody })
    await chain.advance(250)
    const before = await portrait(chain)
    const refusal = chain[call](given as number)
    await expect(refusal).rejects.toMatchObject({ kind: 'invalidCall', code: -32602 })
    await expect(refusal).rejects.toThrow(`invalid call ${call}`)
    expect(await portrait(chain)).toEqual(before)
  })

  test('time does not go beyond the year 9999', async () => {
    const end = Date.UTC(9999, 11, 31, 23, 59, 59)
    await expect(chain.advance(end - START + 1)).rejects.toMatchObject({ kind: 'timeOutOfRange' })
    await expect(chain.jump(end - START + 1)).rejects.toMatchObject({ kind: 'timeOutOfRange' })
    expect(chain.now).toBe(START)
    await chain.jump(end - START)
    expect(chain.now).toBe(end)
    await expect(chain.advance(1)).rejects.toMatchObject({ kind: 'timeOutOfRange' })
    await expect(chain.next()).rejects.toMatchObject({ kind: 'timeOutOfRange' })
  })

  test('one call does not perform more steps than the limit allows', async () => {
    await setUp({ limits: { stepsPerCall: 10 } })
    await expect(chain.advance(22_000)).rejects.toMatchObject({
      kind: 'tooManySteps',
      code: -32005,
      message: 'advance would perform 11 steps, more than the limit of 10',
    })
    await expect(chain.request({ method: 'evm_mine', params: [{ blocks: 11 }] })).rejects.toMatchObject({
      kind: 'tooManySteps',
    })
    expect([chain.now, await headNumber()]).toEqual([START, 0])
    // Ten blocks are as many as the limit.
    const full = chain.clone()
    await full.advance(20_000)
    await full.request('evm_mine', [{ blocks: 10 }])
    expect(await full.request('eth_blockNumber')).toBe('0x14')
    await expect(full.advance(20_001)).rejects.toMatchObject({ kind: 'tooManySteps' })
    await chain.advance(2000)
    await chain.jump(1_000_000)
    expect(await headNumber()).toBe(2)
  })

  test.each([-1, 1.5, 'soon', 2 ** 60])('evm_increaseTime(%s) is refused', async (seconds) => {
    await expect(chain.request('evm_increaseTime', [seconds])).rejects.toMatchObject({ code: -32602 })
    expect(chain.now).toBe(START)
  })
})

describe('auto production', () => {
  beforeEach(() => setUp({ production: 'auto' }))

  test('seals each transaction at once in a block of its own, a second after the one before', async () => {
    const hashes: Hex[] = []
    for (let i = 0; i < 3; i++) hashes.push(await wallet.send({ to: somebody }))
    const blocks = (await readChain(chain)).slice(1)
    expect(blocks.map((block) => transactionsOf(block).map(({ hash }) => hash))).toEqual(
      hashes.map((hash) => [hash]),
    )
    expect(await timestamps()).toEqual([1, 2, 3])
    expect(chain.now).toBe(START + 3000)
  })

  test('follows the clock if that is ahead', async () => {
    await chain.advance(60_000)
    await wallet.send({ to: somebody })
    expect(await timestamps()).toEqual([60])
    expect(await headNumber()).toBe(1)
  })

  test('keeps a transaction behind a nonce gap, and seals it after the one that closes the gap', async () => {
    const second = await wallet.send({ to: somebody, nonce: 1 })
    expect(await headNumber()).toBe(0)
    const first = await wallet.send({ to: somebody, nonce: 0 })
    expect(await headNumber()).toBe(2)
    const blocks = (await readChain(chain)).slice(1)
    expect(blocks.flatMap(transactionsOf).map(({ hash }) => hash)).toEqual([first, second])
  })

  test('seals no blocks as time passes, and an empty one on command', async () => {
    await chain.advance(600_000)
    expect(await headNumber()).toBe(0)
    await chain.seal()
    expect(await timestamps()).toEqual([600])
  })

  test('seals a transaction that reverts', async () => {
    await wallet.send({ data: '0x60006000fd', gas: 100_000n })
    expect((await readReceipts(chain, 'latest')).map(({ status }) => status)).toEqual(['0x0'])
  })
})

describe('manual production', () => {
  beforeEach(() => setUp({ production: 'manual' }))

  test('pre-confirms on the clock, and seals on command', async () => {
    const first = await wallet.send({ to: somebody })
    await chain.advance(60_000)
    expect([await headNumber(), await pendingCount()]).toEqual([0, 1])
    const second = await wallet.send({ to: somebody })
    await chain.seal()
    expect(transactionsOf(await readBlock(chain, 1)).map(({ hash }) => hash)).toEqual([first, second])
  })

  test('opens a block with its first transaction, and keeps its time', async () => {
    await chain.advance(10_000)
    expect(await pendingTimestamp()).toBe(10)
    await wallet.send({ to: somebody })
    await chain.advance(200)
    await chain.advance(5000)
    expect(await pendingTimestamp()).toBe(10)
    await chain.seal()
    expect(await timestamps()).toEqual([10])
    expect(chain.now).toBe(START + 15_200)
  })

  test('limits the gas of later partial blocks only by that of the block', async () => {
    await setUp({ production: 'manual', genesis: { gasLimit: 126_000 } })
    await chain.advance(30_000)
    for (const each of wallets) await each.send({ to: somebody })
    await chain.advance(200)
    expect(await pendingCount()).toBe(6)
  })
})

describe('a snapshot', () => {
  /** A chain in the middle of things: blocks, a partial block, a pool with a gap, time added. */
  async function prepare(): Promise<void> {
    await wallet.send({ to: somebody, value: 1n })
    await chain.advance(2000)
    await chain.request({ method: 'evm_increaseTime', params: [30] })
    await wallet.send({ to: somebody, value: 2n })
    await chain.advance(500)
    await wallets[1].send({ to: somebody, value: 4n })
    await wallets[1].send({ to: somebody, value: 8n, nonce: 2 })
  }

  /** A continuation with the same result each time. */
  async function goOn(of: Emulator): Promise<unknown[]> {
    const seen: unknown[] = [await portrait(of)]
    await of.advance(1700)
    seen.push(await portrait(of))
    seen.push(await of.request({ method: 'evm_increaseTime', params: [5] }))
    await of.request({
      method: 'eth_sendTransaction',
      params: [{ from: wallets[2].address, to: somebody, value: '0x10' }],
    })
    await of.advance(2100)
    seen.push(await portrait(of))
    return seen
  }

  test('restores everything: clock, blocks, pre-confirmed and pooled transactions, and the same future', async () => {
    await prepare()
    const snapshot = chain.snapshot()
    expect(snapshot.takenAtMs).toBe(chain.now)
    const future = await goOn(chain)
    await chain.revert(snapshot)
    expect(await goOn(chain)).toEqual(future)
  })

  test('can be used any number of times', async () => {
    await prepare()
    const snapshot = chain.snapshot()
    const before = await portrait(chain)
    for (let time = 0; time < 3; time++) {
      await chain.advance(5000 * (time + 1))
      await chain.revert(snapshot)
      expect(await portrait(chain)).toEqual(before)
    }
  })

  test('can be reverted to from an older one, and forward again', async () => {
    const early = chain.snapshot()
    await chain.advance(4000)
    const late = chain.snapshot()
    const [atLate] = [await portrait(chain)]
    await chain.revert(early)
    expect(await headNumber()).toBe(0)
    await chain.revert(late)
    expect(await portrait(chain)).toEqual(atLate)
  })

  test('keeps whether a timestamp was requested', async () => {
    const without = chain.snapshot()
    await chain.request({ method: 'evm_setNextBlockTimestamp', params: [START_SECONDS + 500] })
    const withOne = chain.snapshot()
    await chain.seal()
    await chain.revert(withOne)
    await chain.seal()
    expect(await timestamps()).toEqual([500])
    await chain.revert(without)
    await chain.seal()
    expect(await timestamps()).toEqual([2])
  })

  test('has the state at its call, awaited or not', async () => {
    const raw = await wallet.sign({ to: somebody, value: 3n })
    const sent = chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
    const passed = chain.advance(200)
    const snapshot = chain.snapshot()
    const sealed = chain.advance(1800)
    await Promise.all([sent, passed, sealed])
    expect(await headNumber()).toBe(1)
    await chain.revert(snapshot)
    expect([chain.now, await headNumber(), await pendingCount()]).toEqual([START + 200, 0, 1])
  })

  test('of another chain is refused', async () => {
    const other = await createEmulator({ accounts: { privateKeys } })
    const before = await portrait(chain)
    await expect(chain.revert(other.snapshot())).rejects.toMatchObject({ kind: 'unknownSnapshot' })
    await expect(chain.revert({ takenAtMs: START })).rejects.toMatchObject({ kind: 'unknownSnapshot' })
    expect(await portrait(chain)).toEqual(before)
  })
})

describe('evm_snapshot and evm_revert', () => {
  const snapshot = () => chain.request({ method: 'evm_snapshot' })
  const revert = (id: Hex) => chain.request({ method: 'evm_revert', params: [id] })

  test('revert, and use up the id and the later ones', async () => {
    const first = await snapshot()
    await chain.advance(2000)
    const second = await snapshot()
    await chain.advance(2000)
    const third = await snapshot()
    expect(await revert(second)).toBe(true)
    expect([chain.now, await headNumber()]).toEqual([START + 2000, 1])
    expect(await revert(second)).toBe(false)
    expect(await revert(third)).toBe(false)
    expect(await revert(first)).toBe(true)
    expect([chain.now, await headNumber()]).toEqual([START, 0])
  })

  test('never reuse an id, whatever is reverted by either kind of snapshot', async () => {
    const handle = chain.snapshot()
    const ids = [await snapshot(), await snapshot()]
    await revert(ids[0] as Hex)
    ids.push(await snapshot())
    await chain.revert(handle)
    ids.push(await snapshot())
    expect(ids).toEqual(['0x0', '0x1', '0x2', '0x3'])
    expect(new Set(ids).size).toBe(4)
  })

  test('refuse an unknown id', async () => {
    await chain.advance(2000)
    expect(await revert('0x9')).toBe(false)
    expect(await headNumber()).toBe(1)
  })
})

describe('a clone', () => {
  test('starts in the state of the original, and has the same future', async () => {
    await wallet.send({ to: somebody, value: 1n })
    await chain.advance(700)
    await wallet.send({ to: somebody, value: 2n })
    const copy = chain.clone()
    expect(await portrait(copy)).toEqual(await portrait(chain))
    await chain.advance(4000)
    await copy.advance(4000)
    expect(await portrait(copy)).toEqual(await portrait(chain))
  })

  test('is independent', async () => {
    const copy = chain.clone()
    await wallet.send({ to: somebody, value: 1n })
    await chain.advance(2000)
    expect([await headNumber(copy), copy.now]).toEqual([0, START])
    await copy.advance(6000)
    expect([await headNumber(copy), await headNumber()]).toEqual([3, 1])
    expect(await copy.request({ method: 'eth_getBalance', params: [somebody] })).toBe('0x0')
    copy.dispose()
    await chain.advance(2000)
    expect(await headNumber()).toBe(2)
  })

  test('has the state of the calls before it, awaited or not', async () => {
    const raw = await wallet.sign({ to: somebody, value: 3n })
    const before = [chain.request({ method: 'eth_sendRawTransaction', params: [raw] }), chain.advance(200)]
    const copy = chain.clone()
    const after = chain.advance(1800)
    expect([await pendingCount(copy), await headNumber(copy)]).toEqual([1, 0])
    await Promise.all([...before, after])
    expect(await headNumber()).toBe(1)
  })

  test('can be reverted to snapshots of the original, and knows its ids', async () => {
    const handle = chain.snapshot()
    const id = await chain.request({ method: 'evm_snapshot' })
    await chain.advance(4000)
    const copy = chain.clone()
    await copy.revert(handle)
    expect(await headNumber(copy)).toBe(0)
    await copy.advance(2000)
    expect(await copy.request({ method: 'evm_revert', params: [id] })).toBe(true)
    expect([await headNumber(copy), await headNumber()]).toEqual([0, 2])
    expect(await copy.request({ method: 'evm_snapshot' })).toBe('0x1')
  })

  test('works after the original is disposed of', async () => {
    await chain.advance(2000)
    const id = await chain.request({ method: 'evm_snapshot' })
    await chain.advance(2000)
    const copy = chain.clone()
    chain.dispose()
    await copy.advance(2000)
    expect(await headNumber(copy)).toBe(3)
    expect(await copy.request({ method: 'evm_revert', params: [id] })).toBe(true)
    expect(await headNumber(copy)).toBe(1)
  })
})

describe('the order of calls', () => {
  test('is the order of their effects, awaited or not', async () => {
    const raws = [
      await wallet.sign({ to: somebody, value: 1n }),
      await wallet.sign({ to: somebody, value: 2n }),
    ]
    const balance = () => chain.request({ method: 'eth_getBalance', params: [somebody, 'pending'] })
    const answers = await Promise.all([
      balance(),
      chain.request({ method: 'eth_sendRawTransaction', params: [raws[0] as Hex] }).then(() => 'sent'),
      balance(),
      chain.advance(200),
      balance(),
      chain.request({ method: 'eth_sendRawTransaction', params: [raws[1] as Hex] }).then(() => 'sent'),
      chain.seal(),
      balance(),
      chain.request({ method: 'eth_blockNumber' }),
    ])
    expect(answers).toEqual(['0x0', 'sent', '0x0', undefined, '0x1', 'sent', undefined, '0x3', '0x1'])
  })

  test('is kept after a call that fails', async () => {
    const answers = await Promise.allSettled([chain.advance(2000), chain.advance(-1), chain.advance(2000)])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await headNumber()).toBe(2)
  })
})
