// The metadata of flashblocks on a rollup: what the new transactions did, until Base has left it out.

import { base, createEmulator, type EmulatorOptions, type FlashblockPayload, opMainnet } from 'tickchain'
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = `0x${'b0'.repeat(20)}` as const
const LOGGER = `0x${'ab'.repeat(20)}` as const
const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

async function follow(options: EmulatorOptions) {
  const chain = await createEmulator(options)
  const payloads: FlashblockPayload[] = []
  chain.on('flashblock', (payload) => payloads.push(payload))
  return { chain, payloads }
}

// LOG1 of 32 zero bytes under the topic 7.
const alloc = { [LOGGER]: { code: '0x600760205fa100' } } as const

test.each([
  ['base at jovian', base({ fork: 'jovian', genesis: { alloc } })],
  // Only Base has left them out.
  ['OP Mainnet at karst', opMainnet({ partialBlockTimeMs: 200, genesis: { alloc } })],
])('%s: balances and receipts of the new transactions', async (_, options) => {
  const { chain, payloads } = await follow(options)
  const send = (fields: object) =>
    chain.request('eth_sendTransaction', [{ from: ALICE, gas: '0x186a0', ...fields }])
  const first = await send({ to: BOB, value: '0x5' })
  await chain.advance(400)
  const second = await send({ to: LOGGER, type: '0x0', gasPrice: '0x77359400' })
  await chain.advance(200)
  const [opening, transfer, call] = payloads.filter(({ diff }) => diff.transactions.length > 0)
  // 21,000 gas of a transfer after the deposit, and 21,000 + 3 + 3 + 2 + 375 + 375 + 8 * 32 + 3 of the call.
  const opened = Number(opening!.diff.gas_used)
  const quantity = (gas: number) => `0x${gas.toString(16)}`

  expect(Object.keys(opening!.metadata)).toEqual([
    ...['block_number', 'new_account_balances', 'receipts', 'access_list'],
  ])
  expect(opening!.metadata.receipts).toEqual({
    [keccak256(opening!.diff.transactions[0]!)]: {
      cumulativeGasUsed: quantity(opened),
      logs: [],
      status: '0x1',
      type: '0x7e',
      depositNonce: '0x0',
      depositReceiptVersion: '0x1',
    },
  })
  expect(opening!.metadata.new_account_balances).toMatchObject({ [DEPOSITOR]: '0x0' })

  expect(transfer!.metadata).toMatchObject({ block_number: 1, access_list: null })
  expect(transfer!.metadata.receipts).toEqual({
    [first]: { cumulativeGasUsed: quantity(opened + 21_000), logs: [], status: '0x1', type: '0x2' },
  })
  const balances = transfer!.metadata.new_account_balances!
  expect(balances[BOB]).toBe('0x5')
  expect(Object.keys(balances)).toContain(ALICE)
  expect(Object.keys(balances)).not.toContain(DEPOSITOR)

  expect(call!.metadata.receipts).toEqual({
    [second]: {
      cumulativeGasUsed: quantity(opened + 42_000 + 1017),
      logs: [{ address: LOGGER, topics: [`0x${'07'.padStart(64, '0')}`], data: `0x${'00'.repeat(32)}` }],
      status: '0x1',
      type: '0x0',
    },
  })
  expect(Object.keys(call!.metadata.new_account_balances!)).not.toContain(BOB)
  const left = await chain.request('eth_getBalance', [ALICE, 'pending'])
  expect(call!.metadata.new_account_balances).toMatchObject({ [ALICE]: left })
})

test.each(['azul', 'cobalt'] as const)('base at %s: the number, and no access list', async (fork) => {
  const { chain, payloads } = await follow(base({ fork }))
  await chain.advance(400)
  expect(payloads.length).toBeGreaterThan(1)
  for (const { metadata } of payloads) expect(metadata).toEqual({ block_number: 1, access_list: null })
})
