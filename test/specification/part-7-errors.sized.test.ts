// Specification, part 7: the table of errors, row by row, and cases that it leaves open.

import type { Emulator } from 'tickchain'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { METHODS } from '../../src/core/rpc/registry.ts'
import type { Draft } from '../core/chain/wallet.ts'
import { sampled } from '../size.ts'
import {
  ask,
  GWEI,
  INITIAL_BALANCE,
  post,
  resultOf,
  rpcRequest,
  start,
  TRANSFER_FEE_1,
  type WireAnswer,
} from './setup.ts'

const TO: Hex = `0x${'ab'.repeat(20)}`

/** The same error, over each way in: a rejection, an envelope, and an HTTP response with status 200. */
async function expectRefused(chain: Emulator, raw: Hex, code: number, words: RegExp): Promise<void> {
  const error = { code, message: expect.stringMatching(words) }
  const request = rpcRequest('eth_sendRawTransaction', [raw], 3)
  await expect(chain.request(request)).rejects.toMatchObject(error)
  expect(await post(chain, request)).toStrictEqual({ jsonrpc: '2.0', id: 3, error })
  const response = await chain.fetch('http://chain.invalid', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toStrictEqual({ jsonrpc: '2.0', id: 3, error })
}

describe('eth_sendRawTransaction', () => {
  const nonceTooLow = /^nonce too low(: |$)/
  const insufficientFunds = /^insufficient funds for gas \* price \+ value(: |$)/

  test('part 7: nonce lower than the account\'s current nonce -> -32000 "nonce too low"', async () => {
    const { chain, wallets } = await start()
    const [sender] = wallets
    await sender.send({ to: TO })
    await chain.advance(2000)
    await expectRefused(chain, await sender.sign({ to: TO, value: 1n, nonce: 0 }), -32000, nonceTooLow)
    expect(await resultOf(chain, 'eth_getTransactionCount', [sender.address, 'latest'])).toBe('0x1')
    await expect(sender.send({ to: TO, value: 1n, nonce: 1 })).resolves.toMatch(/^0x/)
  })

  test('part 7: a nonce that is pre-confirmed is used up as well -> -32000 "nonce too low"', async () => {
    const { chain, wallets } = await start()
    const [sender] = wallets
    const raw = await sender.sign({ to: TO })
    await resultOf(chain, 'eth_sendRawTransaction', [raw])
    await chain.advance(200)
    await expectRefused(chain, await sender.sign({ to: TO, value: 1n, nonce: 0 }), -32000, nonceTooLow)
    await expectRefused(chain, raw, -32000, nonceTooLow)
  })

  test('part 7: a nonce higher than the current one is accepted, and waits', async () => {
    const { chain, wallets } = await start()
    const hash = await wallets[0].send({ to: TO, nonce: 1 })
    await chain.advance(2000)
    expect(await resultOf(chain, 'eth_getTransactionReceipt', [hash])).toBeNull()
    expect(await resultOf(chain, 'base_transactionStatus', [hash])).toEqual({ status: 'Known' })
  })

  // 21,000 gas at up to 10 gwei.
  const gasCost = 21_000n * 10n * GWEI

  test('part 7: balance cannot cover gas cost and value -> -32000 "insufficient funds for gas * price + value"', async () => {
    const { chain, wallets } = await start()
    const [sender] = wallets
    const tooMuch = await sender.sign({ to: TO, value: INITIAL_BALANCE - gasCost + 1n, nonce: 0 })
    await expectRefused(chain, tooMuch, -32000, insufficientFunds)
    const all = await sender.sign({ to: TO, value: INITIAL_BALANCE - gasCost, nonce: 0 })
    await expect(resultOf(chain, 'eth_sendRawTransaction', [all])).resolves.toMatch(/^0x/)
  })

  test('part 7: an account without anything cannot pay for gas -> -32000 "insufficient funds for gas * price + value"', async () => {
    const { chain, wallets } = await start({ accounts: [] })
    await expectRefused(chain, await wallets[0].sign({ to: TO, value: 0n }), -32000, insufficientFunds)
  })

  test('part 7: what waits in the pool is counted -> -32000 "insufficient funds for gas * price + value"', async () => {
    const { chain, wallets } = await start()
    const [sender] = wallets
    await sender.send({ to: TO, value: INITIAL_BALANCE - 2n * gasCost, nonce: 0 })
    await expectRefused(chain, await sender.sign({ to: TO, value: 1n, nonce: 1 }), -32000, insufficientFunds)
    await expect(sender.send({ to: TO, value: 0n, nonce: 1 })).resolves.toMatch(/^0x/)
  })

  test('part 7: the balance is the pre-confirmed one', async () => {
    const { chain, wallets } = await start()
    const [sender, receiver] = wallets
    const left = gasCost + 5n
    await sender.send({ to: receiver.address, value: INITIAL_BALANCE - TRANSFER_FEE_1 - left, nonce: 0 })
    await chain.advance(200)
    expect(await resultOf(chain, 'eth_getBalance', [sender.address, 'pending'])).toBe(numberToHex(left))
    await expectRefused(chain, await sender.sign({ to: TO, value: 6n, nonce: 1 }), -32000, insufficientFunds)
    await expect(sender.send({ to: TO, value: 5n, nonce: 1 })).resolves.toMatch(/^0x/)
  })

  test('part 7: an identical transaction is already in the mempool -> -32000 "already known"', async () => {
    const { chain, wallets } = await start()
    const raw = await wallets[0].sign({ to: TO })
    await resultOf(chain, 'eth_sendRawTransaction', [raw])
    await expectRefused(chain, raw, -32000, /^already known$/)
    const queued = await wallets[1].sign({ to: TO, nonce: 7 })
    await resultOf(chain, 'eth_sendRawTransaction', [queued])
    await expectRefused(chain, queued, -32000, /^already known$/)
  })

  test('part 7: one that was replaced is no longer in the mempool, so it is judged as a replacement', async () => {
    const { chain, wallets } = await start()
    const raw = await wallets[0].sign({ to: TO, fee: 10n * GWEI, tip: GWEI, nonce: 0 })
    await resultOf(chain, 'eth_sendRawTransaction', [raw])
    await wallets[0].send({ to: TO, fee: 20n * GWEI, tip: 2n * GWEI, nonce: 0 })
    await expectRefused(chain, raw, -32000, /^replacement transaction underpriced$/)
  })

  const legacy = (fee: bigint): Draft => ({ type: 'legacy', to: TO, nonce: 0, fee })
  const dynamic = (fee: bigint, tip: bigint): Draft => ({ to: TO, nonce: 0, fee, tip })

  test.each([
    ['the same price, another value', legacy(10n * GWEI), { ...legacy(10n * GWEI), value: 1n }],
    ['9.9999999%', legacy(10n * GWEI), legacy(11n * GWEI - 1n)],
    ['a lower price', legacy(10n * GWEI), legacy(9n * GWEI)],
    // 10% more than 1,000,000,001 wei is 1,100,000,001.1.
    ['a wei short of 10%, where that is no whole number', legacy(1_000_000_001n), legacy(1_100_000_001n)],
    ['fee cap and tip by 9%', dynamic(100n * GWEI, 10n * GWEI), dynamic(109n * GWEI, (109n * GWEI) / 10n)],
    ['the fee cap alone', dynamic(10n * GWEI, GWEI), dynamic(20n * GWEI, GWEI)],
    ['the tip alone', dynamic(10n * GWEI, GWEI), dynamic(10n * GWEI, 2n * GWEI)],
    ['a type with one price by 9%', legacy(10n * GWEI), dynamic((109n * GWEI) / 10n, (109n * GWEI) / 10n)],
    ['nothing, from no price at all', dynamic(GWEI, 0n), dynamic(2n * GWEI, 0n)],
  ])(
    'part 7: replacement raised by less than 10% -> -32000 "replacement transaction underpriced": %s',
    async (_, first, second) => {
      const { chain, wallets } = await start()
      const [sender] = wallets
      const hash = await sender.send(first)
      await expectRefused(chain, await sender.sign(second), -32000, /^replacement transaction underpriced$/)
      expect(await resultOf(chain, 'base_transactionStatus', [hash])).toEqual({ status: 'Known' })
    },
  )

  test.each([
    ['10%', legacy(10n * GWEI), legacy(11n * GWEI)],
    ['just over 10%, where that is no whole number', legacy(1_000_000_001n), legacy(1_100_000_002n)],
    ['fee cap and tip by 10%', dynamic(100n * GWEI, 10n * GWEI), dynamic(110n * GWEI, 11n * GWEI)],
    ['another type by 10%', legacy(10n * GWEI), dynamic(11n * GWEI, 11n * GWEI)],
    ['something, from no price at all', dynamic(GWEI, 0n), dynamic(2n * GWEI, 1n)],
  ])(
    'part 7: a replacement that raises the gas price by 10%% or more is accepted: %s',
    async (_, first, second) => {
      const { chain, wallets } = await start()
      const [sender] = wallets
      const replaced = await sender.send(first)
      const hash = await sender.send(second)
      await chain.advance(2000)
      expect(await resultOf(chain, 'eth_getTransactionByHash', [replaced])).toBeNull()
      expect(await resultOf(chain, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    },
  )

  test('part 7: which of two errors is told: a nonce that is too low before a balance that is', async () => {
    const { chain, wallets } = await start()
    await wallets[0].send({ to: TO })
    await chain.advance(200)
    const both = await wallets[0].sign({ to: TO, value: INITIAL_BALANCE, nonce: 0 })
    await expectRefused(chain, both, -32000, nonceTooLow)
  })

  test('part 7: a refused transaction leaves nothing behind', async () => {
    const { chain, wallets } = await start()
    const raw = await wallets[0].sign({ to: TO, value: INITIAL_BALANCE })
    await expectRefused(chain, raw, -32000, insufficientFunds)
    await chain.advance(2000)
    expect(await resultOf(chain, 'eth_getBlockByNumber', ['latest', false])).toMatchObject({
      transactions: [],
    })
  })
})

describe('the other rows', () => {
  test('part 7: eth_getBlockReceipts called on a public endpoint -> HTTP status 403', async () => {
    const { chain } = await start({ endpoint: 'public' })
    const response = await chain.fetch('http://chain.invalid', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rpcRequest('eth_getBlockReceipts', ['latest'])),
    })
    expect(response.status).toBe(403)
  })

  test('part 7: eth_getBlockByNumber of a block that does not exist -> no error, `result` is null', async () => {
    const { chain } = await start()
    const answer = await ask(chain, 'eth_getBlockByNumber', ['0x10', true])
    expect(answer).toStrictEqual({ jsonrpc: '2.0', id: 1, result: null })
  })
})

describe('what it leaves open', () => {
  const values: readonly unknown[] = [
    null,
    true,
    -1,
    1.5,
    1e300,
    '',
    '0x',
    '0x0',
    '0x1',
    '0xzz',
    'latest',
    'pending',
    'earliest',
    `0x${'ff'.repeat(8)}`,
    `0x${'ff'.repeat(20)}`,
    `0x${'ff'.repeat(32)}`,
    `0x${'ff'.repeat(33)}`,
    `0x02${'f8'.repeat(60)}`,
    'x'.repeat(1000),
    '\ud800',
    '__proto__',
    [],
    [[]],
    [null, [null]],
    {},
    { from: `0x${'ff'.repeat(20)}`, value: '0x1' },
    { blockHash: `0x${'00'.repeat(32)}` },
    { blockNumber: '0x1', fromBlock: '0x1', toBlock: '0x0', topics: [[[]]], address: {} },
    {
      to: `0x${'ff'.repeat(20)}`,
      data: '0x00',
      gas: `0x${'ff'.repeat(8)}`,
      gasPrice: `0x${'ff'.repeat(32)}`,
    },
    JSON.parse('{"__proto__":{"from":"0x1"},"constructor":1}'),
  ]

  test.each(sampled(Object.keys(METHODS)))(
    'part 7: whatever %s is asked with, an error has a code other than -32603, and words',
    async (method) => {
      const { chain } = await start({ limits: { stepsPerCall: 1000 } })
      const lists = values.flatMap((value, index) => {
        const other = values[(index * 7 + 3) % values.length]
        return [
          [value],
          [value, other],
          [other, value],
          [value, value, other],
          [value, 'latest'],
          ['0x1', value],
        ]
      })
      const requests = lists.map((params, id) => rpcRequest(method, params, id))
      let isAnswered = false
      const answering = chain.handle(requests).finally(() => {
        isAnswered = true
      })
      // What waits for a receipt waits in virtual time.
      while (!isAnswered) await chain.advance(2000)
      const answers = (await answering) as readonly WireAnswer[]
      expect(answers).toHaveLength(lists.length)
      for (const { id, error } of answers) {
        if (error === undefined) continue
        const words = `${method} ${JSON.stringify(lists[Number(id)])}: ${error.code} ${error.message}`
        expect(error.code, words).toSatisfy(Number.isSafeInteger)
        expect(error.code, words).not.toBe(-32603)
        expect(error.message, words).toMatch(/\S/)
        expect(error.message, words).not.toMatch(/undefined|\[object |NaN/)
      }
    },
  )
})
