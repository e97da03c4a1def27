// Reads at old blocks: they give the answers that they gave when the block was the head.

import { encodeFunctionData, type Hex, numberToHex, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { blockAt } from '../../../../src/core/chain/chain.ts'
import { keptStateOf } from '../../../../src/core/chain/history/archived-block.ts'
import { internalsOf } from '../../../../src/core/emulator/internals.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { Counter, Lifecycle } from '../../../contracts/generated.ts'
import { readBlock, readReceipts } from '../reads.ts'
import { makeWallets, privateKeys, type Wallet } from '../wallet.ts'
import { LEDGER_CODE, LEDGER_INIT_CODE, ledgerCall, mappingSlot, stranger } from '../workload.ts'

const CALL_GAS = 1_000_000n

/** Code that answers the balance of the account that the calldata names: BALANCE(CALLDATALOAD(0)). */
const BALANCE_READER: Hex = '0x5f35315f5260205ff3'
/** Init code that deploys the bytes after it, fewer than 256. */
function initCodeOf(code: Hex): Hex {
  const size = ((code.length - 2) / 2).toString(16).padStart(2, '0')
  return `0x60${size}600a5f3960${size}5ff3${code.slice(2)}`
}

async function deploy(chain: Emulator, wallet: Wallet, data: Hex): Promise<Hex> {
  await wallet.send({ data, gas: 3_000_000n })
  await chain.seal()
  return (await readReceipts(chain, 'latest'))[0]?.contractAddress as Hex
}

describe('a chain on which accounts, code and storage are created and deleted', () => {
  async function build() {
    const chain = await createEmulator({ accounts: { privateKeys }, hardfork: 'prague' })
    const wallets = makeWallets(chain)
    const [a, b, c] = wallets
    const counter = await deploy(chain, a, Counter.bytecode)
    const lifecycle = await deploy(chain, a, Lifecycle.bytecode)
    const reader = await deploy(chain, a, initCodeOf(BALANCE_READER))
    const { abi } = Lifecycle
    const later = [
      () =>
        b.send({
          to: counter,
          data: encodeFunctionData({ abi: Counter.abi, functionName: 'increment' }),
          gas: CALL_GAS,
        }),
      () =>
        b.send({
          to: lifecycle,
          data: encodeFunctionData({ abi, functionName: 'fill', args: [0n, 5n] }),
          gas: CALL_GAS,
        }),
      () => c.send({ to: stranger(1), value: 12n }),
      async () => undefined,
      () =>
        b.send({
          to: lifecycle,
          data: encodeFunctionData({ abi, functionName: 'clear', args: [1n, 3n] }),
          gas: CALL_GAS,
        }),
      async () =>
        a.send({
          type: 'eip7702',
          to: c.address,
          gas: CALL_GAS,
          data: ledgerCall(7n, 70n),
          authorizationList: [await c.authorize(counter, c.nonce++)],
        }),
      () =>
        b.send({
          to: c.address,
          data: encodeFunctionData({ abi: Counter.abi, functionName: 'add', args: [9n] }),
          gas: CALL_GAS,
        }),
      async () =>
        a.send({
          type: 'eip7702',
          to: stranger(2),
          gas: CALL_GAS,
          authorizationList: [await c.authorize(pad('0x', { size: 20 }), c.nonce++)],
        }),
      () =>
        b.send({
          to: counter,
          data: encodeFunctionData({ abi: Counter.abi, functionName: 'increment' }),
          gas: CALL_GAS,
        }),
    ]
    return { chain, wallets, counter, lifecycle, reader, later }
  }
  type Built = Awaited<ReturnType<typeof build>>

  /** Everything that can be read of a block and of the state after it. */
  async function readAll({ chain, wallets, counter, lifecycle, reader }: Built, selector: number | 'latest') {
    const accounts = [...wallets.map(({ address }) => address), counter, lifecycle, stranger(1), stranger(2)]
    const slots: [Hex, Hex][] = [
      [counter, '0x0'],
      [wallets[2].address, '0x0'],
      ...[0, 1, 2, 3, 4, 5].map((key): [Hex, Hex] => [lifecycle, mappingSlot(toHex(key))]),
    ]
    const count = encodeFunctionData({ abi: Counter.abi, functionName: 'count' })
    return {
      block: await readBlock(chain, selector),
      receipts: await readReceipts(chain, selector),
      balances: await Promise.all(
        accounts.map((who) => chain.request({ method: 'eth_getBalance', params: [who, selector] })),
      ),
      nonces: await Promise.all(
        accounts.map((who) => chain.request({ method: 'eth_getTransactionCount', params: [who, selector] })),
      ),
      codes: await Promise.all(
        accounts.map((who) => chain.request({ method: 'eth_getCode', params: [who, selector] })),
      ),
      storage: await Promise.all(
        slots.map(([who, slot]) =>
          chain.request({ method: 'eth_getStorageAt', params: [who, slot, selector] }),
        ),
      ),
      calls: await Promise.all([
        chain.request({ method: 'eth_call', params: [{ to: counter, data: count }, selector] }),
        chain.request({
          method: 'eth_call',
          params: [{ to: reader, data: pad(stranger(1), { size: 32 }) }, selector],
        }),
      ]),
      proof: await chain.request({
        method: 'eth_getProof',
        params: [lifecycle, [mappingSlot('0x1')], selector],
      }),
      logs: await chain.request({
        method: 'eth_getLogs',
        params: [{ fromBlock: selector, toBlock: selector }],
      }),
    }
  }

  test('gives the same answers at every old block as when it was the head', async () => {
    const built = await build()
    const { chain, later } = built
    const recorded: [number, Awaited<ReturnType<typeof readAll>>][] = []
    for (const act of later) {
      await act()
      await chain.advance(2000)
      const head = Number(await chain.request({ method: 'eth_blockNumber' }))
      recorded.push([head, await readAll(built, 'latest')])
    }
    // All these blocks differ, so an answer of the wrong one would be seen.
    expect(new Set(recorded.map(([, { block }]) => block.stateRoot)).size).toBe(later.length)
    await chain.advance(10_000)
    for (const [number, expected] of recorded) {
      expect(await readAll(built, number), `block ${number}`).toEqual(expected)
    }
  })

  test('gives the same answers by block hash as by number', async () => {
    const built = await build()
    const { chain, counter, later } = built
    for (const act of later) {
      await act()
      await chain.advance(2000)
    }
    const head = Number(await chain.request({ method: 'eth_blockNumber' }))
    for (let number = 0; number <= head; number++) {
      const { hash: blockHash } = await readBlock(chain, number)
      for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'] as const) {
        const byHash = await chain.request({ method, params: [counter, { blockHash }] })
        expect(byHash).toBe(await chain.request({ method, params: [counter, { blockNumber: number }] }))
        expect(byHash).toBe(await chain.request({ method, params: [counter, numberToHex(number)] }))
      }
    }
  })
})

describe('values worked out by hand', () => {
  test('are found at each block of a history', async () => {
    const chain = await createEmulator({ accounts: { privateKeys } })
    const [wallet] = makeWallets(chain)
    const ledger = await deploy(chain, wallet, LEDGER_INIT_CODE)
    for (const amount of [5n, 0n, 9n]) {
      await wallet.send({ to: ledger, data: ledgerCall(1n, amount), gas: CALL_GAS })
      await wallet.send({ to: stranger(1), value: amount })
      await chain.advance(2000)
    }
    const at = async (number: number) => ({
      slot: BigInt(await chain.request({ method: 'eth_getStorageAt', params: [ledger, '0x1', number] })),
      balance: BigInt(await chain.request({ method: 'eth_getBalance', params: [stranger(1), number] })),
      nonce: BigInt(
        await chain.request({ method: 'eth_getTransactionCount', params: [wallet.address, number] }),
      ),
      code: await chain.request({ method: 'eth_getCode', params: [ledger, number] }),
    })
    expect(await Promise.all([0, 1, 2, 3, 4].map(at))).toEqual([
      { slot: 0n, balance: 0n, nonce: 0n, code: '0x' },
      { slot: 0n, balance: 0n, nonce: 1n, code: LEDGER_CODE },
      { slot: 5n, balance: 5n, nonce: 3n, code: LEDGER_CODE },
      { slot: 0n, balance: 5n, nonce: 5n, code: LEDGER_CODE },
      { slot: 9n, balance: 14n, nonce: 7n, code: LEDGER_CODE },
    ])
  })

  test('an account that destroyed itself before cancun is still there in the blocks before', async () => {
    const chain = await createEmulator({ accounts: { privateKeys }, hardfork: 'london' })
    const [wallet] = makeWallets(chain)
    // Deploys CALLER, SELFDESTRUCT.
    await wallet.send({ data: '0x6133ff6000526002601ef3', value: 7n, gas: 200_000n })
    await chain.seal()
    const mortal = (await readReceipts(chain, 1))[0]?.contractAddress as Hex
    await wallet.send({ to: mortal, gas: 100_000n })
    await chain.seal()
    const read = async (number: number) => [
      await chain.request({ method: 'eth_getCode', params: [mortal, number] }),
      await chain.request({ method: 'eth_getBalance', params: [mortal, number] }),
      await chain.request({ method: 'eth_getTransactionCount', params: [mortal, number] }),
    ]
    expect(await read(1)).toEqual(['0x33ff', '0x7', '0x1'])
    expect(await read(2)).toEqual(['0x', '0x0', '0x0'])
  })

  test('a call at an old block has no effects', async () => {
    const chain = await createEmulator({ accounts: { privateKeys } })
    const [wallet] = makeWallets(chain)
    const ledger = await deploy(chain, wallet, LEDGER_INIT_CODE)
    await chain.advance(2000)
    const before = await readBlock(chain, 'pending')
    for (const block of [1, 2, 'latest', 'pending'] as const) {
      const data = ledgerCall(1n, 99n)
      await chain.request({ method: 'eth_call', params: [{ to: ledger, data, from: wallet.address }, block] })
      const slot = await chain.request({ method: 'eth_getStorageAt', params: [ledger, '0x1', block] })
      expect(BigInt(slot)).toBe(0n)
    }
    expect(await readBlock(chain, 'pending')).toEqual(before)
  })
})

// The last 48 blocks stay as they were sealed; with head n, blocks 0 to n - 48 are archived.
test('blocks are archived again after the chain has gone back, however far', async () => {
  const chain = await createEmulator()
  const grow = async (by: number) => {
    for (let sealed = 0; sealed < by; sealed++) await chain.seal()
  }
  const archivedNumbers = () => {
    const { chain: blocks } = internalsOf('test', chain).session.node.state
    const numbers = Array.from({ length: blocks.head.header.number + 1 }, (_, number) => number)
    return numbers.filter((number) => keptStateOf(blockAt(blocks, number)) !== undefined)
  }
  const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number)
  await grow(60)
  expect(archivedNumbers()).toEqual(upTo(12))
  // Below what is archived: block 5 is the head, and whole again.
  await chain.rollback(55)
  expect(archivedNumbers()).toEqual(upTo(4))
  await grow(55)
  expect(archivedNumbers()).toEqual(upTo(12))
  // Above it.
  await chain.rollback(3)
  await grow(43)
  expect(archivedNumbers()).toEqual(upTo(52))
})
