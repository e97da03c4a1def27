// The option `genesis.number`: a chain whose first block is not number 0.
import { createEmulator } from 'tickchain'
import { type Hex, numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { FORKS_BY_NUMBER } from '../../forks.ts'
import { ALICE, alice, BOB, type Scene, startScene, transfer } from '../rpc/scene.ts'

const FIRST = 1_000_000
const NONE = `0x${'00'.repeat(32)}`

/** Returns the BLOCKHASH of the number in the call data. */
const HASHER = '0x00000000000000000000000000000000000000b0'
const HASHER_CODE = '0x6000354060005260206000f3'
/** Logs its call data, without topics. */
const LOGGER = '0x00000000000000000000000000000000000000a0'
const LOGGER_CODE = '0x366000600037366000a000'

interface Block {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
}

const alloc = { [HASHER]: { code: HASHER_CODE }, [LOGGER]: { code: LOGGER_CODE } } as const

const start = (number: number | string = FIRST): Promise<Scene> =>
  startScene({ genesis: { number, alloc }, safeLag: 2, finalizedLag: 4 })

const blockAt = ({ ask }: Scene, number: number | string): Promise<Block | null> =>
  ask('eth_getBlockByNumber', typeof number === 'number' ? numberToHex(number) : number, false)

const numberOf = async (scene: Scene, tag: string): Promise<number> =>
  Number((await blockAt(scene, tag))?.number)

describe('the first block', () => {
  test.each([1_000_000, '1000000', '0xf4240', 1_000_000n])('has the number %s', async (number) => {
    const scene = await startScene({ genesis: { number } })
    expect(await scene.ask('eth_blockNumber')).toBe('0xf4240')
    await scene.chain.seal()
    expect(await scene.ask('eth_blockNumber')).toBe('0xf4241')
    const [first, second] = [await blockAt(scene, FIRST), await blockAt(scene, FIRST + 1)]
    expect(second?.parentHash).toBe(first?.hash)
    expect(first?.parentHash).toBe(NONE)
  })

  test('is the earliest, and safe and finalized until there are enough others', async () => {
    const scene = await start()
    await scene.chain.mine(3)
    expect(await numberOf(scene, 'earliest')).toBe(FIRST)
    expect(await numberOf(scene, 'safe')).toBe(FIRST + 1)
    expect(await numberOf(scene, 'finalized')).toBe(FIRST)
    expect(await numberOf(scene, 'pending')).toBe(FIRST + 4)
    expect(await scene.ask('eth_syncing')).toBe(false)
  })

  test('may have any number up to 2^52', async () => {
    const scene = await start('4503599627370496')
    await scene.chain.mine(2)
    expect(await scene.ask('eth_blockNumber')).toBe('0x10000000000002')
    await expect(createEmulator({ genesis: { number: '0x10000000000001' } })).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringMatching(/genesis\.number.*at most 4503599627370496.*0x10000000000001/),
    })
  })

  test('decides which forks of a schedule are active (geth, params.ChainConfig)', async () => {
    const config = { chainId: 1, ...FORKS_BY_NUMBER, londonBlock: FIRST + 2 }
    const { chain, ask } = await startScene({ genesis: { config, number: FIRST } })
    await chain.mine(2)
    const feeAt = async (number: number): Promise<unknown> =>
      (await ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', numberToHex(number), false)).baseFeePerGas
    expect(await feeAt(FIRST + 1)).toBeUndefined()
    // EIP-1559: 1 gwei in the first block.
    expect(await feeAt(FIRST + 2)).toBe('0x3b9aca00')
  })
})

describe('below the first block', () => {
  test('there is nothing', async () => {
    const scene = await start()
    const { ask } = scene
    for (const number of [0, 1, FIRST - 1]) {
      const hex = numberToHex(number)
      expect(await blockAt(scene, number)).toBeNull()
      expect(await ask('eth_getBlockReceipts', hex)).toBeNull()
      expect(await ask('eth_getTransactionByBlockNumberAndIndex', hex, '0x0')).toBeNull()
      await expect(ask('eth_getBalance', ALICE, hex)).rejects.toMatchObject({ kind: 'blockNotFound' })
      await expect(ask('debug_setHead', hex)).rejects.toMatchObject({ kind: 'blockNotFound' })
    }
  })

  test('BLOCKHASH is zero', async () => {
    const scene = await start()
    await scene.chain.mine(3)
    const hashOf = (number: number): Promise<Hex> =>
      scene.ask('eth_call', { to: HASHER, data: pad(numberToHex(number)) }, 'latest')
    expect(await hashOf(FIRST)).toBe((await blockAt(scene, FIRST))?.hash)
    expect(await hashOf(FIRST + 2)).toBe((await blockAt(scene, FIRST + 2))?.hash)
    expect(await hashOf(FIRST - 1)).toBe(NONE)
    expect(await hashOf(0)).toBe(NONE)
  })

  test('the fee history ends', async () => {
    const { chain, ask } = await start()
    await chain.mine(2)
    const history = await ask<{ oldestBlock: Hex; gasUsedRatio: unknown[] }>(
      'eth_feeHistory',
      '0x10',
      'latest',
    )
    expect(history.oldestBlock).toBe(numberToHex(FIRST))
    expect(history.gasUsedRatio).toHaveLength(3)
  })

  test.each(['anvil', 'hardhat', 'ganache'] as const)('there are no logs (%s)', async (flavor) => {
    const { chain, ask, send } = await startScene({
      genesis: { number: FIRST, alloc },
      flavor,
      limits: { logBlockRange: 10 },
    })
    await send(alice, { ...transfer(LOGGER, 0), gas: 50_000n, data: '0xabcd' })
    await chain.seal()
    const logs = (filter: object): Promise<{ blockNumber: Hex }[]> => ask('eth_getLogs', filter)
    const found = await logs({ fromBlock: '0x0', toBlock: 'latest' })
    expect(found.map(({ blockNumber }) => blockNumber)).toEqual([numberToHex(FIRST + 1)])
    expect(await logs({ fromBlock: 'earliest', toBlock: 'latest' })).toEqual(found)
    expect(await logs({ fromBlock: '0x0', toBlock: numberToHex(FIRST - 1) })).toEqual([])
  })

  test('no reorganisation goes', async () => {
    const scene = await start()
    await scene.chain.mine(3)
    await expect(scene.chain.reorg({ depth: 4 })).rejects.toMatchObject({ kind: 'reorgTooDeep' })
    const before = await blockAt(scene, FIRST + 1)
    await scene.chain.reorg({ depth: 3 })
    expect(await numberOf(scene, 'latest')).toBe(FIRST + 3)
    expect((await blockAt(scene, FIRST + 1))?.hash).not.toBe(before?.hash)
    await scene.ask('debug_setHead', numberToHex(FIRST))
    expect(await numberOf(scene, 'latest')).toBe(FIRST)
  })

  test('no stale head is', async () => {
    const scene = await start()
    await scene.chain.mine(3)
    await scene.chain.fault({ method: 'eth_blockNumber', blocksBehind: 10 })
    expect(await scene.ask('eth_blockNumber')).toBe(numberToHex(FIRST))
  })

  test('no mark of an import is', async () => {
    const { chain } = await start()
    await expect(chain.importBlocks('0x', { safe: FIRST - 1 })).rejects.toMatchObject({
      kind: 'invalidCall',
      message: expect.stringContaining('safe to be at least 1000000, the first block, got 999999'),
    })
  })
})

describe('a chain that begins later', () => {
  test('is dumped and loaded', async () => {
    const scene = await start()
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.mine(3)
    const loaded = await startScene({ state: await scene.chain.dump() })
    for (const tag of ['earliest', 'latest', numberToHex(FIRST + 1)])
      expect(await blockAt(loaded, tag)).toEqual(await blockAt(scene, tag))
    expect(await blockAt(loaded, 0)).toBeNull()
    await loaded.chain.seal()
    expect(await numberOf(loaded, 'latest')).toBe(FIRST + 4)
  })

  test('takes the place of one that begins at 0, and the other way round', async () => {
    const [late, early] = [await start(), await start(0)]
    await late.chain.mine(2)
    await early.chain.mine(3)
    const dumps = [await late.chain.dump(), await early.chain.dump()] as const
    const filter = await early.ask<Hex>('eth_newBlockFilter')
    await early.chain.load(dumps[0])
    expect(await early.ask('eth_getFilterChanges', filter)).toHaveLength(3)
    await late.chain.load(dumps[1])
    expect(await numberOf(early, 'earliest')).toBe(FIRST)
    expect(await numberOf(late, 'earliest')).toBe(0)
    expect(await numberOf(late, 'latest')).toBe(3)
  })

  test('exports its blocks to one with the same first block', async () => {
    const scene = await start()
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.mine(2)
    const other = await start()
    await other.chain.importBlocks(await scene.chain.exportBlocks(), { finalized: FIRST, safe: FIRST + 1 })
    expect(await blockAt(other, 'latest')).toEqual(await blockAt(scene, 'latest'))
  })

  test('has long runs of empty blocks, and archives', { tags: 'gate' }, async () => {
    const scene = await start()
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    await scene.chain.mine(10_000)
    expect(await numberOf(scene, 'latest')).toBe(FIRST + 10_001)
    const [before, block] = [await blockAt(scene, FIRST + 5000), await blockAt(scene, FIRST + 5001)]
    expect(block?.parentHash).toBe(before?.hash)
    for (let i = 0; i < 200; i++) await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionCount', ALICE, numberToHex(FIRST))).toBe('0x0')
    expect(await scene.ask('eth_getTransactionCount', ALICE, numberToHex(FIRST + 1))).toBe('0x1')
  })

  test('says so in eth_config and eth_capabilities', async () => {
    const { chain, ask } = await start()
    await chain.mine(2)
    const first = { disabled: false, oldestBlock: '0xf4240' }
    expect(await ask('eth_capabilities')).toMatchObject({ state: first, blocks: first, logs: first })
    expect(await ask('eth_config')).toMatchObject({ current: { activationTime: 0 } })
  })
})
