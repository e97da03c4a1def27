// The right calls that messages of wrong ones name: each of them is accepted.

import { createEmulator, TickchainError } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorChain, emulatorConfig, emulatorTransport } from 'tickchain/viem'
import { expect, test } from 'vitest'
import { rightCall } from '../../src/primitives/right-calls.ts'

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
  const hash = await chain.request('eth_sendTransaction', [{ from, to: from }])
  const address = await chain.newAccount('secret')
  const run = new Function('chain', 'hash', 'address', 'listener', `return ${right}`)
  await expect(Promise.resolve(run(chain, hash, address, () => {}))).resolves.not.toThrow()
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
  const words = /takes an emulator, .* not the promise of one: await createEmulator\(\) first/
  for (const call of [emulatorConfig, emulatorChain, emulatorTransport]) {
    expect(() => call(promise)).toThrow(words)
    expect(() => call(undefined as never)).toThrow('takes an emulator')
  }
  expect(() => new EmulatorProvider(promise)).toThrow(words)
})

test('other functions have none', () => {
  expect(rightCall('setCode')).toBe('')
})
