// Hardhat's pool, automine, snapshots and defaults. Expected values are answers of EDR; test/interop/edr compares them.

import { type Hex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, type Scene, startScene } from '../scene.ts'

const CAROL: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

const start = (): Promise<Scene> => startScene({ flavor: 'hardhat', production: 'auto' })

const send = ({ ask }: Scene, from: Hex, nonce: number): Promise<Hex> =>
  ask('eth_sendTransaction', { from, to: BOB, value: '0x1', nonce: numberToHex(nonce), gas: '0x5208' })

async function transactionsOf({ ask }: Scene, block: string): Promise<readonly Hex[]> {
  const { transactions } = await ask<{ transactions: readonly Hex[] }>('eth_getBlockByNumber', block, false)
  return transactions
}

describe('the pending block', () => {
  test('is the block that would be mined now', async () => {
    const scene = await start()
    await scene.ask('evm_setAutomine', false)
    const hash = await send(scene, ALICE, 0)
    const block = await scene.ask<{ hash: Hex }>('eth_getBlockByNumber', 'pending', false)
    expect(block).toMatchObject({ number: null, nonce: null, mixHash: null, transactions: [hash] })
    expect(await scene.ask('eth_getBlockByHash', block.hash, false)).toBeNull()
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x1')
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toBeNull()
    await scene.ask('evm_mine')
    expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ hash: block.hash })
  })

  test('has no logs for a query', async () => {
    const scene = await start()
    // PUSH1 1 PUSH0 PUSH0 LOG1
    await scene.ask('hardhat_setCode', CAROL, '0x60015f5fa1')
    await scene.ask('evm_setAutomine', false)
    await scene.ask('eth_sendTransaction', { from: ALICE, to: CAROL, gas: '0x20000' })
    expect(await scene.ask('eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' })).toEqual([])
    await scene.ask('evm_mine')
    expect(await scene.ask('eth_getLogs', { fromBlock: 'latest', toBlock: 'pending' })).toHaveLength(1)
  })
})

describe('automine turned on with a waiting pool', () => {
  test('mines nothing by itself, and everything in one block with the next transaction', async () => {
    const scene = await start()
    await scene.ask('evm_setAutomine', false)
    const second = await send(scene, ALICE, 1)
    await scene.ask('evm_setAutomine', true)
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    const first = await send(scene, ALICE, 0)
    expect(await scene.ask('eth_blockNumber')).toBe('0x1')
    expect(await transactionsOf(scene, 'latest')).toEqual([first, second])
  })

  test('fills as many blocks as it takes', async () => {
    const scene = await start()
    // Two transfers.
    await scene.ask('evm_setBlockGasLimit', numberToHex(45_000))
    await scene.ask('evm_setAutomine', false)
    const hashes = [await send(scene, ALICE, 0), await send(scene, ALICE, 1), await send(scene, ALICE, 2)]
    await scene.ask('evm_setAutomine', true)
    hashes.push(await send(scene, ALICE, 3), await send(scene, ALICE, 4))
    expect(await transactionsOf(scene, '0x1')).toEqual(hashes.slice(0, 2))
    expect(await transactionsOf(scene, '0x2')).toEqual(hashes.slice(2, 4))
    expect(await transactionsOf(scene, '0x3')).toEqual(hashes.slice(4))
  })
})

describe('snapshots', () => {
  test('have numbers that begin anew after a reset', async () => {
    const scene = await start()
    expect(await scene.ask('evm_snapshot')).toBe('0x1')
    expect(await scene.ask('evm_snapshot')).toBe('0x2')
    await scene.ask('hardhat_reset')
    expect(await scene.ask('evm_revert', '0x1')).toBe(false)
    expect(await scene.ask('evm_snapshot')).toBe('0x1')
  })
})

describe('defaults', () => {
  test('are those of the network of Hardhat', { tags: 'gate' }, async () => {
    const scene = await start()
    expect(await scene.ask('eth_accounts')).toHaveLength(20)
    expect(await scene.ask('eth_coinbase')).toBe('0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e')
    expect(await scene.ask('eth_getBlockByNumber', '0x0', false)).toMatchObject({
      miner: `0x${'00'.repeat(20)}`,
      gasLimit: numberToHex(60_000_000),
      baseFeePerGas: numberToHex(1_000_000_000),
    })
    await scene.ask('hardhat_mine', numberToHex(5000))
    for (const tag of ['safe', 'finalized', 'latest'])
      expect(await scene.ask('eth_getBlockByNumber', tag, false)).toMatchObject({ number: '0x1388' })
    expect(await scene.ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).toEqual([])
  })

  test('give way to options', async () => {
    const scene = await startScene({
      flavor: 'hardhat',
      production: 'auto',
      genesis: { coinbase: CAROL },
      accounts: { count: 3 },
      safeLag: 2,
      pendingContents: 'preconfirmed',
      pendingIdentity: 'partial',
      limits: { logBlockRange: 10, stepsPerCall: 100 },
    })
    expect(await scene.ask('eth_accounts')).toHaveLength(3)
    expect(await scene.ask('eth_coinbase')).toBe(CAROL)
    await expect(scene.ask('hardhat_mine', '0x65')).rejects.toMatchObject({ kind: 'tooManySteps' })
    await scene.ask('hardhat_mine', '0x64')
    expect(await scene.ask('eth_getBlockByNumber', 'safe', false)).toMatchObject({ number: '0x62' })
    await expect(scene.ask('eth_getLogs', { fromBlock: '0x0' })).rejects.toMatchObject({
      kind: 'blockRangeTooWide',
    })
    await scene.ask('evm_setAutomine', false)
    await send(scene, ALICE, 0)
    expect(await scene.ask('eth_getBlockByNumber', 'pending', false)).toMatchObject({
      number: '0x65',
      transactions: [],
    })
  })

  test('a legacy transaction without a chain id is taken', async () => {
    const scene = await start()
    // The presigned deployment of the deterministic proxy (Arachnid), and its sender.
    const raw =
      '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222'
    await scene.ask(
      'hardhat_setBalance',
      '0x3fab184622dc19b6109349b94811493bf2a45362',
      numberToHex(10n ** 16n),
    )
    await scene.ask('eth_sendRawTransaction', raw)
    expect(await scene.ask('eth_getCode', '0x4e59b44847b379578588920ca78fbf26c0b4956c')).not.toBe('0x')
  })
})
