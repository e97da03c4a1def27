// Execution of transactions, compared with plain @ethereumjs/vm on the same genesis, header values and signed bytes.

import fc from 'fast-check'
import { concat, encodeFunctionData, type Hex, keccak256, toHex, toRlp } from 'viem'
import { sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { SELECTABLE_HARDFORKS, type SelectableHardfork } from '../../../src/core/rollup/hardforks.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { Lifecycle } from '../../contracts/generated.ts'
import { sampled, scaled } from '../../size.ts'
import { dumpAccounts, readBlock, readChain, readReceipts } from './reads.ts'
import type { RpcReceipt } from './recompute.ts'
import { makeReferenceChain, type ReferenceOutcome } from './reference-chain.ts'
import { type Draft, makeWallets, privateKeys, type SignedAuthorization, type Wallet } from './wallet.ts'
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  candidates,
  LEDGER_CODE,
  LEDGER_INIT_CODE,
  ledgerCall,
  runWorkload,
  stranger,
} from './workload.ts'

/** A receipt in the words of the reference. */
function outcomeOf(receipt: RpcReceipt): Omit<ReferenceOutcome, 'returned'> {
  return {
    gasUsed: BigInt(receipt.gasUsed),
    status: receipt.status,
    logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
    bloom: receipt.logsBloom,
    created: receipt.contractAddress,
  }
}

/** Runs all blocks of a chain in the reference; `addresses` are its genesis accounts. */
async function expectReference(
  chain: Emulator,
  hardfork: SelectableHardfork,
  addresses: readonly Hex[],
): Promise<void> {
  const [genesis, ...blocks] = await readChain(chain)
  const accounts = await dumpAccounts(chain, addresses, 0)
  const reference = await makeReferenceChain(
    hardfork,
    31_337,
    accounts.map(({ address, nonce, balance, code }) => ({
      address,
      nonce: BigInt(nonce),
      balance: BigInt(balance),
      code,
    })),
  )
  expect(await reference.stateRoot()).toBe(genesis?.stateRoot)
  for (const block of blocks) {
    const expected = await reference.run(block)
    const receipts = await readReceipts(chain, Number(block.number))
    expect(receipts.map(outcomeOf)).toEqual(
      expected.map(({ gasUsed, status, logs, bloom, created }, index) => ({
        gasUsed,
        status,
        logs,
        bloom,
        created: receipts[index]?.to === null ? created : null,
      })),
    )
    expect(await reference.stateRoot(), `state root of ${block.number}`).toBe(block.stateRoot)
  }
}

test.each(sampled(SELECTABLE_HARDFORKS))(
  'a chain of %s has the gas, logs and state of plain @ethereumjs/vm',
  async (hardfork) => {
    const workload = await runWorkload(hardfork)
    await expectReference(workload.chain, hardfork, candidates(workload))
  },
)

describe('random traffic', () => {
  const [ledger, lifecycle] = [stranger(70), stranger(71)] as const
  const { abi } = Lifecycle
  const small = fc.bigInt({ min: 0n, max: 4n })
  const value = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
  const draft: fc.Arbitrary<Draft> = fc.oneof(
    fc.tuple(small, value).map(([slot, word]) => ({ to: ledger, data: ledgerCall(slot, word) })),
    fc.tuple(fc.constantFrom('fill', 'clear'), small, small).map(([functionName, ...args]) => ({
      to: lifecycle,
      data: encodeFunctionData({ abi, functionName, args }),
    })),
    fc
      .tuple(fc.nat(3), fc.uint8Array({ maxLength: 900 }), small)
      .map(([to, data, amount]) => ({ to: stranger(to), data: toHex(data), value: amount })),
    fc
      .constantFrom(LEDGER_INIT_CODE, '0x6133ff6000526002601ef3', '0x33ff')
      .map((data) => ({ data, value: 9n })),
    small.map((amount) => ({
      to: lifecycle,
      value: amount,
      data: encodeFunctionData({ abi, functionName: 'createAndDestroy', args: [stranger(72)] }),
    })),
  )
  const command = fc.record({
    draft,
    sender: fc.nat(5),
    gas: fc.constantFrom(60_000n, 90_000n, 400_000n),
    tip: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    pause: fc.constantFrom(0, 0, 200, 700, 2000),
  })

  test('in random partial blocks gives the results of the reference', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 40 }), async (commands) => {
        const alloc = {
          [ledger]: { code: LEDGER_CODE, nonce: 1 },
          [lifecycle]: { code: Lifecycle.deployedBytecode, nonce: 1 },
        }
        const genesis = { alloc, gasLimit: 3_000_000 }
        const chain = await createEmulator({ accounts: { privateKeys }, genesis })
        const wallets = makeWallets(chain)
        for (const { draft, sender, gas, tip, pause } of commands) {
          await (wallets[sender] as Wallet).send({ ...draft, gas, tip })
          await chain.advance(pause)
        }
        // 40 transactions of 400,000 gas are at most six blocks of 3,000,000.
        await chain.advance(12_000)
        const sealed = (await readChain(chain)).reduce(
          (sum, { transactions }) => sum + transactions.length,
          0,
        )
        expect(sealed).toBe(commands.length)
        const addresses = wallets.map(({ address }) => address)
        await expectReference(chain, 'prague', [...addresses, ledger, lifecycle, BEACON_ROOTS, BLOCK_HASHES])
      }),
      { seed: 20261126, numRuns: scaled(4) },
    )
  })
})

describe('EIP-7702', () => {
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  type Tuple = Record<'chainId' | 'nonce' | 'yParity' | 'r' | 's', bigint> & { readonly address: Hex }

  function toTuple({ chainId, address, nonce, yParity, r, s }: SignedAuthorization): Tuple {
    const signature = { yParity: BigInt(yParity), r: BigInt(r), s: BigInt(s) }
    return { chainId: BigInt(chainId), address, nonce: BigInt(nonce), ...signature }
  }

  const integer = (value: bigint): Hex => (value === 0n ? '0x' : toHex(value))

  /** Signs a transaction with authorizations that no library would make. */
  async function sendTuples(
    chain: Emulator,
    wallet: Wallet,
    to: Hex,
    tuples: readonly Tuple[],
  ): Promise<Hex> {
    const list = tuples.map(({ chainId, address, nonce, yParity, r, s }) => [
      integer(chainId),
      address,
      ...[nonce, yParity, r, s].map(integer),
    ])
    const [nonce, tip, fee, gas] = [BigInt(wallet.nonce++), 10n ** 9n, 10n ** 10n, 500_000n].map(integer)
    const fields = [integer(31_337n), nonce, tip, fee, gas, to, '0x', '0x', [], list] as Hex[]
    const digest = keccak256(concat(['0x04', toRlp(fields)]))
    const { r, s, yParity = 0 } = await sign({ hash: digest, privateKey: privateKeys[0] as Hex })
    const signature = [BigInt(yParity), BigInt(r), BigInt(s)].map(integer)
    const raw = concat(['0x04', toRlp([...fields, ...signature])])
    return chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
  }

  async function setUp() {
    const chain = await createEmulator({ accounts: { privateKeys } })
    const wallets = makeWallets(chain)
    const addresses = [...wallets.map(({ address }) => address), BEACON_ROOTS, BLOCK_HASHES]
    return { chain, wallets, addresses }
  }

  test.each<[string, (good: Tuple) => Partial<Tuple>]>([
    ['a parity of 2', () => ({ yParity: 2n })],
    ['a parity of 255', () => ({ yParity: 255n })],
    ['the other parity', ({ yParity }) => ({ yParity: 1n - yParity })],
    ['r of zero', () => ({ r: 0n })],
    ["r of the curve's order", () => ({ r: ORDER })],
    ['r of 256 ones', () => ({ r: 2n ** 256n - 1n })],
    ['s of zero', () => ({ s: 0n })],
    ['s of the upper half', ({ s, yParity }) => ({ s: ORDER - s, yParity: 1n - yParity })],
    ['s of 256 ones', () => ({ s: 2n ** 256n - 1n })],
    ['another nonce', () => ({ nonce: 1n })],
    ['the last nonce', () => ({ nonce: 2n ** 64n - 1n })],
    ['another chain', () => ({ chainId: 1n })],
    ['a chain id of 256 bits', () => ({ chainId: 2n ** 256n - 1n })],
  ])('skips an authorization with %s, and the transaction stands', { tags: 'gate' }, async (_, spoil) => {
    const { chain, wallets, addresses } = await setUp()
    const [sender, authority] = wallets
    const good = toTuple(await authority.authorize(stranger(1), 0))
    const hash = await sendTuples(chain, sender, stranger(2), [{ ...good, ...spoil(good) }])
    await chain.seal()
    const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    // 21,000 and PER_EMPTY_ACCOUNT_COST.
    expect(receipt).toMatchObject({ status: '0x1', gasUsed: toHex(21_000 + 25_000) })
    expect(await chain.request({ method: 'eth_getCode', params: [authority.address] })).toBe('0x')
    await expectReference(chain, 'prague', addresses)
  })

  test('accepts an authorization for chain 0 on every chain', async () => {
    const { chain, wallets, addresses } = await setUp()
    const [sender, authority] = wallets
    const signed = await authority.account.signAuthorization({
      contractAddress: stranger(1),
      chainId: 0,
      nonce: 0,
    })
    const { r, s, yParity = 0 } = signed
    const tuple = toTuple({ chainId: 0, address: stranger(1), nonce: 0, yParity, r, s })
    const hash = await sendTuples(chain, sender, stranger(2), [tuple])
    await chain.seal()
    const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    // The authority was there already: PER_EMPTY_ACCOUNT_COST − PER_AUTH_BASE_COST = 12,500 come back, up to 1/5.
    expect(receipt?.gasUsed).toBe(toHex(46_000 - 46_000 / 5))
    expect(await chain.request({ method: 'eth_getCode', params: [authority.address] })).toBe(
      concat(['0xef0100', stranger(1)]),
    )
    expect(await chain.request({ method: 'eth_getTransactionCount', params: [authority.address] })).toBe(
      '0x1',
    )
    await expectReference(chain, 'prague', addresses)
  })

  test('applies authorizations in order, keeps them when the call reverts, and runs code in their name', async () => {
    const { chain, wallets, addresses } = await setUp()
    const [sender, authority, other] = wallets
    await other.send({ data: LEDGER_INIT_CODE, gas: 200_000n })
    await chain.seal()
    const receipts = await readReceipts(chain, 'latest')
    const ledger = receipts[0]?.contractAddress as Hex
    const first = await authority.authorize(stranger(1), 0)
    const second = await authority.authorize(ledger, 1)
    // Sent with value, the ledger reverts; the delegation stays.
    const data = ledgerCall(1n, 2n)
    const shared = { type: 'eip7702', to: authority.address, gas: 400_000n, data } as const
    await sender.send({ ...shared, value: 1n, authorizationList: [first, second] })
    await sender.send({ to: authority.address, gas: 100_000n, data })
    await chain.seal()
    const [reverted, stored] = await readReceipts(chain, 'latest')
    expect([reverted?.status, stored?.status]).toEqual(['0x0', '0x1'])
    expect(stored?.logs[0]?.address).toBe(authority.address)
    const slot = await chain.request({ method: 'eth_getStorageAt', params: [authority.address, '0x1'] })
    expect(BigInt(slot)).toBe(2n)
    await expectReference(chain, 'prague', addresses)
  })
})

describe('creation', () => {
  test('without limits on code size accepts init code and code beyond EIP-3860 and EIP-170', async () => {
    const chain = await createEmulator({ accounts: { privateKeys }, allowUnlimitedContractSize: true })
    const [wallet] = makeWallets(chain)
    // Returns 30,000 bytes of memory as the code; the rest of the init code is never reached.
    const initCode = concat(['0x6175305ff3', toHex(new Uint8Array(60_000))])
    const hash = await wallet.send({ data: initCode, gas: 10_000_000n })
    await chain.seal()
    const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    expect(receipt?.status).toBe('0x1')
    const code = await chain.request({
      method: 'eth_getCode',
      params: [receipt?.contractAddress as Hex, 'latest'],
    })
    expect(code).toBe(toHex(new Uint8Array(30_000)))
  })

  test('with the limits fails where the code is a byte beyond EIP-170', async () => {
    const chain = await createEmulator({ accounts: { privateKeys } })
    const [wallet] = makeWallets(chain)
    // PUSH2 24,576 and 24,577, PUSH0, RETURN.
    await wallet.send({ data: '0x6160005ff3', gas: 10_000_000n })
    await wallet.send({ data: '0x6160015ff3', gas: 10_000_000n })
    await chain.seal()
    const [within, beyond] = await readReceipts(chain, 'latest')
    expect(within?.status).toBe('0x1')
    expect(beyond).toMatchObject({ status: '0x0', gasUsed: toHex(10_000_000) })
  })

  test('fails if the address already has code, and uses all gas', async () => {
    const [wallet] = makeWallets(await createEmulator({ accounts: [] }))
    const { getContractAddress } = await import('viem')
    const taken = getContractAddress({ from: wallet.address, nonce: 0n }).toLowerCase() as Hex
    const alloc = { [taken]: { code: '0x00' as const, balance: 5 } }
    const chain = await createEmulator({ accounts: { privateKeys }, genesis: { alloc } })
    const [same] = makeWallets(chain)
    await same.send({ data: LEDGER_INIT_CODE, gas: 300_000n })
    await chain.seal()
    const [receipt] = await readReceipts(chain, 'latest')
    expect(receipt).toMatchObject({ status: '0x0', gasUsed: toHex(300_000) })
    const addresses = makeWallets(chain).map(({ address }) => address)
    await expectReference(chain, 'prague', [...addresses, taken, BEACON_ROOTS, BLOCK_HASHES])
  })
})

describe('fees', () => {
  test('go to the coinbase as tips, are burned as base fee, and are taken from the sender', async () => {
    const coinbase = stranger(50)
    const chain = await createEmulator({ accounts: { privateKeys }, genesis: { coinbase } })
    const [a, b, c] = makeWallets(chain)
    const gwei = 10n ** 9n
    // Genesis is empty, so the first base fee is 7/8 gwei.
    const baseFee = 875_000_000n
    await a.send({ to: stranger(1), value: 5n, fee: 10n * gwei, tip: 2n * gwei })
    await b.send({ to: stranger(1), value: 5n, fee: gwei, tip: gwei })
    await c.send({ type: 'legacy', to: stranger(1), value: 5n, fee: 3n * gwei })
    await chain.seal()
    expect(BigInt((await readBlock(chain, 1)).baseFeePerGas ?? 0)).toBe(baseFee)
    const tips = [2n * gwei, gwei - baseFee, 3n * gwei - baseFee]
    for (const [index, wallet] of [a, b, c].entries()) {
      const price = baseFee + (tips[index] as bigint)
      const balance = await chain.request({ method: 'eth_getBalance', params: [wallet.address] })
      expect(BigInt(balance)).toBe(10_000n * 10n ** 18n - 5n - 21_000n * price)
    }
    const earned = await chain.request({ method: 'eth_getBalance', params: [coinbase] })
    expect(BigInt(earned)).toBe(21_000n * tips.reduce((sum, tip) => sum + tip))
    const prices = (await readReceipts(chain, 1)).map(({ effectiveGasPrice }) => BigInt(effectiveGasPrice))
    expect([...prices].sort()).toEqual(tips.map((tip) => baseFee + tip).sort())
  })

  test('of zero create no coinbase account (EIP-161)', async () => {
    const coinbase = stranger(51)
    const chain = await createEmulator({ accounts: { privateKeys }, genesis: { coinbase } })
    const [a] = makeWallets(chain)
    await a.send({ to: a.address, fee: 875_000_000n, tip: 0n })
    await chain.seal()
    const addresses = makeWallets(chain).map(({ address }) => address)
    await expectReference(chain, 'prague', [...addresses, BEACON_ROOTS, BLOCK_HASHES])
  })
})
