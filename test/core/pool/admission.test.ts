// Refusals of eth_sendRawTransaction: the specification's messages (part 7) or else geth's, in geth's order
// (internal/ethapi/api.go, core/txpool/validation.go, core/txpool/legacypool).

import { Wallet } from 'ethers'
import { concat, type Hex, keccak256, serializeTransaction, type TransactionSerializable, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'
import { type Item, integer, signItems } from './by-hand.ts'

const GWEI = 10n ** 9n
const ETHER = 10n ** 18n
const CHAIN_ID = 31_337
const alice = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
const bob = privateKeyToAccount(`0x${'b0'.repeat(32)}`)
const aliceKey: Hex = `0x${'a1'.repeat(32)}`
const to: Hex = `0x${'70'.repeat(20)}`
const contract: Hex = `0x${'c0'.repeat(20)}`

/** Alice and Bob have 1 ether each. The base fee is 1 gwei, and a block holds 30 million gas. */
function chainWith(options: EmulatorOptions = {}): Promise<Emulator> {
  const { genesis, ...rest } = options
  return createEmulator({
    accounts: { privateKeys: [aliceKey, `0x${'b0'.repeat(32)}`], balance: ETHER },
    genesis: { gasLimit: 30_000_000, ...genesis },
    ...rest,
  })
}

type Asked = Partial<Omit<TransactionSerializable, 'type'>> & { readonly type?: string }

/** A transfer of nothing that is in order, with some of its fields changed, signed by viem. */
function sign(changes: Asked = {}, account = alice): Promise<Hex> {
  const isOld = changes.type === 'legacy' || changes.type === 'eip2930'
  const fees = isOld ? { gasPrice: 2n * GWEI } : { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI }
  const base = { type: 'eip1559', chainId: CHAIN_ID, nonce: 0, gas: 21_000n, to, value: 0n }
  return account.signTransaction({ ...base, ...fees, ...changes } as TransactionSerializable)
}

function send(chain: Emulator, raw: Hex): Promise<Hex> {
  return chain.request('eth_sendRawTransaction', [raw])
}

/** The blocks, the clock and the pool as a user sees them. */
async function look(chain: Emulator, hash: Hex): Promise<unknown> {
  return {
    now: chain.now,
    latest: await chain.request('eth_getBlockByNumber', ['latest', true]),
    pending: await chain.request('eth_getBlockByNumber', ['pending', true]),
    transaction: await chain.request('eth_getTransactionByHash', [hash]),
    nonces: await Promise.all(
      [alice, bob].map(({ address }) => chain.request('eth_getTransactionCount', [address, 'pending'])),
    ),
  }
}

/** Sends, expects a refusal without effects, and returns its message. */
async function refusal(chain: Emulator, raw: Hex): Promise<string> {
  const hash = keccak256(raw)
  const before = await look(chain, hash)
  const untouched = chain.clone()
  const seen: unknown[] = []
  for (const name of ['pendingTransaction', 'replacedTransaction', 'partialBlock', 'sealedBlock']) {
    chain.on(name, (payload) => seen.push(payload))
  }
  const error = await send(chain, raw).then(
    () => expect.unreachable('accepted'),
    (reason: unknown) => reason as Error & { code: number },
  )
  expect(error).toBeInstanceOf(Error)
  expect(error.code).toBe(-32000)
  expect(seen).toEqual([])
  expect(await look(chain, hash)).toEqual(before)
  // Nor is there anything that only shows later.
  const later = chain.clone()
  await Promise.all([later.advance(4000), untouched.advance(4000)])
  expect(await look(later, hash)).toEqual(await look(untouched, hash))
  return error.message
}

function authorize(account: typeof alice, nonce: number, chainId = CHAIN_ID) {
  return account.signAuthorization({ address: contract, chainId, nonce })
}

describe('the nonce', () => {
  test('below the account nonce: nonce too low', async () => {
    const chain = await chainWith()
    await send(chain, await sign())
    await chain.advance(2000)
    const raw = await sign({ value: 1n })
    expect(await refusal(chain, raw)).toBe('nonce too low: next nonce 1, tx nonce 0')
  })

  test('of a pre-confirmed transaction: nonce too low', async () => {
    const chain = await chainWith()
    const raw = await sign()
    await send(chain, raw)
    await chain.advance(200)
    expect(await refusal(chain, await sign({ value: 1n }))).toBe('nonce too low: next nonce 1, tx nonce 0')
    // The same transaction is in a block and no longer in the pool.
    expect(await refusal(chain, raw)).toBe('nonce too low: next nonce 1, tx nonce 0')
  })

  test('behind a gap: queued, and promoted when the gap is filled', async () => {
    const chain = await chainWith()
    const later = [await sign({ nonce: 2 }), await sign({ nonce: 1 })]
    for (const raw of later) expect(await send(chain, raw)).toBe(keccak256(raw))
    await chain.advance(4000)
    expect(await chain.request('eth_getTransactionCount', [alice.address, 'pending'])).toBe('0x0')
    expect(await chain.request('eth_getTransactionByHash', [keccak256(later[0]!)])).toMatchObject({
      nonce: '0x2',
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
    })
    const first = await sign()
    await send(chain, first)
    await chain.advance(200)
    const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
    expect(pending?.transactions).toEqual([first, later[1]!, later[0]!].map((raw) => keccak256(raw)))
    expect(await chain.request('eth_getTransactionCount', [alice.address, 'pending'])).toBe('0x3')
  })

  test('of 2^64 - 1: nonce has max value (EIP-2681)', async () => {
    const items: Item[] = [integer(CHAIN_ID), integer(2n ** 64n - 1n), '0x', integer(2n * GWEI)]
    const raw = await signItems(2, [...items, integer(21_000), to, '0x', '0x', []], aliceKey)
    expect(await refusal(await chainWith(), raw)).toBe('nonce has max value')
  })

  test('of 2^64 - 2 is the last one', async () => {
    const items: Item[] = [integer(CHAIN_ID), integer(2n ** 64n - 2n), '0x', integer(2n * GWEI)]
    const raw = await signItems(2, [...items, integer(21_000), to, '0x', '0x', []], aliceKey)
    expect(await send(await chainWith(), raw)).toBe(keccak256(raw))
  })
})

describe('the balance', () => {
  // 21,000 gas at 2 gwei are 42,000 gwei, by hand.
  const fee = 42_000n * GWEI

  test('must cover gas at the fee cap and the value, to the wei', async () => {
    const chain = await chainWith()
    expect(await refusal(chain, await sign({ value: ETHER - fee + 1n }))).toBe(
      'insufficient funds for gas * price + value: balance 1000000000000000000, tx cost 1000000000000000001, overshot 1',
    )
    const raw = await sign({ value: ETHER - fee })
    expect(await send(chain, raw)).toBe(keccak256(raw))
  })

  test('must cover all that the sender has in the pool together', async () => {
    const chain = await chainWith()
    const half = ETHER / 2n
    await send(chain, await sign({ value: half }))
    // Twice (0.5 ether + fee) is 1 ether + 84,000 gwei.
    expect(await refusal(chain, await sign({ nonce: 1, value: half }))).toBe(
      'insufficient funds for gas * price + value: balance 1000000000000000000, ' +
        'queued cost 500042000000000000, tx cost 500042000000000000, overshot 84000000000000',
    )
    await send(chain, await sign({ nonce: 1, value: half - 2n * fee }))
  })

  test('must cover transactions behind a gap, too', async () => {
    const chain = await chainWith()
    await send(chain, await sign({ nonce: 5, value: ETHER - fee }))
    expect(await refusal(chain, await sign())).toMatch(/^insufficient funds for gas \* price \+ value: /)
  })

  test('need not cover a replaced transaction', async () => {
    const chain = await chainWith()
    await send(chain, await sign({ value: ETHER - 2n * fee }))
    const fees = { maxFeePerGas: 4n * GWEI, maxPriorityFeePerGas: 2n * GWEI }
    await send(chain, await sign({ ...fees, value: ETHER - 2n * fee }))
    expect(await refusal(chain, await sign({ ...fees, value: ETHER - 2n * fee + 1n }))).toMatch(
      /^insufficient funds for gas \* price \+ value: /,
    )
  })

  test('is the pre-confirmed one', async () => {
    const chain = await chainWith()
    await send(chain, await sign({ value: ETHER - 2n * fee }))
    // The first block's base fee is an eighth less than 1 gwei: 21,000 gas at 1.875 gwei are 39,375 gwei.
    await chain.advance(200)
    expect(await refusal(chain, await sign({ nonce: 1, value: 2_625n * GWEI + 1n }))).toBe(
      'insufficient funds for gas * price + value: balance 44625000000000, tx cost 44625000000001, overshot 1',
    )
    // What Bob receives he can spend at once.
    await send(chain, await sign({ value: ETHER / 2n, to: alice.address }, bob))
    await chain.advance(200)
    await send(chain, await sign({ nonce: 1, value: ETHER / 4n }))
  })
})

describe('a known transaction', () => {
  test('is already known, before any other check', async () => {
    const chain = await chainWith()
    // It takes the whole balance, so that a second one could not be paid for.
    const raw = await sign({ value: ETHER - 42_000n * GWEI })
    await send(chain, raw)
    expect(await refusal(chain, raw)).toBe('already known')
  })

  test('also behind a gap', async () => {
    const chain = await chainWith()
    const raw = await sign({ nonce: 3 })
    await send(chain, raw)
    expect(await refusal(chain, raw)).toBe('already known')
  })

  test('ethers gives it its own error code', async () => {
    const chain = await chainWith()
    const raw = await new Wallet(aliceKey).signTransaction({
      chainId: CHAIN_ID,
      type: 2,
      nonce: 0,
      gasLimit: 21_000,
      maxFeePerGas: 2n * GWEI,
      maxPriorityFeePerGas: 0,
      to,
    })
    expect(await send(chain, raw as Hex)).toBe(keccak256(raw as Hex))
    expect(await refusal(chain, raw as Hex)).toBe('already known')
  })
})

describe('a replacement raises fee cap and tip by 10%', () => {
  const old = { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: 10n * GWEI }
  const underpriced = 'replacement transaction underpriced'

  test.each([
    ['both to the wei', 110n * GWEI, 11n * GWEI],
    ['both by more', 200n * GWEI, 20n * GWEI],
  ])('accepted: %s', async (_, maxFeePerGas, maxPriorityFeePerGas) => {
    const chain = await chainWith()
    const replaced = await send(chain, await sign(old))
    const events: unknown[] = []
    chain.on('replacedTransaction', (event) => events.push(event))
    const hash = await send(chain, await sign({ maxFeePerGas, maxPriorityFeePerGas }))
    expect(events).toEqual([{ transactionHash: replaced, byTransactionHash: hash }])
    expect(await chain.request('eth_getTransactionByHash', [replaced])).toBeNull()
    await chain.advance(2000)
    const block = await chain.request('eth_getBlockByNumber', ['latest', false])
    expect(block?.transactions).toEqual([hash])
  })

  test.each([
    ['nothing is raised', 100n * GWEI, 10n * GWEI],
    ['the fee cap lacks a wei', 110n * GWEI - 1n, 11n * GWEI],
    ['the tip lacks a wei', 110n * GWEI, 11n * GWEI - 1n],
    ['only the fee cap is raised', 200n * GWEI, 10n * GWEI],
    ['only the tip is raised', 100n * GWEI, 20n * GWEI],
    ['both fall', 50n * GWEI, 5n * GWEI],
  ])('refused: %s', async (_, maxFeePerGas, maxPriorityFeePerGas) => {
    const chain = await chainWith()
    await send(chain, await sign(old))
    const raw = await sign({ maxFeePerGas, maxPriorityFeePerGas, value: 1n })
    expect(await refusal(chain, raw)).toBe(underpriced)
  })

  test('a legacy gas price is both fee cap and tip', async () => {
    const chain = await chainWith()
    const legacy = { type: 'legacy', gasPrice: 10n * GWEI } as const
    await send(chain, await sign(legacy))
    expect(await refusal(chain, await sign({ ...legacy, gasPrice: 11n * GWEI - 1n }))).toBe(underpriced)
    const dynamic = { maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: 11n * GWEI - 1n }
    expect(await refusal(chain, await sign(dynamic))).toBe(underpriced)
    await send(chain, await sign({ ...legacy, gasPrice: 11n * GWEI }))
  })

  test('the least increase of a small price is rounded up: 16 is not enough for 15 wei', async () => {
    const chain = await chainWith({ genesis: { gasLimit: 30_000_000, baseFeePerGas: 0 } })
    const legacy = { type: 'legacy', gasPrice: 15n } as const
    await send(chain, await sign(legacy))
    expect(await refusal(chain, await sign({ ...legacy, gasPrice: 16n }))).toBe(underpriced)
    await send(chain, await sign({ ...legacy, gasPrice: 17n }))
  })

  test('a tip of zero must be raised, too', async () => {
    const chain = await chainWith()
    await send(chain, await sign({ maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: 0n }))
    const raised = { maxFeePerGas: 20n * GWEI }
    expect(await refusal(chain, await sign({ ...raised, maxPriorityFeePerGas: 0n }))).toBe(underpriced)
    await send(chain, await sign({ ...raised, maxPriorityFeePerGas: 1n }))
  })

  test('behind a gap as well', async () => {
    const chain = await chainWith()
    await send(chain, await sign({ ...old, nonce: 4, gas: 21_000n }))
    expect(await refusal(chain, await sign({ ...old, nonce: 4, value: 1n }))).toBe(underpriced)
  })

  test('or by limits.replacementBumpPercent', async () => {
    const chain = await chainWith({ limits: { replacementBumpPercent: 50 } })
    await send(chain, await sign(old))
    const fees = { maxFeePerGas: 150n * GWEI, maxPriorityFeePerGas: 15n * GWEI }
    expect(await refusal(chain, await sign({ ...fees, maxFeePerGas: 150n * GWEI - 1n }))).toBe(underpriced)
    await send(chain, await sign(fees))
  })

  test('zero per cent requires one wei more', async () => {
    const chain = await chainWith({ limits: { replacementBumpPercent: 0 } })
    await send(chain, await sign(old))
    expect(await refusal(chain, await sign({ ...old, value: 1n }))).toBe(underpriced)
    const fees = { maxFeePerGas: 100n * GWEI + 1n, maxPriorityFeePerGas: 10n * GWEI + 1n }
    await send(chain, await sign(fees))
  })
})

describe('fees', () => {
  test('a tip above the fee cap', async () => {
    // viem would not sign it.
    const items: Item[] = [integer(CHAIN_ID), '0x', integer(2n * GWEI + 1n), integer(2n * GWEI)]
    const raw = await signItems(2, [...items, integer(21_000), to, '0x', '0x', []], aliceKey)
    expect(await refusal(await chainWith(), raw)).toBe(
      'max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas 2000000001, maxFeePerGas 2000000000',
    )
  })

  test('a fee cap below the base fee is accepted, and waits until the base fee has fallen', async () => {
    const chain = await chainWith({ genesis: { gasLimit: 30_000_000, baseFeePerGas: GWEI } })
    // After empty blocks the base fee is 875,000,000 and then 765,625,000 wei (EIP-1559: an eighth less each).
    const hash = await send(chain, await sign({ maxFeePerGas: 800_000_000n, maxPriorityFeePerGas: 0n }))
    await chain.advance(2000)
    expect((await chain.request('eth_getBlockByNumber', ['latest', false]))?.transactions).toEqual([])
    await chain.advance(2000)
    expect((await chain.request('eth_getBlockByNumber', ['latest', false]))?.transactions).toEqual([hash])
  })

  test('a tip below limits.minimumTip', async () => {
    const chain = await chainWith({ limits: { minimumTip: 7 } })
    expect(await refusal(chain, await sign({ maxPriorityFeePerGas: 6n }))).toBe(
      'transaction gas price below minimum: gas tip cap 6, minimum needed 7',
    )
    await send(chain, await sign({ maxPriorityFeePerGas: 7n }))
  })

  test('more than limits.transactionFee', async () => {
    // A hundredth of an ether is 21,000 gas at 476 gwei and something.
    const chain = await chainWith({ limits: { transactionFee: 10n ** 16n } })
    expect(await refusal(chain, await sign({ maxFeePerGas: 600n * GWEI }))).toBe(
      'tx fee (0.01 ether) exceeds the configured cap (0.01 ether)',
    )
    expect(await refusal(chain, await sign({ maxFeePerGas: 6_000n * GWEI }))).toBe(
      'tx fee (0.13 ether) exceeds the configured cap (0.01 ether)',
    )
    await send(chain, await sign({ maxFeePerGas: 476n * GWEI }))
  })

  test('as much as limits.transactionFee, and any if it is zero', async () => {
    const fee = 21_000n * 500n * GWEI
    const chain = await chainWith({ limits: { transactionFee: fee } })
    expect(await refusal(chain, await sign({ maxFeePerGas: 500n * GWEI + 1n }))).toContain(
      'exceeds the configured cap',
    )
    await expect(send(chain, await sign({ maxFeePerGas: 500n * GWEI }))).resolves.toHaveLength(66)
    // By default it is 1 ether.
    const unlimited = await chainWith({
      accounts: { privateKeys: [aliceKey], balance: 10n * ETHER },
      limits: { transactionFee: 0 },
    })
    await expect(send(unlimited, await sign({ maxFeePerGas: 60_000n * GWEI }))).resolves.toHaveLength(66)
  })
})

describe('gas', () => {
  interface Cost {
    readonly what: string
    readonly least: number
    readonly hardfork?: EmulatorOptions['hardfork']
    readonly fields?: () => Promise<Asked>
  }
  const zeros: Hex = `0x${'00'.repeat(64)}`
  const keys: readonly Hex[] = [`0x${'00'.repeat(32)}`, `0x${'01'.repeat(32)}`]
  const accessList = [
    { address: to, storageKeys: keys },
    { address: contract, storageKeys: [] },
  ]
  // Yellow paper, appendix G; EIP-2028, 2930, 3860 and 7702. The floor of EIP-7623 is below these.
  const costs: readonly Cost[] = [
    { what: 'a transfer: 21,000', least: 21_000 },
    {
      what: 'a zero and another byte before prague: 4 + 16',
      least: 21_020,
      hardfork: 'cancun',
      fields: async () => ({ data: '0x0001' }),
    },
    {
      what: 'the same before istanbul: 4 + 68',
      least: 21_072,
      hardfork: 'petersburg',
      fields: async () => ({ type: 'legacy', data: '0x0001' }),
    },
    {
      what: 'a creation of 64 zeros: 32,000 + 64 × 4 + 2 words × 2',
      least: 53_260,
      fields: async () => ({ to: null, data: zeros }),
    },
    {
      what: 'the same before shanghai: 32,000 + 64 × 4',
      least: 53_256,
      hardfork: 'paris',
      fields: async () => ({ to: null, data: zeros }),
    },
    { what: 'a creation of nothing: 32,000', least: 53_000, fields: async () => ({ to: null }) },
    {
      what: 'an access list: 2,400 an address, 1,900 a key',
      least: 29_600,
      fields: async () => ({ type: 'eip2930', accessList }),
    },
    {
      what: 'two authorizations: 25,000 each',
      least: 71_000,
      fields: async () => ({
        type: 'eip7702',
        authorizationList: [await authorize(bob, 0), await authorize(bob, 9)],
      }),
    },
  ]

  test.each(costs)('below the intrinsic gas: $what', async ({ least, hardfork = 'prague', fields }) => {
    const chain = await chainWith({ hardfork })
    const changes = await fields?.()
    const raw = await sign({ ...changes, gas: BigInt(least - 1) })
    expect(await refusal(chain, raw)).toBe(`intrinsic gas too low: gas ${least - 1}, minimum needed ${least}`)
    await send(chain, await sign({ ...changes, gas: BigInt(least) }))
  })

  test('below the floor for calldata (EIP-7623)', async () => {
    // 100 bytes that are not zero are 400 tokens: 21,000 + 4,000, where the intrinsic gas is 21,000 + 1,600.
    const data: Hex = `0x${'ff'.repeat(100)}`
    const chain = await chainWith()
    expect(await refusal(chain, await sign({ data, gas: 24_999n }))).toBe(
      'insufficient gas for floor data gas cost: gas 24999, minimum needed 25000',
    )
    await send(chain, await sign({ data, gas: 25_000n }))
    const older = await chainWith({ hardfork: 'cancun' })
    await send(older, await sign({ data, gas: 22_600n }))
  })

  test('above the block gas limit', async () => {
    const chain = await chainWith({ genesis: { gasLimit: 100_000 } })
    expect(await refusal(chain, await sign({ gas: 100_001n }))).toBe(
      'exceeds block gas limit: gas 100001, limit 100000',
    )
    await send(chain, await sign({ gas: 100_000n }))
  })

  test('above 2^24 from osaka on (EIP-7825)', async () => {
    const osaka = await chainWith({ hardfork: 'osaka' })
    expect(await refusal(osaka, await sign({ gas: 16_777_217n }))).toBe(
      'transaction gas limit too high (cap: 16777216, tx: 16777217)',
    )
    await send(osaka, await sign({ gas: 16_777_216n }))
    await send(await chainWith({ hardfork: 'prague' }), await sign({ gas: 16_777_217n }))
  })

  test('above a limit of the chain instead', async () => {
    const prague = await chainWith({ hardfork: 'prague', limits: { transactionGas: 50_000 } })
    expect(await refusal(prague, await sign({ gas: 50_001n }))).toBe(
      'transaction gas limit too high (cap: 50000, tx: 50001)',
    )
    await send(prague, await sign({ gas: 50_000n }))
    // Also where the block is built.
    await prague.advance(2000)
    const osaka = await chainWith({ hardfork: 'osaka', limits: { transactionGas: 'none' } })
    const hash = await send(osaka, await sign({ gas: 16_777_217n }))
    await osaka.advance(2000)
    expect(await osaka.request('eth_getTransactionReceipt', [hash as Hex])).toMatchObject({ status: '0x1' })
  })
})

describe('size', () => {
  /** A transaction of a given size, with zeros as data. */
  async function ofSize(bytes: number): Promise<Hex> {
    const gas = 2_000_000n
    const frame =
      ((await sign({ gas, data: `0x${'00'.repeat(bytes - 200)}` })).length - 2) / 2 - (bytes - 200)
    const raw = await sign({ gas, data: `0x${'00'.repeat(bytes - frame)}` })
    expect((raw.length - 2) / 2).toBe(bytes)
    return raw
  }

  test('above 128 KiB', { tags: 'gate' }, async () => {
    const chain = await chainWith()
    expect(await refusal(chain, await ofSize(131_073))).toBe(
      'oversized data: transaction size 131073, limit 131072',
    )
    await send(chain, await ofSize(131_072))
  })

  test('above limits.transactionBytes', async () => {
    const chain = await chainWith({ limits: { transactionBytes: 1000 } })
    expect(await refusal(chain, await ofSize(1001))).toBe('oversized data: transaction size 1001, limit 1000')
    await send(chain, await ofSize(1000))
  })

  test('init code above 49,152 bytes (EIP-3860)', async () => {
    const creation = (bytes: number) => sign({ to: null, gas: 1_000_000n, data: `0x${'00'.repeat(bytes)}` })
    const chain = await chainWith()
    expect(await refusal(chain, await creation(49_153))).toBe(
      'max initcode size exceeded: code size 49153, limit 49152',
    )
    await send(chain, await creation(49_152))
    await send(await chainWith({ hardfork: 'paris' }), await creation(49_153))
  })

  test('init code of any size with allowUnlimitedContractSize, and it runs', async () => {
    const chain = await chainWith({ allowUnlimitedContractSize: true })
    // The first byte is STOP: the contract is empty.
    const raw = await sign({ to: null, gas: 1_000_000n, data: `0x${'00'.repeat(60_000)}` })
    const hash = await send(chain, raw)
    await chain.advance(2000)
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('transactions after one with so much data are valid', async () => {
    const chain = await chainWith()
    const hash = await send(chain, await ofSize(131_072))
    await chain.advance(2000)
    // 131,072 bytes less the frame, at 10 gas each (EIP-7623).
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const transaction = await chain.request('eth_getTransactionByHash', [hash])
    const bytes = BigInt((transaction?.input.length ?? 0) - 2) / 2n
    expect(BigInt(receipt?.gasUsed ?? 0)).toBe(21_000n + 10n * bytes)
  })
})

describe('chain id and type', () => {
  test.each(['legacy', 'eip2930', 'eip1559', 'eip7702'])('another chain: %s', async (type) => {
    const list = type === 'eip7702' ? { authorizationList: [await authorize(bob, 0)], gas: 100_000n } : {}
    expect(await refusal(await chainWith(), await sign({ type, chainId: 1, ...list } as Asked))).toBe(
      'invalid sender: invalid chain id for signer: have 1 want 31337',
    )
  })

  test('legacy without a chain id', async () => {
    const raw = await alice.signTransaction({ type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: GWEI, to })
    expect(await refusal(await chainWith(), raw)).toBe(
      'only replay-protected (EIP-155) transactions allowed over RPC',
    )
  })

  test('legacy without a chain id, with allowUnprotectedTransactions', async () => {
    const raw = await alice.signTransaction({ type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: GWEI, to })
    const chain = await chainWith({ allowUnprotectedTransactions: true })
    const hash = await send(chain, raw)
    await chain.advance(2000)
    const found = await chain.request('eth_getTransactionByHash', [hash])
    expect(found).toMatchObject({ from: alice.address.toLowerCase(), blockNumber: '0x1' })
    expect(['0x1b', '0x1c']).toContain(found?.v)
    expect(found?.chainId).toBeUndefined()
  })

  test.each([
    ['istanbul', 'eip2930', 1],
    ['berlin', 'eip1559', 2],
    ['cancun', 'eip7702', 4],
  ] as const)('on %s there is no %s', async (hardfork, type, number) => {
    const list = type === 'eip7702' ? { authorizationList: [await authorize(bob, 0)], gas: 100_000n } : {}
    const chain = await chainWith({ hardfork })
    expect(await refusal(chain, await sign({ type, ...list } as Asked))).toBe(
      `transaction type not supported: received type ${number}`,
    )
  })

  test('a blob transaction with its sidecar', async () => {
    const commitment: Hex = `0x${'aa'.repeat(48)}`
    const raw = await alice.signTransaction(
      {
        type: 'eip4844',
        chainId: CHAIN_ID,
        nonce: 0,
        gas: 21_000n,
        maxFeePerGas: 2n * GWEI,
        maxPriorityFeePerGas: 0n,
        maxFeePerBlobGas: GWEI,
        blobVersionedHashes: [`0x01${'22'.repeat(31)}`],
        sidecars: [{ blob: `0x${'00'.repeat(4096)}`, commitment, proof: commitment }],
        to,
      },
      { serializer: serializeTransaction },
    )
    expect(await refusal(await chainWith(), raw)).toBe('transaction type not supported: received type 3')
  })

  test.each([0x05, 0x7e, 0x7f])('type %i', async (type) => {
    const raw = concat([toHex(type, { size: 1 }), `0x${(await sign()).slice(4)}`])
    expect(await refusal(await chainWith(), raw as Hex)).toBe(
      `transaction type not supported: received type ${type}`,
    )
  })
})

describe('bytes that are no transaction', () => {
  test.each([
    ['no bytes', '0x', 'typed transaction too short'],
    ['a type alone', '0x02', 'typed transaction too short'],
    ['a list of nothing', '0x02c0', 'rlp: '],
    ['text', '0xff00', 'rlp: '],
  ] as const)('%s', { tags: 'gate' }, async (_, raw, words) => {
    expect((await refusal(await chainWith(), raw)).startsWith(words)).toBe(true)
  })

  test('a byte too many', async () => {
    expect(await refusal(await chainWith(), concat([await sign(), '0x00']))).toMatch(/^rlp: /)
  })

  test('a signature without a signer', async () => {
    const items: Item[] = [integer(CHAIN_ID), '0x', '0x', integer(2n * GWEI), integer(21_000), to]
    const raw = await signItems(2, [...items, '0x', '0x', []], aliceKey, { s: '0x' })
    expect(await refusal(await chainWith(), raw)).toMatch(/^invalid sender: /)
  })
})

describe('the sender', () => {
  test('has code (EIP-3607): sender not an eoa', async () => {
    const chain = await chainWith({
      genesis: { alloc: { [alice.address]: { balance: ETHER, code: '0x00' } } },
    })
    expect(await refusal(chain, await sign())).toBe(
      `sender not an eoa: address ${alice.address.toLowerCase()}`,
    )
  })

  const code: Hex = `0xef0100${contract.slice(2)}`
  const genesis = { alloc: { [alice.address]: { balance: ETHER, code } } }

  test('may have the code of a delegation (EIP-7702)', async () => {
    const chain = await chainWith({ genesis })
    const hash = await send(chain, await sign())
    await chain.advance(2000)
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('may not before prague, where there are no delegations', async () => {
    const chain = await chainWith({ hardfork: 'cancun', genesis })
    expect(await refusal(chain, await sign())).toMatch(/^sender not an eoa: /)
  })
})

describe('a set code transaction (EIP-7702)', () => {
  const setCode = { type: 'eip7702', gas: 100_000n } as const

  test('needs an authorization', async () => {
    const chain = await chainWith()
    expect(await refusal(chain, await sign({ ...setCode, authorizationList: [] } as Asked))).toBe(
      'set code tx must have at least one authorization tuple',
    )
  })

  test('cannot create a contract, also not by eth_sendTransaction', async () => {
    const chain = await chainWith()
    const { address, chainId, nonce, r, s, yParity } = await authorize(bob, 0)
    const tuple = {
      address,
      r,
      s,
      chainId: toHex(chainId),
      nonce: toHex(nonce),
      yParity: toHex(yParity ?? 0),
    }
    const request = {
      from: alice.address,
      input: '0x00',
      gas: '0x30000',
      authorizationList: [tuple],
    } as const
    const answer = chain.request('eth_sendTransaction', [request])
    await expect(answer).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('0.to') })
    await chain.advance(2000)
    expect(await chain.request('eth_getTransactionCount', [alice.address, 'latest'])).toBe('0x0')
  })

  test('accepts any parity of one byte, and skips an invalid authorization', async () => {
    const chain = await chainWith()
    const tuple = { address: contract, chainId: '0x0', nonce: '0x0', r: '0x1', s: '0x1' } as const
    const request = (yParity: Hex) => ({
      from: alice.address,
      to,
      gas: '0x30000',
      authorizationList: [{ ...tuple, yParity }],
    })
    await expect(chain.request('eth_sendTransaction', [request('0x100') as never])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('0.authorizationList[0].yParity'),
    })
    const hash = await chain.request('eth_sendTransaction', [request('0xff') as never])
    await chain.advance(2000)
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('makes pooled transactions of its authority stale', async () => {
    const chain = await chainWith()
    const overtaken = await sign({ maxPriorityFeePerGas: 1n }, bob)
    await send(chain, overtaken)
    const authorizationList = [await authorize(bob, 0)]
    await send(chain, await sign({ ...setCode, authorizationList } as Asked))
    await chain.advance(200)
    // Alice's has the higher tip. It made Bob's nonce 1, and his transaction can never run.
    expect(await chain.request('eth_getTransactionCount', [bob.address, 'pending'])).toBe('0x1')
    expect(await chain.request('eth_getTransactionByHash', [keccak256(overtaken)])).toBeNull()
    expect(await refusal(chain, overtaken)).toBe('nonce too low: next nonce 1, tx nonce 0')
  })

  describe('a delegated account', () => {
    async function delegated(): Promise<Emulator> {
      const chain = await chainWith()
      const authorizationList = [await authorize(bob, 0)]
      await send(chain, await sign({ ...setCode, authorizationList } as Asked))
      await chain.advance(2000)
      return chain
    }

    test('leaves no gap', async () => {
      const chain = await delegated()
      expect(await refusal(chain, await sign({ nonce: 2 }, bob))).toBe(
        'gapped-nonce tx from delegated accounts',
      )
    })

    test('has at most one pending transaction, which may be replaced', async () => {
      const chain = await delegated()
      await send(chain, await sign({ nonce: 1 }, bob))
      expect(await refusal(chain, await sign({ nonce: 2 }, bob))).toBe(
        'in-flight transaction limit reached for delegated accounts',
      )
      await send(
        chain,
        await sign({ nonce: 1, maxFeePerGas: 4n * GWEI, maxPriorityFeePerGas: 2n * GWEI }, bob),
      )
      await chain.advance(200)
      await send(chain, await sign({ nonce: 2 }, bob))
    })
  })
})

describe('the pool', () => {
  test('is full at limits.poolTransactions, but takes replacements', async () => {
    const chain = await chainWith({ limits: { poolTransactions: 2 } })
    await send(chain, await sign())
    await send(chain, await sign({ nonce: 9 }))
    expect(await refusal(chain, await sign({}, bob))).toBe('txpool is full')
    await send(chain, await sign({ maxFeePerGas: 4n * GWEI, maxPriorityFeePerGas: 2n * GWEI }))
    await chain.advance(200)
    await send(chain, await sign({}, bob))
  })
})

describe('of two violations the one that geth checks first is reported', () => {
  interface Case {
    readonly first: string
    readonly second: string
    readonly options?: EmulatorOptions
    readonly raw: () => Promise<Hex>
  }
  const dynamic = (
    changes: Partial<Record<'chainId' | 'nonce' | 'tip' | 'gas' | 'data' | 'value', bigint>>,
  ) => {
    const field = (name: keyof typeof changes, fallback: bigint): Hex => integer(changes[name] ?? fallback)
    const fees = [field('tip', GWEI), integer(2n * GWEI)] as const
    const head = [field('chainId', BigInt(CHAIN_ID)), field('nonce', 0n), ...fees] as const
    return signItems(
      2,
      [...head, field('gas', 21_000n), to, field('value', 0n), field('data', 0n), []],
      aliceKey,
    )
  }
  const creation = (bytes: number, gas: bigint) => sign({ to: null, gas, data: `0x${'00'.repeat(bytes)}` })
  const maxNonce = 2n ** 64n - 1n
  const unpayable = 100n * ETHER

  const cases: readonly Case[] = [
    {
      first: 'tx fee',
      second: 'only replay-protected',
      options: { limits: { transactionFee: 1 } },
      raw: () => alice.signTransaction({ type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: GWEI, to }),
    },
    {
      first: 'only replay-protected',
      second: 'exceeds block gas limit',
      raw: () => alice.signTransaction({ type: 'legacy', nonce: 0, gas: 2n ** 40n, gasPrice: 0n, to }),
    },
    {
      first: 'transaction type not supported',
      second: 'oversized data',
      options: { hardfork: 'berlin' },
      raw: () => creation(131_072, 21_000n),
    },
    { first: 'oversized data', second: 'max initcode size exceeded', raw: () => creation(131_072, 21_000n) },
    {
      first: 'max initcode size exceeded',
      second: 'exceeds block gas limit',
      raw: () => creation(49_153, 2n ** 40n),
    },
    {
      first: 'transaction gas limit too high',
      second: 'exceeds block gas limit',
      options: { hardfork: 'osaka' },
      raw: () => dynamic({ gas: 30_000_001n }),
    },
    {
      first: 'exceeds block gas limit',
      second: 'max priority fee',
      raw: () => dynamic({ gas: 2n ** 40n, tip: ETHER }),
    },
    { first: 'max priority fee', second: 'invalid sender', raw: () => dynamic({ tip: ETHER, chainId: 1n }) },
    {
      first: 'invalid sender',
      second: 'nonce has max value',
      raw: () => dynamic({ chainId: 1n, nonce: maxNonce }),
    },
    {
      first: 'nonce has max value',
      second: 'intrinsic gas',
      raw: () => dynamic({ nonce: maxNonce, gas: 1n }),
    },
    {
      first: 'intrinsic gas',
      second: 'insufficient gas for floor',
      raw: () => dynamic({ gas: 21_000n, data: 255n }),
    },
    {
      first: 'insufficient gas for floor',
      second: 'transaction gas price below minimum',
      options: { limits: { minimumTip: ETHER } },
      raw: () => dynamic({ gas: 21_016n, data: 255n }),
    },
    {
      first: 'transaction gas price below minimum',
      second: 'set code tx must have',
      options: { limits: { minimumTip: ETHER } },
      raw: () => sign({ type: 'eip7702', authorizationList: [] } as Asked),
    },
    {
      first: 'set code tx must have',
      second: 'insufficient funds',
      raw: () => sign({ type: 'eip7702', authorizationList: [], value: unpayable } as Asked),
    },
    {
      first: 'nonce too low',
      second: 'insufficient funds',
      options: { genesis: { alloc: { [alice.address]: { nonce: 5, balance: ETHER } } } },
      raw: () => dynamic({ nonce: 4n, value: unpayable }),
    },
    {
      first: 'insufficient funds',
      second: 'gapped-nonce',
      options: {
        genesis: { alloc: { [alice.address]: { balance: ETHER, code: `0xef0100${contract.slice(2)}` } } },
      },
      raw: () => dynamic({ nonce: 4n, value: unpayable }),
    },
  ]

  test.each(cases)('$first, before $second', { tags: 'gate' }, async ({ first, options, raw }) => {
    expect((await refusal(await chainWith(options), await raw())).startsWith(first)).toBe(true)
  })

  test('insufficient funds, before replacement transaction underpriced', async () => {
    const chain = await chainWith()
    await send(chain, await sign())
    expect(await refusal(chain, await sign({ value: unpayable }))).toMatch(/^insufficient funds/)
  })

  test('insufficient funds, before txpool is full', async () => {
    const chain = await chainWith({ limits: { poolTransactions: 1 } })
    await send(chain, await sign())
    expect(await refusal(chain, await sign({ value: unpayable }, bob))).toMatch(/^insufficient funds/)
  })
})
