// The right calls that messages of wrong ones name: each of them is accepted.

import { createEmulator, TickchainError } from 'tickchain'
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

test('other functions have none', () => {
  expect(rightCall('setBalance')).toBe('')
})
