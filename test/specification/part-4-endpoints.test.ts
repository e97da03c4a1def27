// Specification, part 4: the six methods, others that it names, and eth_sendRawTransactionSync (EIP-7966).

import type { Emulator } from 'tickchain'
import { createWalletClient, custom, encodeFunctionData, type Hex, keccak256, numberToHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { Counter, Logger } from '../contracts/generated.ts'
import {
  addressTopic,
  ask,
  BASE_FEE_1,
  COUNTER,
  ETHER,
  GENESIS_TIMESTAMP,
  INCREMENTED,
  INITIAL_BALANCE,
  increment,
  post,
  resultOf,
  rpcRequest,
  type Scene,
  start,
  TRANSFER_FEE_1,
  TRANSFER_PRICE_1,
  type WireAnswer,
  word,
} from './setup.ts'

interface WireBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly gasUsed: Hex
  readonly transactions: readonly unknown[]
}

interface WireLog {
  readonly data: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
}

interface WireReceipt {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
}

const UNKNOWN_HASH = `0x${'11'.repeat(32)}`
const NOBODY = `0x${'ab'.repeat(20)}`

function block(chain: Emulator, selector: string, isFull = false): Promise<WireBlock> {
  return resultOf<WireBlock>(chain, 'eth_getBlockByNumber', [selector, isFull])
}

/**
 * Three sealed blocks with a transfer of 1 ether each, and a fourth that is pre-confirmed. safe is block 2 and
 * finalized block 1.
 */
async function startWithTransfers(): Promise<Scene & { readonly hashes: readonly Hex[] }> {
  const scene = await start({ safeLag: 1, finalizedLag: 2 })
  const { chain, wallets } = scene
  const hashes: Hex[] = []
  for (let number = 1; number <= 4; number++) {
    hashes.push(await wallets[0].send({ to: wallets[1].address, value: ETHER }))
    await chain.advance(number === 4 ? 200 : 2000)
  }
  return { ...scene, hashes }
}

/** Selectors and the numbers of the blocks that they mean there. */
const SELECTORS = [
  ['latest', 3],
  ['pending', 4],
  ['safe', 2],
  ['finalized', 1],
  ['earliest', 0],
  ['0x0', 0],
  ['0x1', 1],
  ['0x3', 3],
] as const

describe('eth_getBlockByNumber', () => {
  test.each(SELECTORS)(
    'part 4: block is a hex block number or block tag: %s is block %i',
    async (selector, number) => {
      const { chain, hashes } = await startWithTransfers()
      expect(await block(chain, selector)).toMatchObject({
        number: numberToHex(number),
        timestamp: numberToHex(GENESIS_TIMESTAMP + 2 * number),
        parentHash: number === 0 ? word(0) : (await block(chain, numberToHex(number - 1))).hash,
        // 21,000 is 0x5208.
        gasUsed: number === 0 ? '0x0' : '0x5208',
        transactions: hashes.slice(number - 1, number),
      })
    },
  )

  test('part 4: fullTransactions true: full transaction objects; false: only transaction hashes', async () => {
    const { chain, wallets, hashes } = await startWithTransfers()
    for (const [selector, index] of [
      ['0x1', 0],
      ['pending', 3],
    ] as const) {
      expect((await block(chain, selector, false)).transactions).toEqual([hashes[index]])
      const { number, hash, transactions } = await block(chain, selector, true)
      expect(transactions).toEqual([
        expect.objectContaining({
          hash: hashes[index],
          blockNumber: number,
          blockHash: hash,
          transactionIndex: '0x0',
          from: wallets[0].address,
          to: wallets[1].address,
          nonce: numberToHex(index),
          value: numberToHex(ETHER),
          type: '0x2',
          input: '0x',
        }),
      ])
    }
  })

  test.each([
    ['the number of the block being built', '0x4'],
    ['a number far ahead', '0xffffffffffffffff'],
  ])('part 4: the result is null if no block was found: %s', async (_, number) => {
    const { chain } = await startWithTransfers()
    expect(await ask(chain, 'eth_getBlockByNumber', [number, false])).toStrictEqual({
      jsonrpc: '2.0',
      id: 1,
      result: null,
    })
  })

  test.each([[[]], [['latest']], [[null, true]]])(
    'part 4: both parameters are required: %j -> -32602',
    async (params) => {
      const { chain } = await start()
      expect((await ask(chain, 'eth_getBlockByNumber', params)).error?.code).toBe(-32602)
    },
  )

  test('part 4: pending is the block being built, even before anything is in it', async () => {
    const { chain } = await start()
    expect(await block(chain, 'pending')).toMatchObject({
      number: '0x1',
      parentHash: (await block(chain, 'latest')).hash,
      gasUsed: '0x0',
      transactions: [],
    })
  })
})

describe('eth_getLogs, its rows of ranges', () => {
  let chain: Emulator
  let blockHashes: Hex[]
  let transactionHashes: Hex[]

  // Blocks 1, 2 and 3 hold one log each, the block being built one more; their data counts 1, 2, 3, 4. The latest
  // block is 3, safe is 2 and finalized 1. Nothing below changes anything.
  beforeAll(async () => {
    const scene = await start({ safeLag: 1, finalizedLag: 2 })
    chain = scene.chain
    transactionHashes = []
    for (let number = 1; number <= 4; number++) {
      transactionHashes.push(await increment(scene.wallets[0]))
      await chain.advance(number === 4 ? 200 : 2000)
    }
    blockHashes = await Promise.all(
      ['0x0', '0x1', '0x2', '0x3'].map(async (n) => (await block(chain, n)).hash),
    )
  })

  async function logsOf(filter: object): Promise<number[]> {
    const logs = await resultOf<WireLog[]>(chain, 'eth_getLogs', [filter])
    return logs.map(({ data }) => Number(data))
  }

  test.each([
    ['pending', 'pending', [4]],
    ['0x1', 'pending', [1, 2, 3, 4]],
    ['0x0', 'pending', [1, 2, 3, 4]],
    ['latest', 'pending', [3, 4]],
    ['earliest', 'pending', [1, 2, 3, 4]],
    ['safe', 'pending', [2, 3, 4]],
    ['finalized', 'pending', [1, 2, 3, 4]],
    [undefined, 'pending', [3, 4]],
    ['0x4', 'pending', [4]],
    ['0x67', 'pending', [4]],
    ['pending', undefined, [3]],
    ['pending', 'latest', []],
    ['pending', 'earliest', []],
    ['pending', 'safe', []],
    ['pending', 'finalized', []],
    ['pending', '0x2', []],
    ['pending', '0x3', [3]],
    [undefined, undefined, [3]],
    ['0x4', undefined, []],
    ['0x4', 'latest', []],
    ['0x1', '0x2', [1, 2]],
    ['0x2', '0x2', [2]],
    ['0x1', undefined, [1, 2, 3]],
    ['0x2', 'latest', [2, 3]],
    ['earliest', 'latest', [1, 2, 3]],
    ['earliest', 'finalized', [1]],
    ['finalized', 'safe', [1, 2]],
    ['earliest', 'earliest', []],
    [null, null, [3]],
  ])('part 4: fromBlock %s, toBlock %s -> logs %j', async (fromBlock, toBlock, expected) => {
    expect(await logsOf({ fromBlock, toBlock })).toEqual(expected)
  })

  test('part 4: fromBlock and toBlock are latest by default', async () => {
    expect(await logsOf({})).toEqual(await logsOf({ fromBlock: 'latest', toBlock: 'latest' }))
  })

  test.each([
    ['pending', '0x4', 'block range extends beyond current head block'],
    ['0x1', '0x4', 'block range extends beyond current head block'],
    ['latest', '0x67', 'block range extends beyond current head block'],
    ['0x5', '0x4', 'block range extends beyond current head block'],
    ['0x3', '0x2', 'invalid block range params'],
    ['latest', 'safe', 'invalid block range params'],
    ['0x1', 'earliest', 'invalid block range params'],
  ])('part 4: fromBlock %s, toBlock %s -> -32602 "%s"', async (fromBlock, toBlock, message) => {
    const { error } = await ask(chain, 'eth_getLogs', [{ fromBlock, toBlock }])
    expect(error).toEqual({ code: -32602, message })
  })

  test.each([
    ['nothing else', {}],
    ['another range', { fromBlock: '0x2', toBlock: '0x3' }],
    ['pending', { fromBlock: 'pending', toBlock: 'pending' }],
    ['a range that is an error by itself', { fromBlock: '0x3', toBlock: '0x67' }],
  ])('part 4: when blockHash is given, fromBlock and toBlock are ignored: beside %s', async (_, range) => {
    expect(await logsOf({ ...range, blockHash: blockHashes[1] })).toEqual([1])
  })

  test('part 4: blockHash of a block without logs -> none', async () => {
    expect(await logsOf({ blockHash: blockHashes[0] })).toEqual([])
  })

  test('part 4: a blockHash that no block has -> -32001 "block not found: hash …"', async () => {
    const { error } = await ask(chain, 'eth_getLogs', [{ blockHash: UNKNOWN_HASH }])
    expect(error).toEqual({ code: -32001, message: `block not found: hash ${UNKNOWN_HASH}` })
  })

  test('part 4: with fromBlock and toBlock pending, a log has the shape of a sealed one', async () => {
    const sender = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'
    const pending = await block(chain, 'pending')
    expect(
      await resultOf(chain, 'eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }]),
    ).toStrictEqual([
      {
        address: COUNTER,
        topics: [INCREMENTED, addressTopic(sender)],
        data: word(4),
        blockNumber: '0x4',
        blockHash: pending.hash,
        // Four blocks of two seconds after genesis.
        blockTimestamp: numberToHex(GENESIS_TIMESTAMP + 8),
        transactionHash: transactionHashes[3],
        transactionIndex: '0x0',
        logIndex: '0x0',
        removed: false,
      },
    ])
    const [sealed] = await resultOf<WireLog[]>(chain, 'eth_getLogs', [{ blockHash: blockHashes[2] }])
    expect(sealed).toMatchObject({
      blockNumber: '0x2',
      blockHash: blockHashes[2],
      blockTimestamp: numberToHex(GENESIS_TIMESTAMP + 4),
      transactionHash: transactionHashes[1],
      data: word(2),
    })
  })

  test('part 4: the filter is required -> -32602', async () => {
    expect((await ask(chain, 'eth_getLogs', [])).error?.code).toBe(-32602)
  })
})

describe('eth_getLogs, logs matching the filter', () => {
  const LOGGER: Hex = `0x${'10'.repeat(20)}`
  const [A, B, C] = [word(0xa), word(0xb), word(0xc)]
  let chain: Emulator

  // Pre-confirmed, and then the same again in a sealed block: LOGGER emits without topics, with [A], [A, B] and
  // [C, B, A]; then the Counter.
  beforeAll(async () => {
    const alloc = {
      [LOGGER]: { nonce: 1, code: Logger.deployedBytecode },
      [COUNTER]: { nonce: 1, code: Counter.deployedBytecode },
    }
    const scene = await start({ genesis: { alloc } })
    chain = scene.chain
    const [sender] = scene.wallets
    const emit = (functionName: 'log0' | 'log1' | 'log2' | 'log3', args: readonly Hex[], data: Hex) =>
      sender.send({
        to: LOGGER,
        gas: 100_000n,
        data: encodeFunctionData({ abi: Logger.abi, functionName, args: [data, ...args] as never }),
      })
    await emit('log0', [], '0x01')
    await emit('log1', [A], '0x02')
    await emit('log2', [A, B], '0x03')
    await emit('log3', [C, B, A], '0x04')
    await increment(sender)
    await chain.advance(200)
  })

  const COUNTED = word(1)

  test.each([
    ['no criterion', {}, ['0x01', '0x02', '0x03', '0x04', COUNTED]],
    ['one address', { address: LOGGER }, ['0x01', '0x02', '0x03', '0x04']],
    [
      'an address in capitals',
      { address: `0x${LOGGER.slice(2).toUpperCase()}` },
      ['0x01', '0x02', '0x03', '0x04'],
    ],
    ['an array of one address', { address: [COUNTER] }, [COUNTED]],
    ['an array of addresses', { address: [COUNTER, LOGGER] }, ['0x01', '0x02', '0x03', '0x04', COUNTED]],
    ['an address that emits nothing', { address: NOBODY }, []],
    ['topic 0', { topics: [A] }, ['0x02', '0x03']],
    ['topic 0, the hash of the event signature', { topics: [INCREMENTED] }, [COUNTED]],
    ['null matches any, and none', { topics: [null] }, ['0x01', '0x02', '0x03', '0x04', COUNTED]],
    ['null after the last topic', { topics: [A, null, null, null] }, ['0x02', '0x03']],
    ['an empty array after it', { topics: [A, B, []] }, ['0x03']],
    ['a topic after the last', { topics: [A, null, C] }, []],
    ['null among alternatives', { topics: [[A, null], B] }, ['0x03', '0x04']],
    ['null before a topic', { topics: [null, B] }, ['0x03', '0x04']],
    ['two nulls', { topics: [null, null] }, ['0x01', '0x02', '0x03', '0x04', COUNTED]],
    ['any of several', { topics: [[A, C]] }, ['0x02', '0x03', '0x04']],
    ['any of none matches any', { topics: [[], B] }, ['0x03', '0x04']],
    ['two positions', { topics: [A, B] }, ['0x03']],
    ['positions are not exchangeable', { topics: [B, A] }, []],
    ['three positions, one of several', { topics: [C, null, [B, A]] }, ['0x04']],
    ['an empty array matches all', { topics: [] }, ['0x01', '0x02', '0x03', '0x04', COUNTED]],
    ['address and topics', { address: COUNTER, topics: [A] }, []],
  ])('part 4: array of log objects matching the filter: %s', async (_, criteria, expected) => {
    const filter = { fromBlock: 'pending', toBlock: 'pending', ...criteria }
    const pending = await resultOf<WireLog[]>(chain, 'eth_getLogs', [filter])
    expect(pending.map(({ data }) => data)).toEqual(expected)
    // The same logs are found by the same criteria once their block is sealed.
    const sealed = chain.clone()
    await sealed.seal()
    const logs = await resultOf<WireLog[]>(sealed, 'eth_getLogs', [{ ...criteria }])
    expect(logs.map(({ data }) => data)).toEqual(expected)
  })

  test('part 4: a fifth topic position -> -32602', async () => {
    const { error } = await ask(chain, 'eth_getLogs', [{ topics: [null, null, null, null, A] }])
    expect(error?.code).toBe(-32602)
    expect(error?.message).toMatch(/exceeded maximum topics len/)
  })
})

describe('eth_getBlockReceipts', () => {
  test.each(SELECTORS)('part 4: receipts of the block %s, one per transaction', async (selector, number) => {
    const { chain, hashes } = await startWithTransfers()
    const receipts = await resultOf<WireReceipt[]>(chain, 'eth_getBlockReceipts', [selector])
    const { hash } = await block(chain, selector)
    expect(receipts).toEqual(
      hashes.slice(number - 1, number).map((transactionHash) =>
        expect.objectContaining({
          transactionHash,
          blockNumber: numberToHex(number),
          blockHash: hash,
          status: '0x1',
          gasUsed: '0x5208',
          type: '0x2',
        }),
      ),
    )
  })

  test('part 4: with pending, receipts of all pre-confirmed transactions in the current partial block', async () => {
    const { chain, wallets } = await start()
    const [sender, receiver] = wallets
    const receipts = () => resultOf<WireReceipt[]>(chain, 'eth_getBlockReceipts', ['pending'])
    expect(await receipts()).toEqual([])
    const first = await sender.send({ to: receiver.address, value: 1n })
    expect(await receipts()).toEqual([])
    await chain.advance(200)
    const second = await sender.send({ to: receiver.address, value: 1n })
    expect((await receipts()).map(({ transactionHash }) => transactionHash)).toEqual([first])
    await chain.advance(200)
    const common = {
      blockNumber: '0x1',
      gasUsed: '0x5208',
      status: '0x1',
      type: '0x2',
      from: sender.address,
      to: receiver.address,
      contractAddress: null,
      effectiveGasPrice: numberToHex(TRANSFER_PRICE_1),
      logs: [],
      logsBloom: `0x${'00'.repeat(256)}`,
      blockHash: (await block(chain, 'pending')).hash,
    }
    // 2 × 21,000 is 0xa410.
    expect(await receipts()).toEqual([
      { ...common, transactionHash: first, transactionIndex: '0x0', cumulativeGasUsed: '0x5208' },
      { ...common, transactionHash: second, transactionIndex: '0x1', cumulativeGasUsed: '0xa410' },
    ])
    await chain.advance(1600)
    expect(await receipts()).toEqual([])
  })

  test.each([['0x4'], ['0xffffffffffffffff']])(
    'part 4: a block that does not exist is null: %s',
    async (number) => {
      const { chain } = await startWithTransfers()
      expect(await resultOf(chain, 'eth_getBlockReceipts', [number])).toBeNull()
    },
  )

  test('part 4: the block is required -> -32602', async () => {
    const { chain } = await start()
    expect((await ask(chain, 'eth_getBlockReceipts', [])).error?.code).toBe(-32602)
  })
})

describe('eth_sendRawTransaction', () => {
  test.each([['legacy'], ['eip2930'], ['eip1559']] as const)(
    'part 4: a signed transaction is answered by its 32-byte hash: %s',
    async (type) => {
      const { chain, wallets } = await start()
      const raw = await wallets[0].sign({ type, to: wallets[1].address, value: 1n })
      expect(await resultOf(chain, 'eth_sendRawTransaction', [raw])).toBe(keccak256(raw))
    },
  )

  test('part 4: accepted into the mempool, it is in no block until the next partial block', async () => {
    const { chain, wallets } = await start()
    const hash = await wallets[0].send({ to: wallets[1].address, value: 1n })
    const transaction = () => resultOf(chain, 'eth_getTransactionByHash', [hash])
    await chain.advance(199)
    expect(await transaction()).toMatchObject({
      hash,
      blockNumber: null,
      blockHash: null,
      transactionIndex: null,
    })
    expect((await block(chain, 'pending')).transactions).toEqual([])
    await chain.advance(1)
    expect(await transaction()).toMatchObject({ hash, blockNumber: '0x1', transactionIndex: '0x0' })
    expect((await block(chain, 'pending')).transactions).toEqual([hash])
    expect((await block(chain, 'latest')).transactions).toEqual([])
  })

  test.each([[[]], [['02f8']], [['0x0']], [[7]]])(
    'part 4: data is required, as a hex string: %j -> -32602',
    async (params) => {
      const { chain } = await start()
      expect((await ask(chain, 'eth_sendRawTransaction', params)).error?.code).toBe(-32602)
    },
  )
})

describe('eth_getTransactionCount and eth_getBalance', () => {
  test.each(SELECTORS)('part 4: at the block %s, %i transfers have been made', async (selector, count) => {
    const { chain, wallets } = await startWithTransfers()
    const [sender, receiver] = wallets
    expect(await resultOf(chain, 'eth_getTransactionCount', [sender.address, selector])).toBe(
      numberToHex(count),
    )
    expect(await resultOf(chain, 'eth_getTransactionCount', [receiver.address, selector])).toBe('0x0')
    expect(await resultOf(chain, 'eth_getBalance', [receiver.address, selector])).toBe(
      numberToHex(INITIAL_BALANCE + BigInt(count) * ETHER),
    )
  })

  test('part 4: the balance is in wei: what was sent and 21,000 gas at base fee and tip are gone', async () => {
    const { chain, wallets } = await start()
    const [sender, receiver] = wallets
    const balances = (selector: string) =>
      Promise.all(
        [sender, receiver].map(({ address }) => resultOf(chain, 'eth_getBalance', [address, selector])),
      )
    await sender.send({ to: receiver.address, value: 3n * ETHER })
    await chain.advance(200)
    expect(TRANSFER_FEE_1).toBe(21_000n * (BASE_FEE_1 + 10n ** 9n))
    const before = [INITIAL_BALANCE, INITIAL_BALANCE].map((wei) => numberToHex(wei))
    const after = [INITIAL_BALANCE - 3n * ETHER - TRANSFER_FEE_1, INITIAL_BALANCE + 3n * ETHER].map((wei) =>
      numberToHex(wei),
    )
    expect(await balances('latest')).toEqual(before)
    expect(await balances('pending')).toEqual(after)
    await chain.advance(1800)
    expect(await balances('latest')).toEqual(after)
  })

  test('part 4: with pending, count and balance are refreshed with each partial block', async () => {
    const { chain, wallets } = await start()
    const [sender, receiver] = wallets
    const read = async (selector: string) => [
      await resultOf(chain, 'eth_getTransactionCount', [sender.address, selector]),
      await resultOf(chain, 'eth_getBalance', [receiver.address, selector]),
    ]
    const after = (count: bigint) => [numberToHex(count), numberToHex(INITIAL_BALANCE + count * ETHER)]
    for (let partial = 1n; partial <= 4n; partial++) {
      await sender.send({ to: receiver.address, value: ETHER })
      // What only waits in the pool does not count: `pending` includes all pre-confirmed transactions.
      expect(await read('pending')).toEqual(after(partial - 1n))
      await chain.advance(200)
      expect(await read('pending')).toEqual(after(partial))
      expect(await read('latest')).toEqual(after(0n))
    }
    await chain.advance(1200)
    expect(await read('latest')).toEqual(after(4n))
  })

  test.each([['eth_getTransactionCount'], ['eth_getBalance']])(
    'part 4: %s of an address that nothing has happened to is 0x0',
    async (method) => {
      const { chain } = await start()
      expect(await resultOf(chain, method, [NOBODY, 'latest'])).toBe('0x0')
    },
  )

  test.each([['eth_getTransactionCount'], ['eth_getBalance']])(
    'part 4: %s needs an address -> -32602; without a block, which clients leave out, it reads latest',
    async (method) => {
      const { chain, wallets } = await startWithTransfers()
      const { address } = wallets[0]
      expect((await ask(chain, method, [])).error?.code).toBe(-32602)
      const latest = await resultOf(chain, method, [address, 'latest'])
      expect(await resultOf(chain, method, [address])).toBe(latest)
      expect(await resultOf(chain, method, [address, null])).toBe(latest)
      expect(await resultOf(chain, method, [address, 'pending'])).not.toBe(latest)
    },
  )

  test.each([['eth_getTransactionCount'], ['eth_getBalance']])(
    'part 4: %s at a block that does not exist -> -32001 "block not found: 0x4"',
    async (method) => {
      const { chain } = await startWithTransfers()
      const { error } = await ask(chain, method, [NOBODY, '0x4'])
      expect(error).toEqual({ code: -32001, message: 'block not found: 0x4' })
    },
  )
})

describe('receipts by hash', () => {
  test('a receipt needs no tag: it is there from the partial block on, and takes the hash of the sealed block', async () => {
    const { chain, wallets } = await start()
    const [sender, receiver] = wallets
    const hash = await sender.send({ to: receiver.address, value: 1n })
    const receipt = () => resultOf<WireReceipt | null>(chain, 'eth_getTransactionReceipt', [hash])
    await chain.advance(199)
    expect(await receipt()).toBeNull()
    await chain.advance(1)
    const pending = await block(chain, 'pending')
    expect(await receipt()).toMatchObject({ status: '0x1', blockNumber: '0x1', blockHash: pending.hash })
    await sender.send({ to: receiver.address, value: 1n })
    await chain.advance(1800)
    const sealed = await block(chain, 'latest')
    expect(sealed.hash).not.toBe(pending.hash)
    expect(await receipt()).toMatchObject({ status: '0x1', blockNumber: '0x1', blockHash: sealed.hash })
  })
})

describe('the transaction-status method', () => {
  const status = (chain: Emulator, hash: unknown, prefix = 'base') =>
    resultOf(chain, `${prefix}_transactionStatus`, [hash])

  test('part 4: the chain prefix followed by _transactionStatus confirms receipt of a transaction', async () => {
    const { chain, wallets } = await start()
    expect(await status(chain, UNKNOWN_HASH)).toEqual({ status: 'Unknown' })
    const hash = await wallets[0].send({ to: wallets[1].address, value: 1n })
    expect(await status(chain, hash)).toEqual({ status: 'Known' })
    await chain.advance(200)
    expect(await status(chain, hash)).toEqual({ status: 'Known' })
    // It has left the mempool with its block.
    await chain.advance(1800)
    expect(await status(chain, hash)).toEqual({ status: 'Unknown' })
  })

  test('part 4: a transaction behind a nonce gap is known; one that was replaced is not', async () => {
    const { chain, wallets } = await start()
    const [sender, receiver] = wallets
    const queued = await sender.send({ to: receiver.address, nonce: 5 })
    const replacement = await sender.send({
      to: receiver.address,
      nonce: 5,
      fee: 11n ** 10n,
      tip: 2n * 10n ** 9n,
    })
    expect(await status(chain, queued)).toEqual({ status: 'Unknown' })
    expect(await status(chain, replacement)).toEqual({ status: 'Known' })
  })

  test("part 4: the prefix is the chain's, and an option", async () => {
    const { chain, wallets } = await start({ chainPrefix: 'unichain' })
    const hash = await wallets[0].send({ to: wallets[1].address, value: 1n })
    expect(await status(chain, hash, 'unichain')).toEqual({ status: 'Known' })
    expect((await ask(chain, 'base_transactionStatus', [hash])).error).toEqual({
      code: -32601,
      message: 'the method base_transactionStatus does not exist/is not available',
    })
    expect((await ask((await start()).chain, 'unichain_transactionStatus', [hash])).error?.code).toBe(-32601)
  })

  test.each([[[]], [['0x12']], [[UNKNOWN_HASH, 1]]])(
    'part 4: it takes one hash: %j -> -32602',
    async (params) => {
      const { chain } = await start()
      expect((await ask(chain, 'base_transactionStatus', params)).error?.code).toBe(-32602)
    },
  )
})

/** Completes everything that does not wait for time. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The current state of a request. */
interface Watched {
  outcome: 'waiting' | 'resolved' | 'rejected'
  value: unknown
}

function watch(promise: Promise<unknown>): Watched {
  const watched: Watched = { outcome: 'waiting', value: undefined }
  promise.then(
    (value) => Object.assign(watched, { outcome: 'resolved', value }),
    (value: unknown) => Object.assign(watched, { outcome: 'rejected', value }),
  )
  return watched
}

describe('eth_sendRawTransactionSync', () => {
  async function startSync(options?: Parameters<typeof start>[0]) {
    const { chain, wallets } = await start(options)
    const [sender, receiver] = wallets
    const sync = (params: readonly unknown[]): Watched =>
      watch(chain.request({ method: 'eth_sendRawTransactionSync', params: params as never }))
    return { chain, sender, receiver, sync }
  }

  test('it resolves with the receipt at the partial block that brings the transaction', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const raw = await sender.sign({ to: receiver.address, value: 1n })
    const watched = sync([raw])
    await chain.advance(199)
    await settle()
    expect(watched.outcome).toBe('waiting')
    await chain.advance(1)
    await settle()
    expect(watched.outcome).toBe('resolved')
    expect(watched.value).toMatchObject({
      transactionHash: keccak256(raw),
      blockNumber: '0x1',
      blockHash: (await block(chain, 'pending')).hash,
      status: '0x1',
      gasUsed: '0x5208',
    })
    expect(watched.value).toEqual(await resultOf(chain, 'eth_getTransactionReceipt', [keccak256(raw)]))
  })

  test('its receipt is the pre-confirmed one, however far the clock goes on', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const first = sync([await sender.sign({ to: receiver.address, value: 1n })])
    await settle()
    const ahead = chain.clone()
    await ahead.advance(200)
    const { hash } = await block(ahead, 'pending')
    // The second transaction asks for more than the first partial block may hold: 1/10 of 60,000,000 gas.
    await sender.send({ to: receiver.address, value: 1n, gas: 6_000_000n })
    await chain.advance(10_000)
    await settle()
    expect(first.value).toMatchObject({ blockNumber: '0x1', blockHash: hash })
    expect((await block(chain, '0x1')).hash).not.toBe(hash)
  })

  test('in auto production it resolves at once, even with no time to wait', async () => {
    const { chain, sender, receiver, sync } = await startSync({ production: 'auto' })
    const watched = sync([await sender.sign({ to: receiver.address, value: 1n }), 0])
    await settle()
    expect(watched).toMatchObject({ outcome: 'resolved', value: { blockNumber: '0x1', status: '0x1' } })
    expect(watched.value).toMatchObject({ blockHash: (await block(chain, 'latest')).hash })
  })

  test('a receipt of a transaction that reverted is a receipt', async () => {
    const { chain, sender, sync } = await startSync()
    // decrement() of a Counter at zero underflows.
    const watched = sync([await sender.sign({ to: COUNTER, data: '0x2baeceb7', gas: 100_000n })])
    await settle()
    await chain.advance(200)
    await settle()
    expect(watched).toMatchObject({ outcome: 'resolved', value: { status: '0x0', blockNumber: '0x1' } })
  })

  test('it times out by virtual time only, with code 4, the hash as data, and words that name both', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const raw = await sender.sign({ to: receiver.address, nonce: 1 })
    const hash = keccak256(raw)
    const watched = sync([raw, 20])
    await settle()
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(watched.outcome).toBe('waiting')
    await chain.advance(19)
    await settle()
    expect(watched.outcome).toBe('waiting')
    await chain.advance(1)
    await settle()
    expect(watched).toMatchObject({
      outcome: 'rejected',
      value: {
        code: 4,
        data: hash,
        message: `Transaction ${hash} was added to the mempool but wasn't confirmed within 20ms.`,
      },
    })
    // It stays in the pool, and is included once the gap is closed.
    await sender.send({ to: receiver.address, nonce: 0 })
    await chain.advance(200)
    expect(await resultOf(chain, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('a jump past the time-out ends the waiting, though the landing includes the transaction', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const watched = sync([await sender.sign({ to: receiver.address }), 500])
    await settle()
    await chain.jump(501)
    await settle()
    expect(watched).toMatchObject({ outcome: 'rejected', value: { code: 4 } })
    expect((await block(chain, 'pending')).transactions).toHaveLength(1)
  })

  test('a partial block at the very time of the time-out is in time', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const watched = sync([await sender.sign({ to: receiver.address }), 200])
    await settle()
    await chain.advance(1000)
    await settle()
    expect(watched.outcome).toBe('resolved')
  })

  test('without a time-out it waits 6000 ms', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const watched = sync([await sender.sign({ to: receiver.address, nonce: 1 })])
    await settle()
    await chain.advance(5999)
    await settle()
    expect(watched.outcome).toBe('waiting')
    await chain.advance(1)
    await settle()
    expect(watched).toMatchObject({
      outcome: 'rejected',
      value: { code: 4, message: expect.stringMatching(/wasn't confirmed within 6s\.$/) },
    })
  })

  test('a time-out of 0 ends at once; the transaction stays in the pool', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const raw = await sender.sign({ to: receiver.address })
    const watched = sync([raw, 0])
    await settle()
    expect(watched).toMatchObject({ outcome: 'rejected', value: { code: 4, data: keccak256(raw) } })
    await chain.advance(200)
    expect((await block(chain, 'pending')).transactions).toEqual([keccak256(raw)])
  })

  test('a time-out over the limit -> -32602, and the transaction is not taken', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const raw = await sender.sign({ to: receiver.address })
    const watched = sync([raw, 6001])
    await settle()
    expect(watched).toMatchObject({
      outcome: 'rejected',
      value: { code: -32602, message: 'time out too long, timeout: 6001 ms, max: 6000 ms' },
    })
    expect(await resultOf(chain, 'base_transactionStatus', [keccak256(raw)])).toEqual({ status: 'Unknown' })
  })

  test('limits.syncTimeoutMs is both the longest and the default wait', async () => {
    const { chain, sender, receiver, sync } = await startSync({ limits: { syncTimeoutMs: 300 } })
    const tooLong = sync([await sender.sign({ to: receiver.address, nonce: 1 }), 301])
    const byDefault = sync([await sender.sign({ to: receiver.address, nonce: 2 })])
    await settle()
    expect(tooLong).toMatchObject({ outcome: 'rejected', value: { code: -32602 } })
    await chain.advance(299)
    await settle()
    expect(byDefault.outcome).toBe('waiting')
    await chain.advance(1)
    await settle()
    expect(byDefault).toMatchObject({ outcome: 'rejected', value: { code: 4 } })
  })

  test.each([[500], ['0x1f4'], ['500']])(
    'a time-out is a number, or hex as some clients send it: %j',
    async (timeout) => {
      const { chain, sender, receiver, sync } = await startSync()
      const watched = sync([await sender.sign({ to: receiver.address, nonce: 1 }), timeout])
      await settle()
      await chain.advance(499)
      await settle()
      expect(watched.outcome).toBe('waiting')
      await chain.advance(1)
      await settle()
      expect(watched).toMatchObject({ outcome: 'rejected', value: { code: 4 } })
    },
  )

  test.each([[-1], [1.5], ['soon'], [true], [{}]])(
    'a time-out that is no number of milliseconds -> -32602: %j',
    async (timeout) => {
      const { sender, receiver, sync } = await startSync()
      const watched = sync([await sender.sign({ to: receiver.address }), timeout])
      await settle()
      expect(watched).toMatchObject({ outcome: 'rejected', value: { code: -32602 } })
    },
  )

  test('viem sends a time-out and understands the receipt', async () => {
    const { chain, sender, receiver } = await startSync()
    const client = createWalletClient({ transport: custom(chain, { retryCount: 0 }) })
    const serializedTransaction = await sender.sign({ to: receiver.address, value: 1n })
    const waiting = client.sendRawTransactionSync({ serializedTransaction, timeout: 500 })
    await settle()
    await chain.advance(200)
    expect(await waiting).toMatchObject({ status: 'success', blockNumber: 1n, gasUsed: 21_000n })
  })

  test('what the pool refuses is refused at once, as by eth_sendRawTransaction', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    await sender.send({ to: receiver.address })
    await chain.advance(200)
    const watched = sync([await sender.sign({ to: receiver.address, value: 1n, nonce: 0 })])
    await settle()
    expect(watched).toMatchObject({
      outcome: 'rejected',
      value: { code: -32000, message: expect.stringMatching(/^nonce too low/) },
    })
  })

  test('in an envelope it answers when it resolves, and a batch with it', async () => {
    const { chain, sender, receiver } = await startSync()
    const raw = await sender.sign({ to: receiver.address, value: 1n })
    const watched = watch(
      post(chain, [rpcRequest('eth_sendRawTransactionSync', [raw], 1), rpcRequest('eth_blockNumber', [], 2)]),
    )
    await settle()
    expect(watched.outcome).toBe('waiting')
    await chain.advance(200)
    await settle()
    const [receipt, number] = watched.value as WireAnswer[]
    expect(receipt).toMatchObject({ id: 1, result: { transactionHash: keccak256(raw), status: '0x1' } })
    expect(number).toEqual({ jsonrpc: '2.0', id: 2, result: '0x0' })
  })

  test('dispose ends the waiting', async () => {
    const { chain, sender, receiver, sync } = await startSync()
    const watched = sync([await sender.sign({ to: receiver.address })])
    await settle()
    expect(watched.outcome).toBe('waiting')
    chain.dispose()
    await settle()
    expect(watched).toMatchObject({ outcome: 'rejected', value: { kind: 'disposed', code: 4900 } })
  })

  test('dispose ends the waiting at whatever point the request is', { tags: 'gate' }, async () => {
    const { sender, receiver } = await startSync()
    const raw = await sender.sign({ to: receiver.address })
    for (let ticks = 0; ticks < 40; ticks++) {
      const { chain } = await start()
      const watched = watch(chain.request({ method: 'eth_sendRawTransactionSync', params: [raw] }))
      for (let tick = 0; tick < ticks; tick++) await undefined
      chain.dispose()
      await settle()
      expect(watched, `${ticks} microtasks after the request`).toMatchObject({
        outcome: 'rejected',
        value: { kind: 'disposed' },
      })
    }
  })
})
