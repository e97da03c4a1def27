// Account edits under all their names, and through viem's test client.
import { createTestClient, custom, type Hex, parseEther, publicActions, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, startScene, transfer } from '../scene.ts'

const STRANGER: Hex = `0x${'ab'.repeat(20)}`
const word = (value: number): Hex => toHex(value, { size: 32 })

describe.each(['anvil', 'hardhat', 'ganache'] as const)('in flavor %s', (flavor) => {
  /** anvil answers null, Hardhat and ganache true. */
  const done = flavor === 'anvil' ? null : true

  test.each(['anvil_setBalance', 'hardhat_setBalance', 'evm_setAccountBalance', 'tenderly_setBalance'])(
    '%s',
    async (name) => {
      const { ask } = await startScene({ flavor })
      // Hardhat's own method takes hex only.
      const takesHexOnly = flavor === 'hardhat' && name === 'hardhat_setBalance'
      const others = takesHexOnly
        ? []
        : [[7, '0x7'] as const, ['1000000000000000000', '0xde0b6b3a7640000'] as const]
      for (const [given, expected] of [['0x64', '0x64'], ['0x00ff', '0xff'], ...others, ['0x0', '0x0']]) {
        expect(await ask(name, STRANGER, given)).toBe(done)
        expect(await ask('eth_getBalance', STRANGER, 'latest')).toBe(expected)
      }
    },
  )

  test.each(['anvil_addBalance', 'hardhat_addBalance', 'tenderly_addBalance'])(
    '%s',
    { tags: 'gate' },
    async (name) => {
      const { ask } = await startScene({ flavor })
      expect(await ask(name, STRANGER, '0x64')).toBe(done)
      expect(await ask(name, STRANGER, 1)).toBe(done)
      expect(await ask('eth_getBalance', STRANGER, 'latest')).toBe('0x65')
      await expect(ask(name, STRANGER, `0x${'ff'.repeat(32)}`)).rejects.toMatchObject({ code: -32602 })
      expect(await ask('eth_getBalance', STRANGER, 'latest')).toBe('0x65')
    },
  )

  test.each(['anvil_setCode', 'hardhat_setCode', 'evm_setAccountCode'])(
    '%s',
    { tags: 'gate' },
    async (name) => {
      const { ask } = await startScene({ flavor })
      // Returns the word 42.
      expect(await ask(name, STRANGER, '0x602a60005260206000f3')).toBe(done)
      expect(await ask('eth_call', { to: STRANGER })).toBe(word(42))
      expect(await ask(name, STRANGER, '0x')).toBe(done)
      expect(await ask('eth_getCode', STRANGER)).toBe('0x')
    },
  )

  test.each(['anvil_setNonce', 'hardhat_setNonce', 'ganache_setNonce', 'evm_setAccountNonce'])(
    '%s',
    async (name) => {
      const { ask, send } = await startScene({ flavor, production: 'auto' })
      expect(await ask(name, ALICE, '0x5')).toBe(done)
      expect(await ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x5')
      const hash = await send(alice, transfer(BOB, 5))
      expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    },
  )

  test.each([
    'anvil_setStorageAt',
    'hardhat_setStorageAt',
    'ganache_setStorageAt',
    'evm_setAccountStorageAt',
  ])('%s', async (name) => {
    const { ask } = await startScene({ flavor })
    const at = (slot: Hex) => ask('eth_getStorageAt', STRANGER, slot)
    expect(await ask(name, STRANGER, '0x0', word(1))).toBe(true)
    const takesHexOnly = flavor === 'hardhat' && name === 'hardhat_setStorageAt'
    expect(await ask(name, STRANGER, takesHexOnly ? '0x1' : 1, word(2))).toBe(true)
    expect(await ask(name, STRANGER, takesHexOnly ? '0x2' : '2', word(3))).toBe(true)
    expect(await ask(name, STRANGER, word(3), word(4))).toBe(true)
    expect(await Promise.all(['0x0', '0x1', '0x2', '0x3'].map((slot) => at(slot as Hex)))).toEqual(
      [1, 2, 3, 4].map(word),
    )
    expect(await ask(name, STRANGER, '0x0', word(0))).toBe(true)
    expect(await at('0x0')).toBe(word(0))
  })
})

test('anvil pads the value of a slot, Hardhat wants 32 bytes', async () => {
  const { ask } = await startScene({ flavor: 'anvil' })
  await ask('anvil_setStorageAt', STRANGER, '0x0', '0x2a')
  expect(await ask('eth_getStorageAt', STRANGER, '0x0')).toBe(word(42))
  const hardhat = await startScene({ flavor: 'hardhat' })
  await expect(hardhat.ask('hardhat_setStorageAt', STRANGER, '0x0', '0x2a')).rejects.toMatchObject({
    code: -32000,
    message: 'Storage value must be exactly 32 bytes long. Received 0x2a, which is 1 bytes long.',
  })
})

describe('hardhat_setNonce, in the words of EDR', () => {
  test('refuses a lower nonce', async () => {
    const { ask } = await startScene({ flavor: 'hardhat' })
    await ask('hardhat_setNonce', ALICE, '0x5')
    await expect(ask('hardhat_setNonce', ALICE, '0x4')).rejects.toMatchObject({
      code: -32000,
      message: 'New nonce (4) must not be smaller than the existing nonce (5)',
    })
    expect(await ask('eth_getTransactionCount', ALICE)).toBe('0x5')
  })

  test('counts pre-confirmed transactions', async () => {
    const { ask, send, chain } = await startScene({ flavor: 'hardhat' })
    await send(alice, transfer(BOB, 0))
    await send(alice, transfer(BOB, 1))
    await chain.advance(200)
    await expect(ask('hardhat_setNonce', ALICE, '0x1')).rejects.toMatchObject({ kind: 'nonceLowered' })
  })

  test('refuses any nonce while transactions are pooled, as an internal error', async () => {
    const { ask, send } = await startScene({ flavor: 'hardhat' })
    await send(alice, transfer(BOB, 0))
    for (const account of [ALICE, BOB]) {
      await expect(ask('hardhat_setNonce', account, '0x5')).rejects.toMatchObject({
        kind: 'nonceWithPooled',
        code: -32603,
        message: 'Cannot set account nonce when the transaction pool is not empty',
      })
    }
  })

  test('anvil has neither rule', async () => {
    const { ask, send } = await startScene({ flavor: 'anvil' })
    await ask('anvil_setNonce', ALICE, '0x5')
    await send(alice, transfer(BOB, 5))
    expect(await ask('anvil_setNonce', ALICE, '0x4')).toBeNull()
    expect(await ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x1' })
  })
})

test.each([
  ['anvil_setBalance', STRANGER, '-1'],
  ['anvil_setBalance', STRANGER, 1.5],
  ['anvil_setBalance', STRANGER, `0x1${'00'.repeat(32)}`],
  ['anvil_setBalance', '0x12', '0x1'],
  ['anvil_setCode', STRANGER, '0x123'],
  ['anvil_setNonce', STRANGER, '0x10000000000000000'],
  ['anvil_setStorageAt', STRANGER, `0x1${'00'.repeat(32)}`, '0x1'],
  ['anvil_setStorageAt', STRANGER, '0x0', `0x1${'00'.repeat(32)}`],
  ['anvil_setStorageAt', STRANGER, '0x0', '0x'],
])('%s refuses %s %s', async (name, ...params) => {
  const { ask } = await startScene()
  await expect(ask(name, ...params)).rejects.toMatchObject({ code: -32602 })
})

describe.each(['anvil', 'hardhat', 'ganache'] as const)("viem's test client in mode %s", (mode) => {
  test('edits accounts', async () => {
    const { chain } = await startScene({ flavor: mode })
    const client = createTestClient({ mode, transport: custom(chain) }).extend(publicActions)
    await client.setBalance({ address: STRANGER, value: parseEther('1') })
    await client.setCode({ address: STRANGER, bytecode: '0x602a60005260206000f3' })
    await client.setNonce({ address: STRANGER, nonce: 420 })
    await client.setStorageAt({ address: STRANGER, index: 2, value: word(69) })
    expect(await client.getBalance({ address: STRANGER })).toBe(10n ** 18n)
    expect((await client.call({ to: STRANGER })).data).toBe(word(42))
    expect(await client.getTransactionCount({ address: STRANGER })).toBe(420)
    expect(await client.getStorageAt({ address: STRANGER, slot: toHex(2) })).toBe(word(69))
  })
})
