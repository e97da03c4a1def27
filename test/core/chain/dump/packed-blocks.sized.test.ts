// Packed blocks in a state dump: what is refused, and that whatever is taken can be read.

import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { concat, fromRlp, type Hex, numberToHex, size, slice, toHex, toRlp } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { Counter } from '../../../contracts/generated.ts'
import { scaled } from '../../../size.ts'
import { COUNTER, increment, start } from '../../../specification/setup.ts'

interface DumpedBlock {
  readonly packed: string
  readonly codes?: readonly Hex[]
}

interface Dump {
  readonly accounts: object
  readonly tickchain: { readonly head: Hex; readonly blocks: readonly DumpedBlock[] }
}

const STORAGE = ['0x0', '0x1'] as const
let dump: Dump
let parentHeader: Hex

/** Three blocks above genesis: a count and a creation, nothing, a transfer. */
beforeAll(async () => {
  const { chain, wallets } = await start()
  await increment(wallets[0])
  await wallets[1].send({ data: Counter.bytecode, gas: 500_000n })
  await chain.advance(4000)
  await wallets[0].send({ to: COUNTER, data: '0x', gas: 50_000n })
  await chain.advance(2000)
  dump = JSON.parse(gunzipSync(await chain.dump()).toString())
  parentHeader = await chain.request('debug_getRawHeader', ['0x0'])
})

function withBlock(number: number, change: (block: DumpedBlock) => object): Uint8Array {
  const blocks = dump.tickchain.blocks.map((block, index) => (index === number ? change(block) : block))
  return gzipSync(JSON.stringify({ ...dump, tickchain: { ...dump.tickchain, blocks } }))
}

const decode = (packed: string): Hex => toHex(Buffer.from(packed, 'base64'))
const encode = (packed: Hex): string => Buffer.from(packed.slice(2), 'hex').toString('base64')

type Nested = Hex | readonly Nested[]
type Lists = [header: Nested[], transactions: Nested[], changes: Nested[]]

/** A packed block is a byte, a bloom filter of 256 bytes if the byte is 1, and three RLP lists. */
function withLists(number: number, change: (lists: Lists) => Lists): Uint8Array {
  return withBlock(number, (block) => {
    const packed = decode(block.packed)
    const start = packed.startsWith('0x01') ? 257 : 1
    const payload = slice(packed, start)
    const length = numberToHex(size(payload), { size: 2 })
    const lists = fromRlp(concat(['0xf9', length, payload]), 'hex') as Lists
    return {
      ...block,
      packed: encode(concat([slice(packed, 0, start), ...change(lists).map((l) => toRlp(l as never))])),
    }
  })
}

const set = (items: Nested[], index: number, value: Nested): Nested[] => items.with(index, value)

const inHeader = (number: number, field: number, value: Hex) => () =>
  withLists(number, ([header, ...rest]) => [set(header, field, value), ...rest])

const inTransaction = (change: (transaction: Nested[]) => Nested[]) => () =>
  withLists(1, ([header, [first, ...others], changes]) => [
    header,
    [change(first as Nested[]), ...others],
    changes,
  ])

const inReceipt = (field: number, value: Nested) =>
  inTransaction((transaction) => set(transaction, 3, set(transaction[3] as Nested[], field, value)))

const inChange = (change: (account: Nested[]) => Nested[]) => () =>
  withLists(1, ([header, transactions, [first, ...others]]) => [
    header,
    transactions,
    [change(first as Nested[]), ...others],
  ])

/** Lists inside lists, deeper than a stack. */
function nest(depth: number): Hex {
  const lengths: Hex[] = []
  let length = 0
  for (let i = 0; i < depth; i++) {
    const digits = numberToHex(length).length
    const prefix =
      length < 56
        ? numberToHex(0xc0 + length, { size: 1 })
        : concat([
            numberToHex(0xf7 + Math.ceil((digits - 2) / 2), { size: 1 }),
            numberToHex(length, { size: Math.ceil((digits - 2) / 2) }),
          ])
    lengths.push(prefix)
    length += size(prefix)
  }
  return concat(lengths.reverse())
}

async function expectRefused(state: Uint8Array, words: string): Promise<void> {
  await expect(createEmulator({ state })).rejects.toMatchObject({
    kind: 'undecodableState',
    message: expect.stringContaining(words),
  })
}

const WITHDRAWAL = { index: '0x0', validatorIndex: '0x0', address: COUNTER, amount: '0x1' }

const NO_BLOCK = 'tickchain.blocks[1].packed: expected a packed block as base64'

test.each<[string, () => Uint8Array, string]>([
  ['no text', () => withBlock(1, () => ({ packed: 1 })), NO_BLOCK],
  ['no base64', () => withBlock(1, () => ({ packed: '!' })), NO_BLOCK],
  ['no bytes', () => withBlock(1, () => ({ packed: '' })), NO_BLOCK],
  [
    'an unknown first byte',
    () => withBlock(1, ({ packed }) => ({ packed: encode(concat(['0x02', slice(decode(packed), 1)])) })),
    NO_BLOCK,
  ],
  ['half a block', () => withBlock(1, ({ packed }) => ({ packed: packed.slice(0, 400) })), NO_BLOCK],
  [
    'a byte more',
    () => withBlock(1, ({ packed }) => ({ packed: encode(concat([decode(packed), '0xc0'])) })),
    NO_BLOCK,
  ],
  [
    'deep nesting',
    () => withBlock(1, () => ({ packed: encode(concat(['0x00', nest(50_000), '0xc0', '0xc0'])) })),
    NO_BLOCK,
  ],
  [
    'a header of too few fields',
    () => withLists(1, ([header, ...rest]) => [header.slice(1), ...rest]),
    NO_BLOCK,
  ],
  ['a short state root', inHeader(1, 2, '0x12'), NO_BLOCK],
  ['a gas limit with a leading zero', inHeader(1, 8, '0x0012'), NO_BLOCK],
  [
    'a gas limit of 64 bits',
    inHeader(1, 8, toHex(2n ** 63n)),
    'tickchain.blocks[1].packed: expected a gas limit up to',
  ],
  [
    'an excess blob gas without bound',
    inHeader(1, 11, toHex(2n ** 60n)),
    'tickchain.blocks[1].packed: expected an excess blob gas up to',
  ],
  [
    'another blob base fee',
    inHeader(1, 13, '0x02'),
    'tickchain.blocks[1].packed: expected a blob base fee of 1',
  ],
  ['another number', inHeader(1, 14, '0x02'), 'tickchain.blocks[1].packed: expected number 1'],
  [
    'another state root',
    inHeader(1, 2, toHex(7n, { size: 32 })),
    'tickchain.blocks[2].packed: expected the hash of its parent under prague, 0x',
  ],
  [
    'another state root of the last block',
    inHeader(3, 2, toHex(7n, { size: 32 })),
    'tickchain.head: expected the hash of the last block under prague, 0x',
  ],
  ['a transaction without receipt', inTransaction((transaction) => transaction.slice(0, 3)), NO_BLOCK],
  ['a short sender', inTransaction((transaction) => set(transaction, 1, '0x12')), NO_BLOCK],
  [
    'a transaction that does not decode',
    inTransaction((transaction) => set(transaction, 0, '0x02c0')),
    'rlp: too few elements',
  ],
  ['a status of 2', inReceipt(0, '0x02'), NO_BLOCK],
  [
    'gas that does not add up',
    inReceipt(2, '0x01'),
    'tickchain.blocks[1].packed: expected cumulative gas that is the sum',
  ],
  ['a log without data', inReceipt(4, [[COUNTER, []]]), NO_BLOCK],
  ['two contract addresses', inReceipt(7, [COUNTER, COUNTER]), NO_BLOCK],
  ['a change of a short address', inChange((account) => set(account, 0, '0x12')), NO_BLOCK],
  ['a balance with a leading zero', inChange((account) => set(account, 2, '0x0012')), NO_BLOCK],
  ['a slot without a value', inChange((account) => set(account, 4, ['0x01'])), NO_BLOCK],
  [
    'more codes than there are',
    () => withBlock(1, ({ packed }) => ({ packed, codes: ['0x00', '0x01'] })),
    'tickchain.blocks[1].codes: expected as many as the changes have, 1',
  ],
  [
    'no code',
    () => withBlock(1, ({ packed }) => ({ packed })),
    'tickchain.blocks[1].codes: expected as many as the changes have, 1',
  ],
  [
    'more gas used than the limit',
    inHeader(3, 9, toHex(2n ** 62n)),
    'tickchain.blocks[3].packed: expected gas used up to the gas limit, 6',
  ],
  [
    'an uncle that the header does not have',
    () => withBlock(1, (block) => ({ ...block, uncles: [parentHeader] })),
    'tickchain.blocks[1].uncles: expected those of the header',
  ],
  [
    'a withdrawal that the header does not have',
    () => withBlock(1, (block) => ({ ...block, withdrawals: [WITHDRAWAL] })),
    'tickchain.blocks[1].withdrawals: expected those of the header',
  ],
  [
    'a request that the header does not have',
    () => withBlock(1, (block) => ({ ...block, requests: ['0x00'] })),
    'tickchain.blocks[1].requests: expected those of the header',
  ],
  [
    'JSON that is nested without end',
    () => gzipSync('['.repeat(1_000_000)),
    'JSON that is nested too deeply',
  ],
])('%s is refused', (_, bytes, words) => expectRefused(bytes(), words))

test('JSON of too many values is refused', { tags: 'gate' }, () =>
  expectRefused(gzipSync(`[${'[],'.repeat(9_000_000)}[]]`), 'or has too many values'),
)

/** Reads all that a block holds. */
async function readAll(chain: Emulator): Promise<void> {
  const head = Number(await chain.request('eth_blockNumber'))
  for (let number = 0; number <= head; number++) {
    const at = toHex(number)
    await chain.request('eth_getBlockByNumber', [at, true])
    await chain.request('eth_getBlockReceipts', [at])
    await chain.request('debug_getRawBlock', [at])
    for (const address of Object.keys(dump.accounts) as Hex[]) {
      await chain.request('eth_getProof', [address, STORAGE, at])
      await chain.request('eth_getCode', [address, at])
    }
  }
}

test('changed bytes are refused, or what they say can be read and continued', async () => {
  const outcomes = { refused: 0, taken: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.nat(3),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 255 }),
      async (number, place, flip) => {
        const state = withBlock(number, (block) => {
          const bytes = Buffer.from(block.packed, 'base64')
          const at = Math.floor(place * bytes.length)
          bytes[at] = (bytes[at] as number) ^ flip
          return { ...block, packed: bytes.toString('base64') }
        })
        let chain: Emulator
        try {
          chain = await createEmulator({ state })
        } catch (error) {
          expect(error).toBeInstanceOf(TickchainError)
          expect(error).toMatchObject({ kind: 'undecodableState' })
          outcomes.refused++
          return
        }
        outcomes.taken++
        await readAll(chain)
        const copy = await createEmulator({ state: await chain.dump() })
        await copy.advance(4000)
        await readAll(copy)
      },
    ),
    { numRuns: scaled(300), seed: 20261122 },
  )
  // Receipts, senders and states are not hashed, and are taken.
  expect(Math.min(outcomes.refused, outcomes.taken)).toBeGreaterThanOrEqual(scaled(12))
})

// They are not hashed. EIP-1559 and EIP-4844 introduced them.
test.each([
  ['berlin', 10, 'a base fee'],
  ['shanghai', 11, 'an excess of blob gas'],
  ['shanghai', 12, 'used blob gas'],
] as const)('in %s, header field %i, %s, is refused', async (hardfork, field, _name) => {
  const chain = await createEmulator({ hardfork })
  await chain.advance(4000)
  dump = JSON.parse(gunzipSync(await chain.dump()).toString())
  await expect(createEmulator({ hardfork, state: inHeader(1, field, '0x05')() })).rejects.toMatchObject({
    kind: 'undecodableState',
    message: expect.stringContaining(`tickchain.blocks[1].packed: expected a header of ${hardfork}`),
  })
})

// 2^52 is the highest number that genesis may have.
test('a dump of a chain that begins with the highest number can be loaded', async () => {
  const number = 2 ** 52
  const chain = await createEmulator({ genesis: { number } })
  await chain.advance(4000)
  const copy = await createEmulator({ state: await chain.dump() })
  expect(await copy.request('eth_blockNumber')).toBe('0x10000000000002')
  expect(await copy.request('eth_getBlockByNumber', ['earliest', false])).toEqual(
    await chain.request('eth_getBlockByNumber', ['0x10000000000000', false]),
  )
})
