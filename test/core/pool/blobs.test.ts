import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { concatHex, fromRlp, type Hex, keccak256, parseSignature, toHex, toRlp, trim } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { alice, BOB, bob } from '../rpc/scene.ts'

/** A blob of zeros: its commitment and its proofs are the point at infinity. */
const blob = toHex(new Uint8Array(131_072))
const infinity: Hex = `0xc0${'00'.repeat(47)}`
/** As recorded from geth for a blob of zeros (execution-apis, send-blob-tx). */
const zeroBlobHash = '0x010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014'

const payload = {
  chainId: 31_337,
  type: 'eip4844',
  to: BOB,
  value: 1n,
  nonce: 0,
  gas: 21_000n,
  maxFeePerGas: 10_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  maxFeePerBlobGas: 10n,
} as const

type Item = Hex | readonly Item[]

interface Sidecar {
  readonly blobs: readonly Hex[]
  readonly commitments: readonly Hex[]
  readonly proofs: readonly Hex[]
}

function sidecarOf(count: number): Sidecar {
  const repeat = (hex: Hex) => Array.from({ length: count }, () => hex)
  return { blobs: repeat(blob), commitments: repeat(infinity), proofs: repeat(infinity) }
}

interface Choice {
  readonly blobs?: number
  readonly nonce?: number
  readonly maxFeePerBlobGas?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly signer?: typeof alice
}

/** Signs with `blobs` versioned hashes, as a block holds it. */
function signBare({ blobs = 1, signer = alice, ...rest }: Choice = {}): Promise<Hex> {
  const blobVersionedHashes = Array.from({ length: blobs }, () => zeroBlobHash)
  return signer.signTransaction({ ...payload, ...rest, blobVersionedHashes } as never)
}

/** Puts a sidecar beside a signed transaction: of EIP-4844, or with the version of EIP-7594. */
function wrap(bare: Hex, { blobs, commitments, proofs }: Sidecar, version?: Hex): Hex {
  const fields = fromRlp(`0x${bare.slice(4)}`, 'hex') as Item
  const parts: Item = [fields, ...(version === undefined ? [] : [version]), blobs, commitments, proofs]
  return concatHex(['0x03', toRlp(parts)])
}

async function sign(choice: Choice = {}): Promise<Hex> {
  return wrap(await signBare(choice), sidecarOf(choice.blobs ?? 1))
}

function start(options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ blobTransactions: 'accepted', ...options })
}

function submit(chain: Emulator, raw: Hex): Promise<Hex> {
  return chain.request('eth_sendRawTransaction', [raw])
}

describe('a layer 2', () => {
  test('refuses blob transactions by default', async () => {
    await expect(submit(await createEmulator(), await sign())).rejects.toMatchObject({
      code: -32000,
      message: 'transaction type not supported: received type 3',
    })
  })

  test('there are none before cancun', async () => {
    await expect(submit(await start({ hardfork: 'shanghai' }), await sign())).rejects.toMatchObject({
      kind: 'transactionTypeNotSupported',
    })
  })
})

describe('the sidecar', () => {
  let bare: Hex
  beforeAll(async () => {
    bare = await signBare()
  })

  test('must be there', async () => {
    await expect(submit(await start(), bare)).rejects.toMatchObject({
      code: -32000,
      message: 'missing sidecar in blob transaction',
    })
  })

  test('is not part of the hash', async () => {
    const viaSidecar = await submit(await start(), wrap(bare, sidecarOf(1)))
    const blockForm = await (await start()).request('web3_sha3', [bare])
    expect(viaSidecar).toBe(blockForm)
  })

  const other: Hex = `0xb0${'00'.repeat(47)}`
  test.each([
    ['blobs', { ...sidecarOf(1), blobs: [] }, 'invalid number of 0 blobs compared to 1 blob hashes'],
    [
      'commitments',
      { ...sidecarOf(1), commitments: [infinity, infinity] },
      'invalid number of 2 blob commitments compared to 1 blob hashes',
    ],
    ['proofs', { ...sidecarOf(1), proofs: [] }, 'invalid number of 0 blob proofs expected 1'],
  ])('has as many %s as the transaction has hashes', async (_, sidecar, message) => {
    await expect(submit(await start(), wrap(bare, sidecar))).rejects.toMatchObject({
      kind: 'invalidSidecar',
      message,
    })
  })

  test('has the commitments for the hashes', async () => {
    const sidecar = { ...sidecarOf(1), commitments: [other] }
    await expect(submit(await start(), wrap(bare, sidecar))).rejects.toMatchObject({
      message: expect.stringMatching(
        /^blob 0: computed hash 0x01[0-9a-f]{62} mismatches transaction one 0x010657f3/,
      ),
    })
  })

  test('has blobs of 131,072 bytes', async () => {
    const sidecar = { ...sidecarOf(1), blobs: ['0x00' as const] }
    await expect(submit(await start(), wrap(bare, sidecar))).rejects.toMatchObject({
      message: 'blob 0: expected 131072 bytes, got 1',
    })
  })

  const cells = { ...sidecarOf(1), proofs: Array.from({ length: 128 }, () => infinity) }

  test('has a proof for each of 128 cells from osaka on (EIP-7594)', async () => {
    const chain = await start({ hardfork: 'osaka' })
    await expect(submit(chain, wrap(bare, sidecarOf(1), '0x01'))).rejects.toMatchObject({
      message: 'invalid number of 1 blob proofs expected 128',
    })
    expect(await submit(chain, wrap(bare, cells, '0x01'))).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('has no proofs of cells before', async () => {
    await expect(submit(await start(), wrap(bare, cells, '0x01'))).rejects.toMatchObject({
      message: 'unexpected sidecar version, want: 0, got: 1',
    })
  })
})

describe('the number of blobs', () => {
  test.each([
    ['cancun', 6],
    ['prague', 9],
    // EIP-7594 lets a transaction have 6 of the 9.
    ['osaka', 6],
  ] as const)('%s: %i in a transaction', { tags: 'gate' }, async (hardfork, most) => {
    const chain = await start({ hardfork, limits: { bodyBytes: 2 ** 24 } })
    await expect(submit(chain, await sign({ blobs: most + 1 }))).rejects.toMatchObject({
      message: `transaction blob limit exceeded: blob count ${most + 1}, limit ${most}`,
    })
    expect(await submit(chain, await sign({ blobs: most }))).toMatch(/^0x/)
  })

  test('is not zero', async () => {
    // viem does not sign this one: the hashes are taken out of another, and it is signed by hand.
    const [chainId, nonce, tip, feeCap, gas, to, value, data, accessList, blobFeeCap] = fromRlp(
      `0x${(await signBare()).slice(4)}`,
      'hex',
    ) as Hex[]
    const fields = [chainId, nonce, tip, feeCap, gas, to, value, data, accessList, blobFeeCap, []] as Hex[]
    const digest = keccak256(concatHex(['0x03', toRlp(fields)]))
    const { r, s, yParity } = parseSignature(await alice.sign({ hash: digest }))
    const signature = [yParity === 0 ? '0x' : '0x01', trim(r), trim(s)] as const
    const bare = concatHex(['0x03', toRlp([...fields, ...signature])])
    await expect(submit(await start(), wrap(bare, sidecarOf(0)))).rejects.toMatchObject({
      message: 'blobless blob transaction',
    })
  })

  test('a block holds 9 under prague, and further ones wait', { tags: 'gate' }, async () => {
    const chain = await start()
    const first = await submit(chain, await sign({ blobs: 5 }))
    const second = await submit(chain, await sign({ blobs: 5, signer: bob }))
    await chain.seal()
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      // Five times 131,072.
      blobGasUsed: '0xa0000',
      transactions: [first],
    })
    await chain.seal()
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      transactions: [second],
    })
  })
})

test('a replacement block of a reorg holds 9 blobs under prague (EIP-7691), and no more', {
  tags: 'gate',
}, async () => {
  const chain = await start()
  await chain.seal()
  const replaceWith = async (blobs: number) =>
    chain.reorg({ depth: 1, blocks: [[await sign({ blobs: 5 }), await sign({ blobs, signer: bob })]] })
  await expect(replaceWith(5)).rejects.toMatchObject({
    kind: 'replacementNotExecutable',
    message: expect.stringContaining(': exceeds maximum blob gas of a block'),
  })
  await replaceWith(4)
  expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
    blobGasUsed: toHex(9 * 131_072),
  })
})

describe('the blob fee', () => {
  test('is at least 1 wei', async () => {
    await expect(submit(await start(), await sign({ maxFeePerBlobGas: 0n }))).rejects.toMatchObject({
      message: 'transaction gas price below minimum: blob fee cap 0, minimum needed 1',
    })
  })

  test('must be raised by a replacement, like the other fees', async () => {
    const chain = await start()
    await submit(chain, await sign())
    const fees = { maxFeePerGas: 11_000_000_000n, maxPriorityFeePerGas: 1_100_000_000n }
    await expect(submit(chain, await sign(fees))).rejects.toMatchObject({ kind: 'replacementUnderpriced' })
    expect(await submit(chain, await sign({ ...fees, maxFeePerBlobGas: 11n }))).toMatch(/^0x/)
  })

  test('a transaction below that of the block waits', async () => {
    // EIP-4844: e^(15,010,000 / 5,007,716) is 20.03, after an empty block that leaves 6 × 131,072 to the target.
    const chain = await start({ genesis: { excessBlobGas: 15_010_000n + 786_432n } })
    expect(await chain.request('eth_blobBaseFee')).toBe('0x14')
    const hash = await submit(chain, await sign({ maxFeePerBlobGas: 19n }))
    await chain.seal()
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toBeNull()
    // That block was empty too: e^(14,223,568 / 5,007,716) is 17.1.
    await chain.seal()
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })
})

test('a blob transaction and its receipt have the fields of their type', async () => {
  const chain = await start()
  const hash = await submit(chain, await sign({ blobs: 2 }))
  await chain.seal()
  expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({
    type: '0x3',
    maxFeePerBlobGas: '0xa',
    blobVersionedHashes: [zeroBlobHash, zeroBlobHash],
  })
  expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
    type: '0x3',
    // Two times 131,072 at the least price.
    blobGasUsed: '0x40000',
    blobGasPrice: '0x1',
  })
  // 1,000,000,000 × 7/8 of base fee and 1 gwei of tip for 21,000 gas, 1 wei for each blob gas, and 1 wei sent.
  const spent = 21_000n * 1_875_000_000n + 262_144n + 1n
  expect(await chain.request('eth_getBalance', [alice.address, 'latest'])).toBe(toHex(10n ** 22n - spent))
})

describe('a blob can be read', () => {
  const UNKNOWN: Hex = `0x01${'11'.repeat(31)}`

  test.each<[where: string, move: (chain: Emulator) => Promise<unknown>]>([
    ['in the pool', async () => undefined],
    ['pre-confirmed', (chain) => chain.advance(200)],
    ['in a block', (chain) => chain.seal()],
  ])('%s, by its transaction and by its hash', async (_, move) => {
    const chain = await start()
    // Another transaction is in the way.
    const other = await chain.request('eth_sendTransaction', [
      { from: (await chain.request('eth_accounts'))[5] as Hex, to: BOB, value: '0x1' },
    ])
    const hash = await submit(chain, await sign({ blobs: 2 }))
    await move(chain)
    expect(await chain.request('anvil_getBlobsByTransactionHash', [hash])).toEqual([blob, blob])
    expect(await chain.request('anvil_getBlobByHash', [zeroBlobHash])).toBe(blob)
    expect(await chain.request('anvil_getBlobByHash', [UNKNOWN])).toBeNull()
    expect(await chain.request('anvil_getBlobsByTransactionHash', [other])).toBeNull()
  })

  test('in a block that was built, with commitments and proofs', async () => {
    const chain = await start()
    await submit(chain, await sign({ blobs: 2 }))
    const head = await chain.request('eth_getBlockByNumber', ['latest', false])
    const attributes = {
      timestamp: toHex(Number(head?.timestamp) + 2),
      prevRandao: `0x${'01'.repeat(32)}`,
      suggestedFeeRecipient: BOB,
      withdrawals: [],
      parentBeaconBlockRoot: `0x${'02'.repeat(32)}`,
    } as const
    const built = await chain.request('testing_buildBlockV1', [head?.hash as Hex, attributes, null])
    expect(built).toMatchObject({
      blobsBundle: { blobs: [blob, blob], commitments: [infinity, infinity], proofs: [infinity, infinity] },
      executionPayload: { blobGasUsed: toHex(2 * 131_072) },
    })
  })
})
