// Polled filters.

import type { Emulator } from 'tickchain'
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LogFilterWire } from '../../../../src/core/rpc/codecs/filter.ts'
import type { RpcLog } from '../../../../src/core/rpc/format/receipt.ts'
import { Counter, Logger } from '../../../contracts/generated.ts'
import {
  addressTopic,
  COUNTER,
  GWEI,
  INCREMENTED,
  increment,
  resultOf,
  type Scene,
  start,
  word,
} from '../../../specification/setup.ts'
import { readBlock } from '../../chain/reads.ts'

const LOGGER: Hex = `0x${'10'.repeat(20)}`
const STRANGER: Hex = `0x${'ab'.repeat(20)}`
const PENDING = { fromBlock: 'pending', toBlock: 'pending' } as const
const notFound = (id: string) => ({ code: -32000, message: `filter not found: ${id}` })

let scene: Scene
let chain: Emulator
const alloc = {
  [COUNTER]: { nonce: 1, code: Counter.deployedBytecode },
  [LOGGER]: { nonce: 1, code: Logger.deployedBytecode },
}
beforeEach(async () => {
  scene = await start({ genesis: { alloc } })
  chain = scene.chain
})

function emitMany(count: number): { readonly to: Hex; readonly data: Hex; readonly gas: bigint } {
  const data = encodeFunctionData({ abi: Logger.abi, functionName: 'emitMany', args: [BigInt(count)] })
  return { to: LOGGER, data, gas: 200_000n }
}

const newFilter = (filter: LogFilterWire): Promise<Hex> => chain.request('eth_newFilter', [filter])
const changesOf = (id: Hex): Promise<readonly unknown[] | null> => chain.request('eth_getFilterChanges', [id])
const logChangesOf = async (id: Hex): Promise<readonly RpcLog[]> => (await changesOf(id)) as readonly RpcLog[]
const logsOf = async (id: Hex): Promise<readonly RpcLog[]> =>
  (await chain.request('eth_getFilterLogs', [id])) as readonly RpcLog[]
const placeOf = ({ blockNumber, logIndex }: RpcLog): string => `${Number(blockNumber)}.${Number(logIndex)}`

describe('eth_newFilter', () => {
  test('changes are the logs of blocks sealed since, each once', async () => {
    await increment(scene.wallets[0])
    await chain.seal()
    const id = await newFilter({})
    expect(await changesOf(id)).toEqual([])
    await scene.wallets[0].send(emitMany(2))
    await chain.advance(200)
    // Not before they are sealed.
    expect(await changesOf(id)).toEqual([])
    await chain.seal()
    await increment(scene.wallets[1])
    await chain.seal()
    const changes = await logChangesOf(id)
    expect(changes.map(placeOf)).toEqual(['2.0', '2.1', '3.0'])
    expect(changes).toEqual(await chain.request('eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x3' }]))
    expect(await changesOf(id)).toEqual([])
  })

  test('addresses and topics select', async () => {
    const byAddress = await newFilter({ address: COUNTER })
    const byTopics = await newFilter({ topics: [null, [word(0), word(2)]] })
    const bySender = await newFilter({
      address: [COUNTER, LOGGER],
      topics: [INCREMENTED, addressTopic(scene.wallets[1].address)],
    })
    await scene.wallets[0].send(emitMany(3))
    await increment(scene.wallets[1])
    await chain.seal()
    expect((await logChangesOf(byAddress)).map(placeOf)).toEqual(['1.3'])
    expect((await logChangesOf(byTopics)).map(placeOf)).toEqual(['1.0', '1.2'])
    expect((await logChangesOf(bySender)).map(placeOf)).toEqual(['1.3'])
  })

  test('numbers limit the blocks; a block hash selects an existing one', async () => {
    const from = await newFilter({ fromBlock: '0x2' })
    const to = await newFilter({ fromBlock: '0x0', toBlock: '0x2' })
    const only = await newFilter({ fromBlock: '0x2', toBlock: '0x2' })
    const { hash } = await readBlock(chain, 'latest')
    const named = await newFilter({ blockHash: hash })
    for (let block = 1; block <= 3; block++) {
      await increment(scene.wallets[0])
      await chain.seal()
    }
    expect((await logChangesOf(from)).map(placeOf)).toEqual(['2.0', '3.0'])
    expect((await logChangesOf(to)).map(placeOf)).toEqual(['1.0', '2.0'])
    expect((await logChangesOf(only)).map(placeOf)).toEqual(['2.0'])
    expect(await changesOf(named)).toEqual([])
  })

  test('from and to pending: the pre-confirmed logs, as they arrive', async () => {
    const id = await newFilter(PENDING)
    const chosen = await newFilter({ ...PENDING, address: COUNTER })
    await scene.wallets[0].send(emitMany(2))
    await chain.advance(200)
    const first = await logChangesOf(id)
    expect(first).toEqual(await chain.request('eth_getLogs', [PENDING]))
    expect(first.map(placeOf)).toEqual(['1.0', '1.1'])
    await increment(scene.wallets[1])
    await chain.advance(200)
    // The difference only; and nothing a second time when the block is sealed.
    expect((await logChangesOf(id)).map(placeOf)).toEqual(['1.2'])
    await chain.advance(1600)
    expect(await changesOf(id)).toEqual([])
    expect((await logChangesOf(chosen)).map(placeOf)).toEqual(['1.2'])
  })

  test('from and to pending: a dropped pre-confirmation removes nothing', async () => {
    const id = await newFilter(PENDING)
    const hash = await increment(scene.wallets[0])
    await chain.advance(200)
    await chain.dropPreconfirmed(hash)
    expect((await logChangesOf(id)).map(({ removed }) => removed)).toEqual([false])
    expect(await changesOf(id)).toEqual([])
  })

  test('after a reorganisation: the removed logs, last first, then those of the new blocks', async () => {
    const id = await newFilter({})
    const bounded = await newFilter({ fromBlock: '0x0', toBlock: '0x1' })
    const first = await scene.wallets[0].send(emitMany(2))
    await chain.seal()
    await increment(scene.wallets[1])
    await chain.seal()
    const seen = await logChangesOf(id)
    expect(seen.map(placeOf)).toEqual(['1.0', '1.1', '2.0'])
    await changesOf(bounded)
    await chain.reorg({ depth: 2, blocks: [[], [first]] })
    const fresh = await chain.request('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x2' }])
    expect(fresh.map(placeOf)).toEqual(['2.0', '2.1'])
    const removed = [...seen].reverse().map((log) => ({ ...log, removed: true }))
    expect(await changesOf(id)).toEqual([...removed, ...fresh])
    expect(await changesOf(bounded)).toEqual(removed.slice(1))
  })

  test('logs not polled before a reorganisation come together with their removal', async () => {
    const id = await newFilter({})
    await increment(scene.wallets[0])
    await chain.seal()
    await chain.reorg({ depth: 1 })
    expect((await logChangesOf(id)).map((log) => [placeOf(log), log.removed])).toEqual([
      ['1.0', false],
      ['1.0', true],
    ])
  })

  test('an invalid filter is refused', async () => {
    for (const params of [[], [7], [{ fromBlock: 'soon' }], [{ topics: [[], [], [], [], []] }]]) {
      const refused = chain.request('eth_newFilter' as string, params)
      await expect(refused).rejects.toMatchObject({ code: -32602 })
    }
  })
})

describe('eth_getFilterLogs', () => {
  test('all matching logs, also from before the filter, at every call', async () => {
    await increment(scene.wallets[0])
    await chain.seal()
    const id = await newFilter({ fromBlock: 'earliest', address: COUNTER })
    await increment(scene.wallets[0])
    await scene.wallets[1].send(emitMany(1))
    await chain.seal()
    const filter: LogFilterWire = { fromBlock: 'earliest', address: COUNTER }
    const logs = await chain.request('eth_getLogs', [filter])
    expect(logs.map(placeOf)).toEqual(['1.0', '2.0'])
    expect(await logsOf(id)).toEqual(logs)
    expect(await logsOf(id)).toEqual(logs)
    // It takes nothing from the changes.
    expect((await logChangesOf(id)).map(placeOf)).toEqual(['2.0'])
  })

  test('from and to pending: those of the pre-confirmed transactions so far', async () => {
    const id = await newFilter(PENDING)
    await increment(scene.wallets[0])
    await chain.advance(200)
    expect((await logsOf(id)).map(placeOf)).toEqual(['1.0'])
    await chain.seal()
    expect(await logsOf(id)).toEqual([])
  })

  test('only log filters have logs', async () => {
    const blocks = await chain.request('eth_newBlockFilter')
    const transactions = await chain.request('eth_newPendingTransactionFilter')
    for (const id of [blocks, transactions]) await expect(logsOf(id)).rejects.toMatchObject(notFound(id))
  })
})

describe('eth_newBlockFilter', () => {
  test('changes are the hashes of blocks sealed since, in order', async () => {
    await chain.seal()
    const id = await chain.request('eth_newBlockFilter')
    await chain.advance(1000)
    expect(await changesOf(id)).toEqual([])
    await chain.request('evm_mine', [{ blocks: 2 }])
    await chain.seal()
    const hashes = await Promise.all([2, 3, 4].map(async (number) => (await readBlock(chain, number)).hash))
    expect(await changesOf(id)).toEqual(hashes)
    expect(await changesOf(id)).toEqual([])
  })

  test('after a reorganisation: the hashes of the new blocks', async () => {
    await chain.advance(6000)
    const id = await chain.request('eth_newBlockFilter')
    await chain.reorg({ depth: 2, blocks: [[], [], []] })
    const hashes = await Promise.all([2, 3, 4].map(async (number) => (await readBlock(chain, number)).hash))
    expect(await changesOf(id)).toEqual(hashes)
  })

  test('all blocks that listeners get, in order, also of long runs that were removed', {
    tags: 'gate',
  }, async () => {
    const { chain: twin, wallets } = await start({ genesis: { alloc } })
    const told: Hex[] = []
    twin.on('sealedBlock', ({ hash }) => told.push(hash))
    const passAll = async (emulator: Emulator, [wallet]: typeof wallets) => {
      await emulator.mine(300)
      await increment(wallet)
      await emulator.advance(60_000)
      const later = emulator.snapshot()
      await emulator.reorg({ depth: 40 })
      await emulator.rollback(20)
      await emulator.mine(7)
      await emulator.revert(later)
      await emulator.request('evm_mine', [{ blocks: 500 }])
    }
    const id = await chain.request('eth_newBlockFilter')
    const other = await chain.request('eth_newBlockFilter')
    await passAll(chain, scene.wallets)
    await passAll(twin, wallets)
    const hashes = await changesOf(id)
    expect(hashes).toEqual(told)
    // 30 sealed on time, 40 by the reorganisation, and the 60 above the last common block that the revert restores.
    expect(hashes).toHaveLength(300 + 30 + 40 + 7 + 40 + 500)
    expect(await changesOf(id)).toEqual([])
    await chain.seal()
    expect(await changesOf(other)).toEqual([...told, (await readBlock(chain, 'latest')).hash])
  })

  test('in auto production: a block for each transaction', async () => {
    const { chain: auto, wallets } = await start({ production: 'auto' })
    const id = await auto.request('eth_newBlockFilter')
    await increment(wallets[0])
    await increment(wallets[1])
    const hashes = await Promise.all([1, 2].map(async (number) => (await readBlock(auto, number)).hash))
    expect(await auto.request('eth_getFilterChanges', [id])).toEqual(hashes)
  })
})

describe('eth_newPendingTransactionFilter', () => {
  test('changes are the hashes of transactions that entered the pool since', async () => {
    await scene.wallets[0].send({ to: STRANGER })
    const id = await chain.request('eth_newPendingTransactionFilter')
    const plain = await chain.request('eth_newPendingTransactionFilter', [false])
    const hashes = [
      await scene.wallets[0].send({ to: STRANGER }),
      await scene.wallets[1].send({ to: STRANGER, nonce: 5 }),
      await scene.wallets[0].send({ to: COUNTER, nonce: 0, fee: 20n * GWEI, tip: 2n * GWEI }),
    ]
    const refused = scene.wallets[1].send({ to: STRANGER, nonce: 5 })
    await expect(refused).rejects.toMatchObject({ message: 'already known' })
    await chain.advance(2000)
    expect(await changesOf(id)).toEqual(hashes)
    expect(await changesOf(id)).toEqual([])
    expect(await changesOf(plain)).toEqual(hashes)
  })

  test('with true, the transactions in full, as they entered', async () => {
    const id = await chain.request('eth_newPendingTransactionFilter', [true])
    const hash = await scene.wallets[0].send({ to: STRANGER })
    const waiting = await chain.request('eth_getTransactionByHash', [hash])
    expect(waiting).toMatchObject({ hash, blockHash: null, blockNumber: null, transactionIndex: null })
    await chain.seal()
    expect(await changesOf(id)).toEqual([waiting])
  })
})

describe('ids', () => {
  test('are counted in hex over all kinds, and never reused', async () => {
    const ids = [
      await newFilter({}),
      await chain.request('eth_newBlockFilter'),
      await chain.request('eth_newPendingTransactionFilter'),
    ]
    expect(ids).toEqual(['0x1', '0x2', '0x3'])
    await chain.request('eth_uninstallFilter', ['0x3'])
    expect(await newFilter({})).toBe('0x4')
  })

  test('may be given as a number', async () => {
    await chain.request('eth_newBlockFilter')
    expect(await chain.request('eth_getFilterChanges', [1])).toEqual([])
  })

  test.each(['eth_getFilterChanges', 'eth_getFilterLogs'])(
    '%s: an unknown one is -32000 filter not found',
    async (method) => {
      await expect(chain.request(method, ['0x1'])).rejects.toMatchObject(notFound('0x1'))
      const id = await newFilter({})
      await chain.request('eth_uninstallFilter', [id])
      await expect(chain.request(method, [id])).rejects.toMatchObject(notFound(id))
    },
  )

  test('in the flavor hardhat, changes and logs of an unknown one are null', async () => {
    const { chain: hardhat } = await start({ flavor: 'hardhat' })
    expect(await hardhat.request('eth_getFilterChanges', ['0x1'])).toBeNull()
    expect(await hardhat.request('eth_getFilterLogs', ['0x1'])).toBeNull()
    const { chain: ganache } = await start({ flavor: 'ganache' })
    await expect(ganache.request('eth_getFilterChanges', ['0x1'])).rejects.toMatchObject(notFound('0x1'))
  })

  test('an invalid id is refused with -32602', async () => {
    for (const params of [[], [null], ['one'], [{}]]) {
      await expect(chain.request('eth_getFilterChanges' as string, params)).rejects.toMatchObject({
        code: -32602,
      })
    }
  })
})

describe('eth_uninstallFilter', () => {
  test('true if there was one, else false', async () => {
    const id = await chain.request('eth_newBlockFilter')
    const other = await chain.request('eth_newBlockFilter')
    expect(await chain.request('eth_uninstallFilter', [id])).toBe(true)
    expect(await chain.request('eth_uninstallFilter', [id])).toBe(false)
    expect(await chain.request('eth_uninstallFilter', ['0x99'])).toBe(false)
    await chain.seal()
    expect(await changesOf(other)).toHaveLength(1)
  })
})

describe('a filter', () => {
  test('never expires', async () => {
    const { chain: slow, wallets } = await start({ blockTimeMs: 86_400_000, partialBlockTimeMs: 86_400_000 })
    const id = await slow.request('eth_newFilter', [{}])
    await slow.advance(1000 * 86_400_000)
    await increment(wallets[0])
    await slow.seal()
    const changes = await slow.request('eth_getFilterChanges', [id])
    expect(changes).toMatchObject([{ blockNumber: numberToHex(1001) }])
  })

  test('is created and polled in the order of the calls', async () => {
    const raws = [await scene.wallets[0].sign(emitMany(1)), await scene.wallets[1].sign(emitMany(2))]
    const [first, second] = raws as [Hex, Hex]
    const outcomes = await Promise.all([
      chain.request('eth_sendRawTransaction', [first]),
      chain.seal(),
      newFilter({}),
      chain.request('eth_sendRawTransaction', [second]),
      chain.seal(),
      logChangesOf('0x1'),
      logChangesOf('0x1'),
    ])
    expect(outcomes[2]).toBe('0x1')
    expect(outcomes[5].map(placeOf)).toEqual(['2.0', '2.1'])
    expect(outcomes[6]).toEqual([])
  })

  test('survives a revert, which reports removed logs to a log filter, and nothing to a block filter', async () => {
    const logs = await newFilter({})
    const blocks = await chain.request('eth_newBlockFilter')
    const snapshot = chain.snapshot()
    await increment(scene.wallets[0])
    await chain.seal()
    const { hash } = await readBlock(chain, 'latest')
    await chain.revert(snapshot)
    expect((await logChangesOf(logs)).map(({ removed }) => removed)).toEqual([false, true])
    expect(await changesOf(blocks)).toEqual([hash])
    await chain.seal()
    expect(await changesOf(blocks)).toEqual([(await readBlock(chain, 'latest')).hash])
  })

  test('is not in a clone', async () => {
    const id = await newFilter({})
    const clone = chain.clone()
    await expect(clone.request('eth_getFilterChanges', [id])).rejects.toMatchObject(notFound(id))
    expect(await clone.request('eth_newBlockFilter')).toBe('0x1')
  })

  test('works the same over the envelope', async () => {
    const id = await resultOf<Hex>(chain, 'eth_newFilter', [{}])
    await increment(scene.wallets[0])
    await chain.seal()
    expect(await resultOf(chain, 'eth_getFilterChanges', [id])).toMatchObject([{ logIndex: '0x0' }])
    expect(await changesOf(id)).toEqual([])
  })
})
