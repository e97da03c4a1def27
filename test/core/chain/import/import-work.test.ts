// Import of proof-of-work blocks: difficulty, uncles and rewards.
import { createEmulator, type Emulator } from 'tickchain'
import { type Hex, keccak256, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALICE } from '../../rpc/scene.ts'
import {
  EMPTY_LIST_HASH,
  FIELDS,
  type Field,
  forge,
  genesisOf,
  type Header,
  integer,
  MINER,
  refusalOf,
  startChain,
} from '../forge.ts'

const ETHER = 10n ** 18n
const other: Hex = `0x${'12'.repeat(32)}`
const UNCLE_MINER: Hex = `0x${'dd'.repeat(20)}`

async function balanceOf(chain: Emulator, address: Hex): Promise<bigint> {
  return BigInt(await chain.request('eth_getBalance', [address, 'latest']))
}

/** Ten blocks under istanbul, whose miner has had 2 ether for each. */
let ten: Emulator
const headers: Header[] = []

beforeAll(async () => {
  ten = await startChain('istanbul')
  for (let number = 1; number <= 10; number++) {
    const outcome = await forge(ten, 'istanbul')
    if ('refusal' in outcome) throw outcome.refusal
    headers.push(outcome.header)
  }
})

/** A block that another miner made at the height of block `number`, with other fields if given. */
function uncleAt(number: number, changes: Partial<Record<Field, Hex>> = {}): Header {
  const changed: Partial<Record<Field, Hex>> = { coinbase: UNCLE_MINER, ...changes }
  const header = headers[number - 1] as Header
  return header.map((value, index) => changed[FIELDS[index] as Field] ?? value)
}

/** Genesis has a difficulty of 131,072, half of the terminal one. */
function mergingAfterOne() {
  const { config, ...genesis } = genesisOf('london')
  return { ...genesis, config: { ...config, terminalTotalDifficulty: 262_144 } }
}

describe('difficulty', () => {
  test('rises by a 2048th for a block that comes within nine seconds, and not for one after ten (EIP-100)', async () => {
    const chain = await startChain('istanbul')
    expect(await forge(chain, 'istanbul', { header: { difficulty: '0x020000' } })).toHaveProperty('rlp')
    // 131,072 + 64
    const header = { difficulty: '0x020040', timestamp: integer(15 + 8) } as const
    expect(await forge(chain, 'istanbul', { header })).toHaveProperty('rlp')
  })

  test.each<Hex>(['0x', '0x01', '0x020001', '0x020040', `0x80${'00'.repeat(31)}`])(
    'of %s is refused',
    async (difficulty) => {
      const refusal = await refusalOf(ten.clone(), 'istanbul', { header: { difficulty } })
      expect(refusal.message).toMatch(/^invalid block 11: difficulty: expected 131072, got /)
    },
  )

  test('counts the uncles of the parent', async () => {
    const chain = ten.clone()
    expect(await forge(chain, 'istanbul', { uncles: [uncleAt(10)] })).toHaveProperty('rlp')
    const refusal = await refusalOf(chain, 'istanbul', { header: { difficulty: '0x020000' } })
    expect(refusal.message).toBe('invalid block 12: difficulty: expected 131136, got 131072')
  })

  test('is zero after the merge, and stays zero', async () => {
    const { config, ...genesis } = genesisOf('london')
    const merging = { ...genesis, config: { ...config, terminalTotalDifficulty: '0x1' } }
    const chain = await createEmulator({ genesis: merging })
    expect(await forge(chain, 'london', { header: { difficulty: '0x' } })).toHaveProperty('rlp')
    const refusal = await refusalOf(chain, 'london', { header: { difficulty: '0x020000' } })
    expect(refusal.message).toBe('invalid block 2: difficulty: expected 0, got 131072')
  })

  // EIP-3675: the last block of proof of work is the first whose total difficulty is the terminal one.
  test.each<[label: string, prepare: (chain: Emulator) => Promise<Emulator>]>([
    ['imported', async (chain) => chain],
    ['loaded', async (chain) => createEmulator({ genesis: mergingAfterOne(), state: await chain.dump() })],
  ])('is nothing once an %s chain has the terminal total difficulty', async (_, prepare) => {
    const first = await createEmulator({ genesis: mergingAfterOne() })
    // 131,072 of genesis are less than 262,144, and so is a block of difficulty 131,072 taken.
    expect(await forge(first, 'london', { header: { difficulty: '0x020000' } })).toHaveProperty('rlp')
    const chain = await prepare(first)
    const refusal = await refusalOf(chain, 'london', { header: { difficulty: '0x020000' } })
    expect(refusal.message).toBe('invalid block 2: difficulty: expected 0, got 131072')
    expect(await forge(chain, 'london', { header: { difficulty: '0x' } })).toHaveProperty('rlp')
  })

  test('goes on while one is missing to the terminal total difficulty', async () => {
    const { config, ...genesis } = mergingAfterOne()
    const late = { ...genesis, config: { ...config, terminalTotalDifficulty: 262_145 } }
    const chain = await createEmulator({ genesis: late })
    for (let number = 1; number <= 2; number++) {
      expect(await forge(chain, 'london', { header: { difficulty: '0x020000' } })).toHaveProperty('rlp')
    }
    const refusal = await refusalOf(chain, 'london', { header: { difficulty: '0x020000' } })
    expect(refusal.message).toBe('invalid block 3: difficulty: expected 0, got 131072')
  })

  test('is zero under a hardfork before the merge, as in blocks built here', async () => {
    const chain = await createEmulator({ hardfork: 'istanbul', genesis: { timestamp: 5 } })
    const refusal = await refusalOf(chain, 'istanbul', { header: { difficulty: '0x020000' } })
    expect(refusal.message).toBe('invalid block 1: difficulty: expected 0, got 131072')
  })
})

describe('rewards', () => {
  test.each([
    ['frontier', 5n],
    ['istanbul', 2n],
    ['london', 2n],
  ] as const)('of a block under %s: %d ether', async (era, ether) => {
    const chain = await startChain(era)
    expect(await forge(chain, era)).toHaveProperty('rlp')
    expect(await balanceOf(chain, MINER)).toBe(ether * ETHER)
  })

  test('of an uncle: an eighth less per generation, and a 32nd for the including miner', async () => {
    const chain = ten.clone()
    expect(await forge(chain, 'istanbul', { uncles: [uncleAt(10), uncleAt(5)] })).toHaveProperty('rlp')
    // One generation back 7/8 of 2 ether, six back 2/8.
    expect(await balanceOf(chain, UNCLE_MINER)).toBe((ETHER * 7n) / 4n + ETHER / 2n)
    expect(await balanceOf(chain, MINER)).toBe(20n * ETHER + 2n * ETHER + ETHER / 8n)
    expect(await chain.request('eth_getUncleCountByBlockNumber', ['latest'])).toBe('0x2')
    const hash = (await chain.request('eth_getBlockByNumber', ['latest', false]))?.hash as Hex
    const second = { number: '0x5', miner: UNCLE_MINER, hash: keccak256(toRlp([...uncleAt(5)])) }
    expect(await chain.request('eth_getUncleByBlockNumberAndIndex', ['latest', '0x1'])).toMatchObject(second)
    expect(await chain.request('eth_getUncleByBlockHashAndIndex', [hash, '0x1'])).toMatchObject(second)
    expect(await chain.request('eth_getUncleByBlockHashAndIndex', [hash, '0x2'])).toBeNull()
  })
})

describe('uncles that are refused', () => {
  test.each<[what: string, uncles: () => readonly Header[], message: string | RegExp]>([
    ['three', () => [uncleAt(10), uncleAt(9), uncleAt(8)], 'uncles: expected at most 2, got 3'],
    ['twice the same', () => [uncleAt(10), uncleAt(10)], /^uncle 1: expected one that no block has yet/],
    ['the parent', () => [headers[9] as Header], /^uncle 0: expected no ancestor of the block/],
    ['an older ancestor', () => [headers[6] as Header], /^uncle 0: expected no ancestor of the block/],
    ['seven generations back', () => [uncleAt(4)], /^uncle 0: expected a child of one of the 6 blocks/],
    ['of an unknown parent', () => [uncleAt(10, { parentHash: other })], /^uncle 0: expected a child of/],
    [
      'a child of the parent',
      () => [uncleAt(10, { parentHash: keccak256(toRlp(headers[9] as Hex[])) })],
      /^uncle 0: expected a child of/,
    ],
    [
      'of a later number',
      () => [uncleAt(10, { number: integer(1000) })],
      'uncle 0 number: expected 10, got 1000',
    ],
    ['of number zero', () => [uncleAt(10, { number: '0x' })], 'uncle 0 number: expected 10, got 0'],
    [
      'as old as its parent',
      () => [uncleAt(10, { timestamp: (headers[8] as Header)[FIELDS.indexOf('timestamp')] as Hex })],
      /^uncle 0 timestamp: expected more than 95, got 95/,
    ],
    [
      'of another difficulty',
      () => [uncleAt(10, { difficulty: '0x01' })],
      'uncle 0 difficulty: expected 131072, got 1',
    ],
    // A 1024th of 30,000,000 is 29,296.
    [
      'of another gas limit',
      () => [uncleAt(10, { gasLimit: integer(30_029_296) })],
      'uncle 0 gasLimit: expected within 29296 of 30000000, got 30029296',
    ],
    [
      'of more gas than its limit',
      () => [uncleAt(10, { gasUsed: integer(30_000_001) })],
      'uncle 0 gasUsed: expected at most 30000000, got 30000001',
    ],
    [
      'of long extra data',
      () => [uncleAt(10, { extraData: `0x${'00'.repeat(33)}` })],
      'uncle 0 extraData: expected at most 32 bytes, got 33',
    ],
  ])('%s', async (_, uncles, message) => {
    const refusal = await refusalOf(ten.clone(), 'istanbul', { uncles: uncles() })
    expect(refusal).toMatchObject({ kind: 'invalidBlock', code: -32000 })
    const prefix = 'invalid block 11: '
    expect(refusal.message.startsWith(prefix)).toBe(true)
    const rest = refusal.message.slice(prefix.length)
    if (typeof message === 'string') expect(rest).toBe(message)
    else expect(rest).toMatch(message)
  })

  test('one that an earlier block has included', async () => {
    const chain = ten.clone()
    expect(await forge(chain, 'istanbul', { uncles: [uncleAt(10)] })).toHaveProperty('rlp')
    const refusal = await refusalOf(chain, 'istanbul', { uncles: [uncleAt(10)] })
    expect(refusal.message).toMatch(/^invalid block 12: uncle 0: expected one that no block has yet/)
  })

  test('any after the merge (EIP-3675), and with the wrong commitment', async () => {
    const chain = await startChain('cancun')
    const made = await forge(chain, 'cancun')
    if ('refusal' in made) throw made.refusal
    const uncles = [made.header]
    expect((await refusalOf(chain, 'cancun', { uncles })).message).toBe(
      'invalid block 2: uncles: expected at most 0, got 1',
    )
    const header = { unclesHash: EMPTY_LIST_HASH }
    expect((await refusalOf(chain, 'cancun', { uncles, header })).message).toMatch(
      /^invalid block 2: unclesHash: expected /,
    )
  })
})

describe('the parts of a body', () => {
  const withdrawal = ['0x', '0x01', ALICE, '0x01'] as const

  test('there is a list of withdrawals from shanghai on', async () => {
    const refusal = await refusalOf(await startChain('shanghai'), 'shanghai', { rest: [] })
    expect(refusal.message).toBe('invalid block 1: withdrawals: expected a list, got none')
    const chain = await startChain('shanghai')
    expect(await forge(chain, 'shanghai', { rest: [[withdrawal]] })).toHaveProperty('rlp')
    // A gwei.
    expect(await balanceOf(chain, ALICE)).toBe(10n ** 22n + 10n ** 9n)
  })

  test.each([[[]], [[withdrawal]]])('and none before', async (list) => {
    const refusal = await refusalOf(await startChain('london'), 'london', { rest: [list] })
    expect(refusal.message).toBe('invalid block 1: withdrawals: expected none, got a list')
  })

  test.each([
    ['a fifth part', [[], []], 'item 0: expected a block of 3 or 4 parts, got 5'],
    [
      'a withdrawal of three fields',
      [[['0x', '0x', ALICE]]],
      'block 1: withdrawal 0: expected 4 fields, got 3',
    ],
    [
      'an amount of nine bytes',
      [[['0x', '0x', ALICE, `0x01${'00'.repeat(8)}`]]],
      'block 1: withdrawal 0.amount: expected an integer of up to 8 bytes, got 9',
    ],
  ] as const)('%s is refused', async (_, rest, message) => {
    const refusal = await refusalOf(await startChain('shanghai'), 'shanghai', { rest })
    expect(refusal).toMatchObject({ kind: 'undecodableBlocks', code: -32602 })
    expect(refusal.message).toBe(`undecodable blocks: ${message}`)
  })
})

test.each<[field: Field, value: Hex, reason: string]>([
  ['parentHash', '0x12', 'expected 32 bytes, got 1'],
  ['coinbase', '0x', 'expected 20 bytes, got 0'],
  ['logsBloom', '0x00', 'expected 256 bytes, got 1'],
  ['number', '0x0001', 'expected a canonical integer'],
  ['difficulty', `0x01${'00'.repeat(32)}`, 'expected an integer of up to 32 bytes, got 33'],
  ['nonce', '0x', 'expected 8 bytes, got 0'],
])('a malformed %s is named', async (field, value, reason) => {
  const refusal = await refusalOf(await startChain('london'), 'london', { header: { [field]: value } })
  expect(refusal).toMatchObject({
    kind: 'undecodableBlocks',
    message: `undecodable blocks: item 0: header.${field}: ${reason}`,
  })
})

test('bytes that end within a block are refused with its position', async () => {
  const chain = await startChain('london')
  // A byte string of one byte, which is missing.
  const bytes = Uint8Array.of(...(await ten.exportBlocks()), 0x81)
  await expect(chain.importBlocks(bytes)).rejects.toMatchObject({
    kind: 'undecodableBlocks',
    message: expect.stringContaining('undecodable blocks: item 10: '),
  })
})

// geth, misc.VerifyGaslimit: less than a 1024th of 30,000,000, which is 29,296, and at least 5,000.
test('a gas limit changes by less than a 1024th', async () => {
  const taken = [30_000_000 + 29_295, 30_000_000 - 29_295]
  for (const gasLimit of taken) {
    const chain = await startChain('istanbul')
    expect(await forge(chain, 'istanbul', { header: { gasLimit: integer(gasLimit) } })).toHaveProperty('rlp')
  }
  for (const gasLimit of [30_000_000 + 29_296, 30_000_000 - 29_296]) {
    const refusal = await refusalOf(await startChain('istanbul'), 'istanbul', {
      header: { gasLimit: integer(gasLimit) },
    })
    expect(refusal.message).toBe(
      `invalid block 1: gasLimit: expected within 29296 of 30000000, got ${gasLimit}`,
    )
  }
  const least = await createEmulator({ genesis: { ...genesisOf('istanbul'), gasLimit: 5_001 } })
  expect(await refusalOf(least, 'istanbul', { header: { gasLimit: integer(4_999) } })).toMatchObject({
    message: expect.stringContaining('gasLimit'),
  })
  expect(await forge(least, 'istanbul', { header: { gasLimit: integer(5_000) } })).toHaveProperty('rlp')
})

// EIP-4844 and EIP-7691: at most nine blobs in a block from prague on.
test('blob gas of more than a block may have', async () => {
  const blobGasUsed = integer(10 * 131_072)
  const refusal = await refusalOf(await startChain('prague'), 'prague', { header: { blobGasUsed } })
  expect(refusal.message).toBe('invalid block 1: blobGasUsed: expected at most 1179648, got 1310720')
  const most = await refusalOf(await startChain('prague'), 'prague', {
    header: { blobGasUsed: integer(9 * 131_072) },
  })
  expect(most.message).toBe('invalid block 1: blobGasUsed: expected 0, got 1179648')
})

// geth, params.MaxGasLimit: 2^63 - 1.
test('a gas limit above that of geth is refused', async () => {
  const most = 9_223_372_036_854_775_807n
  const chain = await createEmulator({ genesis: { ...genesisOf('london'), gasLimit: most } })
  const refusal = await refusalOf(chain, 'london', { header: { gasLimit: integer(most + 1n) } })
  expect(refusal.message).toBe(
    'invalid block 1: gasLimit: expected at most 9223372036854775807, got 9223372036854775808',
  )
  expect(await forge(chain, 'london', { header: { gasLimit: integer(most) } })).toHaveProperty('rlp')
})

test('a time that is no safe integer is refused with the limit', async () => {
  const header = { timestamp: integer(2n ** 53n) }
  const refusal = await refusalOf(await startChain('london'), 'london', { header })
  expect(refusal.message).toBe(
    'undecodable blocks: item 0: header.timestamp: expected at most 9007199254740991, got 9007199254740992',
  )
})

test('a time after the end of the clock is refused', async () => {
  // The first second of the year 10000.
  const header = { timestamp: integer(253_402_300_800) }
  const refusal = await refusalOf(await startChain('london'), 'london', { header })
  expect(refusal.message).toBe(
    'invalid block 1: timestamp: expected at most 253402300799, where the clock ends, got 253402300800',
  )
})
