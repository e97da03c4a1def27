import type { EmulatorOptions } from 'tickchain'
import { type Hex, parseEther, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, startScene } from '../scene.ts'

describe('the gas that a transaction may ask for is 2^24 from osaka on (EIP-7825)', () => {
  // JUMPDEST PUSH0 JUMP never ends.
  const endless = { code: '0x5b5f56' } as const
  const call = { from: ALICE, to: '0x00000000000000000000000000000000000000ee' }

  test.each([
    ['osaka', '16777216'],
    ['prague', '30000000'],
  ] as const)('an estimate under %s goes up to %s', async (hardfork, allowance) => {
    const { ask } = await startScene({
      hardfork,
      genesis: { alloc: { [call.to]: endless }, gasLimit: 30_000_000 },
    })
    await expect(ask('eth_estimateGas', call)).rejects.toMatchObject({
      code: -32000,
      message: `gas required exceeds allowance (${allowance})`,
    })
  })
})

test.each(['0x0', '0x1', '0x5207'])(
  'an estimate ignores a gas limit of %s, less than any transaction costs, as geth does',
  async (gas) => {
    const { ask } = await startScene()
    expect(await ask('eth_estimateGas', { from: ALICE, to: BOB, gas })).toBe('0x5208')
  },
)

describe('the chain id of a request', () => {
  test.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList'])('is checked by %s', async (method) => {
    const { ask } = await startScene()
    await expect(ask(method, { from: ALICE, to: BOB, chainId: '0x1' })).rejects.toMatchObject({
      code: -32000,
      message: "chainId does not match node's (have=1, want=31337)",
    })
    await ask(method, { from: ALICE, to: BOB, chainId: '0x7a69' })
  })
})

test('input and data are the same field, as in geth, and refused if they differ', async () => {
  const { ask } = await startScene()
  // The precompile that returns its input.
  const identity = `0x${'04'.padStart(40, '0')}`
  for (const given of [{ input: '0xab' }, { data: '0xab' }, { input: '0xab', data: '0xab' }]) {
    expect(await ask('eth_call', { to: identity, ...given })).toBe('0xab')
  }
  await expect(ask('eth_call', { to: identity, input: '0xab', data: '0xac' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('both "data" and "input" are set and not equal'),
  })
})

describe('a call without a sender, or with more value than its sender has', () => {
  /** Answers the caller, the value that came with the call, and the balance of the caller. */
  const echo = '0x00000000000000000000000000000000000000ec'
  // CALLER, CALLVALUE and BALANCE of the caller into the first three words; returns them.
  const code = '0x335f5234602052333160405260605ff3'
  const nobody = '0x00000000000000000000000000000000000000bb'
  const begin = (flavor: NonNullable<EmulatorOptions['flavor']>, options: EmulatorOptions = {}) =>
    startScene({ flavor, genesis: { alloc: { [echo]: { code } } }, ...options })
  const words = (...values: (Hex | bigint)[]) =>
    `0x${values.map((value) => toHex(BigInt(value), { size: 32 }).slice(2)).join('')}`
  const FUNDS = parseEther('10000')

  test('in hardhat is from the first account', async () => {
    const { ask } = await begin('hardhat')
    expect(await ask('eth_call', { to: echo, value: '0x5' })).toBe(words(ALICE, 5n, FUNDS - 5n))
    // One more than a transfer needs, as Hardhat's.
    expect(await ask('eth_estimateGas', { to: BOB, value: '0x5' })).toBe('0x5209')
    expect(await ask('eth_call', { from: BOB, to: echo })).toBe(words(BOB, 0n, FUNDS))
  })

  test.each(['anvil', 'ganache'] as const)('in %s is from zero', async (flavor) => {
    const { ask } = await begin(flavor)
    expect(await ask('eth_call', { to: echo })).toBe(words('0x00', 0n, 0n))
  })

  test('in hardhat without accounts is from zero', async () => {
    const { ask } = await begin('hardhat', { accounts: [] })
    expect(await ask('eth_call', { to: echo })).toBe(words('0x00', 0n, 0n))
  })

  test('in hardhat never needs a balance', async () => {
    const { ask } = await begin('hardhat')
    const call = { from: nobody, to: echo, value: '0x7' }
    expect(await ask('eth_call', call)).toBe(words(nobody, 7n, 0n))
    expect(await ask('eth_estimateGas', { ...call, to: BOB })).toBe('0x5209')
    const priced = { ...call, gasPrice: '0x3b9aca00' }
    expect(await ask('eth_call', priced)).toBe(words(nobody, 7n, 0n))
    expect(await ask('eth_estimateGas', { ...priced, to: BOB })).toBe('0x5209')
    expect(await ask('eth_getBalance', nobody, 'latest')).toBe('0x0')
  })

  test.each(['anvil', 'ganache'] as const)('in %s needs it in any case', async (flavor) => {
    const { ask } = await begin(flavor)
    const call = { from: nobody, to: echo, value: '0x7' }
    for (const method of ['eth_call', 'eth_estimateGas'])
      await expect(ask(method, call)).rejects.toMatchObject({ kind: 'insufficientFunds' })
  })
})
