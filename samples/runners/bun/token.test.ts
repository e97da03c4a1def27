import { expect, test } from 'bun:test'
import { createEmulator, type Emulator } from 'tickchain'
import { type ChainMatchers, chainMatchers } from 'tickchain/matchers'
import { EXPECTED, transferTokens } from './scenario.ts'
import { Token } from './token.ts'

declare module 'bun:test' {
  interface Matchers<T> extends ChainMatchers {}
}

let chain: Emulator
expect.extend(chainMatchers(() => chain) as never)

test('a transfer is pre-confirmed, and then sealed', async () => {
  chain = await createEmulator()
  const { hash, whenPreconfirmed } = await transferTokens(chain)
  expect(whenPreconfirmed).toEqual(EXPECTED)
  await expect(hash).toBePreconfirmed()
  await expect(hash).toEmit({ abi: Token.abi, eventName: 'Transfer', args: { value: 7n } })
  await chain.advance(1600)
  await expect(hash).toBeSealed()
})
