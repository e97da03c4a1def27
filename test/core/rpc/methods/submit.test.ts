import { describe, expect, test } from 'vitest'
import { ALICE, BOB, startScene } from '../scene.ts'

const request = { from: ALICE, to: BOB, value: '0x1' }

describe('eth_sendTransactionSync', () => {
  test('answers when the transaction is pre-confirmed', async () => {
    const { chain, ask } = await startScene()
    const receipt = ask('eth_sendTransactionSync', request)
    await chain.advance(200)
    expect(await receipt).toMatchObject({ status: '0x1', blockNumber: '0x1', from: ALICE, gasUsed: '0x5208' })
  })

  test('answers at once where blocks are made for each transaction', async () => {
    const { ask } = await startScene({ production: 'auto' })
    expect(await ask('eth_sendTransactionSync', request)).toMatchObject({ status: '0x1', blockNumber: '0x1' })
  })

  test('gives up in virtual time', async () => {
    const { chain, ask } = await startScene({ production: 'manual', partialBlockTimeMs: 10_000 })
    const receipt = ask('eth_sendTransactionSync', request, 1000)
    await Promise.all([
      chain.advance(1000),
      expect(receipt).rejects.toMatchObject({ code: 4, kind: 'confirmationTimeout' }),
    ])
  })

  test('refuses to wait for long', async () => {
    const { ask } = await startScene()
    await expect(ask('eth_sendTransactionSync', request, 6001)).rejects.toMatchObject({
      kind: 'timeoutTooLong',
    })
    expect(await ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  test('takes only accounts that keys are held of', async () => {
    const { ask } = await startScene()
    const stranger = `0x${'99'.repeat(20)}`
    await expect(ask('eth_sendTransactionSync', { ...request, from: stranger })).rejects.toMatchObject({
      kind: 'unknownAccount',
    })
  })
})

test.each([
  ['eth_sendTransaction', { form: BOB, to: BOB }, 'form: unknown field, did you mean from?'],
  [
    'eth_sendTransaction',
    { from: ALICE, to: BOB, vaule: '0x1' },
    'vaule: unknown field, did you mean value?',
  ],
  ['eth_call', { too: BOB }, 'too: unknown field, did you mean to?'],
  ['eth_call', { to: BOB, dta: '0x12' }, 'dta: unknown field, did you mean data?'],
  ['eth_estimateGas', { tto: BOB }, 'tto: unknown field, did you mean to?'],
])('%s refuses a misspelt field of %o', async (method, misspelt, expected) => {
  const { ask } = await startScene()
  await expect(ask(method as never, misspelt)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(expected),
  })
})

test('other fields that clients send are ignored', async () => {
  const { ask } = await startScene()
  // Of ethers 5, web3.js, Celo and viem's account.
  const others = {
    gasLimit: '0x5208',
    chain: 'mainnet',
    hardfork: 'london',
    feeCurrency: BOB,
    account: ALICE,
    values: null,
  }
  expect(await ask('eth_sendTransaction', { ...request, ...others, vaule: undefined })).toMatch(/^0x/)
})
