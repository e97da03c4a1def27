import { beforeAll, describe, expect, test } from 'vitest'
import { Counter } from '../../../contracts/generated.ts'
import { ALICE, type Scene, startScene } from '../scene.ts'

const contract = `0x${'c0'.repeat(20)}` as const
const [slot1, slot7] = [`0x${'0'.repeat(63)}1`, `0x${'0'.repeat(63)}7`] as const
const word = (value: string) => `0x${value.padStart(64, '0')}`

/** keccak-256 of nothing, and the root of a trie with nothing in it (yellow paper, appendix D). */
const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

let scene: Scene
beforeAll(async () => {
  const storage = { [slot1]: '0xff', [slot7]: '0x1234' } as const
  scene = await startScene({
    genesis: { alloc: { [contract]: { nonce: 1, balance: 5, code: Counter.deployedBytecode, storage } } },
  })
})

describe('eth_getStorageValues', () => {
  test('in the order asked, zero where nothing is', async () => {
    const requests = { [contract]: [slot7, '0x1', '0x2'], [ALICE]: [slot1] }
    const expected = { [contract]: [word('1234'), word('ff'), word('0')], [ALICE]: [word('0')] }
    expect(await scene.ask('eth_getStorageValues', requests)).toEqual(expected)
    expect(await scene.ask('eth_getStorageValues', requests, 'pending')).toEqual(expected)
  })

  test.each([
    [{}, 'invalid argument 0: empty request'],
    [{ [contract]: [] }, 'invalid argument 0: empty request'],
    [
      { [contract]: Array(1000).fill('0x0'), [ALICE]: Array(25).fill('0x0') },
      'invalid argument 0: too many slots (max 1024)',
    ],
    [{ '0x12': ['0x0'] }, 'invalid argument 0["0x12"]: expected an address of 20 bytes, got "0x12" (1 byte)'],
  ])('refuses %#', async (requests, message) => {
    await expect(scene.ask('eth_getStorageValues', requests)).rejects.toMatchObject({ code: -32602, message })
  })
})

describe('eth_getAccount', () => {
  test('of a wallet', async () => {
    expect(await scene.ask('eth_getAccount', ALICE)).toEqual({
      balance: '0x21e19e0c9bab2400000',
      nonce: '0x0',
      codeHash: emptyCode,
      storageRoot: emptyRoot,
    })
  })

  test('of a contract, as a proof has it', async () => {
    const { balance, nonce, codeHash, storageHash } = await scene.ask<Record<string, string>>(
      'eth_getProof',
      contract,
      [],
      'latest',
    )
    expect(storageHash).not.toBe(emptyRoot)
    const account = { balance, nonce, codeHash, storageRoot: storageHash }
    expect(await scene.ask('eth_getAccount', contract, 'latest')).toEqual(account)
    expect(await scene.ask('eth_getAccount', contract, 'pending')).toEqual(account)
  })
})

// The vector get-account-proof-with-storage of execution-apis asks 0x01 and is answered 0x1; full keys as in geth.
test.each([
  ['0x0', '0x0'],
  ['0x00', '0x0'],
  ['0x01', '0x1'],
  ['0x00A0', '0xa0'],
  ['0x', '0x0'],
  [`0x${'AB'.repeat(31)}`, `0x${'ab'.repeat(31)}`],
  [`0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`],
  [`0x${'00'.repeat(31)}0A`, `0x${'00'.repeat(31)}0a`],
  // geth reads an odd number of digits with a zero in front.
  [`0x${'0'.repeat(62)}7`, `0x${'0'.repeat(63)}7`],
])('eth_getProof answers for the key %s with %s', async (asked, shown) => {
  const { storageProof } = await scene.ask<{ storageProof: { key: string }[] }>(
    ...(['eth_getProof', contract, [asked], 'latest'] as const),
  )
  expect(storageProof.map(({ key }) => key)).toEqual([shown])
})

// geth: no nodes for a slot of an account without storage, in the order that was asked for. EIP-1186: the hashes of no
// code and of an empty trie, also for an account that does not exist.
test.each([
  ['an account that does not exist', `0x${'99'.repeat(20)}`],
  ['an account without storage', ALICE],
])('eth_getProof of %s: empty hashes, and proofs without nodes', async (_, account) => {
  const keys = ['0x2', `0x${'00'.repeat(31)}01`, '0x0']
  expect(await scene.ask('eth_getProof', account, keys, 'latest')).toMatchObject({
    // keccak-256 of nothing, and of the RLP of an empty string.
    codeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    storageHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    storageProof: keys.map((key) => ({ key, value: '0x0', proof: [] })),
  })
})

test('eth_getAccountInfo', async () => {
  const code = Counter.deployedBytecode
  expect(await scene.ask('eth_getAccountInfo', contract, 'latest')).toEqual({
    balance: '0x5',
    nonce: '0x1',
    code,
  })
  expect(await scene.ask('eth_getAccountInfo', `0x${'99'.repeat(20)}`)).toEqual({
    balance: '0x0',
    nonce: '0x0',
    code: '0x',
  })
})
