// What is before the fork, and across it: as the forked chain itself answers.

import { encodeDeployData, encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Hash, Hex } from '../../../src/core/primitives/hex.ts'
import { block, blockTagOrNumber } from '../../../src/core/rpc/codecs/basic.ts'
import { stateContext } from '../../../src/core/rpc/codecs/trace-config.ts'
import type { Method } from '../../../src/core/rpc/method.ts'
import { METHODS } from '../../../src/core/rpc/registry.ts'
import { createEmulator, type Emulator, type TickchainError } from '../../../src/index.ts'
import { Token } from '../../contracts/generated.ts'
import { ask, type Wire, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** The clock of a chain that was rolled back is ahead, so times and hashes of blocks differ. */
const OTHERWISE: ReadonlySet<string> = new Set(['blockHash', 'blockTimestamp', 'timestamp'])
const UNKNOWN: Hash = `0x${'12'.repeat(32)}`

let chain: Emulator
let token: Hex
/** The transfers of tokens in the blocks 2 to 5. */
let transfers: Hash[]
let hashes: Hash[]

async function transfer(on: Emulator): Promise<Hash> {
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, 1n] })
  const hash = await ask(on, 'eth_sendTransaction', { from: FIRST, to: token, data })
  await on.seal()
  return hash as Hash
}

/** A chain of which the upstream shows all blocks, with a fork at block 4. */
async function forked(): Promise<{ readonly fork: Emulator; readonly wire: Wire }> {
  const wire = wireTo(chain)
  return {
    fork: await createEmulator({ accounts: { balance: 0n }, fork: { upstream: wire, block: 4 } }),
    wire,
  }
}

beforeAll(async () => {
  chain = await createEmulator()
  const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] })
  const hash = await ask(chain, 'eth_sendTransaction', { from: FIRST, data })
  await chain.seal()
  token = ((await ask(chain, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }).contractAddress
  transfers = []
  for (let block = 2; block <= 5; block++) transfers.push(await transfer(chain))
  const blocks = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((number) => ask(chain, 'eth_getBlockByNumber', `0x${number}`, false)),
  )
  hashes = blocks.map((block) => (block as { hash: Hash }).hash)
})

const balanceOf = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [SECOND] })

test('blocks, transactions and receipts up to the fork are those of the chain', async () => {
  const { fork } = await forked()
  const requests: readonly (readonly [string, ...unknown[]])[] = [
    ['eth_getBlockByNumber', '0x4', true],
    ['eth_getBlockByNumber', 'earliest', false],
    ['eth_getBlockByNumber', 2, true],
    ['eth_getBlockByHash', hashes[3], true],
    ['eth_getBlockByHash', hashes[4], false],
    ['eth_getHeaderByNumber', '0x1'],
    ['eth_getBlockReceipts', '0x4'],
    ['eth_getBlockReceipts', { blockHash: hashes[2] }],
    ['eth_getBlockTransactionCountByNumber', '0x4'],
    ['eth_getBlockTransactionCountByHash', hashes[3]],
    ['eth_getTransactionByBlockNumberAndIndex', '0x2', '0x0'],
    ['eth_getTransactionByBlockHashAndIndex', hashes[2], '0x0'],
    ['eth_getTransactionByHash', transfers[0]],
    ['eth_getTransactionReceipt', transfers[2]],
    ['eth_getRawTransactionByHash', transfers[1]],
    ['debug_getRawHeader', '0x3'],
    ['debug_traceTransaction', transfers[0], { tracer: 'callTracer' }],
    ['trace_transaction', transfers[0]],
    ['eth_getProof', token, ['0x0'], '0x4'],
    ['eth_getProof', token, ['0x0'], '0x2'],
  ]
  for (const request of requests) {
    expect(await ask(fork, ...request), request.join(' ')).toEqual(await ask(chain, ...request))
  }
})

test('states before the fork are those of the chain', async () => {
  const { fork } = await forked()
  const requests: readonly (readonly [string, ...unknown[]])[] = [
    ['eth_getBalance', FIRST, '0x1'],
    ['eth_getTransactionCount', FIRST, '0x3'],
    ['eth_getTransactionCount', FIRST, { blockHash: hashes[2] }],
    ['eth_getCode', token, '0x0'],
    ['eth_getStorageAt', token, '0x0', '0x3'],
    ['eth_call', { to: token, data: balanceOf }, '0x2'],
    ['eth_estimateGas', { from: FIRST, to: token, data: balanceOf }, '0x3'],
    ['debug_traceCallMany', [{ transactions: [{ to: token, data: balanceOf }] }], { blockNumber: '0x2' }],
    ['debug_traceCallMany', [{ transactions: [{ to: token }] }], { blockNumber: 4, transactionIndex: 0 }],
    ['debug_getModifiedAccountsByNumber', '0x2'],
    ['debug_getModifiedAccountsByNumber', '0x2', '0x4'],
    ['debug_getModifiedAccountsByHash', hashes[1], hashes[3]],
    ['tickchain_getStorage', token, '0x3'],
    ['tickchain_traceTransaction', transfers[0]],
    ['tickchain_getTransactionOutcome', transfers[0]],
  ]
  for (const request of requests) {
    expect(await ask(fork, ...request), request.join(' ')).toEqual(await ask(chain, ...request))
  }
  expect(await ask(fork, 'eth_getTransactionCount', FIRST, '0x3')).toBe('0x3')
  // The state after the block of the fork is the chain's own.
  await fork.setBalance(SECOND, 7n)
  const bundles = [{ transactions: [{ to: SECOND }] }]
  const tracer = { tracer: 'prestateTracer' }
  const [[traced]] = (await ask(fork, 'debug_traceCallMany', bundles, { blockNumber: '0x4' }, tracer)) as [
    [unknown],
  ]
  expect(traced).toMatchObject({ [SECOND]: { balance: '0x7' } })
})

test('each read with a block says who answers before a fork', () => {
  const blocks: ReadonlySet<unknown> = new Set([block, blockTagOrNumber, stateContext])
  const left = Object.entries(METHODS as unknown as Readonly<Record<string, Method>>).filter(
    ([, method]) =>
      method.kind === 'read' &&
      method.beforeFork === 'handler' &&
      method.params.some(({ codec, subject }) => blocks.has(codec) && subject === undefined),
  )
  // Its handler joins the blocks of both sides.
  expect(left.map(([name]) => name)).toEqual(['eth_feeHistory'])
})

type RevertError = TickchainError & { readonly data: Hex }

test.each([
  ['a node', (error: RevertError) => error],
  ['viem', (error: RevertError) => Object.assign(new Error('unknown'), { code: -1, cause: error })],
  [
    'Hardhat',
    ({ code, message, data }: RevertError) =>
      Object.assign(new Error(message), { code, data: { message, data } }),
  ],
])('a call that reverts before the fork does so in a replay, too, by the error of %s', async (_, wrapped) => {
  const { wire } = await forked()
  let text: string | undefined
  const recording = {
    read: () => text,
    write: (written: string) => {
      text = written
    },
  }
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, 10n ** 30n] })
  const call = [{ from: FIRST, to: token, data }, '0x2'] as const
  const errorOn = async (on: Emulator, method: string): Promise<RevertError> =>
    (await ask(on, method, ...call).catch((error) => error)) as RevertError
  const expected = await errorOn(chain, 'eth_call')
  expect(expected).toMatchObject({ kind: 'reverted', data: expect.stringMatching(/^0x/) })
  wire.answer = ({ method }) =>
    method === 'eth_call' || method === 'eth_estimateGas' ? wrapped(expected) : undefined
  const { message, data: bytes } = expected
  for (const source of [{ upstream: wire }, {}]) {
    const fork = await createEmulator({ hardfork: 'prague', fork: { ...source, block: 4, recording } })
    for (const method of ['eth_call', 'eth_estimateGas'])
      expect(await errorOn(fork, method)).toMatchObject({ kind: 'reverted', code: 3, message, data: bytes })
  }
})

test('what the chain did after the fork is not there', async () => {
  const { fork } = await forked()
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x4')
  expect(await ask(fork, 'eth_getTransactionCount', FIRST, 'latest')).toBe('0x4')
  expect(await ask(fork, 'eth_getBlockByNumber', '0x5', false)).toBeNull()
  expect(await ask(fork, 'eth_getBlockByHash', hashes[5], false)).toBeNull()
  expect(await ask(fork, 'eth_getTransactionByHash', transfers[3])).toBeNull()
  expect(await ask(fork, 'eth_getTransactionReceipt', transfers[3])).toBeNull()
  expect(await ask(fork, 'eth_getTransactionReceipt', UNKNOWN)).toBeNull()
  await expect(ask(fork, 'eth_getLogs', { blockHash: hashes[5] })).rejects.toMatchObject({
    kind: 'blockNotFound',
  })
})

test('logs come from both sides of the fork, each once and in their order', async () => {
  const { fork } = await forked()
  const own = [await transfer(fork), await transfer(fork)]
  const places = async (filter: Record<string, unknown>): Promise<unknown[]> => {
    const logs = (await ask(fork, 'eth_getLogs', { address: token, ...filter })) as {
      blockNumber: Hex
      transactionHash: Hash
    }[]
    return logs.map(({ blockNumber, transactionHash }) => [Number(blockNumber), transactionHash])
  }
  const before = transfers.slice(0, 3).map((hash, index) => [index + 2, hash])
  const after = own.map((hash, index) => [index + 5, hash])
  expect(await places({ fromBlock: '0x2', toBlock: 'latest' })).toEqual([...before, ...after])
  expect(await places({ fromBlock: '0x3', toBlock: '0x4' })).toEqual(before.slice(1))
  expect(await places({ fromBlock: '0x4', toBlock: '0x5' })).toEqual([before[2], after[0]])
  expect(await places({ fromBlock: '0x5', toBlock: '0x6' })).toEqual(after)
  expect(await places({ blockHash: hashes[4] })).toEqual([before[2]])
  const topics = (who: Hex): unknown[] => [null, null, [`0x${'00'.repeat(12)}${who.slice(2)}`]]
  expect(await places({ fromBlock: '0x2', toBlock: '0x6', topics: topics(SECOND) })).toEqual([
    ...before,
    ...after,
  ])
  expect(await places({ fromBlock: '0x2', toBlock: '0x6', topics: topics(FIRST) })).toEqual([])
  const id = await ask(fork, 'eth_newFilter', { fromBlock: '0x4', toBlock: '0x5', address: token })
  expect(await ask(fork, 'eth_getFilterLogs', id)).toHaveLength(2)
})

test('a fee history has the blocks of both sides', async () => {
  const { fork } = await forked()
  const copy = await createEmulator({ state: await chain.dump() })
  await copy.rollback(1)
  for (const each of [copy, fork]) for (let block = 0; block < 2; block++) await transfer(each)
  for (const request of [
    ['0x4', 'latest', [10, 50]],
    ['0x2', 'latest'],
    ['0x2', '0x3', [50]],
    ['0x2', '0x4'],
    ['0x10', '0x5'],
  ]) {
    expect(await ask(fork, 'eth_feeHistory', ...request)).toEqual(
      await ask(copy, 'eth_feeHistory', ...request),
    )
  }
})

test('a fee history is without what an upstream older than blobs lacks', async () => {
  const { fork, wire } = await forked()
  const history = async (on: Emulator, ...asked: readonly unknown[]): Promise<object> => {
    const all = (await ask(on, 'eth_feeHistory', ...asked)) as object
    return Object.fromEntries(Object.entries(all).filter(([name]) => !/blob/i.test(name)))
  }
  const whole = await forked()
  for (const each of [fork, whole.fork]) await transfer(each)
  const older = await history(chain, '0x2', '0x4', [50])
  wire.answer = ({ method }) => (method === 'eth_feeHistory' ? older : undefined)
  const crossing = ['0x3', 'latest', [50]]
  expect(await ask(fork, 'eth_feeHistory', ...crossing)).toEqual(await history(whole.fork, ...crossing))
})

test('a contract reads the hashes of blocks before the fork', async () => {
  const { fork, wire } = await forked()
  await fork.seal()
  // BLOCKHASH of its input, returned.
  await fork.setCode(SECOND, '0x5f35405f5260205ff3')
  const hashOf = (number: number) =>
    ask(fork, 'eth_call', { to: SECOND, data: `0x${number.toString(16).padStart(64, '0')}` }, 'pending')
  expect(await hashOf(1)).toBe(hashes[1])
  expect(await hashOf(3)).toBe(hashes[3])
  expect(await hashOf(4)).toBe(hashes[4])
  expect(await hashOf(5)).toBe(
    ((await ask(fork, 'eth_getBlockByNumber', '0x5', false)) as { hash: Hash }).hash,
  )
  const older = wire.asked.filter(
    ({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === '0x1',
  )
  expect(older).toHaveLength(1)
})

test('searches find what is on both sides of the fork, as on one chain', { tags: 'gate' }, async () => {
  const copy = await createEmulator({ state: await chain.dump() })
  await copy.rollback(1)
  const fork = await createEmulator({ accounts: { balance: 0n }, fork: { upstream: chain, block: 4 } })
  for (const each of [copy, fork]) for (let block = 0; block < 3; block++) await transfer(each)
  const filters = [
    { fromBlock: '0x2', toBlock: 'latest' },
    { fromBlock: '0x1', toBlock: '0x4' },
    { fromBlock: '0x2', toBlock: '0x6', toAddress: [token], after: 1, count: 3 },
    { fromBlock: '0x2', toBlock: '0x6', after: 2 },
    { fromBlock: '0x1', toBlock: 'latest', fromAddress: [SECOND] },
    { fromBlock: '0x5', toBlock: '0x6' },
    { fromBlock: '0x1', toBlock: 'latest', fromAddress: [FIRST], toAddress: [token], mode: 'intersection' },
  ]
  const pages: readonly (readonly [string, number, number])[] = [
    ...[0, 1, 3, 4, 5, 6, 8].flatMap((number) =>
      [1, 2, 4, 25].flatMap((size) => [
        ['ots_searchTransactionsBefore', number, size] as const,
        ['ots_searchTransactionsAfter', number, size] as const,
      ]),
    ),
  ]
  const requests: readonly (readonly [string, ...unknown[]])[] = [
    ...filters.map((filter) => ['trace_filter', filter] as const),
    ...[0, 2, 3, 4, 5, 9].map((nonce) => ['ots_getTransactionBySenderAndNonce', FIRST, nonce] as const),
    ...[1, 6, 9].map((nonce) => ['eth_getTransactionBySenderAndNonce', FIRST, nonce] as const),
    ['ots_getContractCreator', token],
    ['ots_getContractCreator', SECOND],
  ]
  const shown = async (on: Emulator, [method, ...params]: readonly [string, ...unknown[]]) =>
    JSON.parse(
      JSON.stringify((await ask(on, method, ...params)) ?? null, (key, value) =>
        OTHERWISE.has(key) ? undefined : value,
      ),
    )
  for (const request of requests)
    expect(await shown(fork, request), JSON.stringify(request)).toEqual(await shown(copy, request))
  for (const [method, number, size] of pages) {
    const request = [method, FIRST, number, size] as const
    const [here, there] = [await shown(fork, request), await shown(copy, request)]
    expect([here.txs, here.receipts], JSON.stringify(request)).toEqual([there.txs, there.receipts])
    // A page that ends where the fork is may say that there are more.
    if (here.firstPage) expect(there.firstPage, JSON.stringify(request)).toBe(true)
    if (here.lastPage) expect(there.lastPage, JSON.stringify(request)).toBe(true)
  }
  await expect(ask(fork, 'trace_filter', { fromBlock: '0x1', toBlock: '0x63' })).rejects.toMatchObject({
    kind: 'blockRangeBeyondHead',
  })
  await expect(ask(fork, 'trace_filter', { fromBlock: '0x3', toBlock: '0x2' })).rejects.toMatchObject({
    kind: 'blockRangeReversed',
  })
})

test('proofs of states above the fork are refused', async () => {
  const { fork } = await forked()
  await fork.seal()
  for (const request of [
    ['eth_getProof', token, [], 'latest'],
    ['eth_getAccount', token, 'latest'],
    ['debug_executionWitness', 'latest'],
  ] as const) {
    const [method, ...params] = request
    await expect(ask(fork, method, ...params)).rejects.toMatchObject({ kind: 'proofOnFork' })
  }
})

test('a reorganisation goes down to the fork and not below', async () => {
  const { fork } = await forked()
  await fork.mine(2)
  const failed = (await fork.reorg({ depth: 3 }).catch((error) => error)) as TickchainError
  expect(failed.kind).toBe('reorgBelowFork')
  expect(failed.message).toBe(
    'a reorganisation of depth 3 is too deep: 2 blocks stand above block 4, where the chain was forked',
  )
  await expect(fork.rollback(3)).rejects.toMatchObject({ kind: 'reorgBelowFork' })
  await expect(ask(fork, 'anvil_reorg', 3, [])).rejects.toMatchObject({ kind: 'reorgBelowFork' })
  const [before] = [await ask(fork, 'eth_getBlockByNumber', '0x5', false)]
  await fork.reorg({ depth: 2, blocks: [[], []] })
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x6')
  await fork.rollback(2)
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x4')
  expect(await ask(fork, 'eth_getBlockByNumber', 'latest', false)).toEqual(
    await ask(chain, 'eth_getBlockByNumber', '0x4', false),
  )
  expect(before).toMatchObject({ number: '0x5', parentHash: hashes[4] })
})

test('the chain id, the clock, the fees and the rules are those of the block', async () => {
  const { fork } = await forked()
  const head = (await ask(chain, 'eth_getBlockByNumber', '0x4', false)) as Record<string, Hex>
  expect(await ask(fork, 'eth_chainId')).toBe('0x7a69')
  expect(fork.now).toBe(Number(head['timestamp']) * 1000)
  expect(await ask(fork, 'anvil_nodeInfo')).toMatchObject({
    currentBlockNumber: '0x4',
    currentBlockHash: hashes[4],
    hardFork: 'prague',
    forkConfig: { forkUrl: null, forkBlockNumber: 4, forkRetryBackoff: null },
  })
  expect(await ask(fork, 'hardhat_metadata')).toMatchObject({
    forkedNetwork: { chainId: 31_337, forkBlockNumber: 4, forkBlockHash: hashes[4] },
  })
  await fork.seal()
  const next = (await ask(fork, 'eth_getBlockByNumber', '0x5', false)) as Record<string, Hex>
  const onChain = (await ask(chain, 'eth_getBlockByNumber', '0x5', false)) as Record<string, Hex>
  expect(next['baseFeePerGas']).toBe(onChain['baseFeePerGas'])
  expect(next['gasLimit']).toBe(head['gasLimit'])
})
