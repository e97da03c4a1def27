import { Contract } from 'ethers'
import { createEmulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorConfig } from 'tickchain/viem'
import { chainTest } from 'tickchain/vitest'
import { createPublicClient, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import { Reverter } from '../contracts/generated.ts'

const test = chainTest({ production: 'auto' }, async (chain) => {
  await chain.addContracts({ contractName: 'Reverter', ...Reverter })
  const [from] = await chain.request({ method: 'eth_accounts' })
  const creation = { from: from as Hex, data: Reverter.bytecode }
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [creation] })
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return { from: from as Hex, to: receipt?.contractAddress as Hex }
})

function callOf(text: string): Hex {
  return encodeFunctionData({ abi: Reverter.abi, functionName: 'revertWithString', args: [text] })
}

test('a call that reverts', async ({ chain, context }) => {
  // Expected, and so not what failed.
  const expected = { ...context, data: callOf('expected') }
  await expect(chain.request({ method: 'eth_call', params: [expected] })).rejects.toThrow('expected')
  await chain.request({ method: 'eth_call', params: [{ ...context, data: callOf('the cause') }] })
  await expect(chain.request({ method: 'eth_call', params: [expected] })).rejects.toThrow('expected')
})

test('a call by viem without the error in its ABI', async ({ chain, context }) => {
  const client = createPublicClient(emulatorConfig(chain))
  const abi = parseAbi(['function revertWithCustomError(uint256 code, string reason) view'])
  const call = { address: context.to, abi, functionName: 'revertWithCustomError', args: [7n, 'why'] } as const
  await client.readContract(call).catch((cause: unknown) => {
    throw new Error('the price could not be read', { cause })
  })
})

test('a transaction that reverts', async ({ chain, context }) => {
  const transaction = { ...context, data: callOf('in a block'), gas: '0x186a0' } as const
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [transaction] })
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  expect(receipt?.status).toBe('0x1')
})

test('a call whose reason has that of another in it', async ({ chain, context }) => {
  const cause = { ...context, data: callOf('no more') }
  const error = await chain.request({ method: 'eth_call', params: [cause] }).catch((thrown) => thrown)
  const later = { ...context, data: callOf('no') }
  await expect(chain.request({ method: 'eth_call', params: [later] })).rejects.toThrow('no')
  throw error
})

test('a rejection with another reason', async ({ chain, context }) => {
  const call = { ...context, data: callOf('the longer reason of a call, which vitest shortens') }
  await expect(chain.request({ method: 'eth_call', params: [call] })).rejects.toThrow('a short one')
})

test('a call by a contract of ethers', async ({ chain, context }) => {
  const provider = new EmulatorProvider(chain)
  const { revertWithString } = new Contract(context.to, Reverter.abi, provider)
  try {
    await revertWithString?.staticCall('by ethers')
  } finally {
    provider.destroy()
  }
})

test('a transaction that was expected to revert', async ({ chain, context }) => {
  const transaction = { ...context, data: callOf('expected'), gas: '0x186a0' } as const
  const hash = chain.request({ method: 'eth_sendTransaction', params: [transaction] })
  await expect(hash).toRevertWith('expected')
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
})

test('nothing of another chain', async ({ chain }) => {
  await (await createEmulator()).advance(2000)
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
})
