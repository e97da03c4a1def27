// State dumps: contents, loading, refusals.

import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createEmulator, type Emulator, type EmulatorOptions, TickchainError } from 'tickchain'
import { type Hex, toHex } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { packBlock, unpackBlock } from '../../../../src/core/chain/history/packed-block.ts'
import type { ExecutedTransaction, Receipt } from '../../../../src/core/execution/transaction/transaction.ts'
import { base64ToBytes, bytesToBase64 } from '../../../../src/core/primitives/hex.ts'
import type { Header } from '../../../../src/core/rollup/header.ts'
import { Counter } from '../../../contracts/generated.ts'
import { scaled } from '../../../size.ts'
import { COUNTER, increment, type Scene, start } from '../../../specification/setup.ts'
import { ALICE, BOB } from '../../rpc/scene.ts'
import { ANVIL_DUMP } from './anvil-dump.ts'

const AA: Hex = `0x${'aa'.repeat(20)}`
const slot = (digit: number): Hex => `0x${'00'.repeat(31)}0${digit}`

/** All that can be read of a chain, block by block, and of what is to come. */
async function portrait(chain: Emulator): Promise<unknown> {
  const ask = (method: string, ...params: unknown[]) => chain.request(method, params)
  const head = Number(await chain.request('eth_blockNumber'))
  const numbers = [...Array(head + 1).keys()].map((number) => `0x${number.toString(16)}`)
  const blocks = await Promise.all(
    [...numbers, 'pending'].map(async (number) => ({
      block: await ask('eth_getBlockByNumber', number, true),
      receipts: await ask('eth_getBlockReceipts', number),
      raw: await ask('debug_getRawBlock', number),
      proof: await ask('eth_getProof', COUNTER, ['0x0'], number),
      balance: await ask('eth_getBalance', ALICE, number),
    })),
  )
  return {
    now: chain.now,
    blocks,
    pool: await ask('eth_pendingTransactions'),
    logs: await ask('eth_getLogs', { fromBlock: 'earliest', toBlock: 'pending' }),
    marks: [
      await ask('eth_getBlockByNumber', 'safe', false),
      await ask('eth_getBlockByNumber', 'finalized', false),
    ],
  }
}

/** A chain with something of everything: a creation, a failure, logs, pre-confirmed, pooled and queued ones. */
async function makeChain(options: EmulatorOptions = {}): Promise<Scene> {
  const scene = await start(options)
  const { chain, wallets } = scene
  await increment(wallets[0])
  await wallets[1].send({ data: Counter.bytecode, gas: 500_000n })
  await wallets[2].send({ to: COUNTER, data: '0x12345678', gas: 50_000n })
  await wallets[3].send({ type: 'legacy', to: AA, value: 3n })
  await wallets[4].send({
    type: 'eip2930',
    to: AA,
    value: 4n,
    gas: 30_000n,
    accessList: [{ address: AA, storageKeys: [slot(1)] }],
  })
  await chain.advance(4000)
  await increment(wallets[0])
  await chain.advance(200)
  await increment(wallets[1])
  await wallets[5].send({ to: AA, value: 6n })
  await chain.advance(400)
  await increment(wallets[0])
  await wallets[2].send({ to: AA, value: 1n, nonce: 9 })
  return scene
}

let scene: Scene

beforeEach(async () => {
  scene = await makeChain()
})

const options = { genesis: { timestamp: 1_704_067_200 } }

describe('a dump', () => {
  test('starts an emulator in the same state, which continues like the original', async () => {
    const { chain } = scene
    const copy = await createEmulator({ state: await chain.dump() })
    expect(await portrait(copy)).toEqual(await portrait(chain))
    for (const each of [chain, copy]) await each.advance(5400)
    expect(await portrait(copy)).toEqual(await portrait(chain))
    for (const each of [chain, copy]) await each.reorg({ depth: 2 })
    expect(await portrait(copy)).toEqual(await portrait(chain))
  })

  test('holds what was set for the next block', async () => {
    const chain = await createEmulator()
    const prevRandao = `0x${'5a'.repeat(32)}` as const
    await chain.setNextBlockTimestamp(1_704_067_777)
    await chain.setNextBlockBaseFee(12_345n)
    await chain.request('hardhat_setPrevRandao', [prevRandao])
    const copy = await createEmulator({ state: await chain.dump() })
    await copy.seal()
    expect(await copy.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      timestamp: toHex(1_704_067_777),
      baseFeePerGas: toHex(12_345),
      mixHash: prevRandao,
    })
    // The last second of the year 9999 is the last one that there is.
    const last = await createEmulator()
    await last.setNextBlockTimestamp(253_402_300_799)
    const loaded = await createEmulator({ state: await last.dump() })
    await loaded.seal()
    expect(loaded.now).toBe(253_402_300_799_000)
  })

  test('replaces another chain, in both directions', async () => {
    const other = await createEmulator()
    await other.advance(20_000)
    await other.load(await scene.chain.dump())
    expect(await portrait(other)).toEqual(await portrait(scene.chain))
    const empty = await (await createEmulator()).dump()
    await other.load(empty)
    expect(other.now).toBe(1_704_067_200_000)
    expect(await other.request('eth_blockNumber')).toBe('0x0')
  })

  test('has the same bytes for the same chain, also after loading', { tags: 'gate' }, async () => {
    const again = await makeChain()
    const bytes = await scene.chain.dump()
    expect(await again.chain.dump()).toEqual(bytes)
    const copy = await createEmulator({ state: bytes })
    expect(await copy.dump()).toEqual(bytes)
    expect(await copy.clone().dump()).toEqual(bytes)
  })

  test('of more than 100,000 blocks is refused, and genesis counts', async () => {
    const chain = await createEmulator()
    await chain.mine(100_001)
    await expect(chain.dump()).rejects.toMatchObject({
      kind: 'chainTooLong',
      message: 'a chain of 100002 blocks is too long for a state dump: at most 100000',
    })
  })

  test("has accounts in anvil's layout", async () => {
    const dump = JSON.parse(gunzipSync(await scene.chain.dump()).toString())
    expect(Object.keys(dump)).toEqual(['block', 'accounts', 'best_block_number', 'tickchain'])
    // 3 and 4 wei were sent in block 1; the 6 are pre-confirmed.
    expect(dump.accounts[AA]).toEqual({ nonce: 0, balance: '0x7', code: '0x', storage: {} })
    expect(dump.accounts[COUNTER]).toEqual({
      ...{ nonce: 1, balance: '0x0', code: Counter.deployedBytecode },
      storage: { [slot(0)]: slot(1) },
    })
  })

  test('keeps edits of accounts, and impersonated transactions', async () => {
    const { chain } = scene
    await chain.seal()
    await chain.request('anvil_setStorageAt', [COUNTER, slot(7), slot(9)])
    await chain.request('anvil_setBalance', [AA, '0x64'])
    await chain.request('anvil_impersonateAccount', [AA])
    await chain.request('anvil_setBalance', [AA, '0xde0b6b3a7640000'])
    const request = { from: AA, to: BOB, value: '0x1' } as const
    await chain.request('eth_sendTransaction', [request])
    await chain.seal()
    await chain.request('eth_sendTransaction', [request])
    const copy = await createEmulator({ state: await chain.dump() })
    expect(await portrait(copy)).toEqual(await portrait(chain))
    expect(await copy.request('eth_getStorageAt', [COUNTER, slot(7), 'latest'])).toBe(slot(9))
    for (const each of [chain, copy]) await each.seal()
    expect(await portrait(copy)).toEqual(await portrait(chain))
  })

  test('does not contain settings, and nothing is overdue after loading', async () => {
    const manual = await createEmulator({ production: 'manual' })
    await manual.seal()
    await manual.advance(60_000)
    const copy = await createEmulator({ state: await manual.dump(), blockTimeMs: 1000 })
    const { now } = copy
    await copy.next()
    expect(copy.now).toBeGreaterThanOrEqual(now)
    await copy.advance(1000)
    expect(copy.now).toBeLessThanOrEqual(now + 2000)
    expect(await copy.request('eth_blockNumber')).toBe('0x3')
  })

  test('reports removed and added blocks to listeners', async () => {
    const other = (await start()).chain
    const filter = await other.request('eth_newBlockFilter')
    await other.load(await scene.chain.dump())
    const first = await scene.chain.request('eth_getBlockByNumber', ['0x1', false])
    const second = await scene.chain.request('eth_getBlockByNumber', ['0x2', false])
    expect(await other.request('eth_getFilterChanges', [filter])).toEqual([first?.hash, second?.hash])
  })

  test('is refused by a chain with another id or another fork', async () => {
    const state = await scene.chain.dump()
    await expect(createEmulator({ state, chainId: 1 })).rejects.toMatchObject({
      kind: 'undecodableState',
      message: 'failed to decode state dump: tickchain.chainId: expected 1, as here, got 31337',
    })
    await expect(createEmulator({ state, hardfork: 'cancun' })).rejects.toMatchObject({
      kind: 'undecodableState',
    })
  })

  test('is anvil_dumpState and anvil_loadState, under every prefix', async () => {
    const other = await createEmulator()
    for (const prefix of ['anvil', 'hardhat', 'ganache']) {
      const dumped = await scene.chain.request(`${prefix}_dumpState`)
      expect(dumped).toMatch(/^0x1f8b08/)
      expect(await other.request(`${prefix}_loadState`, [dumped])).toBe(true)
      expect(await portrait(other)).toEqual(await portrait(scene.chain))
      await other.reset()
    }
  })

  test('a reset goes back to the loaded start', async () => {
    const copy = await createEmulator({ state: await scene.chain.dump() })
    const before = await portrait(copy)
    await copy.advance(10_000)
    await copy.reset()
    expect(await portrait(copy)).toEqual(before)
  })
})

describe('a dump of anvil', () => {
  test('recorded: its accounts are added to the present ones', async () => {
    const chain = await createEmulator({ state: ANVIL_DUMP })
    const contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
    expect(await chain.request('eth_getStorageAt', [contract, '0x1', 'latest'])).toBe(
      `0x${'2a'.padStart(64, '0')}`,
    )
    expect(await chain.request('eth_getCode', [contract, 'latest'])).toBe('0x01')
    expect(await chain.request('eth_getTransactionCount', [ALICE, 'latest'])).toBe('0x1')
    expect(await chain.request('eth_getBalance', [ALICE, 'latest'])).toBe('0x21e19e04051b6194800')
    // What anvil does not know stays: the contract at the second of the protocol's addresses here.
    expect(
      await chain.request('eth_getCode', ['0x000f3df6d732807ef1319fb7b8bb8522d0beac02', 'latest']),
    ).not.toBe('0x')
    await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, value: '0x1' }])
    await chain.seal()
    expect(await chain.request('eth_getTransactionCount', [ALICE, 'latest'])).toBe('0x2')
  })

  /** By hand, after anvil's SerializableState, in the shapes of its versions. */
  const block = {
    number: 2,
    beneficiary: `0x${'00'.repeat(20)}`,
    timestamp: 1_724_763_179,
    gas_limit: 30_000_000,
  }
  const account = { nonce: 5, balance: '0x64', code: '0x6001', storage: { [slot(1)]: slot(2), '0x3': '0x4' } }
  const written = { block, accounts: { [AA]: account }, best_block_number: 2, blocks: [], transactions: [] }

  const forms = {
    'gzip, as anvil_dumpState answers': (dump: object) => gzipSync(JSON.stringify(dump)),
    'plain JSON, as --dump-state writes': (dump: object) => new TextEncoder().encode(JSON.stringify(dump)),
  }

  test.each(Object.entries(forms))('%s', { tags: 'gate' }, async (_, toBytes) => {
    const { chain } = await start({
      genesis: { alloc: { [AA]: { nonce: 9, storage: { [slot(8)]: '0x08' } } } },
    })
    await chain.load(toBytes(written))
    expect(await chain.request('eth_getBalance', [AA, 'latest'])).toBe('0x64')
    expect(await chain.request('eth_getCode', [AA, 'latest'])).toBe('0x6001')
    // The higher nonce, so that no contract is created twice at one address.
    expect(await chain.request('eth_getTransactionCount', [AA, 'latest'])).toBe('0x9')
    const words = [1, 3, 8].map((digit) => chain.request('eth_getStorageAt', [AA, slot(digit), 'latest']))
    expect(await Promise.all(words)).toEqual([slot(2), slot(4), slot(8)])
    expect(await chain.request('eth_blockNumber')).toBe('0x0')
  })

  test('moves the clock to its time, so that no timestamp in it is in the future', async () => {
    const { chain } = await start()
    await chain.load(forms['gzip, as anvil_dumpState answers'](written))
    expect(chain.now).toBe(1_724_763_179_000)
    const late = { ...written, block: { ...block, timestamp: '0x1' } }
    await chain.load(forms['gzip, as anvil_dumpState answers'](late))
    expect(chain.now).toBe(1_724_763_179_000)
    await chain.advance(2000)
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      ...{ number: '0x1', timestamp: `0x${(1_724_763_181).toString(16)}` },
    })
  })

  test('has a time up to the end of the year 9999, and anything else is named by its path', async () => {
    const { chain } = await start()
    const load = (value: unknown) =>
      chain.load(forms['plain JSON, as --dump-state writes']({ block: value, accounts: {} }))
    await expect(load(5)).rejects.toMatchObject({ message: expect.stringContaining(': block: expected') })
    for (const timestamp of [-1, 0.5, 253_402_300_800]) {
      await expect(load({ timestamp })).rejects.toMatchObject({
        message: expect.stringContaining(': block.timestamp: expected a whole number'),
      })
    }
    await load({ timestamp: 253_402_300_799 })
    expect(chain.now).toBe(253_402_300_799_000)
  })

  test('applies to the block being built, too', async () => {
    await scene.chain.load(forms['gzip, as anvil_dumpState answers'](written))
    expect(await scene.chain.request('eth_getBalance', [AA, 'pending'])).toBe('0x64')
    await scene.chain.seal()
    expect(await scene.chain.request('eth_getBalance', [AA, 'latest'])).toBe('0x64')
  })

  test('removes pooled transactions whose nonce it uses', async () => {
    const { chain, wallets } = await start({ production: 'manual' })
    await wallets[0].send({ to: BOB, value: 1n })
    const used = { nonce: 1, balance: '0xde0b6b3a7640000', code: '0x', storage: {} }
    await chain.load(
      forms['plain JSON, as --dump-state writes']({ accounts: { [wallets[0].address]: used } }),
    )
    expect(await chain.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })
})

describe('an invalid dump', () => {
  let good: Record<string, unknown>
  let text = ''

  beforeAll(async () => {
    const bytes = await (await makeChain()).chain.dump()
    text = gunzipSync(bytes).toString()
    good = JSON.parse(text)
  })

  test('comes from a valid one', { tags: 'gate' }, async () => {
    expect(good).toHaveProperty('tickchain.version', 3)
    expect(await expectRefusedOrTaken(bytesOf(good))).toBe('taken')
  })

  /** Every value inside a value that is not itself an object, by its path. */
  function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
    if (typeof value !== 'object' || value === null) return [path]
    return [path, ...Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, key]))]
  }

  function withValueAt(path: readonly string[], value: unknown): unknown {
    const copy = JSON.parse(text)
    let place = copy
    for (const key of path.slice(0, -1)) place = place[key]
    const last = path.at(-1)
    if (last === undefined) return value
    if (value === undefined) delete place[last]
    else place[last] = value
    return copy
  }

  const bytesOf = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value ?? null)))

  /** Loads, and expects that it works or is refused as it should be, with nothing changed. */
  async function expectRefusedOrTaken(bytes: Uint8Array): Promise<'refused' | 'taken'> {
    const chain = await createEmulator(options)
    const before = await chain.dump()
    try {
      await chain.load(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(TickchainError)
      expect(error).toMatchObject({ kind: 'undecodableState', code: -32602 })
      expect(await chain.dump()).toEqual(before)
      return 'refused'
    }
    // What was taken can be lived with.
    await chain.advance(2000)
    await chain.request('eth_getBlockByNumber', ['latest', true])
    return 'taken'
  }

  test.each([
    ['nothing', new Uint8Array(0)],
    ['random bytes', Uint8Array.of(0x12, 0x34)],
    ['the beginning of gzip', Uint8Array.of(0x1f, 0x8b)],
    ['gzip of no JSON', new Uint8Array(gzipSync('hello'))],
    ['JSON that is no object', bytesOf([1])],
    ['an object without accounts', bytesOf({})],
  ])('%s is refused', { tags: 'gate' }, async (_, bytes) => {
    expect(await expectRefusedOrTaken(bytes)).toBe('refused')
  })

  test('only bytes and hex are accepted', async () => {
    const chain = await createEmulator()
    for (const state of [undefined, null, 12, {}, 'ff', '0x1']) {
      await expect(chain.load(state as never)).rejects.toMatchObject({ kind: 'invalidCall' })
      if (state === undefined) continue
      await expect(createEmulator({ state: state as never })).rejects.toMatchObject({ kind: 'invalidOption' })
    }
  })

  /** The open block with another header, or another first receipt. */
  function withOpen(header: Partial<Header>, receipt: Partial<Receipt>): unknown {
    const { packed } = (good['tickchain'] as { readonly open: { readonly packed: string } }).open
    const open = unpackBlock(base64ToBytes(packed) as Uint8Array) as NonNullable<
      ReturnType<typeof unpackBlock>
    >
    const [first, ...others] = open.executed as [ExecutedTransaction, ...ExecutedTransaction[]]
    const executed = [{ ...first, receipt: { ...first.receipt, ...receipt } }, ...others]
    const changed = packBlock({ ...open.header, ...header }, executed, open.changes.bytes)
    return withValueAt(['tickchain', 'open', 'packed'], bytesToBase64(changed))
  }

  const times = 'a time from that of the parent, 1704067204, up to 253402300799'
  test.each<[Partial<Header>, Partial<Receipt>, string]>([
    [{ timestamp: 0 }, {}, times],
    [{ timestamp: 253_402_300_800 }, {}, times],
    [{ gasLimit: 2n ** 63n }, {}, 'a gas limit up to 9223372036854775807'],
    // e^178 has more than 256 bits: 178 times the update fraction of prague (EIP-7691).
    [{ excessBlobGas: 178n * 5_007_716n }, {}, 'an excess blob gas up to'],
    [{}, { cumulativeGasUsed: 1n }, 'cumulative gas that is the sum of the gas used'],
    [{}, { gasUsed: 2n ** 64n }, 'a packed block as base64'],
  ])(
    'an open block with %o or a receipt with %o is refused',
    { tags: 'gate' },
    async (header, receipt, words) => {
      const damaged = bytesOf(withOpen(header, receipt))
      expect(await expectRefusedOrTaken(damaged)).toBe('refused')
      const chain = await createEmulator(options)
      await expect(chain.load(damaged)).rejects.toMatchObject({
        message: expect.stringContaining(`tickchain.open.packed: expected ${words}`),
      })
    },
  )

  test('any damage to the bytes is detected', async () => {
    const bytes = new Uint8Array(gzipSync(text))
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 12), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
        const damaged = bytes.slice()
        // Some bits of the header, and of the last byte of the deflated data, before checksum and length, mean nothing.
        const at = 10 + place < bytes.length - 9 ? 10 + place : 11 + place
        damaged[at] = (damaged[at] as number) ^ flip
        expect(await expectRefusedOrTaken(damaged)).toBe('refused')
      }),
      { numRuns: scaled(60), seed: 20261121 },
    )
  })

  test('hostile values anywhere are refused, or harmless', async () => {
    const paths = pathsIn(good)
    const hostile = [
      undefined,
      null,
      true,
      -1,
      1.5,
      2 ** 60,
      '',
      '0x',
      '0xzz',
      `0x${'ff'.repeat(40)}`,
      [],
      {},
      [[]],
      'x'.repeat(200),
    ]
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.constantFrom(...hostile), async (path, value) => {
        if ((await expectRefusedOrTaken(bytesOf(withValueAt(path, value)))) === 'refused') refused++
      }),
      { numRuns: scaled(250), seed: 20261121 },
    )
    expect(refused).toBeGreaterThan(scaled(140))
  })

  /** A path as messages have it: `tickchain.blocks[1].header`, and storage as a whole. */
  function nameOf(path: readonly string[]): string {
    const parts = path.filter((key) => !/^0x\w{64}$/.test(key))
    return parts.reduce((before, key) => (/^\d+$/.test(key) ? `${before}[${key}]` : `${before}.${key}`))
  }

  test('a fraction, which no field may be, is named by its path anywhere', { tags: 'gate' }, async () => {
    const chain = await createEmulator(options)
    // Those are in the dump for anvil only.
    const paths = pathsIn(good).filter(([key = 'block']) => !['block', 'best_block_number'].includes(key))
    expect(paths.length).toBeGreaterThan(100)
    const unnamed: string[] = []
    for (const path of paths) {
      const message = await chain.load(bytesOf(withValueAt(path, 0.5))).then(
        () => 'it was taken',
        (error: Error) => error.message,
      )
      if (!message.includes(nameOf(path))) unnamed.push(`${nameOf(path)}: ${message}`)
    }
    expect(unnamed).toEqual([])
  })

  test.each([
    [['tickchain', 'version'], 4, 'tickchain.version: expected 3'],
    [['tickchain', 'version'], 2, 'tickchain.version: expected 3'],
    [['tickchain', 'blocks'], [], 'tickchain.blocks: expected at least the first block'],
    [
      ['tickchain', 'clock', 'nowMs'],
      0,
      'tickchain.clock.nowMs: expected a time that is not before the head',
    ],
    [
      ['tickchain', 'next', 'timestamp'],
      1,
      'tickchain.next.timestamp: expected a time that is not before the head',
    ],
    [
      ['tickchain', 'next', 'timestamp'],
      // One more stands for any later time, which Hardhat takes and then cannot seal.
      253_402_300_801,
      'tickchain.next.timestamp: expected a whole number',
    ],
    [
      ['tickchain', 'clock', 'shiftedMs'],
      0.5,
      'tickchain.clock.shiftedMs: expected a whole number of milliseconds',
    ],
    [
      ['tickchain', 'open', 'partials'],
      [],
      'tickchain.open.partials: expected partial blocks that hold the transactions',
    ],
    [['tickchain', 'pool', '0', 'raw'], '0x02', 'typed transaction too short'],
    [['accounts', AA, 'balance'], 'much', `accounts.${AA}.balance: expected a whole number`],
  ])('%j is named by its path', { tags: 'gate' }, async (path, value, words) => {
    const chain = await createEmulator()
    await expect(chain.load(bytesOf(withValueAt(path as string[], value)))).rejects.toMatchObject({
      message: expect.stringContaining(words),
    })
  })

  // Headers of blocks are packed, which test/core/chain/dump/packed-blocks.sized.test.ts damages; those of uncles are RLP.
  test.each([
    // RLP of two lists, one after the other, and of a list that ends early.
    ['0xc0c0', 'undecodable blocks: header: invalid RLP: remainder must be zero'],
    ['0xc201', 'undecodable blocks: header: value size exceeds available input length'],
    ['0x01', 'undecodable blocks: header: expected a list'],
  ])('an uncle of %j is refused', async (header, words) => {
    const chain = await createEmulator()
    const damaged = withValueAt(['tickchain', 'blocks', '1', 'uncles'], [header])
    await expect(chain.load(bytesOf(damaged))).rejects.toMatchObject({
      message: expect.stringContaining(words),
    })
  })
})
