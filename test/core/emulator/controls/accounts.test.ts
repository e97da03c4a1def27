// Account controls as functions of an emulator. test/core/node/control/edit-state.test.ts covers the effects of edits,
// test/core/rpc/methods those of impersonation and tokens.
import { createEmulator, type Emulator } from 'tickchain'
import { type Hex, hexToBytes, parseEther, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'

const STRANGER: Hex = `0x${'ab'.repeat(20)}`
const MIXED_CASE = `0x${'Ab'.repeat(20)}` as const
const BOB: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

let chain: Emulator
beforeEach(async () => {
  chain = await createEmulator()
})

test.each([5n, 5, '5', '0x5', '0x05'])('takes the amount %s', async (five) => {
  await chain.setBalance(MIXED_CASE, five)
  await chain.addBalance(STRANGER, five)
  await chain.setNonce(STRANGER, five)
  await chain.setStorageAt(STRANGER, five, five)
  expect(await chain.request('eth_getBalance', [STRANGER])).toBe('0xa')
  expect(await chain.request('eth_getTransactionCount', [STRANGER])).toBe('0x5')
  expect(await chain.request('eth_getStorageAt', [STRANGER, '0x5'])).toBe(toHex(5, { size: 32 }))
})

test('takes slots and values of 32 bytes', async () => {
  const [slot, value]: Hex[] = [`0x${'ee'.repeat(32)}`, `0x${'ff'.repeat(32)}`]
  await chain.setStorageAt(STRANGER, slot as Hex, value as Hex)
  expect(await chain.request('eth_getStorageAt', [STRANGER, slot as Hex])).toBe(value)
})

test('takes code as hex and as bytes', async () => {
  for (const code of ['0x6001', hexToBytes('0x6001')] as const) {
    await chain.setCode(STRANGER, '0x')
    await chain.setCode(STRANGER, code)
    expect(await chain.request('eth_getCode', [STRANGER])).toBe('0x6001')
  }
})

test('takes effect in the order of the calls, awaited or not', async () => {
  const calls = [chain.setBalance(STRANGER, 1), chain.addBalance(STRANGER, 2), chain.setBalance(STRANGER, 3)]
  const balance = chain.request('eth_getBalance', [STRANGER])
  void chain.setBalance(STRANGER, 4)
  await Promise.all(calls)
  expect(await balance).toBe('0x3')
})

test('impersonation of one account and of all are independent', async () => {
  await chain.setBalance(STRANGER, parseEther('1'))
  const send = () =>
    chain.request('eth_sendTransaction', [{ from: STRANGER, to: BOB, value: '0x1' }]).then(
      () => 'sent',
      (error: { kind: string }) => error.kind,
    )
  await chain.impersonate(MIXED_CASE)
  await chain.impersonate('all')
  await chain.stopImpersonating('all')
  expect(await send()).toBe('sent')
  await chain.impersonate('all')
  await chain.stopImpersonating(STRANGER)
  expect(await send()).toBe('sent')
  await chain.stopImpersonating('all')
  expect(await send()).toBe('unknownAccount')
})

test('a signature may be bytes', async () => {
  await chain.impersonateSignature(hexToBytes(`0x${'11'.repeat(64)}1b`), STRANGER)
  const data: Hex = `0x${'00'.repeat(63)}1b${'11'.repeat(64)}`
  const to = `0x${'1'.padStart(40, '0')}` as const
  expect(await chain.request('eth_call', [{ to, data }])).toBe(`0x${'00'.repeat(12)}${STRANGER.slice(2)}`)
})

describe('invalid arguments are refused and change nothing', () => {
  const bad: readonly (readonly [string, (on: never) => Promise<void>])[] = (
    [
      ['setBalance of no address', (on) => on.setBalance('0x12', 1)],
      ['setBalance of a number', (on) => on.setBalance(5 as never, 1)],
      ['setBalance without a prefix', (on) => on.setBalance(STRANGER.slice(2) as Hex, 1)],
      ['setBalance to less than nothing', (on) => on.setBalance(STRANGER, -1n)],
      ['setBalance to a half', (on) => on.setBalance(STRANGER, 0.5)],
      ['setBalance to too much', (on) => on.setBalance(STRANGER, 2n ** 256n)],
      ['setBalance to a word', (on) => on.setBalance(STRANGER, 'much')],
      ['setBalance to 0x', (on) => on.setBalance(STRANGER, '0x')],
      ['setBalance to nothing', (on) => on.setBalance(STRANGER, undefined as never)],
      ['addBalance to too much', (on) => on.addBalance(BOB, 2n ** 256n - 1n)],
      ['setCode to odd hex', (on) => on.setCode(STRANGER, '0x123')],
      ['setCode to an object', (on) => on.setCode(STRANGER, {} as never)],
      ['setNonce to too much', (on) => on.setNonce(STRANGER, 2n ** 64n)],
      ['setStorageAt of too high a slot', (on) => on.setStorageAt(STRANGER, 2n ** 256n, 1)],
      ['setStorageAt to too much', (on) => on.setStorageAt(STRANGER, 0, `0x1${'00'.repeat(32)}`)],
      ['impersonate everybody', (on) => on.impersonate('everybody' as never)],
      ['stopImpersonating nobody', (on) => on.stopImpersonating(null as never)],
      ['impersonateSignature of 64 bytes', (on) => on.impersonateSignature(`0x${'11'.repeat(64)}`, BOB)],
      ['deal of nothing', (on) => on.deal(undefined as never)],
      ['deal to nobody', (on) => on.deal({ amount: 1 } as never)],
      ['deal of no amount', (on) => on.deal({ to: BOB } as never)],
      ['deal of no token', (on) => on.deal({ to: BOB, amount: 1, token: 'USDC' as never })],
      ['deal of ether, adjusted', (on) => on.deal({ to: BOB, amount: 1, adjustTotalSupply: true })],
      ['deal, perhaps adjusted', (on) => on.deal({ to: BOB, amount: 1, adjustTotalSupply: 1 as never })],
      ['setAllowance of nothing', (on) => on.setAllowance(null as never)],
      ['setAllowance of nobody', (on) => on.setAllowance({ token: BOB, spender: BOB, amount: 1 } as never)],
    ] as readonly (readonly [string, (on: Emulator) => Promise<void>])[]
  ).map(([name, call]) => [name, call as (on: never) => Promise<void>])

  test.each(bad)('%s', async (name, call) => {
    const before = await chain.request('eth_getBlockByNumber', ['pending', false])
    const called = name.split(' ')[0]?.replace(',', '') ?? ''
    await expect(call(chain as never)).rejects.toMatchObject({
      name: 'TickchainError',
      kind: 'invalidCall',
      code: -32602,
      message: expect.stringMatching(
        new RegExp(
          `^invalid call ${called}: (.+: missing|(\\w+(\\.\\w+)?: )?expected .+, got .+?)(; for example: .+)?$`,
        ),
      ),
    })
    expect(await chain.request('eth_getBlockByNumber', ['pending', false])).toEqual(before)
  })
})
