// Rollback, replacement and reset of the chain.

import type { Emulator } from 'tickchain'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { COUNTER, increment, start } from '../../../specification/setup.ts'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../../rpc/scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await startScene()
})

const latest = () =>
  scene.ask<{ number: Hex; hash: Hex; timestamp: Hex; transactions: Hex[] }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  )
const numberOf = async (chain: Emulator) => Number(await chain.request('eth_blockNumber'))

/** Blocks 1 to 3, with a transfer of Alice in each. */
async function sealThree(): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const nonce of [0, 1, 2]) {
    hashes.push(await scene.send(alice, transfer(BOB, nonce)))
    await scene.chain.advance(2000)
  }
  return hashes
}

describe('rollback', () => {
  test('removes blocks; state and receipts are as before, the clock stays', async () => {
    const [first, second, third] = (await sealThree()) as [Hex, Hex, Hex]
    const before = scene.chain.now
    const one = await scene.ask('eth_getBlockByNumber', '0x1', true)
    await scene.chain.rollback(2)
    expect(await scene.ask('eth_getBlockByNumber', 'latest', true)).toEqual(one)
    expect(await scene.ask('eth_getTransactionReceipt', first)).toMatchObject({ status: '0x1' })
    for (const hash of [second, third]) {
      expect(await scene.ask('eth_getTransactionReceipt', hash)).toBeNull()
      expect(await scene.ask('eth_getTransactionByHash', hash)).toBeNull()
    }
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'latest')).toBe('0x1')
    expect(scene.chain.now).toBe(before)
    // The clock stood at second 6, so the next block has second 8.
    await scene.chain.advance(2000)
    expect(Number((await latest()).timestamp)).toBe(1_704_067_208)
  })

  test('leaves a transaction that was sealed twice, after its nonce was lowered, in its first block', async () => {
    const hash = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    const first = await scene.ask('eth_getTransactionReceipt', hash)
    for (const blockNumber of ['0x2', '0x3']) {
      await scene.chain.setNonce(ALICE, 0)
      await scene.send(alice, transfer(BOB, 0))
      await scene.chain.seal()
      const receipt = await scene.ask('eth_getTransactionReceipt', hash)
      expect(receipt).toMatchObject({ blockNumber })
    }
    await scene.chain.rollback(2)
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toEqual(first)
    expect(await scene.ask('eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: '0x1' })
    await scene.chain.rollback(1)
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toBeNull()
  })

  test('removes one block by default, and the block being built', async () => {
    await sealThree()
    await scene.send(alice, transfer(BOB, 3))
    await scene.chain.advance(200)
    await scene.chain.rollback()
    expect(await numberOf(scene.chain)).toBe(2)
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x2')
  })

  test('returns transactions to the pool on request', async () => {
    const [, , third] = await sealThree()
    await scene.chain.rollback(1, { repool: true })
    await scene.chain.seal()
    expect((await latest()).transactions).toEqual([third])
  })

  test('reports removed logs', async () => {
    const { chain, wallets } = await start()
    const filter = await chain.request('eth_newFilter', [{ address: COUNTER }])
    await increment(wallets[0])
    await chain.seal()
    await chain.rollback(1)
    const changes = await chain.request({ method: 'eth_getFilterChanges', params: [filter] })
    expect(changes).toMatchObject([{ removed: false }, { removed: true }])
  })

  test('does not remove the first block', async () => {
    await sealThree()
    await expect(scene.chain.rollback(4)).rejects.toMatchObject({ kind: 'reorgTooDeep', code: -32602 })
    await expect(scene.ask('anvil_rollback', 4)).rejects.toMatchObject({ kind: 'reorgTooDeep' })
    for (const depth of [0, -1, 1.5, Number.NaN, '1' as never])
      await expect(scene.chain.rollback(depth)).rejects.toMatchObject({ kind: 'invalidCall' })
    expect(await numberOf(scene.chain)).toBe(3)
  })

  test.each([
    ['anvil_rollback', [], 2],
    ['anvil_rollback', [2], 1],
    ['anvil_rollback', ['0x3'], 0],
    ['anvil_rollback', [0], 3],
    ['debug_setHead', ['0x1'], 1],
    ['debug_setHead', [3], 3],
  ])('is %s %j', async (method, params, number) => {
    await sealThree()
    expect(await scene.ask(method, ...params)).toBeNull()
    expect(await numberOf(scene.chain)).toBe(number)
  })

  test('debug_setHead refuses a block above the head', async () => {
    await expect(scene.ask('debug_setHead', '0x1')).rejects.toMatchObject({ kind: 'blockNotFound' })
  })
})

describe('anvil_reorg', () => {
  test('replaces blocks with empty ones at the same times; their transactions are dropped', async () => {
    const [first, second, third] = (await sealThree()) as [Hex, Hex, Hex]
    const old = await latest()
    expect(await scene.ask('anvil_reorg', 2, [])).toBeNull()
    const now = await latest()
    expect([now.number, now.timestamp, now.transactions]).toEqual([old.number, old.timestamp, []])
    expect(now.hash).not.toBe(old.hash)
    expect(await scene.ask('eth_getTransactionReceipt', first)).not.toBeNull()
    for (const hash of [second, third]) expect(await scene.ask('eth_getTransactionByHash', hash)).toBeNull()
  })

  test('puts signed and unsigned transactions into their blocks', async () => {
    await sealThree()
    const raw = await bob.signTransaction(transfer(ALICE, 0))
    await scene.ask('anvil_reorg', '0x2', [
      [{ from: ALICE, to: BOB, value: '0x7' }, 1],
      [raw, 0],
      [{ from: ALICE, to: BOB, value: '0x8' }, '0x1'],
      [{ from: ALICE, to: BOB, value: '0x6' }, 0],
    ])
    const shown = await Promise.all(
      ['0x2', '0x3'].map(async (number) => {
        const block = await scene.ask<{ transactions: { from: Hex; nonce: Hex; value: Hex }[] }>(
          'eth_getBlockByNumber',
          number,
          true,
        )
        return block.transactions.map(({ from, nonce, value }) => [from, nonce, value])
      }),
    )
    expect(shown).toEqual([
      [
        [BOB, '0x0', '0x1'],
        [ALICE, '0x1', '0x6'],
      ],
      [
        [ALICE, '0x2', '0x7'],
        [ALICE, '0x3', '0x8'],
      ],
    ])
  })

  test.each([
    ['a block index that is not below the depth', [1, [[{ from: ALICE, to: BOB }, 1]]], 'invalidParameter'],
    ['more blocks than there are', [4, []], 'reorgTooDeep'],
    ['an account that it has no key of', [1, [[{ from: COUNTER, to: BOB }, 0]]], 'unknownAccount'],
    ['a nonce that is used', [1, [[{ from: ALICE, to: BOB, nonce: 0 }, 0]]], 'replacementNotExecutable'],
    ['a transaction without an index', [1, [['0x12']]], 'invalidParameter'],
  ])('refuses %s, and changes nothing', async (_, params, kind) => {
    await sealThree()
    const before = await latest()
    await expect(scene.ask('anvil_reorg', ...params)).rejects.toMatchObject({ kind })
    expect(await latest()).toEqual(before)
  })
})

describe('reset', () => {
  test('goes back to the beginning: blocks, pool, clock and settings', async () => {
    const genesis = await latest()
    const status = await scene.ask('txpool_status')
    await scene.ask('evm_setNextBlockTimestamp', 1_804_067_200)
    await sealThree()
    await scene.send(alice, transfer(BOB, 9))
    await scene.chain.reset()
    expect(await latest()).toEqual(genesis)
    expect(await scene.ask('txpool_status')).toEqual(status)
    expect(scene.chain.now).toBe(1_704_067_200_000)
    // As if nothing had been: the same calls give the same chain.
    const [hash] = await sealThree()
    const fresh = await startScene()
    expect(await fresh.send(alice, transfer(BOB, 0))).toBe(hash)
    await fresh.chain.advance(2000)
    expect(await fresh.ask('eth_getBlockByNumber', '0x1', true)).toEqual(
      await scene.ask('eth_getBlockByNumber', '0x1', true),
    )
  })

  test('uses up numbered snapshots, and never reuses their ids; handles stay valid', async () => {
    const [id, handle] = [await scene.ask('evm_snapshot'), scene.chain.snapshot()]
    await scene.chain.seal()
    const late = scene.chain.snapshot()
    await scene.chain.reset()
    expect(await scene.ask('evm_revert', id)).toBe(false)
    expect(await scene.ask('evm_snapshot')).toBe('0x1')
    await scene.chain.revert(late)
    expect(await numberOf(scene.chain)).toBe(1)
    await scene.chain.revert(handle)
    expect(await numberOf(scene.chain)).toBe(0)
  })

  test('of a clone goes back to the beginning of the original', async () => {
    await scene.chain.seal()
    const copy = scene.chain.clone()
    await copy.reset()
    expect([await numberOf(copy), await numberOf(scene.chain)]).toEqual([0, 1])
  })

  test.each(['anvil', 'hardhat', 'ganache'] as const)('is %s_reset; a fork is refused', async (flavor) => {
    scene = await startScene({ flavor })
    const done = flavor === 'hardhat' ? true : null
    await scene.chain.seal()
    expect(await scene.ask(`${flavor}_reset`)).toBe(done)
    expect(await numberOf(scene.chain)).toBe(0)
    const open = { forking: { jsonRpcUrl: undefined, blockNumber: null } }
    for (const options of [{}, { forking: {} }, open])
      expect(await scene.ask(`${flavor}_reset`, options)).toBe(done)
    await scene.chain.seal()
    const fork = { forking: { jsonRpcUrl: 'http://127.0.0.1:8545' } }
    await expect(scene.ask(`${flavor}_reset`, fork)).rejects.toMatchObject({
      kind: 'noNetwork',
      code: -32602,
    })
    expect(await numberOf(scene.chain)).toBe(1)
  })
})

describe('descriptions of the chain', () => {
  test('anvil_nodeInfo', async () => {
    await sealThree()
    const { hash } = await latest()
    // EIP-1559 by hand: 1 gwei falls to 875,000,000 after an empty block, and after three that hold 21,000 of
    // 60,000,000 gas to 765,701,563, 670,055,867 and 586,357,514.
    expect(await scene.ask('anvil_nodeInfo')).toMatchObject({
      currentBlockNumber: '0x3',
      currentBlockTimestamp: 1_704_067_206,
      currentBlockHash: hash,
      hardFork: 'prague',
      transactionOrder: 'fees',
      environment: {
        chainId: 31_337,
        gasLimit: '0x3938700',
        baseFee: '0x22f31b0a',
        gasPrice: await scene.ask('eth_gasPrice'),
      },
      forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
    })
  })

  test('metadata, with an id of the run that changes with a reset and is the same when repeated', async () => {
    type Metadata = { instanceId: Hex }
    const first = await scene.ask<Metadata>('anvil_metadata')
    const { hash } = await latest()
    expect(first).toEqual({
      clientVersion: await scene.ask('web3_clientVersion'),
      chainId: 31_337,
      instanceId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      latestBlockNumber: 0,
      latestBlockHash: hash,
      forkedNetwork: null,
      snapshots: {},
    })
    const again = await startScene()
    expect(await again.ask('anvil_metadata')).toEqual(first)
    const other = await startScene({ seed: 1 })
    expect((await other.ask<Metadata>('anvil_metadata')).instanceId).not.toBe(first.instanceId)
    await scene.chain.reset()
    const { instanceId } = await scene.ask<Metadata>('anvil_metadata')
    expect(instanceId).not.toBe(first.instanceId)
  })

  test('metadata shows the snapshots that are not used up', async () => {
    await scene.ask('evm_snapshot')
    await scene.chain.seal()
    const second = await scene.ask('evm_snapshot')
    const { hash } = await latest()
    const genesis = await scene.ask<{ hash: Hex }>('eth_getBlockByNumber', '0x0', false)
    expect(await scene.ask('anvil_metadata')).toMatchObject({
      snapshots: { '0x0': [0, genesis.hash], '0x1': [1, hash] },
    })
    await scene.ask('evm_revert', second)
    expect(await scene.ask('anvil_metadata')).toMatchObject({ snapshots: { '0x0': [0, genesis.hash] } })
  })

  test('hardhat_metadata has what Hardhat shows', async () => {
    scene = await startScene({ flavor: 'hardhat' })
    expect(Object.keys((await scene.ask<object>('hardhat_metadata')) ?? {})).toEqual([
      ...['clientVersion', 'chainId', 'instanceId', 'latestBlockNumber', 'latestBlockHash'],
    ])
  })

  test.each([
    ['anvil', null],
    ['hardhat', true],
    ['ganache', null],
  ] as const)('%s: logging and a fork’s address change nothing', async (flavor, answer) => {
    scene = await startScene({ flavor })
    expect(await scene.ask(`${flavor}_setLoggingEnabled`, false)).toBe(answer)
    expect(await scene.ask(`${flavor}_setRpcUrl`, 'http://127.0.0.1:8545')).toBe(answer)
    expect(await scene.ask('anvil_enableTraces')).toBeNull()
  })
})
