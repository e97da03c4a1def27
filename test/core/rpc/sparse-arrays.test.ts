// Sparse arrays, which only code in the same process can send: a hole counts as undefined.
import { expect, test } from 'vitest'
import { ALICE, BOB, startScene } from './scene.ts'

const holes: readonly unknown[] = new Array(2)
const zero = `0x${'00'.repeat(32)}`

test.each<[what: string, method: string, params: readonly unknown[], path: string]>([
  ['addresses', 'eth_getLogs', [{ address: holes }], '0.address[0]'],
  ['topics', 'eth_getLogs', [{ topics: holes }], '0.topics[0]'],
  ['topics in a position', 'eth_getLogs', [{ topics: [holes] }], '0.topics[0][0]'],
  ['storage slots', 'eth_getProof', [ALICE, holes, 'latest'], '1[0]'],
  ['storage slots by address', 'eth_getStorageValues', [{ [ALICE]: holes }, 'latest'], `0.${ALICE}[0]`],
  ['an access list', 'eth_call', [{ to: BOB, accessList: holes }], '0.accessList[0]'],
  [
    'the keys of an access list',
    'eth_call',
    [{ to: BOB, accessList: [{ address: BOB, storageKeys: holes }] }],
    '0.accessList[0].storageKeys[0]',
  ],
  ['authorizations', 'eth_call', [{ to: BOB, authorizationList: holes }], '0.authorizationList[0]'],
  ['blob hashes', 'eth_call', [{ to: BOB, blobVersionedHashes: holes }], '0.blobVersionedHashes[0]'],
  ['simulated blocks', 'eth_simulateV1', [{ blockStateCalls: holes }], '0.blockStateCalls[0]'],
  [
    'simulated calls',
    'eth_simulateV1',
    [{ blockStateCalls: [{ calls: holes }] }],
    '0.blockStateCalls[0].calls[0]',
  ],
  ['percentiles', 'eth_feeHistory', ['0x1', 'latest', holes], '2[0]'],
])('%s are refused', async (_, method, params, path) => {
  const { ask } = await startScene()
  await expect(ask(method, ...params)).rejects.toMatchObject({
    kind: 'invalidParameter',
    code: -32602,
    message: expect.stringContaining(`invalid argument ${path}: `),
  })
})

test('transactions of a block that is built are refused', async () => {
  const { ask } = await startScene()
  const attributes = { timestamp: '0x6592008c', prevRandao: zero, suggestedFeeRecipient: BOB }
  await expect(ask('testing_buildBlockV1', zero, attributes, holes)).rejects.toMatchObject({
    message: expect.stringContaining('invalid argument 2[0]: '),
  })
})

test('requests of a batch are answered as those that are none', async () => {
  const { chain } = await startScene()
  const invalid = { jsonrpc: '2.0', id: null, error: { code: -32600 } }
  expect(await chain.handle(holes)).toMatchObject([invalid, invalid])
})

test('what calls of the emulator and options take is refused', async () => {
  const { chain } = await startScene()
  await chain.seal()
  const blocks = holes as readonly never[]
  await expect(chain.reorg({ depth: 1, blocks })).rejects.toMatchObject({ kind: 'invalidCall' })
  await expect(chain.reorg({ depth: 1, blocks: [blocks] })).rejects.toMatchObject({ kind: 'invalidCall' })
  await expect(chain.dropPreconfirmed(blocks)).rejects.toMatchObject({ kind: 'invalidCall' })
  await expect(startScene({ predeploys: blocks })).rejects.toMatchObject({ kind: 'invalidOption' })
})

test('the most holes that an array can have cost nothing in any flavor', async () => {
  const most: readonly unknown[] = Object.assign([], { length: 2 ** 32 - 1 })
  const { ask } = await startScene({ flavor: 'hardhat' })
  const before = process.cpuUsage()
  const asked = [
    ask('eth_feeHistory', '0x1', 'latest', most),
    ask('eth_getLogs', { topics: most }),
    ask('eth_getLogs', { address: most }),
    ask('eth_call', { to: BOB, accessList: most }),
    ask('eth_call', ...Array.from({ length: 101 })),
  ]
  for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: expect.any(Number) })
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000)
})
