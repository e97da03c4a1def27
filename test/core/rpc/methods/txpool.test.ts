import { beforeAll, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../scene.ts'

/** Of Alice's, nonce 0 is pre-confirmed, 1 and 2 follow, and 4 stands behind a gap. Bob's is a creation. */
let scene: Scene
const hashes: Record<string, string> = {}

beforeAll(async () => {
  scene = await startScene()
  const { chain, send } = scene
  await send(alice, transfer(BOB, 0))
  await chain.advance(200)
  for (const nonce of [4, 1, 2]) hashes[`alice ${nonce}`] = await send(alice, transfer(BOB, nonce))
  const { to, ...creation } = { ...transfer(ALICE, 0), gas: 60_000n, data: '0x00' } as const
  expect(to).toBe(ALICE)
  hashes['bob 0'] = await send(bob, creation)
})

const waits = { blockHash: null, blockNumber: null, transactionIndex: null }

test('txpool_content: senders with a checksum, nonces in decimal', async () => {
  const { pending, queued } =
    await scene.ask<Record<'pending' | 'queued', Record<string, object>>>('txpool_content')
  // In the order of the addresses: 0x7099… before 0xf39F….
  expect(Object.keys(pending)).toEqual([bob.address, alice.address])
  expect(pending).toMatchObject({
    [alice.address]: {
      1: { hash: hashes['alice 1'], from: ALICE, ...waits },
      2: { hash: hashes['alice 2'], ...waits },
    },
    [bob.address]: { 0: { hash: hashes['bob 0'], to: null } },
  })
  expect(Object.keys(pending[alice.address] ?? {})).toEqual(['1', '2'])
  expect(queued).toMatchObject({ [alice.address]: { 4: { hash: hashes['alice 4'] } } })
  expect(Object.keys(queued)).toEqual([alice.address])
})

test('txpool_contentFrom', async () => {
  expect(await scene.ask('txpool_contentFrom', ALICE)).toMatchObject({
    pending: { 1: { nonce: '0x1' }, 2: { nonce: '0x2' } },
    queued: { 4: { nonce: '0x4' } },
  })
  const nobody = `0x${'99'.repeat(20)}`
  expect(await scene.ask('txpool_contentFrom', nobody)).toEqual({ pending: {}, queued: {} })
})

test('txpool_inspect, in the words of geth', async () => {
  const line = `${bob.address}: 1 wei + 21000 gas × 10000000000 wei`
  expect(await scene.ask('txpool_inspect')).toEqual({
    pending: {
      [alice.address]: { 1: line, 2: line },
      [bob.address]: { 0: 'contract creation: 1 wei + 60000 gas × 10000000000 wei' },
    },
    queued: { [alice.address]: { 4: line } },
  })
})

test('txpool_status', async () => {
  expect(await scene.ask('txpool_status')).toEqual({ pending: '0x3', queued: '0x1' })
})

test('eth_pendingTransactions, as they came', async () => {
  const shown = await scene.ask<{ hash: string }[]>('eth_pendingTransactions')
  expect(shown.map(({ hash }) => hash)).toEqual([
    hashes['alice 4'],
    hashes['alice 1'],
    hashes['alice 2'],
    hashes['bob 0'],
  ])
})
