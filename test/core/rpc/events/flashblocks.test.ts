// The stream of flashblock payloads. A consumer of the stream alone rebuilds the open block, which must equal the one
// that JSON-RPC shows.

import type { Emulator, FlashblockPayload } from 'tickchain'
import { type Hex, keccak256, numberToHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  COUNTER,
  GENESIS_TIMESTAMP,
  GWEI,
  increment,
  type Scene,
  start,
} from '../../../specification/setup.ts'
import {
  consume,
  followFlashblocks,
  type Rebuilt,
  readPending,
  showRebuilt,
} from '../../../specification/watch.ts'
import { readBlock } from '../../chain/reads.ts'
import { hashOfHeader, type RpcBlock } from '../../chain/recompute.ts'

const STRANGER: Hex = `0x${'ab'.repeat(20)}`

type Follower = ReturnType<typeof followFlashblocks>

let scene: Scene
let chain: Emulator
beforeEach(async () => {
  scene = await start()
  chain = scene.chain
})

/** Holds the block that a consumer has put together against the one that JSON-RPC shows. */
async function expectSame(of: Emulator, { current }: Follower): Promise<void> {
  const shown = await showRebuilt(current as Rebuilt)
  expect(shown).toEqual(await readPending(of))
  expect(hashOfHeader(shown as RpcBlock)).toBe(shown.hash)
}

const indexesOf = ({ payloads }: Follower): number[] => payloads.map(({ index }) => index)

describe('a payload', () => {
  const BASE_FIELDS = [
    ...['base_fee_per_gas', 'block_number', 'extra_data', 'fee_recipient', 'gas_limit'],
    ...['parent_beacon_block_root', 'parent_hash', 'prev_randao', 'timestamp'],
  ]
  const DIFF_FIELDS = [
    ...['blob_gas_used', 'block_hash', 'gas_used', 'logs_bloom', 'receipts_root', 'state_root'],
    ...['transactions', 'withdrawals', 'withdrawals_root'],
  ]

  test('has the fields of the wire: a base at index 0 and only there, a difference always', async () => {
    const { payloads } = followFlashblocks(chain)
    await increment(scene.wallets[0])
    await chain.advance(400)
    const [first, second] = payloads as [FlashblockPayload, FlashblockPayload]
    expect(Object.keys(first).sort()).toEqual(['base', 'diff', 'index', 'metadata', 'payload_id'])
    expect(Object.keys(second).sort()).toEqual(['diff', 'index', 'metadata', 'payload_id'])
    expect(Object.keys(first.base ?? {}).sort()).toEqual(BASE_FIELDS)
    for (const { diff } of payloads) expect(Object.keys(diff).sort()).toEqual(DIFF_FIELDS)
    expect(payloads.map(({ index }) => index)).toEqual([0, 1])
    expect(first.metadata).toEqual({ block_number: 1 })
    expect(first.payload_id).toMatch(/^0x[0-9a-f]{16}$/)
  })

  test('base has the fixed fields of the block', async () => {
    const { payloads } = followFlashblocks(chain)
    await chain.advance(200)
    const parent = await readBlock(chain, 'latest')
    const pending = await readBlock(chain, 'pending')
    expect(payloads[0]?.base).toEqual({
      parent_beacon_block_root: pending.parentBeaconBlockRoot,
      parent_hash: parent.hash,
      fee_recipient: '0x4200000000000000000000000000000000000011',
      prev_randao: pending.mixHash,
      block_number: '0x1',
      gas_limit: numberToHex(60_000_000),
      timestamp: numberToHex(GENESIS_TIMESTAMP + 2),
      extra_data: '0x',
      base_fee_per_gas: numberToHex(875_000_000),
    })
  })

  test('transactions are EIP-2718 bytes and a difference; the other fields are cumulative', async () => {
    const { payloads } = followFlashblocks(chain)
    const [a, b] = scene.wallets
    const raws = [
      await a.sign({ to: STRANGER }),
      await b.sign({ type: 'legacy', to: STRANGER, value: 1n, fee: 9n * GWEI }),
    ]
    for (const raw of raws) {
      await chain.request('eth_sendRawTransaction', [raw])
      await chain.advance(200)
    }
    expect(payloads.map(({ diff }) => diff.transactions)).toEqual(raws.map((raw) => [raw]))
    // A transfer takes 21,000 gas.
    expect(payloads.map(({ diff }) => Number(diff.gas_used))).toEqual([21_000, 42_000])
    const { hash, stateRoot, receiptsRoot } = await readBlock(chain, 'pending')
    expect(payloads[1]?.diff).toMatchObject({
      block_hash: hash,
      state_root: stateRoot,
      receipts_root: receiptsRoot,
    })
  })
})

describe('the payloads of a block', () => {
  test('are eleven: index 0 when the block before is sealed, then one each 200 ms', async () => {
    await chain.advance(2000 - 1)
    const follower = followFlashblocks(chain)
    const times: number[] = []
    chain.on('flashblock', () => times.push(chain.now))
    await chain.advance(1)
    follower.payloads.length = 0
    await chain.advance(2000)
    expect(indexesOf(follower)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0])
    const [, ...rest] = new Set(follower.payloads.map(({ payload_id: id }) => id))
    // One id for the block, another for the next one.
    expect(rest).toHaveLength(1)
  })

  test('make up the sealed block: the sum of their differences', async () => {
    const follower = followFlashblocks(chain)
    const lasts: Rebuilt[] = []
    chain.on('sealedBlock', () => lasts.push(follower.current as Rebuilt))
    for (let step = 1; step <= 45; step++) {
      if (step % 4 !== 3) await increment(scene.wallets[step % 6] as Scene['wallets'][0])
      if (step % 9 === 0) await scene.wallets[0].send({ to: STRANGER, value: 1n })
      await chain.advance(200)
    }
    expect(lasts).toHaveLength(4)
    for (const [index, rebuilt] of lasts.entries()) {
      const { size: _, ...sealed } = await readBlock(chain, index + 1)
      const shown = await showRebuilt(rebuilt)
      const hashes = sealed.transactions.map((transaction) => (transaction as { hash: Hex }).hash)
      expect(shown).toEqual({ ...sealed, transactions: hashes })
      expect(hashes.length).toBeGreaterThan(5)
    }
  })

  test('give a consumer the same block as pending, after each of them', async () => {
    const follower = followFlashblocks(chain)
    for (let step = 1; step <= 25; step++) {
      if (step % 3 === 0) await increment(scene.wallets[step % 6] as Scene['wallets'][0])
      await chain.next()
      await expectSame(chain, follower)
    }
    expect(follower.current?.base.block_number).toBe('0x3')
  })

  test('of a block that is sealed early: the last one has the remaining transactions', async () => {
    const follower = followFlashblocks(chain)
    await increment(scene.wallets[0])
    await chain.advance(200)
    const tail = await scene.wallets[1].sign({ to: STRANGER })
    await chain.request('eth_sendRawTransaction', [tail])
    await chain.seal()
    const [, last, opening] = follower.payloads
    expect(last?.diff.transactions).toEqual([tail])
    expect(last?.diff.block_hash).toBe((await readBlock(chain, 'latest')).hash)
    expect(opening).toMatchObject({ index: 0, diff: { transactions: [] } })
    await expectSame(chain, follower)
  })

  test('of several blocks in one call are separate', async () => {
    const follower = followFlashblocks(chain)
    await increment(scene.wallets[0])
    await chain.request('evm_mine', [{ blocks: 3 }])
    expect(indexesOf(follower)).toEqual([0, 0, 1, 0, 1, 0])
    await expectSame(chain, follower)
  })

  test('after a jump', async () => {
    const follower = followFlashblocks(chain)
    for (const ms of [450, 900, 1300, 10_000, 150]) {
      await increment(scene.wallets[0])
      await chain.jump(ms)
      await expectSame(chain, follower)
    }
  })
})

describe('other production modes', () => {
  test('auto: a block for each transaction, a payload for each block', async () => {
    const { chain: auto, wallets } = await start({ production: 'auto' })
    const follower = followFlashblocks(auto)
    const hashes = [await increment(wallets[0]), await increment(wallets[1])]
    expect(indexesOf(follower)).toEqual([0, 0])
    expect(follower.payloads.map(({ diff }) => diff.transactions.map((raw) => keccak256(raw)))).toEqual(
      hashes.map((hash) => [hash]),
    )
    expect(follower.payloads.map(({ base }) => base?.block_number)).toEqual(['0x1', '0x2'])
  })

  test('manual: a block begins with its first partial block, and its time is the clock’s', async () => {
    const { chain: manual, wallets } = await start({ production: 'manual' })
    const follower = followFlashblocks(manual)
    // While it is empty, the block takes the time of each partial block.
    for (let step = 0; step < 12; step++) {
      await manual.advance(200)
      await expectSame(manual, follower)
    }
    const timestamps = follower.payloads.flatMap(({ base }) =>
      base === undefined ? [] : [Number(base.timestamp)],
    )
    // A block that begins again is sent twice.
    expect(timestamps.map((timestamp) => timestamp - GENESIS_TIMESTAMP)).toEqual([1, 2, 2])
    await increment(wallets[0])
    await manual.advance(200)
    await expectSame(manual, follower)
    await manual.seal()
    expect(follower.current?.diff.block_hash).toBe((await readBlock(manual, 'latest')).hash)
  })
})

describe('a late joiner', () => {
  test('that is the first listener gets the whole block so far, as index 0', async () => {
    const hashes = [await increment(scene.wallets[0]), await increment(scene.wallets[1])]
    await chain.advance(600)
    const follower = followFlashblocks(chain)
    await chain.advance(200)
    expect(indexesOf(follower)).toEqual([0])
    expect(follower.payloads[0]?.diff.transactions.map((raw) => keccak256(raw))).toEqual(hashes)
    await expectSame(chain, follower)
    await chain.advance(400)
    expect(indexesOf(follower)).toEqual([0, 1, 2])
  })

  test('to a stream with other listeners gets the same as they do, and is complete from the next block on', async () => {
    const early = followFlashblocks(chain)
    await chain.advance(600)
    const late: FlashblockPayload[] = []
    chain.on('flashblock', (payload) => late.push(payload))
    await increment(scene.wallets[0])
    await chain.advance(1400)
    expect(late.map(({ index }) => index)).toEqual([3, 4, 5, 6, 7, 8, 9, 0])
    expect(late).toEqual(early.payloads.slice(3))
    await chain.advance(200)
    let current: Rebuilt | undefined
    for (const payload of late.slice(7)) current = consume(current, payload)
    expect(await showRebuilt(current as Rebuilt)).toEqual(await readPending(chain))
  })

  test('that was away gets what it missed', async () => {
    const payloads: FlashblockPayload[] = []
    const listener = (payload: FlashblockPayload): void => {
      payloads.push(payload)
    }
    chain.on('flashblock', listener)
    await increment(scene.wallets[0])
    await chain.advance(200)
    chain.removeListener('flashblock', listener)
    const missed = await increment(scene.wallets[1])
    await chain.advance(400)
    chain.on('flashblock', listener)
    await chain.advance(200)
    expect(payloads.map(({ index }) => index)).toEqual([0, 1])
    expect(payloads[1]?.diff.transactions.map((raw) => keccak256(raw))).toEqual([missed])
  })
})

// What followers do with the two payloads of a new beginning is in strict-follower.test.ts.
describe('a block that changes starts again, twice, with index 0 and its base', () => {
  test('after evm_setNextBlockTimestamp', async () => {
    const follower = followFlashblocks(chain)
    await chain.advance(400)
    await chain.request('evm_setNextBlockTimestamp', [GENESIS_TIMESTAMP + 60])
    await chain.advance(200)
    expect(indexesOf(follower)).toEqual([0, 1, 0, 0])
    expect(follower.current?.base.timestamp).toBe(numberToHex(GENESIS_TIMESTAMP + 60))
    const ids = follower.payloads.map(({ payload_id: id }) => id)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    await expectSame(chain, follower)
    await increment(scene.wallets[0])
    await chain.advance(400)
    expect(indexesOf(follower)).toEqual([0, 1, 0, 0, 1, 2])
    await expectSame(chain, follower)
    await chain.seal()
    await expectSame(chain, follower)
  })

  test('after evm_increaseTime, if it has not begun', async () => {
    const follower = followFlashblocks(chain)
    await chain.advance(400)
    await chain.request('evm_increaseTime', [30])
    await chain.advance(200)
    expect(indexesOf(follower)).toEqual([0, 1, 0, 0])
    await expectSame(chain, follower)
    await increment(scene.wallets[0])
    await chain.advance(200)
    // Its first transaction has fixed its time.
    await chain.request('evm_increaseTime', [30])
    await chain.advance(200)
    expect(indexesOf(follower)).toEqual([0, 1, 0, 0, 1, 2])
    await expectSame(chain, follower)
  })

  test('after a reorganisation, at once, and without the blocks that came sealed', async () => {
    await chain.advance(4300)
    const [a, b] = [await increment(scene.wallets[0]), await increment(scene.wallets[1])]
    await chain.advance(300)
    const follower = followFlashblocks(chain)
    await chain.reorg({ depth: 2, blocks: [[a], [], []] })
    expect(indexesOf(follower)).toEqual([0])
    expect(follower.current?.base.parent_hash).toBe((await readBlock(chain, 'latest')).hash)
    expect(follower.current?.transactions.map((raw) => keccak256(raw))).toEqual([b])
    await expectSame(chain, follower)
    await chain.advance(200)
    expect(indexesOf(follower)).toEqual([0, 1])
    await expectSame(chain, follower)
  })

  test('after a reorganisation in the middle of a block, which keeps its time', async () => {
    await chain.advance(5000)
    const follower = followFlashblocks(chain)
    await chain.reorg({ depth: 1 })
    expect(follower.current?.base.timestamp).toBe(numberToHex(GENESIS_TIMESTAMP + 6))
    await expectSame(chain, follower)
    await chain.advance(1000)
    expect(indexesOf(follower)).toEqual([0, 1, 2, 3, 4, 5, 0])
  })

  test('after a pre-confirmation was dropped', async () => {
    const follower = followFlashblocks(chain)
    const dropped = await increment(scene.wallets[0])
    await increment(scene.wallets[1])
    await chain.advance(200)
    await chain.dropPreconfirmed(dropped)
    await chain.advance(200)
    // The abandoned block has a second, empty payload.
    expect(indexesOf(follower)).toEqual([0, 1, 0, 0])
    await expectSame(chain, follower)
  })

  test('after one was dropped and replaced, so that the count is as before', async () => {
    const follower = followFlashblocks(chain)
    const dropped = await increment(scene.wallets[0])
    await chain.advance(200)
    await chain.dropPreconfirmed(dropped)
    const other = await increment(scene.wallets[1])
    await chain.advance(200)
    expect(follower.current?.transactions.map((raw) => keccak256(raw))).toEqual([other])
    await expectSame(chain, follower)
  })

  test('after a drop that only changed the order', async () => {
    const follower = followFlashblocks(chain)
    const dropped = await increment(scene.wallets[0])
    const kept = await increment(scene.wallets[1])
    await chain.advance(200)
    await chain.dropPreconfirmed(dropped, { repool: true })
    await chain.advance(200)
    expect(follower.current?.transactions.map((raw) => keccak256(raw))).toEqual([kept, dropped])
    await expectSame(chain, follower)
  })

  test('after a revert within the block', async () => {
    const follower = followFlashblocks(chain)
    await increment(scene.wallets[0])
    await chain.advance(200)
    const snapshot = chain.snapshot()
    await increment(scene.wallets[1])
    await chain.advance(200)
    await chain.revert(snapshot)
    const other = await scene.wallets[2].send({ to: COUNTER })
    await chain.advance(200)
    expect(follower.current?.transactions.map((raw) => keccak256(raw)).at(-1)).toBe(other)
    expect(indexesOf(follower)).toEqual([0, 1, 0, 0])
    await expectSame(chain, follower)
  })

  test('after a revert to an earlier block, and to a later one', async () => {
    const follower = followFlashblocks(chain)
    await increment(scene.wallets[0])
    await chain.advance(300)
    const early = chain.snapshot()
    await chain.advance(4000)
    await increment(scene.wallets[1])
    await chain.advance(300)
    const late = chain.snapshot()
    for (const snapshot of [early, late, early]) {
      await chain.revert(snapshot)
      await chain.advance(200)
      await expectSame(chain, follower)
    }
  })

  test('a revert without differences continues the stream', async () => {
    const follower = followFlashblocks(chain)
    await chain.advance(200)
    const snapshot = chain.snapshot()
    await chain.advance(200)
    await chain.revert(snapshot)
    await chain.advance(200)
    expect(indexesOf(follower)).toEqual([0, 1, 2])
    await expectSame(chain, follower)
  })
})

test('a clone has a stream of its own', async () => {
  const follower = followFlashblocks(chain)
  await increment(scene.wallets[0])
  await chain.advance(200)
  const clone = chain.clone()
  const own = followFlashblocks(clone)
  await clone.advance(200)
  await chain.advance(400)
  expect(indexesOf(own)).toEqual([0])
  expect(indexesOf(follower)).toEqual([0, 1, 2])
  await expectSame(clone, own)
})
