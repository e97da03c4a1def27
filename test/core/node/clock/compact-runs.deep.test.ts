// A month of empty blocks in one call: every visible value, recomputed by other code or by hand.

import { type Hex, hexToBigInt, hexToNumber, keccak256, numberToHex, pad, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Emulator, FlashblockPayload } from '../../../../src/index.ts'
import { hashOfHeader } from '../../chain/recompute.ts'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../../rpc/scene.ts'
import { blockOf, heightOf } from './stepwise.ts'

const GENESIS_SECONDS = 1_704_067_200
const DAY_MS = 86_400_000
/** Thirty days of 43,200 blocks each. */
const MONTH_BLOCKS = 30 * 43_200

const BEACON_ROOTS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const HISTORY: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935'
const RING = 8191

/** PUSH1 1 PUSH0 PUSH0 LOG1: a creation that logs under topic 1. */
const LOGGING = { gas: 100_000n, data: '0x60015f5fa1' } as const

function word(value: number): Hex {
  return numberToHex(value, { size: 32 })
}

/** PUSH0 CALLDATALOAD BLOCKHASH, and returns the word. */
const BLOCKHASH_CODE: Hex = '0x5f35405f5260205ff3'

async function blockhash({ ask }: Scene, number: number): Promise<Hex> {
  const overrides = { [BOB]: { code: BLOCKHASH_CODE } }
  return ask('eth_call', { to: BOB, data: word(number) }, 'latest', overrides)
}

async function logging({ send }: Scene, nonce: number): Promise<Hex> {
  const { to, ...creation } = { ...transfer(BOB, nonce), ...LOGGING }
  expect(to).toBe(BOB)
  return send(alice, creation)
}

/** Block numbers inside and outside the history of EIP-2935. */
async function expectHistory(scene: Scene, head: number): Promise<void> {
  const { ask, chain } = scene
  for (const back of [1, 2, 255, 256, 257, 258, 1000, 8000, 8190, 8191]) {
    const { hash } = await blockOf(chain, head - back)
    expect(await ask('eth_call', { to: HISTORY, data: word(head - back) }, 'latest')).toBe(hash)
    expect(await blockhash(scene, head - back)).toBe(back <= 256 ? hash : word(0))
  }
  await expect(ask('eth_call', { to: HISTORY, data: word(head - 8192) }, 'latest')).rejects.toMatchObject({
    code: 3,
  })
}

/** EIP-4788: the beacon root by the timestamp of its block. */
async function expectBeaconRoots({ ask, chain }: Scene, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const { timestamp, parentBeaconBlockRoot } = await blockOf(chain, number)
    const data = word(hexToNumber(timestamp))
    expect(await ask('eth_call', { to: BEACON_ROOTS, data }, 'latest')).toBe(parentBeaconBlockRoot)
  }
}

describe('thirty days', () => {
  /** The last block of the run; the first is 2. */
  const LAST = MONTH_BLOCKS + 1
  /** The last 256 blocks of a run are as they would be by themselves. */
  const EXACT_FROM = LAST - 255
  let scene: Scene
  let chain: Emulator
  const hashes: Hex[] = []

  beforeAll(async () => {
    scene = await startScene({ limits: { logBlockRange: 2_000_000 } })
    chain = scene.chain
    hashes.push(await logging(scene, 0))
    await chain.advance(2000)
    await chain.advance(30 * DAY_MS)
    hashes.push(await logging(scene, 1))
    await chain.advance(2000)
  })

  test('have all of their blocks, and the right time on the clock', async () => {
    expect(await heightOf(chain)).toBe(LAST + 1)
    expect(chain.now).toBe(GENESIS_SECONDS * 1000 + 30 * DAY_MS + 4000)
  })

  test.each([
    ['at the beginning', 1],
    ['where a segment ends', 255],
    ['where numbers grow by a byte', 65_533],
    ['in the middle', 654_321],
    ['where the exact ones begin', EXACT_FROM - 3],
    ['at the end', LAST - 4],
  ])('are consistent %s', async (_, from) => {
    let parent = await blockOf(chain, from)
    for (let number = from + 1; number <= from + 5; number++) {
      const block = await blockOf(chain, number)
      expect(hashOfHeader(block)).toBe(block.hash)
      expect(block.parentHash).toBe(parent.hash)
      expect(hexToNumber(block.timestamp)).toBe(GENESIS_SECONDS + 2 * number)
      expect(block.mixHash).toBe(keccak256(parent.mixHash!))
      expect(block.parentBeaconBlockRoot).toBe(keccak256(block.mixHash!))
      const fee = hexToBigInt(parent.baseFeePerGas as Hex)
      if (parent.gasUsed === '0x0') expect(hexToBigInt(block.baseFeePerGas as Hex)).toBe(fee - fee / 8n)
      expect(await blockOf(chain, block.hash)).toEqual(block)
      parent = block
    }
  })

  test('read the same from either end', async () => {
    const numbers = [1_000_000, 3, 700_001, LAST, 256, 700_000, 999_999, 2, 1_000_001]
    const first = await Promise.all(numbers.map((number) => blockOf(chain, number)))
    const again = await Promise.all(numbers.toReversed().map((number) => blockOf(chain, number)))
    expect(again.toReversed()).toEqual(first)
    expect(first[0]?.parentHash).toBe(first[6]?.hash)
    expect(first[8]?.parentHash).toBe(first[0]?.hash)
  })

  test('have a base fee that stays at 7 wei', async () => {
    const history = await scene.ask<{ baseFeePerGas: Hex[]; gasUsedRatio: number[] }>(
      'eth_feeHistory',
      1024,
      numberToHex(EXACT_FROM + 500 > LAST ? LAST : EXACT_FROM + 500),
      [50],
    )
    expect(new Set(history.baseFeePerGas)).toEqual(new Set(['0x7']))
    expect(history.gasUsedRatio).toEqual(new Array(1024).fill(0))
  })

  test('accept a transaction afterwards, with all its fields', async () => {
    const receipt = await scene.ask<{ blockNumber: Hex; blockHash: Hex; status: Hex }>(
      'eth_getTransactionReceipt',
      hashes[1],
    )
    const block = await blockOf(chain, LAST + 1)
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: block.number, blockHash: block.hash })
    expect(block.parentHash).toBe((await blockOf(chain, LAST)).hash)
    expect(hashOfHeader(block)).toBe(block.hash)
  })

  test('can be searched for logs', async () => {
    const range = { fromBlock: 'earliest', toBlock: 'latest', topics: [word(1)] }
    const logs = await scene.ask<{ transactionHash: Hex; blockNumber: Hex }[]>('eth_getLogs', range)
    expect(logs.map(({ transactionHash }) => transactionHash)).toEqual(hashes)
    expect(logs.map(({ blockNumber }) => hexToNumber(blockNumber))).toEqual([1, LAST + 1])
    expect(await scene.ask('eth_getTransactionBySenderAndNonce', ALICE, '0x0')).toMatchObject({
      blockNumber: '0x1',
    })
  })

  test('let contracts read past hashes and roots', async () => {
    await expectHistory(scene, LAST + 1)
    await expectBeaconRoots(scene, [LAST + 1, LAST, LAST - 255, LAST - 256, LAST - 4000, LAST + 1 - 8190])
    const { timestamp } = await blockOf(chain, LAST + 1 - 8191)
    const call = { to: BEACON_ROOTS, data: word(hexToNumber(timestamp)) }
    await expect(scene.ask('eth_call', call, 'latest')).rejects.toMatchObject({ code: 3 })
  })

  test('have states that their headers commit to', async () => {
    for (const number of [2, 40_000, EXACT_FROM - 1, EXACT_FROM, LAST - 100, LAST, LAST + 1]) {
      const { stateRoot } = await blockOf(chain, number)
      const proof = await scene.ask<{ accountProof: Hex[]; nonce: Hex }>(
        'eth_getProof',
        ALICE,
        [],
        numberToHex(number),
      )
      expect(keccak256(proof.accountProof[0] as Hex)).toBe(stateRoot)
      expect(proof.nonce).toBe(number > LAST ? '0x2' : '0x1')
    }
  })

  test('keep the state from before them up to the block that performs the skipped writes', async () => {
    const roots = await Promise.all(
      [1, 2, 500_000, EXACT_FROM - 2, EXACT_FROM - 1].map(async (n) => (await blockOf(chain, n)).stateRoot),
    )
    expect(roots.slice(1, 4)).toEqual([roots[0], roots[0], roots[0]])
    expect(roots[4]).not.toBe(roots[0])
  })

  test('are not exported if the chain ends among them, either', async () => {
    const shorter = chain.clone()
    await shorter.rollback(Number(await chain.request('eth_blockNumber')) - 500_000)
    await expect(shorter.exportBlocks()).rejects.toMatchObject({
      message: 'blocks 2 to 500000 were passed in one call, and could not be verified elsewhere',
    })
  })

  test('are not exported, because no other node could verify them', async () => {
    await expect(chain.exportBlocks()).rejects.toMatchObject({
      kind: 'notExportable',
      code: -32_000,
      message: `blocks 2 to ${EXACT_FROM - 1} were passed in one call, and could not be verified elsewhere`,
    })
  })
})

describe('runs about as long as the ring buffers of the system contracts', () => {
  async function slotAt({ ask }: Scene, address: Hex, slot: number, number: number): Promise<Hex> {
    return ask('eth_getStorageAt', address, word(slot), numberToHex(number))
  }

  test('are exact up to that length, and compact beyond it', async () => {
    const [exact, compact] = [await startScene(), await startScene()]
    await exact.ask('evm_mine', { blocks: RING })
    await compact.ask('evm_mine', { blocks: RING + 1 })
    const { parentHash } = await blockOf(exact.chain, 100)
    expect(await slotAt(exact, HISTORY, 99, 100)).toBe(parentHash)
    expect(await slotAt(compact, HISTORY, 99, 100)).toBe(word(0))
    expect((await blockOf(compact.chain, 100)).stateRoot).toBe((await blockOf(compact.chain, 0)).stateRoot)
  })

  test('end with both ring buffers as if every block had written them', async () => {
    // 1.5 s blocks: two of three seconds have a block, so a slot may have been written laps ago.
    const scene = await startScene({ blockTimeMs: 1500, partialBlockTimeMs: 500 })
    const { chain, ask } = scene
    const head = 20_000
    await chain.advance(1500 * head)
    expect(await heightOf(chain)).toBe(head)
    const seconds = Math.floor(1.5 * head)
    for (let slot = 0; slot < RING; slot += 37) {
      let second = seconds - ((GENESIS_SECONDS + seconds - slot) % RING)
      // ⌊1.5 k⌋ leaves the remainder 0 or 1 when divided by 3; block 1 is at second 1.
      while (((second % 3) + 3) % 3 === 2) second -= RING
      const timestamp = second < 1 ? 0 : GENESIS_SECONDS + second
      expect(hexToNumber(await ask('eth_getStorageAt', BEACON_ROOTS, word(slot), 'latest'))).toBe(timestamp)
      if (timestamp === 0) continue
      const { parentBeaconBlockRoot } = await blockOf(chain, Math.ceil(second / 1.5))
      const root = await ask('eth_getStorageAt', BEACON_ROOTS, word(slot + RING), 'latest')
      expect(root).toBe(parentBeaconBlockRoot)
    }
    await expectHistory(scene, head)
    for (let back = 1; back <= RING; back += 61) {
      const { hash } = await blockOf(chain, head - back)
      expect(await slotAt(scene, HISTORY, (head - back) % RING, head)).toBe(hash)
    }
  })

  test('leave the last write in a slot that several blocks write', async () => {
    const { chain, ask } = await startScene()
    await ask('anvil_mine', 9000, RING)
    const { timestamp, parentBeaconBlockRoot } = await blockOf(chain, 9000)
    const slot = hexToNumber(timestamp) % RING
    expect(hexToNumber(timestamp)).toBe(GENESIS_SECONDS + 9000 * RING)
    expect(await ask('eth_getStorageAt', BEACON_ROOTS, word(slot), 'latest')).toBe(
      pad(timestamp, { size: 32 }),
    )
    expect(await ask('eth_getStorageAt', BEACON_ROOTS, word(slot + RING), 'latest')).toBe(
      parentBeaconBlockRoot,
    )
    expect(await ask('eth_getStorageAt', BEACON_ROOTS, word(slot + 1), 'latest')).toBe(word(0))
  })

  test('emit every block to listeners, and are the same blocks', async () => {
    const [heard, unheard] = [await startScene(), await startScene()]
    const sealed: { number: number; hash: Hex }[] = []
    const payloads: FlashblockPayload[] = []
    const note = (payload: FlashblockPayload): unknown => payloads.push(payload)
    heard.chain.on('sealedBlock', (block) => {
      sealed.push(block)
      if (block.number === 4999) heard.chain.on('flashblock', note)
      if (block.number === 5000) heard.chain.removeListener('flashblock', note)
    })
    await heard.chain.advance(18_000_000)
    await unheard.chain.advance(18_000_000)
    expect(sealed.map(({ number }) => number)).toEqual(Array.from({ length: 9000 }, (_, i) => i + 1))
    for (const number of [1, 4000, 5000, 8744, 8745, 9000]) {
      expect(sealed[number - 1]?.hash).toBe((await blockOf(unheard.chain, number)).hash)
    }
    // The opening of block 5000, and its ten partial blocks: each shows what the block will be.
    expect(payloads.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(new Set(payloads.map(({ diff }) => diff.block_hash))).toEqual(new Set([sealed[4999]?.hash]))
  })

  test('can be rolled back into', async () => {
    const scene = await startScene()
    const { chain, ask } = scene
    await chain.advance(2000 * 10_000)
    const kept = await blockOf(chain, 6000)
    const gone = await blockOf(chain, 6001)
    const snapshot = chain.snapshot()
    const clone = chain.clone()
    await chain.reorg({ depth: 4000, blocks: [[], []] })
    expect(await heightOf(chain)).toBe(6002)
    const next = await blockOf(chain, 6001)
    expect(next).toMatchObject({ parentHash: kept.hash, timestamp: gone.timestamp })
    expect(next.hash).not.toBe(gone.hash)
    expect(hashOfHeader(next)).toBe(next.hash)
    expect(await ask('eth_getBlockByHash', gone.hash, false)).toBe(null)
    for (const back of [1, 2, 256]) {
      expect(await blockhash(scene, 6002 - back)).toBe((await blockOf(chain, 6002 - back)).hash)
    }
    const hash = await scene.send(bob, transfer(ALICE, 0))
    await chain.advance(20_000)
    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    await chain.revert(snapshot)
    expect(await blockOf(chain, 6001)).toEqual(gone)
    expect(await blockOf(clone, 6001)).toEqual(gone)
    expect(await heightOf(clone)).toBe(10_000)
  })

  test('are not continued after a reorganisation, even if everything but the state would be equal', async () => {
    const { chain, ask } = await startScene({ production: 'manual' })
    await ask('evm_mine', { blocks: 9000 })
    const gone = await blockOf(chain, 6001)
    await chain.reorg({ depth: 3000, blocks: [] })
    await ask('hardhat_setPrevRandao', gone.mixHash)
    await ask('evm_setNextBlockTimestamp', hexToNumber(gone.timestamp))
    const { parentHash, stateRoot, mixHash, ...pending } = await ask<typeof gone>(
      'eth_getBlockByNumber',
      'pending',
      true,
    )
    await ask('evm_mine')
    const next = await blockOf(chain, 6001)
    expect(next).toMatchObject({ parentHash, stateRoot, mixHash, timestamp: pending.timestamp })
    expect(next).toMatchObject({
      parentHash: gone.parentHash,
      mixHash: gone.mixHash,
      timestamp: gone.timestamp,
    })
    // It writes what every block writes.
    expect(next.stateRoot).not.toBe(gone.stateRoot)
    const slot = word(6000 % RING)
    expect(await ask('eth_getStorageAt', HISTORY, slot, 'latest')).toBe(gone.parentHash)
  })

  test('are exact at any length without system writes, and can be exported', async () => {
    const [long, short] = [
      await startScene({ hardfork: 'shanghai' }),
      await startScene({ hardfork: 'shanghai' }),
    ]
    await long.ask('evm_mine', { blocks: 8300 })
    for (let i = 0; i < 83; i++) await short.ask('evm_mine', { blocks: 100 })
    expect(await blockOf(long.chain, 8300)).toEqual(await blockOf(short.chain, 8300))
    const rlp = toHex(await long.chain.exportBlocks())
    expect(rlp.endsWith((await long.ask<Hex>('debug_getRawBlock', '0x206c')).slice(2))).toBe(true)
  })
})

describe('without reads', () => {
  test('twenty million blocks can be mined, and accounts read and edited', async () => {
    const { chain, ask } = await startScene({ production: 'manual' })
    await ask('evm_mine', { blocks: 20_000_000 })
    expect(await heightOf(chain)).toBe(20_000_000)
    expect(chain.now).toBe((GENESIS_SECONDS + 20_000_000) * 1000)
    await ask('anvil_setBalance', BOB, '0x1234')
    expect(await ask('eth_getBalance', BOB, 'latest')).toBe('0x1234')
    expect(await ask('eth_getBalance', BOB, 'finalized')).not.toBe('0x1234')
    expect(await ask('eth_call', { to: BOB }, 'latest')).toBe('0x')
    const snapshot = chain.snapshot()
    await chain.advance(40 * DAY_MS)
    await chain.reorg({ depth: 19_999_999, blocks: [] })
    expect(await ask('eth_blockNumber')).toBe('0x1')
    await chain.revert(snapshot)
    expect(await ask('eth_blockNumber')).toBe('0x1312d00')
  })

  test('a filter that is not polled, or a log listener, builds no blocks', async () => {
    const { chain, ask } = await startScene()
    const snapshot = chain.snapshot()
    await ask('eth_newBlockFilter')
    await ask('eth_newFilter', {})
    await ask('eth_subscribe', 'logs', {})
    await ask('evm_mine', { blocks: 1_000_000 })
    // A partial block of the next one is due at the end.
    await chain.advance(30 * DAY_MS + 300)
    expect(await heightOf(chain)).toBe(1_000_000 + 30 * 43_200)
    await chain.revert(snapshot)
    expect(await ask('eth_getFilterChanges', '0x2')).toEqual([])
  })

  test('a call reads the timestamp after a year and a half of minutes', async () => {
    const { chain, ask } = await startScene({ blockTimeMs: 60_000, partialBlockTimeMs: 1000 })
    await chain.advance(547 * DAY_MS)
    // TIMESTAMP, and returns the word.
    const overrides = { [BOB]: { code: '0x425f5260205ff3' } }
    const seen = await ask<Hex>('eth_call', { to: BOB }, 'latest', overrides)
    expect(hexToNumber(seen)).toBe(GENESIS_SECONDS + 547 * 86_400)
  })

  test('more blocks in one call are refused', async () => {
    const { ask, chain } = await startScene()
    await expect(ask('evm_mine', { blocks: 20_000_001 })).rejects.toMatchObject({ kind: 'tooManySteps' })
    await expect(chain.advance(2000 * 20_000_001)).rejects.toMatchObject({ kind: 'tooManySteps' })
    expect(await ask('eth_blockNumber')).toBe('0x0')
  })
})
