import { readFileSync } from 'node:fs'
import { chainTest } from 'tickchain/vitest'
import { encodeFunctionData } from 'viem'
import { expect } from 'vitest'

const bank = JSON.parse(readFileSync('artifacts/Bank.json', 'utf8'))
const data = encodeFunctionData({ abi: bank.abi, functionName: 'deposit' })

const test = chainTest({ production: 'auto' }, async (chain) => {
  const [from = '0x'] = await chain.request('eth_accounts')
  const hash = await chain.request('eth_sendTransaction', [{ from, data: bank.bytecode }])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  chain.label(from, 'Alice')
  return { from, to: receipt?.contractAddress as `0x${string}` }
})

test('a deposit of nothing', async ({ chain, context: { from, to } }) => {
  await chain.request('eth_sendTransaction', [{ from, to, data, value: '0x1f4' }])
  await chain.request('eth_call', [{ from, to, data }])
})

test.each([1, 2])('a name that two tests have', async (value) => {
  expect(value).toBe(0)
})

test('passes', async ({ chain }) => {
  expect(await chain.request('eth_blockNumber')).toBe('0x1')
})

/** Options of a test that is tried again. */
const again = (times: number) => ({ ['retry']: times })

let attempts = 0

test('passes at the second attempt', again(1), async ({ chain }) => {
  expect(await chain.request('eth_blockNumber')).toBe(attempts++ === 0 ? '0x0' : '0x1')
})

test('fails three times', again(2), async ({ chain }) => {
  expect(await chain.request('eth_blockNumber')).toBe('0x9')
})

for (const name of ['one', 'two']) {
  test.concurrent(`beside others: ${name}`, async ({ chain, expect: own }) => {
    own(await chain.request('eth_blockNumber')).toBe(name)
  })
}
