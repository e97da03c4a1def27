// A provider that tells the past of an emulator: what it is made of, and what it is asked.

import { createEmulator } from 'tickchain'
import { providerWithPast } from 'tickchain/explorer'
import { createRollup } from 'tickchain/rollup'
import { expect, test } from 'vitest'

test('no emulator, and a pair of others, are refused', async () => {
  const chain = await createEmulator()
  const rollup = await createRollup()
  await expect(providerWithPast({} as never)).rejects.toThrow('expected an emulator')
  for (const other of [rollup, null, 5])
    await expect(providerWithPast(chain, { rollup: other as never })).rejects.toThrow(
      'rollup is the pair of which the emulator is a layer',
    )
  await expect(providerWithPast(chain, null as never)).resolves.toHaveProperty('request')
  await expect(providerWithPast(rollup.l1, { rollup })).resolves.toHaveProperty('request')
})

test('it answers and refuses as the emulator does', async () => {
  const chain = await createEmulator()
  const provider = await providerWithPast(chain)
  expect(await provider.request({ method: 'eth_chainId' })).toBe(await chain.request('eth_chainId'))
  for (const params of [{}, 5] as unknown[])
    await expect(
      provider.request({ method: 'eth_chainId', params } as { method: string; params: unknown[] }),
    ).rejects.toMatchObject({ code: -32602 })
  await expect(provider.request({ method: 'tickchain_at', params: [0] })).rejects.toThrow(
    'expected a position, a method and its params',
  )
})
