// `pendingContents: 'pool'`: what `pending` shows, and that reading it changes nothing.

import { type Hex, hexToBigInt, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createEmulator } from '../../../src/index.ts'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../rpc/scene.ts'

interface Block {
  readonly number: Hex | null
  readonly hash: Hex
  readonly nonce: Hex | null
  readonly mixHash: Hex | null
  readonly transactions: readonly Hex[]
}

const pending = ({ ask }: Scene): Promise<Block> => ask('eth_getBlockByNumber', 'pending', false)
const latest = ({ ask }: Scene): Promise<Block> => ask('eth_getBlockByNumber', 'latest', false)

/** Reads that name `pending`, by tag, as a default and in a filter. */
async function readPending(scene: Scene): Promise<void> {
  const { ask } = scene
  await pending(scene)
  await ask('eth_getTransactionCount', ALICE, 'pending')
  await ask('eth_estimateGas', { from: ALICE, to: BOB })
  await ask('eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' })
  await ask('eth_feeHistory', '0x1', 'pending', [])
}

describe('the pool as the pending block', () => {
  test('comes after what is pre-confirmed', async () => {
    const scene = await startScene({ pendingContents: 'pool' })
    const first = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.advance(200)
    const second = await scene.send(alice, transfer(BOB, 1))
    const dear = await scene.send(bob, { ...transfer(ALICE, 0), maxPriorityFeePerGas: 2_000_000_000n })
    expect((await pending(scene)).transactions).toEqual([first, dear, second])
    expect(await scene.ask('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x3')
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x2')
    expect(await scene.ask('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x2')).toMatchObject({
      hash: second,
    })
    expect(await scene.ask('eth_getBlockReceipts', 'pending')).toHaveLength(3)
    // It is in no partial block yet.
    expect(await scene.ask('eth_getTransactionReceipt', second)).toBeNull()
    expect(await scene.ask('txpool_status')).toEqual({ pending: '0x2', queued: '0x0' })
    await scene.chain.seal()
    expect((await latest(scene)).transactions).toEqual([first, dear, second])
  })

  test('is not shown unless an option says so', async () => {
    const scene = await startScene()
    await scene.send(alice, transfer(BOB, 0))
    expect((await pending(scene)).transactions).toEqual([])
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x0')
  })

  test('is the block that is sealed now, hash included', async () => {
    const scene = await startScene({ pendingContents: 'pool', production: 'manual' })
    await scene.send(alice, transfer(BOB, 0))
    await scene.send(bob, transfer(ALICE, 0))
    const { hash, transactions } = await pending(scene)
    expect(transactions).toHaveLength(2)
    await scene.chain.seal()
    expect((await latest(scene)).hash).toBe(hash)
  })

  test('leaves out what does not fit, what waits behind a gap, and what is held back', async () => {
    const scene = await startScene({
      pendingContents: 'pool',
      production: 'manual',
      genesis: { gasLimit: 50_000 },
    })
    const [a, b] = [await scene.send(alice, transfer(BOB, 0)), await scene.send(alice, transfer(BOB, 1))]
    await scene.send(alice, transfer(BOB, 2))
    const held = await scene.send(bob, { ...transfer(ALICE, 0), maxPriorityFeePerGas: 2_000_000_000n })
    await scene.chain.delayTransaction(held)
    await scene.send(bob, transfer(ALICE, 2))
    expect((await pending(scene)).transactions).toEqual([a, b])
  })

  test('calls and balances are those after its transactions', async () => {
    const scene = await startScene({ pendingContents: 'pool' })
    const before = hexToBigInt(await scene.ask('eth_getBalance', BOB, 'pending'))
    await scene.send(alice, { ...transfer(BOB, 0), value: 5n })
    expect(hexToBigInt(await scene.ask('eth_getBalance', BOB, 'pending'))).toBe(before + 5n)
    expect(hexToBigInt(await scene.ask('eth_getBalance', BOB, 'latest'))).toBe(before)
    // ADDRESS(BOB) BALANCE, and returns the word.
    const code = `0x73${BOB.slice(2)}315f5260205ff3`
    const target = `0x${'c0'.repeat(20)}`
    const overrides = { [target]: { code } }
    expect(await scene.ask('eth_call', { to: target }, 'pending', overrides)).toBe(
      numberToHex(before + 5n, { size: 32 }),
    )
  })

  test('gas of a request without a limit is estimated after the pool', async () => {
    const scene = await startScene({ pendingContents: 'pool', production: 'manual' })
    // A contract that stores 1 in slot 0, which costs 20,000 gas less if the slot is set.
    const deployment = `0x66${'60015f5500'.padStart(14, '5b')}5f526007601960f0f3`
    await scene.ask('eth_sendTransaction', { from: ALICE, data: deployment, gas: numberToHex(200_000) })
    const hash = await scene.ask<Hex>('eth_sendTransaction', { from: BOB, to: ALICE, value: '0x1' })
    expect(await scene.ask('eth_getTransactionByHash', hash)).toMatchObject({ gas: numberToHex(21_000) })
  })

  test('a scheduler is asked for partial blocks only', async () => {
    const scene = await startScene({ pendingContents: 'pool' })
    let calls = 0
    await scene.chain.setScheduler(() => {
      calls++
      return []
    })
    await scene.send(alice, transfer(BOB, 0))
    expect((await pending(scene)).transactions).toHaveLength(1)
    expect(calls).toBe(0)
  })

  test('reads of it change nothing: the same chain with and without them, to the hash', async () => {
    const hashes = await Promise.all(
      [true, false].map(async (isRead) => {
        const scene = await startScene({ pendingContents: 'pool', ordering: 'random' })
        for (let nonce = 0; nonce < 6; nonce++) {
          await scene.send(alice, transfer(BOB, nonce))
          if (isRead) await readPending(scene)
          await scene.send(bob, transfer(ALICE, nonce))
          if (isRead) await readPending(scene)
          await scene.chain.advance(700)
          if (isRead) await readPending(scene)
        }
        await scene.chain.seal()
        return (await latest(scene)).hash
      }),
    )
    expect(hashes[0]).toBe(hashes[1])
  })
})

describe("pendingIdentity: 'unnumbered'", () => {
  test('shows no number, nonce and mix hash, and its transactions have no place; receipts do', async () => {
    const scene = await startScene({ pendingIdentity: 'unnumbered' })
    const hash = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.advance(200)
    const block = await pending(scene)
    expect(block).toMatchObject({ number: null, nonce: null, mixHash: null, transactions: [hash] })
    expect(block.hash).toMatch(/^0x[0-9a-f]{64}$/)
    const noPlace = { blockHash: null, blockNumber: null, transactionIndex: null }
    expect(await scene.ask('eth_getTransactionByHash', hash)).toMatchObject(noPlace)
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({
      blockNumber: '0x1',
      blockHash: block.hash,
    })
    await scene.chain.seal()
    expect(await latest(scene)).toMatchObject({ number: '0x1', nonce: '0x0000000000000000' })
    expect(await scene.ask('eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: '0x1' })
  })
})

test('on a fork, shows a transaction whose execution has to ask the upstream', async () => {
  const upstream = await createEmulator({ production: 'manual' })
  const chain = await createEmulator({
    ...{ fork: { upstream }, production: 'manual', pendingContents: 'pool', accounts: { balance: 0n } },
  })
  // PUSH20, BALANCE: an account that nothing names.
  const input: Hex = `0x73${'ab'.repeat(20)}31`
  const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, input, gas: '0x30000' }])
  const block = await chain.request('eth_getBlockByNumber', ['pending', false])
  expect(block?.transactions).toEqual([hash])
})
