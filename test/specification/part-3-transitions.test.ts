// Specification, part 3: states and transitions, and those that it leaves open (mempool drops, replacement,
// reorganisation). Each test names its statement.

import type { Emulator, EmulatorOptions, ReorgOptions, TickchainError } from 'tickchain'
import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  hexToNumber,
  numberToHex,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LogFilterWire } from '../../src/core/rpc/codecs/filter.ts'
import type { RpcLog } from '../../src/core/rpc/format/receipt.ts'
import { Counter, Environment, Logger } from '../contracts/generated.ts'
import { dumpAccounts, readBlock, readReceipts } from '../core/chain/reads.ts'
import { hashOfHeader, type RpcBlock, rootOfAccounts } from '../core/chain/recompute.ts'
import { makeWallet, privateKeys } from '../core/chain/wallet.ts'
import { BEACON_ROOTS, BLOCK_HASHES } from '../core/chain/workload.ts'
import {
  COUNTER,
  GENESIS_TIMESTAMP,
  GWEI,
  INITIAL_BALANCE,
  increment,
  type Scene,
  start,
  TRANSFER_FEE_1,
  word,
} from './setup.ts'
import { record, subscribe } from './watch.ts'

const LOGGER: Hex = `0x${'10'.repeat(20)}`
const ENVIRONMENT: Hex = `0x${'e0'.repeat(20)}`
/** Has nothing at the start. */
const STRANGER: Hex = `0x${'ab'.repeat(20)}`
const FEE_VAULT: Hex = '0x4200000000000000000000000000000000000011'
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`

const GENESIS: EmulatorOptions['genesis'] = {
  alloc: {
    [COUNTER]: { nonce: 1, code: Counter.deployedBytecode },
    [LOGGER]: { nonce: 1, code: Logger.deployedBytecode },
    [ENVIRONMENT]: { nonce: 1, code: Environment.deployedBytecode },
  },
}

const begin = (options: EmulatorOptions = {}): Promise<Scene> => start({ genesis: GENESIS, ...options })

const PENDING = { fromBlock: 'pending', toBlock: 'pending' } as const
const SEALED = { fromBlock: 'earliest', toBlock: 'latest' } as const

function emitMany(count: number): { readonly to: Hex; readonly data: Hex; readonly gas: bigint } {
  const data = encodeFunctionData({ abi: Logger.abi, functionName: 'emitMany', args: [BigInt(count)] })
  return { to: LOGGER, data, gas: 200_000n }
}

/** Raises what a wallet's transaction offers, so that it can take the place of another. */
function fees(percent: number) {
  const share = BigInt(percent)
  return { fee: (10n * GWEI * share) / 100n, tip: (GWEI * share) / 100n }
}

type Tag = 'latest' | 'pending' | Hex

const hashesIn = async (chain: Emulator, selector: Tag): Promise<readonly Hex[]> =>
  (await chain.request('eth_getBlockByNumber', [selector, false]))?.transactions as readonly Hex[]

const countOf = async (chain: Emulator, selector: Tag): Promise<bigint> =>
  hexToBigInt(await chain.request('eth_getStorageAt', [COUNTER, '0x0', selector]))

const balanceOf = async (chain: Emulator, address: Hex, selector: Tag): Promise<bigint> =>
  hexToBigInt(await chain.request('eth_getBalance', [address, selector]))

const nonceOf = async (chain: Emulator, address: Hex, selector: Tag): Promise<number> =>
  hexToNumber(await chain.request('eth_getTransactionCount', [address, selector]))

const statusOf = async (chain: Emulator, hash: Hex): Promise<string> =>
  (await chain.request('base_transactionStatus', [hash])).status

const logsOf = (chain: Emulator, filter: LogFilterWire): Promise<readonly RpcLog[]> =>
  chain.request('eth_getLogs', [filter])

const receiptOf = (chain: Emulator, hash: Hex) => chain.request('eth_getTransactionReceipt', [hash])
const transactionOf = (chain: Emulator, hash: Hex) => chain.request('eth_getTransactionByHash', [hash])

const sealedHash = async (chain: Emulator, selector: Tag): Promise<Hex> =>
  (await chain.request('eth_getBlockByNumber', [selector, false]))?.hash as Hex

/** All that is visible of the chain, for comparison with a later state. */
async function portrait(
  chain: Emulator,
  wallets: Scene['wallets'],
  hashes: readonly Hex[],
): Promise<unknown> {
  const head = hexToNumber(await chain.request('eth_blockNumber'))
  const tags: Tag[] = [...Array.from({ length: head + 1 }, (_, number) => numberToHex(number)), 'pending']
  return {
    now: chain.now,
    blocks: await Promise.all(tags.map((tag) => chain.request('eth_getBlockByNumber', [tag, true]))),
    receipts: await Promise.all(tags.map((tag) => chain.request('eth_getBlockReceipts', [tag]))),
    transactions: await Promise.all(hashes.map((hash) => transactionOf(chain, hash))),
    nonces: await Promise.all(wallets.map(({ address }) => nonceOf(chain, address, 'pending'))),
  }
}

async function failureOf(call: Promise<unknown>): Promise<Pick<TickchainError, 'kind' | 'code'>> {
  const error = await call.then(
    () => undefined,
    (reason: TickchainError) => reason,
  )
  return { kind: error?.kind as TickchainError['kind'], code: error?.code as number }
}

describe('transaction: (submitted) -> in the mempool, when accepted', () => {
  test('the 32-byte transaction hash is returned, and the transaction waits', async () => {
    const { chain, wallets } = await begin()
    const hash = await wallets[0].send({ to: STRANGER, value: 1n })
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await transactionOf(chain, hash)).toMatchObject({ hash, blockHash: null, blockNumber: null })
    expect(await statusOf(chain, hash)).toBe('Known')
    expect(await receiptOf(chain, hash)).toBeNull()
    expect(await hashesIn(chain, 'pending')).toEqual([])
    // In the mempool it affects no nonce or balance.
    expect(await nonceOf(chain, wallets[0].address, 'pending')).toBe(0)
    expect(await balanceOf(chain, STRANGER, 'pending')).toBe(0n)
  })
})

describe('transaction: in the mempool -> pre-confirmed, in the next partial block', () => {
  test('about every 200 ms: not before 200 ms have passed, and then at once', async () => {
    const { chain, wallets } = await begin()
    const hash = await wallets[0].send({ to: STRANGER, value: 1n })
    await chain.advance(199)
    expect(await receiptOf(chain, hash)).toBeNull()
    await chain.advance(1)
    expect(await receiptOf(chain, hash)).toMatchObject({ status: '0x1', blockNumber: '0x1' })
  })

  test('it appears in the pending block, in pending receipts, logs and nonce, and not in latest', async () => {
    const { chain, wallets } = await begin()
    const hash = await increment(wallets[0])
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([hash])
    expect((await readReceipts(chain, 'pending')).map((receipt) => receipt.transactionHash)).toEqual([hash])
    const logs = await logsOf(chain, PENDING)
    expect(logs.map((log) => log.transactionHash)).toEqual([hash])
    expect(await nonceOf(chain, wallets[0].address, 'pending')).toBe(1)
    expect(await countOf(chain, 'pending')).toBe(1n)
    expect(await statusOf(chain, hash)).toBe('Known')
    expect(await hashesIn(chain, 'latest')).toEqual([])
    expect(await logsOf(chain, SEALED)).toEqual([])
    expect(await nonceOf(chain, wallets[0].address, 'latest')).toBe(0)
    expect(await countOf(chain, 'latest')).toBe(0n)
  })

  test('the pre-confirmed balance is that after the transaction', async () => {
    const { chain, wallets } = await begin()
    await wallets[0].send({ to: STRANGER, value: 5n })
    await chain.advance(200)
    expect(await balanceOf(chain, STRANGER, 'pending')).toBe(5n)
    const { address } = wallets[0]
    expect(await balanceOf(chain, address, 'pending')).toBe(INITIAL_BALANCE - TRANSFER_FEE_1 - 5n)
    expect(await balanceOf(chain, address, 'latest')).toBe(INITIAL_BALANCE)
  })

  test('considered and not included: a nonce gap waits until it is closed', async () => {
    const { chain, wallets } = await begin()
    const later = await wallets[0].send({ to: STRANGER, nonce: 1 })
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([])
    expect(await statusOf(chain, later)).toBe('Known')
    const first = await wallets[0].send({ to: STRANGER, nonce: 0 })
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([first, later])
  })

  test('considered and not included: a fee cap below the base fee waits until the base fee is there', async () => {
    const { chain, wallets } = await begin()
    // The base fee of an empty block is 7/8 of its parent's: 875,000,000, then 765,625,000 wei.
    const hash = await wallets[0].send({ to: STRANGER, fee: 765_625_000n, tip: 0n })
    await chain.advance(2000)
    expect(await hashesIn(chain, 'latest')).toEqual([])
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([hash])
  })

  test('considered and not included: partial block i of 10 brings the block to i/10 of its gas limit', async () => {
    const { chain, wallets } = await begin()
    const hash = await wallets[0].send({ to: STRANGER, gas: 12_000_001n })
    await chain.advance(400)
    expect(await hashesIn(chain, 'pending')).toEqual([])
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([hash])
  })

  test('a reverting transaction is included, with status 0x0', async () => {
    const { chain, wallets } = await begin()
    const data = encodeFunctionData({ abi: Counter.abi, functionName: 'decrement' })
    const hash = await wallets[0].send({ to: COUNTER, data, gas: 100_000n })
    await chain.advance(200)
    expect(await receiptOf(chain, hash)).toMatchObject({ status: '0x0' })
  })
})

describe('block: pending -> sealed, when the block is finished', () => {
  test('final hash, number and gasUsed apply', async () => {
    const { chain, wallets } = await begin()
    const hash = await increment(wallets[0])
    await chain.advance(200)
    const pending = await readBlock(chain, 'pending')
    const [preconfirmed] = await readReceipts(chain, 'pending')
    await chain.advance(1800)
    const sealed = await readBlock(chain, 'latest')
    expect(sealed.hash).toBe(hashOfHeader(sealed))
    expect(sealed.number).toBe(pending.number)
    expect(sealed.gasUsed).toBe(pending.gasUsed)
    // Nothing has come since, so the partial block was the block.
    expect(sealed).toEqual(pending)
    expect(await receiptOf(chain, hash)).toEqual(preconfirmed)
    expect(await statusOf(chain, hash)).toBe('Unknown')
  })

  test('a sealed block holds what its partial blocks held, in their order, and its tail', async () => {
    const { chain, wallets } = await begin()
    const hashes: Hex[] = []
    for (const wallet of wallets.slice(0, 3)) {
      hashes.push(await increment(wallet))
      await chain.advance(400)
    }
    const early = await readReceipts(chain, 'pending')
    const tail = await increment(wallets[3])
    await chain.seal()
    expect(await hashesIn(chain, 'latest')).toEqual([...hashes, tail])
    const { hash } = await readBlock(chain, 'latest')
    const late = await readReceipts(chain, 'latest')
    const moved = early.map((receipt) => ({
      ...receipt,
      blockHash: hash,
      logs: receipt.logs.map((log) => ({ ...log, blockHash: hash })),
    }))
    expect(late.slice(0, 3)).toEqual(moved)
  })

  test('the next block is pending at once, on top of the sealed one', async () => {
    const { chain } = await begin()
    await chain.advance(2000)
    expect(await readBlock(chain, 'pending')).toMatchObject({
      number: '0x2',
      parentHash: await sealedHash(chain, 'latest'),
      timestamp: numberToHex(GENESIS_TIMESTAMP + 4),
    })
  })
})

describe('transaction: replaced in the mempool', () => {
  test('at 10% more the old one is gone and the new one is included', async () => {
    const { chain, wallets } = await begin()
    const events = record(chain, ['replacedTransaction', 'pendingTransaction'])
    const old = await wallets[0].send({ to: STRANGER, value: 1n })
    const by = await wallets[0].send({ to: STRANGER, value: 2n, nonce: 0, ...fees(110) })
    expect(await transactionOf(chain, old)).toBeNull()
    expect(await statusOf(chain, old)).toBe('Unknown')
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([by])
    expect(await receiptOf(chain, old)).toBeNull()
    expect(await balanceOf(chain, STRANGER, 'pending')).toBe(2n)
    const from = wallets[0].address
    expect(events).toEqual([
      ['pendingTransaction', { transactionHash: old, from }],
      ['replacedTransaction', { transactionHash: old, byTransactionHash: by }],
      ['pendingTransaction', { transactionHash: by, from }],
    ])
  })

  test('at less than 10% more the old one stays', async () => {
    const { chain, wallets } = await begin()
    const old = await wallets[0].send({ to: STRANGER, value: 1n })
    const refused = wallets[0].send({ to: STRANGER, value: 2n, nonce: 0, ...fees(109) })
    await expect(refused).rejects.toMatchObject({
      code: -32000,
      message: 'replacement transaction underpriced',
    })
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([old])
  })

  test('one that is pre-confirmed cannot be replaced: its nonce is too low', async () => {
    const { chain, wallets } = await begin()
    const old = await wallets[0].send({ to: STRANGER })
    await chain.advance(200)
    const refused = wallets[0].send({ to: STRANGER, nonce: 0, ...fees(200) })
    await expect(refused).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^nonce too low/),
    })
    expect(await hashesIn(chain, 'pending')).toEqual([old])
  })
})

describe('transaction: pre-confirmed -> dropped', () => {
  test('it vanishes from all pending reads, and the sealed block lacks it', async () => {
    const { chain, wallets } = await begin()
    const [a, b] = wallets
    const kept = await increment(a)
    await chain.advance(200)
    const dropped = await increment(b)
    await b.send({ to: STRANGER, value: 0n, nonce: 7 })
    await chain.advance(200)
    const before = await readBlock(chain, 'pending')
    await chain.dropPreconfirmed(dropped)
    const pending = await readBlock(chain, 'pending')
    expect(pending.transactions).toHaveLength(1)
    expect(pending.hash).not.toBe(before.hash)
    expect(pending.hash).toBe(hashOfHeader(pending))
    expect(pending.number).toBe(before.number)
    expect(pending.timestamp).toBe(before.timestamp)
    const receipts = await readReceipts(chain, 'pending')
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual([kept])
    expect(pending.gasUsed).toBe(receipts[0]?.gasUsed)
    const logs = await logsOf(chain, PENDING)
    expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([kept])
    expect(await receiptOf(chain, dropped)).toBeNull()
    expect(await transactionOf(chain, dropped)).toBeNull()
    expect(await statusOf(chain, dropped)).toBe('Unknown')
    await chain.advance(1600)
    expect(await hashesIn(chain, 'latest')).toEqual([kept])
    expect(await receiptOf(chain, dropped)).toBeNull()
  })

  test('balance, nonce and storage go back to what they were', async () => {
    const { chain, wallets } = await begin()
    const [a, b] = wallets
    await increment(a)
    const dropped = [await b.send({ to: STRANGER, value: 5n }), await increment(b)]
    await chain.advance(200)
    expect(await countOf(chain, 'pending')).toBe(2n)
    await chain.dropPreconfirmed(dropped)
    expect(await countOf(chain, 'pending')).toBe(1n)
    expect(await balanceOf(chain, STRANGER, 'pending')).toBe(0n)
    expect(await balanceOf(chain, b.address, 'pending')).toBe(INITIAL_BALANCE)
    expect(await nonceOf(chain, b.address, 'pending')).toBe(0)
    // What others did stays, and the sender can use the nonce again.
    expect(await nonceOf(chain, a.address, 'pending')).toBe(1)
    const again = await b.send({ to: STRANGER, value: 7n, nonce: 0 })
    await chain.advance(200)
    expect(await receiptOf(chain, again)).toMatchObject({ status: '0x1', transactionIndex: '0x1' })
    expect(await balanceOf(chain, STRANGER, 'pending')).toBe(7n)
  })

  test('followers of its sender return to the pool, behind the gap', async () => {
    const { chain, wallets } = await begin()
    const [a, b] = wallets
    const hashes = [await increment(a), await increment(a), await increment(a)] as const
    const other = await increment(b)
    await chain.advance(200)
    await chain.dropPreconfirmed(hashes[1])
    expect(await hashesIn(chain, 'pending')).toEqual([hashes[0], other])
    expect(await transactionOf(chain, hashes[2])).toMatchObject({ blockHash: null, nonce: '0x2' })
    expect(await statusOf(chain, hashes[2])).toBe('Known')
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([hashes[0], other])
    const filler = await a.send({ to: STRANGER, nonce: 1 })
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([hashes[0], other, filler, hashes[2]])
  })

  test('one that could only run because of it returns to the pool too', async () => {
    const { chain, wallets } = await begin({
      accounts: { privateKeys: [`0x${'1'.repeat(64)}`], balance: 10n ** 18n },
    })
    const [rich, poor] = wallets
    const gift = await rich.send({ to: poor.address, value: 10n ** 17n })
    await chain.advance(200)
    const spent = await poor.send({ to: STRANGER, value: 1n })
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([gift, spent])
    await chain.dropPreconfirmed(gift)
    expect(await hashesIn(chain, 'pending')).toEqual([])
    expect(await transactionOf(chain, spent)).toMatchObject({ blockHash: null })
    expect(await statusOf(chain, gift)).toBe('Unknown')
  })

  test('repool: true keeps it waiting, and the next partial block takes it again', async () => {
    const { chain, wallets } = await begin()
    const hashes = [await increment(wallets[0]), await increment(wallets[0])]
    await chain.advance(200)
    await chain.dropPreconfirmed(hashes[0] as Hex, { repool: true })
    expect(await hashesIn(chain, 'pending')).toEqual([])
    expect(await statusOf(chain, hashes[0] as Hex)).toBe('Known')
    expect(await receiptOf(chain, hashes[0] as Hex)).toBeNull()
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual(hashes)
  })

  test('an event says of each that it is gone, why, and whether it waits again', async () => {
    const { chain, wallets } = await begin()
    const hashes = [await increment(wallets[0]), await increment(wallets[0])] as const
    await chain.advance(200)
    const events = record(chain, ['unincludedTransaction', 'partialBlock', 'orphanedBlocks'])
    await chain.dropPreconfirmed(hashes[0])
    const reason = 'preconfirmationDropped'
    expect(events).toEqual([
      ['unincludedTransaction', { transactionHash: hashes[0], reason, isPooled: false }],
      ['unincludedTransaction', { transactionHash: hashes[1], reason, isPooled: true }],
    ])
  })

  test('several at once, in several partial blocks, in any order', async () => {
    const { chain, wallets } = await begin()
    const hashes: Hex[] = []
    for (const wallet of wallets.slice(0, 4)) {
      hashes.push(await increment(wallet))
      await chain.advance(200)
    }
    const [first, second, third, fourth] = hashes as [Hex, Hex, Hex, Hex]
    await chain.dropPreconfirmed([fourth, second])
    expect(await hashesIn(chain, 'pending')).toEqual([first, third])
    const receipts = await readReceipts(chain, 'pending')
    expect(receipts.map(({ transactionIndex }) => transactionIndex)).toEqual(['0x0', '0x1'])
    expect(receipts.flatMap(({ logs }) => logs.map(({ logIndex }) => logIndex))).toEqual(['0x0', '0x1'])
    expect(await countOf(chain, 'pending')).toBe(2n)
  })

  test('the block keeps its schedule', async () => {
    const { chain, wallets } = await begin()
    const hash = await increment(wallets[0])
    await chain.advance(500)
    await chain.dropPreconfirmed(hash)
    expect(chain.now).toBe(GENESIS_TIMESTAMP * 1000 + 500)
    const events = record(chain, ['partialBlock', 'sealedBlock'])
    await chain.advance(1500)
    const at = events.map(([, payload]) => (payload as { atMs: number }).atMs - GENESIS_TIMESTAMP * 1000)
    expect(at).toEqual([600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2000])
  })

  test('what is not pre-confirmed cannot be dropped, and nothing has changed then', async () => {
    const { chain, wallets } = await begin()
    const sealed = await increment(wallets[0])
    await chain.seal()
    const preconfirmed = await increment(wallets[1])
    await chain.advance(200)
    const pooled = await increment(wallets[2])
    const before = await portrait(chain, wallets, [sealed, preconfirmed, pooled])
    const events = record(chain, ['unincludedTransaction'])
    for (const hash of [sealed, pooled, ZERO_HASH]) {
      const refused = await failureOf(chain.dropPreconfirmed([preconfirmed, hash]))
      expect(refused).toEqual({ kind: 'notPreconfirmed', code: -32602 })
    }
    const bad: unknown[] = [[], '0x12', 7, null, [preconfirmed, '0xzz']]
    for (const hashes of bad) {
      const refused = await failureOf(chain.dropPreconfirmed(hashes as Hex))
      expect(refused).toEqual({ kind: 'invalidCall', code: -32602 })
    }
    const badOption = { repool: 'yes' } as unknown as { repool: boolean }
    expect((await failureOf(chain.dropPreconfirmed(preconfirmed, badOption))).kind).toBe('invalidCall')
    expect(await portrait(chain, wallets, [sealed, preconfirmed, pooled])).toEqual(before)
    expect(events).toEqual([])
  })
})

/** Block 1 and 2 with logs and transfers, block 3 with logs, one pre-confirmed in block 4, at 6.3 s. */
interface Story extends Scene {
  readonly hashes: readonly [Hex, Hex, Hex, Hex, Hex, Hex]
  readonly blocks: readonly [RpcBlock, RpcBlock, RpcBlock, RpcBlock]
}

async function tellStory(options: EmulatorOptions = {}): Promise<Story> {
  const scene = await begin(options)
  const { chain, wallets } = scene
  const [a, b, c] = wallets
  const one = await increment(a)
  await chain.advance(2000)
  const two = await b.send({ to: STRANGER, value: 5n })
  const three = await a.send(emitMany(2))
  await chain.advance(200)
  const four = await increment(c)
  await chain.advance(1800)
  const five = await a.send(emitMany(3))
  await chain.advance(2000)
  const six = await increment(b)
  await chain.advance(300)
  const blocks = await Promise.all([0, 1, 2, 3].map((number) => readBlock(chain, number)))
  return {
    ...scene,
    hashes: [one, two, three, four, five, six],
    blocks: blocks as unknown as Story['blocks'],
  }
}

describe('log: removed false -> removed true, when its block is dropped by a reorganisation', () => {
  test('logs of the dropped blocks are reported with removed: true, last first', async () => {
    const { chain } = await tellStory()
    const filter = await chain.request('eth_newFilter', [SEALED])
    const shown = await logsOf(chain, SEALED)
    await chain.reorg({ depth: 2 })
    const changes = (await chain.request('eth_getFilterChanges', [filter])) as RpcLog[]
    // Logs of block 1 stay; block 2 has two of the Logger and one of the Counter, block 3 three.
    const dropped = shown.filter(({ blockNumber }) => blockNumber !== '0x1')
    expect(dropped).toHaveLength(6)
    expect(changes).toEqual(dropped.map((log) => ({ ...log, removed: true })).reverse())
    const order = changes.map(({ blockNumber, logIndex }) => [blockNumber, logIndex].map(Number))
    expect(order).toEqual([
      [3, 2],
      [3, 1],
      [3, 0],
      [2, 2],
      [2, 1],
      [2, 0],
    ])
    expect(await logsOf(chain, SEALED)).toEqual(shown.filter(({ blockNumber }) => blockNumber === '0x1'))
  })
})

describe('reorganisation', () => {
  let story: Story
  let chain: Emulator
  beforeEach(async () => {
    story = await tellStory()
    chain = story.chain
  })

  test('removed logs come first, then the orphans return in their order, then the new blocks', async () => {
    const { hashes, blocks } = story
    const { id: headsId } = await subscribe(chain, 'newHeads')
    const { id: logsId } = await subscribe(chain, 'logs')
    const events = record(chain, ['message', 'unincludedTransaction', 'orphanedBlocks', 'sealedBlock'])
    await chain.reorg({ depth: 2, blocks: [[hashes[3]], []] })
    const told = events.map(([name, payload]) => {
      if (name === 'unincludedTransaction') return (payload as { transactionHash: Hex }).transactionHash
      if (name !== 'message') return name
      const { subscription, result } = (payload as { data: { subscription: Hex; result: unknown } }).data
      if (subscription === headsId) return `head ${Number((result as RpcBlock).number)}`
      expect(subscription).toBe(logsId)
      const { removed, blockNumber, logIndex } = result as RpcLog
      return `${removed ? 'removed' : 'log'} ${Number(blockNumber)}.${Number(logIndex)}`
    })
    expect(told).toEqual([
      ...['removed 3.2', 'removed 3.1', 'removed 3.0', 'removed 2.2', 'removed 2.1', 'removed 2.0'],
      'orphanedBlocks',
      // Blocks 2 and 3 in their order, then what was pre-confirmed.
      ...hashes.slice(1),
      ...['head 2', 'log 2.0', 'sealedBlock'],
      ...['head 3', 'sealedBlock'],
    ])
    const orphaned = events.find(([name]) => name === 'orphanedBlocks')?.[1]
    expect(orphaned).toEqual({
      blocks: [
        { number: 3, hash: blocks[3].hash },
        { number: 2, hash: blocks[2].hash },
      ],
      atMs: chain.now,
    })
  })

  test('orphaned transactions and those that need them wait again, and are included anew in their order', async () => {
    const { hashes } = story
    await chain.reorg({ depth: 2 })
    for (const hash of hashes.slice(1)) {
      expect(await transactionOf(chain, hash)).toMatchObject({ blockHash: null, blockNumber: null })
      expect(await receiptOf(chain, hash)).toBeNull()
      expect(await statusOf(chain, hash)).toBe('Known')
    }
    expect(await hashesIn(chain, 'pending')).toEqual([])
    await chain.advance(200)
    // All tip 1 gwei: by arrival, which is their order in the old chain.
    expect(await hashesIn(chain, 'pending')).toEqual(hashes.slice(1))
    expect(await countOf(chain, 'pending')).toBe(3n)
  })

  test('pre-confirmed ones stay; those that return come after those that wait, and before later ones', async () => {
    const { wallets, hashes } = story
    const waiting = await wallets[3].send({ to: STRANGER })
    await chain.reorg({ depth: 1 })
    expect(await hashesIn(chain, 'pending')).toEqual([hashes[5]])
    const later = await wallets[4].send({ to: STRANGER })
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([hashes[5], waiting, hashes[4], later])
  })

  test('repool: false drops them', async () => {
    const { hashes, wallets } = story
    const events = record(chain, ['unincludedTransaction'])
    await chain.reorg({ depth: 2, repool: false })
    for (const hash of hashes.slice(1)) {
      expect(await transactionOf(chain, hash)).toBeNull()
      expect(await statusOf(chain, hash)).toBe('Unknown')
    }
    const reason = 'reorganised'
    expect(events).toEqual(
      hashes
        .slice(1)
        .map((hash) => ['unincludedTransaction', { transactionHash: hash, reason, isPooled: false }]),
    )
    await chain.advance(2000)
    expect(await hashesIn(chain, 'latest')).toEqual([])
    expect(await nonceOf(chain, wallets[1].address, 'latest')).toBe(0)
  })

  test('as many empty blocks take the place of the old ones, with their timestamps and other hashes', async () => {
    const { blocks } = story
    await chain.reorg({ depth: 2 })
    expect(await chain.request('eth_blockNumber')).toBe('0x3')
    const fresh = await Promise.all([1, 2, 3].map((number) => readBlock(chain, number)))
    expect(fresh[0]).toEqual(blocks[1])
    for (const [index, block] of fresh.slice(1).entries()) {
      const old = blocks[index + 2] as RpcBlock
      expect(block.number).toBe(old.number)
      expect(block.timestamp).toBe(old.timestamp)
      expect(block.hash).not.toBe(old.hash)
      expect(block.hash).toBe(hashOfHeader(block))
      expect(block.parentHash).toBe(fresh[index]?.hash)
      expect(block.transactions).toEqual([])
    }
    const pending = await readBlock(chain, 'pending')
    expect(pending).toMatchObject({ number: '0x4', parentHash: fresh[2]?.hash, transactions: [] })
  })

  test('an empty block is another block too when it is replaced by an empty one', async () => {
    const { chain: other } = await begin()
    await other.advance(2000)
    const old = await sealedHash(other, 'latest')
    await other.reorg({ depth: 1 })
    expect(await sealedHash(other, 'latest')).not.toBe(old)
    expect(await other.request('eth_getBlockByHash', [old, false])).toBeNull()
  })

  test('nothing is found by an orphaned hash: block, receipts, logs, state, proofs, calls', async () => {
    const { blocks, wallets } = story
    await chain.reorg({ depth: 2, blocks: [[story.hashes[1]], []] })
    const account = wallets[0].address
    const data = encodeFunctionData({ abi: Counter.abi, functionName: 'count' })
    for (const { hash: blockHash } of blocks.slice(2)) {
      expect(await chain.request('eth_getBlockByHash', [blockHash, false])).toBeNull()
      expect(await chain.request('eth_getBlockReceipts', [{ blockHash }])).toBeNull()
      const reads = [
        chain.request('eth_getLogs', [{ blockHash }]),
        chain.request('eth_getBalance', [account, { blockHash }]),
        chain.request('eth_getTransactionCount', [account, { blockHash }]),
        chain.request('eth_getCode', [COUNTER, { blockHash }]),
        chain.request('eth_getStorageAt', [COUNTER, '0x0', { blockHash }]),
        chain.request('eth_getProof', [account, [], { blockHash }]),
        chain.request('eth_call', [{ to: COUNTER, data }, { blockHash }]),
      ]
      for (const read of reads) {
        await expect(read).rejects.toMatchObject({
          code: -32001,
          message: `block not found: hash ${blockHash}`,
        })
      }
    }
    // The block below, and the new ones, are found.
    for (const number of [1, 2, 3]) {
      const { hash } = await readBlock(chain, number)
      expect(await chain.request('eth_getBlockByHash', [hash, true])).toEqual(await readBlock(chain, number))
    }
  })

  test('receipts are gone, or have moved to the new block', async () => {
    const { hashes } = story
    const [, two, three, four, five] = hashes
    await chain.reorg({ depth: 2, blocks: [[four], [two]] })
    const [second, third] = await Promise.all([readBlock(chain, 2), readBlock(chain, 3)])
    const place = (block: RpcBlock) => ({
      blockHash: block.hash,
      blockNumber: block.number,
      transactionIndex: '0x0',
    })
    expect(await receiptOf(chain, four)).toMatchObject({ ...place(second), logs: [place(second)] })
    expect(await receiptOf(chain, two)).toMatchObject(place(third))
    expect(await transactionOf(chain, four)).toMatchObject(place(second))
    for (const hash of [three, five]) expect(await receiptOf(chain, hash)).toBeNull()
    expect(await receiptOf(chain, hashes[0])).toMatchObject(place(story.blocks[1]))
  })

  test('state is that of the new chain alone: balances, nonces, storage, and the root over them', async () => {
    const { hashes, wallets } = story
    const [, two, , four] = hashes
    await chain.reorg({ depth: 2, blocks: [[four], [two]] })
    const [a, b, c] = wallets
    // Of the Counter's three calls, that of block 1 and that of the new block 2 have been.
    expect(await countOf(chain, 'latest')).toBe(2n)
    expect(await balanceOf(chain, STRANGER, 'latest')).toBe(5n)
    const nonces = await Promise.all([a, b, c].map(({ address }) => nonceOf(chain, address, 'latest')))
    expect(nonces).toEqual([1, 1, 1])
    const accounts = [...wallets.map(({ address }) => address), COUNTER, LOGGER, ENVIRONMENT, STRANGER]
    const all = [...accounts, FEE_VAULT, BEACON_ROOTS, BLOCK_HASHES]
    const { stateRoot } = await readBlock(chain, 'latest')
    expect(stateRoot).toBe(await rootOfAccounts(await dumpAccounts(chain, all, 'latest')))
    // By hand: the payment of each transaction, at the price in its receipt.
    const receipts = (await Promise.all([1, 2, 3].map((number) => readReceipts(chain, number)))).flat()
    const paidBy = (address: Hex): bigint =>
      receipts
        .filter(({ from }) => from === address)
        .reduce((sum, it) => sum + hexToBigInt(it.gasUsed) * hexToBigInt(it.effectiveGasPrice), 0n)
    expect(await balanceOf(chain, a.address, 'latest')).toBe(INITIAL_BALANCE - paidBy(a.address))
    expect(await balanceOf(chain, b.address, 'latest')).toBe(INITIAL_BALANCE - paidBy(b.address) - 5n)
    expect(await balanceOf(chain, c.address, 'latest')).toBe(INITIAL_BALANCE - paidBy(c.address))
  })

  test('historical reads at the new blocks give the new history', async () => {
    const [, two, , four] = story.hashes
    await chain.reorg({ depth: 2, blocks: [[four], [two]] })
    const counts = await Promise.all((['0x0', '0x1', '0x2', '0x3'] as const).map((at) => countOf(chain, at)))
    expect(counts).toEqual([0n, 1n, 2n, 2n])
    expect(await balanceOf(chain, STRANGER, '0x2')).toBe(0n)
    expect(await balanceOf(chain, STRANGER, '0x3')).toBe(5n)
    const data = encodeFunctionData({ abi: Counter.abi, functionName: 'count' })
    expect(await chain.request('eth_call', [{ to: COUNTER, data }, '0x1'])).toBe(word(1))
    expect(await chain.request('eth_call', [{ to: COUNTER, data }, '0x2'])).toBe(word(2))
    const logs = await chain.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x3' }])
    expect(logs.map(({ blockNumber }) => blockNumber)).toEqual(['0x1', '0x2'])
  })

  test('safe and finalized are counted from the new head', async () => {
    const { chain: other } = await begin({ safeLag: 1, finalizedLag: 2 })
    await other.advance(10_000)
    const numbers = async () =>
      Promise.all(
        (['latest', 'safe', 'finalized'] as const).map(
          async (tag) => (await readBlock(other, tag as 'latest')).number,
        ),
      )
    expect(await numbers()).toEqual(['0x5', '0x4', '0x3'])
    const old = await readBlock(other, 3)
    await other.reorg({ depth: 3 })
    expect(await numbers()).toEqual(['0x5', '0x4', '0x3'])
    expect((await readBlock(other, 'finalized' as 'latest')).hash).not.toBe(old.hash)
    await other.reorg({ depth: 4, blocks: [[]] })
    expect(await numbers()).toEqual(['0x2', '0x1', '0x0'])
  })

  test('BLOCKHASH and the EIP-2935 contract have the hashes of the new chain', async () => {
    const record = encodeFunctionData({ abi: Environment.abi, functionName: 'record' })
    const raw = await story.wallets[5].sign({ to: ENVIRONMENT, data: record, gas: 200_000n })
    await chain.reorg({ depth: 2, blocks: [[], [raw]] })
    await chain.advance(1700)
    const head = await readBlock(chain, 'latest')
    expect(head.number).toBe('0x4')
    for (const number of [0, 1, 2, 3]) {
      const { hash } = await readBlock(chain, number)
      const call = { abi: Environment.abi, functionName: 'blockHash', args: [BigInt(number)] } as const
      const answer = await chain.request('eth_call', [
        { to: ENVIRONMENT, data: encodeFunctionData(call) },
        'latest',
      ])
      expect(decodeFunctionResult({ ...call, data: answer })).toBe(hash)
      const slot = numberToHex(number)
      expect(await chain.request('eth_getStorageAt', [BLOCK_HASHES, slot, 'latest'])).toBe(hash)
      // EIP-2935: the contract answers a number with its hash.
      expect(await chain.request('eth_call', [{ to: BLOCK_HASHES, data: word(number) }, 'latest'])).toBe(hash)
    }
    // The transaction in the replacement block 3 saw the new block 2.
    const data = encodeFunctionData({ abi: Environment.abi, functionName: 'recordedParentHash' })
    const recorded = await chain.request('eth_call', [{ to: ENVIRONMENT, data }, 'latest'])
    expect(recorded).toBe(await sealedHash(chain, '0x2'))
  })

  test('the clock stands still, and production goes on at the same cadence', async () => {
    const at = GENESIS_TIMESTAMP * 1000
    expect(chain.now).toBe(at + 6300)
    const events = record(chain, ['partialBlock', 'sealedBlock'])
    await chain.reorg({ depth: 3 })
    expect(chain.now).toBe(at + 6300)
    events.length = 0
    await chain.advance(3700)
    const told = events.map(([name, payload]) => {
      const { atMs } = payload as { atMs: number }
      return name === 'sealedBlock' ? `sealed ${atMs - at}` : atMs - at
    })
    expect(told).toEqual([
      ...[6400, 6600, 6800, 7000, 7200, 7400, 7600, 7800, 8000, 'sealed 8000'],
      ...[8200, 8400, 8600, 8800, 9000, 9200, 9400, 9600, 9800, 10_000, 'sealed 10000'],
    ])
    const timestamps = await Promise.all(
      [4, 5].map(async (number) => (await readBlock(chain, number)).timestamp),
    )
    expect(timestamps).toEqual(
      [GENESIS_TIMESTAMP + 8, GENESIS_TIMESTAMP + 10].map((time) => numberToHex(time)),
    )
  })

  test('fewer blocks shorten the chain', async () => {
    await chain.reorg({ depth: 3, blocks: [[]] })
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
    expect((await readBlock(chain, 'latest')).timestamp).toBe(numberToHex(GENESIS_TIMESTAMP + 2))
    expect(await chain.request('eth_getBlockByNumber', ['0x2', false])).toBeNull()
    expect(await readBlock(chain, 'pending')).toMatchObject({
      number: '0x2',
      timestamp: numberToHex(GENESIS_TIMESTAMP + 8),
    })
    await chain.advance(1700)
    const head = await readBlock(chain, 'latest')
    expect(head).toMatchObject({ number: '0x2', timestamp: numberToHex(GENESIS_TIMESTAMP + 8) })
    expect(head.transactions).toHaveLength(6)
  })

  test('no blocks at all take the last ones back', async () => {
    await chain.reorg({ depth: 1, blocks: [] })
    expect(await readBlock(chain, 'latest')).toEqual(story.blocks[2])
    expect((await readBlock(chain, 'pending')).parentHash).toBe(story.blocks[2].hash)
  })

  test('more blocks lengthen the chain; those without a slot fall due a block time after one another', async () => {
    const [, two, three, four, five] = story.hashes
    await chain.reorg({ depth: 1, blocks: [[five], [story.hashes[5]], []] })
    expect(await chain.request('eth_blockNumber')).toBe('0x5')
    const fresh = await Promise.all([3, 4, 5].map((number) => readBlock(chain, number)))
    // A block is never from the future, so the clock goes along.
    const times = [6, 8, 10].map((seconds) => numberToHex(GENESIS_TIMESTAMP + seconds))
    expect(fresh.map(({ timestamp }) => timestamp)).toEqual(times)
    expect(chain.now).toBe((GENESIS_TIMESTAMP + 10) * 1000)
    expect(await hashesIn(chain, '0x2')).toEqual([two, three, four])
    expect(await hashesIn(chain, '0x3')).toEqual([five])
    expect(await hashesIn(chain, '0x4')).toEqual([story.hashes[5]])
    await chain.advance(2000)
    expect((await readBlock(chain, 'latest')).timestamp).toBe(numberToHex(GENESIS_TIMESTAMP + 12))
  })

  test('replacement blocks hold what they are told to, in that order, wherever it comes from', async () => {
    const { wallets, hashes } = story
    const [, two, , four] = hashes
    const pooled = await wallets[3].send({ to: STRANGER, value: 3n })
    const raw = await wallets[4].sign({ to: STRANGER, value: 4n })
    await chain.reorg({
      depth: 2,
      blocks: [
        [raw, four],
        [pooled, two],
      ],
    })
    expect((await hashesIn(chain, '0x2'))[1]).toBe(four)
    expect(await hashesIn(chain, '0x3')).toEqual([pooled, two])
    expect(await balanceOf(chain, STRANGER, '0x2')).toBe(4n)
    expect(await balanceOf(chain, STRANGER, '0x3')).toBe(4n + 3n + 5n)
    expect(await statusOf(chain, pooled)).toBe('Unknown')
  })

  test('a raw transaction can take the nonce of an orphan, which is then gone', async () => {
    const { wallets, hashes } = story
    // Nonce 0 of this wallet was a transfer of 5 wei.
    const raw = await wallets[1].sign({ to: STRANGER, value: 50n, nonce: 0 })
    await chain.reorg({ depth: 2, blocks: [[raw], []] })
    expect(await balanceOf(chain, STRANGER, 'latest')).toBe(50n)
    expect(await transactionOf(chain, hashes[1])).toBeNull()
    // Its next transaction was pre-confirmed, and can come again.
    await chain.advance(200)
    expect(await receiptOf(chain, hashes[5])).toMatchObject({ status: '0x1' })
  })

  test('depth goes down to genesis and no further', async () => {
    const { wallets, hashes, blocks } = story
    const before = await portrait(chain, wallets, hashes)
    expect(await failureOf(chain.reorg({ depth: 4 }))).toEqual({ kind: 'reorgTooDeep', code: -32602 })
    expect(await portrait(chain, wallets, hashes)).toEqual(before)
    await chain.reorg({ depth: 3 })
    expect(await readBlock(chain, 0)).toEqual(blocks[0])
    expect((await readBlock(chain, 1)).hash).not.toBe(blocks[1].hash)
    const { chain: fresh } = await begin()
    expect((await failureOf(fresh.reorg({ depth: 1 }))).kind).toBe('reorgTooDeep')
  })

  test('bad input is refused, and nothing has changed then', async () => {
    const { wallets, hashes } = story
    const [, b, , , , f] = wallets
    const other = await createForeign()
    const before = await portrait(chain, wallets, hashes)
    const events = record(chain, ['message', 'orphanedBlocks', 'unincludedTransaction', 'sealedBlock'])
    const refusals: [unknown, string][] = [
      [undefined, 'invalidCall'],
      [{}, 'invalidCall'],
      [{ depth: 0 }, 'invalidCall'],
      [{ depth: -1 }, 'invalidCall'],
      [{ depth: 1.5 }, 'invalidCall'],
      [{ depth: '0x1' }, 'invalidCall'],
      [{ depth: 1, blocks: 2 }, 'invalidCall'],
      [{ depth: 1, blocks: [hashes[4]] }, 'invalidCall'],
      [{ depth: 1, blocks: [[7]] }, 'invalidCall'],
      [{ depth: 1, blocks: [['0xabc']] }, 'invalidCall'],
      [{ depth: 1, repool: 1 }, 'invalidCall'],
      [{ depth: 1, blocks: [['0x02ff']] }, 'undecodableTransaction'],
      // Unknown, or still in a block that stays.
      [{ depth: 1, blocks: [[ZERO_HASH]] }, 'unknownTransaction'],
      [{ depth: 1, blocks: [[hashes[0]]] }, 'unknownTransaction'],
      // Twice, behind a gap, with a nonce that is used, without the money.
      [{ depth: 1, blocks: [[hashes[4], hashes[4]]] }, 'replacementNotExecutable'],
      [{ depth: 1, blocks: [[hashes[4]], [hashes[4]]] }, 'replacementNotExecutable'],
      [{ depth: 1, blocks: [[await f.sign({ to: STRANGER, nonce: 1 })]] }, 'replacementNotExecutable'],
      [{ depth: 1, blocks: [[await b.sign({ to: STRANGER, nonce: 0 })]] }, 'replacementNotExecutable'],
      [{ depth: 2, blocks: [[], [hashes[4]]] }, 'replacementNotExecutable'],
      [
        { depth: 1, blocks: [[await f.sign({ to: STRANGER, nonce: 0, value: INITIAL_BALANCE })]] },
        'replacementNotExecutable',
      ],
      [
        { depth: 1, blocks: [[await f.sign({ to: STRANGER, nonce: 0, fee: 1n, tip: 0n })]] },
        'replacementNotExecutable',
      ],
      // What no block could hold, and what belongs to another chain.
      [
        { depth: 1, blocks: [[await f.sign({ to: STRANGER, nonce: 0, gas: 60_000_001n })]] },
        'exceedsBlockGasLimit',
      ],
      [
        { depth: 1, blocks: [[await f.sign({ to: STRANGER, nonce: 0, gas: 20_999n })]] },
        'intrinsicGasTooLow',
      ],
      [{ depth: 1, blocks: [[other]] }, 'wrongChainId'],
    ]
    for (const [options, kind] of refusals) {
      const refused = await failureOf(chain.reorg(options as ReorgOptions))
      expect(refused.kind, JSON.stringify(options)).toBe(kind)
    }
    expect(await portrait(chain, wallets, hashes)).toEqual(before)
    expect(events).toEqual([])
    // The refused request has no effect afterwards.
    await chain.advance(1700)
    expect(await hashesIn(chain, 'latest')).toEqual([hashes[5]])
  })

  test('together the transactions of a block must fit into it', async () => {
    const { wallets } = story
    const raws = await Promise.all(
      [3, 4].map((index) => wallets[index]?.sign({ to: STRANGER, gas: 60_000_000n }) as Promise<Hex>),
    )
    const refused = chain.reorg({ depth: 1, blocks: [raws] })
    await expect(refused).rejects.toMatchObject({
      kind: 'replacementNotExecutable',
      message: expect.stringMatching(/exceeds block gas limit$/),
    })
    await chain.reorg({ depth: 1, blocks: [[raws[0] as Hex], [raws[1] as Hex]] })
    expect(await chain.request('eth_blockNumber')).toBe('0x4')
  })

  test('a timestamp that was asked for still holds, unless the new head has overtaken it', async () => {
    const { chain: other } = await begin()
    await other.advance(4000)
    await other.request('evm_setNextBlockTimestamp', [GENESIS_TIMESTAMP + 5])
    const before = other.snapshot()
    await other.reorg({ depth: 1 })
    await other.seal()
    expect((await readBlock(other, 'latest')).timestamp).toBe(numberToHex(GENESIS_TIMESTAMP + 5))
    await other.revert(before)
    // Blocks 2, 3 and 4 of the new chain are at 4, 6 and 8 seconds.
    await other.reorg({ depth: 1, blocks: [[], [], []] })
    await other.seal()
    const head = await readBlock(other, 'latest')
    expect(head).toMatchObject({ number: '0x5', timestamp: numberToHex(GENESIS_TIMESTAMP + 10) })
  })

  test('a reorganisation can be reorganised', async () => {
    const [, two, three, four, five] = story.hashes
    await chain.reorg({ depth: 2, blocks: [[four, two], []] })
    await chain.reorg({
      depth: 2,
      blocks: [
        [two, three],
        [four, five],
      ],
    })
    expect(await hashesIn(chain, '0x2')).toEqual([two, three])
    expect(await hashesIn(chain, '0x3')).toEqual([four, five])
    expect(await countOf(chain, 'latest')).toBe(2n)
    await chain.advance(200)
    expect(await hashesIn(chain, 'pending')).toEqual([story.hashes[5]])
  })

  test('calls that do not wait for it see the chain before and after it, in their order', async () => {
    const { hashes } = story
    const [before, , after] = await Promise.all([
      receiptOf(chain, hashes[4]),
      chain.reorg({ depth: 1 }),
      receiptOf(chain, hashes[4]),
    ])
    expect(before).toMatchObject({ blockNumber: '0x3' })
    expect(after).toBeNull()
  })
})

/** A signed transaction of another chain. */
async function createForeign(): Promise<Hex> {
  const { chain } = await begin()
  return makeWallet(chain, privateKeys[5] as Hex, 1).sign({ to: STRANGER })
}

describe('reorganisation in every production mode', () => {
  test('interval: the orphans are in the next partial block', async () => {
    const { chain, hashes } = await tellStory({ production: 'interval' })
    await chain.reorg({ depth: 3 })
    await chain.advance(100)
    expect(await hashesIn(chain, 'pending')).toEqual(hashes)
  })

  test('auto: the orphans wait for the next submission, which seals a block for each', async () => {
    const { chain, wallets } = await begin({ production: 'auto' })
    const hashes = [await increment(wallets[0]), await increment(wallets[1]), await increment(wallets[0])]
    expect(await chain.request('eth_blockNumber')).toBe('0x3')
    await chain.reorg({ depth: 2, blocks: [] })
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
    expect(await statusOf(chain, hashes[1] as Hex)).toBe('Known')
    const later = await increment(wallets[2])
    const blocks = await Promise.all((['0x1', '0x2', '0x3', '0x4'] as const).map((at) => hashesIn(chain, at)))
    expect(blocks).toEqual([...hashes, later].map((hash) => [hash]))
    expect(await countOf(chain, 'latest')).toBe(4n)
  })

  test('auto: an account can go on from the nonce that it is set back to', async () => {
    const { chain, wallets } = await begin({ production: 'auto' })
    await increment(wallets[0])
    const old = await increment(wallets[0])
    await chain.reorg({ depth: 1, repool: false })
    expect(await nonceOf(chain, wallets[0].address, 'latest')).toBe(1)
    const fresh = await wallets[0].send({ to: STRANGER, nonce: 1 })
    expect(await hashesIn(chain, 'latest')).toEqual([fresh])
    expect(await receiptOf(chain, old)).toBeNull()
  })

  test('manual: the orphans are in the next block that is told to be sealed', async () => {
    const { chain, wallets } = await begin({ production: 'manual' })
    const hashes: Hex[] = []
    for (const wallet of wallets.slice(0, 3)) {
      hashes.push(await increment(wallet))
      await chain.seal()
    }
    const now = chain.now
    await chain.reorg({ depth: 2, blocks: [[hashes[2] as Hex]] })
    expect(await chain.request('eth_blockNumber')).toBe('0x2')
    expect(chain.now).toBe(now)
    await chain.seal()
    expect(await hashesIn(chain, '0x2')).toEqual([hashes[2]])
    expect(await hashesIn(chain, '0x3')).toEqual([hashes[1]])
  })

  test.each(['interval', 'auto', 'manual'] as const)(
    '%s: the new chain is linked and its hashes real',
    async (production) => {
      const { chain, wallets } = await begin({ production })
      for (const wallet of wallets.slice(0, 3)) {
        await increment(wallet)
        await chain.seal()
      }
      await chain.reorg({ depth: 2, blocks: [[], [], []] })
      await chain.seal()
      const head = hexToNumber(await chain.request('eth_blockNumber'))
      let parent = await readBlock(chain, 0)
      for (let number = 1; number <= head; number++) {
        const block = await readBlock(chain, number)
        expect(block.parentHash).toBe(parent.hash)
        expect(block.hash).toBe(hashOfHeader(block))
        expect(hexToNumber(block.timestamp)).toBeGreaterThan(hexToNumber(parent.timestamp))
        parent = block
      }
      expect(chain.now).toBeGreaterThanOrEqual(hexToNumber(parent.timestamp) * 1000)
    },
  )
})

describe('snapshots around a reorganisation', () => {
  test('a revert brings the old chain back, to the byte, and the new one is gone', async () => {
    const { chain, wallets, hashes, blocks } = await tellStory()
    const before = await portrait(chain, wallets, hashes)
    const snapshot = chain.snapshot()
    await chain.reorg({ depth: 3, blocks: [[hashes[3]], []] })
    const orphan = await sealedHash(chain, '0x1')
    await chain.revert(snapshot)
    expect(await portrait(chain, wallets, hashes)).toEqual(before)
    expect(await chain.request('eth_getBlockByHash', [blocks[3].hash, true])).toEqual(blocks[3])
    expect(await chain.request('eth_getBlockByHash', [orphan, true])).toBeNull()
    await chain.advance(1700)
    expect(await hashesIn(chain, 'latest')).toEqual([hashes[5]])
  })

  test('a snapshot of the time after it brings the new chain back, and the old one is gone', async () => {
    const { chain, wallets, hashes, blocks } = await tellStory()
    await chain.reorg({ depth: 2, blocks: [[hashes[3]], []] })
    const after = await portrait(chain, wallets, hashes)
    const id = await chain.request('evm_snapshot')
    await chain.advance(4000)
    expect(await chain.request('evm_revert', [id])).toBe(true)
    expect(await portrait(chain, wallets, hashes)).toEqual(after)
    expect(await chain.request('eth_getBlockByHash', [blocks[3].hash, true])).toBeNull()
  })

  test('the same reorganisation from the same snapshot gives the same chain', async () => {
    const { chain, wallets, hashes } = await tellStory()
    const snapshot = chain.snapshot()
    const options = { depth: 2, blocks: [[hashes[3]], [], [hashes[1]]] }
    const outcomes: unknown[] = []
    for (let time = 0; time < 2; time++) {
      await chain.revert(snapshot)
      await chain.reorg(options)
      await chain.advance(2000)
      outcomes.push(await portrait(chain, wallets, hashes))
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    // A clone does the same.
    await chain.revert(snapshot)
    const clone = chain.clone()
    await clone.reorg(options)
    await clone.advance(2000)
    expect(await portrait(clone, wallets, hashes)).toEqual(outcomes[0])
  })
})
