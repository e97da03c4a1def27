// Forks at a transaction: the state just before it, within its block.

import { expect, test } from 'vitest'
import type { Hash, Hex } from '../../../src/core/primitives/hex.ts'
import { OP_FORKS } from '../../../src/core/rollup/op/forks.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { ask } from './upstreams.ts'

const SOMEBODY: Hex = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'

/** A chain whose block 3 has a transfer of each of four accounts, and the raw bytes of these. */
async function scene() {
  const chain = await createEmulator({ ordering: 'fifo' })
  await chain.mine(2)
  const senders = ((await ask(chain, 'eth_accounts')) as Hex[]).slice(0, 4)
  const hashes: Hash[] = []
  for (const from of senders)
    hashes.push((await ask(chain, 'eth_sendTransaction', { from, to: SOMEBODY, value: '0x1' })) as Hash)
  await chain.advance(2000)
  await chain.mine(2)
  const raws = await Promise.all(hashes.map((hash) => ask(chain, 'eth_getRawTransactionByHash', hash)))
  return { chain, senders, hashes, raws: raws as Hex[] }
}

const balanceAt = async (chain: Emulator, block: string) =>
  Number(await ask(chain, 'eth_getBalance', SOMEBODY, block))

test('a fork at a transaction has what was before it, and the rest of the block is open', async () => {
  const { chain, senders, hashes, raws } = await scene()
  const fork = await createEmulator({
    accounts: { balance: 0n },
    ordering: 'fifo',
    fork: { upstream: chain, block: hashes[2] as Hash },
  })
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x2')
  expect([await balanceAt(fork, 'latest'), await balanceAt(fork, 'pending')]).toEqual([0, 2])
  const pending = (await ask(fork, 'eth_getBlockByNumber', 'pending', false)) as { transactions: Hash[] }
  expect(pending.transactions).toEqual(hashes.slice(0, 2))
  expect(await ask(fork, 'eth_getTransactionCount', senders[2], 'pending')).toBe('0x0')
  for (const raw of raws.slice(2)) await ask(fork, 'eth_sendRawTransaction', raw)
  await fork.seal()
  const shown = (receipt: unknown) => {
    const { blockHash, logs, ...rest } = receipt as { blockHash: Hash; logs: unknown[] }
    return rest
  }
  for (const hash of hashes) {
    const [there, here] = [chain, fork].map((each) => ask(each, 'eth_getTransactionReceipt', hash))
    expect(shown(await here)).toEqual(shown(await there))
  }
  expect(await balanceAt(fork, 'latest')).toBe(4)
})

test('the first transaction of a block is after the block before', async () => {
  const { chain, hashes } = await scene()
  const fork = await createEmulator({ fork: { upstream: chain, block: hashes[0] as Hash } })
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x2')
  expect(await balanceAt(fork, 'pending')).toBe(0)
})

test('a hash of neither a block nor a transaction in one is refused', async () => {
  const { chain } = await scene()
  const [from] = (await ask(chain, 'eth_accounts')) as Hex[]
  const waiting = (await ask(chain, 'eth_sendTransaction', {
    from,
    to: SOMEBODY,
    nonce: '0x9',
    gas: '0x5208',
  })) as Hash
  for (const block of [waiting, `0x${'12'.repeat(32)}` as const])
    await expect(createEmulator({ fork: { upstream: chain, block } })).rejects.toMatchObject({
      kind: 'forkBlockNotFound',
      message: `the upstream has no block or transaction ${block}`,
    })
})

test('a transaction that is not where the upstream says, or another one, is refused', async () => {
  const { chain, hashes, raws } = await scene()
  const forkWith = (change: (method: string, answer: unknown) => unknown) => {
    const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
      change(method, await ask(chain, method, ...params))
    return createEmulator({ fork: { upstream: { request }, block: hashes[2] as Hash } })
  }
  const elsewhere = forkWith((method, answer) =>
    method === 'eth_getTransactionByHash' ? { ...(answer as object), transactionIndex: '0x1' } : answer,
  )
  await expect(elsewhere).rejects.toMatchObject({
    kind: 'upstreamAnswer',
    message: expect.stringContaining(`result.transactions: expected ${hashes[2]} at 1`),
  })
  const another = forkWith((method, answer) => (method === 'eth_getRawTransactionByHash' ? raws[3] : answer))
  await expect(another).rejects.toMatchObject({
    kind: 'upstreamAnswer',
    message: expect.stringContaining('expected a transaction with this hash'),
  })
})

test.each(['canyon', 'isthmus', 'jovian', 'beryl'] as const)(
  'a place in the first block of %s is executed by its rules',
  { tags: 'gate' },
  async (last) => {
    const T = 1_704_067_200
    const line = OP_FORKS.slice(1, OP_FORKS.indexOf(last)).filter((name) => name !== 'karst')
    const fork = { ...Object.fromEntries(line.map((name) => [name, 0])), [last]: T + 6 }
    const options = { rollup: { stack: 'op', fork }, ordering: 'fifo' } as const
    const upstream = await createEmulator(options)
    await upstream.advance(4000)
    const { hash } = await upstream.deposit({ from: SOMEBODY, to: SOMEBODY, mint: 3n })
    await upstream.advance(6000)
    const blockOf = async (chain: Emulator) =>
      (await ask(chain, 'eth_getBlockByNumber', '0x3', false)) as object
    const { transactions } = (await blockOf(upstream)) as { transactions: Hash[] }
    const own = (await ask(upstream, 'eth_getTransactionByHash', hash)) as { blockNumber: Hex }
    expect(own.blockNumber).toBe('0x3')
    const place = { upstream, block: transactions.at(-1) as Hash, roots: 'proven' } as const
    const chain = await createEmulator({ ...options, accounts: { balance: 0n }, fork: place })
    const pending = (await ask(chain, 'eth_getBlockByNumber', 'pending', false)) as object
    expect(Object.keys(pending)).toEqual(Object.keys(await blockOf(upstream)))
    expect((pending as { transactions: Hash[] }).transactions).toEqual(transactions.slice(0, -1))
  },
)
