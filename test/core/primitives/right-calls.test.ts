// The right calls that messages of wrong ones name: each of them is accepted.

import { createEmulator, TickchainError } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorChain, emulatorConfig, emulatorTransport } from 'tickchain/viem'
import { encodeDeployData } from 'viem'
import { expect, test } from 'vitest'
import { rightCall } from '../../../src/core/primitives/error-table.ts'
import { Token } from '../../contracts/generated.ts'

const CALLS = {
  advance: { ms: 200 },
  jump: '200',
  increaseTime: 60,
  setTime: new Date(0),
  setNextBlockTimestamp: { seconds: 1 },
  setBlockTimestampInterval: 12,
  setIntervalMining: 12_000,
  mine: { count: 1 },
  closePartial: 1,
  reorg: 1,
  revert: '0x1',
  setBalance: 1n,
  deal: '0x1',
  setAllowance: '0x1',
  impersonate: { address: '0x1' },
  delayTransaction: 2,
  subscribe: 'newBlocks',
  unlockAccount: 1,
}

test.each(Object.entries(CALLS))('%s', async (name, wrong) => {
  const chain = await createEmulator()
  await chain.seal()
  const call = (chain as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]
  const error = await call?.(wrong).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TickchainError)
  const { kind, message } = error as TickchainError
  expect(kind).toBe('invalidCall')
  expect(message.endsWith(rightCall(name))).toBe(true)

  const [, right = ''] = rightCall(name).split('; for example: ')
  const [from = '0x'] = await chain.listAccounts()
  const address = await chain.newAccount('secret')
  const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] })
  const creation = await chain.request('eth_sendTransaction', [{ from, data }])
  await chain.seal()
  const token = (await chain.request('eth_getTransactionReceipt', [creation]))?.contractAddress
  const hash = await chain.request('eth_sendTransaction', [{ from, to: from }])
  const names = {
    chain,
    hash,
    address,
    token,
    to: address,
    owner: address,
    spender: from,
    listener: () => {},
  }
  const run = new Function(...Object.keys(names), `return ${right}`)
  await expect(Promise.resolve(run(...Object.values(names)))).resolves.not.toThrow()
})

test('a subscription is no event', async () => {
  const chain = await createEmulator()
  const listen = chain.on as (name: string, listener: () => void) => unknown
  expect(() => listen('newHeads', () => undefined)).toThrow(
    'an event, and for newHeads chain.subscribe, got "newHeads"',
  )
  expect(() => listen('newHeads', () => undefined)).toThrow(rightCall('on'))
  expect(() => listen('partialBlok', () => undefined)).toThrow(
    'an event, such as partialBlock, got "partialBlok"',
  )
  // Wallets have more events than the emulator.
  expect(() => listen('accountsChanged', () => undefined)).not.toThrow()
})

test('clients say what they take', async () => {
  const promise = createEmulator() as never
  const words = /expected an emulator, which await createEmulator\(\) gives, got a promise, without await/
  for (const call of [emulatorConfig, emulatorChain, emulatorTransport]) {
    expect(() => call(promise)).toThrow(words)
    expect(() => call(undefined as never)).toThrow('got nothing')
  }
  expect(() => new EmulatorProvider(promise)).toThrow(words)
})

test.each([
  ['eth_getBlance', '; did you mean eth_getBalance?'],
  ['eth_sendRawTransacton', '; did you mean eth_sendRawTransaction?'],
  ['base_transactionStats', '; did you mean base_transactionStatus?'],
  ['eth_mineBitcoin', ''],
])('of %s', async (method, suggestion) => {
  const error: unknown = await (await createEmulator()).request({ method }).catch((thrown) => thrown)
  const message = `the method ${method} does not exist/is not available${suggestion}`
  expect(error).toMatchObject({ code: -32601, message })
})

test('other functions have none', () => {
  expect(rightCall('setCode')).toBe('')
})
