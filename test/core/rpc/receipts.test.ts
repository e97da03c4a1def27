// The option `receipts`: when a transaction has a receipt and a block.

import { createEmulator } from 'tickchain'
import { expect, test } from 'vitest'

const [FROM, TO] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
] as const

test.each(['preconfirmed', 'sealed'] as const)('receipts: %s', async (receipts) => {
  const chain = await createEmulator({ receipts })
  const hash = await chain.request('eth_sendTransaction', [{ from: FROM, to: TO, value: '0x1' }])
  const seen = async () => {
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const transaction = await chain.request('eth_getTransactionByHash', [hash])
    const [pending, latest] = await Promise.all(
      (['pending', 'latest'] as const).map((tag) => chain.request('eth_getTransactionCount', [FROM, tag])),
    )
    return { inReceipt: receipt?.blockNumber, inTransaction: transaction?.blockNumber, pending, latest }
  }
  await chain.advance(200)
  const number = receipts === 'sealed' ? undefined : '0x1'
  expect(await seen()).toEqual({
    inReceipt: number,
    inTransaction: number ?? null,
    pending: '0x1',
    latest: '0x0',
  })
  await chain.advance(1800)
  expect(await seen()).toEqual({ inReceipt: '0x1', inTransaction: '0x1', pending: '0x1', latest: '0x1' })
})
