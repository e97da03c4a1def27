// 24 virtual hours: 43,200 blocks, with a transaction in every second one. Memory is bounded for each block, old blocks
// and states read as they were, and a dump loads to the same chain.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createEmulator, type Emulator } from 'tickchain'
import { encodeDeployData, encodeFunctionData, type Hex, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { Token } from '../contracts/generated.ts'

const BLOCK_MS = 2000
const BLOCKS = 43_200
/** Blocks before the first measurement: caches and compiled code appear, and the ring contracts (EIP-4788, EIP-2935) fill up. */
const WARM_UP = 8200
/** Heap and buffers for each block, with half a transaction. */
const MOST_BYTES_PER_BLOCK = 4000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in use, of heap and of buffers outside it. */
function usedBytes(): number {
  for (let round = 0; round < 3; round++) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

interface Soaked {
  readonly chain: Emulator
  readonly accounts: readonly [Hex, Hex]
  readonly token: Hex
}

async function start(stateHistory?: number): Promise<Soaked> {
  const chain = await createEmulator(stateHistory === undefined ? {} : { stateHistory })
  const [alice = '0x', bob = '0x'] = await chain.request('eth_accounts')
  const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [10n ** 24n] })
  const hash = await chain.request('eth_sendTransaction', [{ from: alice, data }])
  await chain.advance(BLOCK_MS)
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  return { chain, accounts: [alice, bob], token: receipt?.contractAddress as Hex }
}

/** Block n has a transaction if n is even: a transfer of a wei, or of a token every fourth block. Block 1 deploys. */
async function run(
  { chain, accounts: [alice, bob], token }: Soaked,
  from: number,
  to: number,
): Promise<void> {
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [bob, 1n] })
  for (let number = from; number <= to; number++) {
    const call =
      number % 4 === 0 ? { from: alice, to: token, data } : { from: alice, to: bob, value: '0x1' as const }
    if (number % 2 === 0) await chain.request('eth_sendTransaction', [call])
    await chain.advance(BLOCK_MS)
  }
}

/** Transfers of wei (blocks 2, 6, 10, …) and of tokens (4, 8, …) up to a block. */
const weiSentBy = (number: number): bigint => BigInt(Math.floor((number + 2) / 4))
const tokensSentBy = (number: number): bigint => BigInt(Math.floor(number / 4))

const SAMPLE = Array.from({ length: 200 }, (_, index) => 1 + ((index * 7919) % (BLOCKS - 1)))

async function expectHistory({ chain, accounts: [, bob], token }: Soaked): Promise<void> {
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [bob] })
  for (const number of SAMPLE) {
    const at = toHex(number)
    expect(BigInt(await chain.request('eth_getBalance', [bob, at]))).toBe(10n ** 22n + weiSentBy(number))
    expect(BigInt(await chain.request('eth_call', [{ to: token, data }, at]))).toBe(tokensSentBy(number))
    const block = await chain.request('eth_getBlockByNumber', [at, false])
    expect(block?.transactions).toHaveLength(number === 1 || number % 2 === 0 ? 1 : 0)
  }
}

async function expectLogs({ chain, accounts: [, bob], token }: Soaked): Promise<void> {
  let found = 0
  for (let from = 2; from <= BLOCKS; from += 1000) {
    const range = { fromBlock: toHex(from), toBlock: toHex(Math.min(from + 999, BLOCKS)) }
    const logs = await chain.request('eth_getLogs', [
      { address: token, topics: [null, null, pad(bob)], ...range },
    ])
    found += logs.length
    expect(await chain.request('eth_getLogs', [{ address: bob, ...range }])).toEqual([])
  }
  expect(found).toBe(BLOCKS / 4)
}

test('24 virtual hours take a bounded amount of memory for each block, and can be read and dumped', async () => {
  const soaked = await start()
  const { chain } = soaked
  const filter = await chain.request('eth_newBlockFilter')
  await run(soaked, 2, WARM_UP)
  const before = usedBytes()
  await run(soaked, WARM_UP + 1, BLOCKS)
  const perBlock = (usedBytes() - before) / (BLOCKS - WARM_UP)
  expect(perBlock).toBeLessThan(MOST_BYTES_PER_BLOCK)
  expect(Number(await chain.request('eth_blockNumber'))).toBe(BLOCKS)
  await expectHistory(soaked)
  await expectLogs(soaked)
  const dumped = await chain.dump()
  const loaded = await createEmulator({ state: dumped })
  await expectHistory({ ...soaked, chain: loaded })
  await expectLogs({ ...soaked, chain: loaded })
  expect(Buffer.from(await loaded.dump()).equals(dumped)).toBe(true)
  for (const each of [chain, loaded]) await each.advance(BLOCK_MS)
  expect(await loaded.request('eth_getBlockByNumber', ['latest', false])).toEqual(
    await chain.request('eth_getBlockByNumber', ['latest', false]),
  )
  const hashes = (await chain.request('eth_getFilterChanges', [filter])) ?? []
  expect(hashes).toHaveLength(BLOCKS)
  const [first, last] = await Promise.all(
    [2, BLOCKS + 1].map((number) => chain.request('eth_getBlockByNumber', [toHex(number), false])),
  )
  expect([hashes[0], hashes.at(-1)]).toEqual([first?.hash, last?.hash])
})

test('a chain that keeps few states takes less', async () => {
  const soaked = await start(64)
  await run(soaked, 2, WARM_UP)
  const before = usedBytes()
  await run(soaked, WARM_UP + 1, WARM_UP + 3000)
  expect((usedBytes() - before) / 3000).toBeLessThan(MOST_BYTES_PER_BLOCK / 2)
})
