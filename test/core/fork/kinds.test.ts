// Forks of chains of all kinds: with blobs and delegations, forks themselves, and rollups.

import { concatHex, fromRlp, type Hex, toHex, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Hash } from '../../../src/core/primitives/hex.ts'
import { base, createEmulator, type Emulator, unichain } from '../../../src/index.ts'
import { ask, rpcError, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
// The second and third account of the "test … junk" mnemonic.
const bob = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const carol = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
/** Adds one to its first slot, and returns the blob base fee. */
const COUNTER: Hex = '0x60015f54015f554a5f5260205ff3'
const TARGET: Hex = '0x00000000000000000000000000000000000000c1'
const FEES = { chainId: 31_337, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n } as const

/** A transaction with two blobs of zeros, whose commitments and proofs are the point at infinity. */
async function blobTransaction(nonce: number): Promise<Hex> {
  const zeroBlobHash = '0x010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014'
  const bare = await bob.signTransaction({
    ...FEES,
    ...{ type: 'eip4844', to: TARGET, nonce, gas: 100_000n, maxFeePerBlobGas: 10n ** 9n },
    blobVersionedHashes: [zeroBlobHash, zeroBlobHash],
  } as never)
  const twice = (hex: Hex): Hex[] => [hex, hex]
  const infinity: Hex = `0xc0${'00'.repeat(47)}`
  const blobs = twice(toHex(new Uint8Array(131_072)))
  const parts = [fromRlp(`0x${bare.slice(4)}`, 'hex'), blobs, twice(infinity), twice(infinity)]
  return concatHex(['0x03', toRlp(parts as never)])
}

/** Delegates Carol's account to the counter, by a transaction of Bob. */
async function delegation(nonce: number, carolsNonce: number, address: Hex): Promise<Hex> {
  const authorization = await carol.signAuthorization({ chainId: 31_337, address, nonce: carolsNonce })
  const authorizationList = [authorization]
  return bob.signTransaction({
    ...FEES,
    ...{ type: 'eip7702', to: carol.address, nonce, gas: 200_000n, authorizationList },
  })
}

const withoutHash = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, item) =>
      /^(blockHash|stateRoot|hash|parentHash)$/.test(key) ? undefined : item,
    ),
  )

async function sealed(chain: Emulator, raw: Hex): Promise<unknown> {
  const hash = await ask(chain, 'eth_sendRawTransaction', raw)
  await chain.advance(2000)
  return [
    withoutHash(await ask(chain, 'eth_getTransactionReceipt', hash)),
    withoutHash(await ask(chain, 'eth_getBlockByNumber', 'latest', false)),
    await ask(chain, 'eth_getStorageAt', carol.address, '0x0', 'latest'),
    await ask(chain, 'eth_getCode', carol.address, 'latest'),
    await ask(chain, 'eth_blobBaseFee'),
  ]
}

test('blobs and delegations go on from where the chain is', { tags: 'gate' }, async () => {
  const alloc = { [TARGET]: { code: COUNTER } }
  const options = { blobTransactions: 'accepted', blockTimeMs: 2000 } as const
  const genesis = { alloc, excessBlobGas: 20_000_000n }
  const chain = await createEmulator({ ...options, genesis })
  await sealed(chain, await blobTransaction(0))
  await sealed(chain, await delegation(1, 0, TARGET))
  const upstream = chain.clone()
  // Only the accounts of the upstream: test accounts of a fork lose delegations.
  const fork = await createEmulator({ ...options, accounts: [], fork: { upstream } })
  expect(await ask(fork, 'eth_getCode', carol.address, 'latest')).toBe(`0xef0100${TARGET.slice(2)}`)
  for (const raw of [
    await blobTransaction(2),
    await delegation(3, 1, '0x0000000000000000000000000000000000000000'),
    await delegation(4, 2, TARGET),
    await blobTransaction(5),
  ]) {
    expect(await sealed(fork, raw)).toEqual(await sealed(chain, raw))
  }
  expect(await ask(fork, 'eth_getStorageAt', carol.address, '0x0', 'latest')).toBe(toHex(2n, { size: 32 }))
  expect(BigInt((await ask(fork, 'eth_blobBaseFee')) as Hex)).toBeGreaterThan(1n)
})

test('a fork of a fork has what both have', async () => {
  const chain = await createEmulator({ production: 'auto' })
  await chain.setStorageAt(TARGET, '0x0', '0x5')
  await chain.setCode(TARGET, COUNTER)
  const count = async (on: Emulator) =>
    ask(on, 'eth_sendTransaction', { from: FIRST, to: TARGET, gas: '0x20000' }) as Promise<Hash>
  const hashes = [await count(chain)]
  const fork = await createEmulator({ production: 'auto', fork: { upstream: chain } })
  hashes.push(await count(fork))
  const second = await createEmulator({ production: 'auto', fork: { upstream: wireTo(fork) } })
  hashes.push(await count(second))
  expect(second.fork).toMatchObject({ blockNumber: 2 })
  expect(await ask(second, 'eth_getStorageAt', TARGET, '0x0', 'latest')).toBe(toHex(8n, { size: 32 }))
  for (const [index, hash] of hashes.entries())
    expect(await ask(second, 'eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      blockNumber: toHex(index + 1),
    })
  expect(await ask(second, 'eth_getBlockByNumber', '0x1', true)).toEqual(
    await ask(chain, 'eth_getBlockByNumber', '0x1', true),
  )
  expect(await ask(chain, 'eth_getStorageAt', TARGET, '0x0', 'latest')).toBe(toHex(6n, { size: 32 }))
})

/** A rollup with two blocks, each with a deposit of the L1's attributes and a transfer. */
async function rollup() {
  const chain = await createEmulator({ rollup: { stack: 'op' } })
  const hashes: Hash[] = []
  for (let block = 0; block < 2; block++) {
    hashes.push((await ask(chain, 'eth_sendTransaction', { from: FIRST, to: TARGET, value: '0x1' })) as Hash)
    await chain.advance(2000)
  }
  return { chain, hashes }
}

test('deposits of a rollup are passed through, and the chain goes on as a rollup', async () => {
  const { chain, hashes } = await rollup()
  const fork = await createEmulator({ fork: { upstream: chain } })
  for (const request of [
    ['eth_getBlockByNumber', '0x2', true],
    ['eth_getBlockReceipts', '0x2'],
    ['eth_getTransactionReceipt', hashes[1]],
    ['eth_getTransactionByBlockNumberAndIndex', '0x1', '0x0'],
    ['eth_getBalance', TARGET, '0x1'],
  ] as const) {
    const [method, ...params] = request
    expect(await ask(fork, method, ...params), method).toEqual(await ask(chain, method, ...params))
  }
  const block = (await ask(fork, 'eth_getBlockByNumber', '0x2', true)) as { transactions: { type: Hex }[] }
  expect(block.transactions.map(({ type }) => type)).toEqual(['0x7e', '0x2'])
  await ask(fork, 'eth_sendTransaction', { from: FIRST, to: TARGET, value: '0x1' })
  await fork.advance(2000)
  const own = (await ask(fork, 'eth_getBlockByNumber', 'latest', true)) as { transactions: { type: Hex }[] }
  expect(own.transactions.map(({ type }) => type)).toEqual(['0x7e', '0x2'])
  expect(await ask(fork, 'eth_getBalance', TARGET, 'latest')).toBe('0x3')
})

test('a fork at a transaction executes the deposits before it', async () => {
  const { chain, hashes } = await rollup()
  const fork = await createEmulator({ fork: { upstream: chain, block: hashes[1] as Hex } })
  const read = async (on: typeof fork, tag: string) =>
    (await ask(on, 'eth_getBlockByNumber', tag, false)) as { transactions: Hex[] }
  const { transactions } = await read(chain, '0x2')
  const before = transactions.slice(0, transactions.indexOf(hashes[1] as Hex))
  expect(before.length).toBeGreaterThan(0)
  expect((await read(fork, 'pending')).transactions).toEqual(before)
})

test('a fork at a transaction after one of a type that is unknown here is refused by name', async () => {
  const { chain, hashes } = await rollup()
  const wire = wireTo(chain)
  // Arbitrum's type of an internal transaction.
  wire.answer = ({ method }) => (method === 'eth_getRawTransactionByHash' ? '0x6ac0' : undefined)
  const block = hashes[1] as Hex
  await expect(createEmulator({ fork: { upstream: wire, block } })).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringMatching(/^invalid option fork.block: .*is none that can be decoded/),
  })
})

test('a snapshot is reverted to over reads that the fork did not know at the time', async () => {
  const chain = await createEmulator({ production: 'auto' })
  await chain.setCode(TARGET, COUNTER)
  await chain.setStorageAt(TARGET, '0x0', '0x5')
  const wire = wireTo(chain)
  wire.answer = ({ method }) => (method === 'eth_createAccessList' ? rpcError(-32601, 'unknown') : undefined)
  const fork = await createEmulator({ production: 'auto', fork: { upstream: wire } })
  const snapshot = fork.snapshot()
  const send = () => ask(fork, 'eth_sendTransaction', { from: FIRST, to: TARGET, gas: '0x20000' })
  const first = await send()
  const after = await ask(fork, 'eth_getBlockByNumber', 'latest', false)
  await fork.revert(snapshot)
  const { length } = wire.asked
  expect(await send()).toBe(first)
  expect(await ask(fork, 'eth_getBlockByNumber', 'latest', false)).toEqual(after)
  expect(wire.asked).toHaveLength(length)
})

test('a reorganisation down to the fork executes what it has to read first', async () => {
  const chain = await createEmulator({ production: 'auto' })
  await chain.setCode(TARGET, COUNTER)
  await chain.setStorageAt(TARGET, '0x0', '0x5')
  const fork = await createEmulator({ production: 'manual', fork: { upstream: wireTo(chain) } })
  await fork.mine(2)
  const raw = await bob.signTransaction({ ...FEES, type: 'eip1559', to: TARGET, nonce: 0, gas: 100_000n })
  await fork.reorg({ depth: 2, blocks: [[raw], []] })
  expect(await ask(fork, 'eth_getStorageAt', TARGET, '0x0', 'latest')).toBe(toHex(6n, { size: 32 }))
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x2')
})

test('slots stay of an account whose delegation was taken off, also without proofs', async () => {
  const chain = await createEmulator({ production: 'auto' })
  await chain.setCode(TARGET, COUNTER)
  const send = (raw: Hex) => ask(chain, 'eth_sendRawTransaction', raw)
  await send(await delegation(0, 0, TARGET))
  await send(await delegation(1, 1, `0x${'00'.repeat(20)}`))
  const slot = ['eth_getStorageAt', carol.address, '0x0', 'latest'] as const
  const written = await ask(chain, ...slot)
  expect([BigInt(written as Hex), await ask(chain, 'eth_getCode', carol.address, 'latest')]).toEqual([
    1n,
    '0x',
  ])
  const wire = wireTo(chain)
  wire.answer = ({ method }) => (method === 'eth_getProof' ? rpcError(-32601, 'no such method') : undefined)
  const fork = await createEmulator({ fork: { upstream: wire } })
  expect(await ask(fork, ...slot)).toBe(written)
})

test.each(['synthetic', 'proven'] as const)(
  '%s roots know nothing of writes that are taken back',
  async (roots) => {
    const chain = await createEmulator()
    await chain.setCode(TARGET, '0x60025f5560015f5500')
    await chain.setStorageAt(TARGET, '0x0', '0x1')
    await chain.seal()
    const upstream = wireTo(chain)
    const rootOf = async (interpreter: 'wasm' | 'reference') => {
      const forked = await createEmulator({
        fork: { upstream, roots },
        interpreter,
        accounts: { balance: 0n },
      })
      await ask(forked, 'eth_sendTransaction', { from: FIRST, to: TARGET, gas: '0x30000' })
      await forked.seal()
      const { stateRoot } = (await ask(forked, 'eth_getBlockByNumber', 'latest', false)) as {
        stateRoot: Hash
      }
      return stateRoot
    }
    expect(await rootOf('wasm')).toEqual(await rootOf('reference'))
  },
)

test('profiles of networks go on from a fork, with its parameters', async () => {
  const live = await createEmulator(base({ fork: 'jovian' }))
  await live.mine(3)
  const fork = await createEmulator(base({ fork: { upstream: live } }))
  expect(fork.settings).toMatchObject({ chainId: 8453, blockTimeMs: 2000, rollup: { stack: 'op' } })
  const other = await createEmulator(unichain({ fork: { upstream: live } }))
  expect(other.settings).toMatchObject({ chainId: 8453, blockTimeMs: 1000 })
})

test('a fork at genesis is the rollup that the header shows', async () => {
  const live = await createEmulator(base({ fork: 'jovian' }))
  const fork = await createEmulator({ fork: { upstream: live, block: 0 } })
  await fork.mine(2)
  const block = await ask(fork, 'eth_getBlockByNumber', 'latest', true)
  const expected = await ask(live, 'eth_getBlockByNumber', '0x0', false)
  expect(block).toMatchObject({
    // That of Base: denominator 250, elasticity 6, and a least base fee of 5,000,000 wei.
    extraData: (expected as { extraData: string }).extraData,
    baseFeePerGas: '0x4c4b40',
    transactions: [{ type: '0x7e' }],
  })
})

test.each([
  [
    'bedrock over jovian',
    base({ fork: 'jovian' }),
    { stack: 'op', fork: 'bedrock' },
    'got bedrock: .*empty before holocene',
  ],
  ['a rollup over a chain that is none', {}, { stack: 'op', fork: 'jovian' }, 'block 3, got jovian: '],
] as const)('%s is refused by name', async (_, options, rollup, reason) => {
  const live = await createEmulator(options)
  await live.mine(3)
  await expect(createEmulator({ rollup, fork: { upstream: live } })).rejects.toThrow(
    expect.objectContaining({
      kind: 'invalidOption',
      message: expect.stringMatching(
        `invalid option rollup.fork: expected a fork with headers such as that of .*${reason}`,
      ),
    }),
  )
})

test('a rollup whose tips go to an account of its own is forked as one, and its tips go to the vault', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' }, coinbase: bob.address })
  await chain.mine(1)
  const fork = await createEmulator({ fork: { upstream: chain } })
  await fork.mine(1)
  expect(await ask(fork, 'eth_getBlockByNumber', 'latest', true)).toMatchObject({
    transactions: [{ type: '0x7e' }],
    miner: '0x4200000000000000000000000000000000000011',
  })
})

test('the first block of OP Mainnet under bedrock, whose extraData is text, is forked', async () => {
  const chain = await createEmulator({ chainId: 10, rollup: { stack: 'op', fork: 'bedrock' } })
  const block = (await ask(chain, 'eth_getBlockByNumber', 'latest', false)) as object
  const wire = wireTo(chain)
  const extraData = `0x${Buffer.from('BEDROCK').toString('hex')}`
  wire.answer = ({ method }) => (method === 'eth_getBlockByNumber' ? { ...block, extraData } : undefined)
  const fork = await createEmulator({ fork: { upstream: wire } })
  await fork.advance(2000)
  expect(await ask(fork, 'eth_getBlockByNumber', '0x1', true)).toMatchObject({
    extraData: '0x',
    transactions: [{ type: '0x7e' }],
  })
})
