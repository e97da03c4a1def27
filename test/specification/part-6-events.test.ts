// Specification, part 6: events. It leaves payloads and protocol open; they are those of the deployed chain's
// subscriptions, over EIP-1193. Each test names its statement.

import type { Emulator, EmulatorOptions, SubscriptionMessage } from 'tickchain'
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RpcHeader } from '../../src/core/rpc/format/block.ts'
import type { RpcLog, RpcReceipt } from '../../src/core/rpc/format/receipt.ts'
import type { RpcTransaction } from '../../src/core/rpc/format/transaction.ts'
import { Counter, Logger } from '../contracts/generated.ts'
import { readBlock, readReceipts, transactionsOf } from '../core/chain/reads.ts'
import type { RpcBlock } from '../core/chain/recompute.ts'
import {
  addressTopic,
  COUNTER,
  GENESIS_TIMESTAMP,
  GWEI,
  INCREMENTED,
  increment,
  post,
  rpcRequest,
  type Scene,
  start,
  word,
} from './setup.ts'
import { record, subscribe } from './watch.ts'

const LOGGER: Hex = `0x${'10'.repeat(20)}`
const STRANGER: Hex = `0x${'ab'.repeat(20)}`

const GENESIS: EmulatorOptions['genesis'] = {
  alloc: {
    [COUNTER]: { nonce: 1, code: Counter.deployedBytecode },
    [LOGGER]: { nonce: 1, code: Logger.deployedBytecode },
  },
}

const begin = (options: EmulatorOptions = {}): Promise<Scene> => start({ genesis: GENESIS, ...options })

function emitMany(count: number): { readonly to: Hex; readonly data: Hex; readonly gas: bigint } {
  const data = encodeFunctionData({ abi: Logger.abi, functionName: 'emitMany', args: [BigInt(count)] })
  return { to: LOGGER, data, gas: 200_000n }
}

/** A full pre-confirmed transaction: its fields, and those of its receipt. */
type PreconfirmedTransaction = RpcTransaction &
  Pick<RpcReceipt, 'status' | 'gasUsed' | 'cumulativeGasUsed' | 'contractAddress' | 'logsBloom' | 'logs'>

const keysOf = (value: object): string[] => Object.keys(value).sort()
const placeOf = ({ blockNumber, logIndex }: RpcLog): string => `${Number(blockNumber)}.${Number(logIndex)}`

let scene: Scene
let chain: Emulator
beforeEach(async () => {
  scene = await begin()
  chain = scene.chain
})

describe('eth_subscribe', () => {
  test('messages are those of EIP-1193, with the id that was answered', async () => {
    const messages: SubscriptionMessage[] = []
    chain.on('message', (message) => messages.push(message))
    const id = await chain.request('eth_subscribe', ['newPendingTransactions'])
    const hash = await scene.wallets[0].send({ to: STRANGER })
    expect(messages).toEqual([{ type: 'eth_subscription', data: { subscription: id, result: hash } }])
  })

  test('ids are counted in hex, and none comes again', async () => {
    const ids: Hex[] = []
    for (let i = 0; i < 3; i++) ids.push(await chain.request('eth_subscribe', ['newHeads']))
    await chain.request('eth_unsubscribe', [ids[2] as Hex])
    ids.push(await chain.request('eth_subscribe', ['logs', {}]))
    expect(ids).toEqual(['0x1', '0x2', '0x3', '0x4'])
  })

  test('an unknown kind is refused with -32602, and so is none', async () => {
    const refused = { code: -32602 }
    for (const params of [['newThings'], [7], []]) {
      await expect(chain.request('eth_subscribe' as string, params)).rejects.toMatchObject(refused)
    }
    await expect(chain.request('eth_subscribe' as string, ['logs', 'all'])).rejects.toMatchObject(refused)
  })

  test('a bare request has nowhere to push to: -32601 notifications not supported', async () => {
    const answer = await post(chain, rpcRequest('eth_subscribe', ['newHeads']))
    const error = { code: -32601, message: 'notifications not supported' }
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, error })
  })

  test('there is no replay for late subscribers', async () => {
    await increment(scene.wallets[0])
    await chain.advance(2200)
    const { received: heads } = await subscribe(chain, 'newHeads')
    const { received: logs } = await subscribe(chain, 'logs')
    const { received: pendingLogs } = await subscribe(chain, 'pendingLogs')
    await chain.advance(200)
    expect([heads, logs, pendingLogs]).toEqual([[], [], []])
  })
})

describe('newHeads', () => {
  test('one message per sealed block: its header', async () => {
    const { received } = await subscribe<RpcHeader>(chain, 'newHeads')
    await increment(scene.wallets[0])
    await chain.advance(1999)
    expect(received).toEqual([])
    await chain.advance(4001)
    const blocks = await Promise.all([1, 2, 3].map((number) => readBlock(chain, number)))
    const body = ['size', 'transactions', 'uncles', 'withdrawals']
    const headers = blocks.map((block) =>
      Object.fromEntries(Object.entries(block).filter(([name]) => !body.includes(name))),
    )
    expect(received).toEqual(headers)
  })

  test('after a reorganisation the new blocks are heads', async () => {
    await chain.advance(6000)
    const { received } = await subscribe<RpcHeader>(chain, 'newHeads')
    await chain.reorg({ depth: 2 })
    expect(received.map(({ number }) => number)).toEqual(['0x2', '0x3'])
    const hashes = await Promise.all([2, 3].map(async (number) => (await readBlock(chain, number)).hash))
    expect(received.map(({ hash }) => hash)).toEqual(hashes)
  })
})

describe('transactionReceipts, as geth and anvil have it', () => {
  const receiptOf = (hash: string) => chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })

  test('one message per sealed block with transactions: their receipts', async () => {
    const { received } = await subscribe(chain, 'transactionReceipts')
    const hashes = [await increment(scene.wallets[0]), await increment(scene.wallets[1])]
    await chain.advance(1999)
    expect(received).toEqual([])
    await chain.advance(4001)
    expect(received).toEqual([await Promise.all(hashes.map(receiptOf))])
  })

  test('with hashes, those of them that were sealed', async () => {
    const hashes = [await increment(scene.wallets[0]), await increment(scene.wallets[1])]
    const wanted = { transactionHashes: [hashes[1], `0x${'ab'.repeat(32)}`] }
    const { received } = await subscribe(chain, 'transactionReceipts', wanted)
    await chain.advance(4000)
    expect(received).toEqual([[await receiptOf(hashes[1] as string)]])
  })

  test('no more than 200 hashes', async () => {
    const transactionHashes = Array.from({ length: 201 }, () => `0x${'ab'.repeat(32)}`)
    await expect(subscribe(chain, 'transactionReceipts', { transactionHashes })).rejects.toMatchObject({
      code: -32602,
    })
  })
})

describe('logs', () => {
  test('one message per log of a sealed block, not before it is sealed', async () => {
    const { received } = await subscribe<RpcLog>(chain, 'logs', {})
    await scene.wallets[0].send(emitMany(2))
    await increment(scene.wallets[1])
    await chain.advance(1800)
    expect(received).toEqual([])
    await chain.advance(200)
    expect(received).toEqual(await chain.request('eth_getLogs', [{}]))
    expect(received.map(placeOf)).toEqual(['1.0', '1.1', '1.2'])
  })

  test('a filter chooses by address and topics, as eth_getLogs does', async () => {
    const a = addressTopic(scene.wallets[0].address)
    const of = async (filter: object): Promise<RpcLog[]> =>
      (await subscribe<RpcLog>(chain, 'logs', filter)).received
    const byAddress = await of({ address: COUNTER })
    const byTopic = await of({ topics: [null, word(1)] })
    const byEither = await of({ address: [COUNTER, LOGGER], topics: [null, null, a] })
    await scene.wallets[0].send(emitMany(2))
    await increment(scene.wallets[1])
    await chain.seal()
    expect(byAddress.map(placeOf)).toEqual(['1.2'])
    expect(byTopic.map(placeOf)).toEqual(['1.1'])
    expect(byEither.map(placeOf)).toEqual(['1.0', '1.1'])
  })

  test('a log with removed true signals a chain reorganisation: the old logs first, then the new', async () => {
    const { received } = await subscribe<RpcLog>(chain, 'logs')
    const first = await scene.wallets[0].send(emitMany(2))
    await chain.seal()
    await increment(scene.wallets[1])
    await chain.seal()
    const seen = [...received]
    received.length = 0
    await chain.reorg({ depth: 2, blocks: [[], [first]] })
    const sealed = await chain.request('eth_getLogs', [{ fromBlock: 'earliest' }])
    expect(sealed.map(placeOf)).toEqual(['2.0', '2.1'])
    expect(received).toEqual([...seen.reverse().map((log) => ({ ...log, removed: true })), ...sealed])
  })

  test('removed logs are chosen by the filter too', async () => {
    const { received } = await subscribe<RpcLog>(chain, 'logs', { topics: [INCREMENTED] })
    await scene.wallets[0].send(emitMany(2))
    await increment(scene.wallets[1])
    await chain.seal()
    await chain.reorg({ depth: 1 })
    expect(received.map(({ address, removed }) => [address, removed])).toEqual([
      [COUNTER, false],
      [COUNTER, true],
    ])
  })
})

describe('newPendingTransactions', () => {
  test('one message per transaction that enters the pool: its hash', async () => {
    const { received } = await subscribe(chain, 'newPendingTransactions')
    const { received: plain } = await subscribe(chain, 'newPendingTransactions', false)
    const first = await scene.wallets[0].send({ to: STRANGER })
    const gapped = await scene.wallets[1].send({ to: STRANGER, nonce: 3 })
    expect(received).toEqual([first, gapped])
    expect(plain).toEqual(received)
    await chain.advance(2000)
    expect(received).toHaveLength(2)
  })

  test('with true, the transaction in full, as it waits', async () => {
    const { received } = await subscribe(chain, 'newPendingTransactions', true)
    const hash = await scene.wallets[0].send({ to: STRANGER })
    const waiting = await chain.request('eth_getTransactionByHash', [hash])
    expect(waiting).toMatchObject({ blockHash: null, gasPrice: numberToHex(10n * GWEI) })
    expect(received).toEqual([waiting])
  })

  test('a replacement is told, one that is refused is not', async () => {
    await scene.wallets[0].send({ to: STRANGER })
    const { received } = await subscribe(chain, 'newPendingTransactions')
    const refused = scene.wallets[0].send({ to: COUNTER, nonce: 0, fee: 10n * GWEI + 1n })
    await expect(refused).rejects.toMatchObject({ code: -32000 })
    const by = await scene.wallets[0].send({ to: COUNTER, nonce: 0, fee: 11n * GWEI, tip: 2n * GWEI })
    expect(received).toEqual([by])
  })
})

describe('syncing', () => {
  test('false at once, and nothing more: a chain in a process is never behind', async () => {
    const { received } = await subscribe(chain, 'syncing')
    expect(received).toEqual([false])
    await chain.advance(10_000)
    expect(received).toEqual([false])
  })
})

describe('newFlashblocks', () => {
  test('one message per partial block: the whole pending block, with transactions in full', async () => {
    const { received } = await subscribe<RpcBlock>(chain, 'newFlashblocks')
    const shown: RpcBlock[] = []
    for (let step = 0; step < 5; step++) {
      if (step % 2 === 0) await increment(scene.wallets[step] as (typeof scene.wallets)[0])
      await chain.advance(200)
      shown.push(await readBlock(chain, 'pending'))
    }
    expect(received).toEqual(shown)
    // Cumulative for the block.
    expect(received.map(({ transactions }) => transactions.length)).toEqual([1, 1, 2, 2, 3])
    expect(transactionsOf(received[4] as RpcBlock)[0]).toHaveProperty('gasPrice')
  })

  test('blocks of 2 s with partial blocks of 200 ms: 11 each, index 0 included, 110 in 10 blocks', async () => {
    await chain.advance(1999)
    const { received } = await subscribe<RpcBlock>(chain, 'newFlashblocks')
    // The last partial block of block 1 and ten whole blocks, then the opening of block 12.
    await chain.advance(1 + 10 * 2000)
    const counts = new Map<string, number>()
    for (const { number } of received) counts.set(number, (counts.get(number) ?? 0) + 1)
    expect([...counts.values()]).toEqual([1, ...Array.from({ length: 10 }, () => 11), 1])
    expect([...counts.keys()]).toEqual(Array.from({ length: 12 }, (_, index) => numberToHex(index + 1)))
  })

  test('the first of a block is told when the block before is sealed, and is empty', async () => {
    const { received } = await subscribe<RpcBlock>(chain, 'newFlashblocks')
    await increment(scene.wallets[0])
    await chain.seal()
    const [last, opening] = received
    expect(last).toMatchObject({ number: '0x1', hash: (await readBlock(chain, 'latest')).hash })
    expect(opening).toEqual(await readBlock(chain, 'pending'))
    expect(opening).toMatchObject({ number: '0x2', transactions: [] })
    expect(received).toHaveLength(2)
  })

  test('after a reorganisation, the block that is built on the new head', async () => {
    await chain.advance(4500)
    const hash = await increment(scene.wallets[0])
    await chain.advance(200)
    const { received } = await subscribe<RpcBlock>(chain, 'newFlashblocks')
    await chain.reorg({ depth: 2, blocks: [[hash], []] })
    expect(received).toEqual([await readBlock(chain, 'pending')])
    expect(received[0]?.parentHash).toBe((await readBlock(chain, 'latest')).hash)
  })

  test('a timestamp that was asked for is in the block that a reorganisation begins', async () => {
    await chain.advance(4000)
    await chain.request('evm_setNextBlockTimestamp', [GENESIS_TIMESTAMP + 100])
    const { received } = await subscribe<RpcBlock>(chain, 'newFlashblocks')
    await chain.reorg({ depth: 1 })
    expect(received).toEqual([await readBlock(chain, 'pending')])
    expect(received[0]?.timestamp).toBe(numberToHex(GENESIS_TIMESTAMP + 100))
  })
})

describe('newFlashblockTransactions', () => {
  test('one message per pre-confirmed transaction, in block order: its hash', async () => {
    const { received } = await subscribe(chain, 'newFlashblockTransactions')
    const { received: plain } = await subscribe(chain, 'newFlashblockTransactions', false)
    const [a, b, c] = scene.wallets
    const low = await a.send({ to: STRANGER, tip: GWEI })
    const high = await b.send({ to: STRANGER, tip: 2n * GWEI })
    expect(received).toEqual([])
    await chain.advance(200)
    expect(received).toEqual([high, low])
    // Only those of the newest partial block, and no repetition when the block is sealed.
    const later = await c.send({ to: STRANGER })
    await chain.advance(1800)
    expect(received).toEqual([high, low, later])
    expect(plain).toEqual(received)
  })

  test('with true, the transaction with what its receipt says', async () => {
    const { received } = await subscribe<PreconfirmedTransaction>(chain, 'newFlashblockTransactions', true)
    const hash = await scene.wallets[0].send(emitMany(2))
    await chain.advance(200)
    const transaction = await chain.request('eth_getTransactionByHash', [hash])
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const { status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs } = receipt as RpcReceipt
    expect(logs).toHaveLength(2)
    const outcome = { status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs }
    expect(received).toEqual([{ ...transaction, ...outcome }])
    expect(keysOf(received[0] as object)).toEqual(
      [
        ...['type', 'chainId', 'nonce', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas', 'to', 'value'],
        ...['accessList', 'input', 'r', 's', 'yParity', 'v', 'hash', 'blockHash', 'blockNumber'],
        ...['blockTimestamp', 'transactionIndex', 'from', 'gasPrice'],
        ...['gasUsed', 'status', 'cumulativeGasUsed'],
        ...['contractAddress', 'logsBloom', 'logs'],
      ].sort(),
    )
  })

  test('with a filter, those with a matching log, in full and with all their logs', async () => {
    const { received } = await subscribe<PreconfirmedTransaction>(chain, 'newFlashblockTransactions', {
      address: LOGGER,
      topics: [null, word(1)],
    })
    const [a, b, c, d] = scene.wallets
    await a.send(emitMany(1))
    const matching = await b.send(emitMany(3))
    await increment(c)
    await d.send({ to: STRANGER })
    await chain.advance(200)
    expect(received.map(({ hash }) => hash)).toEqual([matching])
    expect(received[0]?.logs.map(placeOf)).toEqual(['1.1', '1.2', '1.3'])
  })
})

describe('pendingLogs', () => {
  test('one message per pre-confirmed log, in transaction and log order', async () => {
    const { received } = await subscribe<RpcLog>(chain, 'pendingLogs')
    await scene.wallets[0].send(emitMany(2))
    await increment(scene.wallets[1])
    await chain.advance(200)
    const logs = await chain.request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])
    expect(received).toEqual(logs)
    expect(received.map(placeOf)).toEqual(['1.0', '1.1', '1.2'])
    expect(received.map(({ removed }) => removed)).toEqual([false, false, false])
    // Only those of the newest partial block; the index counts through the block.
    await scene.wallets[2].send(emitMany(1))
    await chain.advance(200)
    expect(received.map(placeOf)).toEqual(['1.0', '1.1', '1.2', '1.3'])
    await chain.advance(1600)
    expect(received).toHaveLength(4)
  })

  test('a filter chooses by address and topics; its blocks are passed over', async () => {
    const filter = { address: COUNTER, topics: [INCREMENTED], fromBlock: '0x64', toBlock: '0x65' }
    const { received } = await subscribe<RpcLog>(chain, 'pendingLogs', filter)
    const { received: none } = await subscribe(chain, 'pendingLogs', { topics: [word(9)] })
    await scene.wallets[0].send(emitMany(2))
    await increment(scene.wallets[1])
    await chain.advance(200)
    expect(received.map(placeOf)).toEqual(['1.2'])
    expect(none).toEqual([])
  })

  test('a boolean is no filter', async () => {
    const { received } = await subscribe<RpcLog>(chain, 'pendingLogs', true)
    await increment(scene.wallets[0])
    await chain.advance(200)
    expect(received.map(placeOf)).toEqual(['1.0'])
  })
})

describe('eth_unsubscribe', () => {
  test('true ends the messages; a second time, and for an id that never was, it is false', async () => {
    const { id, received } = await subscribe(chain, 'newHeads')
    const { received: others } = await subscribe(chain, 'newHeads')
    await chain.seal()
    expect(await chain.request('eth_unsubscribe', [id])).toBe(true)
    await chain.seal()
    expect(received).toHaveLength(1)
    expect(others).toHaveLength(2)
    for (const unknown of [id, '0x99', 'no id at all']) {
      expect(await chain.request('eth_unsubscribe', [unknown])).toBe(false)
    }
  })

  test('it takes its turn: what calls before it cause is still told', async () => {
    const { id, received } = await subscribe(chain, 'newHeads')
    await Promise.all([chain.seal(), chain.request('eth_unsubscribe', [id]), chain.seal()])
    expect(received).toHaveLength(1)
  })
})

describe('no retraction', () => {
  test('a dropped pre-confirmation is told on no subscription; what returns is told anew', async () => {
    const kinds = ['newFlashblocks', 'newFlashblockTransactions', 'pendingLogs', 'logs', 'newHeads'] as const
    const [a, b] = scene.wallets
    const dropped = await increment(a)
    const kept = await increment(b)
    await chain.advance(200)
    const subscriptions = await Promise.all(kinds.map((kind) => subscribe(chain, kind)))
    const { received: pooled } = await subscribe(chain, 'newPendingTransactions')
    await chain.dropPreconfirmed(dropped, { repool: true })
    for (const { received } of subscriptions) expect(received).toEqual([])
    // As in geth, a returned transaction is pending again.
    expect(pooled).toEqual([dropped])
    await chain.advance(200)
    const [flashblocks, transactions, logs] = subscriptions
    expect(flashblocks?.received).toEqual([await readBlock(chain, 'pending')])
    expect(transactions?.received).toEqual([dropped])
    // It stands behind the other one now.
    expect(logs?.received).toMatchObject([{ logIndex: '0x1', removed: false, transactionHash: dropped }])
    expect((await readReceipts(chain, 'pending')).map((it) => it.transactionHash)).toEqual([kept, dropped])
  })

  test('pendingLogs never says removed, not even in a reorganisation', async () => {
    const { received } = await subscribe<RpcLog>(chain, 'pendingLogs')
    await increment(scene.wallets[0])
    await chain.advance(2000)
    await increment(scene.wallets[0])
    await chain.advance(200)
    await chain.reorg({ depth: 1 })
    await chain.advance(200)
    expect(received.map(placeOf)).toEqual(['1.0', '2.0', '2.0', '2.1'])
    expect(received.every(({ removed }) => !removed)).toBe(true)
  })

  test('a revert takes back sealed logs, and nothing that was pre-confirmed', async () => {
    const snapshot = chain.snapshot()
    await increment(scene.wallets[0])
    await chain.advance(2000)
    await increment(scene.wallets[0])
    await chain.advance(200)
    const received: unknown[] = []
    chain.on('message', ({ data }) => received.push(data.result))
    for (const kind of ['logs', 'newHeads', 'newFlashblocks', 'pendingLogs']) await subscribe(chain, kind)
    await chain.revert(snapshot)
    expect(received).toMatchObject([{ removed: true, blockNumber: '0x1' }])
  })
})

describe('all that a call causes is told before it resolves, after the state is in place', () => {
  test('a call that is not awaited by its listener finds the state that was told of', async () => {
    const found: Promise<RpcBlock>[] = []
    const { received } = await subscribe<RpcBlock>(chain, 'newFlashblocks')
    chain.on('message', () => found.push(readBlock(chain, 'pending')))
    await increment(scene.wallets[0])
    await chain.advance(200)
    expect(received).toHaveLength(1)
    expect(await Promise.all(found)).toEqual(received)
  })

  test('the same for requests that cause events: send, evm_mine, automatic sealing', async () => {
    const { chain: auto, wallets } = await begin({ production: 'auto' })
    const { received: pooled } = await subscribe(auto, 'newPendingTransactions')
    const { received: heads } = await subscribe<RpcHeader>(auto, 'newHeads')
    const { received: logs } = await subscribe<RpcLog>(auto, 'logs')
    const { received: transactions } = await subscribe(auto, 'newFlashblockTransactions')
    const hash = await increment(wallets[0])
    expect(pooled).toEqual([hash])
    expect(transactions).toEqual([hash])
    expect(heads.map(({ number }) => number)).toEqual(['0x1'])
    expect(logs.map(placeOf)).toEqual(['1.0'])
    await auto.request('evm_mine', [{ blocks: 3 }])
    expect(heads.map(({ number }) => number)).toEqual(['0x1', '0x2', '0x3', '0x4'])
  })

  test('a call made by a listener comes after the call that caused it, and is told of too', async () => {
    const { received } = await subscribe<RpcHeader>(chain, 'newHeads')
    let made: Promise<void> | undefined
    chain.on('sealedBlock', ({ number }) => {
      if (number === 1) made = chain.seal()
    })
    // Two blocks fall due in this call; the listener's own comes after both.
    await chain.advance(4000)
    expect(received.map(({ number }) => number)).toEqual(['0x1', '0x2'])
    await made
    expect(received.map(({ number }) => number)).toEqual(['0x1', '0x2', '0x3'])
  })

  test('a call that fails tells nothing', async () => {
    const events = record(chain, ['message', 'partialBlock', 'sealedBlock', 'pendingTransaction'])
    await subscribe(chain, 'newHeads')
    await expect(chain.advance(-1)).rejects.toMatchObject({ kind: 'invalidCall' })
    await expect(chain.request('evm_mine', [{ timestamp: 1, blocks: 2 }])).rejects.toMatchObject({
      kind: 'timestampTooLow',
    })
    expect(events).toEqual([])
  })
})

describe('order of events', () => {
  /** All messages and events in order: messages by kind, events by name. */
  async function listen(of: Emulator): Promise<string[]> {
    const kinds = new Map<string, string>()
    const told: string[] = []
    of.on('message', ({ data }) => told.push(kinds.get(data.subscription) ?? 'early'))
    // Subscribed in the opposite order: the kind decides, not the time of subscription.
    const order = [
      'newPendingTransactions',
      'pendingLogs',
      'newFlashblockTransactions',
      'newFlashblocks',
      'logs',
    ]
    for (const kind of [...order, 'newHeads'] as const) {
      kinds.set((await of.request({ method: 'eth_subscribe' as string, params: [kind] })) as string, kind)
    }
    of.on('flashblock', ({ index }) => told.push(`flashblock ${index}`))
    const names = [
      ...(['pendingTransaction', 'replacedTransaction', 'partialBlock', 'sealedBlock'] as const),
      ...(['unincludedTransaction', 'orphanedBlocks'] as const),
    ]
    for (const name of names) of.on(name, () => told.push(name))
    return told
  }
  const taken = (told: string[]): string[] => told.splice(0)

  test('as docs/DETERMINISM.md has it', async () => {
    const told = await listen(chain)
    const first = await scene.wallets[0].send(emitMany(2))
    expect(taken(told)).toEqual(['newPendingTransactions', 'pendingTransaction'])
    await scene.wallets[0].send({ ...emitMany(2), nonce: 0, fee: 20n * GWEI, tip: 2n * GWEI })
    expect(taken(told)).toEqual(['replacedTransaction', 'newPendingTransactions', 'pendingTransaction'])
    const second = await increment(scene.wallets[1])
    taken(told)
    await chain.advance(200)
    const partial = [
      ...['flashblock 0', 'newFlashblocks'],
      ...['newFlashblockTransactions', 'newFlashblockTransactions'],
      ...['pendingLogs', 'pendingLogs', 'pendingLogs'],
      'partialBlock',
    ]
    expect(taken(told)).toEqual(partial)
    await chain.seal()
    const empty = (index: number) => [`flashblock ${index}`, 'newFlashblocks', 'partialBlock']
    const seal = ['newHeads', 'logs', 'logs', 'logs', 'sealedBlock']
    const opening = ['flashblock 0', 'newFlashblocks']
    expect(taken(told)).toEqual([...empty(1), ...seal, ...opening])
    await increment(scene.wallets[0])
    await chain.advance(200)
    taken(told)
    await chain.reorg({ depth: 1, blocks: [[second], []] })
    expect(taken(told)).toEqual([
      ...['logs', 'logs', 'logs', 'orphanedBlocks'],
      // The second is in a new block; the others wait again.
      ...['newPendingTransactions', 'unincludedTransaction', 'unincludedTransaction'],
      ...['newPendingTransactions', 'unincludedTransaction'],
      ...['newHeads', 'logs', 'sealedBlock', 'newHeads', 'sealedBlock'],
      ...opening,
    ])
    await chain.advance(200)
    taken(told)
    expect(await chain.request('eth_getTransactionByHash', [first])).toBeNull()
    const pending = await readBlock(chain, 'pending')
    await chain.dropPreconfirmed(transactionsOf(pending)[0]?.hash as Hex)
    expect(taken(told)).toEqual(['unincludedTransaction', 'newPendingTransactions', 'unincludedTransaction'])
  })

  test('of a revert, and of going on to a later snapshot', async () => {
    const told = await listen(chain)
    const before = chain.snapshot()
    await scene.wallets[0].send(emitMany(2))
    await chain.seal()
    await increment(scene.wallets[0])
    await chain.seal()
    const after = chain.snapshot()
    await increment(scene.wallets[0])
    await chain.advance(200)
    taken(told)
    await chain.revert(before)
    expect(taken(told)).toEqual([
      ...['logs', 'logs', 'logs', 'orphanedBlocks'],
      ...['unincludedTransaction', 'unincludedTransaction', 'unincludedTransaction'],
    ])
    await chain.revert(after)
    expect(taken(told)).toEqual([
      ...['newHeads', 'logs', 'logs', 'sealedBlock'],
      ...['newHeads', 'logs', 'sealedBlock'],
    ])
  })

  test('subscriptions of a kind are served oldest first, each with all of one happening', async () => {
    const order: string[] = []
    const ids = [
      await chain.request('eth_subscribe', ['pendingLogs']),
      await chain.request('eth_subscribe', ['pendingLogs', { address: LOGGER }]),
    ]
    chain.on('message', ({ data }) => {
      order.push(`${ids.indexOf(data.subscription)} ${placeOf(data.result as RpcLog)}`)
    })
    await scene.wallets[0].send(emitMany(2))
    await increment(scene.wallets[1])
    await chain.advance(200)
    expect(order).toEqual(['0 1.0', '0 1.1', '0 1.2', '1 1.0', '1 1.1'])
  })

  test('listeners of an event are called in the order in which they came', async () => {
    const calls: number[] = []
    for (const number of [1, 2, 3]) chain.on('sealedBlock', () => calls.push(number))
    await chain.seal()
    expect(calls).toEqual([1, 2, 3])
  })
})

describe('a listener that throws', () => {
  test('harms nothing: the others are called, the call resolves, the chain is the same', async () => {
    const { chain: quiet, wallets } = await begin()
    const errors: { readonly error: unknown; readonly event: string }[] = []
    const failure = new Error('of the listener')
    chain.on('listenerError', (reported) => errors.push(reported))
    for (const name of [
      'message',
      'flashblock',
      'partialBlock',
      'sealedBlock',
      'pendingTransaction',
    ] as const) {
      chain.on(name, () => {
        throw failure
      })
    }
    const { received } = await subscribe<RpcHeader>(chain, 'newHeads')
    await Promise.all([increment(scene.wallets[0]), increment(wallets[0])])
    await Promise.all([chain.advance(2000), quiet.advance(2000)])
    expect(received).toHaveLength(1)
    expect(await readBlock(chain, 'latest')).toEqual(await readBlock(quiet, 'latest'))
    // One for the submission, ten partial blocks and the next one's opening on the stream, a head, a seal.
    const counts: Record<string, number> = {}
    for (const { event } of errors) counts[event] = (counts[event] ?? 0) + 1
    const expected = { pendingTransaction: 1, flashblock: 11, partialBlock: 10, message: 1, sealedBlock: 1 }
    expect(counts).toEqual(expected)
    expect(errors).toContainEqual({ error: failure, event: 'sealedBlock' })
  })

  test('is reported after the other listeners were called', async () => {
    const calls: string[] = []
    chain.on('listenerError', () => calls.push('reported'))
    chain.on('sealedBlock', () => {
      throw new Error('first')
    })
    chain.on('sealedBlock', () => calls.push('second'))
    await chain.seal()
    expect(calls).toEqual(['second', 'reported'])
  })

  test('can be removed, also by itself', async () => {
    const calls: string[] = []
    const once = (): void => {
      calls.push('once')
      chain.removeListener('sealedBlock', once)
    }
    chain.on('sealedBlock', once)
    chain.on('sealedBlock', () => calls.push('always'))
    await chain.seal()
    await chain.seal()
    expect(calls).toEqual(['once', 'always', 'always'])
  })
})

describe('the end of an emulator', () => {
  test('after dispose nothing is told, and every call is refused', async () => {
    const { received } = await subscribe(chain, 'newHeads')
    await chain.seal()
    chain.dispose()
    await expect(chain.seal()).rejects.toMatchObject({ kind: 'disposed' })
    await expect(chain.request('eth_subscribe', ['newHeads'])).rejects.toMatchObject({ kind: 'disposed' })
    await expect(chain.reorg({ depth: 1 })).rejects.toMatchObject({ kind: 'disposed' })
    await expect(chain.dropPreconfirmed(`0x${'00'.repeat(32)}`)).rejects.toMatchObject({ kind: 'disposed' })
    expect(received).toHaveLength(1)
  })

  test('a listener may dispose of it: nothing more is told', async () => {
    const heads: unknown[] = []
    const { received } = await subscribe<RpcHeader>(chain, 'newHeads')
    chain.on('message', () => chain.dispose())
    chain.on('sealedBlock', (block) => heads.push(block))
    await chain.advance(6000)
    expect(received.map(({ number }) => number)).toEqual(['0x1'])
    expect(heads).toEqual([])
  })
})

describe('subscriptions are no part of the chain', () => {
  test('they go on over a revert', async () => {
    const { received } = await subscribe<RpcHeader>(chain, 'newHeads')
    const snapshot = chain.snapshot()
    await chain.seal()
    await chain.revert(snapshot)
    await chain.seal()
    expect(received.map(({ number }) => number)).toEqual(['0x1', '0x1'])
    expect(received[0]).toEqual(received[1])
  })

  test('a clone has none of them, and tells its own', async () => {
    const { received } = await subscribe(chain, 'newHeads')
    const clone = chain.clone()
    const { id, received: own } = await subscribe<RpcHeader>(clone, 'newHeads')
    await clone.seal()
    expect(id).toBe('0x1')
    expect(received).toEqual([])
    expect(own).toHaveLength(1)
  })

  test('watching changes nothing of the chain', async () => {
    const { chain: unwatched, wallets } = await begin()
    for (const kind of ['newFlashblocks', 'pendingLogs', 'newHeads', 'logs']) await subscribe(chain, kind)
    chain.on('flashblock', () => undefined)
    for (const [on, wallet] of [
      [chain, scene.wallets[0]],
      [unwatched, wallets[0]],
    ] as const) {
      await increment(wallet)
      await on.advance(2600)
      await increment(wallet)
      await on.advance(1400)
    }
    expect(await readBlock(chain, 'latest')).toEqual(await readBlock(unwatched, 'latest'))
  })
})
