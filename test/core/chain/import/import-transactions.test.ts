// Transaction rules of imported blocks on each fork: the same rules and messages as those of the pool.

import { createEmulator } from 'tickchain'
import { fromRlp, type Hex, numberToHex, parseGwei, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Item, integer, signItems } from '../../pool/by-hand.ts'
import { ALICE, alice, BOB } from '../../rpc/scene.ts'
import { type Era, forge, refusalOf, startChain } from '../forge.ts'

const key: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const price = parseGwei('2')
const blobHash: Hex = `0x01${'11'.repeat(31)}`

interface Fields {
  readonly chainId?: number
  readonly nonce?: bigint
  readonly gas?: bigint
  readonly to?: Hex
  readonly data?: Hex
  readonly tip?: bigint
  readonly hashes?: readonly Hex[]
  readonly tuples?: readonly Item[]
}

/** Type 4 wants a list that is not empty; a tuple that is not valid is passed over. */
const tuple: Item = ['0x', BOB, '0x', '0x', '0x01', '0x01']

/** A transfer of nothing from Alice, put together by hand: nothing is refused before it is signed. */
function sign(type: 0 | 1 | 2 | 3 | 4, fields: Fields = {}): Promise<Hex> {
  const { chainId = 1337, nonce = 0n, gas = 100_000n, to = BOB, data = '0x', tip = 1n } = fields
  const call: Item[] = [integer(gas), to, '0x', data]
  if (type === 0) return signItems(0, [integer(nonce), integer(price), ...call], key, { chainId })
  const start = [integer(chainId), integer(nonce)]
  if (type === 1) return signItems(1, [...start, integer(price), ...call, []], key)
  const items: Item[] = [...start, integer(tip), integer(price), ...call, []]
  if (type === 2) return signItems(2, items, key)
  if (type === 3) return signItems(3, [...items, integer(10), fields.hashes ?? [blobHash]], key)
  return signItems(4, [...items, fields.tuples ?? [tuple]], key)
}

const unprotected: Item[] = ['0x', integer(price), integer(21_000), BOB, '0x', '0x']

/** The form inside a block: a legacy transaction is a list. */
function inBlock(raw: Hex): Item {
  return Number(raw.slice(0, 4)) >= 0xc0 ? (fromRlp(raw, 'hex') as Item) : raw
}

async function take(era: Era, raw: Hex, options = {}): Promise<unknown> {
  const chain = await startChain(era, options)
  const outcome = await forge(chain, era, { transactions: [inBlock(raw)] })
  return 'refusal' in outcome ? outcome.refusal.message : 'taken'
}

async function refuse(era: Era, raw: Hex): Promise<string> {
  const refusal = await refusalOf(await startChain(era), era, { transactions: [inBlock(raw)] })
  expect(refusal).toMatchObject({ kind: 'invalidBlock', code: -32000 })
  const start = 'invalid block 1: transaction 0: expected a valid one, got '
  expect(refusal.message.startsWith(start)).toBe(true)
  return refusal.message.slice(start.length)
}

const badSignature = 'invalid sender: invalid transaction v, r, s values'

describe('a typed transaction is valid from its fork on', () => {
  test.each([
    [1, 'istanbul', 'berlin'],
    [2, 'berlin', 'london'],
    [3, 'shanghai', 'cancun'],
    [4, 'cancun', 'prague'],
  ] as const)('type %i: not under %s, under %s', async (type, before, from) => {
    const raw = await sign(type)
    expect(await refuse(before, raw)).toBe(`transaction type not supported: received type ${type}`)
    expect(await take(from, raw)).toBe('taken')
  })

  test('type 5 under none', async () => {
    expect(await refuse('osaka', '0x05c0')).toBe('transaction type not supported: received type 5')
  })
})

describe('gas', () => {
  test.each(['frontier', 'london', 'osaka'] as const)('below 21,000 under %s', async (era) => {
    const items: Item[] = ['0x', integer(price), integer(20_999), BOB, '0x', '0x']
    expect(await refuse(era, await signItems(0, items, key))).toBe(
      'intrinsic gas too low: gas 20999, minimum needed 21000',
    )
    const enough: Item[] = ['0x', integer(price), integer(21_000), BOB, '0x', '0x']
    expect(await take(era, await signItems(0, enough, key))).toBe('taken')
  })

  test('below the floor of calldata (EIP-7623) from prague on', async () => {
    // 100 bytes that are not zero: 21,000 + 100 × 16 before, and 21,000 + 400 × 10 at least.
    const raw = await sign(2, { gas: 24_999n, data: `0x${'11'.repeat(100)}` })
    expect(await take('cancun', raw)).toBe('taken')
    expect(await refuse('prague', raw)).toBe(
      'insufficient gas for floor data gas cost: gas 24999, minimum needed 25000',
    )
  })

  test('above 2^24 (EIP-7825) from osaka on', async () => {
    const raw = await sign(2, { gas: 2n ** 24n + 1n })
    expect(await take('prague', raw)).toBe('taken')
    expect(await refuse('osaka', raw)).toBe('transaction gas limit too high (cap: 16777216, tx: 16777217)')
    expect(await take('osaka', await sign(2, { gas: 2n ** 24n }))).toBe('taken')
  })

  test('above the gas limit of the block', async () => {
    expect(await refuse('london', await sign(2, { gas: 30_000_001n }))).toBe(
      'exceeds block gas limit: gas 30000001, limit 30000000',
    )
  })
})

test('a tip above the fee cap', async () => {
  expect(await refuse('london', await sign(2, { tip: price + 1n }))).toMatch(
    /^max priority fee per gas higher than max fee per gas/,
  )
})

test('a nonce of 2^64 - 1 (EIP-2681)', async () => {
  expect(await refuse('london', await sign(2, { nonce: 2n ** 64n - 1n }))).toBe('nonce has max value')
})

describe('the chain id', () => {
  test.each([
    [0, 'istanbul'],
    [1, 'berlin'],
    [2, 'london'],
    [3, 'cancun'],
    [4, 'prague'],
  ] as const)('of another chain: type %i', async (type, era) => {
    expect(await refuse(era, await sign(type, { chainId: 99 }))).toBe(
      'invalid sender: invalid chain id for signer: have 99 want 1337',
    )
  })

  test('is in a legacy transaction from spurious dragon on (EIP-155), and need not be', async () => {
    const raw = await sign(0)
    expect(await refuse('frontier', raw)).toBe(badSignature)
    expect(await take('spuriousDragon', raw)).toBe('taken')
    const without = await signItems(0, unprotected, key)
    expect(await take('frontier', without)).toBe('taken')
    expect(await take('osaka', without)).toBe('taken')
  })
})

test('s in the upper half of the order is valid in frontier, and not from homestead on (EIP-2)', async () => {
  const raw = await signItems(0, unprotected, key)
  const items = fromRlp(raw, 'hex') as Hex[]
  const s = numberToHex(CURVE_ORDER - BigInt(items[8] as Hex))
  const mirrored = toRlp([...items.slice(0, 6), items[6] === '0x1b' ? '0x1c' : '0x1b', items[7] as Hex, s])
  const chain = await startChain('frontier')
  expect(await forge(chain, 'frontier', { transactions: [inBlock(mirrored)] })).toHaveProperty('rlp')
  // The signer is still Alice.
  expect(await chain.request('eth_getTransactionCount', [ALICE])).toBe('0x1')
  expect(await refuse('spuriousDragon', mirrored)).toBe(badSignature)
  expect(await refuse('osaka', mirrored)).toBe(badSignature)
})

describe('init code of more than 49,152 bytes', () => {
  const fields = { to: '0x', gas: 5_000_000n, data: `0x${'00'.repeat(49_153)}` } as const

  test('is valid until shanghai (EIP-3860)', { tags: 'gate' }, async () => {
    const raw = await sign(2, fields)
    expect(await take('london', raw)).toBe('taken')
    const refused = await refuse('shanghai', raw)
    expect(refused).toBe('max initcode size exceeded: code size 49153, limit 49152')
    const most = await sign(2, { ...fields, data: `0x${'00'.repeat(49_152)}` })
    expect(await take('shanghai', most)).toBe('taken')
  })

  test('is valid with allowUnlimitedContractSize', async () => {
    expect(await take('shanghai', await sign(2, fields), { allowUnlimitedContractSize: true })).toBe('taken')
  })
})

describe('blobs', () => {
  const hashes = (count: number): Hex[] => Array.from({ length: count }, () => blobHash)

  test('none', async () => {
    expect(await refuse('cancun', await sign(3, { hashes: [] }))).toBe('blobless blob transaction')
  })

  test('a hash of another version', async () => {
    const wrong: Hex = `0x02${'11'.repeat(31)}`
    expect(await refuse('cancun', await sign(3, { hashes: [blobHash, wrong] }))).toBe(
      'blob 1 has invalid hash version',
    )
  })

  test('more than six in a transaction (EIP-7594) from osaka on', async () => {
    const raw = await sign(3, { hashes: hashes(7) })
    expect(await take('prague', raw)).toBe('taken')
    expect(await refuse('osaka', raw)).toBe('transaction blob limit exceeded: blob count 7, limit 6')
    expect(await take('osaka', await sign(3, { hashes: hashes(6) }))).toBe('taken')
  })
})

test('an empty list of authorizations (EIP-7702)', async () => {
  expect(await refuse('prague', await sign(4, { tuples: [] }))).toBe(
    'set code tx must have at least one authorization tuple',
  )
})

test('the error names the index of the transaction', async () => {
  const transactions = [await sign(2), await sign(2, { nonce: 1n, tip: price + 1n })]
  expect(await refusalOf(await startChain('london'), 'london', { transactions })).toMatchObject({
    kind: 'invalidBlock',
    message: expect.stringMatching(/^invalid block 1: transaction 1: expected a valid one, got max priority/),
  })
})

describe('bytes that are no transaction', () => {
  test.each<[what: string, item: Item, reason: string]>([
    ['an empty string', '0x', 'typed transaction too short'],
    ['half of one', '0x02c3', 'rlp: '],
    ['a list of too few', ['0x', '0x'], 'rlp: too few elements'],
    ['a legacy one as a string', toRlp(['0x', '0x01']), 'a legacy transaction as a byte string'],
  ])('%s', async (_, item, reason) => {
    const refusal = await refusalOf(await startChain('london'), 'london', {
      transactions: [await sign(2), item],
    })
    expect(refusal).toMatchObject({ kind: 'undecodableBlocks', code: -32602 })
    expect(refusal.message).toContain(`undecodable blocks: block 1: transaction 1: ${reason}`)
  })
})

describe('testing_buildBlockV1 refuses the same transactions', () => {
  async function build(era: Era, raw: Hex): Promise<unknown> {
    const chain = await startChain(era)
    const genesis = await chain.request('eth_getBlockByNumber', ['earliest', false])
    const zero: Hex = `0x${'00'.repeat(32)}`
    const attributes = {
      timestamp: '0x10',
      prevRandao: zero,
      suggestedFeeRecipient: BOB,
      withdrawals: [],
      parentBeaconBlockRoot: zero,
    }
    const params = [genesis?.hash, attributes, [raw], '0x']
    return chain.request('testing_buildBlockV1' as never, params as never)
  }

  test.each<[what: string, era: Era, raw: () => Promise<Hex>]>([
    ['gas below the intrinsic', 'prague', () => sign(2, { gas: 20_999n })],
    ['gas below the floor', 'prague', () => sign(2, { gas: 24_999n, data: `0x${'11'.repeat(100)}` })],
    ['a tip above the fee cap', 'prague', () => sign(2, { tip: price + 1n })],
    ['no authorization', 'prague', () => sign(4, { tuples: [] })],
    ['gas above 2^24 under osaka', 'osaka', () => sign(2, { gas: 17_000_000n })],
    ['a type of a later fork', 'cancun', () => sign(4)],
    ['another chain id', 'prague', () => sign(2, { chainId: 99 })],
    [
      'long init code',
      'prague',
      () => sign(2, { to: '0x', gas: 5_000_000n, data: `0x${'00'.repeat(50_000)}` }),
    ],
  ])('%s', async (_, era, raw) => {
    await expect(build(era, await raw())).rejects.toMatchObject({
      kind: 'invalidBlock',
      code: -32000,
      message: expect.stringMatching(/^invalid block 1: transaction 0: expected a valid one, got /),
    })
  })

  test('and builds a block with a valid one', async () => {
    expect(await build('osaka', await sign(2))).toMatchObject({ executionPayload: { gasUsed: '0x5208' } })
  })
})

test('a transaction that the fork forbids stays in the pool, and the chain continues', async () => {
  const forks = ['homesteadBlock', 'eip150Block', 'eip155Block', 'eip158Block', 'byzantiumBlock']
  const later = ['constantinopleBlock', 'petersburgBlock', 'istanbulBlock', 'berlinBlock', 'londonBlock']
  const times = ['terminalTotalDifficulty', 'shanghaiTime', 'cancunTime', 'pragueTime']
  const set = Object.fromEntries([...forks, ...later, ...times].map((name) => [name, 0]))
  const chain = await createEmulator({
    genesis: {
      config: { chainId: 1337, ...set, osakaTime: 1003 },
      timestamp: 1000,
      gasLimit: 30_000_000,
      alloc: { [ALICE]: { balance: 10n ** 22n } },
    },
  })
  // The fee cap is below the base fee of the first block, 875,000,000, and above that of the second, 765,625,000.
  const fees = { maxFeePerGas: 800_000_000n, maxPriorityFeePerGas: 0n }
  const call = { chainId: 1337, nonce: 0, to: BOB, gas: 17_000_000n, type: 'eip1559' } as const
  await chain.request('eth_sendRawTransaction', [await alice.signTransaction({ ...call, ...fees })])
  await chain.advance(6000)
  expect(await chain.request('eth_blockNumber')).toBe('0x3')
  expect(await chain.request('eth_getTransactionCount', [ALICE])).toBe('0x0')
  expect(await chain.request('txpool_status')).toMatchObject({ pending: '0x1' })
})

test('a pooled transaction of a chain id that has been changed waits until it is changed back', async () => {
  const chain = await createEmulator()
  const accounts = await chain.request('eth_accounts')
  const [from, other] = accounts as [Hex, Hex]
  await chain.request('eth_sendTransaction', [{ from, to: BOB, value: '0x1' }])
  await chain.setChainId(4242)
  const sent = await chain.request('eth_sendTransaction', [{ from: other, to: BOB, value: '0x1' }])
  await chain.seal()
  const transactionsOf = async () =>
    (await chain.request('eth_getBlockByNumber', ['latest', false]))?.transactions
  expect(await transactionsOf()).toEqual([sent])
  expect(await chain.request('eth_getTransactionCount', [from])).toBe('0x0')
  await chain.setChainId(31_337)
  await chain.seal()
  expect(await transactionsOf()).toHaveLength(1)
  expect(await chain.request('eth_getTransactionCount', [from])).toBe('0x1')
})

describe('transactions that fit a block one by one, and not together', () => {
  test('by their gas limits', async () => {
    // 30,000,000 gas in a block, of which the first transaction uses 21,000.
    const first = await sign(2)
    const over = [first, await sign(2, { gas: 29_979_001n, nonce: 1n })]
    expect((await refusalOf(await startChain('prague'), 'prague', { transactions: over })).message).toBe(
      'invalid block 1: transaction 1: expected gas that fits the block, got 29979001',
    )
    const full = [first, await sign(2, { gas: 29_979_000n, nonce: 1n })]
    expect(await forge(await startChain('prague'), 'prague', { transactions: full })).toHaveProperty('rlp')
  })

  test('by their blobs: at most nine (EIP-7691)', async () => {
    const hashes = (count: number): Hex[] => Array.from({ length: count }, () => blobHash)
    const first = await sign(3, { hashes: hashes(5) })
    const ten = [first, await sign(3, { hashes: hashes(5), nonce: 1n })]
    expect((await refusalOf(await startChain('prague'), 'prague', { transactions: ten })).message).toBe(
      'invalid block 1: transaction 1: expected blob gas that fits the block, got 655360',
    )
    const nine = [first, await sign(3, { hashes: hashes(4), nonce: 1n })]
    expect(await forge(await startChain('prague'), 'prague', { transactions: nine })).toHaveProperty('rlp')
  })
})
