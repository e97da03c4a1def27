import { readFileSync } from 'node:fs'
import { createEmulator } from 'tickchain'
import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'

const bank = JSON.parse(readFileSync('artifacts/Bank.json', 'utf8'))

test('a deposit of nothing fails', async () => {
  const chain = await createEmulator({ production: 'auto' })
  const [from = '0x'] = await chain.request('eth_accounts')
  const hash = await chain.request('eth_sendTransaction', [{ from, data: bank.bytecode }])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  const to = receipt?.contractAddress as `0x${string}`
  const data = encodeFunctionData({ abi: bank.abi, functionName: 'deposit' })
  await chain.request('eth_sendTransaction', [{ from, to, data, gas: '0x30d40' }])
  expect('a test that fails').toBe('counted as well')
})
