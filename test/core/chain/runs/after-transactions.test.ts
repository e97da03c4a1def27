// A block that is mined alone after transactions is sealed at once, and one of several is built when it is read.

import { expect, test } from 'vitest'
import { base, createEmulator } from '../../../../src/index.ts'

const TO = `0x${'70'.repeat(20)}`

test.each([
  { name: 'Ethereum', options: {} },
  { name: 'Base', options: base() },
])('on $name both are the same block', async ({ options }) => {
  const [alone, ofTwo] = await Promise.all(
    ['0x1', '0x2'].map(async (count) => {
      const chain = await createEmulator({ ...options, production: 'auto' })
      const [from] = await chain.listAccounts()
      await chain.request('eth_sendTransaction', [{ from, to: TO, value: '0x1' }])
      const before = Number(await chain.request('eth_blockNumber'))
      await chain.request('hardhat_mine', [count])
      return chain.request('eth_getBlockByNumber', [`0x${(before + 1).toString(16)}`, true])
    }),
  )
  expect(alone).not.toBeNull()
  expect(alone).toEqual(ofTwo)
})
