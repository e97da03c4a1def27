import { beforeEach, expect, test } from '@jest/globals'
import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { type ChainMatchers, chainMatchers } from 'tickchain/matchers'
import { EXPECTED, transferTokens } from './scenario.ts'
import { Token } from './token.ts'

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends ChainMatchers {}
}

let chain: Emulator
expect.extend(chainMatchers(() => chain))

beforeEach(async () => {
  chain = await createEmulator()
})

test('a transfer is pre-confirmed, and then sealed', async () => {
  const { hash, whenPreconfirmed } = await transferTokens(chain)
  expect(whenPreconfirmed).toEqual(EXPECTED)
  await expect(hash).toBePreconfirmed()
  await expect(hash).toEmit({ abi: Token.abi, eventName: 'Transfer', args: { value: 7n } })
  await chain.advance(1600)
  await expect(hash).toBeSealed()
})

test('errors are of the class that is exported', async () => {
  await expect(chain.advance(-1)).rejects.toBeInstanceOf(TickchainError)
})
