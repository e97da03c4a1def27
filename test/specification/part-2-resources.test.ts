// Specification, part 2: resources and their fields. Each test names its statement.

import type { Emulator, EmulatorOptions } from 'tickchain'
import {
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToBigInt,
  hexToNumber,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  sha256,
  toBytes,
} from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LogFilterWire } from '../../src/core/rpc/codecs/filter.ts'
import type { RpcTransaction } from '../../src/core/rpc/format/transaction.ts'
import { Counter, Logger, Reverter, Token } from '../contracts/generated.ts'
import { dumpAccounts, readBlock, readReceipts, transactionsOf } from '../core/chain/reads.ts'
import {
  bloomOf,
  encodeReceipt,
  encodeTransaction,
  hashOfHeader,
  type RpcBlock,
  type RpcReceipt,
  rootOfAccounts,
  rootOfList,
  sizeOfBlock,
} from '../core/chain/recompute.ts'
import { BEACON_ROOTS, BLOCK_HASHES } from '../core/chain/workload.ts'
import {
  addressTopic,
  BASE_FEE_1,
  COUNTER,
  GENESIS_TIMESTAMP,
  GWEI,
  INCREMENTED,
  increment,
  type Scene,
  start,
  TRANSFER_PRICE_1,
  word,
} from './setup.ts'

const LOGGER: Hex = `0x${'10'.repeat(20)}`
const REVERTER: Hex = `0x${'2e'.repeat(20)}`
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`
const EVENT_1 = keccak256(toBytes('Event1(uint256,address)'))
/** OP stack: the sequencer's fee vault is the fee recipient. */
const FEE_VAULT = '0x4200000000000000000000000000000000000011'

const GENESIS: EmulatorOptions['genesis'] = {
  alloc: {
    [COUNTER]: { nonce: 1, code: Counter.deployedBytecode },
    [LOGGER]: { nonce: 1, code: Logger.deployedBytecode },
    [REVERTER]: { nonce: 1, code: Reverter.deployedBytecode },
  },
}

const begin = (options: EmulatorOptions = {}): Promise<Scene> => start({ genesis: GENESIS, ...options })

async function blockAt(chain: Emulator, selector: string, isFull = false): Promise<RpcBlock> {
  const block = await chain.request('eth_getBlockByNumber', [selector as 'latest', isFull])
  if (block === null) throw new Error(`no block ${selector}`)
  return block as RpcBlock
}

function emitMany(count: number): Hex {
  return encodeFunctionData({ abi: Logger.abi, functionName: 'emitMany', args: [BigInt(count)] })
}

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]*)$/
const HASH = /^0x[0-9a-f]{64}$/
const ADDRESS = /^0x[0-9a-f]{40}$/

const BLOCK_FIELDS = [
  'number',
  'hash',
  'parentHash',
  'nonce',
  'sha3Uncles',
  'logsBloom',
  'transactionsRoot',
  'stateRoot',
  'receiptsRoot',
  'miner',
  'difficulty',
  'mixHash',
  'extraData',
  'size',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'transactions',
  'uncles',
  'withdrawals',
  'withdrawalsRoot',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
].sort()

const LOG_FIELDS = [
  'address',
  'topics',
  'data',
  'blockNumber',
  'blockTimestamp',
  'transactionHash',
  'transactionIndex',
  'blockHash',
  'logIndex',
  'removed',
].sort()

/** The standard transaction receipt shape (execution-apis, ReceiptInfo), without blob fields. */
const RECEIPT_FIELDS = [
  'type',
  'status',
  'cumulativeGasUsed',
  'logs',
  'logsBloom',
  'transactionHash',
  'transactionIndex',
  'blockHash',
  'blockNumber',
  'gasUsed',
  'effectiveGasPrice',
  'from',
  'to',
  'contractAddress',
].sort()

/** The fields of each transaction type in deployed nodes of the chain. */
const COMMON_TRANSACTION_FIELDS = [
  ...['hash', 'type', 'from', 'to', 'value', 'input', 'gas', 'nonce', 'gasPrice', 'chainId', 'v', 'r', 's'],
  ...['blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex'],
]
const TYPED = ['yParity', 'accessList']
const DYNAMIC = [...TYPED, 'maxFeePerGas', 'maxPriorityFeePerGas']
const TRANSACTION_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '0x0': COMMON_TRANSACTION_FIELDS,
  '0x1': [...COMMON_TRANSACTION_FIELDS, ...TYPED],
  '0x2': [...COMMON_TRANSACTION_FIELDS, ...DYNAMIC],
  '0x4': [...COMMON_TRANSACTION_FIELDS, ...DYNAMIC, 'authorizationList'],
}

const keysOf = (value: object): string[] => Object.keys(value).sort()

/** A block with a transaction of every type, logs, a creation and a failure. */
async function sendOfEveryKind({ wallets }: Scene): Promise<{ readonly raws: readonly Hex[] }> {
  const [a, b, c, d, e, f] = wallets
  const accessList = [{ address: COUNTER, storageKeys: [word(0)] }]
  const fresh: Hex = `0x${'ab'.repeat(20)}`
  const authorizationList = [await f.authorize(COUNTER, 0)]
  const data = encodeFunctionData({ abi: Reverter.abi, functionName: 'revertEmpty' })
  const creation: Hex = `${Token.bytecode}${word(7).slice(2)}`
  return {
    raws: [
      await a.sign({ type: 'legacy', to: fresh, value: 1n }),
      await b.sign({ type: 'eip2930', to: LOGGER, data: emitMany(2), gas: 100_000n, accessList }),
      await c.sign({ type: 'eip1559', data: creation, gas: 2_000_000n }),
      await d.sign({ type: 'eip7702', to: LOGGER, data: emitMany(1), gas: 200_000n, authorizationList }),
      await e.sign({ type: 'eip1559', to: REVERTER, data, gas: 100_000n }),
    ],
  }
}

async function sendAll(chain: Emulator, raws: readonly Hex[]): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const raw of raws) hashes.push(await chain.request('eth_sendRawTransaction', [raw]))
  return hashes
}

describe('conventions', () => {
  const tags = ['earliest', 'latest', 'pending'] as const
  let chain: Emulator
  beforeAll(async () => {
    const scene = await begin()
    chain = scene.chain
    await sendAll(chain, (await sendOfEveryKind(scene)).raws)
    await chain.advance(2000)
    await increment(scene.wallets[0])
    await chain.advance(200)
  })

  test.each(tags)('quantities are hexadecimal strings with a 0x prefix: block %s', async (tag) => {
    const block = await readBlock(chain, tag as 'latest')
    const { number, size, gasLimit, gasUsed, timestamp, baseFeePerGas, blobGasUsed, excessBlobGas } = block
    const { difficulty } = block
    const quantities = [number, size, gasLimit, gasUsed, timestamp, baseFeePerGas, blobGasUsed, excessBlobGas]
    for (const quantity of [...quantities, difficulty]) expect(quantity).toMatch(QUANTITY)
    for (const tx of transactionsOf(block)) {
      const { type, nonce, value, gas, gasPrice, v, r, s, transactionIndex } = tx
      for (const quantity of [type, nonce, value, gas, gasPrice, v, r, s, transactionIndex])
        expect(quantity).toMatch(QUANTITY)
    }
    for (const receipt of await readReceipts(chain, tag as 'latest')) {
      const { type, status, gasUsed: used, cumulativeGasUsed, effectiveGasPrice, transactionIndex } = receipt
      for (const quantity of [type, status, used, cumulativeGasUsed, effectiveGasPrice, transactionIndex])
        expect(quantity).toMatch(QUANTITY)
    }
  })

  test.each(tags)('hashes are 32-byte and addresses 20-byte hex strings: block %s', async (tag) => {
    const block = await readBlock(chain, tag as 'latest')
    const { hash, parentHash, sha3Uncles, transactionsRoot, stateRoot, receiptsRoot, mixHash } = block
    const { withdrawalsRoot, parentBeaconBlockRoot, requestsHash } = block
    for (const value of [hash, parentHash, sha3Uncles, transactionsRoot, stateRoot, receiptsRoot, mixHash])
      expect(value).toMatch(HASH)
    for (const value of [withdrawalsRoot, parentBeaconBlockRoot, requestsHash]) expect(value).toMatch(HASH)
    expect(block.miner).toMatch(ADDRESS)
    expect(block.logsBloom).toMatch(/^0x[0-9a-f]{512}$/)
    for (const { from, hash: transactionHash } of transactionsOf(block)) {
      expect(from).toMatch(ADDRESS)
      expect(transactionHash).toMatch(HASH)
    }
  })

  test('a block selector is a number in hex, latest, pending, safe, finalized or earliest', async () => {
    const scene = await begin({ safeLag: 1, finalizedLag: 2 })
    await scene.chain.advance(6000)
    const numbers = ['0x2', 'latest', 'pending', 'safe', 'finalized', 'earliest'].map(
      async (selector) => (await blockAt(scene.chain, selector)).number,
    )
    expect(await Promise.all(numbers)).toEqual(['0x2', '0x3', '0x4', '0x2', '0x1', '0x0'])
  })
})

describe('block object', () => {
  let scene: Scene
  let parent: RpcBlock
  let block: RpcBlock
  let receipts: readonly RpcReceipt[]
  beforeAll(async () => {
    scene = await begin()
    const { chain } = scene
    parent = await readBlock(chain, 'latest')
    await sendAll(chain, (await sendOfEveryKind(scene)).raws)
    await chain.advance(2000)
    block = await readBlock(chain, 'latest')
    receipts = await readReceipts(chain, 'latest')
  })

  test.each(['earliest', 'latest', 'pending', '0x1'])(
    '%s has exactly the fields of the table',
    async (tag) => {
      expect(keysOf(await blockAt(scene.chain, tag))).toEqual(BLOCK_FIELDS)
      expect(keysOf(await blockAt(scene.chain, tag, true))).toEqual(BLOCK_FIELDS)
    },
  )

  test.each(['earliest', 'latest', 'pending'])('%s has the values that always hold', async (tag) => {
    const shown = await blockAt(scene.chain, tag)
    expect(shown.nonce).toBe('0x0000000000000000')
    expect(shown.difficulty).toBe('0x0')
    expect(shown.uncles).toEqual([])
    expect(shown.withdrawals).toEqual([])
    // The list of uncles is always empty: the hash of its RLP.
    expect(shown.sha3Uncles).toBe(keccak256('0xc0'))
    // EIP-4895: the root of a trie without withdrawals.
    expect(shown.withdrawalsRoot).toBe(keccak256('0x80'))
    // EIP-7685: the hash of no requests.
    expect(shown.requestsHash).toBe(sha256('0x'))
    expect(shown.blobGasUsed).toBe('0x0')
    expect(shown.excessBlobGas).toBe('0x0')
  })

  test('number is the block number, parentHash the hash of the parent block', () => {
    expect(block.number).toBe('0x1')
    expect(block.parentHash).toBe(parent.hash)
    expect(parent.parentHash).toBe(ZERO_HASH)
  })

  test('hash is the block hash: keccak-256 of the header as it is shown', () => {
    expect(block.hash).toBe(hashOfHeader(block))
    expect(parent.hash).toBe(hashOfHeader(parent))
  })

  test("logsBloom is the bloom filter of the block's logs", () => {
    const logs = receipts.flatMap((receipt) => receipt.logs)
    expect(logs).toHaveLength(4)
    expect(block.logsBloom).toBe(bloomOf(logs))
  })

  test('transactionsRoot, receiptsRoot and size are those of the transactions and receipts shown', async () => {
    expect(block.transactionsRoot).toBe(await rootOfList(transactionsOf(block).map(encodeTransaction)))
    expect(block.receiptsRoot).toBe(await rootOfList(receipts.map(encodeReceipt)))
    expect(hexToNumber(block.size)).toBe(sizeOfBlock(block))
  })

  test('miner is the fee recipient', async () => {
    expect(block.miner).toBe(FEE_VAULT)
    const coinbase: Hex = `0x${'fe'.repeat(20)}`
    const { chain } = await start({ genesis: { coinbase, extraData: '0x1234' } })
    expect((await blockAt(chain, 'pending')).miner).toBe(coinbase)
  })

  test('mixHash is bytes32 and another in every block', async () => {
    const { chain } = await start()
    await chain.advance(6000)
    const hashes = await Promise.all(
      ['0x0', '0x1', '0x2', '0x3', 'pending'].map(async (tag) => (await blockAt(chain, tag)).mixHash),
    )
    expect(new Set(hashes).size).toBe(5)
  })

  test('extraData is arbitrary data set by the sequencer', async () => {
    const { chain } = await start({ genesis: { extraData: '0x74696b' } })
    await chain.advance(2000)
    for (const tag of ['earliest', 'latest', 'pending']) {
      expect((await blockAt(chain, tag)).extraData).toBe('0x74696b')
    }
  })

  test('gasLimit is the maximum, gasUsed the total of the block', () => {
    expect(hexToNumber(block.gasLimit)).toBe(60_000_000)
    const total = receipts.reduce((sum, { gasUsed }) => sum + hexToBigInt(gasUsed), 0n)
    expect(hexToBigInt(block.gasUsed)).toBe(total)
    expect(receipts.at(-1)?.cumulativeGasUsed).toBe(block.gasUsed)
  })

  test('timestamp is a Unix timestamp', () => {
    expect(hexToNumber(parent.timestamp)).toBe(GENESIS_TIMESTAMP)
    expect(hexToNumber(block.timestamp)).toBe(GENESIS_TIMESTAMP + 2)
  })

  test('baseFeePerGas is the EIP-1559 base fee', async () => {
    expect(hexToBigInt(parent.baseFeePerGas as Hex)).toBe(GWEI)
    expect(hexToBigInt(block.baseFeePerGas as Hex)).toBe(BASE_FEE_1)
    // EIP-1559: below its target of half the limit, a block lowers the fee by an eighth of the share that is missing.
    const used = hexToBigInt(block.gasUsed)
    const next = BASE_FEE_1 - (BASE_FEE_1 * (30_000_000n - used)) / 30_000_000n / 8n
    expect(hexToBigInt((await blockAt(scene.chain, 'pending')).baseFeePerGas as Hex)).toBe(next)
  })

  test('parentBeaconBlockRoot is the root that the EIP-4788 contract has', async () => {
    const slot = numberToHex((hexToNumber(block.timestamp) % 8191) + 8191)
    const stored = await scene.chain.request('eth_getStorageAt', [BEACON_ROOTS, slot, 'latest'])
    expect(stored).toBe(block.parentBeaconBlockRoot)
  })

  test('transactions are hashes or full objects, depending on fullTransactions', async () => {
    const { transactions } = await blockAt(scene.chain, 'latest')
    expect(transactions).toEqual(receipts.map(({ transactionHash }) => transactionHash))
    expect(transactionsOf(block).map(({ hash }) => hash)).toEqual(transactions)
  })
})

describe('a block read with pending, compared with latest', () => {
  let scene: Scene
  let chain: Emulator
  beforeEach(async () => {
    scene = await begin()
    chain = scene.chain
    await increment(scene.wallets[0])
    await chain.advance(2000)
  })

  test('number: current block number, being built', async () => {
    expect((await blockAt(chain, 'latest')).number).toBe('0x1')
    expect((await blockAt(chain, 'pending')).number).toBe('0x2')
    expect((await blockAt(chain, 'pending')).parentHash).toBe((await blockAt(chain, 'latest')).hash)
  })

  test('before its first partial block, pending is the empty block on top of latest', async () => {
    const pending = await readBlock(chain, 'pending')
    expect(pending.transactions).toEqual([])
    expect(pending.gasUsed).toBe('0x0')
    expect(pending.transactionsRoot).toBe(keccak256('0x80'))
    expect(pending.receiptsRoot).toBe(keccak256('0x80'))
    expect(pending.logsBloom).toBe(`0x${'00'.repeat(256)}`)
    expect(pending.hash).toBe(hashOfHeader(pending))
    expect(await readReceipts(chain, 'pending')).toEqual([])
    const [sender] = scene.wallets
    const account = [sender.address, 'pending'] as const
    expect(await chain.request('eth_getTransactionCount', account)).toBe('0x1')
    const logs = await chain.request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])
    expect(logs).toEqual([])
  })

  test('gasUsed and transactions: cumulative, pre-confirmed so far', async () => {
    const [a, b, c] = scene.wallets
    const first = await increment(a)
    expect((await blockAt(chain, 'pending')).transactions).toEqual([])
    await chain.advance(200)
    expect((await blockAt(chain, 'pending')).transactions).toEqual([first])
    const to: Hex = `0x${'ab'.repeat(20)}`
    const second = await b.send({ to })
    const third = await c.send({ to })
    await chain.advance(200)
    const pending = await blockAt(chain, 'pending')
    expect(pending.transactions).toEqual([first, second, third])
    const [before] = await readReceipts(chain, 'pending')
    // A transfer takes 21,000 gas.
    expect(hexToNumber(pending.gasUsed)).toBe(hexToNumber(before?.gasUsed as Hex) + 42_000)
    expect((await blockAt(chain, 'latest')).transactions).toHaveLength(1)
  })

  test('hash: that of the partial block, which changes exactly when the partial block does', async () => {
    const seen: string[] = []
    for (let index = 1; index <= 9; index++) {
      // Partial blocks 3, 6 and 9 bring a transaction; the others are empty.
      if (index % 3 === 0) await increment(scene.wallets[3])
      await chain.advance(index === 1 ? 0 : 200)
      const pending = await readBlock(chain, 'pending')
      expect(pending.hash).toBe(hashOfHeader(pending))
      seen.push(pending.hash)
    }
    const expected = [0, 0, 1, 1, 1, 2, 2, 2, 3]
    const distinct = [...new Set(seen)]
    expect(seen.map((hash) => distinct.indexOf(hash))).toEqual(expected)
  })

  test('a block that is sealed as it was shown keeps its hash, and all its fields', async () => {
    const { chain: other, wallets } = await begin({ production: 'manual' })
    await increment(wallets[0])
    await other.advance(200)
    const pending = await readBlock(other, 'pending')
    await other.seal()
    expect(await readBlock(other, 'latest')).toEqual(pending)
  })

  test('blobGasUsed: propagated from cumulative partial-block state', async () => {
    // There are no blobs on a layer 2, so it is the cumulative nothing.
    expect((await blockAt(chain, 'pending')).blobGasUsed).toBe('0x0')
    expect((await blockAt(chain, 'latest')).blobGasUsed).toBe('0x0')
  })

  test('the response shape for pending is identical to that of a sealed block', async () => {
    for (const isFull of [false, true]) {
      const [latest, pending] = await Promise.all([
        blockAt(chain, 'latest', isFull),
        blockAt(chain, 'pending', isFull),
      ])
      expect(Object.keys(pending)).toEqual(Object.keys(latest))
      const shape = (block: RpcBlock) =>
        Object.entries(block).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value])
      expect(shape(pending)).toEqual(shape(latest))
    }
  })

  test('the roots of a partial block are real: transactions, receipts, logs and state', async () => {
    const { chain: other, wallets } = await begin()
    await sendAll(other, (await sendOfEveryKind({ chain: other, wallets })).raws)
    await other.advance(200)
    const pending = await readBlock(other, 'pending')
    const receipts = await readReceipts(other, 'pending')
    expect(pending.transactions).toHaveLength(5)
    expect(pending.transactionsRoot).toBe(await rootOfList(transactionsOf(pending).map(encodeTransaction)))
    expect(pending.receiptsRoot).toBe(await rootOfList(receipts.map(encodeReceipt)))
    expect(pending.logsBloom).toBe(bloomOf(receipts.flatMap((receipt) => receipt.logs)))
    expect(hexToNumber(pending.size)).toBe(sizeOfBlock(pending))
    const created = getContractAddress({ from: wallets[2].address, nonce: 0n }).toLowerCase() as Hex
    const contracts: Hex[] = [COUNTER, LOGGER, REVERTER, BEACON_ROOTS, BLOCK_HASHES, FEE_VAULT, created]
    const touched: Hex = `0x${'ab'.repeat(20)}`
    const accounts = [...wallets.map(({ address }) => address), ...contracts, touched]
    expect(pending.stateRoot).toBe(await rootOfAccounts(await dumpAccounts(other, accounts, 'pending')))
    // Looking has changed nothing: the block is sealed with the same roots.
    await other.seal()
    expect((await readBlock(other, 'latest')).stateRoot).toBe(pending.stateRoot)
  })
})

describe('conflicting statements on a pending block: pendingIdentity says which holds', () => {
  const expectations = {
    null: { number: null, hash: null },
    zero: { number: '0x1', hash: ZERO_HASH },
  } as const

  async function preconfirm(pendingIdentity: 'partial' | 'null' | 'zero'): Promise<Scene> {
    const scene = await begin({ pendingIdentity })
    await increment(scene.wallets[0])
    await scene.chain.advance(200)
    return scene
  }

  test("'partial': number and hash are the current number and the partial block's hash, everywhere", async () => {
    const { chain } = await preconfirm('partial')
    const block = await readBlock(chain, 'pending')
    const [receipt] = await readReceipts(chain, 'pending')
    const logs = await chain.request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])
    expect(block.number).toBe('0x1')
    expect(block.hash).toBe(hashOfHeader(block))
    for (const part of [transactionsOf(block)[0], receipt, receipt?.logs[0], logs[0]]) {
      expect(part).toMatchObject({ blockNumber: '0x1', blockHash: block.hash })
    }
  })

  test.each(['null', 'zero'] as const)(
    "'%s': the same in blocks, transactions, receipts and logs",
    async (identity) => {
      const { chain } = await preconfirm(identity)
      const { number, hash } = expectations[identity]
      const block = await chain.request('eth_getBlockByNumber', ['pending', true])
      expect(block).toMatchObject({ number, hash })
      expect(keysOf(block as object)).toEqual(BLOCK_FIELDS)
      const [transaction] = transactionsOf(block as RpcBlock)
      const named = { blockNumber: number, blockHash: hash, transactionIndex: '0x0' }
      expect(transaction).toMatchObject(named)
      expect(await chain.request('eth_getTransactionByHash', [transaction?.hash ?? '0x'])).toEqual(
        transaction,
      )
      const receipts = await chain.request('eth_getBlockReceipts', ['pending'])
      expect(receipts).toMatchObject([{ ...named, logs: [named] }])
      const receipt = await chain.request('eth_getTransactionReceipt', [transaction?.hash ?? '0x'])
      expect([receipt]).toEqual(receipts)
      const logs = await chain.request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])
      expect(logs).toMatchObject([named])
      expect(keysOf(logs[0] as object)).toEqual(LOG_FIELDS)
    },
  )

  test.each(['null', 'zero'] as const)(
    "'%s': what else a pending block shows is the same",
    async (identity) => {
      const named = await preconfirm('partial')
      const unnamed = await preconfirm(identity)
      const { number: _, hash: __, ...block } = await blockAt(named.chain, 'pending')
      const { number, hash } = expectations[identity]
      expect(await blockAt(unnamed.chain, 'pending')).toEqual({ ...block, number, hash })
    },
  )

  test.each(['null', 'zero'] as const)(
    "'%s': a sealed block has its number and hash, everywhere",
    async (identity) => {
      const { chain } = await preconfirm(identity)
      await chain.seal()
      const block = await readBlock(chain, 'latest')
      expect(block.number).toBe('0x1')
      expect(block.hash).toBe(hashOfHeader(block))
      const [receipt] = await readReceipts(chain, 'latest')
      for (const part of [transactionsOf(block)[0], receipt, receipt?.logs[0]]) {
        expect(part).toMatchObject({ blockNumber: '0x1', blockHash: block.hash })
      }
    },
  )
})

describe('fields of a full transaction object', () => {
  let chain: Emulator
  let raws: readonly Hex[]
  let pooled: readonly (RpcTransaction | null)[]
  let pending: readonly RpcTransaction[]
  let sealed: readonly RpcTransaction[]
  beforeAll(async () => {
    const scene = await begin()
    chain = scene.chain
    raws = (await sendOfEveryKind(scene)).raws
    const hashes = await sendAll(chain, raws)
    pooled = await Promise.all(hashes.map((hash) => chain.request('eth_getTransactionByHash', [hash])))
    await chain.advance(200)
    pending = transactionsOf(await readBlock(chain, 'pending'))
    await chain.advance(1800)
    sealed = transactionsOf(await readBlock(chain, 'latest'))
  })
  const inState = (state: string): readonly (RpcTransaction | null)[] =>
    state === 'pooled' ? pooled : state === 'pre-confirmed' ? pending : sealed

  test.each(['pooled', 'pre-confirmed', 'sealed'])(
    'types 0, 1, 2 and 4, %s: exactly their fields',
    (state) => {
      const types = inState(state).map((transaction) => transaction?.type)
      expect([...types].sort()).toEqual(['0x0', '0x1', '0x2', '0x2', '0x4'])
      for (const transaction of inState(state)) {
        const fields = TRANSACTION_FIELDS[transaction?.type ?? '']
        expect(keysOf(transaction as RpcTransaction)).toEqual([...(fields as string[])].sort())
      }
    },
  )

  test('the fields say what was signed', async () => {
    for (const raw of raws) {
      const signed = parseTransaction(raw)
      const shown = sealed.find(({ hash }) => hash === keccak256(raw))
      const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
      expect(shown).toMatchObject({
        from: from.toLowerCase(),
        to: signed.to?.toLowerCase() ?? null,
        nonce: numberToHex(signed.nonce ?? 0),
        gas: numberToHex(signed.gas ?? 0n),
        value: numberToHex(signed.value ?? 0n),
        input: signed.data ?? '0x',
        chainId: numberToHex(31_337),
        r: numberToHex(hexToBigInt(signed.r as Hex)),
        s: numberToHex(hexToBigInt(signed.s as Hex)),
      })
      expect(encodeTransaction(shown as RpcTransaction)).toBe(raw)
    }
  })

  test('v of a legacy transaction has the chain id in it (EIP-155); of a typed one it is yParity', () => {
    for (const { type, v, yParity } of sealed) {
      if (type === '0x0') expect([31_337 * 2 + 35, 31_337 * 2 + 36]).toContain(hexToNumber(v))
      else expect(v).toBe(yParity)
    }
  })

  test('gasPrice: the cap of one that waits, the effective price of one in a block', () => {
    for (const transaction of pooled) expect(hexToBigInt(transaction?.gasPrice as Hex)).toBe(10n * GWEI)
    for (const { type, gasPrice } of [...pending, ...sealed]) {
      const isOlder = type === '0x0' || type === '0x1'
      expect(hexToBigInt(gasPrice)).toBe(isOlder ? 10n * GWEI : TRANSFER_PRICE_1)
    }
  })

  test('blockHash, blockNumber and transactionIndex: null while it waits, then the place in the block', async () => {
    for (const transaction of pooled) {
      expect(transaction).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null })
    }
    const { hash } = await blockAt(chain, 'latest')
    for (const [index, transaction] of sealed.entries()) {
      const place = { blockHash: hash, blockNumber: '0x1', transactionIndex: numberToHex(index) }
      expect(transaction).toMatchObject(place)
      expect(pending[index]).toEqual({ ...transaction, blockHash: pending[index]?.blockHash })
    }
  })
})

describe('filter object', () => {
  let scene: Scene
  let chain: Emulator
  /** One log in block 1, two in block 2, four pre-confirmed in block 3. */
  const numbersOf = async (filter: LogFilterWire): Promise<(Hex | null)[]> =>
    (await chain.request('eth_getLogs', [filter])).map(({ blockNumber }) => blockNumber)
  beforeAll(async () => {
    scene = await begin()
    chain = scene.chain
    const [a, b] = scene.wallets
    await increment(a)
    await chain.advance(2000)
    await a.send({ to: LOGGER, data: emitMany(2), gas: 100_000n })
    await chain.advance(2000)
    await b.send({ to: LOGGER, data: emitMany(3), gas: 100_000n })
    await increment(a)
    await chain.advance(200)
  })

  test('fromBlock and toBlock default to latest', async () => {
    expect(await numbersOf({})).toEqual(['0x2', '0x2'])
    expect(await numbersOf({ fromBlock: '0x1' })).toEqual(['0x1', '0x2', '0x2'])
    expect(await numbersOf({ fromBlock: 'latest' })).toEqual(['0x2', '0x2'])
    expect(await numbersOf({ toBlock: 'latest' })).toEqual(['0x2', '0x2'])
  })

  test('fromBlock and toBlock are hex numbers or block tags', async () => {
    expect(await numbersOf({ fromBlock: '0x1', toBlock: '0x1' })).toEqual(['0x1'])
    expect(await numbersOf({ fromBlock: 'earliest', toBlock: '0x2' })).toEqual(['0x1', '0x2', '0x2'])
    expect(await numbersOf({ fromBlock: 'earliest', toBlock: 'safe' })).toEqual([])
    expect(await numbersOf({ fromBlock: 'finalized', toBlock: 'latest' })).toEqual(['0x1', '0x2', '0x2'])
  })

  test('pending includes pre-confirmed logs', async () => {
    const pending = { fromBlock: 'pending', toBlock: 'pending' } as const
    expect(await numbersOf(pending)).toEqual(['0x3', '0x3', '0x3', '0x3'])
    const all = ['0x1', '0x2', '0x2', '0x3', '0x3', '0x3', '0x3']
    expect(await numbersOf({ fromBlock: 'earliest', toBlock: 'pending' })).toEqual(all)
    expect(await numbersOf({ ...pending, address: COUNTER })).toEqual(['0x3'])
  })

  test('address is one contract address, or an array of addresses', async () => {
    const range = { fromBlock: 'earliest', toBlock: 'latest' } as const
    expect(await numbersOf({ ...range, address: COUNTER })).toEqual(['0x1'])
    expect(await numbersOf({ ...range, address: [LOGGER] })).toEqual(['0x2', '0x2'])
    expect(await numbersOf({ ...range, address: [LOGGER, COUNTER] })).toEqual(['0x1', '0x2', '0x2'])
    expect(await numbersOf({ ...range, address: REVERTER })).toEqual([])
  })

  test('topics: each position is null, one hex string, or an array of which any matches', async () => {
    const range = { fromBlock: 'earliest', toBlock: 'pending' } as const
    const [a, b] = scene.wallets.map(({ address }) => addressTopic(address)) as [Hex, Hex]
    expect(await numbersOf({ ...range, topics: [INCREMENTED] })).toEqual(['0x1', '0x3'])
    expect(await numbersOf({ ...range, topics: [EVENT_1, word(1)] })).toEqual(['0x2', '0x3'])
    expect(await numbersOf({ ...range, topics: [EVENT_1, [word(0), word(2)]] })).toEqual([
      '0x2',
      '0x3',
      '0x3',
    ])
    expect(await numbersOf({ ...range, topics: [null, null, a] })).toEqual(['0x2', '0x2'])
    expect(await numbersOf({ ...range, topics: [[EVENT_1, INCREMENTED], null, [b]] })).toHaveLength(3)
    expect(await numbersOf({ ...range, topics: [] })).toHaveLength(7)
    // Null asks for nothing: Incremented has two topics, Event1 three.
    expect(await numbersOf({ ...range, topics: [null, null, null] })).toHaveLength(7)
  })

  test('blockHash restricts logs to its block; fromBlock and toBlock are then ignored', async () => {
    const { hash } = await blockAt(chain, '0x1')
    expect(await numbersOf({ blockHash: hash })).toEqual(['0x1'])
    expect(await numbersOf({ blockHash: hash, fromBlock: '0x2', toBlock: 'pending' })).toEqual(['0x1'])
    expect(await numbersOf({ blockHash: hash, fromBlock: '0x2', toBlock: '0x1' })).toEqual(['0x1'])
    expect(await numbersOf({ blockHash: hash, address: LOGGER })).toEqual([])
  })
})

describe('log object', () => {
  test.each([
    ['pending', 200],
    ['latest', 2000],
  ] as const)('%s logs have exactly the fields of the table', async (tag, ms) => {
    const { chain, wallets } = await begin()
    const hashes = [
      await wallets[0].send({ to: LOGGER, data: emitMany(2), gas: 100_000n }),
      await increment(wallets[1]),
    ]
    await chain.advance(ms)
    const block = await blockAt(chain, tag)
    const [a, b] = wallets.map(({ address }) => addressTopic(address))
    const place = { blockNumber: '0x1', blockHash: block.hash, blockTimestamp: block.timestamp }
    const logs = await chain.request('eth_getLogs', [{ fromBlock: tag, toBlock: tag }])
    expect(logs.map(keysOf)).toEqual([LOG_FIELDS, LOG_FIELDS, LOG_FIELDS])
    const first = { address: LOGGER, data: '0x', transactionHash: hashes[0], transactionIndex: '0x0' }
    expect(logs).toEqual([
      { ...first, ...place, topics: [EVENT_1, word(0), a], logIndex: '0x0', removed: false },
      { ...first, ...place, topics: [EVENT_1, word(1), a], logIndex: '0x1', removed: false },
      {
        ...place,
        address: COUNTER,
        topics: [INCREMENTED, b],
        // The count is one after the first increment.
        data: word(1),
        transactionHash: hashes[1],
        transactionIndex: '0x1',
        // The position is counted within the block, not within the transaction.
        logIndex: '0x2',
        removed: false,
      },
    ])
  })

  test('topics: 0 to 4 indexed 32-byte topics; data: the parameters that are not indexed', async () => {
    const { chain: other, wallets } = await begin()
    const data = encodeAbiParameters([{ type: 'bytes' }], ['0x0102'])
    const topics = [word(11), word(12), word(13), word(14)] as const
    const bytes: Hex = data.slice(0, 66) as Hex
    const calls = [
      encodeFunctionData({ abi: Logger.abi, functionName: 'log0', args: [bytes] }),
      encodeFunctionData({ abi: Logger.abi, functionName: 'log1', args: ['0x', topics[0]] }),
      encodeFunctionData({ abi: Logger.abi, functionName: 'log2', args: ['0x', topics[0], topics[1]] }),
      encodeFunctionData({
        abi: Logger.abi,
        functionName: 'log3',
        args: ['0x', topics[0], topics[1], topics[2]],
      }),
      encodeFunctionData({ abi: Logger.abi, functionName: 'log4', args: ['0x01', ...topics] }),
    ]
    for (const call of calls) await wallets[0].send({ to: LOGGER, data: call, gas: 100_000n })
    await other.advance(200)
    const logs = await other.request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])
    expect(logs.map((log) => log.topics)).toEqual([0, 1, 2, 3, 4].map((count) => topics.slice(0, count)))
    expect(logs.map((log) => log.data)).toEqual([bytes, '0x', '0x', '0x', '0x01'])
  })

  test('a transaction that fails leaves no logs', async () => {
    const { chain: other, wallets } = await begin()
    // Enough gas to start emitting, and not to finish.
    const hash = await wallets[0].send({ to: LOGGER, data: emitMany(1000), gas: 100_000n })
    await other.advance(200)
    expect(await other.request('eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x0',
      logs: [],
    })
    expect(await other.request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])).toEqual([])
  })
})

describe('receipt object', () => {
  test.each([
    ['pending', 200],
    ['latest', 2000],
  ] as const)('%s receipts have the standard shape', async (tag, ms) => {
    const scene = await begin()
    const { chain } = scene
    const { raws } = await sendOfEveryKind(scene)
    await sendAll(chain, raws)
    await chain.advance(ms)
    const block = await blockAt(chain, tag)
    const receipts = await readReceipts(chain, tag)
    expect(receipts.map(keysOf)).toEqual(raws.map(() => RECEIPT_FIELDS))
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(block.transactions)
    let cumulative = 0n
    for (const [index, receipt] of receipts.entries()) {
      cumulative += hexToBigInt(receipt.gasUsed)
      const place = { blockNumber: '0x1', blockHash: block.hash, transactionIndex: numberToHex(index) }
      expect(receipt).toMatchObject({ ...place, cumulativeGasUsed: numberToHex(cumulative) })
      expect(receipt.logsBloom).toBe(bloomOf(receipt.logs))
      expect(receipt.logs.map(keysOf)).toEqual(receipt.logs.map(() => LOG_FIELDS))
      for (const log of receipt.logs) {
        expect(log).toMatchObject({ ...place, transactionHash: receipt.transactionHash })
      }
      const found = await chain.request('eth_getTransactionReceipt', [receipt.transactionHash])
      expect(found).toEqual(receipt)
    }
  })

  test('type, status, from, to, contractAddress and effectiveGasPrice say what became of a transaction', async () => {
    const scene = await begin()
    await sendAll(scene.chain, (await sendOfEveryKind(scene)).raws)
    await scene.chain.advance(200)
    const [a, b, c, d, e] = scene.wallets.map(({ address }) => address)
    const receipts = await readReceipts(scene.chain, 'pending')
    const of = (from: Hex | undefined) => receipts.find((receipt) => receipt.from === from)
    const old = { effectiveGasPrice: numberToHex(10n * GWEI), contractAddress: null }
    const dynamic = { effectiveGasPrice: numberToHex(TRANSFER_PRICE_1), contractAddress: null }
    expect(of(a)).toMatchObject({ ...old, type: '0x0', status: '0x1', gasUsed: '0x5208' })
    expect(of(b)).toMatchObject({ ...old, type: '0x1', status: '0x1', to: LOGGER })
    const created = getContractAddress({ from: c as Hex, nonce: 0n }).toLowerCase()
    expect(of(c)).toMatchObject({
      ...dynamic,
      type: '0x2',
      status: '0x1',
      to: null,
      contractAddress: created,
    })
    expect(of(d)).toMatchObject({ ...dynamic, type: '0x4', status: '0x1', to: LOGGER })
    expect(of(e)).toMatchObject({ ...dynamic, type: '0x2', status: '0x0', to: REVERTER, logs: [] })
  })
})
