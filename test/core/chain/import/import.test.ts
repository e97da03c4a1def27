import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { concatHex, fromRlp, type Hex, numberToHex, toHex, toRlp } from 'viem'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ALICE, alice, BOB, bob, startScene, transfer } from '../../rpc/scene.ts'

type Item = Hex | readonly Item[]
type Fields = readonly Item[]

/** A chain of three blocks with one, none and two transactions, the first of which logs. */
let source: Emulator
let exported: Hex
let encoded: readonly Hex[]

beforeAll(async () => {
  const { chain, send } = await startScene()
  source = chain
  // PUSH1 1 PUSH0 PUSH0 LOG1: a creation that logs under topic 1.
  const { to, ...creation } = { ...transfer(BOB, 0), gas: 100_000n, data: '0x60015f5fa1' } as const
  expect(to).toBe(BOB)
  await send(alice, creation)
  await chain.seal()
  await chain.seal()
  await send(alice, transfer(BOB, 1))
  await send(bob, { ...transfer(ALICE, 0), maxPriorityFeePerGas: 2_000_000_000n })
  await chain.seal()
  exported = toHex(await chain.exportBlocks())
  encoded = await Promise.all(
    (['0x1', '0x2', '0x3'] as const).map((number) => chain.request('debug_getRawBlock', [number])),
  )
})

function start(options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator(options)
}

describe('an export', () => {
  test('contains the blocks above genesis, one after another', () => {
    expect(exported).toBe(concatHex(encoded))
  })

  test('can be imported: the same blocks and the same state', async () => {
    const chain = await start()
    await chain.importBlocks(exported)
    expect(toHex(await chain.exportBlocks())).toBe(exported)
    for (const params of [['0x1'], ['0x3']] as const) {
      const receipts = await source.request('eth_getBlockReceipts', params)
      expect(await chain.request('eth_getBlockReceipts', params)).toEqual(receipts)
    }
    expect(await chain.request('eth_getBalance', [BOB, 'latest'])).toBe(
      await source.request('eth_getBalance', [BOB, 'latest']),
    )
  })

  test.each(['byzantium', 'istanbul', 'berlin', 'london', 'shanghai'] as const)(
    'can also be imported under %s, where blocks without proof of work earn nothing',
    async (hardfork) => {
      const { chain, ask } = await startScene({ hardfork })
      await ask('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1', gasPrice: '0x77359400' })
      await chain.seal()
      await chain.seal()
      const rlp = await chain.exportBlocks()
      const copy = await start({ hardfork })
      await copy.importBlocks(rlp)
      expect(toHex(await copy.exportBlocks())).toBe(toHex(rlp))
      expect(await copy.request('eth_getTransactionCount', [ALICE])).toBe('0x1')
    },
  )

  test('can be imported in parts, and built upon', async () => {
    const chain = await start()
    for (const block of encoded) await chain.importBlocks(block)
    await chain.seal()
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      number: '0x4',
      parentHash: (await source.request('eth_getBlockByNumber', ['latest', false]))?.hash,
    })
  })

  test('is read once: what follows a block is not copied with it', { tags: 'gate' }, async () => {
    const [chain, copy] = [await start(), await start()]
    for (let count = 0; count < 100; count++) await chain.seal()
    const rlp = await chain.exportBlocks()
    let copied = 0
    const { slice } = Uint8Array.prototype
    const spy = vi.spyOn(Uint8Array.prototype, 'slice').mockImplementation(function (
      this: Uint8Array,
      ...range
    ) {
      const part = slice.apply(this, range) as Uint8Array<ArrayBuffer>
      copied += part.length
      return part
    })
    await copy.importBlocks(rlp).finally(() => spy.mockRestore())
    expect(await copy.request('eth_blockNumber')).toBe('0x64')
    // Half of it would be copied for each of a hundred blocks.
    expect(copied).toBeLessThan(10 * rlp.length)
  })

  test('is empty for a chain without blocks', async () => {
    expect(await (await start()).exportBlocks()).toHaveLength(0)
  })
})

test('blocks are marked safe and finalized', async () => {
  const chain = await start()
  await chain.importBlocks(exported, { safe: 2, finalized: 1 })
  expect(await chain.request('eth_getBlockByNumber', ['safe', false])).toMatchObject({ number: '0x2' })
  expect(await chain.request('eth_getBlockByNumber', ['finalized', false])).toMatchObject({ number: '0x1' })
})

describe('invalid marks are refused, and nothing is imported', () => {
  const number = 'a whole number from 0 to 9007199254740991'
  test.each<[marks: unknown, reason: string]>([
    [null, 'marks: expected an object, got null'],
    [5, 'marks: expected an object, got 5'],
    [[], 'marks: expected an object, got an array'],
    [{ foo: 1 }, 'marks.foo: expected one of safe, finalized, got an unknown field'],
    [{ safe: -1 }, `marks.safe: expected ${number}, got -1`],
    [{ safe: '0x1' }, `marks.safe: expected ${number}, got "0x1"`],
    [{ finalized: null }, `marks.finalized: expected ${number}, got null`],
    [{ safe: 4 }, 'expected safe to be at most 3, the head, got 4'],
    [{ safe: 1, finalized: 2 }, 'expected finalized to be at most 1, the safe block, got 2'],
    // Without a mark the safe block stands 32 behind the head, and here at genesis.
    [{ finalized: 1 }, 'expected finalized to be at most 0, the safe block, got 1'],
  ])('%j', async (marks, reason) => {
    const chain = await start()
    await expect(chain.importBlocks(exported, marks as never)).rejects.toMatchObject({
      kind: 'invalidCall',
      code: -32602,
      message: `invalid call importBlocks: ${reason}`,
    })
    expect(await chain.request('eth_blockNumber')).toBe('0x0')
  })

  test('marks that contradict those of an earlier import are refused', async () => {
    const chain = await start()
    await chain.importBlocks(exported, { safe: 2, finalized: 2 })
    await expect(chain.importBlocks('0x', { safe: 1 })).rejects.toMatchObject({ kind: 'invalidCall' })
    await chain.importBlocks('0x', { safe: 3 })
    expect(await chain.request('eth_getBlockByNumber', ['safe', false])).toMatchObject({ number: '0x3' })
  })
})

test('a mark above the head of a shorter chain means the head', async () => {
  const chain = await start()
  await chain.importBlocks(exported, { safe: 3, finalized: 3 })
  await chain.reorg({ depth: 2, blocks: [] })
  for (const tag of ['safe', 'finalized'] as const) {
    expect(await chain.request('eth_getBlockByNumber', [tag, false])).toMatchObject({ number: '0x1' })
  }
})

/** The last block, changed. */
function tampered(change: (block: Fields) => Fields): Hex {
  return toRlp(change(fromRlp(encoded[2] as Hex, 'hex') as Fields) as Hex[])
}

/** Where the fields of a header stand in its RLP. */
const FIELDS = {
  parentHash: 0,
  unclesHash: 1,
  stateRoot: 3,
  transactionsRoot: 4,
  receiptsRoot: 5,
  logsBloom: 6,
  difficulty: 7,
  number: 8,
  gasLimit: 9,
  gasUsed: 10,
  timestamp: 11,
  extraData: 12,
  nonce: 14,
  baseFeePerGas: 15,
  withdrawalsRoot: 16,
  blobGasUsed: 17,
  excessBlobGas: 18,
  parentBeaconBlockRoot: 19,
  requestsHash: 20,
} as const

function withField(field: keyof typeof FIELDS, value: Hex): Hex {
  return tampered(([header, ...body]) => [(header as Fields).with(FIELDS[field], value), ...body])
}

/** Imports the first two blocks and a changed third; nothing of it may stay. */
async function refusalOf(third: Hex): Promise<unknown> {
  const chain = await start()
  const before = await chain.request('eth_getBlockByNumber', ['pending', true])
  const refused = await chain.importBlocks(concatHex([...encoded.slice(0, 2), third])).catch((error) => error)
  expect(await chain.request('eth_blockNumber')).toBe('0x0')
  expect(await chain.request('eth_getBlockByNumber', ['pending', true])).toEqual(before)
  expect(await chain.request('eth_getBalance', [BOB, 'latest'])).toBe(numberToHex(10n ** 22n))
  return refused
}

const other: Hex = `0x${'12'.repeat(32)}`

describe('a block with a wrong header field is refused', () => {
  test.each<[field: keyof typeof FIELDS, value: Hex]>([
    ['parentHash', other],
    ['unclesHash', other],
    ['stateRoot', other],
    ['transactionsRoot', other],
    ['receiptsRoot', other],
    ['logsBloom', `0x${'01'.repeat(256)}`],
    ['difficulty', '0x01'],
    ['number', '0x04'],
    // More than a 1024th of 60,000,000 away.
    ['gasLimit', numberToHex(60_100_000)],
    ['gasUsed', '0xa411'],
    // That of the second block.
    ['timestamp', '0x65920082'],
    ['extraData', `0x${'00'.repeat(33)}`],
    ['nonce', '0x0000000000000001'],
    ['baseFeePerGas', numberToHex(700_000_000)],
    ['withdrawalsRoot', other],
    ['blobGasUsed', numberToHex(131_072)],
    ['excessBlobGas', numberToHex(131_072)],
    ['requestsHash', other],
  ])('%s', async (field, value) => {
    expect(await refusalOf(withField(field, value))).toMatchObject({
      kind: 'invalidBlock',
      code: -32000,
      message: expect.stringMatching(new RegExp(`^invalid block [34]: ${field}: expected .*, got `)),
    })
  })

  test('a changed state root is refused', async () => {
    expect(await refusalOf(withField('parentBeaconBlockRoot', other))).toMatchObject({
      message: expect.stringMatching(/^invalid block 3: stateRoot: /),
    })
  })

  test('a field of prague is missing', async () => {
    const block = tampered(([header, ...body]) => [(header as Fields).slice(0, -1), ...body])
    expect(await refusalOf(block)).toMatchObject({
      message: 'invalid block 3: fields: expected 21, got 20',
    })
  })
})

describe('a block with a wrong body is refused', () => {
  test('without a transaction', async () => {
    const block = tampered(([header, transactions, ...rest]) => [
      header as Item,
      (transactions as Fields).slice(1),
      ...rest,
    ])
    expect(await refusalOf(block)).toMatchObject({
      message: expect.stringMatching(/^invalid block 3: transactionsRoot: /),
    })
  })

  test('with a transaction that cannot execute', async () => {
    const raw = await alice.signTransaction(transfer(BOB, 7))
    const block = tampered(([header, , ...rest]) => [header as Item, [raw], ...rest])
    expect(await refusalOf(block)).toMatchObject({
      message: 'invalid block 3: transaction 0: expected an executable one, got nonceTooHigh',
    })
  })

  test('with an uncle', async () => {
    const block = tampered(([header, transactions, , ...rest]) => [
      ...[header as Item, transactions as Item, [header as Item]],
      ...rest,
    ])
    expect(await refusalOf(block)).toMatchObject({
      message: expect.stringMatching(/^invalid block 3: unclesHash: /),
    })
  })

  test('with a withdrawal', async () => {
    const withdrawal = ['0x', '0x', BOB, '0x01']
    const block = tampered((parts) => [...parts.slice(0, -1), [withdrawal as readonly Hex[]]])
    expect(await refusalOf(block)).toMatchObject({
      message: expect.stringMatching(/^invalid block 3: withdrawalsRoot: /),
    })
  })
})

describe('bytes that are no blocks are refused', () => {
  test.each<[what: string, bytes: () => Hex]>([
    ['half a block', () => `0x${exported.slice(2, 202)}`],
    ['a number', () => '0x01'],
    [
      'a header of no fork',
      () => tampered(([header, ...body]) => [(header as Fields).slice(0, 18), ...body]),
    ],
    ['a hash of 31 bytes', () => withField('stateRoot', `0x${'12'.repeat(31)}`)],
    ['a number with leading zeros', () => withField('gasUsed', '0x00a410')],
  ])('%s', async (_, bytes) => {
    expect(await refusalOf(bytes())).toMatchObject({ kind: 'undecodableBlocks', code: -32602 })
  })

  test('a blob sidecar inside a block', async () => {
    const raw = await alice.signTransaction({
      ...{ ...transfer(BOB, 2), type: 'eip4844', maxFeePerBlobGas: 1n },
      blobVersionedHashes: [`0x01${'00'.repeat(31)}`],
    } as never)
    const fields = fromRlp(`0x${(raw as Hex).slice(4)}`, 'hex') as Item
    const wrapped = concatHex(['0x03', toRlp([fields as readonly Hex[], [], [], []])])
    const block = tampered(([header, , ...rest]) => [header as Item, [wrapped], ...rest])
    expect(await refusalOf(block)).toMatchObject({
      message: 'undecodable blocks: block 3: transaction 0: a blob sidecar inside a block',
    })
  })
})

test('nothing is imported onto a block that has begun', async () => {
  const { chain, send } = await startScene()
  await send(alice, transfer(BOB, 0))
  await chain.advance(200)
  await expect(chain.importBlocks(exported)).rejects.toMatchObject({ kind: 'blockBegun' })
})
