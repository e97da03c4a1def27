// Reorganisations. Refusals of replacement transactions have geth's messages (core/error.go, core/txpool).

import type { Emulator, EmulatorOptions } from 'tickchain'
import { type Hex, parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { FORKS_BY_NUMBER } from '../../../forks.ts'
import { ALICE, alice, BOB, bob, startScene, transfer, transferFees } from '../../rpc/scene.ts'

/** Prague at first, and osaka half a minute later. */
const forking: EmulatorOptions['genesis'] = {
  config: {
    chainId: 31_337,
    ...FORKS_BY_NUMBER,
    ...{ terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 },
    ...{ pragueTime: 0, osakaTime: 30 },
  },
}

async function reasonOf(reorg: Promise<void>): Promise<string> {
  const error = await reorg.then(
    () => undefined,
    (thrown: { kind: string; message: string }) => thrown,
  )
  expect(error?.kind).toBe('replacementNotExecutable')
  return (
    error?.message.replace(/^transaction 0x[0-9a-f]{64} cannot execute in the replacement block: /, '') ?? ''
  )
}

test("the refusal has geth's reason", async () => {
  const { chain } = await startScene()
  await chain.seal()
  await chain.seal()
  const signed = (changes: object): Promise<Hex> => alice.signTransaction({ ...transfer(BOB, 0), ...changes })
  const reason = async (...raws: Hex[]): Promise<string> =>
    reasonOf(chain.reorg({ depth: 1, blocks: [raws] }))
  expect(await reason(await signed({ nonce: 1 }))).toBe('nonce too high')
  const twice = [await signed({}), await signed({ value: 2n })] as const
  expect(await reason(...twice)).toBe('nonce too low')
  expect(await reason(await signed({ value: parseEther('10000') }))).toBe(
    'insufficient funds for gas * price + value',
  )
  const cheap = { maxFeePerGas: 7n, maxPriorityFeePerGas: 0n }
  expect(await reason(await signed(cheap))).toBe('max fee per gas less than block base fee')
  const large = await Promise.all([
    alice.signTransaction({ ...transferFees, to: BOB, nonce: 0, gas: 60_000_000n }),
    bob.signTransaction({ ...transferFees, to: ALICE, nonce: 0, gas: 60_000_000n }),
  ])
  expect(await reason(...large)).toBe('exceeds block gas limit')
  await chain.setCode(ALICE, '0x00')
  // An edit of the head is gone with it; one below stays.
  await chain.seal()
  expect(await reason(await signed({}))).toBe('sender not an eoa')
})

test('one pooled before a fork that forbids it, named by its hash', async () => {
  const { chain, send } = await startScene({ genesis: forking })
  // EIP-7825, from osaka on: no more than 2^24 gas.
  await chain.setBalance(ALICE, parseEther('100'))
  const hash = await send(alice, { ...transferFees, to: BOB, nonce: 1, gas: 20_000_000n })
  await chain.advance(40_000)
  const head = Number(await chain.request('eth_blockNumber'))
  expect(await reasonOf(chain.reorg({ depth: 1, blocks: [[hash]] }))).toBe(
    'transaction gas limit too high (cap: 16777216, tx: 20000000)',
  )
  expect(Number(await chain.request('eth_blockNumber'))).toBe(head)
})

/** What a client reads of pre-confirmed transactions. */
async function readPreconfirmed(chain: Emulator, hashes: readonly Hex[]): Promise<unknown> {
  const ask = (method: string, ...params: unknown[]) => chain.request({ method, params })
  return {
    block: await ask('eth_getBlockByNumber', 'pending', true),
    receipts: await ask('eth_getBlockReceipts', 'pending'),
    logs: await ask('eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' }),
    transactions: await Promise.all(hashes.map((hash) => ask('eth_getTransactionByHash', hash))),
    nonces: await Promise.all(
      [ALICE, BOB].map((account) => ask('eth_getTransactionCount', account, 'pending')),
    ),
    balances: await Promise.all([ALICE, BOB].map((account) => ask('eth_getBalance', account, 'pending'))),
    waiting: await ask('txpool_content'),
  }
}

describe('what was pre-confirmed is executed again at once', () => {
  test('and is read as after the next partial block', async () => {
    const { chain, send } = await startScene()
    await chain.advance(6000)
    const hashes = [
      await send(alice, { ...transfer(BOB, 0), value: 5n }),
      await send(bob, transfer(ALICE, 0)),
      await send(alice, transfer(BOB, 1)),
    ]
    await chain.advance(400)
    for (const depth of [1, 3]) {
      await chain.reorg({ depth })
      const head = await chain.request('eth_getBlockByNumber', ['latest', false])
      const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
      expect(pending).toMatchObject({ number: '0x4', parentHash: head?.hash, transactions: hashes })
      const receipt = await chain.request('eth_getTransactionReceipt', [hashes[2] as Hex])
      expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x4', cumulativeGasUsed: '0xf618' })
      const atOnce = await readPreconfirmed(chain, hashes)
      await chain.advance(200)
      expect(await readPreconfirmed(chain, hashes)).toEqual(atOnce)
    }
    await chain.seal()
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      transactions: hashes,
    })
  })

  test('nothing is told of what stays but the block: it has kept its place', async () => {
    const { chain, send } = await startScene()
    await chain.advance(2000)
    await send(alice, transfer(BOB, 0))
    await chain.advance(200)
    const heard: string[] = []
    for (const kind of [
      'newFlashblocks',
      'newFlashblockTransactions',
      'pendingLogs',
      'newPendingTransactions',
    ])
      await chain.request({ method: 'eth_subscribe', params: [kind] })
    chain.on('message', ({ data }) => heard.push(data.subscription))
    for (const name of ['unincludedTransaction', 'partialBlock', 'pendingTransaction', 'consoleLog'] as const)
      chain.on(name, () => heard.push(name))
    await chain.reorg({ depth: 1 })
    // The first subscription: newFlashblocks.
    expect(heard).toEqual(['0x1'])
  })

  test('unless it cannot run any more: it waits again, with those of its sender behind it', async () => {
    const { chain, send } = await startScene()
    const poor: Hex = `0x${'9a'.repeat(20)}`
    await chain.advance(2000)
    await chain.impersonate(poor)
    const grant = await send(alice, { ...transfer(poor, 0), value: parseEther('1') })
    await chain.advance(2000)
    const spend = (value: string): Promise<Hex> => {
      const fields = { from: poor, to: BOB, value, gas: '0x5208', ...{ maxFeePerGas: '0x77359400' } }
      return chain.request({
        method: 'eth_sendTransaction',
        params: [{ ...fields, maxPriorityFeePerGas: '0x1' }],
      }) as Promise<Hex>
    }
    const spent = [await spend('0x1'), await spend('0x2')]
    const kept = await send(bob, transfer(ALICE, 0))
    await chain.advance(200)
    const told: unknown[] = []
    chain.on('unincludedTransaction', (event) => told.push(event))
    await chain.reorg({ depth: 1 })
    const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
    expect(pending?.transactions).toEqual([kept])
    const reason = 'reorganised'
    expect(told).toEqual(
      [grant, ...spent].map((transactionHash) => ({ transactionHash, reason, isPooled: true })),
    )
    await chain.advance(200)
    const later = await chain.request('eth_getBlockByNumber', ['pending', false])
    expect(later?.transactions).toEqual([kept, grant, ...spent])
  })

  test('also on a shorter chain, and without blocks on time', async () => {
    const { chain, send } = await startScene({ production: 'manual' })
    await chain.mine(3)
    const hash = await send(alice, transfer(BOB, 0))
    await chain.advance(200)
    await chain.rollback(2, { repool: true })
    const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
    expect(pending).toMatchObject({ number: '0x2', transactions: [hash] })
    await chain.rollback(1)
    expect(await chain.request('eth_getTransactionByHash', [hash])).toBeNull()
  })

  test('unless a new block holds it', async () => {
    const { chain, send } = await startScene()
    await chain.advance(2000)
    const hashes = [await send(alice, transfer(BOB, 0)), await send(alice, transfer(BOB, 1))]
    await chain.advance(200)
    await chain.reorg({ depth: 1, blocks: [[hashes[0] as Hex]] })
    const [head, pending] = await Promise.all(
      (['latest', 'pending'] as const).map((tag) => chain.request('eth_getBlockByNumber', [tag, false])),
    )
    expect(head?.transactions).toEqual([hashes[0]])
    expect(pending?.transactions).toEqual([hashes[1]])
  })
})

// Genesis is at 1704067200, and blocks take 2 s. A timestamp must be above that of the block before.
describe('a timestamp that was set for the next block', () => {
  const GENESIS = 1_704_067_200
  const timestampOf = async (chain: Emulator, tag = 'latest'): Promise<number> =>
    Number((await chain.request('eth_getBlockByNumber', [tag, false]))?.timestamp)

  async function startWithTimestamp(after: number) {
    const { chain } = await startScene()
    await chain.seal()
    await chain.setNextBlockTimestamp(GENESIS + after)
    return chain
  }

  test('stays, also if it is the least that there can be', async () => {
    const chain = await startWithTimestamp(3)
    await chain.reorg({ depth: 1 })
    await chain.seal()
    expect(await timestampOf(chain)).toBe(GENESIS + 3)
  })

  test('is dropped where a new block is later', async () => {
    const chain = await startWithTimestamp(9)
    await chain.request('anvil_setBlockTimestampInterval', [20])
    await chain.reorg({ depth: 1, blocks: [[], []] })
    const head = await timestampOf(chain)
    expect(head).toBeGreaterThan(GENESIS + 9)
    await chain.seal()
    expect(await timestampOf(chain)).toBeGreaterThan(head)
  })

  test('is dropped where the block being built had it', async () => {
    const chain = await startWithTimestamp(9)
    await chain.request('eth_sendRawTransaction', [await alice.signTransaction(transfer(BOB, 0))])
    await chain.advance(200)
    expect(await timestampOf(chain, 'pending')).toBe(GENESIS + 9)
    await chain.reorg({ depth: 1 })
    await chain.seal()
    expect(await timestampOf(chain)).toBe(GENESIS + 4)
  })

  test('is none if none was set, although zero could be one', async () => {
    const { chain } = await startScene({
      genesis: { timestamp: 0 },
      blockTimeMs: 500,
      partialBlockTimeMs: 100,
    })
    await chain.advance(500)
    expect(await timestampOf(chain)).toBe(0)
    await chain.reorg({ depth: 1 })
    await chain.advance(500)
    expect(await timestampOf(chain)).toBe(1)
  })
})
