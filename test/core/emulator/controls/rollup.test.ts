import { createEmulator, type DepositOptions } from 'tickchain'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { startRollup } from '../../node/rollup/scene.ts'

const BOB: Hex = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'

async function refusal(order: unknown): Promise<string> {
  const chain = await startRollup()
  const error = await chain.deposit(order as DepositOptions).then(
    () => expect.unreachable('accepted'),
    (reason) => reason,
  )
  expect(error).toMatchObject({ kind: 'invalidCall', code: -32602 })
  await chain.advance(2000)
  expect(await chain.request('eth_getBlockTransactionCountByNumber', ['latest'])).toBe('0x1')
  return error.message
}

describe('a deposit that the portal refuses', () => {
  test('has too little gas: 21,000, and 40 for a byte', async () => {
    expect(await refusal({ from: BOB, to: BOB, gasLimit: 20_999 })).toMatch(
      /deposit\.gasLimit: OptimismPortal_GasLimitTooLow: expected at least 21000, got 20999/,
    )
    expect(await refusal({ from: BOB, to: BOB, gasLimit: 21_079, data: '0x1234' })).toMatch(/at least 21080/)
  })

  test('has too much data', async () => {
    expect(await refusal({ from: BOB, to: BOB, data: new Uint8Array(120_001) })).toMatch(
      /OptimismPortal_CalldataTooLarge: expected at most 120000 bytes, got 120001/,
    )
  })

  test('has more gas than an L1 block', async () => {
    expect(await refusal({ from: BOB, to: BOB, gasLimit: 20_000_001 })).toMatch(/OutOfGas/)
    const chain = await startRollup()
    await chain.deposit({ from: BOB, to: BOB, gasLimit: 19_950_000 })
    await expect(chain.deposit({ from: BOB, to: BOB, gasLimit: 50_001 })).rejects.toThrow(/OutOfGas/)
    await chain.deposit({ from: BOB, to: BOB, gasLimit: 50_000 })
    await chain.advance(2000)
    expect(await chain.request('eth_getBlockTransactionCountByNumber', ['latest'])).toBe('0x3')
  })

  test.each([
    [{}, /deposit\.from: expected an address/],
    [{ from: BOB, to: '0x01' }, /deposit\.to: expected an address/],
    [{ from: BOB, mint: 2n ** 128n }, /deposit\.mint: expected a whole number/],
    [{ from: BOB, value: -1 }, /deposit\.value: expected a whole number/],
    [{ from: BOB, data: 'text' }, /deposit\.data: expected data, as bytes or hex/],
    [{ from: BOB, gas: 1 }, /deposit\.gas: unknown field, did you mean gasLimit/],
    [null, /deposit: expected an object/],
  ])('%o', async (order, message) => {
    expect(await refusal(order)).toMatch(message)
  })
})

test('both are refused on a chain that is no rollup', async () => {
  const chain = await createEmulator()
  await expect(chain.deposit({ from: BOB })).rejects.toMatchObject({ kind: 'notARollup' })
  await expect(chain.setSystemConfig({})).rejects.toMatchObject({ kind: 'notARollup' })
})

test.each([
  [{ gasLimit: 20_999_999 }, /changes\.gasLimit: expected at least 21000000/],
  [{ gasLimit: 2n ** 63n }, /changes\.gasLimit: expected a whole number from 0 to 2\^63 - 1/],
  [{ eip1559: { denominator: 1 } }, /changes\.eip1559\.elasticity/],
  [{ scalars: 1 }, /changes\.scalars: unknown field/],
  [5, /changes: expected an object/],
])('a system configuration is refused: %o', async (changes, message) => {
  const chain = await startRollup()
  await expect(chain.setSystemConfig(changes as never)).rejects.toThrow(message)
})

test('deposits are in blocks whatever the gas limit, which others can import', async () => {
  const chain = await startRollup()
  await chain.setBlockGasLimit(30_000)
  await chain.deposit({ from: BOB, to: BOB, mint: 7n })
  await chain.advance(2000)
  expect(await chain.request('eth_getBlockTransactionCountByNumber', ['0x1'])).toBe('0x2')

  const importing = await startRollup()
  await importing.importBlocks(await chain.exportBlocks())
  expect(await importing.request('eth_getBalance', [BOB, 'latest'])).toBe('0x7')
  const loading = await startRollup()
  await loading.load(await chain.dump())
  expect(await loading.request('eth_getBalance', [BOB, 'latest'])).toBe('0x7')
})
