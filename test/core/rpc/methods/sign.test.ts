import { createPublicClient, custom, type Hex, parseTransaction, recoverTransactionAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, type Scene, startScene, transfer } from '../scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  await scene.send(alice, transfer(BOB, 0))
})

/** Block 1 has 7/8 of 1 gwei as base fee: twice that and a tip of 1 gwei is the cap. */
const filled = {
  chainId: 31_337,
  type: 'eip1559',
  nonce: 1,
  gas: 21_000n,
  maxFeePerGas: 2_750_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  to: BOB,
  value: 1n,
} as const

const request = { from: ALICE, to: BOB, value: '0x1' }

describe('eth_signTransaction', () => {
  test('fills and signs, and submits nothing', async () => {
    const raw = await scene.ask<Hex>('eth_signTransaction', request)
    expect(parseTransaction(raw)).toMatchObject(filled)
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(
      alice.address,
    )
    expect(raw).toBe(await alice.signTransaction(filled))
    expect(await scene.ask('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  })

  test('keeps what is given', async () => {
    const given = { ...request, gasPrice: '0x77359400', nonce: '0x9', gas: '0xffff' }
    expect(parseTransaction(await scene.ask<Hex>('eth_signTransaction', given))).toMatchObject({
      type: 'legacy',
      gasPrice: 2_000_000_000n,
      nonce: 9,
      gas: 65_535n,
    })
  })

  test('of somebody else', async () => {
    const stranger = `0x${'99'.repeat(20)}`
    await expect(scene.ask('eth_signTransaction', { ...request, from: stranger })).rejects.toMatchObject({
      kind: 'unknownAccount',
    })
  })
})

describe('eth_fillTransaction', () => {
  test('gives the bytes to sign with an empty signature, and the fields', async () => {
    const { raw, tx } = await scene.ask<{ raw: Hex; tx: object }>('eth_fillTransaction', request)
    expect(parseTransaction(raw)).toMatchObject(filled)
    expect(raw.endsWith('c0808080')).toBe(true)
    expect(tx).toMatchObject({
      type: '0x2',
      from: ALICE,
      nonce: '0x1',
      gas: '0x5208',
      gasPrice: null,
      maxFeePerGas: '0xa3e9ab80',
      ...{ v: '0x0', r: '0x0', s: '0x0', yParity: '0x0' },
    })
    expect(tx).not.toHaveProperty('blockHash')
  })

  test('is what viem fills transactions with', async () => {
    const client = createPublicClient({ transport: custom(scene.chain) })
    const { transaction } = await client.fillTransaction({
      ...{ type: 'eip1559', chain: null, account: ALICE, to: BOB, value: 1n },
    })
    // viem raises the cap by a fifth.
    expect(transaction).toMatchObject({ nonce: 1, gas: 21_000n, maxFeePerGas: 3_300_000_000n })
  })

  test('takes any sender', async () => {
    const stranger = `0x${'99'.repeat(20)}`
    const { tx } = await scene.ask<{ tx: object }>('eth_fillTransaction', {
      ...{ from: stranger, to: BOB, gas: '0x5208', gasPrice: '0x1' },
    })
    expect(tx).toMatchObject({ from: stranger, nonce: '0x0', type: '0x0', gasPrice: '0x1', v: '0x0' })
  })

  test.each(['0x0', '0x1'] as const)('has the type %s that is asked for', async (type) => {
    const { tx } = await scene.ask<{ tx: object }>('eth_fillTransaction', { ...request, type })
    expect(tx).toMatchObject({ type })
  })

  test('refuses a type that no transaction has', async () => {
    await expect(scene.ask('eth_fillTransaction', { ...request, type: '0x5' })).rejects.toMatchObject({
      code: -32602,
      message: 'invalid argument 0.type: unknown transaction type 5',
    })
  })
})

test('eth_signTypedData is the newest version', async () => {
  const typed = {
    types: { EIP712Domain: [], Mail: [{ name: 'contents', type: 'string' }] },
    primaryType: 'Mail',
    domain: {},
    message: { contents: 'Hello' },
  } as const
  const expected = await alice.signTypedData(typed)
  expect(await scene.ask('eth_signTypedData', ALICE, typed)).toBe(expected)
  expect(await scene.ask('eth_signTypedData_v4', ALICE, JSON.stringify(typed))).toBe(expected)
})
