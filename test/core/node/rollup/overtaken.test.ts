import { createEmulator } from 'tickchain'
import { expect, test } from 'vitest'

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const TO = '0x00000000000000000000000000000000000000aa'

test('a deposit takes the nonce of a pooled transaction, which leaves the pool', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' } })
  const send = (nonce: number) =>
    chain.request('eth_sendTransaction', [{ from: FROM, to: TO, nonce: `0x${nonce.toString(16)}` }])
  await send(0)
  await chain.deposit({ from: FROM, to: TO })
  expect(await chain.request('txpool_status', [])).toEqual({ pending: '0x0', queued: '0x0' })
  // The next one is not behind it.
  await send(1)
  await chain.advance(200)
  expect(await chain.request('txpool_status', [])).toEqual({ pending: '0x0', queued: '0x0' })
  const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
  expect(pending?.transactions).toHaveLength(3)
})
