// Two set-ups in a file: vitest before 4.1 keeps fixtures of a file by their names, and would give both the first.

import { chainTest } from 'tickchain/vitest'
import { expect } from 'vitest'

const one = chainTest({ chainId: 1 }, async () => 'one')
const two = chainTest({ chainId: 2 }, async () => 'two')

one('the first', async ({ chain, context }) => {
  expect([await chain.request('eth_chainId'), context]).toEqual(['0x1', 'one'])
})

two('the second', async ({ chain, context }) => {
  expect([await chain.request('eth_chainId'), context]).toEqual(['0x2', 'two'])
})

one('the first again', async ({ chain, context }) => {
  expect([await chain.request('eth_chainId'), context]).toEqual(['0x1', 'one'])
})
