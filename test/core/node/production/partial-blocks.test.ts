// Partial blocks: selection and order of transactions, what `pending` shows, and sealing.

import {
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  hexToNumber,
  numberToHex,
  pad,
  parseGwei,
  toHex,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'
import { Reverter } from '../../../contracts/generated.ts'
import { readBlock, readReceipts, type Selector, transactionsOf } from '../../chain/reads.ts'
import { makeWallets, privateKeys, type Wallets } from '../../chain/wallet.ts'
import { LEDGER_CODE, LEDGER_INIT_CODE, ledgerCall, stranger } from '../../chain/workload.ts'

const somebody = stranger(1)
/** Ten partial blocks of one transfer each. */
const TEN_TRANSFERS = 210_000
const CALL_GAS = 200_000n

let chain: Emulator
let wallets: Wallets

async function setUp(options: EmulatorOptions = {}): Promise<void> {
  chain = await createEmulator({ accounts: { privateKeys }, ...options })
  wallets = makeWallets(chain)
}

async function hashesOf(selector: Selector): Promise<Hex[]> {
  return transactionsOf(await readBlock(chain, selector)).map(({ hash }) => hash)
}

async function nonceOf(address: Hex, selector: Selector): Promise<number> {
  return hexToNumber(await chain.request({ method: 'eth_getTransactionCount', params: [address, selector] }))
}

async function balanceOf(address: Hex, selector: Selector): Promise<bigint> {
  return hexToBigInt(await chain.request({ method: 'eth_getBalance', params: [address, selector] }))
}

async function deploy(data: Hex): Promise<Hex> {
  await wallets[5].send({ data, gas: 3_000_000n })
  await chain.seal()
  return (await readReceipts(chain, 'latest'))[0]?.contractAddress as Hex
}

describe('the gas budget: the i-th of N partial blocks may fill the block up to i times its limit divided by N, rounded down', () => {
  beforeEach(() => setUp({ genesis: { gasLimit: TEN_TRANSFERS } }))

  test('takes one transfer per partial block if each has room for one', async () => {
    const sent: Hex[] = []
    for (const wallet of wallets) sent.push(await wallet.send({ to: somebody, value: 1n }))
    for (let index = 1; index <= 6; index++) {
      await chain.advance(200)
      expect(await hashesOf('pending')).toEqual(sent.slice(0, index))
    }
  })

  test('carries over the unused gas of earlier partial blocks', async () => {
    await chain.advance(600)
    const sent: Hex[] = []
    for (const wallet of wallets) sent.push(await wallet.send({ to: somebody, value: 1n }))
    // The fourth partial block: 4 × 21,000.
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual(sent.slice(0, 4))
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual(sent.slice(0, 5))
  })

  test('counts used gas, but admits by gas limit', async () => {
    const [a, b, c] = wallets
    // 63,000 fit into the third partial block only if nothing is used by then.
    const wide = await a.send({ to: somebody, value: 1n, gas: 63_000n, tip: parseGwei('5') })
    const narrow = await b.send({ to: somebody, value: 1n })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([narrow])
    await chain.advance(400)
    // 21,000 + 63,000 = 84,000 is four times 21,000.
    expect(await hashesOf('pending')).toEqual([narrow])
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([narrow, wide])
    // Only 42,000 are used now, so the fifth has room for three: 42,000 + 3 × 21,000 = 105,000.
    const more = [
      await c.send({ to: somebody }),
      await c.send({ to: somebody }),
      await c.send({ to: somebody }),
    ]
    const late = await c.send({ to: somebody })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([narrow, wide, ...more])
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([narrow, wide, ...more, late])
  })

  test('rounds the share down before it multiplies', async () => {
    // A tenth of 210,009 is 21,000; five of them are 105,000, though half of 210,009 is 105,004.
    await setUp({ genesis: { gasLimit: TEN_TRANSFERS + 9 } })
    const [a, b] = wallets
    const within = await a.send({ to: somebody, gas: 105_000n })
    await chain.advance(800)
    expect(await hashesOf('pending')).toEqual([])
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([within])
    // 21,000 are used: 126,001 is more than 6 × 21,000, though not than 6/10 of 210,009, which is 126,005.
    const beyond = await b.send({ to: somebody, gas: 105_001n })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([within])
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([within, beyond])
  })

  test('lets the last partial block, at the seal, fill the block', async () => {
    const sent: Hex[] = []
    for (let round = 0; round < 2; round++) {
      for (const wallet of wallets) sent.push(await wallet.send({ to: somebody, value: 1n }))
    }
    await chain.advance(1800)
    expect(await hashesOf('pending')).toHaveLength(9)
    await chain.advance(200)
    const block = await readBlock(chain, 'latest')
    expect(block.transactions).toHaveLength(10)
    expect(hexToNumber(block.gasUsed)).toBe(TEN_TRANSFERS)
    // The other two wait for the next block.
    await chain.advance(400)
    expect(await hashesOf('pending')).toHaveLength(2)
  })

  test('is the whole block if it is sealed early', async () => {
    for (let round = 0; round < 2; round++) {
      for (const wallet of wallets) await wallet.send({ to: somebody, value: 1n })
    }
    await chain.advance(200)
    await chain.seal()
    expect((await readBlock(chain, 'latest')).transactions).toHaveLength(10)
  })

  test('a partial block time that does not divide the block time gives one more partial block', async () => {
    // 2000 / 300 gives seven, the last at the seal; 147,000 / 7 = 21,000.
    await setUp({ genesis: { gasLimit: 147_000 }, partialBlockTimeMs: 300 })
    for (let round = 0; round < 2; round++) {
      for (const wallet of wallets) await wallet.send({ to: somebody, value: 1n })
    }
    for (let index = 1; index <= 6; index++) {
      await chain.advance(300)
      expect(await hashesOf('pending')).toHaveLength(index)
    }
    await chain.advance(200)
    expect((await readBlock(chain, 'latest')).transactions).toHaveLength(7)
  })
})

describe('the order in a partial block', () => {
  test('is by effective tip, and by arrival among equals', async () => {
    await setUp()
    const [a, b, c, d, e, f] = wallets
    // The base fee is 0.875 gwei: a fee cap of 1 gwei leaves 0.125, whatever tip is offered.
    const capped = await a.send({ to: somebody, fee: parseGwei('1'), tip: parseGwei('1') })
    const low = await b.send({ to: somebody, fee: parseGwei('10'), tip: parseGwei('0.1') })
    const first = await c.send({ to: somebody, fee: parseGwei('10'), tip: parseGwei('2') })
    const second = await d.send({ to: somebody, fee: parseGwei('20'), tip: parseGwei('2') })
    // A legacy gas price of 2.875 gwei is a tip of 2 as well.
    const third = await e.send({ type: 'legacy', to: somebody, fee: parseGwei('2.875') })
    const high = await f.send({ to: somebody, fee: parseGwei('10'), tip: parseGwei('3') })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([high, first, second, third, capped, low])
  })

  test('is by nonce within a sender: the next transaction competes once the one before is included', async () => {
    await setUp()
    const [a, b] = wallets
    const modest = await a.send({ to: somebody, tip: parseGwei('1') })
    const generous = await a.send({ to: somebody, tip: parseGwei('9') })
    const middling = await b.send({ to: somebody, tip: parseGwei('2') })
    const least = await b.send({ to: somebody, tip: parseGwei('0.5') })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([middling, modest, generous, least])
  })

  test('is by arrival alone in the ordering fifo', async () => {
    await setUp({ ordering: 'fifo' })
    const [a, b, c] = wallets
    const sent = [
      await a.send({ to: somebody, tip: parseGwei('1') }),
      await b.send({ to: somebody, tip: parseGwei('9') }),
      await a.send({ to: somebody, tip: parseGwei('5') }),
      await c.send({ to: somebody, tip: parseGwei('0') }),
      await b.send({ to: somebody, tip: parseGwei('3') }),
    ]
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual(sent)
  })

  test('treats a replacement as a new arrival, with its own tip', async () => {
    await setUp({ ordering: 'fifo' })
    const [a, b] = wallets
    await a.send({ to: somebody, tip: parseGwei('1') })
    const other = await b.send({ to: somebody })
    const replacement = await a.send({ to: somebody, nonce: 0, tip: parseGwei('2'), fee: parseGwei('20') })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([other, replacement])
  })
})

describe('an included transaction', () => {
  beforeEach(() => setUp())

  test('never moves, even if later ones pay more', async () => {
    const [a, b, c] = wallets
    const first = await a.send({ to: somebody, tip: parseGwei('1') })
    await chain.advance(200)
    const second = await b.send({ to: somebody, tip: parseGwei('5') })
    await chain.advance(200)
    const third = await c.send({ to: somebody, tip: parseGwei('9') })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([first, second, third])
    await chain.advance(1400)
    expect(await hashesOf('latest')).toEqual([first, second, third])
  })

  test('has status 0 if it reverts, and pays for its gas', async () => {
    const reverter = await deploy(Reverter.bytecode)
    const [a, b] = wallets
    const data = encodeFunctionData({ abi: Reverter.abi, functionName: 'writeThenRevert', args: [5n] })
    const failed = await a.send({ to: reverter, data, gas: CALL_GAS, tip: parseGwei('2') })
    const other = await b.send({ to: somebody, value: 1n })
    await chain.advance(200)
    const [receipt, next] = await readReceipts(chain, 'pending')
    expect(receipt).toMatchObject({ transactionHash: failed, status: '0x0', logs: [] })
    expect(next).toMatchObject({ transactionHash: other, status: '0x1', transactionIndex: '0x1' })
    expect(await nonceOf(a.address, 'pending')).toBe(1)
    const paid = 10_000n * 10n ** 18n - (await balanceOf(a.address, 'pending'))
    expect(paid).toBe(BigInt(receipt?.gasUsed ?? 0) * BigInt(receipt?.effectiveGasPrice ?? 0))
    const stored = await chain.request({ method: 'eth_getStorageAt', params: [reverter, '0x0', 'pending'] })
    expect(hexToBigInt(stored)).toBe(0n)
  })

  test('keeps its place in the sealed block, before those of the last partial block', async () => {
    const [a, b, c] = wallets
    const early = [await a.send({ to: somebody }), await a.send({ to: somebody })]
    await chain.advance(200)
    const late = await b.send({ to: somebody, tip: parseGwei('9') })
    await chain.advance(1600)
    const shown = await readReceipts(chain, 'pending')
    const last = await c.send({ to: somebody, tip: parseGwei('9') })
    await chain.advance(200)
    expect(await hashesOf('latest')).toEqual([...early, late, last])
    const { hash } = await readBlock(chain, 'latest')
    const sealed = await readReceipts(chain, 'latest')
    // All pre-confirmed fields stay; only the block's hash is new.
    const renamed = (receipts: typeof shown) => receipts.map((receipt) => ({ ...receipt, blockHash: hash }))
    expect(renamed(sealed.slice(0, 3))).toEqual(renamed(shown))
    expect(sealed.every(({ blockHash }) => blockHash === hash)).toBe(true)
  })
})

describe('a transaction that cannot be included', () => {
  test('holds back the later ones of its sender, and no others', async () => {
    await setUp({ genesis: { gasLimit: TEN_TRANSFERS } })
    const [a, b] = wallets
    // Over the budgets of the first four partial blocks.
    const wide = await a.send({ to: somebody, gas: 100_000n, tip: parseGwei('9') })
    const follower = await a.send({ to: somebody, tip: parseGwei('9') })
    const other = await b.send({ to: somebody })
    await chain.advance(800)
    expect(await hashesOf('pending')).toEqual([other])
    // 21,000 + 100,000 needs the sixth: 126,000. Then 42,000 + 21,000 fits as well.
    await chain.advance(400)
    expect(await hashesOf('pending')).toEqual([other, wide, follower])
  })

  test('waits behind a nonce gap until it is closed', async () => {
    await setUp()
    const [a] = wallets
    const second = await a.send({ to: somebody, nonce: 1 })
    await chain.advance(2000)
    expect(await hashesOf('latest')).toEqual([])
    const first = await a.send({ to: somebody, nonce: 0 })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([first, second])
  })

  test('stays in the pool while its sender cannot pay, and is included when it can', async () => {
    await setUp()
    const [a, b] = wallets
    // A delegated account that sends all it has to whoever calls it without value:
    // CALLVALUE, JUMPI to the end; CALL(gas, caller, selfbalance).
    const drain = await deploy(initCodeOf('0x34600d575f5f5f5f47335af1005b00'))
    await b.send({
      type: 'eip7702',
      to: somebody,
      gas: 100_000n,
      authorizationList: [await a.authorize(drain, 0)],
    })
    await chain.seal()
    const poor = await a.send({ to: somebody, nonce: 1, value: 1n, tip: parseGwei('1') })
    await b.send({ to: a.address, gas: 100_000n, tip: parseGwei('5') })
    await chain.advance(200)
    expect(await balanceOf(a.address, 'pending')).toBe(0n)
    expect(await hashesOf('pending')).not.toContain(poor)
    const waiting = await chain.request({ method: 'eth_getTransactionByHash', params: [poor] })
    expect(waiting).toMatchObject({ hash: poor, blockNumber: null })

    await b.send({ to: a.address, value: 10n ** 18n, gas: 100_000n, tip: parseGwei('5') })
    await chain.advance(200)
    expect((await hashesOf('pending')).at(-1)).toBe(poor)
    expect(await nonceOf(a.address, 'pending')).toBe(2)
  })

  test('is dropped if an authorization used its nonce, and the one after it is included at once', async () => {
    await setUp()
    const [a, b] = wallets
    const overtaken = await a.send({ to: somebody, tip: parseGwei('1') })
    const next = await a.send({ to: somebody, tip: parseGwei('1') })
    const delegation = await b.send({
      type: 'eip7702',
      to: somebody,
      gas: 100_000n,
      tip: parseGwei('5'),
      authorizationList: [await a.authorize(stranger(2), 0)],
    })
    await chain.advance(200)
    expect(await hashesOf('pending')).toEqual([delegation, next])
    expect(await chain.request({ method: 'eth_getTransactionByHash', params: [overtaken] })).toBeNull()
  })
})

/** Init code that deploys the bytes after it, fewer than 256. */
function initCodeOf(code: Hex): Hex {
  const size = ((code.length - 2) / 2).toString(16).padStart(2, '0')
  return `0x60${size}600a5f3960${size}5ff3${code.slice(2)}`
}

describe('the `pending` block', () => {
  beforeEach(() => setUp())

  test('has the state after the last partial block, for every kind of read', async () => {
    const ledger = await deploy(LEDGER_INIT_CODE)
    const [a, b] = wallets
    const slotOne = (selector: Selector) =>
      chain.request({ method: 'eth_getStorageAt', params: [ledger, '0x1', selector] })
    const read = async (selector: Selector) => ({
      balance: await balanceOf(somebody, selector),
      nonce: await nonceOf(a.address, selector),
      slot: hexToBigInt(await slotOne(selector)),
      proven: (await chain.request({ method: 'eth_getProof', params: [ledger, ['0x1'], selector] }))
        .storageProof[0]?.value,
      code: await chain.request({ method: 'eth_getCode', params: [created, selector] }),
      logs: (
        await chain.request({ method: 'eth_getLogs', params: [{ fromBlock: selector, toBlock: selector }] })
      ).length,
      transactions: (await hashesOf(selector)).length,
      receipts: (await readReceipts(chain, selector)).length,
    })
    const { getContractAddress } = await import('viem')
    const created = getContractAddress({ from: b.address, nonce: 0n }).toLowerCase() as Hex
    const nothing = {
      balance: 0n,
      nonce: 0,
      slot: 0n,
      proven: '0x0',
      code: '0x',
      logs: 0,
      transactions: 0,
      receipts: 0,
    }
    await chain.advance(2000)
    await a.send({ to: ledger, data: ledgerCall(1n, 5n), gas: CALL_GAS })
    await a.send({ to: somebody, value: 7n })
    expect(await read('pending')).toEqual(nothing)

    await chain.advance(200)
    const afterOne = {
      ...nothing,
      balance: 7n,
      nonce: 2,
      slot: 5n,
      proven: '0x5',
      logs: 1,
      transactions: 2,
      receipts: 2,
    }
    expect(await read('pending')).toEqual(afterOne)
    expect(await read('latest')).toEqual(nothing)

    await b.send({ data: LEDGER_INIT_CODE, gas: CALL_GAS })
    await a.send({ to: ledger, data: ledgerCall(1n, 0n), gas: CALL_GAS })
    expect(await read('pending')).toEqual(afterOne)
    await chain.advance(200)
    const afterTwo = {
      ...{ balance: 7n, nonce: 3, slot: 0n, proven: '0x0', code: LEDGER_CODE, logs: 2 },
      ...{ transactions: 4, receipts: 4 },
    }
    expect(await read('pending')).toEqual(afterTwo)
    expect(await read('latest')).toEqual(nothing)

    await chain.advance(1600)
    expect(await read('latest')).toEqual(afterTwo)
    // The next block being built stands on it, and has nothing of its own yet.
    expect(await read('pending')).toEqual({ ...afterTwo, logs: 0, transactions: 0, receipts: 0 })
  })

  test('is the state for calls and estimates, too', async () => {
    // Answers slot 0, and stores 1 there when called with value: SLOAD, RETURN behind a branch.
    const flag = await deploy(initCodeOf('0x34600c575f545f5260205ff35b60015f5500'))
    const ask = (selector: Selector) =>
      chain.request({ method: 'eth_call', params: [{ to: flag }, selector] })
    const estimate = async (selector: Selector) =>
      hexToBigInt(
        await chain.request({
          method: 'eth_estimateGas',
          params: [{ from: wallets[0].address, to: flag, value: '0x1' }, selector],
        }),
      )
    // The first store of a slot costs 20,000, the next of the same value 100 (EIP-2200, EIP-2929).
    expect(await ask('pending')).toBe(pad('0x0', { size: 32 }))
    const [fresh] = [await estimate('pending')]
    await wallets[0].send({ to: flag, value: 1n, gas: CALL_GAS })
    await chain.advance(200)
    expect(await ask('pending')).toBe(pad('0x1', { size: 32 }))
    expect(await ask('latest')).toBe(pad('0x0', { size: 32 }))
    expect(await estimate('latest')).toBe(fresh)
    const saved = fresh - (await estimate('pending'))
    expect(saved).toBeGreaterThan(19_000n)
    expect(saved).toBeLessThan(21_000n)
  })

  test('counts the nonces of pre-confirmed transactions, not of pooled ones', async () => {
    const [a] = wallets
    for (let i = 0; i < 3; i++) await a.send({ to: somebody })
    await a.send({ to: somebody, nonce: 7 })
    expect(await nonceOf(a.address, 'pending')).toBe(0)
    await chain.advance(200)
    expect([await nonceOf(a.address, 'pending'), await nonceOf(a.address, 'latest')]).toEqual([3, 0])
    await chain.advance(1800)
    expect([await nonceOf(a.address, 'pending'), await nonceOf(a.address, 'latest')]).toEqual([3, 3])
  })

  test('has receipts as soon as transactions are pre-confirmed, with its current hash', async () => {
    const [a, b] = wallets
    const hash = await a.send({ to: somebody, value: 1n })
    const receiptOf = () => chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    expect(await receiptOf()).toBeNull()
    await chain.advance(200)
    const first = await readBlock(chain, 'pending')
    expect(await receiptOf()).toMatchObject({
      status: '0x1',
      blockHash: first.hash,
      blockNumber: '0x1',
      transactionIndex: '0x0',
      gasUsed: toHex(21_000),
    })
    expect(await receiptOf()).toEqual((await readReceipts(chain, 'pending'))[0])
    await b.send({ to: somebody })
    await chain.advance(200)
    const second = await readBlock(chain, 'pending')
    expect(second.hash).not.toBe(first.hash)
    expect((await receiptOf())?.blockHash).toBe(second.hash)
    await chain.advance(1600)
    expect((await receiptOf())?.blockHash).toBe((await readBlock(chain, 'latest')).hash)
  })

  test('numbers logs through the partial blocks', async () => {
    const ledger = await deploy(LEDGER_INIT_CODE)
    const [a] = wallets
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 2; i++) await a.send({ to: ledger, data: ledgerCall(1n, BigInt(i)), gas: CALL_GAS })
      await chain.advance(200)
    }
    const logs = await chain.request({
      method: 'eth_getLogs',
      params: [{ fromBlock: 'pending', toBlock: 'pending' }],
    })
    expect(logs.map(({ logIndex }) => logIndex)).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => numberToHex(index)),
    )
    expect(logs.map(({ transactionIndex }) => transactionIndex)).toEqual(logs.map(({ logIndex }) => logIndex))
  })
})

describe('the hash of the block being built', () => {
  beforeEach(() => setUp())

  test('changes exactly when its content does, and is that of the sealed block if nothing is added', async () => {
    const [a, b] = wallets
    const hashes: Hex[] = []
    const look = async (): Promise<Hex> => (await readBlock(chain, 'pending')).hash
    for (let partial = 1; partial < 10; partial++) {
      // The pool alone changes nothing, and neither does a partial block that finds it empty.
      const before = await look()
      if (partial === 3) await a.send({ to: somebody, value: 1n })
      if (partial === 6) await b.send({ to: somebody, value: 1n })
      expect(await look()).toBe(before)
      await chain.advance(200)
      hashes.push(await look())
    }
    const [one, , three, , , six, , , nine] = hashes as [Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex]
    expect(hashes).toEqual([one, one, three, three, three, six, six, six, nine])
    expect(new Set(hashes).size).toBe(3)
    await chain.advance(200)
    expect((await readBlock(chain, 'latest')).hash).toBe(nine)
  })

  test('is that of the sealed block for an empty one, too', async () => {
    const pending = await readBlock(chain, 'pending')
    await chain.advance(2000)
    expect(await readBlock(chain, 'latest')).toEqual(pending)
  })

  test('finds the block being built, as receipts name it, and then the sealed one', async () => {
    await wallets[0].send({ to: somebody })
    await chain.advance(200)
    const { hash } = await readBlock(chain, 'pending')
    const byHash = () => chain.request({ method: 'eth_getBlockByHash', params: [hash, true] })
    expect(await byHash()).toEqual(await readBlock(chain, 'pending'))
    await chain.advance(1800)
    expect(await byHash()).toEqual(await readBlock(chain, 'latest'))
  })
})
