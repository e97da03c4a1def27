// The flashblock stream as followers with the node's rules take it: whatever a test does to the chain, they hold each
// block when it is sealed.

import type { Emulator, EmulatorOptions, Snapshot } from 'tickchain'
import { type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../../scripts/fuzz/random.js'
import { GWEI, increment, type Scene, start } from '../../../specification/setup.ts'
import { readBlock, readReceipts } from '../../chain/reads.ts'
import { encodeReceipt, type RpcReceipt, type RpcTransaction, rootOfList } from '../../chain/recompute.ts'
import { type Followers, followAll, type HeldBlock } from './node-follower.ts'

async function hashesOf(chain: Emulator): Promise<Hex[]> {
  const head = Number(await chain.request('eth_blockNumber'))
  return Promise.all(
    Array.from({ length: head + 1 }, async (_, number) => (await readBlock(chain, number)).hash),
  )
}

async function follow(options: EmulatorOptions = {}): Promise<Scene & { readonly followers: Followers }> {
  const scene = await start(options)
  return { ...scene, followers: followAll(scene.chain, await hashesOf(scene.chain)) }
}

/** Holds the block of each follower against the chain's. */
async function expectHeld(chain: Emulator, { sealed }: Followers): Promise<void> {
  for (const { number, hash, held } of sealed.splice(0)) {
    const block = await readBlock(chain, number)
    expect(block.hash).toBe(hash)
    const hashes = (block.transactions as readonly RpcTransaction[]).map((transaction) => transaction.hash)
    const receipts = (await readReceipts(chain, number)) as readonly RpcReceipt[]
    const receiptsRoot = await rootOfList(receipts.map(encodeReceipt))
    for (const [name, one] of Object.entries(held)) {
      expect(one?.diff.block_hash, `block ${number} of ${name}`).toBe(hash)
      expect(one?.base.parent_hash).toBe(block.parentHash)
      expect(one?.base.base_fee_per_gas).toBe(block.baseFeePerGas)
      expect(one?.base.gas_limit).toBe(block.gasLimit)
      expect(one?.base.extra_data).toBe(block.extraData)
      expect(one?.base.prev_randao).toBe(block.mixHash)
      expect(one?.transactions.map((raw) => keccak256(raw))).toEqual(hashes)
      expect(one?.diff.receipts_root).toBe(receiptsRoot)
    }
  }
}

/** Each follower holds the block that JSON-RPC shows as `pending`. */
async function expectPending(chain: Emulator, { of }: Followers): Promise<void> {
  const { hash } = await readBlock(chain, 'pending')
  for (const [name, { latest }] of Object.entries(of)) expect(latest?.diff.block_hash, name).toBe(hash)
}

const indexesOf = ({ payloads }: Followers): string[] =>
  payloads.splice(0).map(({ index, metadata }) => `${metadata.block_number}.${index}`)

describe('a block that begins again', () => {
  test('is sent twice under a new payload id: the node forgets its block at the first and takes the second', async () => {
    const { chain, wallets, followers } = await follow()
    const [a, b] = wallets
    const dropped = await increment(a)
    await chain.advance(200)
    const kept = await increment(b)
    await chain.advance(200)
    const old = followers.of.node.latest as HeldBlock
    indexesOf(followers)
    await chain.dropPreconfirmed(dropped)
    await chain.advance(200)
    const [first, second] = followers.payloads
    expect(second).toEqual(first)
    expect(first?.payload_id).not.toBe(old.payloadId)
    expect(first?.base).toEqual(old.base)
    expect(first?.diff.transactions.map((raw) => keccak256(raw))).toEqual([kept])
    expect(indexesOf(followers)).toEqual(['1.0', '1.0'])
    await expectPending(chain, followers)
    await chain.advance(1400)
    expect(indexesOf(followers)).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '2.0'])
    await expectHeld(chain, followers)
  })

  test('after its first payload: an empty second one comes before, or the node would take the new first for the old', async () => {
    const { chain, wallets, followers } = await follow()
    const dropped = await increment(wallets[0])
    await chain.advance(200)
    const [old] = followers.payloads
    expect(indexesOf(followers)).toEqual(['1.0'])
    await chain.dropPreconfirmed(dropped)
    await chain.advance(200)
    const [last] = followers.payloads
    expect(last).toEqual({
      payload_id: old?.payload_id,
      index: 1,
      diff: { ...old?.diff, transactions: [] },
      metadata: { block_number: 1 },
    })
    expect(indexesOf(followers)).toEqual(['1.1', '1.0', '1.0'])
    await expectPending(chain, followers)
    await chain.advance(1600)
    await expectHeld(chain, followers)
  })

  test('twice over: no two builds of a block share a payload id', async () => {
    const { chain, wallets, followers } = await follow()
    const ids = new Set<Hex>()
    for (let round = 0; round < 3; round++) {
      const dropped = await increment(wallets[round] as (typeof wallets)[0])
      await chain.advance(400)
      ids.add(followers.payloads.at(-1)?.payload_id as Hex)
      await chain.dropPreconfirmed(dropped)
    }
    expect(ids.size).toBe(3)
    await chain.advance(800)
    await expectHeld(chain, followers)
  })

  test('after a reorganisation, at once', async () => {
    for (const ms of [4000, 4200, 4600]) {
      const { chain, wallets, followers } = await follow()
      await increment(wallets[0])
      await chain.advance(ms)
      await expectHeld(chain, followers)
      await chain.reorg({ depth: 1 })
      followers.sealed.length = 0
      await expectPending(chain, followers)
      await increment(wallets[1])
      await chain.advance(200)
      await expectPending(chain, followers)
      await chain.advance(2000)
      await expectHeld(chain, followers)
    }
  })

  test.each([
    ['the base fee', (chain: Emulator) => chain.setNextBlockBaseFee(3n * GWEI)],
    ['the gas limit', (chain: Emulator) => chain.setBlockGasLimit(20_000_000)],
    ['the extra data', (chain: Emulator) => chain.setExtraData('0xc0ffee')],
    ['the fee recipient', (chain: Emulator) => chain.setCoinbase(`0x${'ab'.repeat(20)}`)],
    ['prevRandao', (chain: Emulator) => chain.setNextBlockPrevRandao(`0x${'2a'.repeat(32)}`)],
    ['the time', (chain: Emulator) => chain.increaseTime({ seconds: 30 })],
  ])('when %s of an empty block changes, which only the base tells', { tags: 'gate' }, async (_, change) => {
    const { chain, wallets, followers } = await follow()
    await chain.advance(400)
    await change(chain)
    await chain.advance(200)
    await expectPending(chain, followers)
    await increment(wallets[0])
    await chain.advance(2000)
    await expectHeld(chain, followers)
  })
})

test('a transaction that vanishes at the seal was in the stream: only the sealed block tells of it', async () => {
  const { chain, wallets, followers } = await follow()
  const dropped = await increment(wallets[0])
  await chain.advance(400)
  await chain.dropPreconfirmed(dropped, { at: 'seal' })
  await chain.advance(1600)
  const [{ hash, held }] = followers.sealed as [Followers['sealed'][0]]
  expect(held['node']?.transactions.map((raw) => keccak256(raw))).toEqual([dropped])
  expect(held['node']?.diff.block_hash).not.toBe(hash)
  // The followers that see canonical blocks hold the next block.
  followers.sealed.length = 0
  await chain.advance(2000)
  await expectHeld(chain, followers)
})

/** What a random step did: sealed blocks out of partial blocks, or brought blocks that nobody pre-confirmed. */
type Manner = 'built' | 'brought'

/** Does something to the chain at random. */
async function randomStep(
  { chain, wallets }: Scene,
  random: ReturnType<typeof createRandom>,
  kept: { readonly snapshots: Snapshot[]; readonly dumps: Uint8Array[] },
): Promise<Manner> {
  const pending = async (): Promise<readonly Hex[]> =>
    ((await readBlock(chain, 'pending')).transactions as readonly RpcTransaction[]).map(({ hash }) => hash)
  const wallet = wallets[random.below(wallets.length)] as (typeof wallets)[0]
  // What is refused changes nothing: blocks or transactions that do not fit, settings of a block that has begun.
  const refused = (error: { readonly kind?: string }): void =>
    expect(['blockBegun', 'invalidBlock', 'replacementNotExecutable']).toContain(error.kind)
  const built = (done: Promise<unknown>): Promise<Manner> => done.catch(refused).then(() => 'built')
  const brought = (done: Promise<unknown>): Promise<Manner> => done.catch(refused).then(() => 'brought')
  const send = (): Promise<Manner> => built(increment(wallet))
  const move = (): Promise<Manner> =>
    built(chain.advance(random.pick([1, 100, 200, 200, 200, 400, 700, 2000, 2000, 4600])))
  const drop = async (): Promise<Manner> => {
    const hashes = await pending()
    if (hashes.length === 0) return 'built'
    return built(chain.dropPreconfirmed(random.pick(hashes), { repool: random.oneIn(2) }))
  }
  const reorg = async (): Promise<Manner> => {
    const most = Number(await chain.request('eth_blockNumber'))
    if (most === 0) return 'built'
    const depth = 1 + random.below(Math.min(most, 3))
    const blocks = random.pick([undefined, [], [[]], [await pending()], [[], [], [], []]])
    const options = { depth, ...(blocks === undefined ? {} : { blocks }), repool: !random.oneIn(4) }
    return brought(chain.reorg(options))
  }
  const rollback = async (): Promise<Manner> => {
    const most = Number(await chain.request('eth_blockNumber'))
    if (most === 0) return 'built'
    const depth = 1 + random.below(Math.min(most, 3))
    if (random.oneIn(2)) return brought(chain.rollback(depth, { repool: random.oneIn(2) }))
    return brought(chain.request('debug_setHead', [most - depth]))
  }
  const comeBack = async (): Promise<Manner> => {
    kept.snapshots.push(chain.snapshot())
    return random.oneIn(3) ? 'built' : brought(chain.revert(random.pick(kept.snapshots)))
  }
  const replace = async (): Promise<Manner> => {
    if (random.oneIn(5)) return brought(chain.reset())
    if (kept.dumps.length === 0 || random.oneIn(2)) kept.dumps.push(await chain.dump())
    return brought(chain.load(random.pick(kept.dumps)))
  }
  /** Blocks that another chain has built on the same head. */
  const importForeign = async (): Promise<Manner> => {
    if ((await pending()).length > 0) return 'built'
    const other = chain.clone()
    const before = (await other.exportBlocks()).length
    await other.setExtraData('0xf0')
    await other.clearPool()
    await other.mine(1 + random.below(2))
    return brought(chain.importBlocks((await other.exportBlocks()).slice(before)))
  }
  const build = async (): Promise<Manner> => {
    const { hash, timestamp } = await readBlock(chain, 'latest')
    const attributes = {
      timestamp: `0x${(Number(timestamp) + 5).toString(16)}`,
      prevRandao: `0x${'11'.repeat(32)}`,
      suggestedFeeRecipient: `0x${'22'.repeat(20)}`,
      withdrawals: [],
      parentBeaconBlockRoot: `0x${'33'.repeat(32)}`,
    }
    return built(chain.request({ method: 'testing_buildBlockV1', params: [hash, attributes, null, '0x'] }))
  }
  const turn = (): Promise<Manner> =>
    built(
      random.pick([
        () => chain.setNextBlockBaseFee(BigInt(random.below(3)) * GWEI),
        () => chain.setExtraData(random.pick(['0x', '0xc0ffee'])),
        () => chain.setBlockGasLimit(random.pick([3_000_000, 6_000_000])),
        () => chain.increaseTime({ seconds: random.below(20) }),
        () => chain.setProduction(random.pick(['interval', 'interval', 'manual', 'auto'])),
      ])(),
    )
  const more = [send, send, send, send, move, move, move, move, move]
  const rare = [drop, drop, reorg, reorg, rollback, comeBack, comeBack, replace, build, turn, importForeign]
  const seal = [
    () => built(chain.seal()),
    () => built(chain.mine(1 + random.below(3))),
    () => built(chain.jump(random.below(5000))),
    () => built(chain.next()),
  ]
  return random.pick<() => Promise<Manner>>([...more, ...rare, ...seal])()
}

describe.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('random chain %i', (seed) => {
  test('each block that is built was in the stream, with the same hash, transactions and receipts', {
    tags: 'gate',
  }, async () => {
    const random = createRandom(seed)
    const production = random.pick(['interval', 'interval', 'interval', 'manual', 'auto'] as const)
    const scene = await follow({ production, seed })
    const { chain, followers } = scene
    const kept = { snapshots: [], dumps: [] }
    let built = 0
    for (let step = 0; step < 120; step++) {
      const manner = await randomStep(scene, random, kept)
      if (manner === 'brought') followers.sealed.length = 0
      built += followers.sealed.length
      await expectHeld(chain, followers)
    }
    expect(built).toBeGreaterThan(15)
  })
})
