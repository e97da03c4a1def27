import { readFileSync } from 'node:fs'
import { chainTest } from 'tickchain/vitest'
import { encodeFunctionData } from 'viem'
import { expect } from 'vitest'

const bank = JSON.parse(readFileSync('artifacts/Bank.json', 'utf8'))

const test = chainTest({ production: 'auto' }, async (chain) => {
  const [from = '0x', other = '0x'] = await chain.request('eth_accounts')
  const hash = await chain.request('eth_sendTransaction', [{ from, data: bank.bytecode }])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  return { from, other, to: receipt?.contractAddress as `0x${string}` }
})

const data = encodeFunctionData({ abi: bank.abi, functionName: 'deposit' })

test('a deposit counts without its fee', async ({ chain, context: { from, other, to } }) => {
  for (const sender of [from, other, from]) {
    await chain.request('eth_sendTransaction', [{ from: sender, to, data, value: '0x1f4' }])
  }
  const total = encodeFunctionData({ abi: bank.abi, functionName: 'total', args: [[from, other]] })
  expect(Number(await chain.request('eth_call', [{ to, data: total }]))).toBe(3 * 499)
})

test('a deposit costs what it did', async ({ chain, context: { from, to } }) => {
  const hash = await chain.request('eth_sendTransaction', [{ from, to, data, value: '0x1f4' }])
  await expect(hash).toMatchGasSnapshot('a first deposit')
})
