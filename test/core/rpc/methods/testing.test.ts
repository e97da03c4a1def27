import { concatHex, type Hex, keccak256, sha256, toRlp } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../scene.ts'

interface Built {
  readonly executionPayload: Readonly<Record<string, Hex>> & {
    readonly transactions: readonly Hex[]
    readonly withdrawals: readonly Readonly<Record<string, Hex>>[]
  }
  readonly blockValue: Hex
}

const zero = `0x${'00'.repeat(32)}` as const
const attributes = {
  // 2024-01-01T00:00:12Z
  timestamp: '0x6592008c',
  prevRandao: `0x${'aa'.repeat(32)}`,
  suggestedFeeRecipient: `0x${'fe'.repeat(20)}`,
  withdrawals: [],
  parentBeaconBlockRoot: `0x${'bb'.repeat(32)}`,
}

let scene: Scene
let genesis: Hex

beforeEach(async () => {
  scene = await startScene()
  genesis = (await scene.ask<{ hash: Hex }>('eth_getBlockByNumber', 'earliest', false)).hash
})

function build(...params: unknown[]): Promise<Built> {
  return scene.ask('testing_buildBlockV1', ...params)
}

/** Minimal bytes, as RLP has integers. */
function integer(quantity: Hex | undefined): Hex {
  const digits = BigInt(quantity ?? 0).toString(16)
  return digits === '0' ? '0x' : `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** The root of a trie with at most one item, whose key is the RLP of 0 (yellow paper, appendix D). */
function rootOf(items: readonly Hex[]): Hex {
  const [item] = items
  return keccak256(item === undefined ? toRlp('0x') : toRlp(['0x2080', item]))
}

/** The RLP of a built block with at most one withdrawal and one receipt-less transaction, put together here. */
function encodeBlock({ executionPayload: payload }: Built, receipts: readonly Hex[] = []) {
  const { transactions, withdrawals } = payload
  const paid = withdrawals.map((each) => [
    ...[integer(each['index']), integer(each['validatorIndex'])],
    ...[each['address'] ?? '0x', integer(each['amount'])],
  ])
  const header = [
    ...[payload['parentHash'], keccak256(toRlp([])), payload['feeRecipient'], payload['stateRoot']],
    ...[rootOf(transactions), rootOf(receipts), payload['logsBloom'], '0x'],
    ...['blockNumber', 'gasLimit', 'gasUsed', 'timestamp'].map((name) => integer(payload[name] as Hex)),
    ...[payload['extraData'], payload['prevRandao'], '0x0000000000000000'],
    ...[integer(payload['baseFeePerGas']), rootOf(paid.map((each) => toRlp(each)))],
    ...[integer(payload['blobGasUsed']), integer(payload['excessBlobGas'])],
    ...[attributes.parentBeaconBlockRoot, sha256('0x')],
  ] as Hex[]
  return { hash: keccak256(toRlp(header)), block: toRlp([header, transactions, [], paid]) }
}

describe('an empty block', () => {
  test('has the attributes, and the hash of its header', async () => {
    const built = await build(genesis, attributes, [], '0x74657374')
    const { executionPayload, ...rest } = built
    expect(executionPayload).toMatchObject({
      parentHash: genesis,
      feeRecipient: attributes.suggestedFeeRecipient,
      prevRandao: attributes.prevRandao,
      blockNumber: '0x1',
      gasUsed: '0x0',
      timestamp: attributes.timestamp,
      extraData: '0x74657374',
      baseFeePerGas: '0x342770c0',
      transactions: [],
      withdrawals: [],
      blobGasUsed: '0x0',
      excessBlobGas: '0x0',
      blockHash: encodeBlock(built).hash,
    })
    expect(rest).toEqual({
      blockValue: '0x0',
      blobsBundle: { commitments: [], proofs: [], blobs: [] },
      executionRequests: [],
      shouldOverrideBuilder: false,
    })
  })
})

describe('transactions', () => {
  test('that are given, in that order', async () => {
    const raws = [
      await bob.signTransaction(transfer(ALICE, 0)),
      await alice.signTransaction({ ...transfer(BOB, 0), maxPriorityFeePerGas: 5_000_000_000n }),
    ]
    const { executionPayload, blockValue } = await build(genesis, attributes, raws)
    expect(executionPayload).toMatchObject({ gasUsed: '0xa410', transactions: raws })
    // 21,000 gas each, at 1 and at 5 gwei of tip.
    expect(BigInt(blockValue)).toBe(21_000n * 6_000_000_000n)
  })

  test('of the pool, and those that are pre-confirmed', async () => {
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.advance(200)
    await scene.send(alice, transfer(BOB, 1))
    await scene.send(bob, transfer(ALICE, 0))
    const { executionPayload } = await build(genesis, attributes, null)
    expect(executionPayload.transactions).toHaveLength(3)
    expect((await build(genesis, attributes, [])).executionPayload.transactions).toEqual([])
  })

  test('that cannot execute are refused', async () => {
    const raw = await alice.signTransaction(transfer(BOB, 7))
    await expect(build(genesis, attributes, [raw])).rejects.toMatchObject({
      kind: 'invalidBlock',
      message: 'invalid block 1: transaction 0: expected an executable one, got nonceTooHigh',
    })
  })
})

test('withdrawals are paid in gwei, and the block can be imported', async () => {
  const address = `0x${'99'.repeat(20)}`
  const withdrawals = [{ index: '0x0', validatorIndex: '0x1', address, amount: '0x2' }]
  const raw = await alice.signTransaction(transfer(BOB, 0))
  const built = await build(genesis, { ...attributes, withdrawals }, [raw])
  expect(built.executionPayload.withdrawals).toEqual(withdrawals)
  // EIP-2718 and EIP-658: type 2, status 1, 21,000 gas, no logs.
  const receipt = concatHex(['0x02', toRlp(['0x01', '0x5208', `0x${'00'.repeat(256)}`, []])])
  const { hash, block } = encodeBlock(built, [receipt])
  expect(built.executionPayload['blockHash']).toBe(hash)
  await scene.chain.importBlocks(block)
  expect(await scene.ask('eth_getBalance', address, 'latest')).toBe('0x77359400')
  expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ hash, withdrawals })
})

test('the chain stays as it is', async () => {
  const before = await scene.ask('eth_getBlockByNumber', 'pending', true)
  await build(genesis, attributes, [await alice.signTransaction(transfer(BOB, 0))])
  expect(await scene.ask('eth_getBlockByNumber', 'pending', true)).toEqual(before)
  expect(await scene.ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})

test('an older block may be the parent', async () => {
  await scene.send(alice, transfer(BOB, 0))
  await scene.chain.advance(10_000)
  const raw = await alice.signTransaction(transfer(BOB, 0))
  const { executionPayload } = await build(genesis, attributes, [raw])
  expect(executionPayload).toMatchObject({ blockNumber: '0x1', transactions: [raw] })
})

test('the gas limit goes back to that of genesis by less than its 1024th', async () => {
  const { executionPayload } = await build(genesis, attributes, [])
  expect(executionPayload['gasLimit']).toBe('0x3938700')
})

describe('is refused', () => {
  test('on an unknown parent', async () => {
    await expect(build(zero, attributes, [])).rejects.toMatchObject({ kind: 'blockNotFound' })
  })

  test('at the time of its parent', async () => {
    const timestamp = '0x65920080'
    await expect(build(genesis, { ...attributes, timestamp }, [])).rejects.toMatchObject({
      code: -38003,
      message: 'invalid payload attributes: timestamp 1704067200 is not after 1704067200',
    })
  })

  test('with withdrawals before shanghai', async () => {
    const { ask } = await startScene({ hardfork: 'london' })
    const { hash } = await ask<{ hash: Hex }>('eth_getBlockByNumber', 'earliest', false)
    const withdrawals = [{ index: '0x0', validatorIndex: '0x1', address: ALICE, amount: '0x2' }]
    await expect(ask('testing_buildBlockV1', hash, { ...attributes, withdrawals }, [])).rejects.toMatchObject(
      {
        code: -38003,
        message: 'invalid payload attributes: withdrawals before shanghai',
      },
    )
  })

  test('with more than 32 bytes of extra data', async () => {
    await expect(build(genesis, attributes, [], `0x${'00'.repeat(33)}`)).rejects.toMatchObject({
      code: -38003,
    })
  })

  test.each(['timestamp', 'prevRandao', 'suggestedFeeRecipient'])('without %s', async (name) => {
    await expect(build(genesis, { ...attributes, [name]: undefined }, [])).rejects.toMatchObject({
      message: `invalid argument 1.${name}: missing`,
    })
  })
})

describe('a block under an older fork', () => {
  test.each([
    ['london', ['withdrawals', 'blobGasUsed', 'excessBlobGas']],
    ['shanghai', ['blobGasUsed', 'excessBlobGas']],
  ] as const)('of %s has no %j', async (hardfork, missing) => {
    const { ask } = await startScene({ hardfork })
    const { hash } = await ask<{ hash: Hex }>('eth_getBlockByNumber', 'earliest', false)
    const { parentBeaconBlockRoot: _, withdrawals, ...rest } = attributes
    const given = hardfork === 'london' ? rest : { ...rest, withdrawals }
    const built = await ask<Built>('testing_buildBlockV1', hash, given, [])
    expect(built.executionPayload).toHaveProperty('baseFeePerGas')
    for (const name of missing) expect(built.executionPayload).not.toHaveProperty(name)
    if (hardfork === 'shanghai') expect(built.executionPayload).toHaveProperty('withdrawals', [])
  })
})

// geth, core.CalcGasLimit: by less than a 1024th of 60,000,000, which is 58,593, and of 30,000,000, which is 29,296.
test.each([
  ['up', 30_000_000, 60_000_000, 30_000_000 + 29_295],
  ['down', 60_000_000, 30_000_000, 60_000_000 - 58_592],
  ['not at all', 60_000_000, 60_000_000, 60_000_000],
  ['the rest of the way up', 59_990_000, 60_000_000, 60_000_000],
  ['the rest of the way down', 60_010_000, 60_000_000, 60_000_000],
])('the gas limit goes %s to that of genesis', async (_, before, wanted, expected) => {
  const { chain, ask } = await startScene({ genesis: { gasLimit: wanted } })
  await chain.setBlockGasLimit(before)
  await chain.seal()
  const head = await ask<{ hash: Hex; gasLimit: Hex; timestamp: Hex }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  expect(Number(head.gasLimit)).toBe(before)
  const given = { ...attributes, timestamp: `0x${(Number(head.timestamp) + 2).toString(16)}` }
  const { executionPayload } = await ask<Built>('testing_buildBlockV1', head.hash, given, [])
  expect(Number(executionPayload['gasLimit'])).toBe(expected)
})
