// Archived blocks: every read of them gives the same answers as before.

import { gunzipSync } from 'node:zlib'
import { type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { internalsOf } from '../../../../src/core/emulator/internals.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { sampled } from '../../../size.ts'
import { candidates, runWorkload, WORKLOAD_OPTIONS, type Workload } from '../workload.ts'

/** More than are kept as they were sealed. */
const LATER = 150

type Answers = Record<string, unknown>

async function readBlocks(chain: Emulator, from: number, to: number): Promise<Answers> {
  const answers: Answers = {}
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const answer = await chain.request(method, params).catch((error: Error) => error.message)
    answers[`${method} ${JSON.stringify(params)}`] = answer
    return answer
  }
  for (let number = from; number <= to; number++) {
    const tag = toHex(number)
    const block = (await ask('eth_getBlockByNumber', tag, true)) as {
      hash: Hex
      transactions: { hash: Hex }[]
    }
    await ask('eth_getBlockByHash', block.hash, false)
    await ask('eth_getBlockReceipts', tag)
    await ask('debug_getRawBlock', tag)
    await ask('debug_getRawReceipts', tag)
    await ask('eth_getLogs', { fromBlock: tag, toBlock: tag })
    await ask('eth_getLogs', { blockHash: block.hash })
    for (const { hash } of block.transactions) {
      await ask('eth_getTransactionByHash', hash)
      await ask('eth_getTransactionReceipt', hash)
      await ask('eth_getRawTransactionByHash', hash)
    }
  }
  return answers
}

async function readStates({ chain, ...workload }: Workload, from: number, to: number): Promise<Answers> {
  const answers: Answers = {}
  for (let number = from; number <= to; number++) {
    for (const account of candidates({ chain, ...workload })) {
      const slots = workload.slots.get(account)?.slice(0, 4) ?? []
      const proof = await chain.request('eth_getProof', [account, slots, toHex(number)])
      answers[`${number} ${account}`] = [proof, await chain.request('eth_getCode', [account, toHex(number)])]
    }
  }
  return answers
}

async function heightOf(chain: Emulator): Promise<number> {
  return Number(await chain.request('eth_blockNumber'))
}

async function sealMany(chain: Emulator, count: number): Promise<void> {
  for (let sealed = 0; sealed < count; sealed++) await chain.seal()
}

describe.each(sampled(['berlin', 'prague'] as const))('a chain of %s rules', (hardfork) => {
  test.each(['one by one', 'in a run'] as const)('reads the same when blocks were added %s', async (how) => {
    const workload = await runWorkload(hardfork)
    const { chain } = workload
    const head = await heightOf(chain)
    const before = await readBlocks(chain, 0, head)
    const states = await readStates(workload, 0, head)
    expect(Object.keys(before).length).toBeGreaterThan(100)
    if (how === 'in a run') await chain.mine(LATER)
    await sealMany(chain, how === 'in a run' ? 1 : LATER)
    expect(await readBlocks(chain, 0, head)).toEqual(before)
    expect(await readStates(workload, 0, head)).toEqual(states)
  })

  test('with runs, edits and archived blocks reads the same after it was dumped and loaded', async () => {
    const workload = await runWorkload(hardfork)
    const { chain } = workload
    const [from = '0x', to = '0x'] = workload.wallets.map(({ address }) => address)
    await chain.mine(40)
    await chain.request('anvil_setBalance', [to, '0x5'])
    await chain.request('anvil_impersonateAccount', [to])
    for (let sent = 0; sent < LATER; sent++) {
      const sender = sent % 3 === 0 ? from : to
      await chain.request('anvil_setBalance', [sender, toHex(10n ** 18n + BigInt(sent))])
      await chain.request('anvil_impersonateAccount', [sender])
      await chain.request('eth_sendTransaction', [{ from: sender, to: from, value: '0x1', gas: '0x5208' }])
      await chain.advance(sent % 2 === 0 ? 2000 : 6000)
    }
    await chain.mine(3)
    const head = await heightOf(chain)
    const state = await chain.dump()
    const blocks = await readBlocks(chain, 0, head)
    const statesOf = async (each: Emulator) => {
      const ranges = [0, 40, head - 140, head - 2].map((from) =>
        readStates({ ...workload, chain: each }, from, from + 2),
      )
      return Promise.all(ranges)
    }
    const states = await statesOf(chain)
    // As releases before wrote it, without senders.
    const old = JSON.parse(gunzipSync(state).toString(), (key, value) =>
      key === 'sender' ? undefined : value,
    )
    for (const each of [state, new TextEncoder().encode(JSON.stringify(old))]) {
      const loaded = await createEmulator({ ...WORKLOAD_OPTIONS, state: each, hardfork })
      expect(await readBlocks(loaded, 0, head)).toEqual(blocks)
      expect(await statesOf(loaded)).toEqual(states)
      expect(Buffer.from(await loaded.dump()).equals(state)).toBe(true)
    }
    const later = chain.clone()
    await later.rollback(head - 3)
    await later.seal()
    const loaded = await createEmulator({ ...WORKLOAD_OPTIONS, state, hardfork })
    await loaded.rollback(head - 3)
    await loaded.seal()
    expect(await readBlocks(loaded, 0, 4)).toEqual(await readBlocks(later, 0, 4))
  })

  test('is exported, dumped and removed as if its blocks were recent', async () => {
    const { chain } = await runWorkload(hardfork)
    const head = await heightOf(chain)
    const young = chain.clone()
    const blocks = await readBlocks(chain, 0, head)
    const [exported, dumped] = [await young.exportBlocks(), await young.dump()]
    await sealMany(chain, LATER)
    await chain.rollback(LATER)
    expect(await chain.exportBlocks()).toEqual(exported)
    // Sealing moves the clock, and a rollback does not move it back.
    const loaded = await createEmulator({ state: await chain.dump(), hardfork, production: 'manual' })
    const restored = await createEmulator({ state: dumped, hardfork, production: 'manual' })
    expect(await readBlocks(loaded, 0, head)).toEqual(await readBlocks(restored, 0, head))
    expect(await readBlocks(chain, 0, head)).toEqual(blocks)
    await chain.reorg({ depth: head - 1 })
    await young.reorg({ depth: head - 1 })
    expect(await chain.request('eth_getBlockByNumber', ['0x1', true])).toEqual(
      await young.request('eth_getBlockByNumber', ['0x1', true]),
    )
  })
})

test('a proof of an old state does not change, wherever tries are kept', async () => {
  const chain = await createEmulator({ production: 'manual', blockTimeMs: 1 })
  const [from = '0x', to = '0x'] = await chain.request('eth_accounts')
  const proofs: unknown[] = []
  const numbers = [1, 2, 1020, 1024, 1030, 2047, 2048, 2050]
  const prove = (number: number) => chain.request('eth_getProof', [from, [], toHex(number)])
  for (let number = 1; number <= 2050; number++) {
    await chain.request('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
    await chain.seal()
    if (numbers.includes(number)) proofs.push(await prove(number))
  }
  await sealMany(chain, LATER)
  expect(await Promise.all(numbers.map(prove))).toEqual(proofs)
})

test('a transaction of an impersonated account keeps its sender', async () => {
  const chain = await createEmulator({ production: 'auto' })
  const sender = `0x${'5e'.repeat(20)}` as const
  await chain.request('anvil_setBalance', [sender, '0xde0b6b3a7640000'])
  await chain.request('anvil_impersonateAccount', [sender])
  const hash = await chain.request('eth_sendTransaction', [{ from: sender, to: sender, value: '0x1' }])
  const before = await chain.request('eth_getTransactionByHash', [hash])
  expect(before).toMatchObject({ from: sender })
  await sealMany(chain, LATER)
  expect(await chain.request('eth_getTransactionByHash', [hash])).toEqual(before)
})

test('blocks that are archived again after each return to a snapshot are the same, on any branch', async () => {
  const chain = await createEmulator({ production: 'auto' })
  const [from = '0x', to = '0x'] = await chain.request('eth_accounts')
  const transfer = (value: string) => chain.request('eth_sendTransaction', [{ from, to, value }])
  const archived = () => internalsOf('test', chain).session.node.state.chain.blocks.get(5)
  const read = async () => [
    await chain.request('eth_getBlockByNumber', ['0x5', true]),
    await chain.request('eth_getBalance', [to, '0x5']),
  ]
  // The next block archives the fifth.
  for (let sent = 0; sent < 52; sent++) await transfer('0x7')
  const before = await read()
  const recent = archived()
  const found = new Set()
  for (const value of ['0x1', '0x2', '0x3']) {
    const snapshot = await chain.request('evm_snapshot')
    await transfer(value)
    found.add(archived())
    expect(await read()).toEqual(before)
    await chain.request('evm_revert', [snapshot])
    expect(archived()).toBe(recent)
  }
  expect(found.has(recent)).toBe(false)
  expect(found.size).toBe(1)
})
