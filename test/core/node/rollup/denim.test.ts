// Blocks every 200 ms: times, their deposit and contract, activation in a running chain, and what the node says of them.

import { type Hex, hexToBigInt, hexToNumber, keccak256, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { bytesToHex } from '../../../../src/core/primitives/hex.ts'
import { encodeDeposit } from '../../../../src/core/rollup/deposit.ts'
import { timeDeposit } from '../../../../src/core/rollup/op/base-time.ts'
import { type OpFork, opForksUpTo } from '../../../../src/core/rollup/op/forks.ts'
import { base, createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'

const BASE_TIME = '0x4200000000000000000000000000000000000030'
const IMPLEMENTATION = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30030'
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const ABI = parseAbi([
  'function timestampMillisPart() view returns (uint16)',
  'function timestampMs() view returns (uint64)',
  'function version() view returns (string)',
  'function setTimestampMillisPart(uint16)',
])
const INTERPRETERS = ['wasm', 'reference'] as const
const account = privateKeyToAccount(`0x${'5e'.repeat(32)}`)

type Block = NonNullable<Awaited<ReturnType<typeof blockAt>>>

async function blockAt(chain: Emulator, number: number | 'latest' | 'pending') {
  return chain.request('eth_getBlockByNumber', [number, true])
}

async function blocksOf(chain: Emulator, from = 1): Promise<Block[]> {
  const head = hexToNumber(await chain.request('eth_blockNumber'))
  const numbers = Array.from({ length: head - from + 1 }, (_, index) => from + index)
  return Promise.all(numbers.map(async (number) => (await blockAt(chain, number)) as Block))
}

const msOf = ({ timestampMs }: Block): number | undefined => timestampMs && hexToNumber(timestampMs)

function transfer(nonce: number, fields: object = {}): Promise<Hex> {
  return account.signTransaction({
    ...{ chainId: 8453, nonce, to: account.address, value: 1n, gas: 50_000n },
    ...{ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 7n, ...fields },
  })
}

describe('the deposit that tells the milliseconds', () => {
  beforeAll(loadCrypto)

  // By the specification's formula, with another implementation of RLP and keccak.
  test('block 9, part 600', () => {
    const raw = bytesToHex(encodeDeposit(timeDeposit(9, 600)))
    expect(raw).toBe(
      '0x7ef877a0821a03cf41d4197c4b19f8f5cf89774b6771d14a189bf35f29b2775453bb5d7d94deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000308080830f424080a486bdf3940000000000000000000000000000000000000000000000000000000000000258',
    )
    expect(keccak256(raw)).toBe('0x4df213500d2feb104f67c64d62828d6374ce822948e81128fa5ba1ebe5d0c13d')
  })

  test('block 1,000,000, part 0', () => {
    const deposit = timeDeposit(1_000_000, 0)
    expect(deposit.sourceHash).toBe('0xf4a5b437dead129a5820c7f2cba31ccd541e85b915547e02ea137a4d24ee0764')
    expect(keccak256(bytesToHex(encodeDeposit(deposit)))).toBe(
      '0xbea39ca3b1a9a7d8d92a1b7cfced00f358aed214052c59c65685ee6535846aa2',
    )
  })
})

/** All forks before denim at genesis, and denim at a time. */
function denimAt(time: number): NonNullable<EmulatorOptions['rollup']> {
  const forks = opForksUpTo('cobalt').filter((fork) => fork !== 'bedrock')
  const times: Partial<Record<OpFork, number>> = Object.fromEntries(forks.map((fork) => [fork, 0]))
  return { stack: 'op', fork: { ...times, denim: time } }
}

function createActivating(options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ chainId: 8453, genesis: { timestamp: 1001 }, rollup: denimAt(1006), ...options })
}

describe.each(INTERPRETERS)('with the interpreter %s', (interpreter) => {
  test('five blocks share a second, and each has two deposits of consecutive nonces', async () => {
    const chain = await createEmulator(base({ interpreter, genesis: { timestamp: 1000 } }))
    expect(chain.settings).toMatchObject({ blockTimeMs: 200, partialBlockTimeMs: 200 })
    await chain.advance(2000)
    const blocks = await blocksOf(chain)
    const expected = Array.from({ length: 10 }, (_, index) => 1_000_200 + 200 * index)
    expect(blocks.map(msOf)).toEqual(expected)
    expect(blocks.map(({ timestamp }) => hexToNumber(timestamp))).toEqual([
      ...[1000, 1000, 1000, 1000, 1001, 1001, 1001, 1001, 1001, 1002],
    ])
    for (const [index, { transactions }] of blocks.entries()) {
      expect(transactions).toHaveLength(2)
      const [attributes, time] = transactions as Exclude<(typeof transactions)[number], string>[]
      expect(hexToNumber(attributes!.nonce)).toBe(2 * index)
      expect(time).toMatchObject({
        from: DEPOSITOR,
        to: BASE_TIME,
        gas: '0xf4240',
        nonce: `0x${(2 * index + 1).toString(16)}`,
      })
      expect(hexToNumber(`0x${time!.input.slice(-4)}`)).toBe((200 * (index + 1)) % 1000)
    }
  })

  test('denim comes to a running chain on the seconds of the blocks before it', async () => {
    const chain = await createActivating({ interpreter })
    await chain.advance(4000)
    // The proxy is there, and has no implementation.
    expect(await chain.request('eth_getCode', [BASE_TIME])).not.toBe('0x')
    expect(await chain.request('eth_getStorageAt', [BASE_TIME, IMPLEMENTATION_SLOT])).toMatch(/^0x0+$/)
    await chain.advance(3000)
    // k = ceil((1006 - 1001) / 2) = 3, at 1007.
    const blocks = await blocksOf(chain)
    expect(blocks.map(msOf)).toEqual([
      ...[undefined, undefined, 1_007_000, 1_007_200, 1_007_400, 1_007_600, 1_007_800, 1_008_000],
    ])
    expect(blocks.slice(0, 3).map(({ timestamp }) => hexToNumber(timestamp))).toEqual([1003, 1005, 1007])
    expect('timestampMs' in blocks[1]!).toBe(false)
    expect(await chain.request('eth_getStorageAt', [BASE_TIME, IMPLEMENTATION_SLOT])).toBe(
      `0x${IMPLEMENTATION.slice(2).padStart(64, '0')}`,
    )
    for (const { number } of blocks)
      for (const { status } of (await chain.request('eth_getBlockReceipts', [number!])) ?? [])
        expect(status).toBe('0x1')
  })
})

test('both interpreters build the same blocks', { tags: 'gate' }, async () => {
  const chains = await Promise.all(INTERPRETERS.map((interpreter) => createActivating({ interpreter })))
  for (const chain of chains) await chain.advance(20_000)
  const [fast, reference] = await Promise.all(chains.map((chain) => blocksOf(chain)))
  expect(fast).toEqual(reference)
  expect(fast).toHaveLength(3 + 5 * 14)
})

test('the contract tells the time, and only the depositor sets it', async () => {
  const chain = await createEmulator(base({ genesis: { timestamp: 1000 } }))
  await chain.advance(1400)
  const call = async (data: Hex, from?: Hex) =>
    chain.request('eth_call', [{ to: BASE_TIME, data, ...(from ? { from } : {}) }])
  expect(ABI).toHaveLength(4)
  expect(hexToBigInt(await call('0x7b2fea99'))).toBe(400n)
  expect(hexToBigInt(await call('0x5745a677'))).toBe(1_001_400n)
  const setter = (part: number): Hex => `0x86bdf394${part.toString(16).padStart(64, '0')}`
  await expect(call(setter(200))).rejects.toMatchObject({ data: '0x3c7b5203' })
  for (const part of [100, 801, 1000])
    await expect(call(setter(part), DEPOSITOR)).rejects.toMatchObject({ data: '0xceb5df05' })
  expect(await call(setter(800), DEPOSITOR)).toBe('0x')
})

test('blocks, mined transactions and logs have milliseconds, and nothing else has', async () => {
  // LOG0 of nothing.
  const logger = `0x${'ab'.repeat(20)}` as const
  const alloc = { [account.address]: { balance: 10n ** 18n }, [logger]: { code: '0x60006000a000' } } as const
  const chain = await createEmulator(base({ genesis: { timestamp: 1000, alloc } }))
  const filter = await chain.request('eth_newFilter', [{}])
  const raw = await transfer(0, { to: logger, value: 0n })
  const hash = await chain.request('eth_sendRawTransaction', [raw])
  expect('blockTimestampMs' in ((await chain.request('eth_getTransactionByHash', [hash])) as object)).toBe(
    false,
  )
  await chain.advance(400)
  const expected = { blockTimestampMs: '0xf4308' }
  const number = 1
  expect(hexToNumber('0xf4308')).toBe(1_000_200)
  const block = (await blockAt(chain, number)) as Block
  expect(block).toMatchObject({ timestamp: '0x3e8', timestampMs: '0xf4308' })
  expect(block.transactions[2]).toMatchObject({ hash, ...expected })
  expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject(expected)
  expect(await chain.request('eth_getTransactionByBlockNumberAndIndex', [1, 2])).toMatchObject(expected)
  expect(await chain.request('eth_getTransactionByBlockHashAndIndex', [block.hash!, 0])).toMatchObject(
    expected,
  )
  expect(await chain.request('eth_getHeaderByNumber', [1])).toMatchObject({ timestampMs: '0xf4308' })
  expect(await chain.request('eth_getLogs', [{ fromBlock: 0 }])).toMatchObject([expected])
  expect(await chain.request('eth_getFilterChanges', [filter])).toMatchObject([expected])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  expect(receipt?.logs).toMatchObject([expected])
  expect('blockTimestampMs' in receipt!).toBe(false)
  const pending = (await blockAt(chain, 'pending')) as Block
  expect('timestampMs' in pending).toBe(false)
})

test('every block is told of, and nothing of what flashblocks told', async () => {
  const chain = await createEmulator(
    base({ genesis: { timestamp: 1000, alloc: { [account.address]: { balance: 10n ** 18n } } } }),
  )
  const told: string[] = []
  chain.on('message', ({ data }) => told.push(JSON.stringify(data)))
  for (const kind of ['newFlashblocks', 'newFlashblockTransactions', 'pendingLogs'] as const)
    expect(await chain.request('eth_subscribe', [kind])).toMatch(/^0x/)
  await chain.request('eth_sendRawTransaction', [await transfer(0)])
  await chain.advance(1000)
  expect(told).toEqual([])
  await chain.request('eth_subscribe', ['newHeads'])
  await chain.advance(1000)
  expect(told).toHaveLength(5)
  expect(told[4]).toContain('"timestampMs":"0xf4a10"')
})

test('flashblocks of the blocks before denim are told, also where one call goes beyond them', async () => {
  const chain = await createActivating()
  const numbers: Hex[] = []
  chain.on('message', ({ data }) => numbers.push((data.result as { number: Hex }).number))
  await chain.request('eth_subscribe', ['newFlashblocks'])
  await chain.advance(8000)
  // Blocks 1 and 2, and 3, which is built on one before denim.
  expect([...new Set(numbers)]).toEqual(['0x1', '0x2', '0x3'])
  // Each with its deposits, and ten more.
  expect(numbers).toHaveLength(3 * 11)
})

test('a transaction is found once its block is canonical, and not waited for', async () => {
  const alloc = { [account.address]: { balance: 10n ** 18n } }
  const chain = await createEmulator(base({ genesis: { timestamp: 1000, alloc } }))
  const raw = await transfer(0)
  // Whatever it is given.
  for (const given of [raw, '0x02'])
    await expect(chain.request('eth_sendRawTransactionSync', [given])).rejects.toMatchObject({
      code: -32601,
      message: expect.stringMatching(/not available; did you mean eth_sendRawTransaction\?$/),
    })
  const hash = await chain.request('eth_sendRawTransaction', [raw])
  await chain.closePartial()
  expect(await chain.request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({ blockHash: null })
  await chain.advance(200)
  expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
    status: '0x1',
    blockNumber: '0x1',
  })
})

describe('another way than the clock', () => {
  test('jump, automine, and a timestamp that is asked for', async () => {
    const chain = await createEmulator(base({ genesis: { timestamp: 1000 } }))
    await chain.jump(1650)
    expect(msOf((await blockAt(chain, 'latest')) as Block)).toBe(1_001_600)
    await chain.request('evm_setNextBlockTimestamp', [1001])
    await chain.seal()
    expect(msOf((await blockAt(chain, 'latest')) as Block)).toBe(1_001_800)
    await expect(chain.request('evm_setNextBlockTimestamp', [1001])).rejects.toMatchObject({
      message: expect.stringContaining('1001'),
    })
    await chain.request('evm_setNextBlockTimestamp', [1010])
    await chain.seal()
    expect(msOf((await blockAt(chain, 'latest')) as Block)).toBe(1_010_000)
    const auto = await createEmulator(base({ production: 'auto', genesis: { timestamp: 1000 } }))
    await auto.seal()
    await auto.seal()
    expect(msOf((await blockAt(auto, 'latest')) as Block)).toBe(1_000_400)
  })

  test('replaced blocks keep their times', async () => {
    const chain = await createActivating()
    await chain.advance(8000)
    const before = await blocksOf(chain)
    await chain.reorg({ depth: 8 })
    expect((await blocksOf(chain)).map(msOf)).toEqual(before.map(msOf))
    expect(chain.settings.blockTimeMs).toBe(200)
  })

  test('a rollback to before denim brings the longer blocks back', async () => {
    const chain = await createActivating()
    await chain.advance(7000)
    await chain.request('anvil_rollback', [6])
    expect(chain.settings).toMatchObject({ blockTimeMs: 2000, partialBlockTimeMs: 200 })
  })

  test.each(INTERPRETERS)(
    'over dump, load, revert and clone, with %s',
    { tags: 'gate' },
    async (interpreter) => {
      const chain = await createActivating({ interpreter })
      await chain.advance(2000)
      const snapshot = await chain.snapshot()
      await chain.advance(5400)
      const copy = await chain.clone()
      const loaded = await createActivating({ interpreter })
      await loaded.load(await chain.dump())
      for (const each of [chain, copy, loaded]) await each.advance(1000)
      const blocks = await blocksOf(chain)
      expect(await blocksOf(copy)).toEqual(blocks)
      expect(await blocksOf(loaded)).toEqual(blocks)
      await chain.revert(snapshot)
      expect(chain.settings.blockTimeMs).toBe(2000)
      await chain.advance(6400)
      expect(await blocksOf(chain)).toEqual(blocks)
    },
  )

  test('an export is imported, and a block without its deposit is refused', async () => {
    const chain = await createActivating()
    await chain.advance(7400)
    const other = await createActivating()
    await other.importBlocks(await chain.exportBlocks())
    expect(await blocksOf(other)).toEqual(await blocksOf(chain))
    expect(other.settings.blockTimeMs).toBe(200)
    const early = await createActivating({ rollup: denimAt(1008) })
    await expect(early.importBlocks(await chain.exportBlocks())).rejects.toMatchObject({
      message: expect.stringContaining('time deposits'),
    })
  })
})

describe('what is refused', () => {
  test('another block time than the fork has', async () => {
    await expect(createEmulator(base({ blockTimeMs: 2000 }))).rejects.toThrow(
      /^invalid option blockTimeMs: expected 200, the time of blocks under "denim", got 2000/,
    )
  })

  test('a transaction of EIP-8130, by its name', async () => {
    const chain = await createEmulator(base())
    await expect(chain.request('eth_sendRawTransaction', ['0x79c0'])).rejects.toThrow(
      /0x79 is that of EIP-8130/,
    )
    await expect(chain.request('eth_sendTransaction', [{ type: '0x79' }])).rejects.toThrow(
      /0x79 is that of EIP-8130/,
    )
  })

  test('a nonce key, in the words of the network', async () => {
    const ask = async (options: EmulatorOptions): Promise<unknown> =>
      (await createEmulator(options)).request('eth_getTransactionCount', [account.address, 'latest', '0x1'])
    // base/base, crates/common/rpc-types, EIP8130_PRE_ZENITH_RPC_ERROR
    await expect(ask(base())).rejects.toMatchObject({
      code: -32602,
      message:
        'EIP-8130 RPC features are not active before the Zenith hard fork; the `nonce_key` parameter is not supported at this block',
    })
    await expect(ask({})).rejects.toMatchObject({
      code: -32602,
      message: 'too many arguments, want at most 2',
    })
  })

  test('the gas cap of 2^24, but of deposits', async () => {
    const alloc = { [account.address]: { balance: 10n ** 18n } }
    for (const fork of ['jovian', 'azul'] as const) {
      const chain = await createEmulator(base({ fork, genesis: { alloc } }))
      const sent = chain.request('eth_sendRawTransaction', [await transfer(0, { gas: 16_777_217n })])
      if (fork === 'jovian') await sent
      else await expect(sent).rejects.toMatchObject({ message: expect.stringContaining('16777216') })
      const deposit = { from: account.address, to: account.address, gasLimit: 18_000_000, mint: 5n }
      const { hash } = await chain.deposit(deposit)
      await chain.advance(4000)
      expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    }
  })
})
