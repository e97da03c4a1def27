// Account edits outside transactions: visibility, commitments, and what undoes them.
import { createEmulator, type Emulator } from 'tickchain'
import { getContractAddress, type Hex, hexToBigInt, numberToHex, pad, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { dumpAccount, dumpAccounts, readBlock, type Selector } from '../../chain/reads.ts'
import { hashOfHeader, rootOfAccounts, rootOfStorage } from '../../chain/recompute.ts'
import { makeWallets, privateKeys, type Wallets } from '../../chain/wallet.ts'

const STRANGER: Hex = `0x${'ab'.repeat(20)}`
/** The fee vault of a layer 2, which tips go to. */
const COINBASE: Hex = '0x4200000000000000000000000000000000000011'

const slot = (number: number): Hex => toHex(number, { size: 32 })

let chain: Emulator
let wallets: Wallets

/** Under the rules of paris nothing stands in genesis but the wallets, so that a state root is soon recomputed. */
beforeEach(async () => {
  chain = await createEmulator({ hardfork: 'paris', accounts: { privateKeys } })
  wallets = makeWallets(chain)
})

async function balanceAt(address: Hex, selector: Selector): Promise<bigint> {
  return hexToBigInt(await chain.request('eth_getBalance', [address, selector]))
}

async function nonceAt(address: Hex, selector: Selector): Promise<bigint> {
  return hexToBigInt(await chain.request('eth_getTransactionCount', [address, selector]))
}

async function recomputedRoot(selector: Selector, ...others: Hex[]): Promise<Hex> {
  const known = [...wallets.map(({ address }) => address), COINBASE, STRANGER, ...others]
  return rootOfAccounts(await dumpAccounts(chain, known, selector))
}

describe('an edit', () => {
  test('shows at once in latest and pending, and not in the past', async () => {
    await chain.seal()
    await chain.setBalance(STRANGER, 5n)
    await chain.setNonce(STRANGER, 7)
    await chain.setCode(STRANGER, '0x6001')
    await chain.setStorageAt(STRANGER, 3, 42n)
    for (const selector of ['latest', 'pending', 1] as const) {
      expect(await balanceAt(STRANGER, selector)).toBe(5n)
      expect(await nonceAt(STRANGER, selector)).toBe(7n)
      expect(await chain.request('eth_getCode', [STRANGER, selector])).toBe('0x6001')
      expect(await chain.request('eth_getStorageAt', [STRANGER, '0x3', selector])).toBe(slot(42))
    }
    expect(await dumpAccount(chain, STRANGER, 0)).toBeUndefined()
  })

  test('does not change header and hash of the sealed block', async () => {
    await chain.seal()
    const before = await readBlock(chain, 'latest')
    await chain.setBalance(STRANGER, 5n)
    expect(await readBlock(chain, 'latest')).toEqual(before)
    expect(await chain.request('eth_getBlockByHash', [before.hash, true])).toEqual(before)
    // The root of the header is of the state as it was sealed.
    expect(await recomputedRoot('latest')).not.toBe(before.stateRoot)
  })

  test('is in the state root of the next block', async () => {
    await chain.setBalance(STRANGER, 5n)
    await chain.setStorageAt(STRANGER, 1, '0x2a')
    await chain.setStorageAt(STRANGER, 2, 9)
    await chain.setStorageAt(STRANGER, 2, 0)
    await wallets[0].send({ to: wallets[1].address, value: 1n })
    await chain.seal()
    const block = await readBlock(chain, 'latest')
    expect(block.stateRoot).toBe(await recomputedRoot('latest'))
    expect(hashOfHeader(block)).toBe(block.hash)
    expect((await dumpAccount(chain, STRANGER, 'latest'))?.storageHash).toBe(
      await rootOfStorage([[slot(1), slot(42)]]),
    )
  })

  test('is in the proofs of the block on which it was made', async () => {
    await chain.seal()
    await chain.setStorageAt(STRANGER, 1, 42)
    await chain.setBalance(STRANGER, 5n)
    const proof = await chain.request('eth_getProof', [STRANGER, ['0x1'], 'latest'])
    expect(proof).toMatchObject({ balance: '0x5', storageHash: await rootOfStorage([[slot(1), slot(42)]]) })
    // The same state again, edited in one go.
    const other = await createEmulator({ hardfork: 'paris', accounts: { privateKeys } })
    await other.seal()
    await other.setBalance(STRANGER, 5n)
    await other.setStorageAt(STRANGER, 1, 42)
    expect(await other.request('eth_getProof', [STRANGER, ['0x1'], 'latest'])).toEqual(proof)
  })

  test('deletes an account that becomes empty (EIP-161)', async () => {
    await chain.setBalance(STRANGER, 5n)
    await chain.setBalance(STRANGER, 0n)
    await chain.setCode(STRANGER, '0x00')
    await chain.setCode(STRANGER, '0x')
    await chain.seal()
    const { stateRoot } = await readBlock(chain, 'latest')
    expect(stateRoot).toBe((await readBlock(chain, 0)).stateRoot)
  })

  test('applies to the transactions after it', async () => {
    // SLOAD 0, add 1, SSTORE 0.
    await chain.setCode(STRANGER, '0x600054600101600055')
    await chain.setStorageAt(STRANGER, 0, 41)
    await wallets[0].send({ to: STRANGER, gas: 100_000n })
    await chain.seal()
    expect(await chain.request('eth_getStorageAt', [STRANGER, '0x0'])).toBe(slot(42))
  })

  test('can be made ten thousand times', { tags: 'gate' }, async () => {
    const others = Array.from({ length: 300 }, (_, i) => numberToHex(i + 0x10000, { size: 20 }))
    for (const address of others) await chain.setBalance(address, 1n)
    for (let i = 1; i <= 10_000; i++) await chain.setBalance(STRANGER, BigInt(i))
    await chain.seal()
    expect(await balanceAt(STRANGER, 'latest')).toBe(10_000n)
    expect((await readBlock(chain, 'latest')).stateRoot).toBe(await recomputedRoot('latest', ...others))
  })
})

describe('while a block is open', () => {
  const [to]: [Hex] = [pad('0x77', { size: 20 })]

  beforeEach(async () => {
    await wallets[0].send({ to, value: 3n })
    await chain.advance(200)
  })

  test('an edit shows together with pre-confirmed transactions', async () => {
    await chain.setBalance(STRANGER, 5n)
    await chain.addBalance(to, 10n)
    expect(await balanceAt(STRANGER, 'latest')).toBe(5n)
    expect(await balanceAt(STRANGER, 'pending')).toBe(5n)
    expect(await balanceAt(to, 'latest')).toBe(10n)
    expect(await balanceAt(to, 'pending')).toBe(13n)
    await chain.seal()
    const block = await readBlock(chain, 'latest')
    expect(block.transactions).toHaveLength(1)
    expect(await balanceAt(to, 'latest')).toBe(13n)
    expect(block.stateRoot).toBe(await recomputedRoot('latest', to))
  })

  test('later partial blocks run on the edited state', async () => {
    await chain.setBalance(STRANGER, 5n)
    await wallets[1].send({ to: STRANGER, value: 1n })
    await chain.advance(200)
    expect(await balanceAt(STRANGER, 'pending')).toBe(6n)
    expect(await balanceAt(STRANGER, 'latest')).toBe(5n)
  })

  test('a dropped pre-confirmation leaves the edit', async () => {
    await chain.setBalance(STRANGER, 5n)
    const hash = await wallets[1].send({ to: STRANGER, value: 1n })
    await chain.advance(200)
    await chain.dropPreconfirmed(hash)
    expect(await balanceAt(STRANGER, 'pending')).toBe(5n)
    expect(await balanceAt(to, 'pending')).toBe(3n)
    await chain.seal()
    const block = await readBlock(chain, 'latest')
    expect(block.transactions).toHaveLength(1)
    expect(block.stateRoot).toBe(await recomputedRoot('latest', to))
  })

  test('a pre-confirmation without funds after an edit is not rebuilt', async () => {
    const first = await wallets[1].send({ to, value: 1n })
    const second = await wallets[2].send({ to, value: 1n })
    await chain.advance(200)
    await chain.setBalance(wallets[2].address, 0n)
    await chain.dropPreconfirmed(first)
    expect(await balanceAt(to, 'pending')).toBe(3n)
    expect(await chain.request('eth_getTransactionReceipt', [second])).toBeNull()
  })
})

test('storage of a contract that is only pre-confirmed is edited there alone', async () => {
  const first = await wallets[1].send({ to: STRANGER, value: 1n })
  const address = getContractAddress({ from: wallets[0].address, nonce: 0n })
  // Creates a contract of one STOP.
  await wallets[0].send({ data: '0x60016000f3', gas: 100_000n })
  await chain.advance(200)
  await chain.setStorageAt(address, 1, 42)
  expect(await chain.request('eth_getStorageAt', [address, '0x1', 'pending'])).toBe(slot(42))
  expect(await chain.request('eth_getStorageAt', [address, '0x1', 'latest'])).toBe(slot(0))
  // EIP-7610: storage would prevent another creation.
  await chain.dropPreconfirmed(first)
  expect(await chain.request('eth_getCode', [address, 'pending'])).toBe('0x00')
})

test('a balance of 2^256 - 1 does not grow with tips', async () => {
  await chain.setBalance(STRANGER, 2n ** 256n - 1n)
  await chain.setCoinbase(STRANGER)
  await wallets[0].send({ to: COINBASE, value: 1n })
  await chain.seal()
  expect(await balanceAt(STRANGER, 'latest')).toBe(2n ** 256n - 1n)
  // An impersonated contract is run otherwise.
  const contract: Hex = `0x${'c0'.repeat(20)}`
  await chain.setCode(contract, '0x00')
  await chain.setBalance(contract, 10n ** 18n)
  await chain.impersonate(contract)
  await chain.request('eth_sendTransaction', [{ from: contract, to: COINBASE, gas: '0x5208' }])
  await chain.seal()
  expect(await nonceAt(contract, 'latest')).toBe(1n)
  expect(await balanceAt(STRANGER, 'latest')).toBe(2n ** 256n - 1n)
})

describe('the pool', () => {
  test('drops transactions below a raised nonce', async () => {
    const { address } = wallets[0]
    const overtaken = await wallets[0].send({ to: STRANGER })
    const kept = await wallets[0].send({ to: STRANGER, value: 1n, nonce: 4 })
    await chain.setNonce(address, 4)
    expect(await chain.request('eth_getTransactionByHash', [overtaken])).toBeNull()
    expect(await chain.request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    await chain.seal()
    expect(await chain.request('eth_getTransactionReceipt', [kept])).toMatchObject({ status: '0x1' })
    expect(await nonceAt(address, 'latest')).toBe(5n)
  })

  test('continues from a lowered nonce', async () => {
    const { address } = wallets[0]
    await wallets[0].send({ to: STRANGER })
    await chain.seal()
    await chain.setNonce(address, 0)
    expect(await nonceAt(address, 'pending')).toBe(0n)
    await wallets[0].send({ to: STRANGER, value: 5n, nonce: 0 })
    await chain.seal()
    expect(await balanceAt(STRANGER, 'latest')).toBe(5n)
  })

  test('keeps transactions of a sender that gets a delegation which its fork does not have (EIP-7702)', async () => {
    const hash = await wallets[0].send({ to: STRANGER, value: 1n })
    await chain.setCode(wallets[0].address, `0xef0100${'11'.repeat(20)}`)
    await chain.seal()
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toBeNull()
    await chain.setCode(wallets[0].address, '0x')
    await chain.seal()
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })
})

describe('what undoes an edit', () => {
  test('a revert to before it; one to after it restores it', async () => {
    const before = chain.snapshot()
    await chain.setBalance(STRANGER, 5n)
    const after = chain.snapshot()
    const id = await chain.request('evm_snapshot')
    await chain.setBalance(STRANGER, 6n)
    await chain.request('evm_revert', [id])
    expect(await balanceAt(STRANGER, 'latest')).toBe(5n)
    await chain.revert(before)
    expect(await balanceAt(STRANGER, 'latest')).toBe(0n)
    await chain.revert(after)
    expect(await balanceAt(STRANGER, 'latest')).toBe(5n)
  })

  test('a reorganisation that removes its block, and not one that keeps it', async () => {
    await chain.setBalance(STRANGER, 5n)
    await chain.seal()
    await chain.setBalance(STRANGER, 6n)
    await chain.seal()
    await chain.setBalance(STRANGER, 7n)
    await chain.reorg({ depth: 1 })
    expect(await balanceAt(STRANGER, 'latest')).toBe(6n)
    await chain.reorg({ depth: 2 })
    expect(await balanceAt(STRANGER, 'latest')).toBe(5n)
    expect((await readBlock(chain, 'latest')).stateRoot).toBe(await recomputedRoot('latest'))
  })

  test('nothing on a clone', async () => {
    await chain.setBalance(STRANGER, 5n)
    const clone = chain.clone()
    await clone.setBalance(STRANGER, 6n)
    await clone.seal()
    expect(await balanceAt(STRANGER, 'latest')).toBe(5n)
    expect(await clone.request('eth_getBalance', [STRANGER, 'latest'])).toBe('0x6')
  })
})

test('an edited chain cannot be imported elsewhere', async () => {
  await chain.setBalance(STRANGER, 5n)
  await chain.seal()
  const other = await createEmulator({ hardfork: 'paris', accounts: { privateKeys } })
  await expect(other.importBlocks(await chain.exportBlocks())).rejects.toMatchObject({ kind: 'invalidBlock' })
  // With the same edit it is.
  await other.setBalance(STRANGER, 5n)
  await other.importBlocks(await chain.exportBlocks())
  expect(await readBlock(other, 'latest')).toEqual(await readBlock(chain, 'latest'))
})

test('code is found as if a transaction had deployed it', async () => {
  const address = getContractAddress({ from: wallets[0].address, nonce: 0n })
  await chain.setCode(address, '0x00')
  const [collides, other] = [
    await wallets[0].send({ data: '0x00', gas: 100_000n }),
    await wallets[1].send({ data: '0x00', gas: 100_000n }),
  ]
  await chain.seal()
  // EIP-684: code prevents a creation.
  expect(await chain.request('eth_getTransactionReceipt', [collides])).toMatchObject({ status: '0x0' })
  expect(await chain.request('eth_getTransactionReceipt', [other])).toMatchObject({ status: '0x1' })
})
