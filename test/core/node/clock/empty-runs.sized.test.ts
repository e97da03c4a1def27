// Empty blocks in long calls: they are indistinguishable from blocks built individually.

import fc from 'fast-check'
import { type Hex, hexToNumber, numberToHex, parseGwei } from 'viem'
import { describe, expect, test } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'
import { FORKS_BY_NUMBER } from '../../../forks.ts'
import { scaled } from '../../../size.ts'
import { ALICE, alice, BOB, bob, startScene, transfer } from '../../rpc/scene.ts'
import { ask, perform, step } from './steps.ts'
import { atOnce, blockOf, bothWays, heightOf, portraitOf, transcribe, unseen, type Way } from './stepwise.ts'

const GENESIS_SECONDS = 1_704_067_200

/** Does the same in all ways, and compares all that is visible in the end. */
async function expectSame(options: EmulatorOptions, act: (way: Way) => Promise<void>): Promise<void> {
  const [long, short] = await bothWays(options)
  await act(short)
  const expected = await portraitOf(short.chain)
  for (const way of [long, unseen(await createEmulator(options))]) {
    await act(way)
    expect(await portraitOf(way.chain)).toEqual(expected)
  }
}

type Kind = readonly [string, EmulatorOptions]

const KINDS: readonly Kind[] = [
  ['prague', {}],
  ['blocks of 700 ms', { blockTimeMs: 700 }],
]

const KINDS_OF_THE_GATE: readonly Kind[] = [
  ['byzantium', { hardfork: 'byzantium' }],
  ['auto production', { production: 'auto' }],
  ['a timestamp of one byte', { genesis: { timestamp: 100 } }],
  ['excess blob gas in osaka', { hardfork: 'osaka', genesis: { excessBlobGas: 90_000_000 } }],
  ['blocks of 250 ms', { blockTimeMs: 250, partialBlockTimeMs: 100 }],
  ['osaka', { hardfork: 'osaka' }],
  ['cancun', { hardfork: 'cancun' }],
  ['shanghai', { hardfork: 'shanghai' }],
  ['paris', { hardfork: 'paris' }],
  ['london', { hardfork: 'london' }],
  ['berlin', { hardfork: 'berlin' }],
  ['manual production', { production: 'manual' }],
  ['blocks of 1.5 s', { blockTimeMs: 1500 }],
  ['blocks of 1 s', { blockTimeMs: 1000, partialBlockTimeMs: 1000 }],
  ['blocks of 12 s', { blockTimeMs: 12_000, partialBlockTimeMs: 4000 }],
  ['equal timestamps', { allowBlocksWithSameTimestamp: true, production: 'manual' }],
  ['excess blob gas', { genesis: { excessBlobGas: 20_000_000 }, blobTransactions: 'accepted' }],
  ['a base fee that takes long to fall', { genesis: { baseFeePerGas: 10n ** 30n } }],
]

describe('a run equals blocks built individually', () => {
  const expectSameAfterRuns = (_: string, options: EmulatorOptions) =>
    expectSame(options, async ({ advance, mine }) => {
      await advance(150)
      await advance(60_000)
      await mine(20)
      await advance(1_234)
      await mine(2)
      await advance(45_000)
    })
  test.each(KINDS)('%s', expectSameAfterRuns)
  test.each(KINDS_OF_THE_GATE)('%s', { tags: 'gate' }, expectSameAfterRuns)

  test('more blocks than fit a stretch, and a number that grows by a byte', { tags: 'gate' }, () =>
    expectSame({}, async ({ mine }) => mine(600)),
  )

  test('on a block with an edited account', () =>
    expectSame({}, async ({ chain, mine }) => {
      await mine(5)
      await ask(chain, 'anvil_setBalance', BOB, '0x1234')
      await mine(5)
      await ask(chain, 'anvil_setBalance', ALICE, '0x5678')
      await ask(chain, 'anvil_setBalance', BOB, '0x9a')
      await mine(5)
      expect(await ask(chain, 'eth_getBalance', BOB, 'latest')).toBe('0x9a')
      expect(await ask(chain, 'eth_getBalance', BOB, '0x7')).toBe('0x1234')
    }))

  test('with settings for the next block', () =>
    expectSame({}, async ({ chain, advance, mine }) => {
      await advance(6000)
      await ask(chain, 'evm_setNextBlockTimestamp', GENESIS_SECONDS + 1000)
      await ask(chain, 'anvil_setNextBlockBaseFeePerGas', '0x77359400')
      await mine(7)
      await ask(chain, 'hardhat_setPrevRandao', `0x${'12'.repeat(32)}`)
      await advance(20_000)
      await ask(chain, 'anvil_setCoinbase', BOB)
      await ask(chain, 'evm_increaseTime', 77)
      await mine(4)
      await advance(9_000)
    }))

  test.each([1, 2, 5])(
    'with timestamps %i s apart, on the clock and on command',
    { tags: 'gate' },
    (seconds) =>
      expectSame({}, async ({ chain, advance, mine }) => {
        await ask(chain, 'anvil_setBlockTimestampInterval', seconds)
        await advance(30_000)
        await mine(6)
        await advance(11_000)
        await ask(chain, 'evm_setNextBlockTimestamp', GENESIS_SECONDS + 900)
        await advance(30_000)
        await ask(chain, 'anvil_removeBlockTimestampInterval')
        await advance(30_000)
      }),
  )

  test('mined at an interval, like single blocks with timestamps', async () => {
    const [long, short] = await bothWays({ production: 'manual' })
    await ask(long.chain, 'hardhat_mine', '0x20', '0x3c')
    for (let number = 1; number <= 32; number++) {
      await ask(short.chain, 'evm_setNextBlockTimestamp', GENESIS_SECONDS + 60 * number)
      await short.mine(1)
    }
    const hashes = async (chain: Emulator) => (await blockOf(chain, 32)).hash
    expect(await hashes(long.chain)).toBe(await hashes(short.chain))
  })

  test('mined at an interval, like single commands', async () => {
    const [long, short] = await bothWays({ production: 'manual' })
    const [toldLong, toldShort] = [await transcribe(long.chain), await transcribe(short.chain)]
    await ask(long.chain, 'hardhat_mine', '0x8', '0x3c')
    for (let number = 1; number <= 8; number++) {
      await ask(short.chain, 'evm_setNextBlockTimestamp', GENESIS_SECONDS + 60 * number)
      await short.mine(1)
    }
    expect(toldLong.length).toBeGreaterThan(16)
    expect(toldLong).toEqual(toldShort)
  })

  test('across forks by time, and blob parameters', { tags: 'gate' }, async () => {
    const blobs = (target: number) => ({ target, max: 2 * target, baseFeeUpdateFraction: 5_000_000 })
    const options: EmulatorOptions = {
      genesis: {
        excessBlobGas: 10_000_000,
        config: {
          ...{ chainId: 31_337, terminalTotalDifficulty: 0 },
          ...{ ...FORKS_BY_NUMBER, londonBlock: 7 },
          shanghaiTime: GENESIS_SECONDS + 31,
          cancunTime: GENESIS_SECONDS + 60,
          pragueTime: GENESIS_SECONDS + 100,
          osakaTime: GENESIS_SECONDS + 140,
          bpo1Time: GENESIS_SECONDS + 170,
          blobSchedule: { cancun: blobs(3), prague: blobs(6), osaka: blobs(7), bpo1: blobs(9) },
        },
      },
    }
    await expectSame(options, async ({ advance, mine }) => {
      await advance(70_000)
      await mine(30)
      await advance(90_000)
    })
  })

  // EIP-4399: from the merge on, the mix hash is the random value.
  test('with the rules of the merge from the first block on', async () => {
    const config = { chainId: 31_337, ...FORKS_BY_NUMBER, terminalTotalDifficulty: 0x20000 }
    const chain = await createEmulator({ genesis: { difficulty: 0x20000, config } })
    await atOnce(chain).mine(3)
    const mixHashes = [1, 2, 3].map(async (number) => (await blockOf(chain, number)).mixHash)
    expect(await Promise.all(mixHashes)).not.toContain(`0x${'00'.repeat(32)}`)
  })
})

describe('listeners get', () => {
  test.each([
    ['on the clock', {}],
    ['in manual production', { production: 'manual' }],
    ['in blocks of 700 ms', { blockTimeMs: 700 }],
  ] as const)('all events in order, %s', async (_, options) => {
    const [long, short] = await bothWays(options)
    const [toldLong, toldShort] = [await transcribe(long.chain), await transcribe(short.chain)]
    for (const { advance, mine } of [long, short]) {
      await advance(300)
      await advance(30_000)
      await mine(4)
      await advance(5_500)
    }
    expect(toldLong.length).toBeGreaterThan(150)
    expect(toldLong).toEqual(toldShort)
  })

  test('the same blocks as without listeners', async () => {
    const [heard, unheard] = [await createEmulator(), await createEmulator()]
    await transcribe(heard)
    await heard.advance(60_000)
    await unheard.advance(60_000)
    expect(await portraitOf(heard)).toEqual(await portraitOf(unheard))
  })

  test('blocks by filters and by newHeads', async () => {
    const [long, short] = await bothWays()
    for (const { chain, advance } of [long, short]) {
      await ask(chain, 'eth_newBlockFilter')
      await advance(50_000)
    }
    const hashes = await ask<Hex[]>(long.chain, 'eth_getFilterChanges', '0x1')
    expect(hashes).toHaveLength(25)
    expect(hashes).toEqual(await ask(short.chain, 'eth_getFilterChanges', '0x1'))
    expect(hashes.at(-1)).toBe((await blockOf(long.chain, 25)).hash)
  })

  test('the rest of a run if added within it, and nothing more once removed', async () => {
    const chain = await createEmulator()
    const seen: string[] = []
    const onPartial = ({ blockNumber, index }: { blockNumber: number; index: number }) =>
      seen.push(`partial ${blockNumber}.${index}`)
    chain.on('sealedBlock', ({ number }) => {
      seen.push(`sealed ${number}`)
      if (number === 2) chain.on('partialBlock', onPartial)
      if (number === 3) chain.removeListener('partialBlock', onPartial)
    })
    await chain.advance(10_000)
    const partials = Array.from({ length: 10 }, (_, i) => `partial 3.${i + 1}`)
    expect(seen).toEqual(['sealed 1', 'sealed 2', ...partials, 'sealed 3', 'sealed 4', 'sealed 5'])
  })

  test('a time-out that falls into a run', async () => {
    const { chain, ask: request } = await startScene()
    const raw = await alice.signTransaction(transfer(BOB, 5))
    const receipt = request('eth_sendRawTransactionSync', raw, 5000)
    const outcome = expect(receipt).rejects.toMatchObject({ code: 4 })
    await chain.advance(60_000)
    await outcome
  })
})

describe('a waiting transaction', () => {
  /** EIP-1559: an empty block takes an eighth off the base fee. */
  function firstBlockBelow(cap: bigint): number {
    let fee = 1_000_000_000n
    for (let number = 1; ; number++) {
      fee -= fee / 8n
      if (fee <= cap) return number
    }
  }

  test('enters the block whose base fee its fee cap covers', async () => {
    const { chain, ask: request, send } = await startScene()
    const cap = parseGwei('0.01')
    const hash = await send(alice, { ...transfer(BOB, 0), maxFeePerGas: cap, maxPriorityFeePerGas: 1n })
    await chain.advance(3_600_000)
    const receipt = await request<{ blockNumber: Hex }>('eth_getTransactionReceipt', hash)
    expect(hexToNumber(receipt.blockNumber)).toBe(firstBlockBelow(cap))
    expect(await heightOf(chain)).toBe(1800)
  })

  test('enters it as with single blocks, and so do its followers', { tags: 'gate' }, async () => {
    await expectSame({}, async ({ chain, advance, mine }) => {
      const raw = async (nonce: number, gwei: string) =>
        ask(
          chain,
          'eth_sendRawTransaction',
          await alice.signTransaction({
            ...transfer(BOB, nonce),
            maxFeePerGas: parseGwei(gwei),
            maxPriorityFeePerGas: 1n,
          }),
        )
      await raw(0, '0.3')
      await raw(1, '0.2')
      await raw(2, '0.25')
      await advance(40_000)
      await raw(3, '0.0001')
      await mine(90)
    })
  })

  test.each([
    ['behind a gap', transfer(BOB, 3)],
    ['for funds', { ...transfer(BOB, 0), value: 9_999n * 10n ** 18n }],
  ])('%s stays in the pool', async (_, transaction) => {
    await expectSame({}, async ({ chain, advance, mine }) => {
      await ask(chain, 'eth_sendRawTransaction', await alice.signTransaction(transaction))
      await ask(chain, 'anvil_setBalance', ALICE, numberToHex(10n ** 18n))
      await advance(30_000)
      await mine(12)
      expect(await ask(chain, 'txpool_status')).toMatchObject({})
    })
  })

  test('on hold until its release is held back through a run', async () => {
    const { chain, ask: request, send } = await startScene()
    const hash = await send(alice, transfer(BOB, 0))
    await chain.delayTransaction(hash)
    await chain.advance(60_000)
    expect(await request('eth_getTransactionReceipt', hash)).toBe(null)
    await chain.releaseTransaction(hash)
    await chain.advance(2000)
    expect(await request('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1f' })
  })
})

test('time in manual production emits all partial blocks, and counts them', async () => {
  const [long, short] = await bothWays({ production: 'manual' })
  const [toldLong, toldShort] = [await transcribe(long.chain), await transcribe(short.chain)]
  for (const { chain, advance } of [long, short]) {
    await advance(10_100)
    await ask(chain, 'eth_sendRawTransaction', await bob.signTransaction(transfer(ALICE, 0)))
    await advance(900)
    await ask(chain, 'evm_mine')
    await advance(2_000)
  }
  expect(toldLong).toEqual(toldShort)
  expect(await portraitOf(long.chain)).toEqual(await portraitOf(short.chain))
})

describe('commands on a chain with runs', () => {
  test('a reorganisation into a run, or across it, has the same result', async () => {
    await expectSame({}, async ({ chain, advance, mine }) => {
      await advance(40_000)
      await chain.reorg({ depth: 4 })
      await mine(3)
      await chain.reorg({ depth: 12, blocks: [[], []] })
      await advance(20_000)
      await ask(chain, 'eth_sendRawTransaction', await alice.signTransaction(transfer(BOB, 0)))
      await mine(5)
      await chain.reorg({ depth: 9 })
      await advance(8_000)
    })
  })

  test('edits of a block leave nothing behind after a reorganisation', async () => {
    const chain = await createEmulator()
    await chain.request('evm_mine', [{ blocks: 10 }])
    await ask(chain, 'anvil_setBalance', BOB, '0x1234')
    await chain.reorg({ depth: 6, blocks: [] })
    await chain.request('evm_mine', [{ blocks: 10 }])
    expect(await ask(chain, 'eth_getBalance', BOB, '0xa')).not.toBe('0x1234')
    expect(await ask(chain, 'eth_getBalance', BOB, 'latest')).not.toBe('0x1234')
  })

  test('snapshots, reverts and clones share a run and continue independently', async () => {
    const chain = await createEmulator()
    await chain.advance(30_000)
    const before = chain.snapshot()
    const clone = chain.clone()
    await chain.advance(60_000)
    const first = await portraitOf(chain)
    await chain.revert(before)
    expect(await heightOf(chain)).toBe(15)
    await clone.advance(60_000)
    await chain.advance(60_000)
    expect(await portraitOf(clone)).toEqual(first)
    expect(await portraitOf(chain)).toEqual(first)
  })

  test('a run continued after a snapshot is the same before it, and independent after a revert', async () => {
    await expectSame({ production: 'manual' }, async ({ chain, mine }) => {
      await mine(4)
      const snapshot = await ask(chain, 'evm_snapshot')
      await mine(3)
      expect(await ask(chain, 'evm_revert', snapshot)).toBe(true)
      expect(await heightOf(chain)).toBe(4)
      await ask(chain, 'evm_mine', GENESIS_SECONDS + 500)
      await mine(3)
    })
  })

  test('blocks after a reorganisation differ from the removed ones, even at the same time', async () => {
    await expectSame(
      { production: 'manual', allowBlocksWithSameTimestamp: true },
      async ({ chain, mine }) => {
        await mine(5)
        const orphaned = chain.clone()
        await chain.reorg({ depth: 2, blocks: [] })
        await mine(2)
        expect((await blockOf(chain, 4)).timestamp).toBe((await blockOf(orphaned, 4)).timestamp)
        expect((await blockOf(chain, 4)).hash).not.toBe((await blockOf(orphaned, 4)).hash)
      },
    )
  })

  test('a revert reports removed blocks of runs, too', async () => {
    const [long, short] = await bothWays()
    for (const { chain, advance } of [long, short]) {
      await advance(4_000)
      const snapshot = chain.snapshot()
      await advance(20_000)
      const told = await transcribe(chain)
      await chain.revert(snapshot)
      expect(told.filter((entry) => (entry as unknown[])[0] === 'orphanedBlocks')).toHaveLength(1)
      const [, { blocks }] = told.find((entry) => (entry as unknown[])[0] === 'orphanedBlocks') as [
        string,
        { blocks: { number: number }[] },
      ]
      expect(blocks.map(({ number }) => number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    }
  })

  test('another chain imports a short run', async () => {
    const chain = await createEmulator()
    await chain.advance(100_000)
    const other = await createEmulator()
    await other.importBlocks(await chain.exportBlocks())
    expect(await blockOf(other, 50)).toEqual(await blockOf(chain, 50))
  })

  test('a state dump has its blocks', async () => {
    const chain = await createEmulator()
    await chain.advance(100_000)
    const state = await chain.dump()
    const other = await createEmulator()
    await other.load(state)
    expect(await portraitOf(other)).toEqual(await portraitOf(chain))
  })

  test('blocks are found by hash, and unknown hashes are not', async () => {
    const chain = await createEmulator()
    await chain.advance(100_000)
    await chain.request('evm_mine', [{ blocks: 700 }])
    await chain.seal()
    for (const number of [0, 1, 17, 50, 51, 306, 307, 750, 751]) {
      const { hash } = await blockOf(chain, number)
      expect((await blockOf(chain, hash)).number).toBe(numberToHex(number))
    }
    expect(await ask(chain, 'eth_getBlockByHash', `0x${'00'.repeat(32)}`, false)).toBe(null)
    const gone = (await blockOf(chain, 700)).hash
    await chain.reorg({ depth: 60, blocks: [] })
    expect(await ask(chain, 'eth_getBlockByHash', gone, false)).toBe(null)
  })

  test('thousands of unread runs do not overflow the stack', { tags: 'gate' }, async () => {
    const [long, short] = await bothWays({ production: 'manual' })
    const makePair = async ({ chain, mine }: Way): Promise<void> => {
      await mine(2)
      // Not a continuation of the next one, which is therefore a run of its own.
      await ask(chain, 'evm_increaseTime', 5)
    }
    for (let i = 0; i < 3000; i++) await makePair(long)
    const head = await blockOf(long.chain, 6000)
    for (let i = 0; i < 10; i++) await makePair(short)
    const hash = (await blockOf(short.chain, 20)).hash
    expect((await blockOf(long.chain, 20)).hash).toBe(hash)
    expect(head.parentHash).toBe((await blockOf(long.chain, 5999)).hash)
  })

  test('runs end at the end of time', async () => {
    const end = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000
    const chain = await createEmulator({ genesis: { timestamp: end - 100 } })
    await expect(chain.request('evm_mine', [{ blocks: 51 }])).rejects.toMatchObject({
      kind: 'timeOutOfRange',
    })
    expect(await heightOf(chain)).toBe(0)
    await chain.request('evm_mine', [{ blocks: 50 }])
    expect(hexToNumber((await blockOf(chain, 50)).timestamp)).toBe(end)
  })
})

test('with any commands in between, runs and single blocks have the same result', async () => {
  const options = fc.constantFrom<EmulatorOptions>(
    {},
    { production: 'manual' },
    { production: 'auto' },
    { blockTimeMs: 1500, partialBlockTimeMs: 500 },
    { blockTimeMs: 400, partialBlockTimeMs: 200 },
    { hardfork: 'shanghai' },
  )
  await fc.assert(
    fc.asyncProperty(options, fc.array(step, { minLength: 3, maxLength: 14 }), async (chosen, steps) => {
      const [long, short] = await bothWays(chosen)
      const ways = [long, unseen(await createEmulator(chosen))]
      for (const it of steps) {
        const expected = await perform(short, it)
        for (const way of ways) expect(await perform(way, it)).toEqual(expected)
      }
      const expected = await portraitOf(short.chain)
      for (const { chain } of ways) expect(await portraitOf(chain)).toEqual(expected)
    }),
    { numRuns: scaled(25), seed: 4711 },
  )
})
