// Code that begins like a delegation (EIP-7702) but has not exactly 23 bytes: its first opcode is invalid.

import { expect, test } from 'vitest'
import { createEmulator } from '../../../src/index.ts'

const TARGET = '0xc2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2'

test.each([
  ['the prefix alone', '0xef0100'],
  ['a byte less', `0xef0100${'11'.repeat(19)}`],
  ['a byte more', `0xef0100${'11'.repeat(21)}`],
] as const)('%s', async (_, code) => {
  const chain = await createEmulator({ production: 'auto' })
  const call = { to: TARGET, gas: '0x186a0' } as const
  await expect(chain.request('eth_call', [call, 'latest', { [TARGET]: { code } }])).rejects.toMatchObject({
    code: -32000,
    message: expect.stringContaining('invalid opcode'),
  })
  await chain.request('anvil_setCode', [TARGET, code])
  const [from = TARGET] = await chain.request('eth_accounts')
  const hash = await chain.request('eth_sendTransaction', [{ ...call, from }])
  expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
    status: '0x0',
    gasUsed: '0x186a0',
  })
})
