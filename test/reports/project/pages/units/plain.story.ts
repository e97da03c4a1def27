import { createEmulator, type Emulator, recordTimeline } from 'tickchain'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

test('before a chain exists', async () => {
  await createEmulator({ chainId: 0 })
})

test('throws a <text>', () => {
  // biome-ignore lint/style/useThrowOnlyError: what the report is to show
  throw 'only a text'
})

test('throws nothing', () => {
  // biome-ignore lint/style/useThrowOnlyError: what the report is to show
  throw undefined
})

test('on two chains', async () => {
  const [first, second] = [await createEmulator(), await createEmulator({ chainId: 5 })]
  recordTimeline(second)
  // Reverts without a reason: PUSH0, PUSH0, REVERT.
  await second.setCode('0x00000000000000000000000000000000000000aa', '0x5f5ffd')
  await first.advance(2000)
  await second.request('eth_call', [{ to: '0x00000000000000000000000000000000000000aa' }])
})

describe('a chain of the file', () => {
  let chain: Emulator
  beforeAll(async () => {
    chain = await createEmulator({ chainId: 77, production: 'auto' })
  })
  test('has failed transactions', async () => {
    const [from = '0x'] = await chain.request('eth_accounts')
    await chain.setCode('0x00000000000000000000000000000000000000aa', '0x5f5ffd')
    const to = '0x00000000000000000000000000000000000000aa'
    const hash = await chain.request('eth_sendTransaction', [{ from, to, gas: '0x30d40' }])
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })
})

describe('hooks', () => {
  afterEach(() => {
    throw new Error('the hook fails')
  })
  test('fail after a test', () => {
    expect(1).toBe(1)
  })
})

describe('a suite', () => {
  beforeAll(() => {
    throw new Error('the set-up fails')
  })
  test('is not run', () => {
    expect(1).toBe(1)
  })
})
