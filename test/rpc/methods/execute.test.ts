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
  'an estimate takes gas of %s, less than any transaction costs, for no limit, as geth does',
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
