// The milliseconds in payload attributes: required from denim on, refused before, and those of the second transaction.

import { base, createEmulator, type Emulator } from 'tickchain'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'

const ZERO = `0x${'00'.repeat(32)}` as const
const BASE_TIME = '0x4200000000000000000000000000000000000030'

async function builderOf(chain: Emulator) {
  const parent = await chain.request('eth_getBlockByNumber', ['latest', false])
  const fixed = { prevRandao: ZERO, suggestedFeeRecipient: BASE_TIME, parentBeaconBlockRoot: ZERO } as const
  return (attributes: { timestamp: number; timestampMillisPart?: number; transactions?: readonly Hex[] }) =>
    chain.request('testing_buildBlockV1', [
      parent!.hash!,
      { ...fixed, withdrawals: [], ...attributes },
      [],
      '0x',
    ])
}

const refusal = (reason: string) => ({
  code: -32602,
  message: `invalid argument 1.timestampMillisPart: ${reason}`,
})

test('before denim they are refused', async () => {
  const build = await builderOf(await createEmulator(base({ fork: 'cobalt', genesis: { timestamp: 1000 } })))
  await expect(build({ timestamp: 1002, timestampMillisPart: 0 })).rejects.toMatchObject(
    refusal('expected none before denim, got 0'),
  )
  expect((await build({ timestamp: 1002 })).executionPayload.transactions).toHaveLength(1)
})

test('from denim on they are a slot of a second, and that of the second transaction', async () => {
  const build = await builderOf(await createEmulator(base({ genesis: { timestamp: 1000 } })))
  const timestamp = 1001
  const expected = 'expected a multiple of 200 below 1000 from denim on'
  await expect(build({ timestamp })).rejects.toMatchObject(refusal(`${expected}, got none`))
  for (const timestampMillisPart of [100, 1000])
    await expect(build({ timestamp, timestampMillisPart })).rejects.toMatchObject(
      refusal(`${expected}, got ${timestampMillisPart}`),
    )
  const built = await build({ timestamp, timestampMillisPart: 600 })
  const { transactions } = built.executionPayload
  expect(transactions).toHaveLength(2)
  // The selector of setTimestampMillisPart, and 600.
  expect(transactions[1]).toMatch(/86bdf3940{61}258$/)
  expect(await build({ timestamp, timestampMillisPart: 600, transactions })).toEqual(built)
  await expect(build({ timestamp, timestampMillisPart: 800, transactions })).rejects.toMatchObject(
    refusal('expected 600, as in transactions[1], got 800'),
  )
  await expect(
    build({ timestamp, timestampMillisPart: 600, transactions: transactions.slice(0, 1) }),
  ).rejects.toMatchObject(refusal('expected none, as in transactions[1], got 600'))
})

test.each<[string, Parameters<typeof createEmulator>[0], object, string]>([
  ['a bad transaction', base({ fork: 'jovian' }), { transactions: ['0x7e'] }, 'transactions[0], 0x7e: '],
  [
    'half parameters',
    base({ fork: 'jovian' }),
    { eip1559Params: '0x0000000000000006' },
    'both zero, or neither',
  ],
  [
    'parameters too early',
    { rollup: { stack: 'op', fork: 'granite' } },
    { eip1559Params: '0x000000fa00000006' },
    'come with holocene',
  ],
  [
    'a least base fee too early',
    { rollup: { stack: 'op', fork: 'isthmus' } },
    { minBaseFee: 1 },
    'comes with jovian',
  ],
  ['a gas limit on no rollup', {}, { gasLimit: 30_000_000 }, 'gasLimit for a chain that is no rollup'],
])('%s in payload attributes is refused', async (_, options, attributes, words) => {
  const chain = await createEmulator({ ...options, genesis: { timestamp: 1000 } })
  const build = await builderOf(chain)
  await expect(build({ timestamp: 1012, ...attributes })).rejects.toMatchObject({
    code: -38003,
    message: expect.stringContaining(words),
  })
})
