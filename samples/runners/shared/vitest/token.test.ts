import { chainTest } from 'tickchain/vitest'
import { expect } from 'vitest'
import { EXPECTED, transferTokens } from './scenario.ts'
import { Token } from './token.ts'

const test = chainTest()

test('a transfer is pre-confirmed, and then sealed', async ({ chain }) => {
  const { hash, whenPreconfirmed } = await transferTokens(chain)
  expect(whenPreconfirmed).toEqual(EXPECTED)
  await expect(hash).toBePreconfirmed()
  await expect(hash).toEmit({ abi: Token.abi, eventName: 'Transfer', args: { value: 7n } })
  await chain.advance(1600)
  await expect(hash).toBeSealed()
})
